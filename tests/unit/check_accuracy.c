/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of history/accuracy.h: a job is predicted by nothing but what ended before. */
#include "lab/history/accuracy.h"

#include "measure/learnable.h"
#include "unit/unit.h"

#include <errno.h>

#define OLD_S 1000
#define NEW_S 7777

/* JOB of USER runs for RUN_S from SUBMIT_S on. */
static void set_job(struct lw_swf_job *job, int32_t user, int64_t submit_s, int64_t run_s,
		    int64_t requested_s)
{
	*job = (struct lw_swf_job){
		.submit_s = submit_s,
		.wait_s = -1,
		.run_s = run_s,
		.procs = 1,
		.requested_s = requested_s,
		.user = user,
		.group = 50 + user,
		.queue = -1,
		.partition = -1,
	};
}

/* As many jobs of user 1 as are not scored, one after the other; then it is the test's turn. */
static struct lw_swf warm_up(uint32_t more)
{
	struct lw_swf swf = { .job_count = LW_ACCURACY_WARM_UP + more };

	swf.jobs = calloc(swf.job_count, sizeof(*swf.jobs));
	ck_assert_ptr_nonnull(swf.jobs);
	for (uint32_t i = 0; i < LW_ACCURACY_WARM_UP; i++)
		set_job(&swf.jobs[i], 1, 200 * i, 100, OLD_S);
	return swf;
}

static struct lw_accuracy measure(struct lw_swf *swf)
{
	struct lw_accuracy accuracy;
	struct lw_error err = { "" };

	ck_assert_msg(!lw_accuracy_measure(swf, false, 0, &accuracy, &err), "%s", err.text);
	free(swf->jobs);
	return accuracy;
}

TEST(runs_are_scored_up_to_the_limit_and_when_they_have_lasted)
{
	struct lw_swf swf = warm_up(2);
	struct lw_accuracy accuracy;

	set_job(&swf.jobs[LW_ACCURACY_WARM_UP], 1, 1000000, 1500, OLD_S);
	set_job(&swf.jobs[LW_ACCURACY_WARM_UP + 1], 1, 2000000, 200, OLD_S);
	accuracy = measure(&swf);
	ck_assert_uint_eq(accuracy.jobs, LW_ACCURACY_WARM_UP + 2);
	ck_assert_uint_eq(accuracy.rows[0].jobs, 2);
	ck_assert_uint_eq(accuracy.rows[1].jobs, 1);
	ck_assert_uint_eq(accuracy.rows[2].jobs, 0);
	/* of the limit: right on the first, which ran beyond it, and 800 s off on the second */
	ck_assert_double_eq_tol(accuracy.rows[0].scores[LW_ACCURACY_LIMIT].mean_abs_s, 400, 1e-9);
	ck_assert_double_eq_tol(accuracy.rows[0].scores[LW_ACCURACY_LIMIT].accuracy, 0.6, 1e-9);
	/* of the last two: 900 s and, from 100 and 1500 s, 600 s off */
	ck_assert_double_eq_tol(accuracy.rows[0].scores[LW_ACCURACY_LAST2].mean_abs_s, 750, 1e-9);
	ck_assert_double_eq_tol(accuracy.rows[0].scores[LW_ACCURACY_LAST2].under, 0.5, 1e-9);
}

TEST(a_job_of_no_time_is_not_known_before_it_starts)
{
	struct lw_swf swf = warm_up(2);
	struct lw_accuracy accuracy;

	for (uint32_t i = 0; i < 2; i++)
		set_job(&swf.jobs[LW_ACCURACY_WARM_UP + i], 2, 1000000 * (i + 1), 0, NEW_S);
	accuracy = measure(&swf);
	ck_assert_uint_eq(accuracy.rows[0].jobs, 2);
	/* of a user with less than two jobs only the limit is known; it counts as 1 s */
	ck_assert_double_eq_tol(accuracy.rows[0].scores[LW_ACCURACY_LAST2].mean_abs_s, NEW_S - 1,
				1e-9);
}

TEST(who_ended_in_the_second_of_a_start_is_known_then)
{
	struct lw_swf swf = warm_up(3);
	struct lw_accuracy accuracy;

	set_job(&swf.jobs[LW_ACCURACY_WARM_UP], 2, 1000000, 300, NEW_S);
	set_job(&swf.jobs[LW_ACCURACY_WARM_UP + 1], 2, 1000000, 300, NEW_S);
	set_job(&swf.jobs[LW_ACCURACY_WARM_UP + 2], 2, 1000300, 300, NEW_S);
	accuracy = measure(&swf);
	ck_assert_double_eq_tol(accuracy.rows[0].scores[LW_ACCURACY_LAST2].mean_abs_s,
				2 * (NEW_S - 300) / 3.0, 1e-9);
}

TEST(without_limits_there_is_nothing_to_predict)
{
	struct lw_accuracy accuracy;
	struct lw_error err = { "" };
	struct lw_swf_job job;
	struct lw_swf swf = { .jobs = &job, .job_count = 1 };

	set_job(&job, 1, 0, 100, -1);
	ck_assert_int_eq(lw_accuracy_measure(&swf, false, 0, &accuracy, &err), -ENODATA);
	ck_assert_str_eq(err.text, "no job has a time limit to predict within");
	set_job(&job, 1, 0, -1, 100);
	ck_assert_int_eq(lw_accuracy_measure(&swf, false, 0, &accuracy, &err), -ENODATA);
}

TEST(users_may_be_groups)
{
	struct lw_history_job job;
	struct lw_swf_job from;

	set_job(&from, 3, 10, 100, 200);
	from.queue = 9;
	ck_assert(lw_swf_learnable(&from, false, &job));
	ck_assert_uint_eq(job.user, 3);
	ck_assert_uint_eq(job.partition, 9);
	ck_assert_int_eq(job.end_s, 110);
	ck_assert(lw_swf_learnable(&from, true, &job));
	ck_assert_uint_eq(job.user, 53);
	from.group = -1;
	from.partition = 4;
	ck_assert(lw_swf_learnable(&from, true, &job));
	ck_assert_uint_eq(job.user, LW_HISTORY_NOBODY);
	ck_assert_uint_eq(job.partition, 4);
}
