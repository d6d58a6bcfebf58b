/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: a deadline that cannot be met, and the reason, in words. */
#include "base/duedate.h"

#include <inttypes.h>
#include <stdio.h>
#include <time.h>

#define TIME_MAX sizeof("2026-11-26T18:00:00+somewhat")

/* As sbatch takes it. */
static void duedate_tell(int64_t at_s, char text[TIME_MAX])
{
	time_t at = (time_t)at_s;
	struct tm tm;

	if (!localtime_r(&at, &tm) || !strftime(text, TIME_MAX, "%Y-%m-%dT%H:%M:%S", &tm))
		snprintf(text, TIME_MAX, "%" PRId64, at_s);
}

bool lw_duedate_fails(const struct lw_duedate *due, char text[LW_DUEDATE_TEXT_MAX])
{
	uint32_t minutes = due->least_min ? due->least_min : due->limit_min;
	int64_t start_s = due->begin_s > due->now_s ? due->begin_s : due->now_s;
	int64_t end_s = start_s + (int64_t)minutes * 60;
	char deadline[TIME_MAX], end[TIME_MAX];

	if (!due->deadline_s || end_s <= due->deadline_s)
		return false;
	duedate_tell(due->deadline_s, deadline);
	duedate_tell(end_s, end);
	if (!minutes)
		snprintf(
			text, LW_DUEDATE_TEXT_MAX,
			"leeway: the deadline %s cannot be met: the job does not begin before %s",
			deadline, end);
	else
		snprintf(text, LW_DUEDATE_TEXT_MAX,
			 "leeway: the deadline %s cannot be met: with %s of %" PRIu32
			 " minutes the job would end at %s at the earliest",
			 deadline, due->least_min ? "a least time" : "a time limit", minutes,
			 end);
	return true;
}
