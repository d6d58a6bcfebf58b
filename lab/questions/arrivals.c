/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: when jobs are submitted. */
#include "lab/questions/arrivals.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SATURDAY 5

static void arrivals_count(struct lw_arrivals *arrivals, const struct lw_joblog_job *job)
{
	if (job->hour >= LW_HOURS)
		return;
	arrivals->has_clock = true;
	arrivals->hour[job->hour]++;
	if (job->weekday >= LW_WEEKDAYS)
		return;
	arrivals->has_weekday = true;
	arrivals->weekday[job->weekday]++;
	if (job->weekday < SATURDAY)
		arrivals->workday_hour[job->hour]++;
	else
		arrivals->weekend_hour[job->hour]++;
}

int lw_arrivals_of(const struct lw_joblog *log, struct lw_arrivals *ret_arrivals)
{
	double *gaps = calloc((size_t)log->count + 1, sizeof(*gaps));
	struct lw_arrivals arrivals = { 0 };

	if (!gaps)
		return -ENOMEM;
	for (uint32_t i = 0; i < log->count; i++) {
		arrivals_count(&arrivals, &log->jobs[i]);
		if (i)
			gaps[i - 1] = (double)(log->jobs[i].submit_s - log->jobs[i - 1].submit_s);
	}
	lw_dist_of(gaps, log->count ? log->count - 1 : 0, &arrivals.gap);
	if (log->count)
		arrivals.span_s = log->jobs[log->count - 1].submit_s - log->jobs[0].submit_s;
	free(gaps);
	*ret_arrivals = arrivals;
	return 0;
}

double lw_arrivals_swing(const struct lw_arrivals *arrivals)
{
	uint32_t least = UINT32_MAX, most = 0;

	for (uint32_t h = 0; h < LW_HOURS; h++) {
		least = arrivals->hour[h] < least ? arrivals->hour[h] : least;
		most = arrivals->hour[h] > most ? arrivals->hour[h] : most;
	}
	return arrivals->has_clock && least ? (double)most / least : NAN;
}
