/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of the simulator: the plan chooses how many nodes a job gets. */
#include "unit/sim_vectors.h"
#include "unit/unit.h"

/* Of eight nodes five are taken for an hour and a half; a job comes that wants six, or three. */
static const struct vector busy = {
	"five of eight nodes",
	{ .nodes = 8, .gpus_per_node = 1, .cpus_per_node = 1 },
	LW_POLICY_LEEWAY,
	0,
	LW_PREDICT_EXACT,
	{ { 0, 5, 5400, 5400, 0, NONE }, { 10, 6, 20000, 100000, 0, NONE } },
};

static const struct lw_lease_settings usual = {
	.shorts = true,
	.gain = 10,
	.share = 1,
	.widest = 1,
	.lease_s = 3600,
	.back_s = 7200,
	.save_s = 30,
	.per_day = 4,
	.agree = 1,
	.load_s = 60,
	.delay_s = 120,
};

/* Half of its run is shared: on three nodes it is half as long again. */
static const struct {
	const char *what;
	bool on;
	double agree;
	uint32_t least, shared;
	int64_t limit_s, start_s, end_s;
	uint32_t nodes, stops;
} cases[] = {
	{ "off: it waits", false, 1, 3, 500, 100000, 5400, 25400, 0, 0 },
	{ "it has no sizes", true, 1, 0, 0, 100000, 5400, 25400, 0, 0 },
	{ "it does not agree", true, 0, 3, 500, 100000, 5400, 25400, 0, 0 },
	{ "its user allows no fewer than four", true, 1, 4, 500, 100000, 5400, 25400, 6, 0 },
	{ "on three it would be killed", true, 1, 3, 500, 25000, 5400, 25400, 6, 0 },
	/* 5390 s on three are 3593 s of its run; then 60 s and 16407 s on six */
	{ "it starts on three, and goes on on six", true, 1, 3, 500, 100000, 5550, 22017, 6, 1 },
};

TEST_EACH(test_size, LW_COUNT_OF(cases))
{
	struct lw_sim_job jobs[JOBS_MAX];
	struct lw_trial trial = make_trial(&busy);
	uint32_t n = make_jobs(&busy, jobs);
	struct lw_sim_job *job = &jobs[1];

	trial.lease = usual;
	trial.lease.agree = cases[_i].agree;
	trial.sizes = cases[_i].on;
	job->limit_s = cases[_i].limit_s;
	job->size = (struct lw_size){ cases[_i].least, 6, cases[_i].shared };
	ck_assert_int_eq(lw_trial_run(&trial, jobs, n, NULL, NULL), 0);
	ck_assert_msg(job->start_s == cases[_i].start_s, "%s: %ld", cases[_i].what,
		      (long)job->start_s);
	ck_assert_msg(lw_sim_job_end_s(job) == cases[_i].end_s, "%s: ends at %ld", cases[_i].what,
		      (long)lw_sim_job_end_s(job));
	ck_assert_msg(job->nodes == cases[_i].nodes, "%s: on %u", cases[_i].what, job->nodes);
	ck_assert_uint_eq(job->stops, cases[_i].stops);
	ck_assert_uint_eq(job->late, 0);
}

/* A job that has no sizes starts in the same second, whether other jobs may have or not. */
TEST(no_job_without_sizes_is_touched)
{
	for (uint32_t draw = 1; draw < 50; draw++) {
		struct lw_sim_job jobs[2][JOBS_MAX];
		uint32_t n = 0, state = draw;

		for (int on = 0; on < 2; on++) {
			struct lw_trial trial = make_trial(&busy);

			n = make_jobs(&busy, jobs[on]);
			for (uint32_t i = 0; i < n; i++) {
				state = on ? state : state * 1103515245 + 12345;
				jobs[on][i].run_s = on ? jobs[0][i].run_s
						       : 100 + (int64_t)(state >> 16) % 5000;
			}
			trial.lease = usual;
			trial.sizes = on;
			ck_assert_int_eq(lw_trial_run(&trial, jobs[on], n, NULL, NULL), 0);
		}
		for (uint32_t i = 0; i < n; i++) {
			ck_assert_int_eq(jobs[0][i].start_s, jobs[1][i].start_s);
			ck_assert_int_eq(jobs[0][i].promise_s, jobs[1][i].promise_s);
			ck_assert_int_eq(lw_sim_job_end_s(&jobs[0][i]),
					 lw_sim_job_end_s(&jobs[1][i]));
		}
	}
}
