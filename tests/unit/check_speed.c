/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of predictor/speed: run times by type of GPU, learned and asked for. */
#include "lab/history/speedtrial.h"
#include "predictor/speed.h"
#include "unit/unit.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static struct lw_speeds speeds;

static void setup(void)
{
	memset(&speeds, 0, sizeof(speeds));
}

static void teardown(void)
{
	lw_speeds_fini(&speeds);
}

static void add(struct lw_speed_key key, const char *type, int64_t run_s, int times)
{
	for (int i = 0; i < times; i++)
		ck_assert_int_eq(lw_speeds_add(&speeds, &key, type, run_s, 1), 0);
}

static const struct lw_speed_types three = { .count = 3,
					     .name = { "v100", "p100", "k80" },
					     .speed = { 4, 2, 1 } };

/* How many times as long it runs on the second of THREE as on the first, and on the third. */
static void ask(struct lw_speed_key key, const struct lw_speed_types *types, double *second,
		double *third, struct lw_speed_answer *ret_answer)
{
	struct lw_speed_answer answer;
	struct lw_speed_site site;

	lw_speeds_site(&speeds, types, &site);
	lw_speeds_ask(&speeds, &site, &key, &answer);
	*second = answer.time[1] / answer.time[0];
	*third = answer.time[2] / answer.time[0];
	if (ret_answer)
		*ret_answer = answer;
}

static void is_near(double value, double want, double share)
{
	ck_assert_msg(fabs(value / want - 1) <= share, "%g, not %g", value, want);
}

FIXTURE(setup, teardown);

TEST(nothing_learned_is_as_published)
{
	struct lw_speed_answer answer;
	double second, third;

	ask((struct lw_speed_key){ 1, 0, 7, 1 }, &three, &second, &third, &answer);
	is_near(second, 2, 1e-9);
	is_near(third, 4, 1e-9);
	ck_assert_uint_eq(answer.level_runs, 0);
}

/* A type of which nothing is published is taken for one in the middle. */
TEST(unknown_speed_is_the_mean)
{
	struct lw_speed_types types = three;
	double second, third;

	types.speed[1] = 0;
	ask((struct lw_speed_key){ 1, 0, 7, 1 }, &types, &second, &third, NULL);
	is_near(second, 2, 1e-9);
	is_near(third, 4, 1e-9);
}

/* From what is published to what runs show, the more runs the nearer. */
TEST(runs_draw_it_away_from_the_published)
{
	const struct lw_speed_key key = { 1, 0, 7, 1 };
	double second = 2, third, before;

	for (int i = 0; i < 12; i++) {
		before = second;
		add(key, "v100", 1000, 1);
		add(key, "p100", 6000, 1);
		ask(key, &three, &second, &third, NULL);
		ck_assert_msg(second > before || fabs(second - before) < 1e-6, "%g, %g", second,
			      before);
	}
	is_near(second, 6, 0.05);
}

/* Long jobs on one type and short ones on another tell nothing of the types. */
TEST(who_runs_where_is_no_speed)
{
	double second, third;

	add((struct lw_speed_key){ 1, 0, 7, 1 }, "v100", 80000, 20);
	add((struct lw_speed_key){ 1, 0, 8, 1 }, "k80", 100, 20);
	ask((struct lw_speed_key){ 1, 0, 9, 1 }, &three, &second, &third, NULL);
	is_near(third, 4, 1e-6);
}

/* What is asked, and what is nearest to it of what was learned. */
static const struct {
	struct lw_speed_key key;
	double third;
	double share;
} nearest[] = {
	{ { 1, 0, 7, 1 }, 10, 0.05 },  /* itself */
	{ { 1, 0, 7, 2 }, 10, 0.05 },  /* the name, of another size */
	{ { 1, 0, 9, 1 }, 10, 0.10 },  /* the tag */
	{ { 1, 2, 9, 1 }, 5.5, 0.30 }, /* the user, between the two */
	{ { 1, 1, 8, 1 }, 3, 0.10 },
};

TEST_EACH(the_nearest_tells, LW_COUNT_OF(nearest))
{
	double second, third;

	add((struct lw_speed_key){ 1, 0, 7, 1 }, "v100", 1000, 20);
	add((struct lw_speed_key){ 1, 0, 7, 1 }, "k80", 10000, 20);
	add((struct lw_speed_key){ 1, 1, 8, 1 }, "v100", 1000, 20);
	add((struct lw_speed_key){ 1, 1, 8, 1 }, "k80", 3000, 20);
	ask(nearest[_i].key, &three, &second, &third, NULL);
	is_near(third, nearest[_i].third, nearest[_i].share);
}

/* Of others' jobs all is taken, but less is thought of it than of one's own. */
TEST(the_site_tells_who_is_new)
{
	double second, third;

	for (uint32_t user = 1; user <= 10; user++) {
		add((struct lw_speed_key){ user, 0, user, 1 }, "v100", 1000, 5);
		add((struct lw_speed_key){ user, 0, user, 1 }, "k80", 8000, 5);
	}
	ask((struct lw_speed_key){ 99, 0, 99, 1 }, &three, &second, &third, NULL);
	is_near(third, 8, 0.05);
}

/* Types are compared over a third that both were compared to. */
TEST(a_third_type_connects_two)
{
	double second, third;

	add((struct lw_speed_key){ 1, 0, 7, 1 }, "v100", 1000, 20);
	add((struct lw_speed_key){ 1, 0, 7, 1 }, "p100", 5000, 20);
	add((struct lw_speed_key){ 1, 0, 8, 1 }, "p100", 500, 20);
	add((struct lw_speed_key){ 1, 0, 8, 1 }, "k80", 2500, 20);
	ask((struct lw_speed_key){ 1, 0, 9, 1 }, &three, &second, &third, NULL);
	is_near(third, 25, 0.1);
}

/* The mean over what its likes ran on is 1: a job's predicted run is of those types. */
TEST(times_are_relative_to_the_runs)
{
	const struct lw_speed_key key = { 1, 0, 7, 1 };
	struct lw_speed_answer answer;
	double second, third;

	add(key, "v100", 1000, 20);
	ask(key, &three, &second, &third, &answer);
	is_near(answer.time[0], 1, 1e-6);
	is_near(answer.time[2], 4, 1e-6);
	ck_assert_uint_eq(answer.runs[0], 20);
	ck_assert_uint_eq(answer.runs[2], 0);
}

/* One that failed in the middle, or hung, does not turn what many others showed. */
TEST(a_strange_run_counts_little)
{
	const struct lw_speed_key key = { 1, 0, 7, 1 };
	double second, third;

	add(key, "v100", 10000, 20);
	add(key, "k80", 40000, 20);
	add(key, "k80", 31, 1);
	add(key, "v100", LW_SPEED_RUN_MIN_S - 1, 5);
	ask(key, &three, &second, &third, NULL);
	is_near(third, 4, 0.12);
}

TEST(full_table_forgets_the_oldest)
{
	struct lw_speed_key key = { .gpus = 1 };

	for (uint32_t i = 0; i <= LW_SPEEDS_MAX; i++) {
		key.user = i;
		ck_assert_int_eq(lw_speeds_add(&speeds, &key, "a", 100, i), 0);
	}
	ck_assert_uint_eq(speeds.count, LW_SPEEDS_MAX);
	ck_assert_uint_eq(speeds.entries[0].key.user, 1);
	ck_assert_int_eq(lw_speeds_append(&speeds, &speeds.entries[5]), -EINVAL);
	key.user = 99999;
	ck_assert_int_eq(
		lw_speeds_append(&speeds, &(struct lw_speed){ .key = key, .runs = { 1 } }),
		-ENOSPC);
}

/* Runs of one kind on 2 and on 8 GPUs: what these share of the time on 8, down to 4. */
static const struct {
	const char *what;
	uint32_t user; /* of the runs on 2 GPUs */
	int64_t few_s, most_s;
	int runs; /* on 2 GPUs */
	uint32_t least, shared, most;
} sizes[] = {
	{ "four times as fast", 1, 4000, 1000, 3, 990, 1000, 8 },
	{ "twice as fast", 1, 2000, 1000, 3, 330, 337, 8 },
	{ "no faster", 1, 1000, 1000, 3, 1, 1, 8 },
	{ "slower", 1, 500, 1000, 3, 1, 1, 8 },
	{ "too few runs", 1, 4000, 1000, 2, 0, 0, 8 },
	{ "of another user", 2, 4000, 1000, 3, 0, 0, 8 },
	{ "on no more than the few", 1, 4000, 1000, 3, 0, 0, 4 },
	{ "beyond what was run", 1, 4000, 1000, 3, 990, 1000, 16 },
};

TEST_EACH(what_gpus_share_is_fitted, LW_COUNT_OF(sizes))
{
	const struct lw_speed_key key = { 1, 0, 7, sizes[_i].most };
	uint32_t shared;

	add((struct lw_speed_key){ 1, 0, 7, 8 }, "a100", sizes[_i].most_s, 3);
	add((struct lw_speed_key){ sizes[_i].user, 0, 7, 2 }, "a100", sizes[_i].few_s,
	    sizes[_i].runs);
	/* other types have fewer runs, other names count for nothing */
	add((struct lw_speed_key){ 1, 0, 7, 2 }, "v100", 9000, 1);
	add((struct lw_speed_key){ 1, 0, 8, 2 }, "a100", 9000, 9);
	shared = lw_speeds_shared(&speeds, &key, sizes[_i].most == 4 ? 4 : sizes[_i].most / 2);
	ck_assert_msg(shared >= sizes[_i].least && shared <= sizes[_i].shared, "%s: %u",
		      sizes[_i].what, shared);
}

TEST(types_are_the_same_in_whatever_case)
{
	const struct lw_speed_key key = { 1, 0, 7, 1 };

	add(key, "A100", 100, 3);
	add(key, "a100", 100, 3);
	ck_assert_uint_eq(speeds.type_count, 1);
	ck_assert_int_eq(lw_speeds_type(&speeds, "a100"), 0);
	/* a file that has both is read all the same */
	ck_assert_int_eq(lw_speeds_append_type(&speeds, "a100"), 0);
	ck_assert_int_eq(lw_speeds_append_type(&speeds, "a100"), -EINVAL);
}

TEST(no_more_types_than_there_is_room_for)
{
	const struct lw_speed_key key = { .gpus = 1 };
	char name[16];

	for (int i = 0; i < LW_SPEED_TYPES_MAX + 5; i++) {
		snprintf(name, sizeof(name), "t%d", i);
		add(key, name, 1000, 1);
	}
	add(key, "with blank", 1000, 1);
	ck_assert_uint_eq(speeds.type_count, LW_SPEED_TYPES_MAX);
	ck_assert_uint_eq(speeds.count, 1);
}

/* ---- how well, on jobs made from recipes ---- */

static const char recipes_text[] =
	"reference: v100\n"
	"types:\n  v100: {busy_w: 300}\n  p100: {busy_w: 300}\n  k80: {busy_w: 150}\n"
	"recipes:\n"
	"  a: {rate: {v100: 7.2, p100: 5.7, k80: 3.4}}\n"
	"  b: {rate: {v100: 4.4, p100: 2.4, k80: 0.5}}\n"
	"  c: {rate: {v100: 10, p100: 12, k80: 2}}\n"
	"  d: {rate: {v100: 1, p100: 0.3, k80: 0.1}}\n"
	"  e: {rate: {v100: 30, p100: 10, k80: 5}}\n"
	"  f: {rate: {v100: 2, p100: 1.9, k80: 1.8}}\n"
	"  g: {rate: {v100: 8, k80: 1}}\n";

/*
 * At most 15 % off after five runs a type, whatever is known beforehand: nine pairs in ten, of 20
 * sets of runs, and the mean by far. Noise of 10 % alone makes a mean of 5 %.
 */
TEST_EACH(ratios_are_learned_within_15_percent, 2)
{
	struct lw_speedtrial_row rows[LW_SPEEDTRIAL_ROWS];
	struct lw_recipes recipes;
	struct lw_error err;
	double p90 = 0;

	ck_assert_int_eq(
		lw_recipes_parse("r", recipes_text, strlen(recipes_text), &recipes, &err), 0);
	for (uint64_t seed = 1; seed <= 20; seed++) {
		const struct lw_speedtrial trial = {
			.seed = 100 * seed, .noise = 0.1, .users = 3, .published = _i
		};

		ck_assert_int_eq(lw_speedtrial_run(&trial, &recipes, rows), 0);
		ck_assert_uint_eq(lw_speedtrial_runs[4], 5);
		ck_assert_uint_eq(rows[4].pairs, 19);
		ck_assert_msg(rows[4].mean <= 0.08, "mean %g", rows[4].mean);
		p90 += rows[4].p90 / 20;
		ck_assert_msg(rows[5].mean < rows[1].mean, "%g, %g", rows[5].mean, rows[1].mean);
	}
	ck_assert_msg(p90 <= 0.15, "p90 %g", p90);
	lw_recipes_fini(&recipes);
}
