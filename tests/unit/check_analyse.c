/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of what is found in a log of jobs, against figures worked out by hand. */
#include "lab/questions/analysis.h"
#include "lab/questions/questions.h"

#include "unit/failing_alloc.h"
#include "unit/unit.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#define NONE LW_JOBLOG_UNKNOWN

#define TOLERANCE 1e-9

/* A job in one line: submit, wait, run, limit, size, user, how it ended. */
#define JOB(submit, wait, run, limit, cores, who, ended)                                         \
	{                                                                                        \
		.submit_s = submit, .wait_s = wait, .run_s = run, .limit_s = limit,              \
		.size = cores, .user = who, .account = LW_JOBLOG_NOBODY,                         \
		.name = LW_JOBLOG_NOBODY, .partition = LW_JOBLOG_NOBODY,                         \
		.hour = (submit) / 3600 % 24, .weekday = LW_JOBLOG_NO_CLOCK,                     \
		.outcome = LW_OUTCOME_##ended, .kind = LW_JOBLOG_UNTAGGED,                       \
		.util_percent = UINT8_MAX                                                        \
	}

/*
 * On ten cores: the first has eight of them for 100 s, the second waits for it, the third passes,
 * and the fourth comes when all is over.
 */
static struct lw_joblog_job four[] = {
	JOB(0, 0, 100, 200, 8, 0, COMPLETED),
	JOB(10, 90, 100, 1000, 4, 1, FAILED),
	JOB(20, 0, 40, 50, 1, 0, CANCELLED),
	JOB(400, 0, 90000, NONE, 10, 0, COMPLETED),
};

static const struct lw_joblog four_log = { four, 4, LW_JOBLOG_CORES, 10 };

TEST(quantiles_are_of_the_nearest_rank)
{
	double values[] = { 5, 1, 4, 2, 3 };
	struct lw_dist dist;

	lw_dist_of(values, 5, &dist);
	ck_assert_uint_eq(dist.count, 5);
	ck_assert_double_eq(dist.mean, 3);
	ck_assert_double_eq(dist.least, 1);
	ck_assert_double_eq(dist.p10, 1);
	ck_assert_double_eq(dist.p25, 2);
	ck_assert_double_eq(dist.median, 3);
	ck_assert_double_eq(dist.p75, 4);
	ck_assert_double_eq(dist.p99, 5);
	ck_assert_uint_eq(lw_dist_rank(values, 5, 3), 3);
	ck_assert_uint_eq(lw_dist_rank(values, 5, 0.5), 0);
	lw_dist_of(values, 0, &dist);
	ck_assert_double_eq(dist.sum, 0);
	ck_assert(isnan(dist.median) && isnan(dist.mean) && isnan(dist.most));
	ck_assert(isnan(lw_share(1, 0)));
}

static const struct {
	enum lw_joblog_unit unit;
	uint64_t machine;
	uint32_t size;
	enum lw_size_class class;
} sizes[] = {
	{ LW_JOBLOG_CORES, 100, 10, LW_SIZE_SMALL },
	{ LW_JOBLOG_CORES, 100, 11, LW_SIZE_MIDDLE },
	{ LW_JOBLOG_NODES, 100, 30, LW_SIZE_MIDDLE },
	{ LW_JOBLOG_NODES, 100, 31, LW_SIZE_LARGE },
	{ LW_JOBLOG_GPUS, 9999, 1, LW_SIZE_SMALL },
	{ LW_JOBLOG_GPUS, 9999, 8, LW_SIZE_MIDDLE },
	{ LW_JOBLOG_GPUS, 9999, 9, LW_SIZE_LARGE },
	{ LW_JOBLOG_CORES, 3, 1, LW_SIZE_SMALL },
	{ LW_JOBLOG_CORES, 3, 2, LW_SIZE_LARGE },
};

TEST_EACH(sizes_have_classes, LW_COUNT_OF(sizes))
{
	struct lw_size_bounds bounds = lw_size_bounds_of(sizes[_i].unit, sizes[_i].machine);

	ck_assert_int_eq(lw_size_class(&bounds, sizes[_i].size), sizes[_i].class);
}

/* Jobs of whole nodes of three GPUs: one node is small. A size that few have does not count. */
TEST(the_least_that_can_be_asked_for_is_small)
{
	struct lw_joblog_job jobs[300] = { 0 };
	const struct lw_joblog log = { .jobs = jobs, .count = 300 };
	struct lw_size_bounds bounds = lw_size_bounds_of(LW_JOBLOG_GPUS, 300);

	for (uint32_t i = 0; i < 300; i++)
		jobs[i].size = i < 2 ? 1 : 3 * (1 + i % 4);
	ck_assert_int_eq(lw_size_bounds_raise(&bounds, &log), 0);
	ck_assert_uint_eq(bounds.small, 3);
	ck_assert_uint_eq(bounds.middle, 8);
	/* all are large: none is small */
	for (uint32_t i = 0; i < 300; i++)
		jobs[i].size = 12;
	bounds = lw_size_bounds_of(LW_JOBLOG_GPUS, 300);
	ck_assert_int_eq(lw_size_bounds_raise(&bounds, &log), 0);
	ck_assert_uint_eq(bounds.small, 1);
}

TEST(lengths_have_classes)
{
	ck_assert_int_eq(lw_length_class(60), LW_LENGTH_MINUTE);
	ck_assert_int_eq(lw_length_class(61), LW_LENGTH_HOUR);
	ck_assert_int_eq(lw_length_class(3600), LW_LENGTH_HOUR);
	ck_assert_int_eq(lw_length_class(86400), LW_LENGTH_DAY);
	ck_assert_int_eq(lw_length_class(86401), LW_LENGTH_MORE);
}

TEST(slices_are_summed)
{
	struct lw_analysis a;

	ck_assert_int_eq(lw_analysis_of(&four_log, &a), 0);
	ck_assert_uint_eq(a.all.jobs, 4);
	ck_assert_double_eq(a.all.area_s, 800 + 400 + 40 + 900000);
	ck_assert_uint_eq(a.size[LW_SIZE_SMALL].jobs, 1);
	ck_assert_uint_eq(a.size[LW_SIZE_LARGE].jobs, 3);
	ck_assert_double_eq(a.length[LW_LENGTH_MORE].area_s, 900000);
	ck_assert_double_eq(a.all.wait.mean, 22.5);
	ck_assert_double_eq(lw_slice_lost_share(&a.all), 0.5);
	ck_assert_double_eq(lw_slice_lost_share(&a.size[LW_SIZE_SMALL]), 1);
	ck_assert(isnan(lw_slice_lost_share(&a.size[LW_SIZE_MIDDLE])));
	ck_assert_double_eq(a.grid_area_s[LW_SIZE_LARGE][LW_LENGTH_HOUR], 1200);
	ck_assert_double_eq(a.grid_wait_s[LW_SIZE_LARGE][LW_LENGTH_HOUR], 45);
	/* 1, 2, 3-4, 5-8 and 9-10 */
	ck_assert_uint_eq(a.width_count, 5);
	ck_assert_uint_eq(a.width[3].low, 5);
	ck_assert_uint_eq(a.width[3].jobs, 1);
	ck_assert_uint_eq(a.width[4].high, 10);
	lw_analysis_fini(&a);
}

TEST(load_is_swept)
{
	uint32_t queue[4] = { 9, 9, 9, 9 };
	struct lw_load load;

	ck_assert_int_eq(lw_load_of(&four_log, &load, queue), 0);
	ck_assert(load.has_waits && !load.machine_is_peak);
	ck_assert_double_eq(load.peak, 10);
	/* in the 400 s until the last submission: 800 + 400 + 40 core-seconds */
	ck_assert_double_eq_tol(load.utilisation, 1240.0 / 4000, TOLERANCE);
	ck_assert_double_eq_tol(load.offered, 901240.0 / 4000, TOLERANCE);
	/* the second waits from 10 s to 100 s, while eight are held, and nine for 40 s */
	ck_assert_double_eq_tol(load.waiting_share, 90.0 / 400, TOLERANCE);
	ck_assert_double_eq_tol(load.use_waiting, (90 * 8 + 40) / 900.0, TOLERANCE);
	ck_assert_double_eq(load.slack_share, 0);
	ck_assert_uint_eq(load.queue_most, 1);
	ck_assert_double_eq_tol(load.queue_mean, 90.0 / 400, TOLERANCE);
	/* each of 200 periods is 2 s: from 10 s on one waits */
	ck_assert_double_eq_tol(load.queue[4], 0, TOLERANCE);
	ck_assert_double_eq_tol(load.queue[5], 1, TOLERANCE);
	ck_assert_double_eq_tol(load.use[10], 0.9, TOLERANCE);
	ck_assert_double_eq_tol(load.use[199], 0, TOLERANCE);
	ck_assert_uint_eq(queue[0], 0);
	ck_assert_uint_eq(queue[1], 0);
	ck_assert_uint_eq(queue[2], 1);
	ck_assert_uint_eq(queue[3], 0);
}

/* Who comes at one time sees the same queue, whether some of them start at once or not. */
TEST(equal_submissions_see_one_queue)
{
	struct lw_joblog_job jobs[] = {
		JOB(0, 50, 10, NONE, 1, 0, COMPLETED), JOB(10, 0, 10, NONE, 1, 0, COMPLETED),
		JOB(10, 5, 10, NONE, 1, 0, COMPLETED), JOB(10, 0, 10, NONE, 1, 0, COMPLETED),
		JOB(15, 0, 10, NONE, 1, 0, COMPLETED), JOB(50, 0, 10, NONE, 1, 0, COMPLETED),
	};
	const uint32_t wanted[] = { 0, 1, 1, 1, 1, 0 };
	const struct lw_joblog log = { jobs, 6, LW_JOBLOG_CORES, 4 };
	struct lw_load load;
	uint32_t queue[6];

	ck_assert_int_eq(lw_load_of(&log, &load, queue), 0);
	for (int i = 0; i < 6; i++)
		ck_assert_uint_eq(queue[i], wanted[i]);
}

TEST(without_waits_nothing_is_made_up)
{
	struct lw_joblog_job jobs[4];
	struct lw_joblog log = { jobs, 4, LW_JOBLOG_CORES, 10 };
	struct lw_question questions[LW_QUESTIONS];
	struct lw_analysis a;

	memcpy(jobs, four, sizeof(jobs));
	for (int i = 0; i < 4; i++) {
		jobs[i].wait_s = NONE;
		jobs[i].outcome = LW_OUTCOME_UNKNOWN;
		jobs[i].user = LW_JOBLOG_NOBODY;
	}
	ck_assert_int_eq(lw_analysis_of(&log, &a), 0);
	ck_assert(!a.load.has_waits && isnan(a.load.utilisation) && isnan(a.load.peak));
	ck_assert(!a.behaviour.known && isnan(a.all.wait.mean));
	lw_questions_of(&a, questions);
	for (int q = 2; q < LW_QUESTIONS; q++)
		ck_assert_msg(questions[q].reply == LW_REPLY_UNKNOWN, "%s", questions[q].key);
	lw_analysis_fini(&a);
}

/* What is known of few jobs is no answer, and of more it is said of how many. */
TEST(an_answer_says_of_how_many_jobs)
{
	struct lw_joblog_job jobs[100];
	struct lw_joblog log = { jobs, 100, LW_JOBLOG_CORES, 10 };
	struct lw_question questions[LW_QUESTIONS];
	struct lw_analysis a;

	for (int known = 15; known <= 60; known += 45) {
		for (int i = 0; i < 100; i++) {
			jobs[i] = (struct lw_joblog_job)JOB(i, 5, 100 + i % 3, 600, 1, 7,
							    COMPLETED);
			if (i >= known)
				jobs[i].user = LW_JOBLOG_NOBODY;
			if (i >= known + 1)
				jobs[i].outcome = LW_OUTCOME_UNKNOWN;
		}
		ck_assert_int_eq(lw_analysis_of(&log, &a), 0);
		lw_questions_of(&a, questions);
		ck_assert_str_eq(questions[4].key, "repetition");
		ck_assert_int_eq(questions[4].reply == LW_REPLY_UNKNOWN, known == 15);
		ck_assert_ptr_nonnull(strstr(questions[4].answer,
					     known == 15 ? "of 15 of its 100 jobs."
							 : "of 60 of its 100 jobs."));
		ck_assert_int_eq(questions[3].reply == LW_REPLY_UNKNOWN, known == 15);
		ck_assert_ptr_null(strstr(questions[2].answer, "of its 100 jobs"));
		lw_analysis_fini(&a);
	}
}

/* The machine that nobody tells of is the most in use at a time. */
TEST(an_untold_machine_is_the_peak)
{
	struct lw_joblog log = four_log;
	struct lw_analysis a;

	log.machine = 0;
	ck_assert_int_eq(lw_analysis_of(&log, &a), 0);
	ck_assert(a.load.machine_is_peak);
	ck_assert_double_eq(a.load.machine, 10);
	ck_assert_uint_eq(a.bounds.middle, 3);
	lw_analysis_fini(&a);
}

/* Twelve jobs of one user: six of 100 to 110 s, four of 200 s, one of 300 s, and a wider one. */
TEST(alike_jobs_are_one_group)
{
	const int64_t runs[] = { 100, 110, 104, 200, 200, 106, 300, 200, 108, 100, 200, 100 };
	struct lw_joblog_job jobs[14];
	const struct lw_joblog log = { jobs, 14, LW_JOBLOG_CORES, 10 };
	struct lw_repeat repeat;

	for (int i = 0; i < 12; i++)
		jobs[i] = (struct lw_joblog_job)JOB(i, NONE, runs[i], i < 9 ? 600 : 700, 1, 7,
						    COMPLETED);
	jobs[11].size = 2;
	/* a user with two jobs does not count, except beside himself */
	jobs[12] = (struct lw_joblog_job)JOB(12, NONE, 10, 60, 1, 3, COMPLETED);
	jobs[13] = (struct lw_joblog_job)JOB(13, NONE, 21, 60, 1, 3, COMPLETED);
	ck_assert_int_eq(lw_repeat_of(&log, &repeat), 0);
	ck_assert_uint_eq(repeat.users, 1);
	ck_assert_uint_eq(repeat.jobs, 12);
	ck_assert_double_eq_tol(repeat.top[0], 6 / 12.0, TOLERANCE);
	ck_assert_double_eq_tol(repeat.top[1], 10 / 12.0, TOLERANCE);
	ck_assert_double_eq_tol(repeat.top[9], 1, TOLERANCE);
	ck_assert_double_eq_tol(repeat.request[0], 9 / 12.0, TOLERANCE);
	ck_assert_double_eq_tol(repeat.request[1], 11 / 12.0, TOLERANCE);
	/* 11 steps of the one, of which two change the request; one of the other */
	ck_assert_double_eq_tol(repeat.same_request, 10 / 12.0, TOLERANCE);
	/* 106 to 300 and back is too far, so is 10 to 21 */
	ck_assert_double_eq_tol(repeat.near_run, 10 / 12.0, TOLERANCE);
}

/* Each sends jobs half as long and twice as wide while many wait. */
TEST(users_are_compared_with_themselves)
{
	struct lw_joblog_job jobs[60];
	uint32_t queue[60];
	const struct lw_joblog log = { jobs, 60, LW_JOBLOG_CORES, 100 };
	const struct lw_size_bounds bounds = lw_size_bounds_of(LW_JOBLOG_CORES, 100);
	struct lw_behaviour b;

	for (uint32_t i = 0; i < 60; i++) {
		bool many = i >= 40;
		uint32_t user = i % 2;

		jobs[i] = (struct lw_joblog_job)JOB(i, 0, (user ? 1000 : 10) / (many ? 2 : 1),
						    NONE, many ? 8 : 4, user, COMPLETED);
		queue[i] = i < 20 ? 0 : i < 40 ? 5 : 50;
	}
	ck_assert_int_eq(lw_behaviour_of(&log, &bounds, queue, &b), 0);
	ck_assert_uint_eq(b.upto[LW_QUEUE_SHORT], 0);
	ck_assert_uint_eq(b.upto[LW_QUEUE_MIDDLE], 5);
	ck_assert_uint_eq(b.upto[LW_QUEUE_LONG], 50);
	ck_assert_uint_eq(b.queue[LW_QUEUE_LONG].jobs, 20);
	ck_assert_uint_eq(b.users, 2);
	ck_assert_double_eq_tol(b.run_ratio, 0.5, TOLERANCE);
	ck_assert_double_eq_tol(b.size_ratio, 2, TOLERANCE);
}

TEST(those_that_still_run)
{
	struct lw_elapsed elapsed;

	ck_assert_int_eq(lw_elapsed_of(&four_log, &elapsed), 0);
	ck_assert_uint_eq(elapsed.times[0].running, 4);
	ck_assert_double_eq(elapsed.times[0].left_median_s, 100);
	/* after a minute three */
	ck_assert_int_eq(elapsed.times[2].after_s, 60);
	ck_assert_uint_eq(elapsed.times[2].running, 3);
	ck_assert_double_eq(elapsed.times[2].left_median_s, 40);
	ck_assert_double_eq_tol(elapsed.times[2].outcome[LW_OUTCOME_COMPLETED], 2 / 3.0,
				TOLERANCE);
	ck_assert_uint_eq(elapsed.times[8].running, 0);
	ck_assert(isnan(elapsed.times[8].left_median_s));
}

/* A user's jobs take 10 s or 1000 s in turn: who knows that one has run for long knows which. */
TEST(elapsed_time_tells)
{
	struct lw_joblog_job jobs[20];
	const struct lw_joblog log = { jobs, 20, LW_JOBLOG_CORES, 10 };
	struct lw_elapsed elapsed;

	for (int i = 0; i < 20; i++)
		jobs[i] = (struct lw_joblog_job)JOB(i * 5000, 0, i % 3 ? 10 : 1000, NONE, 1, 0,
						    COMPLETED);
	ck_assert_int_eq(lw_elapsed_of(&log, &elapsed), 0);
	/* of seven long ones the first had nobody before it, the others three jobs or more */
	ck_assert_uint_eq(elapsed.looks[1].jobs, 6);
	ck_assert_double_eq(elapsed.looks[1].below_blind, 1);
	ck_assert_double_eq(elapsed.looks[1].below, 0);
	ck_assert_double_eq_tol(elapsed.looks[1].accuracy_blind, 0.01, TOLERANCE);
	ck_assert_double_eq_tol(elapsed.looks[1].accuracy, 1, TOLERANCE);
}

TEST(limits_are_compared_with_use)
{
	struct lw_limits limits;

	ck_assert_int_eq(lw_limits_of(&four_log, &limits), 0);
	ck_assert_uint_eq(limits.jobs, 3);
	ck_assert_double_eq(limits.used.median, 0.5);
	ck_assert_uint_eq(limits.part[1], 1); /* 0.1 */
	ck_assert_uint_eq(limits.part[2], 1); /* 0.5 */
	ck_assert_uint_eq(limits.part[3], 1); /* 0.8 */
	ck_assert_uint_eq(limits.reached, 1); /* 40 of 50 s is within a minute of it */
	ck_assert_uint_eq(limits.values, 3);
	ck_assert_double_eq(limits.top_share, 1);
	ck_assert_double_eq_tol(limits.used_total, 240.0 / 1250, TOLERANCE);
}

TEST(people_come_largest_first)
{
	struct lw_people people;

	ck_assert_int_eq(lw_people_of(&four_log, LW_BY_USER, &people), 0);
	ck_assert_uint_eq(people.count, 2);
	ck_assert_uint_eq(people.top[0].number, 0);
	ck_assert_uint_eq(people.top[0].jobs, 3);
	ck_assert_double_eq(people.top[0].area_s, 900840);
	ck_assert_uint_eq(people.top[0].lost, 1);
	ck_assert_double_eq(people.top[1].area_s, 400);
	ck_assert_double_eq_tol(people.tenth_jobs, 0.75, TOLERANCE);
	ck_assert_int_eq(lw_people_of(&four_log, LW_BY_ACCOUNT, &people), 0);
	ck_assert_uint_eq(people.count, 0);
	ck_assert_uint_eq(people.nobody, 4);
}

TEST(arrivals_swing)
{
	struct lw_joblog_job jobs[25];
	const struct lw_joblog log = { jobs, 25, LW_JOBLOG_CORES, 10 };
	struct lw_arrivals arrivals;

	for (int i = 0; i < 25; i++) {
		jobs[i] = (struct lw_joblog_job)JOB(i * 3600, 0, 1, NONE, 1, 0, COMPLETED);
		jobs[i].weekday = i < 5 ? 6 : 0;
	}
	ck_assert_int_eq(lw_arrivals_of(&log, &arrivals), 0);
	ck_assert_int_eq(arrivals.span_s, 24 * 3600);
	ck_assert_double_eq(arrivals.gap.median, 3600);
	ck_assert_double_eq(lw_arrivals_swing(&arrivals), 2);
	ck_assert_uint_eq(arrivals.weekday[6], 5);
	ck_assert_uint_eq(arrivals.workday_hour[0], 1);
	ck_assert_uint_eq(arrivals.weekend_hour[0], 1);
}

TEST(gpu_use_is_weighed)
{
	struct lw_joblog_job jobs[3];
	const struct lw_joblog log = { jobs, 3, LW_JOBLOG_GPUS, 8 };
	struct lw_gpu_report report;

	for (int i = 0; i < 3; i++)
		jobs[i] = (struct lw_joblog_job)JOB(i, 0, 100, NONE, 1, 0, COMPLETED);
	jobs[0].util_percent = 80;
	jobs[1].util_percent = 0;
	jobs[1].size = 3;
	jobs[2].gpu_milli = 500;
	ck_assert_int_eq(lw_gpu_report_of(&log, &report), 0);
	ck_assert_uint_eq(report.recorded, 2);
	ck_assert_double_eq(report.util.mean, 40);
	ck_assert_double_eq(report.util_area, 20);
	ck_assert_double_eq(report.part_area[0], 0.75);
	ck_assert_double_eq(report.part_area[4], 0.25);
	ck_assert_uint_eq(report.shared, 1);
	ck_assert_double_eq(report.milli_mean, 500);
}

/* Long jobs fail in four of five cases, short ones in none; sizes do not matter. */
TEST(questions_are_answered)
{
	struct lw_joblog_job jobs[20];
	const struct lw_joblog log = { jobs, 20, LW_JOBLOG_CORES, 100 };
	struct lw_question q[LW_QUESTIONS];
	struct lw_analysis a;

	for (int i = 0; i < 20; i++) {
		bool lengthy = i % 4 == 0;

		jobs[i] = (struct lw_joblog_job)JOB(i * 100, 0, lengthy ? 7200 : 30, 7200, 1, 0,
						    COMPLETED);
		jobs[i].size = i % 2 ? 1 : 20;
		if (lengthy && i)
			jobs[i].outcome = LW_OUTCOME_FAILED;
	}
	ck_assert_int_eq(lw_analysis_of(&log, &a), 0);
	lw_questions_of(&a, q);
	ck_assert_str_eq(q[0].key, "geometry");
	ck_assert_int_eq(q[0].reply, LW_REPLY_PARTLY); /* short, and half of them small */
	ck_assert_str_eq(q[3].key, "failures");
	ck_assert_int_eq(q[3].reply, LW_REPLY_YES); /* the wide are the long */
	ck_assert_ptr_nonnull(strstr(q[3].answer, "20 % of the jobs do not complete"));
	ck_assert_ptr_nonnull(strstr(q[3].answer, "of longer ones 80 %"));
	ck_assert_int_eq(q[4].reply, LW_REPLY_YES);
	for (int i = 0; i < LW_QUESTIONS; i++) {
		size_t len = strlen(q[i].answer);

		/* whole sentences: nothing was cut */
		ck_assert_msg(len && q[i].answer[len - 1] == '.', "%s: %s", q[i].key,
			      q[i].answer);
	}
	lw_analysis_fini(&a);
}

TEST(no_memory_is_an_error_and_no_more)
{
	struct lw_analysis a;
	unsigned n = 0;
	int rc, failed;

	do {
		failing_alloc_arm(++n);
		rc = lw_analysis_of(&four_log, &a);
		failed = failing_alloc_disarm();
		ck_assert_msg(rc == (failed ? -ENOMEM : 0), "allocation %u: %d", n, rc);
		if (!rc)
			lw_analysis_fini(&a);
	} while (failed);
	ck_assert_uint_gt(n, 20);
}
