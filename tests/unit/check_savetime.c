/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of record/savetime: what a crash may cost, whenever it comes. */
#include "record/savetime.h"

#include "unit/unit.h"

#define START 1700000000

/* Readings every INTERVAL_S that begin LATE_S late and lie on disk WRITE_S after that. */
static const struct {
	uint32_t interval_s;
	int64_t late_s, write_s;
	int64_t worst_s; /* what a crash may cost at most, once the first ten minutes are over */
	int64_t saves;   /* in the hour after, at most */
} cases[] = {
	{ 10, 0, 0, 60, 73 },   { 10, 1, 0, 60, 73 },   { 10, 2, 1, 60, 91 },
	{ 10, 0, 9, 60, 91 },   { 1, 0, 0, 60, 65 },    { 1, 0, 3, 60, 70 },
	{ 7, 3, 2, 60, 80 },    { 20, 4, 4, 60, 181 },  { 30, 2, 0, 60, 121 },
	{ 45, 5, 5, 60, 81 },   { 60, 0, 0, 60, 61 },   { 60, 5, 1, 66, 61 },
	{ 300, 0, 0, 300, 13 }, { 10, 30, 0, 60, 361 },
};

TEST_EACH(crash_costs_a_minute_at_most, LW_COUNT_OF(cases))
{
	struct lw_save_time time = { .start_s = START, .interval_s = cases[_i].interval_s };
	int64_t worst_s = 0, saves = 0;

	for (int64_t planned_s = START; planned_s < START + 4200;
	     planned_s += cases[_i].interval_s) {
		int64_t at_s = planned_s + cases[_i].late_s, done_s = at_s, cost_s = 0;

		if (lw_save_time_is_due(&time, at_s)) {
			done_s += cases[_i].write_s;
			cost_s = done_s - time.saved_s; /* of a crash just before */
			time.saved_s = at_s;
		}
		lw_save_time_note(&time, planned_s, done_s);
		if (planned_s < START + 600)
			continue;
		saves += cost_s > 0;
		worst_s = cost_s > worst_s ? cost_s : worst_s;
	}
	ck_assert_int_le(worst_s, cases[_i].worst_s);
	ck_assert_int_le(saves, cases[_i].saves);
	ck_assert_int_gt(saves, 0);
}

TEST(young_record_loses_a_quarter_at_most)
{
	struct lw_save_time time = { .start_s = START, .interval_s = 1 };

	for (int64_t now_s = START; now_s < START + 200; now_s++) {
		if (lw_save_time_is_due(&time, now_s))
			time.saved_s = now_s;
		lw_save_time_note(&time, now_s, now_s);
		ck_assert_int_le(now_s - time.saved_s, (now_s - START) / 4);
	}
}

TEST(clock_set_back_stops_nothing)
{
	struct lw_save_time time = { .start_s = START,
				     .interval_s = 10,
				     .saved_s = START + 5000 };

	ck_assert(lw_save_time_is_due(&time, START + 4000));
	time.saved_s = START + 4000;
	lw_save_time_note(&time, START + 5010, START + 4000);
	ck_assert(!lw_save_time_is_due(&time, START + 4010));
	ck_assert(lw_save_time_is_due(&time, START + 4060));
}

TEST(slow_disk_is_forgotten)
{
	struct lw_save_time time = { .start_s = START,
				     .interval_s = 10,
				     .saved_s = START + 1000 };

	lw_save_time_note(&time, START + 1000, START + 1100);
	ck_assert(lw_save_time_is_due(&time, START + 1110));
	for (int i = 0; i < 30; i++)
		lw_save_time_note(&time, START + 2000 + i, START + 2000 + i);
	ck_assert_int_le(time.late_s, 4);
}
