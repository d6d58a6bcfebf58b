/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of measure/harm: jobs that fare worse than under another schedule. */
#include "measure/harm.h"

#include "unit/unit.h"

static struct lw_sim_job job_that_waits(int64_t wait_s)
{
	struct lw_sim_job job = { .submit_s = 1000, .start_s = LW_NO_TIME };

	if (wait_s != LW_NO_TIME)
		job.start_s = job.submit_s + wait_s;
	return job;
}

TEST(jobs_that_start_under_both_count)
{
	static const int64_t waits[] = { 3600, 3601, 9000, 0, 0, LW_NO_TIME, 50 };
	static const int64_t base[] = { 0, 0, 0, 3600, 3601, 70, LW_NO_TIME };
	struct lw_sim_job jobs[LW_COUNT_OF(waits)];
	struct lw_harm harm;

	for (uint32_t i = 0; i < LW_COUNT_OF(waits); i++)
		jobs[i] = job_that_waits(waits[i]);
	harm = lw_harm_of(jobs, base, LW_COUNT_OF(waits));
	ck_assert_uint_eq(harm.jobs, 5);
	ck_assert_uint_eq(harm.longer, 2);
	ck_assert_uint_eq(harm.shorter, 1);
	ck_assert_int_eq(harm.worst_s, 9000);
	/* 60 s, 85 s, 2 minutes ... */
	ck_assert_uint_eq(harm.longer_by[0], 3);
	ck_assert_uint_eq(harm.longer_by[12], 1);
	ck_assert_double_eq_tol(lw_harm_point_s(12), 3840, 1e-9);
	ck_assert_uint_eq(harm.longer_by[LW_HARM_POINTS - 1], 0);
}

TEST(what_is_run_twice_is_no_wait)
{
	struct lw_sim_job job = job_that_waits(500);

	job.spent_s = 300;
	ck_assert_int_eq(lw_harm_wait_s(&job), 200);
	job.start_s = LW_NO_TIME;
	ck_assert_int_eq(lw_harm_wait_s(&job), LW_NO_TIME);
}
