/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of predictor/history. */
#include "predictor/history.h"

#include "unit/unit.h"

#include <errno.h>
#include <string.h>

static struct lw_history *history;

static void make_history(void)
{
	ck_assert_int_eq(lw_history_create(0, &history), 0);
}

static void drop_history(void)
{
	lw_history_destroy(history);
}

static void learn(struct lw_history *into, uint32_t user, uint32_t partition, int64_t limit_s,
		  int64_t run_s, int64_t end_s)
{
	const struct lw_history_job job = {
		.user = user,
		.partition = partition,
		.limit_s = limit_s,
		.run_s = run_s,
		.end_s = end_s,
		.killed_at_limit = run_s >= limit_s,
		.width = user % 3, /* every third is not known */
	};

	ck_assert_int_eq(lw_history_add(into, &job), 0);
}

static uint32_t count_at(const struct lw_history *in, uint32_t user, uint32_t partition,
			 int64_t limit_s, enum lw_history_level level)
{
	const struct lw_history_key key = { user, partition, limit_s, 0, 0 };
	const struct lw_window *window = lw_history_window(in, &key, level);

	return window ? window->count : 0;
}

FIXTURE(make_history, drop_history);

TEST(a_job_teaches_each_of_its_keys)
{
	const struct lw_history_key key = { 1, 7, 600, 0, 0 };

	learn(history, 1, 7, 600, 60, 100);
	learn(history, 1, 7, 900, 60, 200);
	learn(history, 2, 7, 600, 60, 300);
	learn(history, 2, 8, 600, 600, 400);
	ck_assert_uint_eq(count_at(history, 1, 7, 600, LW_HISTORY_LIMIT), 3);
	ck_assert_uint_eq(count_at(history, 1, 7, 600, LW_HISTORY_PARTITION), 2);
	ck_assert_uint_eq(count_at(history, 1, 7, 600, LW_HISTORY_USER), 2);
	ck_assert_uint_eq(count_at(history, 1, 7, 600, LW_HISTORY_USER_LIMIT), 1);
	ck_assert_uint_eq(count_at(history, 2, 7, 600, LW_HISTORY_USER_LIMIT), 2);
	ck_assert_uint_eq(count_at(history, 3, 7, 600, LW_HISTORY_USER), 0);
	ck_assert(!lw_history_window(history, &key, LW_HISTORY_LIMIT)->samples[0].cut);
	ck_assert(lw_history_window(history, &key, LW_HISTORY_LIMIT)->samples[2].cut);
}

TEST(nobody_has_no_key)
{
	struct lw_history_stats stats;

	learn(history, LW_HISTORY_NOBODY, LW_HISTORY_NOBODY, 600, 60, 100);
	lw_history_stats(history, &stats);
	ck_assert_uint_eq(stats.keys, 1);
	ck_assert_uint_eq(count_at(history, LW_HISTORY_NOBODY, LW_HISTORY_NOBODY, 600,
				   LW_HISTORY_LIMIT),
			  1);
	ck_assert_uint_eq(count_at(history, LW_HISTORY_NOBODY, LW_HISTORY_NOBODY, 600,
				   LW_HISTORY_USER),
			  0);
}

TEST(absurd_times_are_held_to_bounds)
{
	const struct lw_history_key key = { 1, LW_HISTORY_NOBODY, INT64_MAX, 0, 0 };
	const struct lw_window *window;

	learn(history, 1, LW_HISTORY_NOBODY, INT64_MAX, INT64_MAX, INT64_MAX);
	learn(history, 1, LW_HISTORY_NOBODY, INT64_MIN, INT64_MIN, INT64_MIN);
	window = lw_history_window(history, &key, LW_HISTORY_USER);
	ck_assert_uint_eq(window->samples[1].run_s, LW_HISTORY_TIME_MAX_S);
	ck_assert_int_eq(window->samples[1].end_s, LW_HISTORY_CLOCK_MAX_S);
	ck_assert_uint_eq(window->samples[0].run_s, 0);
	ck_assert_uint_eq(count_at(history, 1, 0, LW_HISTORY_TIME_MAX_S, LW_HISTORY_LIMIT), 1);
	ck_assert_uint_eq(count_at(history, 1, 0, 1, LW_HISTORY_LIMIT), 1);
}

/* Three keys a job: the second user's push the first user's out, never the limit's. */
TEST(the_key_that_learned_longest_ago_goes)
{
	struct lw_history *small;
	struct lw_history_stats stats;

	ck_assert_int_eq(lw_history_create(4, &small), 0);
	learn(small, 1, LW_HISTORY_NOBODY, 600, 60, 100);
	learn(small, 2, LW_HISTORY_NOBODY, 600, 60, 200);
	lw_history_stats(small, &stats);
	ck_assert_uint_eq(stats.keys, 4);
	ck_assert_uint_eq(stats.evicted, 1);
	ck_assert_uint_eq(stats.jobs, 2);
	ck_assert_uint_eq(count_at(small, 1, 0, 600, LW_HISTORY_LIMIT), 2);
	ck_assert_uint_eq(count_at(small, 1, 0, 600, LW_HISTORY_USER), 0);
	ck_assert_uint_eq(count_at(small, 1, 0, 600, LW_HISTORY_USER_LIMIT), 1);
	ck_assert_uint_eq(count_at(small, 2, 0, 600, LW_HISTORY_USER), 1);
	ck_assert_uint_eq(count_at(small, 2, 0, 600, LW_HISTORY_USER_LIMIT), 1);
	for (uint32_t user = 0; user < 1000; user++)
		learn(small, user, user % 3, 600 + user % 7, 60, 300 + user);
	lw_history_stats(small, &stats);
	ck_assert_uint_eq(stats.keys, 4);
	lw_history_destroy(small);
}

TEST(keys_are_bounded)
{
	struct lw_history *none = NULL;

	ck_assert_int_eq(lw_history_create(LW_HISTORY_KEYS_MAX + 1, &none), -EINVAL);
	ck_assert_ptr_null(none);
	lw_history_destroy(NULL);
}

TEST(names_have_fixed_numbers)
{
	/* the authors' test vectors */
	ck_assert_uint_eq(lw_history_name_id(""), 0x811c9dc5);
	ck_assert_uint_eq(lw_history_name_id("a"), 0xe40c292c);
	ck_assert_uint_eq(lw_history_name_id("foobar"), 0xbf9cf968);
	ck_assert_uint_ne(lw_history_name_id("gpu"), lw_history_name_id("cpu"));
}

static uint32_t draw(uint32_t *state)
{
	*state = *state * 1664525u + 1013904223u;
	return *state >> 8;
}

static void learn_many(struct lw_history *into, uint32_t jobs, uint32_t users)
{
	uint32_t state = 1;

	for (uint32_t i = 0; i < jobs; i++) {
		uint32_t user = draw(&state) % users, limit_s = 60 * (1 + draw(&state) % 5);
		uint32_t run_s = draw(&state) % (limit_s + 20);

		learn(into, user ? user : LW_HISTORY_NOBODY, user % 2 ? 3 : LW_HISTORY_NOBODY,
		      limit_s, run_s < limit_s ? run_s : limit_s, 1700000000 + 7 * (int64_t)i);
	}
}

static struct lw_strbuf print(const struct lw_history *from)
{
	struct lw_strbuf text = LW_STRBUF_INIT;

	ck_assert_int_eq(lw_history_print(from, &text), 0);
	return text;
}

TEST(the_walk_gives_every_key_once_oldest_first)
{
	struct lw_history_view view;
	struct lw_history_stats stats;
	uint32_t cursor = 0, keys = 0;

	ck_assert(!lw_history_next(history, &cursor, &view));
	learn(history, 1, LW_HISTORY_NOBODY, 600, 60, 100);
	learn(history, 2, LW_HISTORY_NOBODY, 600, 60, 200);
	lw_history_stats(history, &stats);
	while (lw_history_next(history, &cursor, &view)) {
		if (!keys++) {
			ck_assert_int_eq(view.level, LW_HISTORY_USER);
			ck_assert_uint_eq(view.who, 1);
			ck_assert_uint_eq(view.window->count, 1);
		}
	}
	ck_assert_uint_eq(keys, stats.keys);
	ck_assert_uint_eq(keys, 5);
}

TEST(the_text_comes_back_byte_for_byte)
{
	struct lw_history *back;
	struct lw_error err = { "" };
	struct lw_strbuf first, second;

	learn_many(history, 3000, 30);
	first = print(history);
	ck_assert_int_eq(lw_history_parse(first.text, first.len, 0, &back, &err), 0);
	second = print(back);
	ck_assert_uint_eq(first.len, second.len);
	ck_assert_mem_eq(first.text, second.text, first.len);
	lw_strbuf_fini(&first);
	lw_strbuf_fini(&second);
	/* and both learn on alike */
	learn_many(history, 500, 40);
	learn_many(back, 500, 40);
	first = print(history);
	second = print(back);
	ck_assert_str_eq(first.text, second.text);
	lw_strbuf_fini(&first);
	lw_strbuf_fini(&second);
	lw_history_destroy(back);
}

TEST(an_empty_history_comes_back)
{
	struct lw_strbuf text = print(history);
	struct lw_history *back;
	struct lw_history_stats stats;

	ck_assert_int_eq(lw_history_parse(text.text, text.len, 0, &back, NULL), 0);
	lw_history_stats(back, &stats);
	ck_assert_uint_eq(stats.keys, 0);
	lw_history_destroy(back);
	lw_strbuf_fini(&text);
}

TEST(a_smaller_table_keeps_the_newest)
{
	struct lw_strbuf text;
	struct lw_history *back;
	struct lw_history_stats stats;

	learn(history, 1, LW_HISTORY_NOBODY, 600, 60, 100);
	learn(history, 2, LW_HISTORY_NOBODY, 600, 60, 200);
	text = print(history);
	ck_assert_int_eq(lw_history_parse(text.text, text.len, 3, &back, NULL), 0);
	lw_history_stats(back, &stats);
	ck_assert_uint_eq(stats.keys, 3);
	ck_assert_uint_eq(stats.evicted, 2);
	ck_assert_uint_eq(count_at(back, 1, 0, 600, LW_HISTORY_USER), 0);
	ck_assert_uint_eq(count_at(back, 2, 0, 600, LW_HISTORY_USER), 1);
	lw_history_destroy(back);
	lw_strbuf_fini(&text);
}

/* Whatever is read must print as it was read: then nothing was guessed or lost. */
static bool parses(const char *text, size_t size)
{
	struct lw_error err = { "" };
	struct lw_history *back = NULL;
	struct lw_strbuf again;
	int rc = lw_history_parse(text, size, 0, &back, &err);

	if (rc) {
		ck_assert_int_eq(rc, -EBADMSG);
		ck_assert_ptr_null(back);
		ck_assert_int_eq(strncmp(err.text, "line ", 5), 0);
		return false;
	}
	again = print(back);
	ck_assert_uint_eq(again.len, size);
	ck_assert_mem_eq(again.text, text, size);
	lw_strbuf_fini(&again);
	lw_history_destroy(back);
	return true;
}

#define HEAD "jobs 3 evicted 0\n"

/* What follows the calibration, and whether it is a history. */
static const struct {
	const char *keys;
	bool good;
} texts[] = {
	{ "key user+limit 1 600 3 60@4 100 70 5 600x@4 5\n", true },
	/* version 1 had no widths */
	{ "key user+limit 1 600 3 60 100 600x 5\n", true },
	{ "key user+limit 1 600 3 60@16777215 100\n", true },
	{ "key user+limit 1 600 3 60@16777216 100\n", false },
	{ "key user+limit 1 600 3 60@0 100\n", false },
	{ "key user+limit 1 600 3 60@04 100\n", false },
	{ "key user+limit 1 600 3 60@ 100\n", false },
	{ "key user+limit 1 600 3 60@4x 100\n", false },
	{ "key user+limit 1 600 3 60@4@4 100\n", false },
	{ "key user+limit 1 600 3 60@4", false },
	/* versions 1 and 2 had no use of GPUs */
	{ "gpu 7 training 3600 3 2 2 1 51200 10240 9 8192\n", true },
	{ "key user 1 0 3 60 100\ngpu 7 none 60 1 1 1 0 0 1024000 0 0\n"
	  "gpu 7 untagged 60 3 1 0 1 0 0 5 5\ngpu 8 sweep 60 3 1 0 1 0 0 5 5\n",
	  true },
	{ "gpu 7 training 3600 3 2 2 1 51200 10240 9 8192\nkey user 1 0 3 60 100\n", false },
	{ "gpu 7 training 3600 4 2 2 1 51200 10240 9 8192\n", false },
	{ "gpu 7 training 3600 3 2 3 1 51200 10240 9 8192\n", false },
	{ "gpu 7 training 3600 3 2 2 1 102401 10240 9 8192\n", false },
	{ "gpu 7 training 0 3 2 2 1 51200 10240 9 8192\n", false },
	{ "gpu 7 cooking 3600 3 2 2 1 51200 10240 9 8192\n", false },
	{ "gpu 7 training 3600 3 2 2 1 51200 10240 9\n", false },
	{ "gpu 7 training 3600 3 2 2 1 51200 10240 9 8192", false },
	{ "gpu 7 none 60 1 1 1 0 0 0 0 0\ngpu 7 none 60 1 1 1 0 0 0 0 0\n", false },
	{ "gpu 8 none 60 1 1 1 0 0 0 0 0\ngpu 7 none 60 1 1 1 0 0 0 0 0\n", false },
	/* versions up to 3 had no traffic; what is there is of some job */
	{ "gpu 7 training 3600 3 2 2 1 51200 10240 9 8192 1 2 5120 1024000\n", true },
	{ "gpu 7 training 3600 3 2 2 1 51200 10240 9 8192 0 1 0 0\n", true },
	{ "gpu 7 training 3600 3 2 2 1 51200 10240 9 8192 0 0 0 0\n", false },
	{ "gpu 7 training 3600 3 2 2 1 51200 10240 9 8192 3 1 0 0\n", false },
	{ "gpu 7 training 3600 3 2 2 1 51200 10240 9 8192 1 3 0 0\n", false },
	{ "gpu 7 training 3600 3 2 2 1 51200 10240 9 8192 1 1 0\n", false },
	{ "gpu 7 training 3600 3 2 2 1 51200 10240 9 8192 1 1 0 0 0\n", false },
	{ "gpu 7 training 3600 3 2 2 1 51200 10240 9 8192 1 1 0 4294967296\n", false },
	/* versions up to 4 had nothing of GPM; what is there is of some job */
	{ "gpu 7 training 3600 3 2 2 1 51200 10240 9 8192 0 0 0 0 2 1 1 51200 9 102400\n", true },
	{ "gpu 7 training 3600 3 2 2 1 51200 10240 9 8192 1 2 5120 1024000 0 0 1 0 0 7\n", true },
	{ "gpu 7 training 3600 3 2 2 1 51200 10240 9 8192 0 0 0 0 0 0 0 0 0 0\n", false },
	{ "gpu 7 training 3600 3 2 2 1 51200 10240 9 8192 1 2 5120 1024000 0 0 0 0 0 0\n",
	  false },
	{ "gpu 7 training 3600 3 2 2 1 51200 10240 9 8192 0 0 0 0 3 2 1 51200 9 102400\n",
	  false },
	{ "gpu 7 training 3600 3 2 2 1 51200 10240 9 8192 0 0 0 0 2 2 1 51200 102401 0\n",
	  false },
	{ "gpu 7 training 3600 3 2 2 1 51200 10240 9 8192 0 0 0 0 2 2 1 51200 9\n", false },
	{ "gpu 7 training 3600 3 2 2 1 51200 10240 9 8192 0 0 0 0 2 2 1 51200 9 9 9\n", false },
	/* versions up to 5 had no speeds */
	{ "type a100\ntype v100\nspeed 7 none 0 1 3 2 900 0 3 452000 1 1 500000\n"
	  "speed 7 training 99 4 2 0 0 1 32 1\n",
	  true },
	{ "gpu 7 none 60 1 1 1 0 0 0 0 0\ntype a100\nspeed 7 none 0 1 3 0 0 0 1 452000\n", true },
	{ "type a100\ngpu 7 none 60 1 1 1 0 0 0 0 0\n", false },
	{ "type a100\ntype a100\n", false },
	{ "type a 100\n", false },
	{ "type \n", false },
	{ "type a100", false },
	{ "type a123456789012345678901234567890123\n", false },
	{ "speed 7 none 0 1 3 0 0 0 1 452000\n", false }, /* of no type */
	{ "type a100\nspeed 7 none 0 1 3 0 0\n", false },
	{ "type a100\nspeed 7 none 0 1 4 0 0 0 1 452000\n", false },
	{ "type a100\nspeed 7 none 0 1 3 33 0 0 1 452000\n", false },
	{ "type a100\nspeed 7 none 0 1 3 0 0 0 0 452000\n", false },
	{ "type a100\nspeed 7 none 0 1 3 0 0 0 33 452000\n", false },
	{ "type a100\nspeed 7 none 0 1 3 0 0 0 1 1572865\n", false },
	{ "type a100\nspeed 7 none 0 1 3 0 0 0 1 9 0 1 9\n", false },
	{ "type a100\nspeed 7 none 0 1 3 0 0 0 1 452000", false },
	{ "type a100\nspeed 7 none 0 1 3 0 0 0 1 1\nspeed 7 none 0 1 3 0 0 0 1 1\n", false },
	{ "type a100\nspeed 8 none 0 1 3 0 0 0 1 1\nspeed 7 none 0 1 3 0 0 0 1 1\n", false },
	/* only the samples of a user with a limit have them */
	{ "key user 1 0 3 60@4 100\n", false },
	{ "key limit 0 600 3 60@4 100\n", false },
};

TEST_EACH(widths_are_read_where_they_belong, LW_COUNT_OF(texts))
{
	struct lw_strbuf empty = print(history), text = LW_STRBUF_INIT;

	lw_strbuf_add(&text, "%s%s%s", HEAD, strchr(empty.text, '\n') + 1, texts[_i].keys);
	ck_assert_int_eq(parses(text.text, text.len), texts[_i].good);
	lw_strbuf_fini(&empty);
	lw_strbuf_fini(&text);
}

TEST(damage_is_refused_or_means_what_it_says)
{
	static const char likely[] = "0123456789 x@-+\n\0kuplj\xff";
	struct lw_strbuf text;
	uint32_t refused = 0, read = 0;

	learn_many(history, 12, 3);
	text = print(history);
	ck_assert(parses(text.text, text.len));
	for (size_t at = 0; at < text.len; at++) {
		char was = text.text[at];

		for (size_t n = 0; n < sizeof(likely) - 1; n++) {
			text.text[at] = likely[n];
			*(parses(text.text, text.len) ? &read : &refused) += 1;
		}
		text.text[at] = was;
	}
	ck_assert_uint_gt(refused, read);
	ck_assert_uint_gt(read, 0);
	lw_strbuf_fini(&text);
}

/* Cut anywhere: only after a whole line may it still be a history. */
TEST(a_shorter_text_is_refused)
{
	struct lw_strbuf text;

	learn_many(history, 12, 3);
	text = print(history);
	for (size_t size = 0; size < text.len; size++) {
		char *exact = malloc(size ? size : 1); /* so that a read beyond is seen */

		ck_assert_ptr_nonnull(exact);
		memcpy(exact, text.text, size);
		if (parses(exact, size))
			ck_assert_int_eq(exact[size - 1], '\n');
		free(exact);
	}
	lw_strbuf_fini(&text);
}
