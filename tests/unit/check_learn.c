/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of slurm/learn: which jobs count, each once, also across restarts. */
#include "slurm/read/learn.h"

#include "base/savefile.h"
#include "base/strbuf.h"
#include "predictor/predict.h"
#include "predictor/survival.h"
#include "unit/learning.h"
#include "unit/reading.h"
#include "unit/scratch.h"
#include "unit/unit.h"

#include <stdio.h>
#include <string.h>

/* start, end, turned, ran before, suspended; what it teaches (run 0: nothing) */
static const struct {
	int64_t start_s, end_s, turned_s, before_s, suspended_s, run_s, lesson_end_s;
} lessons[] = {
	{ 1000, 1600, 0, 0, 0, 600, 1600 },
	{ 1000, 1001, 0, 0, 0, 1, 1001 },
	{ 1000, 1000, 0, 0, 0, 0, 0 },             /* cancelled before it started */
	{ 0, 1600, 0, 0, 0, 0, 0 },                /* no start */
	{ 5000, 1600, 0, 0, 0, 0, 0 },             /* its start was only planned */
	{ 1000, 1600, 1400, 100, 300, 300, 1600 }, /* 100 run, 300 suspended, 200 run */
	{ 1000, 1100, 1100, 100, 900, 100, 2000 }, /* killed at 2000 while suspended */
	{ 1000, 2000, 1900, 250, 650, 350, 2000 }, /* suspended twice */
	{ 1000, 1000, 1000, 0, 500, 0, 0 },        /* suspended before it ran a second */
};

FIXTURE(make, destroy);

TEST_EACH(suspended_time_does_not_count, LW_COUNT_OF(lessons))
{
	const struct lw_finished job = {
		.job_id = 1,
		.user_id = 7,
		.partition = "gpu",
		.width = 24,
		.limit_s = LIMIT,
		.start_s = lessons[_i].start_s,
		.end_s = lessons[_i].end_s,
		.turned_s = lessons[_i].turned_s,
		.ran_before_s = lessons[_i].before_s,
		.suspended_s = lessons[_i].suspended_s,
		.cut = _i % 2,
	};
	struct lw_history_job lesson = { .run_s = -1 };
	bool taught = lw_finished_lesson(&job, &lesson);

	ck_assert_int_eq(taught, lessons[_i].run_s > 0);
	if (!taught) {
		ck_assert_int_eq(lesson.run_s, -1);
		return;
	}
	ck_assert_int_eq(lesson.run_s, lessons[_i].run_s);
	ck_assert_int_eq(lesson.end_s, lessons[_i].lesson_end_s);
	ck_assert_uint_eq(lesson.user, 7);
	ck_assert_uint_eq(lesson.partition, lw_history_name_id("gpu"));
	ck_assert_int_eq(lesson.limit_s, LIMIT);
	ck_assert_uint_eq(lesson.width, 24);
	ck_assert_int_eq(lesson.killed_at_limit, _i % 2);
}

/* Of a job on fewer nodes than it may have, and of one that has told how far it is. */
TEST(its_run_is_learned_as_on_all_of_its_nodes)
{
	struct lw_finished job = ended(1, NOW, 600);
	struct lw_history_job lesson;

	job.slower = 1500;
	ck_assert(lw_finished_lesson(&job, &lesson));
	ck_assert_int_eq(lesson.run_s, 400);
	ck_assert_int_eq(lesson.work_s, 600);
	ck_assert_int_eq(lesson.end_s, NOW);
	job.work_s = 9000;
	ck_assert(lw_finished_lesson(&job, &lesson));
	ck_assert_int_eq(lesson.work_s, 9000);
	job.work_s = 5; /* less than it ran */
	job.slower = 0;
	ck_assert(lw_finished_lesson(&job, &lesson));
	ck_assert_int_eq(lesson.work_s, 600);
	ck_assert_int_eq(lesson.run_s, 600);
}

TEST(a_job_without_partition_teaches_of_its_user)
{
	struct lw_finished job = ended(1, NOW, 60);
	struct lw_history_job lesson;

	job.partition = NULL;
	ck_assert(lw_finished_lesson(&job, &lesson));
	ck_assert_uint_eq(lesson.partition, LW_HISTORY_NOBODY);
}

/* Jobs that stay in the list are seen by every reading. */
TEST(a_job_is_learned_once)
{
	for (int64_t now_s = NOW; now_s < NOW + 40; now_s += 10) {
		lw_learn_begin(learn, now_s);
		note(ended(1, NOW - 50, 60));
		note(ended(2, NOW - 50, 60));
		note(ended(3, NOW - 20, 60));
		ck_assert_uint_eq(lw_learn_teach(learn), now_s == NOW ? 3 : 0);
	}
	ck_assert_uint_eq(learned(), 3);
}

/* How long before the reading a job ended, and whether that one learns it, or the next. */
static const struct {
	int64_t ago_s;
	uint32_t now, later;
} ends[] = {
	{ 0, 0, 1 },
	{ LW_LEARN_SETTLE_S - 1, 0, 1 },
	{ LW_LEARN_SETTLE_S, 1, 0 },
	{ LW_LEARN_SETTLE_S + 1, 1, 0 },
	{ 50000, 1, 0 },
};

TEST_EACH(a_second_is_learned_when_it_is_complete, LW_COUNT_OF(ends))
{
	lw_learn_begin(learn, NOW);
	note(ended(1, NOW - ends[_i].ago_s, 60));
	ck_assert_uint_eq(lw_learn_teach(learn), ends[_i].now);
	lw_learn_begin(learn, NOW + 30);
	note(ended(1, NOW - ends[_i].ago_s, 60));
	ck_assert_uint_eq(lw_learn_teach(learn), ends[_i].later);
	ck_assert_uint_eq(learned(), 1);
}

TEST(an_incomplete_reading_teaches_nothing_and_loses_nothing)
{
	lw_learn_begin(learn, NOW);
	note(ended(1, NOW - 50, 60));
	lw_learn_begin(learn, NOW + 10);
	note(ended(1, NOW - 50, 60));
	note(ended(2, NOW - 40, 60));
	ck_assert_uint_eq(lw_learn_teach(learn), 2);
}

TEST(the_order_of_the_list_does_not_matter)
{
	struct lw_history_key key = { .user = 7,
				      .partition = lw_history_name_id("gpu"),
				      .limit_s = LIMIT };
	int64_t last_s, before_s;

	lw_learn_begin(learn, NOW);
	note(ended(5, NOW - 10, 50));
	note(ended(4, NOW - 10, 40));
	note(ended(9, NOW - 90, 90));
	ck_assert_uint_eq(lw_learn_teach(learn), 3);
	lw_predict_recent(lw_learn_history(learn), &key, &last_s, &before_s);
	ck_assert_int_eq(last_s, 50);
	ck_assert_int_eq(before_s, 40);
}

TEST(a_restart_learns_nothing_again_and_misses_nothing)
{
	lw_learn_begin(learn, NOW);
	note(ended(1, NOW - 50, 60));
	note(ended(2, NOW - 20, 60));
	note(ended(3, NOW - 2, 60));
	ck_assert_uint_eq(lw_learn_teach(learn), 2);
	save(NOW, true);
	reopen();
	ck_assert_uint_eq(learned(), 2);
	lw_learn_begin(learn, NOW + 10);
	note(ended(1, NOW - 50, 60));
	note(ended(2, NOW - 20, 60));
	note(ended(3, NOW - 2, 60));
	ck_assert_uint_eq(lw_learn_teach(learn), 1);
	ck_assert_uint_eq(learned(), 3);
}

/* What was learned since the last save is in the job list for the next process. */
TEST(a_crash_before_the_save_loses_nothing)
{
	lw_learn_begin(learn, NOW);
	note(ended(1, NOW - 50, 60));
	lw_learn_teach(learn);
	save(NOW, true);
	lw_learn_begin(learn, NOW + 60);
	note(ended(2, NOW + 40, 60));
	ck_assert_uint_eq(lw_learn_teach(learn), 1);
	reopen();
	lw_learn_begin(learn, NOW + 70);
	note(ended(1, NOW - 50, 60));
	note(ended(2, NOW + 40, 60));
	ck_assert_uint_eq(lw_learn_teach(learn), 1);
	ck_assert_uint_eq(learned(), 2);
}

TEST(it_is_not_written_at_every_cycle)
{
	for (uint32_t i = 1; i <= 2; i++) {
		int64_t now_s = NOW + 60 * i;

		lw_learn_begin(learn, now_s);
		note(ended(i, now_s - 30, 60));
		ck_assert_uint_eq(lw_learn_teach(learn), 1);
		save(now_s, false);
		ck_assert_int_eq(access(path, F_OK) == 0, 60 * i >= LW_LEARN_SAVE_S);
	}
}

TEST(nothing_learned_writes_nothing)
{
	lw_learn_begin(learn, NOW);
	lw_learn_teach(learn);
	save(NOW + 1000, true);
	ck_assert_int_ne(access(path, F_OK), 0);
}

TEST(a_clock_set_back_does_not_stop_learning)
{
	lw_learn_begin(learn, NOW);
	note(ended(1, NOW - 10, 60));
	ck_assert_uint_eq(lw_learn_teach(learn), 1);
	lw_learn_begin(learn, NOW - 5000);
	ck_assert_ptr_nonnull(strstr(last_warning, "4995 s beyond the clock"));
	lw_learn_teach(learn);
	lw_learn_begin(learn, NOW - 4900);
	note(ended(2, NOW - 4950, 60));
	ck_assert_uint_eq(lw_learn_teach(learn), 1);
}

#define AGE 150

TEST_EACH(gpu_jobs_are_told_how_they_stay, 2)
{
	const struct lw_alloc part = { .res = { .cpus = 3, .gpus = { 1 } } };
	const struct lw_running running = { .job_id = 1, .user_id = 7, .start_s = NOW - 200,
					    .end_s = NOW - 200 + LIMIT };
	struct lw_history_key key = { .user = 7, .partition = LW_HISTORY_NOBODY,
				      .limit_s = LIMIT, .width = 3 };
	struct lw_ticket tickets[1] = { { .part = "gpu" } };
	const struct lw_history *history = lw_learn_history(learn);
	struct lw_waiting waiting = { .job_id = 101, .user_id = 7, .tasks = 1, .limit_s = LIMIT,
				      .submit_s = NOW, .request = { .nodes_min = 1, .nodes_max = 1,
				      .gpus_per_node = 1, .gpu_type = LW_GPU_ANY } };
	struct lw_reading reading;

	reading_make(&reading, NOW);
	reading.tickets = tickets;
	lw_learn_begin(learn, NOW);
	for (uint32_t i = 0; i < 30; i++)
		note(ended(i, NOW - 50 - i, 100));
	lw_learn_teach(learn);
	ck_assert_int_eq(lw_snapshot_add_running(&reading.snap, &running, &part, 1, NULL), 0);
	ck_assert_int_eq(lw_snapshot_add_waiting(&reading.snap, &waiting, NULL), 0);
	lw_learn_expect(learn, _i ? 0 : LW_LEARN_RUNS, &reading);
	ck_assert_uint_eq(reading.snap.running[0].survival,
			  lw_predict_survival_points(history, &key, 200));
	key.partition = lw_history_name_id("gpu");
	key.width = 0;
	ck_assert_uint_eq(reading.snap.waiting[0].expected.survival,
			  lw_predict_survival_points(history, &key, 0));
	/* a policy that goes by limits is told no more than that */
	ck_assert_int_eq(reading.snap.waiting[0].expected.mean_s != 0, !_i);
	ck_assert_int_eq(reading.snap.waiting[0].expected.tail_ms != 0, !_i);
	ck_assert_int_eq(reading.snap.running[0].expect_s != 0, !_i);
	/* it has outlived those like it: longer than who begins */
	ck_assert_uint_gt(lw_survival_at(reading.snap.running[0].survival, 0),
			  lw_survival_at(reading.snap.waiting[0].expected.survival, 0));
	lw_snapshot_fini(&reading.snap);
}

/* An order may go by how jobs stay that have no GPUs; else nobody asks. */
TEST_EACH(all_stay_if_they_must, 2)
{
	struct lw_ticket tickets[1] = { { .part = "gpu" } };
	struct lw_waiting waiting = { .job_id = 101,
				      .user_id = 7,
				      .tasks = 1,
				      .limit_s = LIMIT,
				      .submit_s = NOW,
				      .request = { .nodes_min = 1,
						   .nodes_max = 1,
						   .cpus_per_node = 1,
						   .gpu_type = LW_GPU_ANY } };
	struct lw_reading reading;

	reading_make(&reading, NOW);
	reading.tickets = tickets;
	ck_assert_int_eq(lw_snapshot_add_waiting(&reading.snap, &waiting, NULL), 0);
	lw_learn_expect(learn, LW_LEARN_RUNS | (_i ? LW_LEARN_ALL_STAY : 0), &reading);
	ck_assert_int_eq(reading.snap.waiting[0].expected.survival != 0, _i);
	lw_snapshot_fini(&reading.snap);
}

/* One reading more is an hour later; nothing was learned meanwhile. */
TEST(what_ended_within_the_hour_counts_more)
{
	struct lw_ticket tickets[1] = { { .part = "gpu", .width = 4 } };
	int64_t expect_s[2];

	lw_learn_begin(learn, NOW);
	for (uint32_t i = 0; i < 10; i++) {
		struct lw_finished job = ended(i, NOW / 2 + 500 * i, 400);

		if (i >= 8)
			job = ended(i, NOW - 50 + i, 5);
		job.width = 4;
		note(job);
	}
	lw_learn_teach(learn);
	for (int i = 0; i < 2; i++) {
		struct lw_reading reading;

		reading_make(&reading, NOW + (i ? LW_WINDOW_FRESH_S : 0));
		reading.tickets = tickets;
		reading_add_waiting(&reading, 101, 7, LIMIT, LW_READY);
		lw_learn_expect(learn, LW_LEARN_RUNS, &reading);
		expect_s[i] = reading.snap.waiting[0].expected.mean_s;
		lw_snapshot_fini(&reading.snap);
	}
	ck_assert_int_lt(2 * expect_s[0], expect_s[1]);
}

/* What a job says of itself goes before what others did. */
TEST_EACH(a_running_job_is_taken_at_its_word, 2)
{
	struct lw_reading reading;

	reading_make(&reading, NOW);
	reading_add_running(&reading, 98, AGE, LIMIT);
	reading_add_running(&reading, 99, AGE, LIMIT);
	ck_assert_int_eq(lw_lookup_put(&reading.said, 99, AGE + 17), 0);
	lw_learn_expect(learn, _i ? 0 : LW_LEARN_RUNS, &reading);
	ck_assert_int_eq(reading.snap.running[1].expect_s, _i ? 0 : AGE + 17);
	ck_assert_int_ne(reading.snap.running[0].expect_s, AGE + 17);
	lw_lookup_fini(&reading.said);
	lw_snapshot_fini(&reading.snap);
}

/* On fewer nodes than it may have it runs longer, and so has had less of its work. */
TEST(jobs_on_fewer_nodes_take_longer)
{
	static struct lw_ticket slow = { .part = "gpu", .width = 4, .slower = 2000 };
	static struct lw_ticket plain = { .part = "gpu", .width = 4 };
	int64_t mean_s[2], running_s[2];

	for (uint32_t i = 0; i < 20; i++) {
		struct lw_finished job = ended(i, NOW / 2 + 500 * i, 400);

		job.width = 4;
		note(job);
	}
	lw_learn_teach(learn);
	for (int i = 0; i < 2; i++) {
		struct lw_reading reading;

		reading_make(&reading, NOW);
		reading.tickets = i ? &slow : &plain;
		reading_add_waiting(&reading, 101, 7, LIMIT, LW_READY);
		reading_add_running(&reading, 98, 100, LIMIT);
		if (i)
			ck_assert_int_eq(lw_lookup_put(&reading.slower, 98, 2000), 0);
		lw_learn_expect(learn, LW_LEARN_RUNS, &reading);
		mean_s[i] = reading.snap.waiting[0].expected.mean_s;
		running_s[i] = reading.snap.running[0].expect_s;
		lw_lookup_fini(&reading.slower);
		lw_snapshot_fini(&reading.snap);
	}
	ck_assert_int_eq(mean_s[1], 2 * mean_s[0] < LIMIT ? 2 * mean_s[0] : LIMIT);
	ck_assert_int_gt(running_s[1], running_s[0] + running_s[0] / 2);
}

TEST(waiting_jobs_are_told_what_the_simulator_tells_them)
{
	struct lw_ticket tickets[4] = {
		{ .part = "gpu" }, { .part = "gpu" }, { .part = "gpu" }, { .part = "gpu" }
	};
	const struct lw_history *history = lw_learn_history(learn);
	struct lw_reading reading;
	uint32_t known[2], other;
	const struct lw_history_key running = {
		.user = 7, .partition = LW_HISTORY_NOBODY, .limit_s = LIMIT, .width = 8
	};

	reading_make(&reading, NOW);
	reading_add_running(&reading, 99, AGE, LIMIT);
	reading_add_running(&reading, 0, AGE, 300);
	reading.tickets = tickets;
	lw_learn_begin(learn, NOW);
	for (uint32_t i = 0; i < 30; i++)
		note(ended(i, NOW - 50 - i, 100));
	lw_learn_teach(learn);
	known[0] = reading_add_waiting(&reading, 101, 7, LIMIT, LW_READY);
	known[1] = reading_add_waiting(&reading, 102, 7, LIMIT, LW_READY);
	other = reading_add_waiting(&reading, 103, 8, 10 * LIMIT, LW_READY);
	reading_add_waiting(&reading, 104, 7, LIMIT, LW_NOT_READY);
	lw_learn_expect(learn, LW_LEARN_RUNS, &reading);
	for (uint32_t i = 0; i < 4; i++) {
		const struct lw_waiting *job = &reading.snap.waiting[i];
		const struct lw_history_key key = { .user = job->user_id,
						    .partition = lw_history_name_id("gpu"),
						    .limit_s = job->limit_s };

		ck_assert_int_eq(job->expected.mean_s,
				 i == 3 ? 0 : lw_predict_mean(history, &key, 0));
		ck_assert_int_eq(job->expected.tail_ms,
				 i == 3 ? 0 : lw_predict_tail_ms(history, &key));
		ck_assert_int_eq(job->expected.attained_s,
				 i == 3 ? 0 : lw_predict_attained(history, &key));
		/* without GPUs nobody asks how it stays */
		ck_assert_uint_eq(job->expected.survival, 0);
	}
	ck_assert_int_eq(reading.snap.running[0].expect_s,
			 lw_predict_mean(history, &running, AGE));
	ck_assert_int_gt(reading.snap.running[0].expect_s, AGE);
	ck_assert_int_eq(reading.snap.running[1].expect_s, 0);
	ck_assert_int_lt(reading.snap.waiting[known[0]].expected.mean_s, 400);
	ck_assert_int_ge(reading.snap.waiting[known[1]].expected.tail_ms, 1);
	ck_assert_int_gt(reading.snap.waiting[known[0]].expected.attained_s, 0);
	ck_assert_int_eq(reading.snap.waiting[other].expected.attained_s, 0);
	ck_assert_int_gt(reading.snap.waiting[other].expected.mean_s, 400);
	ck_assert_int_eq(reading.snap.waiting[known[0]].limit_s, LIMIT);
	for (uint32_t i = 0; i < reading.snap.queue.class_count; i++) {
		const struct lw_class *class = &reading.snap.queue.classes[i];

		if (class->member_count)
			ck_assert_int_eq(class->expected.mean_s,
					 reading.snap.waiting[class->members[0]].expected.mean_s);
	}
	lw_snapshot_fini(&reading.snap);
}
