/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: when the agent plans again, told by stamps and seconds. */
#include "slurm/lock/trigger.h"

#include "unit/unit.h"

#define BEGAN_S 1000
#define END_S   1030
#define MIN_S   5

/* A cycle began at BEGAN_S with nothing before it; then one look; is a cycle due? */
static const struct {
	const char *what;
	struct lw_trigger_stamp look;
	int64_t took_ms, now_s;
	bool due;
} vectors[] = {
	{ "nothing happened", { 1001, 1001, 7, 3 }, 20, 1029, false },
	{ "nothing happened for the interval", { 1001, 1001, 7, 3 }, 20, 1030, true },
	{ "a job came, but it is early", { 1001, 1001, 8, 3 }, 20, 1004, false },
	{ "a job came", { 1001, 1001, 8, 3 }, 20, 1005, true },
	{ "a job changed", { 1002, 1001, 7, 3 }, 20, 1005, true },
	{ "a node changed", { 1001, 1003, 7, 3 }, 20, 1005, true },
	{ "a job ended", { 1001, 1001, 7, 4 }, 20, 1005, true },
	{ "the last cycle was long: not yet", { 1002, 1001, 7, 3 }, 1200, 1011, false },
	{ "the last cycle was long", { 1002, 1001, 7, 3 }, 1200, 1012, true },
	{ "longer than the interval: that holds", { 1002, 1001, 7, 3 }, 9000, 1030, true },
};

static const struct lw_trigger_stamp after = { 1001, 1001, 7, 3 };

TEST_EACH(due_at_an_event_or_at_the_end, LW_COUNT_OF(vectors))
{
	struct lw_trigger trigger = { 0 };

	lw_trigger_ran(&trigger, &after, &after, BEGAN_S, vectors[_i].took_ms, MIN_S);
	lw_trigger_look(&trigger, &vectors[_i].look, BEGAN_S);
	ck_assert_msg(lw_trigger_due(&trigger, vectors[_i].now_s, END_S) == vectors[_i].due, "%s",
		      vectors[_i].what);
}

TEST(an_event_is_followed_by_one_more_cycle)
{
	struct lw_trigger_stamp changed = { 1002, 1001, 8, 3 };
	struct lw_trigger trigger = { 0 };

	lw_trigger_ran(&trigger, &after, &after, BEGAN_S, 0, MIN_S);
	lw_trigger_look(&trigger, &changed, 1002);
	lw_trigger_ran(&trigger, &changed, &changed, 1005, 0, MIN_S);
	lw_trigger_look(&trigger, &changed, 1010);
	ck_assert(!lw_trigger_due(&trigger, 1009, 1035));
	ck_assert(lw_trigger_due(&trigger, 1010, 1035));
	lw_trigger_ran(&trigger, &changed, &changed, 1010, 0, MIN_S);
	lw_trigger_look(&trigger, &changed, 1010);
	ck_assert(!lw_trigger_due(&trigger, 1039, 1040));
}

TEST(a_cycle_may_ask_for_another)
{
	struct lw_trigger trigger = { 0 };

	lw_trigger_ran(&trigger, &after, &after, BEGAN_S, 0, MIN_S);
	lw_trigger_again(&trigger);
	lw_trigger_ran(&trigger, &after, &after, 1005, 0, MIN_S);
	ck_assert(!lw_trigger_due(&trigger, 1009, 1035));
	ck_assert(lw_trigger_due(&trigger, 1010, 1035));
	lw_trigger_ran(&trigger, &after, &after, 1010, 0, MIN_S);
	ck_assert(!lw_trigger_due(&trigger, 1039, 1040));
}

/* What others do in the second of our own change leaves no trace: look again, but not for ever.
 */
TEST(a_cycle_that_changed_something_is_repeated)
{
	struct lw_trigger trigger = { 0 };
	int64_t now_s = BEGAN_S;

	for (int cycles = 0; cycles < 3; cycles++) {
		struct lw_trigger_stamp before = { now_s - 1, now_s - 1, 7, 3 };
		struct lw_trigger_stamp ours = { now_s - cycles % 2, now_s - 1 + cycles % 2, 7,
						 3 };

		ck_assert(lw_trigger_due(&trigger, now_s, now_s + 30) == (cycles > 0));
		lw_trigger_ran(&trigger, &before, &ours, now_s, 0, MIN_S);
		lw_trigger_look(&trigger, &ours, now_s);
		now_s += MIN_S;
		ck_assert(!lw_trigger_due(&trigger, now_s - 1, now_s + 30));
	}
	ck_assert(!lw_trigger_due(&trigger, now_s, now_s + 30));
	lw_trigger_look(&trigger, &(struct lw_trigger_stamp){ now_s, now_s, 8, 3 }, now_s);
	ck_assert(lw_trigger_due(&trigger, now_s, now_s + 30));
}

TEST(our_own_changes_are_no_event)
{
	struct lw_trigger_stamp ours = { 1003, 1003, 7, 3 }, theirs = { 1003, 1003, 8, 3 };
	struct lw_trigger trigger = { 0 };

	lw_trigger_ran(&trigger, &after, &after, BEGAN_S, 0, MIN_S);
	lw_trigger_ours(&trigger, &ours);
	lw_trigger_look(&trigger, &ours, 1003);
	ck_assert(!lw_trigger_due(&trigger, 1020, END_S));
	lw_trigger_ours(&trigger, &theirs);
	lw_trigger_look(&trigger, &theirs, 1003);
	ck_assert(lw_trigger_due(&trigger, 1020, END_S));
}

/* With a delay of 3 s: one look or two, each at its time; when is a cycle due? */
static const struct {
	const char *what;
	struct lw_trigger_stamp first, second;
	int64_t first_s, second_s, due_s;
} delays[] = {
	{ "a job came", { 1010, 1001, 8, 3 }, { 1010, 1001, 8, 3 }, 1010, 1012, 1013 },
	{ "two came", { 1010, 1001, 8, 3 }, { 1012, 1001, 9, 3 }, 1010, 1012, 1013 },
	{ "a job changed", { 1010, 1001, 7, 3 }, { 1010, 1001, 7, 3 }, 1010, 1012, 1013 },
	{ "one ended", { 1010, 1001, 7, 4 }, { 1010, 1001, 7, 4 }, 1010, 1012, 1010 },
	{ "one came, one ended", { 1010, 1001, 8, 3 }, { 1011, 1001, 8, 4 }, 1010, 1011, 1011 },
	{ "one ended, one came", { 1010, 1001, 7, 4 }, { 1011, 1001, 8, 4 }, 1010, 1011, 1010 },
	{ "a node came", { 1010, 1010, 7, 3 }, { 1010, 1010, 7, 3 }, 1010, 1012, 1010 },
	{ "one came before the end",
	  { 1029, 1001, 8, 3 },
	  { 1029, 1001, 8, 3 },
	  1029,
	  1030,
	  1032 },
	{ "one came early on", { 1001, 1001, 8, 3 }, { 1001, 1001, 8, 3 }, 1001, 1002, 1005 },
};

TEST_EACH(what_came_is_left_to_slurm_for_the_delay, LW_COUNT_OF(delays))
{
	struct lw_trigger trigger = { .delay_s = 3 };

	lw_trigger_ran(&trigger, &after, &after, BEGAN_S, 0, MIN_S);
	lw_trigger_look(&trigger, &delays[_i].first, delays[_i].first_s);
	lw_trigger_look(&trigger, &delays[_i].second, delays[_i].second_s);
	ck_assert_msg(!lw_trigger_due(&trigger, delays[_i].due_s - 1, END_S), "%s",
		      delays[_i].what);
	ck_assert_msg(lw_trigger_due(&trigger, delays[_i].due_s, END_S), "%s", delays[_i].what);
}

static const struct {
	uint32_t threads, max_rpcs;
	bool is_crowded;
} crowds[] = {
	{ 1000, 0, false },
	{ 149, 150, false },
	{ 150, 150, true },
	{ 151, 150, true },
};

TEST_EACH(crowded_by_rpcs, LW_COUNT_OF(crowds))
{
	ck_assert_int_eq(lw_trigger_is_crowded(crowds[_i].threads, crowds[_i].max_rpcs),
			 crowds[_i].is_crowded);
}

static const struct {
	uint64_t held_us;
	uint32_t threads;
	uint64_t patience_us;
	bool yields;
} holds[] = {
	/* nobody asks: the hold lasts as long as it may */
	{ 0, 0, 500, false },
	{ 9999, 0, 500, false },
	{ 10000, 0, 500, true },
	/* somebody asks, and is let pass before long, but not between any two steps */
	{ 199, 1, 500, false },
	{ 200, 1, 500, true },
	{ 200, 40, 1, true },
	/* there is no end of those who ask: whole holds again, no longer ones */
	{ 200, 1, 0, false },
	{ 9999, 40, 0, false },
	{ 10000, 40, 0, true },
};

TEST_EACH(a_hold_gives_way_to_rpcs, LW_COUNT_OF(holds))
{
	ck_assert_int_eq(lw_trigger_yields(holds[_i].held_us, 10000, holds[_i].threads,
					   holds[_i].patience_us),
			 holds[_i].yields);
}

TEST(who_holds_locks_steps_aside)
{
	ck_assert(lw_trigger_offers_cpu(100, 0, 500));
	ck_assert(lw_trigger_offers_cpu(100, 5000, 1));
	/* a moment ago already */
	ck_assert(!lw_trigger_offers_cpu(99, 0, 500));
	/* to somebody who does not give the processor back: the locks would be held for longer */
	ck_assert(!lw_trigger_offers_cpu(100, 5001, 500));
	ck_assert(!lw_trigger_offers_cpu(9999, 5001, 500));
	/* for long enough in all */
	ck_assert(!lw_trigger_offers_cpu(100, 0, 0));
}

/* A stamp was THEN_S at 1000 and is STAMP_S at NOW_S. */
static const struct {
	const char *what;
	int64_t then_s, stamp_s, now_s;
	bool differs;
} stamps[] = {
	{ "nothing for long", 900, 900, 1005, false },
	{ "a change", 900, 1003, 1005, true },
	{ "a change just before the look", 900, 1000, 1000, true },
	{ "a change in that second, and perhaps another", 1000, 1000, 1005, true },
	{ "the clock was set back before: nothing since", 22600, 22600, 1005, false },
	{ "the clock was set back before: a change", 22600, 1003, 1005, true },
	{ "the clock is set back meanwhile: a change", 900, 700, 705, true },
	{ "the clock is set back meanwhile: none", 900, 900, 705, false },
	{ "the clock was set back a little: it has come again", 1003, 1003, 1005, true },
};

TEST_EACH(what_may_have_changed, LW_COUNT_OF(stamps))
{
	ck_assert_msg(lw_trigger_may_differ(stamps[_i].then_s, stamps[_i].stamp_s, 1000,
					    stamps[_i].now_s) == stamps[_i].differs,
		      "%s", stamps[_i].what);
}
