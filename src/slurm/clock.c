/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what time things take inside slurmctld, and how people are told of a time. */

/* Part of both plugins: refers to nothing of Slurm. */

#include "slurm/clock.h"

#include <stdbool.h>
#include <stdio.h>
#include <time.h>

static uint64_t read_clock(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

uint64_t lw_clock_us(void)
{
	return read_clock(CLOCK_MONOTONIC);
}

uint64_t lw_cpu_us(void)
{
	return read_clock(CLOCK_THREAD_CPUTIME_ID);
}

void lw_clock_tell(int64_t when_s, int64_t now_s, char *text)
{
	time_t when = (time_t)when_s, now = (time_t)now_s;
	struct tm then, today;
	bool same_day;

	if (!localtime_r(&when, &then) || !localtime_r(&now, &today)) {
		snprintf(text, LW_CLOCK_TEXT_MAX, "later");
		return;
	}
	same_day = then.tm_yday == today.tm_yday && then.tm_year == today.tm_year;
	strftime(text, LW_CLOCK_TEXT_MAX, same_day ? "%H:%M" : "%m-%dT%H:%M", &then);
}
