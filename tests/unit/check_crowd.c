/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of tables that many users fill: none of them pushes out the others. */
#include "base/quota.h"
#include "predictor/history.h"
#include "share/known.h"

#include "unit/unit.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* Users of whom something is known, and the one that then fills the table alone. */
#define OTHERS 200
#define FLOOD  20000
#define GREEDY 9999

static struct lw_history *history;

static void setup(void)
{
	ck_assert_int_eq(lw_history_create(0, &history), 0);
}

static void teardown(void)
{
	lw_history_destroy(history);
}

/* A job that teaches run times, the use of GPUs and the speed of a type. */
static void learn(uint32_t user, int64_t limit_s, uint32_t name, int64_t end_s)
{
	const struct lw_history_job job = {
		.user = user,
		.partition = 7,
		.limit_s = limit_s,
		.run_s = 60,
		.end_s = end_s,
		.gpu = { .has_util = true, .util_percent = 50 },
		.gpu_type = "a100",
		.gpus = 1,
		.name = name,
	};

	ck_assert_int_eq(lw_history_add(history, &job), 0);
}

static bool is_known(uint32_t user, int64_t limit_s, enum lw_history_level level)
{
	const struct lw_history_key key = { user, 7, limit_s, 0, 0 };

	return lw_history_window(history, &key, level) != NULL;
}

static void learn_others(void)
{
	for (uint32_t user = 1; user <= OTHERS; user++)
		learn(user, 60 * (int64_t)(1 + user % 20), 5, 1000);
}

static void learn_flood(uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		learn(GREEDY, 60 * (int64_t)(100 + i), 100 + i, 2000 + i);
}

FIXTURE(setup, teardown);

TEST(run_times_of_others_stay_known)
{
	learn_others();
	learn_flood(FLOOD);
	for (uint32_t user = 1; user <= OTHERS; user++) {
		int64_t limit_s = 60 * (int64_t)(1 + user % 20);

		for (int level = 0; level < LW_HISTORY_LEVELS; level++)
			ck_assert(is_known(user, limit_s, (enum lw_history_level)level));
	}
	ck_assert(is_known(GREEDY, 60 * (99 + FLOOD), LW_HISTORY_USER_LIMIT));
	ck_assert(!is_known(GREEDY, 6000, LW_HISTORY_USER_LIMIT));
}

TEST(gpus_of_others_stay_known)
{
	const struct lw_speeds *speeds = lw_history_speeds(history);
	const struct lw_habits *habits = lw_history_habits(history);

	learn_others();
	learn_flood(FLOOD);
	for (uint32_t user = 1; user <= OTHERS; user++) {
		const struct lw_habit_key habit = { user, 0, 60 * (1 + user % 20) };
		const struct lw_speed_key speed = { user, 0, 5, 1 };
		struct lw_gpu_use use;

		ck_assert(lw_habits_expect(habits, &habit, &use));
		ck_assert_ptr_nonnull(lw_speeds_find(speeds, &speed));
	}
	ck_assert_uint_eq(habits->count, OTHERS + lw_quota(LW_HABITS_MAX));
	ck_assert_uint_eq(speeds->count, OTHERS + lw_quota(LW_SPEEDS_MAX));
}

/* What several users taught of a limit or a partition is no single one's. */
TEST(what_several_taught_is_not_counted_to_one)
{
	learn_flood(50);
	for (uint32_t i = 0; i < 50; i++)
		learn(1, 60 * (int64_t)(100 + i), 5, 3000);
	for (uint32_t i = 50; i < FLOOD; i++)
		learn(GREEDY, 60 * (int64_t)(100 + i), 100 + i, 4000 + i);
	for (uint32_t i = 0; i < 50; i++) {
		ck_assert(is_known(1, 60 * (int64_t)(100 + i), LW_HISTORY_LIMIT));
		ck_assert(is_known(1, 60 * (int64_t)(100 + i), LW_HISTORY_PARTITION));
	}
	ck_assert(!is_known(GREEDY, 60 * 150, LW_HISTORY_LIMIT));
}

/* By the keys of users. The keys of limits are of several users, and the oldest of such. */
static void check_others_known(void)
{
	for (uint32_t user = 1; user <= OTHERS; user++) {
		int64_t limit_s = 60 * (int64_t)(1 + user % 20);

		ck_assert(is_known(user, limit_s, LW_HISTORY_USER));
		ck_assert(is_known(user, limit_s, LW_HISTORY_USER_LIMIT));
	}
}

/* Keys that several users taught count for no single one: they have a bound of their own. */
TEST(two_with_the_same_limits_do_not_fill_it)
{
	learn_others();
	for (uint32_t i = 0; i < FLOOD; i++) {
		learn(GREEDY, 60 * (int64_t)(100 + i), 100 + i, 2000 + i);
		learn(GREEDY + 1, 60 * (int64_t)(100 + i), 100 + i, 2000 + i);
	}
	check_others_known();
	ck_assert(is_known(GREEDY, 60 * (99 + FLOOD), LW_HISTORY_LIMIT));
}

/* A file names no users for keys of limits. */
TEST(one_does_not_fill_it_over_restarts)
{
	learn_others();
	for (uint32_t i = 0; i < 20; i++) {
		struct lw_strbuf text = LW_STRBUF_INIT;
		struct lw_history *copy;
		struct lw_error err;

		for (uint32_t j = i * 1000; j < (i + 1) * 1000; j++)
			learn(GREEDY, 60 * (int64_t)(100 + j), 100 + j, 2000 + j);
		ck_assert_int_eq(lw_history_print(history, &text), 0);
		ck_assert_int_eq(
			lw_history_parse(lw_strbuf_text(&text), text.len, 0, &copy, &err), 0);
		lw_history_destroy(history);
		history = copy;
		lw_strbuf_fini(&text);
	}
	check_others_known();
}

/* A file from before there was a bound: those beyond it go first, whoever comes. */
TEST(a_full_table_of_old_loses_what_is_beyond_the_bound)
{
	struct lw_habits habits = { 0 };
	const struct lw_gpu_use use = { .has_util = true, .util_percent = 50 };
	struct lw_habit habit = { .jobs = 1, .util_jobs = 1 };

	for (uint32_t i = 0; i < LW_HABITS_MAX; i++) {
		habit.key = (struct lw_habit_key){ i < 100 ? 1 + i : GREEDY, 0, 60 + i };
		habit.stamp = i;
		ck_assert_int_eq(lw_habits_append(&habits, &habit), 0);
	}
	for (uint32_t user = 200; user < 1200; user++) {
		habit.key.user = user;
		ck_assert_int_eq(lw_habits_add(&habits, &habit.key, &use, 5000 + user), 0);
	}
	ck_assert_uint_eq(habits.count, LW_HABITS_MAX);
	for (uint32_t user = 1; user <= 100; user++)
		ck_assert(lw_habits_expect(&habits, &(struct lw_habit_key){ user, 0, 0 },
					   &(struct lw_gpu_use){ 0 }));
	lw_habits_fini(&habits);
}

TEST(shares_of_others_stay_known)
{
	struct lw_share_known known = { 0 };
	const struct lw_share_run run = { .use = { .has_util = true, .util = 300 }, .end_s = 5 };
	struct lw_share_record record;
	struct lw_share_key key;
	char name[16];

	for (uint32_t user = 1; user <= OTHERS; user++) {
		key = lw_share_key(user, 0, "train", "");
		ck_assert_int_eq(lw_share_known_add(&known, &key, &run), 0);
	}
	for (uint32_t i = 0; i < FLOOD; i++) {
		snprintf(name, sizeof(name), "job%u", i);
		key = lw_share_key(GREEDY, 0, name, "");
		ck_assert_int_eq(lw_share_known_add(&known, &key, &run), 0);
	}
	ck_assert_uint_eq(known.count, OTHERS + lw_quota(LW_SHARE_KEYS_MAX));
	for (uint32_t user = 1; user <= OTHERS; user++) {
		key = lw_share_key(user, 0, "train", "");
		ck_assert(lw_share_known_find(&known, &key, INT64_MIN, &record));
	}
	lw_share_known_fini(&known);
}

/* From before there was a bound, it has more keys of one user than a table of today. */
TEST(a_file_full_of_one_user_reads_back)
{
	struct lw_share_entry entry = { .stamp = 1, .count = 1 };
	struct lw_share_known known = { 0 }, read = { 0 };
	struct lw_strbuf text = LW_STRBUF_INIT;
	struct lw_error err;
	char name[16];

	known.learned = 1;
	for (uint32_t i = 0; i < LW_SHARE_KEYS_MAX; i++) {
		snprintf(name, sizeof(name), "job%05u", i);
		entry.key = lw_share_key(GREEDY, 0, name, "");
		ck_assert_int_eq(lw_share_known_append(&known, &entry), 0);
	}
	ck_assert_int_eq(lw_share_known_print(&known, &text), 0);
	ck_assert_int_eq(lw_share_known_parse(lw_strbuf_text(&text), text.len, &read, &err), 0);
	ck_assert_uint_eq(read.count, LW_SHARE_KEYS_MAX);
	ck_assert_int_eq(lw_share_known_append(&read, &entry), -EINVAL);
	entry.key.user++;
	ck_assert_int_eq(lw_share_known_append(&read, &entry), -ENOSPC);
	lw_share_known_fini(&known);
	lw_share_known_fini(&read);
	lw_strbuf_fini(&text);
}

TEST(a_history_read_back_forgets_nobody_either)
{
	struct lw_strbuf text = LW_STRBUF_INIT, again = LW_STRBUF_INIT;
	struct lw_history *copy, *first = history;
	struct lw_error err;

	learn_others();
	learn_flood(3000);
	ck_assert_int_eq(lw_history_print(history, &text), 0);
	ck_assert_int_eq(lw_history_parse(lw_strbuf_text(&text), text.len, 0, &copy, &err), 0);
	ck_assert_int_eq(lw_history_print(copy, &again), 0);
	ck_assert_str_eq(lw_strbuf_text(&text), lw_strbuf_text(&again));
	lw_history_destroy(first);
	history = copy;
	learn_flood(FLOOD);
	for (uint32_t user = 1; user <= OTHERS; user++)
		ck_assert(is_known(user, 60 * (int64_t)(1 + user % 20), LW_HISTORY_USER_LIMIT));
	lw_strbuf_fini(&text);
	lw_strbuf_fini(&again);
}
