/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of predictor/outlook: likely waits, and how they hold. */
#include "predictor/outlook.h"

#include "unit/unit.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static struct lw_outlook outlook, back;

/* The same numbers on every machine. */
static uint32_t chance(uint64_t *state, uint32_t below)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(*state >> 33) % below;
}

static const struct lw_outlook_case job = { .base_s = 3600, .share = 0.01, .queue = 10 };

/* COUNT jobs, one a minute, wait up to MOST_S each, started one after the other. */
static void play(uint32_t count, uint32_t most_s, uint64_t seed, uint32_t *by_p50,
		 uint32_t *by_p90)
{
	for (uint32_t i = 0; i < count; i++) {
		int64_t now_s = 1000000 + 60 * i;
		uint32_t wait_s = chance(&seed, most_s);
		struct lw_outlook_sample said = lw_outlook_say(&outlook, &job, now_s);

		*by_p50 += wait_s <= said.p50_s;
		*by_p90 += wait_s <= said.p90_s;
		lw_outlook_learn(&outlook, &said, now_s + wait_s);
	}
}

TEST(nothing_is_said_before_it_is_learned)
{
	lw_outlook_init(&outlook);
	ck_assert(!lw_outlook_say(&outlook, &job, 1000).known);
}

TEST(figures_hold_as_often_as_they_say)
{
	uint32_t by_p50 = 0, by_p90 = 0;

	lw_outlook_init(&outlook);
	play(4000, 7200, 1, &by_p50, &by_p90);
	ck_assert_uint_ge(by_p50, 4000 * 0.45);
	ck_assert_uint_le(by_p50, 4000 * 0.55);
	ck_assert_uint_ge(by_p90, 4000 * 0.87);
	ck_assert_uint_le(by_p90, 4000 * 0.93);
}

#define COLD_JOBS 150

/* Jobs of one cluster that begins with nothing learned: fast enough that dozens wait at once. */
static void play_cold(uint64_t seed, uint32_t *count, uint32_t *by_p50, uint32_t *by_p90)
{
	struct lw_outlook_sample said[COLD_JOBS];
	uint32_t wait_s[COLD_JOBS], ended = 0;
	bool started[COLD_JOBS] = { false };

	lw_outlook_init(&outlook);
	for (uint32_t k = 0; ended < COLD_JOBS; k++) {
		int64_t now_s = 1000000 + 90 * (int64_t)k;

		for (uint32_t i = 0; i < k && i < COLD_JOBS; i++) {
			if (started[i])
				continue;
			if (now_s < said[i].at_s + (int64_t)wait_s[i]) {
				lw_outlook_waits(&outlook, &said[i], now_s);
				continue;
			}
			started[i] = true;
			ended++;
			*count += said[i].known;
			*by_p50 += said[i].known && wait_s[i] <= said[i].p50_s;
			*by_p90 += said[i].known && wait_s[i] <= said[i].p90_s;
			lw_outlook_learn(&outlook, &said[i], said[i].at_s + (int64_t)wait_s[i]);
		}
		if (k >= COLD_JOBS)
			continue;
		wait_s[k] = chance(&seed, 120) * chance(&seed, 120);
		said[k] = lw_outlook_say(&outlook, &job, now_s);
	}
}

/* Who starts first has waited least: those that were learned from say too little of the others.
 */
TEST(the_first_figures_hold_as_well)
{
	uint32_t count = 0, by_p50 = 0, by_p90 = 0;

	for (uint64_t seed = 1; seed <= 60; seed++)
		play_cold(seed, &count, &by_p50, &by_p90);
	ck_assert_uint_ge(count, 3000);
	ck_assert_msg(by_p90 >= count * 0.85 && by_p90 <= count * 0.95, "p90: %u of %u", by_p90,
		      count);
	ck_assert_msg(by_p50 >= count * 0.42 && by_p50 <= count * 0.58, "p50: %u of %u", by_p50,
		      count);
}

#define CROWD 200

/*
 * 80 crowds of 200 jobs that come at once. Of each the first waits a minute and each of the
 * others 20 s more than the one before; in one crowd of twelve, eight times as long.
 */
static void play_crowds(uint64_t seed, uint32_t *told, uint32_t *by_p90)
{
	const struct lw_outlook_case crowded = { .base_s = 3600, .share = 0.01, .queue = CROWD };
	struct lw_outlook_sample said[CROWD];

	lw_outlook_init(&outlook);
	for (int64_t crowd = 0; crowd < 80; crowd++) {
		int64_t begin_s = 1000000 + 86400 * crowd;
		int64_t times = chance(&seed, 12) ? 1 : 8;

		for (uint32_t i = 0; i < CROWD; i++)
			said[i] = lw_outlook_say(&outlook, &crowded, begin_s);
		for (uint32_t i = 0; i < CROWD; i++) {
			int64_t start_s = begin_s + times * (60 + 20 * i);

			for (uint32_t k = i; k < CROWD; k++)
				lw_outlook_waits(&outlook, &said[k], start_s);
			if (said[i].known && !lw_outlook_is_wide(said[i].low_s, said[i].p90_s)) {
				*told += 1;
				*by_p90 += start_s <= begin_s + said[i].p90_s;
			}
			lw_outlook_learn(&outlook, &said[i], start_s);
		}
	}
}

/* Figures that were said together hold or miss together: of a crowd as of its single jobs. */
TEST(figures_of_crowds_hold_as_well)
{
	uint32_t told = 0, by_p90 = 0;

	for (uint64_t seed = 1; seed <= 5; seed++)
		play_crowds(seed, &told, &by_p90);
	ck_assert_uint_ge(told, 20000);
	ck_assert_msg(by_p90 >= told * 0.85 && by_p90 <= told * 0.95, "p90: %u of %u", by_p90,
		      told);
}

/* Queues that get longer begin with what was learned of shorter ones. */
TEST(a_longer_queue_begins_as_the_next_shorter)
{
	struct lw_outlook_case longer = job;
	struct lw_outlook_sample said;
	uint32_t a = 0, b = 0;
	int32_t p50_ppm, p90_ppm;

	lw_outlook_init(&outlook);
	play(1000, 600, 1, &a, &b);
	longer.queue = 100;
	said = lw_outlook_say(&outlook, &longer, 2000000);
	p50_ppm = outlook.p50_ppm[lw_outlook_queue(job.queue)];
	p90_ppm = outlook.p90_ppm[lw_outlook_queue(job.queue)];
	lw_outlook_learn(&outlook, &said, 2000000 + said.p50_s);
	/* one step down from there */
	ck_assert_int_lt(outlook.p50_ppm[said.queue], p50_ppm);
	ck_assert_int_ge(outlook.p50_ppm[said.queue], p50_ppm - p50_ppm / 20);
	ck_assert_int_lt(outlook.p90_ppm[said.queue], p90_ppm);
	ck_assert_int_ge(outlook.p90_ppm[said.queue], p90_ppm - p90_ppm / 20);
}

/* Waits become ten times as long from one day to the next: figures follow. */
TEST(figures_follow_a_change)
{
	uint32_t before50 = 0, before90 = 0, by_p50 = 0, by_p90 = 0;

	lw_outlook_init(&outlook);
	play(1000, 3600, 1, &before50, &before90);
	play(300, 36000, 2, &before50, &before90);
	play(2000, 36000, 3, &by_p50, &by_p90);
	ck_assert_uint_ge(by_p90, 2000 * 0.85);
	ck_assert_uint_le(by_p90, 2000 * 0.95);
	ck_assert_uint_ge(by_p50, 2000 * 0.42);
	ck_assert_uint_le(by_p50, 2000 * 0.58);
}

/* Who waits beyond his p90 is learned from before he starts, and once. */
TEST(a_late_one_is_learned_before_it_starts)
{
	uint32_t a = 0, b = 0;
	struct lw_outlook_sample said;
	int32_t before_ppm;

	lw_outlook_init(&outlook);
	play(100, 600, 1, &a, &b);
	said = lw_outlook_say(&outlook, &job, 2000000);
	before_ppm = outlook.p90_ppm[said.queue];
	lw_outlook_waits(&outlook, &said, 2000000 + said.p90_s);
	ck_assert_int_eq(outlook.p90_ppm[said.queue], before_ppm);
	lw_outlook_waits(&outlook, &said, 2000001 + said.p90_s);
	ck_assert_int_gt(outlook.p90_ppm[said.queue], before_ppm);
	before_ppm = outlook.p90_ppm[said.queue];
	lw_outlook_waits(&outlook, &said, 2500000);
	lw_outlook_learn(&outlook, &said, 2500000);
	ck_assert_int_eq(outlook.p90_ppm[said.queue], before_ppm);
}

TEST(how_they_held_is_of_thirty_days)
{
	uint32_t a = 0, b = 0;
	struct lw_outlook_held held;

	lw_outlook_init(&outlook);
	play(120, 600, 1, &a, &b);
	held = lw_outlook_held(&outlook, 10, 1000000 + 7200);
	ck_assert_uint_eq(held.count, 120 - LW_OUTLOOK_LEARNED);
	ck_assert_uint_le(held.by_p50, held.by_p90);
	ck_assert_uint_eq(lw_outlook_held(&outlook, 1000, 1000000).count, 0);
	ck_assert_uint_eq(lw_outlook_held(&outlook, 10, 1000000 + 31 * 86400).count, 0);
}

TEST(what_was_learned_is_kept)
{
	uint32_t a = 0, b = 0;
	struct lw_strbuf first = LW_STRBUF_INIT, second = LW_STRBUF_INIT;
	struct lw_outlook_sample now, then;
	struct lw_error err;
	char *text;

	lw_outlook_init(&outlook);
	play(500, 7200, 1, &a, &b);
	lw_outlook_print(&outlook, &first);
	text = strdup(lw_strbuf_text(&first));
	ck_assert_msg(!lw_outlook_parse(&back, text, first.len, "f", &err), "%s", err.text);
	lw_outlook_print(&back, &second);
	ck_assert_str_eq(lw_strbuf_text(&first), lw_strbuf_text(&second));
	now = lw_outlook_say(&outlook, &job, 5000000);
	then = lw_outlook_say(&back, &job, 5000000);
	ck_assert_uint_eq(now.p50_s, then.p50_s);
	ck_assert_uint_eq(now.p90_s, then.p90_s);
	free(text);
	lw_strbuf_fini(&first);
	lw_strbuf_fini(&second);
}

static const char *const strange[] = { "learned x",       "learned 1 2",
				       "factors 1",       "hist 0 1",
				       "day 1",           "other 1",
				       "hist 99999999 1", "factors 0 0 0 0 0 0 0" };

TEST_EACH(a_strange_file_is_refused, LW_COUNT_OF(strange))
{
	struct lw_error err;
	char text[64];

	snprintf(text, sizeof(text), "learned 7\n%s\n", strange[_i]);
	ck_assert_int_eq(lw_outlook_parse(&back, text, strlen(text), "f", &err), -EBADMSG);
	ck_assert_str_eq(err.text, "f: line 2 of the payload is not what was learned of waits");
	ck_assert_uint_eq(back.learned, 0);
}

TEST(what_is_too_wide_is_told)
{
	ck_assert(lw_outlook_is_wide(7200, 3 * 86400));
	ck_assert(!lw_outlook_is_wide(7200, 4 * 3600));
	ck_assert(!lw_outlook_is_wide(2 * 86400, 3 * 86400));
	ck_assert(!lw_outlook_is_wide(0, 3600));
}
