/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of scouts: their rank by the distribution, and who is one in a reading of
 * Slurm. */
#include "predictor/distribution.h"

#include "predictor/predict.h"
#include "slurm/read/learn.h"
#include "unit/reading.h"
#include "unit/scratch.h"
#include "unit/unit.h"

#define NOW   100000
#define LIMIT 3600

/* Windows for distributions by hand: what each holds is in its name. */
static struct lw_window of_100_200_300, of_50;

static void add(struct lw_window *window, uint32_t run_s)
{
	const struct lw_window_sample sample = { .run_s = run_s };

	lw_window_add(window, &sample);
}

static void make_windows(void)
{
	of_100_200_300 = of_50 = (struct lw_window){ 0 };
	add(&of_100_200_300, 100);
	add(&of_100_200_300, 200);
	add(&of_100_200_300, 300);
	add(&of_50, 50);
}

/*
 * With a limit of 3000 s the prior's mean is 880.4346 s. Of one run of 50 s and the prior:
 * E[X] = (50 + 880.4346) / 2 = 465.2173 s; at t = 120 s, P(X > t) = 0.729073 / 2 and
 * E[X; X <= t] = 465.2173 - 775.3567 / 2 - 120 * 0.364536 = 33.7945, so that ten of them rank as
 * (465.2173 + 9 * 33.7945) / (1 + 9 * 0.635464) = 114.503 s, and 60 s and 300 s give more.
 */
static const struct {
	const struct lw_window *window;
	int64_t limit_s;
	uint32_t alike;
	double rank_s;
} ranks[] = {
	{ NULL, 3000, 1, 880.4346 },
	{ NULL, 3000, 2, 625.5780 },
	{ NULL, 3000, 10, 268.3833 },
	{ &of_50, 3000, 1, 465.2173 },
	{ &of_50, 3000, 2, 299.4787 },
	{ &of_50, 3000, 10, 114.5033 },
	{ &of_100_200_300, 3000, 10, 164.4435 },
	/* nothing can be over before a limit this short */
	{ NULL, 30, 10, 30 },
};

FIXTURE(make_windows, NULL);

TEST_EACH(ranks_are_gittins_indices, LW_COUNT_OF(ranks))
{
	struct lw_distribution law = { .windows = { ranks[_i].window },
				       .count = ranks[_i].window != NULL,
				       .limit_s = ranks[_i].limit_s };

	ck_assert_double_eq_tol(lw_distribution_rank(&law, ranks[_i].alike), ranks[_i].rank_s,
				1e-3);
}

/* Run times of users 0 .. 2: all 100 s, each second one 2000 s, all at the limit. */
static int64_t run_of(uint32_t user, int64_t i)
{
	return user == 0 ? 100 : user == 1 && i % 2 ? 2000 : user == 1 ? 20 : LIMIT;
}

static struct lw_history *make_history(void)
{
	struct lw_history *history;

	ck_assert_int_eq(lw_history_create(0, &history), 0);
	for (int64_t i = 0; i < 60; i++) {
		uint32_t user = (uint32_t)(i % 3);
		const struct lw_history_job job = { .user = user,
						    .limit_s = LIMIT,
						    .run_s = run_of(user, i / 3),
						    .killed_at_limit = user == 2,
						    .end_s = 100 * i };

		ck_assert_int_eq(lw_history_add(history, &job), 0);
	}
	return history;
}

TEST_EACH(a_rank_falls_with_the_number_of_alike_jobs, 4)
{
	struct lw_history *history = make_history();
	/* the last user was never seen */
	const struct lw_history_key key = { .user = (uint32_t)_i, .limit_s = LIMIT };
	int64_t mean_s = lw_predict_mean(history, &key, 0), before_s = mean_s;

	ck_assert_int_eq(lw_predict_rank(history, &key, 1), mean_s);
	for (uint32_t alike = 2; alike < 100000; alike *= 3) {
		int64_t rank_s = lw_predict_rank(history, &key, alike);

		ck_assert_int_ge(rank_s, 1);
		ck_assert_int_le(rank_s, before_s);
		before_s = rank_s;
	}
	/* where one tells most of the others: half of them are short */
	if (_i == 1)
		ck_assert_int_lt(before_s, mean_s / 10);
	lw_history_destroy(history);
}

/* Of whom, limit, CPUs asked for, how many wait; does the first scout? One of user 7 runs. */
static const struct {
	uint32_t user;
	int64_t limit_s;
	uint32_t width, waiting;
	bool scouts;
} kin[] = {
	{ 8, LIMIT, 8, 2, true },
	{ 8, LIMIT, 8, 5, true },
	{ 8, LIMIT, 8, 1, false },
	/* one like it runs, or holds more than was asked for */
	{ 7, LIMIT, 8, 2, false },
	{ 7, LIMIT, 3, 2, false },
	{ 7, LIMIT, 9, 2, true },
	{ 7, LIMIT + 60, 8, 2, true },
	{ 7, LIMIT - 60, 8, 2, true },
	{ 6, LIMIT, 8, 2, true },
};

TEST_EACH(the_first_of_alike_jobs_scouts_while_none_runs, LW_COUNT_OF(kin))
{
	struct lw_ticket tickets[5];
	const struct lw_history_key key = { .user = kin[_i].user,
					    .partition = lw_history_name_id("gpu"),
					    .limit_s = kin[_i].limit_s,
					    .width = kin[_i].width };
	struct lw_learn *learn = NULL;
	struct lw_reading reading;
	int64_t rank_s = 0;

	scratch_setup();
	ck_assert_int_eq(lw_learn_create(scratch_path("history"), NOW, NULL, &learn), 0);
	reading_make(&reading, NOW);
	reading_add_running(&reading, 99, 150, LIMIT);
	reading.tickets = tickets;
	for (uint32_t i = 0; i < kin[_i].waiting; i++) {
		tickets[i] = (struct lw_ticket){ .part = "gpu", .width = kin[_i].width };
		reading_add_waiting(&reading, 101 + i, kin[_i].user, kin[_i].limit_s,
				    LW_READY);
	}
	lw_learn_expect(learn, LW_LEARN_RUNS, &reading);
	if (kin[_i].scouts)
		rank_s = lw_predict_rank(lw_learn_history(learn), &key, kin[_i].waiting);
	ck_assert_int_eq(reading.snap.queue.classes[0].expected.rank_s, rank_s);
	for (uint32_t i = 0; i < kin[_i].waiting; i++)
		ck_assert_int_eq(reading.snap.waiting[i].expected.rank_s, rank_s);
	lw_snapshot_fini(&reading.snap);
	lw_learn_destroy(learn);
	scratch_teardown();
}
