/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of the simulator: deadlines, jobs preempted for them, what is counted. */
#include "lab/sim/trial.h"
#include "measure/figures.h"

#include "unit/unit.h"

#include <math.h>

#define JOBS_MAX 4
#define NONE     LW_NO_TIME

/* One job of four processors at most on a pool of four; what it is to become. */
struct row {
	int64_t submit_s;
	uint32_t procs;
	int64_t run_s, finish_by_s;
	bool resumable;
	int64_t start_s, end_s;
	uint32_t stops;
	bool accepted;
};

static const struct vector {
	const char *name;
	enum lw_deadlines deadlines;
	double agree; /* to be stopped */
	struct row rows[JOBS_MAX];
} vectors[] = {
	{ "off: as submitted",
	  LW_DEADLINES_OFF,
	  0,
	  { { 0, 4, 100, 0, false, 0, 100, 0, false },
	    { 10, 4, 50, 0, false, 100, 150, 0, false },
	    { 20, 4, 50, 160, false, 150, 200, 0, false } } },
	{ "order: a job that can meet it first, one that cannot last",
	  LW_DEADLINES_ORDER,
	  0,
	  { { 0, 4, 100, 0, false, 0, 100, 0, false },
	    { 10, 4, 50, 120, false, 200, 250, 0, false },
	    { 15, 4, 50, 0, false, 150, 200, 0, false },
	    { 20, 4, 50, 160, false, 100, 150, 0, false } } },
	{ "guard: room is kept for one that was accepted",
	  LW_DEADLINES_GUARD,
	  0,
	  { { 0, 3, 100, 0, false, 0, 100, 0, false },
	    { 10, 4, 50, 155, false, 100, 150, 0, true },
	    { 20, 1, 90, 0, false, 150, 240, 0, false },
	    { 20, 1, 80, 0, false, 20, 100, 0, false } } },
	{ "stopped for one that is due, for 10 s to save and 20 to start again",
	  LW_DEADLINES_ORDER,
	  1,
	  { { 0, 4, 1000, 0, true, 320, 1330, 1, false },
	    { 10, 4, 300, 400, false, 20, 320, 0, false } } },
	{ "not before",
	  LW_DEADLINES_ORDER,
	  1,
	  { { 0, 4, 3000, 0, true, 2410, 3330, 1, false },
	    { 10, 4, 300, 3000, false, 2110, 2410, 0, false },
	    { 20, 4, 100, 0, false, 3330, 3430, 0, false } } },
	{ "not one that does not agree",
	  LW_DEADLINES_ORDER,
	  0,
	  { { 0, 4, 1000, 0, true, 0, 1000, 0, false },
	    { 10, 4, 300, 400, false, 1000, 1300, 0, false } } },
	{ "nor one that would be late itself",
	  LW_DEADLINES_ORDER,
	  1,
	  { { 0, 4, 1000, 2239, true, 0, 1000, 0, false },
	    { 10, 4, 300, 400, false, 1000, 1300, 0, false } } },
	{ "but one that has time enough, and as few as it takes",
	  LW_DEADLINES_ORDER,
	  1,
	  { { 0, 2, 1000, 9000, true, 320, 1330, 1, false },
	    { 0, 1, 1000, 8000, true, 0, 1000, 0, false },
	    { 10, 3, 300, 400, false, 20, 320, 0, false } } },
	{ "nor one with a deadline, where deadlines are accepted",
	  LW_DEADLINES_GUARD,
	  1,
	  { { 0, 4, 1000, 9000, true, 0, 1000, 0, false },
	    { 10, 4, 300, 400, false, 1000, 1300, 0, false } } },
};

static uint32_t make_jobs(const struct vector *v, struct lw_sim_job *jobs)
{
	uint32_t n = 0;

	for (; n < JOBS_MAX && v->rows[n].procs; n++) {
		const struct row *row = &v->rows[n];

		jobs[n] = (struct lw_sim_job){
			.id = n + 1,
			.user = n,
			.submit_s = row->submit_s,
			.run_s = row->run_s,
			.limit_s = row->run_s,
			.finish_by_s = row->finish_by_s,
			.weight = 3,
			.resumable = row->resumable,
			.save_s = 10,
			.restart_s = 20,
			.request = { .nodes_min = 1,
				     .nodes_max = 1,
				     .cpus_per_node = row->procs,
				     .gpu_type = LW_GPU_ANY },
		};
	}
	return n;
}

static struct lw_trial make_trial(const struct vector *v)
{
	return (struct lw_trial){ .machine = { .pool = 4 },
				  .lease = { .dues = true,
					     .share = 1,
					     .back_s = 14400,
					     .save_s = 10,
					     .per_day = 4,
					     .agree = v->agree } };
}

TEST_EACH(deadlines_are_heeded, LW_COUNT_OF(vectors))
{
	const struct vector *v = &vectors[_i];
	struct lw_trial trial = make_trial(v);
	struct lw_sim_job jobs[JOBS_MAX];
	uint32_t n = make_jobs(v, jobs);

	lw_policy_params_default(&trial.policy);
	trial.policy.deadlines = v->deadlines;
	ck_assert_int_eq(lw_trial_run(&trial, jobs, n, NULL, NULL), 0);
	for (uint32_t i = 0; i < n; i++) {
		ck_assert_msg(jobs[i].start_s == v->rows[i].start_s, "%s: job %u starts at %ld",
			      v->name, i + 1, (long)jobs[i].start_s);
		ck_assert_msg(lw_sim_job_end_s(&jobs[i]) == v->rows[i].end_s,
			      "%s: job %u ends at %ld", v->name, i + 1,
			      (long)lw_sim_job_end_s(&jobs[i]));
		ck_assert_msg(jobs[i].stops == v->rows[i].stops,
			      "%s: job %u is stopped %u times", v->name, i + 1, jobs[i].stops);
		ck_assert_msg(jobs[i].accepted == v->rows[i].accepted, "%s: job %u", v->name,
			      i + 1);
	}
}

/* Of the vector: missed, lost, accepted, without a deadline from submission to end, stopped. */
static const struct {
	uint32_t vector;
	double missed, lost, accepted, jct_s, stops, wait_s;
} figures[] = {
	{ 0, 1, 3 * 40, 0, 120, 0, 220 / 3.0 },
	{ 1, 0.5, 3 * 130, 0, 142.5, 0, 405 / 4.0 },
	{ 2, 0, 0, 1, 400 / 3.0, 0, 220 / 4.0 },
	/* 1030 s in two pieces count as one, from 300 on */
	{ 3, 0, 0, 0, 1330, 1, 310 / 2.0 },
};

TEST_EACH(what_becomes_of_them_is_counted, LW_COUNT_OF(figures))
{
	const struct vector *v = &vectors[figures[_i].vector];
	struct lw_trial trial = make_trial(v);
	struct lw_sim_job jobs[JOBS_MAX];
	struct lw_figures found;
	uint32_t n = make_jobs(v, jobs);

	lw_policy_params_default(&trial.policy);
	trial.policy.deadlines = v->deadlines;
	ck_assert_int_eq(lw_trial_run(&trial, jobs, n, NULL, NULL), 0);
	ck_assert_int_eq(lw_figures_of(jobs, n, &trial.machine, NULL, &found), 0);
	ck_assert_double_eq_tol(found.value[LW_FIGURE_DEADLINE_MISSED], figures[_i].missed, 1e-9);
	ck_assert_double_eq_tol(found.value[LW_FIGURE_DEADLINE_LOST], figures[_i].lost, 1e-9);
	ck_assert_double_eq_tol(found.value[LW_FIGURE_ACCEPTED], figures[_i].accepted, 1e-9);
	ck_assert_double_eq_tol(found.value[LW_FIGURE_ACCEPTED_MISSED], 0, 1e-9);
	ck_assert_double_eq_tol(found.value[LW_FIGURE_JCT_BEST_EFFORT], figures[_i].jct_s, 1e-9);
	ck_assert_double_eq_tol(found.value[LW_FIGURE_PREEMPTIONS], figures[_i].stops, 1e-9);
	ck_assert_double_eq_tol(found.value[LW_FIGURE_WAIT], figures[_i].wait_s, 1e-9);
}

TEST(nothing_is_said_without_deadlines)
{
	struct lw_trial trial = { .machine = { .pool = 4 } };
	struct lw_sim_job jobs[JOBS_MAX];
	struct lw_figures found;

	lw_policy_params_default(&trial.policy);
	make_jobs(&vectors[0], jobs);
	ck_assert_int_eq(lw_trial_run(&trial, jobs, 2, NULL, NULL), 0);
	ck_assert_int_eq(lw_figures_of(jobs, 2, &trial.machine, NULL, &found), 0);
	for (int i = LW_FIGURE_DEADLINE_MISSED; i <= LW_FIGURE_PREEMPTIONS; i++)
		ck_assert_msg(isnan(found.value[i]), "%s", lw_figure_key((enum lw_figure)i));
}
