/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of base/when: a moment as every command and reason tells it. */
#include "base/when.h"

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
	{ "a day of this week", NOW_S + 3 * DAY_S, "11-25T14:00" },
	{ "yesterday", NOW_S - DAY_S, "11-21T14:00" },
	{ "next year, and soon", NOW_S + 60 * DAY_S, "01-21T14:00" },
	{ "within six months", NOW_S + 182 * DAY_S - 1, "05-23T13:59" },
	{ "not within six months", NOW_S + 182 * DAY_S, "2027-05-23T14:00" },
	{ "six months ago", NOW_S - 182 * DAY_S, "2026-05-24T14:00" },
	{ "the same day of another year", NOW_S + 365 * DAY_S, "2027-11-22T14:00" },
	{ "beyond the calendar", INT64_MAX, "later" },
};

TEST_EACH(date_and_year_are_told_where_they_matter, LW_COUNT_OF(vectors))
{
	char text[LW_WHEN_MAX];

	setenv("TZ", "UTC", 1);
	tzset();
	lw_when_tell(vectors[_i].when_s, NOW_S, text);
	ck_assert_msg(!strcmp(text, vectors[_i].want), "%s: %s", vectors[_i].what, text);
}
