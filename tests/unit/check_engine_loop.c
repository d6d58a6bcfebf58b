/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of the simulator: what the main loop of slurmctld starts by priority. */
#include "unit/sim_vectors.h"
#include "unit/unit.h"

/* Who waits for four processors, the shortest first; Slurm's main loop goes by priority. */
static const struct vector shortest_first[] = {
	{ "who was promised a start stays first", /* the first: promises are kept */
	  { .pool = 4 },
	  LW_POLICY_EASY,
	  0,
	  USER,
	  { { 0, 4, 10, 10, 0, NONE }, { 1, 4, 20, 20, 10, 10 }, { 2, 4, 5, 5, 30, 30 } } },
	{ "no main loop: the order of the plan counts",
	  { .pool = 4 },
	  LW_POLICY_EASY,
	  0,
	  USER,
	  { { 0, 4, 10, 10, 0, NONE }, { 1, 4, 20, 20, 15, 10 }, { 2, 4, 5, 5, 10, 10 } } },
	{ "main loop: what comes free is given out by the plan's order",
	  { .pool = 4, .main_loop = true },
	  LW_POLICY_EASY,
	  0,
	  USER,
	  { { 0, 4, 10, 10, 0, NONE }, { 1, 4, 20, 20, 15, 10 }, { 2, 4, 5, 5, 10, 10 } } },
	{ "main loop that does not heed the plan: it knows no order but the one given",
	  { .pool = 4, .main_loop = true, .ungated = true },
	  LW_POLICY_EASY,
	  0,
	  USER,
	  { { 0, 4, 10, 10, 0, NONE }, { 1, 4, 20, 20, 10, 10 }, { 2, 4, 5, 5, 30, 10 } } },
};

TEST_EACH(test_main_loop_by_priority, LW_COUNT_OF(shortest_first))
{
	const struct vector *v = &shortest_first[_i];
	struct lw_sim_job jobs[JOBS_MAX];
	struct lw_trial trial = make_trial(v);
	uint32_t n = make_jobs(v, jobs);

	trial.policy.order = LW_ORDER_SJF;
	trial.policy.keep_promises = !_i;
	ck_assert_int_eq(lw_trial_run(&trial, jobs, n, NULL, NULL), 0);
	for (uint32_t i = 0; i < n; i++) {
		ck_assert_msg(jobs[i].start_s == v->rows[i].start_s, "%s: job %u starts at %ld",
			      v->name, i + 1, (long)jobs[i].start_s);
		ck_assert_msg(jobs[i].promise_s == v->rows[i].promise_s,
			      "%s: job %u is promised %ld", v->name, i + 1,
			      (long)jobs[i].promise_s);
	}
}
