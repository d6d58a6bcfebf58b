/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: a moment in words for users, the same wherever one is told. */
#include "base/when.h"

#include <stdio.h>
#include <time.h>

/* By a month and a day alone, a moment further away could be taken for that of another year. */
#define HALF_A_YEAR_S (INT64_C(182) * 86400)

static const char *when_form(const struct tm *then, const struct tm *today, int64_t after_s)
{
	if (then->tm_yday == today->tm_yday && then->tm_year == today->tm_year)
		return "%H:%M";
	return after_s > -HALF_A_YEAR_S && after_s < HALF_A_YEAR_S ? "%m-%dT%H:%M"
								   : "%Y-%m-%dT%H:%M";
}

const char *lw_when_tell(int64_t at_s, int64_t now_s, char text[LW_WHEN_MAX])
{
	time_t at = (time_t)at_s, now = (time_t)now_s;
	struct tm then, today;

	if (!localtime_r(&at, &then) || !localtime_r(&now, &today) ||
	    !strftime(text, LW_WHEN_MAX, when_form(&then, &today, at_s - now_s), &then))
		snprintf(text, LW_WHEN_MAX, "later");
	return text;
}
