/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of how alike a job and the one before it are, by hand. */
#include "lab/questions/steps.h"

#include "unit/unit.h"

#include <math.h>

#define TOLERANCE 1e-9

static struct lw_joblog_job job_of(uint32_t user, int64_t run_s, enum lw_outcome outcome)
{
	return (struct lw_joblog_job){ .wait_s = LW_JOBLOG_UNKNOWN,
				       .run_s = run_s,
				       .size = 1,
				       .user = user,
				       .name = LW_JOBLOG_NOBODY,
				       .outcome = (uint8_t)outcome };
}

/* One sends longer and longer jobs, which complete; the other short and long ones in turn. */
TEST(jobs_are_seen_beside_the_ones_before)
{
	struct lw_joblog_job jobs[26];
	const struct lw_joblog log = { jobs, 26, LW_JOBLOG_CORES, 10 };
	struct lw_steps steps[LW_STEPS_KINDS];
	const struct lw_steps *user = &steps[LW_STEPS_USER], *name = &steps[LW_STEPS_NAME];

	for (int i = 0; i < 24; i++) {
		int turn = i / 2;

		if (i % 2) {
			jobs[i] = turn % 2 ? job_of(1, 500, LW_OUTCOME_FAILED)
					   : job_of(1, 5, LW_OUTCOME_COMPLETED);
		} else {
			jobs[i] = job_of(0, 10 * (turn + 1), LW_OUTCOME_COMPLETED);
			jobs[i].name = (uint32_t)(turn % 2);
		}
	}
	/* a user with one step is in no mean, and an end that is not known is no end */
	jobs[24] = job_of(2, 1000, LW_OUTCOME_UNKNOWN);
	jobs[25] = job_of(2, 1000, LW_OUTCOME_COMPLETED);
	ck_assert_int_eq(lw_steps_of(&log, steps), 0);
	ck_assert_uint_eq(user->count, 23);
	ck_assert_uint_eq(user->users, 2);
	ck_assert_double_eq_tol(user->within, (1 - 1) / 2.0, TOLERANCE);
	ck_assert(user->run > -1 && user->run < 1);
	ck_assert_uint_eq(user->ends, 22);
	ck_assert_double_eq_tol(user->same_end, 0.5, TOLERANCE);
	/* 17 completed before and 16 after, 5 failed before and 6 after */
	ck_assert_double_eq_tol(user->chance_end, (17 * 16 + 5 * 6) / 484.0, TOLERANCE);
	/* of two names five steps each, rising: too few for a mean */
	ck_assert_uint_eq(name->count, 10);
	ck_assert_double_gt(name->run, 0.9);
	ck_assert_uint_eq(name->users, 0);
	ck_assert(isnan(name->within));
	ck_assert_double_eq_tol(name->same_end, 1, TOLERANCE);
}

/* Equal run times share a rank: 1 2 2 4 before, 2 2 4 1 after: by hand. */
TEST(equal_run_times_share_a_rank)
{
	const int64_t runs[] = { 1, 2, 2, 4, 1 };
	struct lw_joblog_job jobs[5];
	const struct lw_joblog log = { jobs, 5, LW_JOBLOG_CORES, 10 };
	struct lw_steps steps[LW_STEPS_KINDS];

	for (int i = 0; i < 5; i++)
		jobs[i] = job_of(7, runs[i], LW_OUTCOME_COMPLETED);
	ck_assert_int_eq(lw_steps_of(&log, steps), 0);
	ck_assert_double_eq_tol(steps[LW_STEPS_USER].run, -2.25 / 4.5, TOLERANCE);
	ck_assert_uint_eq(steps[LW_STEPS_NAME].count, 0);
	ck_assert(isnan(steps[LW_STEPS_NAME].run));
}
