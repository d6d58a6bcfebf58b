/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of slurm/clock: how people are told of a time. */
#include "slurm/clock.h"

#include "unit/unit.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* 2026-11-22T14:00:00 in UTC */
#define NOW_S INT64_C(1795356000)
#define DAY_S INT64_C(86400)

static const struct {
	const char *what;
	int64_t when_s;
	const char *want;
} vectors[] = {
	{ "today", NOW_S + 120, "14:02" },
	{ "earlier today", NOW_S - 3600, "13:00" },
	{ "the same time tomorrow", NOW_S + DAY_S, "11-23T14:00" },
	{ "the same day of another year", NOW_S + 365 * DAY_S, "11-22T14:00" },
	{ "beyond the calendar", INT64_MAX, "later" },
};

START_TEST(the_date_is_told_when_it_is_not_today)
{
	char text[LW_CLOCK_TEXT_MAX];

	setenv("TZ", "UTC", 1);
	tzset();
	lw_clock_tell(vectors[_i].when_s, NOW_S, text);
	ck_assert_msg(!strcmp(text, vectors[_i].want), "%s: %s", vectors[_i].what, text);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("slurm/clock");
	TCase *tc = tcase_create("clock");

	tcase_add_loop_test(tc, the_date_is_told_when_it_is_not_today, 0, LW_COUNT_OF(vectors));
	suite_add_tcase(suite, tc);
	return unit_run(suite);
}
