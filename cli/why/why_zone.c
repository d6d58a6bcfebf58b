/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: times of waiting jobs in the cluster's zone, as its reasons have them. */
#include "cli/why/why.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Begins TZ once it is ours. */
#define OURS "<cluster>"

static const struct lw_statement *find_zoned(const struct lw_why_jobs *jobs)
{
	for (uint32_t i = 0; i < jobs->count; i++)
		if (jobs->jobs[i].told && jobs->jobs[i].why.zoned)
			return &jobs->jobs[i].why;
	return NULL;
}

static bool is_here(const struct lw_statement *said)
{
	time_t at_s = (time_t)said->at_s;
	struct tm at;

	return !localtime_r(&at_s, &at) || at.tm_gmtoff == said->zone_min * 60L;
}

void lw_why_use_zone(const struct lw_why_jobs *jobs)
{
	const struct lw_statement *said = find_zoned(jobs);

	if (said)
		lw_why_use_zone_of(said);
}

void lw_why_use_zone_of(const struct lw_statement *said)
{
	char zone[40];
	int minutes;

	if (!said->zoned || is_here(said))
		return;
	minutes = abs(said->zone_min);
	/* POSIX counts to the west */
	snprintf(zone, sizeof(zone), OURS "%c%02d:%02d", said->zone_min < 0 ? '+' : '-',
		 minutes / 60, minutes % 60);
	setenv("TZ", zone, 1);
	tzset();
}

void lw_why_print_zone(void)
{
	const char *zone = getenv("TZ");
	size_t len = strlen(OURS);

	if (zone && strncmp(zone, OURS, len) == 0)
		printf("%-10sUTC%c%s, the cluster's\n", "zone", zone[len] == '-' ? '+' : '-',
		       zone + len + 1);
}
