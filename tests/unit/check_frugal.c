/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of the choice of the thriftier GPU type (planner/place/frugal.h). */
#include "planner/place/type.h"

#include "unit/unit.h"

#include <math.h>

#define NOW_S 10000
#define NEVER INT64_MAX

/*
 * Two types on nodes of 4: a GPU of 0 draws 400 W at work and 100 idle, of 1 200 W and 50.
 * Unless said otherwise, both are free on nodes in use.
 */
static const struct {
	const char *what;
	double slack;
	uint32_t gpus, time_s[2];
	bool unknown, fresh[2]; /* no node of the type is in use */
	int64_t start_s[2];
	int64_t waited_s, limit_s, start_by_s;
	int want;
} cases[] = {
	{ "the thriftier of two that end alike",
	  .slack = 0.05, .gpus = 1, .time_s = { 1000, 1050 }, .want = 1 },
	{ "not if it ends later than that",
	  .slack = 0.05, .gpus = 1, .time_s = { 1000, 1051 }, .want = 0 },
	{ "the slower one may take more, whatever its watts",
	  .slack = 2, .gpus = 1, .time_s = { 1000, 2001 }, .want = 0 },
	{ "of equal energies the one where it ends first",
	  .slack = 2, .gpus = 1, .time_s = { 1000, 2000 }, .want = 0 },
	{ "nothing where run times by type are not known",
	  .slack = 0.05, .gpus = 1, .time_s = { 1000, 1000 }, .unknown = true, .want = 0 },
	{ "no node is opened where one in use would do",
	  .slack = 0.05, .gpus = 1, .time_s = { 1000, 1000 }, .fresh = { false, true },
	  .want = 1 },
	{ "which costs what it leaves idle",
	  .slack = 0.5, .gpus = 1, .time_s = { 1000, 1200 }, .fresh = { false, true }, .want = 0 },
	{ "and a whole node leaves nothing idle",
	  .slack = 0.5, .gpus = 4, .time_s = { 1000, 1200 }, .fresh = { false, true }, .want = 1 },
	{ "it may wait for less energy",
	  .slack = 0.05, .gpus = 1, .time_s = { 1000, 1000 }, .start_s = { 0, 50 }, .want = 1 },
	{ "but has waited for that long",
	  .slack = 0.05, .gpus = 1, .time_s = { 1000, 1000 }, .start_s = { 0, 50 },
	  .waited_s = 1, .want = 0 },
	{ "with a deadline the thriftiest that meets it",
	  .slack = 0.05, .gpus = 1, .time_s = { 1000, 1900 }, .limit_s = 3000,
	  .start_by_s = NOW_S, .want = 1 },
	{ "not if by its limit it might miss it",
	  .slack = 0.05, .gpus = 1, .time_s = { 1000, 1900 }, .limit_s = 3000,
	  .start_by_s = NOW_S - 1, .want = 0 },
	{ "not if its limit might end it there",
	  .slack = 0.05, .gpus = 1, .time_s = { 1000, 1900 }, .limit_s = 1900,
	  .start_by_s = NOW_S, .want = 0 },
	{ "nor if it would have to wait for that",
	  .slack = 0.05, .gpus = 1, .time_s = { 1000, 1900 }, .limit_s = 3000,
	  .start_s = { 0, 1 }, .start_by_s = NOW_S + 100, .want = 0 },
	{ "no type that it cannot have",
	  .slack = 2, .gpus = 1, .time_s = { 1000, 0 }, .want = 0 },
};

static struct lw_frugal make(int i)
{
	struct lw_frugal frugal = { .on = true,
				    .now_s = NOW_S,
				    .slack = cases[i].slack,
				    .busy_w = { 400, 200 },
				    .idle_w = { 100, 50 },
				    .node_gpus = { 4, 4 } };

	for (int type = 0; type < 2; type++)
		frugal.beside[type] = cases[i].fresh[type] ? 0 : 4;
	lw_frugal_begin(&frugal);
	return frugal;
}

TEST_EACH(the_thriftier_of_alike_is_chosen, LW_COUNT_OF(cases))
{
	struct lw_frugal frugal = make(_i);
	struct lw_type_job job = { .gpus = cases[_i].gpus,
				   .time_s = { cases[_i].time_s[0], cases[_i].time_s[1] },
				   .knows_times = !cases[_i].unknown,
				   .waited_s = cases[_i].waited_s,
				   .limit_s = cases[_i].limit_s ? cases[_i].limit_s : 100000,
				   .start_by_s = cases[_i].start_by_s };
	int64_t start_s[LW_GPU_TYPES_MAX];

	for (int type = 0; type < LW_GPU_TYPES_MAX; type++)
		start_s[type] = type < 2 && job.time_s[type] ? NOW_S + cases[_i].start_s[type]
							      : NEVER;
	ck_assert_msg(lw_frugal_choose(&frugal, &job, start_s, 0) == cases[_i].want, "%s",
		      cases[_i].what);
}

/* GPUs on nodes in use are used up, and a node that is opened has some for the next. */
TEST(nodes_fill_up)
{
	struct lw_frugal frugal = make(0);
	const struct lw_type_job job = { .gpus = 3, .time_s = { 10 } };

	ck_assert(fabs(lw_frugal_energy(&frugal, &job, 0, NOW_S) - 12000) < 1e-6);
	lw_frugal_take(&frugal, &job, 0);
	ck_assert_uint_eq(frugal.left[0], 1);
	/* two of its three are on a new node, which idles with two */
	ck_assert(fabs(lw_frugal_energy(&frugal, &job, 0, NOW_S) - 14000) < 1e-6);
	lw_frugal_take(&frugal, &job, 0);
	ck_assert_uint_eq(frugal.left[0], 2);
	lw_frugal_begin(&frugal);
	ck_assert_uint_eq(frugal.left[0], 4);
}

#define ROUNDS 2000

static uint32_t draw(uint64_t *seed, uint32_t below)
{
	*seed = *seed * UINT64_C(6364136223846793005) + 1442695040888963407;
	return (uint32_t)(*seed >> 33) % below;
}

/*
 * Whatever the machine: with energy on no job alone ends later than without by more than the slack,
 * nor takes more energy; and where nobody waits for a type, none starts later than now.
 */
TEST(no_worse_than_the_bound)
{
	uint64_t seed = 1;

	for (int round = 0; round < ROUNDS; round++) {
		struct lw_types_plan plan = { 0 };
		struct lw_type_job job = { .weight = 1, .gpus = 1 + draw(&seed, 4) }, off, on;
		double slack = draw(&seed, 100) / 100.0;

		job.knows_times = true;
		job.limit_s = 100000;
		for (int type = 0; type < 3; type++) {
			job.time_s[type] = 1 + draw(&seed, 5000);
			ck_assert(!lw_types_add_gpus(&plan, type, NOW_S, draw(&seed, 5)));
			ck_assert(!lw_types_add_gpus(&plan, type, NOW_S + draw(&seed, 3000), 4));
			plan.frugal.busy_w[type] = 1 + draw(&seed, 500);
			plan.frugal.idle_w[type] = draw(&seed, 100);
			plan.frugal.node_gpus[type] = 4;
			plan.frugal.beside[type] = draw(&seed, 5);
		}
		ck_assert(!lw_types_add_job(&plan, &job));
		ck_assert(!lw_types_divide(&plan, NOW_S, LW_DIVIDE_BY_SUM));
		off = plan.jobs[0];
		plan.frugal.on = true;
		plan.frugal.at_once = draw(&seed, 2);
		plan.frugal.now_s = NOW_S;
		plan.frugal.slack = slack;
		ck_assert(!lw_types_divide(&plan, NOW_S, LW_DIVIDE_BY_SUM));
		on = plan.jobs[0];
		if (plan.frugal.at_once) {
			ck_assert(on.type == LW_GPU_ANY || on.start_s == NOW_S);
		} else {
			ck_assert_int_le(on.done_s,
					 off.done_s + (int64_t)(slack * off.time_s[off.type]));
			lw_frugal_begin(&plan.frugal);
			ck_assert(lw_frugal_energy(&plan.frugal, &on, on.type, on.start_s) <=
				  lw_frugal_energy(&plan.frugal, &off, off.type, off.start_s));
		}
		lw_types_fini(&plan);
	}
}
