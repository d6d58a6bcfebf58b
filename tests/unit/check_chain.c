/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of jobs that wait for others: small traces, schedules worked out by hand. */
#include "lab/sim/trial.h"
#include "measure/figures.h"

#include "unit/unit.h"

#define NONE	  LW_NO_TIME
#define JOBS_MAX  8
#define AFTER_MAX 2

/* A job of the trace, and when it starts with each mode. */
struct row {
	int64_t submit_s;
	uint32_t procs;
	int64_t run_s, limit_s;
	int64_t on_s, off_s;
	struct lw_after afters[AFTER_MAX]; /* of job 0: none */
	int64_t think_s, cancel_s;
	uint8_t exit_code;
	uint32_t at_most; /* tasks of one array */
};

struct vector {
	const char *name;
	enum lw_policy_kind policy;
	struct row rows[JOBS_MAX];
};

#define ALONE	  .think_s = 0
#define ANY(id)	  { { LW_AFTER_ANY, id } }
#define OK(id)	  { { LW_AFTER_OK, id } }
#define NOTOK(id) { { LW_AFTER_NOTOK, id } }
#define ONE(id)	  { { LW_AFTER_SINGLETON, id } }

/* On four processors, of which the first job of most has all. */
static const struct vector vectors[] = {
	/* stock's queue has job 2 first, which has waited since 1; of a chain job 3 is the older */
	{ "a link has the place of its own submission",
	  LW_POLICY_EASY,
	  { { 0, 4, 10, 10, 0, 0, ALONE },
	    { 0, 4, 10, 10, 10, 15, .afters = ANY(1) },
	    { 1, 4, 5, 5, 20, 10, ALONE } } },
	{ "under leeway too, which holds back who was promised a start",
	  LW_POLICY_LEEWAY,
	  { { 0, 4, 10, 10, 0, 0, ALONE },
	    { 0, 4, 10, 10, 10, 15, .afters = ANY(1) },
	    { 1, 4, 5, 5, 20, 10, ALONE } } },
	{ "and in order",
	  LW_POLICY_FCFS,
	  { { 0, 4, 10, 10, 0, 0, ALONE },
	    { 0, 4, 10, 10, 10, 15, .afters = ANY(1) },
	    { 1, 4, 5, 5, 20, 10, ALONE } } },
	{ "and where all have reservations",
	  LW_POLICY_CONSERVATIVE,
	  { { 0, 4, 10, 10, 0, 0, ALONE },
	    { 0, 4, 10, 10, 10, 15, .afters = ANY(1) },
	    { 1, 4, 5, 5, 20, 10, ALONE } } },
	{ "an end before the limit is followed at once",
	  LW_POLICY_LEEWAY,
	  { { 0, 4, 4, 10, 0, 0, ALONE },
	    { 0, 4, 10, 10, 4, 9, .afters = ANY(1) },
	    { 1, 4, 5, 5, 14, 4, ALONE } } },
	/* job 4 is promised 20 before job 3 can follow job 2, and so stays before it */
	{ "link by link",
	  LW_POLICY_EASY,
	  { { 0, 4, 5, 10, 0, 0, ALONE },
	    { 0, 4, 5, 10, 5, 10, .afters = ANY(1) },
	    { 0, 4, 5, 10, 15, 20, .afters = ANY(2) },
	    { 1, 4, 5, 5, 10, 5, ALONE },
	    { 11, 4, 5, 5, 20, 15, ALONE } } },
	/* job 2 is promised 10 before job 3 can follow job 1, which starts at 5: it is behind it */
	{ "nobody who was promised a start is passed",
	  LW_POLICY_EASY,
	  { { 0, 2, 10, 10, 0, 0, ALONE },
	    { 0, 2, 5, 5, 0, 0, ALONE },
	    { 1, 2, 5, 5, 5, 5, ALONE },
	    { 2, 4, 5, 5, 10, 10, ALONE },
	    { 1, 2, 20, 20, 15, 15, .afters = ANY(3) } } },
	{ "who ended well is followed, who failed is not",
	  LW_POLICY_EASY,
	  { { 0, 1, 5, 10, 0, 0, ALONE },
	    { 0, 1, 5, 10, 0, 0, .exit_code = 1 },
	    { 0, 1, 5, 10, 5, 5, .afters = OK(1) },
	    { 0, 1, 5, 10, NONE, NONE, .afters = OK(2) },
	    { 0, 1, 5, 10, NONE, NONE, .afters = NOTOK(1) },
	    { 0, 1, 5, 10, 5, 5, .afters = NOTOK(2) },
	    { 0, 1, 5, 10, 5, 5, .afters = ANY(2) },
	    { 0, 1, 5, 10, NONE, NONE, .afters = ANY(4) } } },
	{ "a job that its limit ends has failed",
	  LW_POLICY_EASY,
	  { { 0, 1, 11, 10, 0, 0, ALONE },
	    { 0, 1, 5, 10, NONE, NONE, .afters = OK(1) },
	    { 0, 1, 5, 10, 10, 10, .afters = NOTOK(1) } } },
	{ "a job that was taken back has failed, running or not",
	  LW_POLICY_EASY,
	  { { 0, 4, 9, 10, 0, 0, .cancel_s = 7 },
	    { 0, 4, 5, 10, NONE, NONE, .cancel_s = 3 },
	    { 1, 1, 5, 10, NONE, NONE, .afters = OK(1) },
	    { 1, 1, 5, 10, 7, 7, .afters = NOTOK(1) },
	    { 1, 1, 5, 10, 7, 7, .afters = ANY(2) } } },
	/* job 3 can no longer start from 5 on, and what was planned for it is free */
	{ "who can no longer start frees its room",
	  LW_POLICY_EASY,
	  { { 0, 4, 5, 10, 0, 0, .exit_code = 1 },
	    { 0, 4, 90, 90, NONE, NONE, .afters = OK(1) },
	    { 1, 4, 5, 5, 5, 5, ALONE } } },
	{ "a link that its user takes back frees it as well",
	  LW_POLICY_EASY,
	  { { 0, 4, 5, 10, 0, 0, ALONE },
	    { 0, 4, 90, 90, NONE, NONE, .afters = ANY(1), .cancel_s = 3 },
	    { 1, 4, 5, 5, 5, 5, ALONE },
	    { 1, 4, 5, 5, 10, 10, .afters = ANY(2) } } },
	{ "all of several",
	  LW_POLICY_EASY,
	  { { 0, 2, 5, 10, 0, 0, ALONE },
	    { 0, 2, 8, 9, 0, 0, ALONE },
	    { 0, 2, 5, 10, 8, 8, .afters = { { LW_AFTER_ANY, 1 }, { LW_AFTER_OK, 2 } } } } },
	{ "a user who thinks submits later",
	  LW_POLICY_EASY,
	  { { 0, 4, 5, 10, 0, 0, ALONE },
	    { 0, 4, 5, 10, 14, 14, .afters = ANY(1), .think_s = 3 },
	    { 6, 4, 4, 10, 6, 6, ALONE },
	    { 7, 4, 4, 10, 10, 10, ALONE } } },
	{ "who thinks no longer than until its submission",
	  LW_POLICY_EASY,
	  { { 0, 4, 5, 10, 0, 0, ALONE },
	    { 20, 4, 5, 10, 20, 20, .afters = ANY(1), .think_s = 3 } } },
	{ "one singleton after the other",
	  LW_POLICY_EASY,
	  { { 0, 1, 5, 10, 0, 0, ALONE },
	    { 0, 1, 5, 10, 5, 5, .afters = ONE(1) },
	    { 0, 1, 5, 10, 10, 10, .afters = ONE(2) } } },
	{ "a singleton that is taken back does not let the next one pass",
	  LW_POLICY_EASY,
	  { { 0, 1, 5, 10, 0, 0, ALONE },
	    { 0, 1, 5, 10, NONE, NONE, .afters = ONE(1), .cancel_s = 2 },
	    { 0, 1, 5, 10, 5, 5, .afters = ONE(2) } } },
	/* job 5 is promised 20 before the others of the array may come in */
	{ "an array of two at a time goes on as one of them ends",
	  LW_POLICY_EASY,
	  { { 0, 1, 5, 20, 0, 0, .at_most = 2 },
	    { 0, 1, 20, 20, 0, 0, .at_most = 2 },
	    { 0, 1, 5, 20, 5, 25, .at_most = 2 },
	    { 0, 1, 5, 20, 10, 25, .at_most = 2 },
	    { 1, 4, 5, 5, 20, 20, ALONE } } },
	{ "one at a time is a chain",
	  LW_POLICY_LEEWAY,
	  { { 0, 4, 5, 10, 0, 0, .at_most = 1 },
	    { 0, 4, 5, 10, 5, 10, .at_most = 1 },
	    { 0, 4, 5, 10, 15, 15, .at_most = 1 },
	    { 1, 4, 5, 5, 10, 5, ALONE } } },
	{ "a task that is taken back makes room for the next",
	  LW_POLICY_EASY,
	  { { 0, 1, 9, 10, 0, 0, .at_most = 1, .cancel_s = 3 },
	    { 0, 1, 9, 10, NONE, NONE, .at_most = 1, .cancel_s = 2 },
	    { 0, 1, 4, 10, 3, 3, .at_most = 1 },
	    { 0, 1, 4, 10, 7, 7, .at_most = 1 } } },
	{ "the last thing that happens may be that somebody is taken back",
	  LW_POLICY_EASY,
	  { { 0, 5, 5, 10, NONE, NONE, .cancel_s = 9 }, { 0, 1, 5, 10, 9, 9, .afters = ANY(1) } } },
};

/* What links may hold. */
struct bounds {
	double share, total;
	int64_t min_s;
};

static const struct bounds no_bounds = { 1, 1, 0 };

static uint32_t take(const struct vector *vector, struct lw_sim_job jobs[JOBS_MAX])
{
	uint32_t count = 0;

	for (; count < JOBS_MAX && vector->rows[count].procs; count++) {
		const struct row *row = &vector->rows[count];
		struct lw_sim_job *job = &jobs[count];

		*job = (struct lw_sim_job){
			.id = count + 1,
			.submit_s = row->submit_s,
			.run_s = row->run_s,
			.limit_s = row->limit_s,
			.cancel_after_s = row->cancel_s,
			.afters = row->afters,
			.think_s = row->think_s,
			.exit_code = row->exit_code,
			.array = row->at_most > 0,
			.at_most = row->at_most,
			.request = { .nodes_min = 1, .nodes_max = 1, .gpu_type = LW_GPU_ANY,
				     .cpus_per_node = row->procs },
		};
		while (job->after_count < AFTER_MAX && row->afters[job->after_count].job)
			job->after_count++;
	}
	return count;
}

static void run_within(const struct vector *vector, enum lw_chain_mode mode,
		       const struct bounds *bounds, struct lw_sim_job jobs[JOBS_MAX])
{
	struct lw_trial trial = { .machine = { .pool = 4 }, .chain = mode };
	uint32_t count = take(vector, jobs);

	lw_policy_params_default(&trial.policy);
	trial.policy.kind = vector->policy;
	trial.policy.chain_share = bounds->share;
	trial.policy.chain_total = bounds->total;
	trial.policy.chain_min_s = bounds->min_s;
	ck_assert_int_eq(lw_trial_run(&trial, jobs, count, NULL, NULL), 0);
	for (uint32_t i = 0; i < count; i++) {
		int64_t start_s = mode == LW_CHAIN_ON ? vector->rows[i].on_s
						      : vector->rows[i].off_s;

		ck_assert_msg(jobs[i].start_s == start_s,
			      "%s, %s: job %u starts at %lld, not %lld", vector->name,
			      lw_chain_mode_name(mode), i + 1, (long long)jobs[i].start_s,
			      (long long)start_s);
	}
}

static void run(const struct vector *vector, enum lw_chain_mode mode,
		struct lw_sim_job jobs[JOBS_MAX])
{
	run_within(vector, mode, &no_bounds, jobs);
}

TEST_EACH(chains_start_as_worked_out, LW_COUNT_OF(vectors))
{
	struct lw_sim_job jobs[JOBS_MAX];

	run(&vectors[_i], LW_CHAIN_ON, jobs);
	run(&vectors[_i], LW_CHAIN_OFF, jobs);
}

/* With half of the machine job 4 is one too many: jobs 5 and 6 are before it, at 10 and 12. */
static const struct vector one_too_many = {
	"a link beyond what its user may hold comes in as in Slurm",
	LW_POLICY_EASY,
	{ { 0, 2, 10, 10, 0, 0, ALONE },
	  { 0, 2, 10, 10, 0, 0, ALONE },
	  { 0, 2, 10, 10, 10, 12, .afters = ANY(1) },
	  { 0, 2, 10, 10, 14, 12, .afters = ANY(2) },
	  { 1, 2, 2, 10, 10, 10, ALONE },
	  { 1, 2, 2, 10, 12, 10, ALONE } },
};

/* With none of it, and where links have to ask for more time, no link is planned. */
static const struct vector none_planned = {
	"no link is planned",
	LW_POLICY_EASY,
	{ { 0, 4, 10, 10, 0, 0, ALONE },
	  { 0, 4, 10, 10, 15, 15, .afters = ANY(1) },
	  { 1, 4, 5, 5, 10, 10, ALONE } },
};

TEST(what_the_links_of_a_user_may_hold_is_bounded)
{
	static const struct bounds half = { 0.5, 1, 0 }, half_of_all = { 1, 0.5, 0 };
	static const struct bounds none = { 0, 1, 0 }, none_at_all = { 1, 0, 0 };
	static const struct bounds longer = { 1, 1, 11 }, long_enough = { 1, 1, 10 };
	struct lw_sim_job jobs[JOBS_MAX];

	run_within(&one_too_many, LW_CHAIN_ON, &half, jobs);
	run_within(&one_too_many, LW_CHAIN_ON, &half_of_all, jobs);
	run_within(&one_too_many, LW_CHAIN_OFF, &half, jobs);
	run_within(&none_planned, LW_CHAIN_ON, &none, jobs);
	run_within(&none_planned, LW_CHAIN_ON, &none_at_all, jobs);
	run_within(&none_planned, LW_CHAIN_ON, &longer, jobs);
	run_within(&vectors[0], LW_CHAIN_ON, &long_enough, jobs);
}

/* By limits jobs 1 and 3 are shown to hold all until 5000 when it is 1200: job 2 comes in. */
static const struct vector shown_too_late = {
	"a link that begins before its time",
	LW_POLICY_EASY,
	{ { 0, 2, 5000, 5000, 0, 0, ALONE },
	  { 0, 2, 5000, 5000, 5000, 5000, .afters = ANY(1) },
	  { 1000, 2, 3000, 5000, 1000, 1000, ALONE } },
};

/* Until 4990 job 2 would be shown to start at once; at 5000 job 3 is before it. */
static const struct vector shown_too_early = {
	"a link that comes too late",
	LW_POLICY_EASY,
	{ { 0, 2, 5000, 5000, 0, 0, ALONE },
	  { 0, 2, 5000, 5000, 5000, 6000, .afters = ANY(1) },
	  { 4990, 4, 1000, 1000, 10000, 5000, ALONE } },
};

static void run_by_rule(const struct vector *vector, struct lw_sim_job jobs[JOBS_MAX],
			struct lw_figures *ret_figures)
{
	struct lw_trial trial = { .machine = { .pool = 4 }, .chain = LW_CHAIN_START_RULE };
	uint32_t count = take(vector, jobs);

	lw_policy_params_default(&trial.policy);
	ck_assert_int_eq(lw_trial_run(&trial, jobs, count, NULL, NULL), 0);
	ck_assert_int_eq(lw_figures_of(jobs, count, &trial.machine, NULL, ret_figures), 0);
}

TEST(a_user_goes_by_the_start_that_is_shown)
{
	struct lw_sim_job jobs[JOBS_MAX];
	struct lw_figures figures;

	run(&shown_too_late, LW_CHAIN_ON, jobs);
	run(&shown_too_late, LW_CHAIN_OFF, jobs);
	run_by_rule(&shown_too_late, jobs, &figures);
	ck_assert_int_eq(jobs[1].start_s, 4000);
	ck_assert_double_eq_tol(figures.value[LW_FIGURE_OVERLAP], 1000, 1e-9);
	ck_assert_double_eq_tol(figures.value[LW_FIGURE_INTERRUPTION], 0, 1e-9);
	ck_assert_double_eq_tol(figures.value[LW_FIGURE_INTERRUPTION_ZERO], 1, 1e-9);
	run(&shown_too_early, LW_CHAIN_ON, jobs);
	run(&shown_too_early, LW_CHAIN_OFF, jobs);
	run_by_rule(&shown_too_early, jobs, &figures);
	ck_assert_int_eq(jobs[1].start_s, 6000);
	ck_assert_double_eq_tol(figures.value[LW_FIGURE_OVERLAP], 0, 1e-9);
	ck_assert_double_eq_tol(figures.value[LW_FIGURE_INTERRUPTION], 1000, 1e-9);
}

/* The link is promised the limit of the job before it; it has been ready since its end. */
TEST(what_is_found_of_a_link)
{
	struct lw_sim_job jobs[JOBS_MAX];

	run(&vectors[4], LW_CHAIN_ON, jobs);
	ck_assert_int_eq(jobs[1].promise_s, 10);
	ck_assert_int_eq(jobs[1].awaited_s, 4);
	ck_assert_int_eq(jobs[1].ready_s, 4);
	ck_assert(jobs[0].leads && !jobs[1].leads && !jobs[2].leads);
	ck_assert_int_eq(jobs[2].ready_s, 1);
	ck_assert_int_eq(jobs[2].awaited_s, NONE);
	run(&vectors[4], LW_CHAIN_OFF, jobs);
	ck_assert_int_eq(jobs[1].ready_s, 4);
}

/* A link at once, one 601 s late, one that began 50 s before it might, and who is no link. */
TEST(figures_tell_what_became_of_chains)
{
	static const struct lw_after after = { LW_AFTER_ANY, 1 };
	const struct lw_machine machine = { .pool = 4 };
	struct lw_sim_job jobs[] = {
		{ .id = 1, .leads = true, .start_s = 70, .awaited_s = NONE },
		{ .id = 2, .afters = &after, .after_count = 1, .leads = true, .awaited_s = 100,
		  .ready_s = 100, .start_s = 100 },
		{ .id = 3, .afters = &after, .after_count = 1, .awaited_s = 100, .ready_s = 100,
		  .start_s = 701 },
		{ .id = 4, .afters = &after, .after_count = 1, .awaited_s = 100, .ready_s = 100,
		  .start_s = 50 },
		{ .id = 5, .afters = &after, .after_count = 1, .awaited_s = 100, .ready_s = 105,
		  .think_s = 5, .start_s = 905 },
		{ .id = 6, .start_s = 30, .awaited_s = NONE },
		{ .id = 7, .start_s = NONE, .awaited_s = NONE },
		{ .id = 8, .start_s = 110, .awaited_s = NONE },
	};
	struct lw_figures figures;
	double *v = figures.value;

	for (size_t i = 0; i < LW_COUNT_OF(jobs); i++) {
		jobs[i].promise_s = jobs[i].latest_s = NONE;
		jobs[i].run_s = jobs[i].limit_s = 10;
		jobs[i].request = (struct lw_request){ .nodes_min = 1, .nodes_max = 1,
						       .cpus_per_node = 1,
						       .gpu_type = LW_GPU_ANY };
	}
	jobs[5].request.cpus_per_node = 2;
	ck_assert_int_eq(lw_figures_of(jobs, LW_COUNT_OF(jobs), &machine, NULL, &figures), 0);
	ck_assert_double_eq_tol(v[LW_FIGURE_INTERRUPTION], 601 / 3.0, 1e-9);
	ck_assert_double_eq_tol(v[LW_FIGURE_INTERRUPTION_ZERO], 2 / 3.0, 1e-9);
	ck_assert_double_eq_tol(v[LW_FIGURE_OVERLAP], 50 / 3.0, 1e-9);
	ck_assert_double_eq_tol(v[LW_FIGURE_WAIT_OTHERS], 70, 1e-9);
	ck_assert_double_eq_tol(v[LW_FIGURE_WAIT_OTHERS_P99], 110, 1e-9);
	ck_assert_double_eq_tol(v[LW_FIGURE_WAIT_OTHERS_WIDE], 30, 1e-9);
	/* a link waits from when its turn has come: 70 + 0 + 601 - 50 + 800 + 30 + 110 */
	ck_assert_double_eq_tol(v[LW_FIGURE_WAIT], 1561 / 7.0, 1e-9);
}
