/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of slurm/refusal: nobody is tried in vain for ever, nobody forgotten. */
#include "slurm/keep/refusal.h"

#include "unit/unit.h"

#define JOB 7

static struct lw_refusals *refusals;

static void make(void)
{
	ck_assert_int_eq(lw_refusals_create(&refusals), 0);
}

static void destroy(void)
{
	lw_refusals_destroy(refusals);
}

/* How many cycles a refusal number i keeps the job out of the plan. */
static const struct {
	uint32_t before;
	uint64_t pause;
} pauses[] = { { 0, 1 }, { 1, 2 }, { 2, 4 }, { 3, 8 }, { 4, 8 }, { 20, 8 } };

FIXTURE(make, destroy);

TEST_EACH(pause_doubles_up_to_the_cap, LW_COUNT_OF(pauses))
{
	uint64_t cycle = 100;

	for (uint32_t i = 0; i <= pauses[_i].before; i++)
		lw_refusals_add(refusals, JOB, 0, ++cycle, false);
	ck_assert(lw_refusals_holds(refusals, JOB, 0, cycle + pauses[_i].pause));
	ck_assert(!lw_refusals_holds(refusals, JOB, 0, cycle + pauses[_i].pause + 1));
}

TEST(only_the_first_refusal_is_news)
{
	ck_assert(lw_refusals_add(refusals, JOB, 0, 1, true));
	ck_assert(!lw_refusals_add(refusals, JOB, 0, 3, true));
	ck_assert(lw_refusals_add(refusals, JOB + 1, 0, 3, true));
}

TEST(an_unknown_job_is_free)
{
	ck_assert(!lw_refusals_holds(refusals, JOB, 0, 1));
	ck_assert(!lw_refusals_stuck(refusals, JOB, 0));
}

TEST(the_last_refusal_says_whether_room_was_wanted)
{
	ck_assert(!lw_refusals_want_room(refusals, JOB, 0));
	lw_refusals_add(refusals, JOB, 0, 1, true);
	ck_assert(lw_refusals_want_room(refusals, JOB, 0));
	ck_assert(!lw_refusals_want_room(refusals, JOB, 1));
	lw_refusals_add(refusals, JOB, 0, 3, false);
	ck_assert(!lw_refusals_want_room(refusals, JOB, 0));
}

TEST(variants_are_refused_one_by_one)
{
	for (uint32_t i = 0; i < LW_REFUSALS_STUCK; i++)
		lw_refusals_add(refusals, JOB, 1, i, true);
	ck_assert(lw_refusals_holds(refusals, JOB, 1, 3));
	ck_assert(lw_refusals_stuck(refusals, JOB, 1));
	ck_assert(!lw_refusals_holds(refusals, JOB, 0, 3));
	ck_assert(!lw_refusals_stuck(refusals, JOB, 2));
	ck_assert(lw_refusals_add(refusals, JOB, 0, 3, true));
}

TEST(tasks_refused_in_one_cycle_count_once)
{
	for (uint32_t i = 0; i < 2 * LW_REFUSALS_STUCK; i++)
		lw_refusals_add(refusals, JOB, 0, 5, true);
	ck_assert(lw_refusals_holds(refusals, JOB, 0, 6));
	ck_assert(!lw_refusals_holds(refusals, JOB, 0, 7));
	ck_assert(!lw_refusals_stuck(refusals, JOB, 0));
}

TEST(a_limit_that_gave_way_ends_the_pause)
{
	lw_refusals_by_limit(refusals, JOB, 0, 3);
	ck_assert_uint_eq(lw_refusals_limited(refusals, JOB, 0), 0);
	lw_refusals_add(refusals, JOB, 0, 5, false);
	lw_refusals_by_limit(refusals, JOB, 0, 3);
	ck_assert_uint_eq(lw_refusals_limited(refusals, JOB, 0), 3);
	ck_assert_uint_eq(lw_refusals_limited(refusals, JOB, 1), 0);
	lw_refusals_lift(refusals, JOB, 0, 6);
	ck_assert(!lw_refusals_holds(refusals, JOB, 0, 6));
	lw_refusals_expire(refusals, 6);
	ck_assert(!lw_refusals_add(refusals, JOB, 0, 6, false));
	ck_assert(lw_refusals_holds(refusals, JOB, 0, 7));
	ck_assert_uint_eq(lw_refusals_limited(refusals, JOB, 0), 0);
}

TEST(stuck_counts_refusals_for_room_alone)
{
	for (uint32_t i = 0; i < 2 * LW_REFUSALS_STUCK; i++)
		lw_refusals_add(refusals, JOB, 0, i, false);
	ck_assert(!lw_refusals_stuck(refusals, JOB, 0));
	for (uint32_t i = 1; i < LW_REFUSALS_STUCK; i++)
		lw_refusals_add(refusals, JOB, 0, i, true);
	ck_assert(!lw_refusals_stuck(refusals, JOB, 0));
	lw_refusals_add(refusals, JOB, 0, 99, true);
	ck_assert(lw_refusals_stuck(refusals, JOB, 0));
}

TEST(expire_forgets_the_old_and_keeps_the_young)
{
	lw_refusals_add(refusals, JOB, 0, 1, true);
	lw_refusals_add(refusals, JOB + 1, 0, 50, true);
	lw_refusals_expire(refusals, 50);
	ck_assert(lw_refusals_add(refusals, JOB, 0, 51, true));
	ck_assert(!lw_refusals_add(refusals, JOB + 1, 0, 51, true));
}

/* A limit may keep a whole queue; with a search for each this takes minutes. */
TEST(many_are_found_at_once)
{
	const uint32_t count = 200000;

	for (uint32_t i = 0; i < count; i++)
		ck_assert(lw_refusals_add(refusals, i, i % 2, i < count / 2 ? 1 : 50, true));
	lw_refusals_expire(refusals, 50);
	for (uint32_t i = 0; i < count; i++)
		ck_assert_int_eq(lw_refusals_holds(refusals, i, i % 2, 51), i >= count / 2);
}
