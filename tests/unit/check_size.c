/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of how many nodes a job gets that runs on more or fewer. */
#include "planner/place/size.h"
#include "unit/unit.h"

#include <math.h>

/* A job of at most 16 nodes, of which its run of 1000 s shares so many thousandths. */
static const struct {
	const char *what;
	uint32_t least, shared;
	int64_t limit_s;
	uint32_t others;
	double part;
	uint32_t floor, chosen;
} choices[] = {
	{ "nothing waits: it gets all", 1, 500, 10000, 0, 0.01, 8, 16 },
	{ "nothing is known: it gets all", 1, 0, 10000, 100, 0.01, 16, 16 },
	{ "many wait: it gets half", 1, 500, 10000, 100, 0.01, 8, 8 },
	{ "its user allows no fewer than twelve", 12, 500, 10000, 100, 0.01, 12, 12 },
	{ "nodes share all: fewer gain nothing", 1, 1000, 10000, 100, 0.01, 8, 16 },
	{ "on fewer it would be killed at its limit", 1, 500, 1000, 100, 0.01, 16, 16 },
	{ "on nine it would not", 1, 500, 1389, 100, 0.01, 9, 9 },
	{ "some wait: it gets some", 1, 500, 10000, 2, 0.01, 8, 14 },
	{ "the machine is large", 1, 500, 10000, 2, 0.0001, 8, 16 },
	{ "its user wants all", 16, 500, 10000, 100, 0.01, 16, 16 },
};

TEST_EACH(test_choice, LW_COUNT_OF(choices))
{
	const struct lw_size size = { choices[_i].least, 16, choices[_i].shared };
	uint32_t floor = lw_size_floor(&size, 1000, choices[_i].limit_s);
	uint32_t chosen = lw_size_choose(&size, floor, choices[_i].part, choices[_i].others);

	ck_assert_msg(floor == choices[_i].floor, "%s: floor %u", choices[_i].what, floor);
	ck_assert_msg(chosen == choices[_i].chosen, "%s: %u", choices[_i].what, chosen);
}

TEST(a_run_is_longer_on_fewer_nodes)
{
	const struct lw_size size = { 1, 16, 500 }, odd = { 1, 7, 900 }, one = { 1, 1, 900 };

	ck_assert_int_eq(lw_size_run_s(&size, 16, 1000), 1000);
	ck_assert_int_eq(lw_size_run_s(&size, 8, 1000), 1500);
	ck_assert_int_eq(lw_size_run_s(&size, 20, 1000), 1000);
	ck_assert_int_eq(lw_size_run_s(&size, 8, INT64_MAX), INT64_MAX);
	ck_assert_uint_eq(lw_size_floor(&odd, 10, 1000), 4);
	ck_assert_uint_eq(lw_size_floor(&one, 10, 1000), 1);
	ck_assert_uint_eq(lw_size_choose(&one, 1, 1, 1000), 1);
}

/* The choice of a very wide job is looked at in steps, and is within its range. */
TEST(a_wide_job_is_within_its_range)
{
	for (uint32_t most = 1; most < 1000000; most = most * 7 + 1)
		for (uint32_t others = 0; others < 1000; others = others * 3 + 1) {
			const struct lw_size size = { 1, most, 800 };
			uint32_t floor = lw_size_floor(&size, 1000, 1500);
			uint32_t chosen = lw_size_choose(&size, floor, 1.0 / most, others);

			ck_assert_uint_le((most + 1) / 2, floor);
			ck_assert_uint_le(floor, chosen);
			ck_assert_uint_le(chosen, most);
			ck_assert_int_le(lw_size_run_s(&size, floor, 1000), 1500);
		}
}

/* A job on so many of 16 nodes that shares half of its run, with 3000 s left. */
static const struct {
	const char *what;
	uint32_t nodes, free;
	int64_t cost_s, gain_s;
} growths[] = {
	{ "all are free: 3000 s become 2000 s", 8, 8, 200, 800 },
	{ "some are free: 12 nodes", 8, 4, 100, 566 },
	{ "too few are free for half as many again", 8, 3, 0, 0 },
	{ "it costs more than it brings", 8, 8, 1000, 0 },
	{ "it has all", 16, 16, 0, 0 },
};

TEST_EACH(test_growth, LW_COUNT_OF(growths))
{
	const struct lw_size size = { 1, 16, 500 };
	const struct lw_size_rest rest = { .rest_s = 3000, .cost_s = growths[_i].cost_s };
	int64_t gain_s = lw_size_gain_s(&size, growths[_i].nodes, growths[_i].free, &rest);

	ck_assert_msg(gain_s == growths[_i].gain_s, "%s: %ld", growths[_i].what, (long)gain_s);
}
