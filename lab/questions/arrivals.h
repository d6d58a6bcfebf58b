/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: when jobs are submitted. */
#ifndef LW_LAB_QUESTIONS_ARRIVALS_H
#define LW_LAB_QUESTIONS_ARRIVALS_H

#include "lab/questions/dist.h"
#include "lab/questions/joblog.h"

#define LW_HOURS    24
#define LW_WEEKDAYS 7

struct lw_arrivals {
	int64_t span_s;          /* from the first submission to the last */
	struct lw_dist gap;      /* from one submission to the next, in seconds */
	bool has_clock;          /* else nothing is known of hours */
	bool has_weekday;        /* nor of these */
	uint32_t hour[LW_HOURS]; /* jobs */
	uint32_t workday_hour[LW_HOURS], weekend_hour[LW_HOURS];
	uint32_t weekday[LW_WEEKDAYS];
};

/* -ENOMEM. */
int lw_arrivals_of(const struct lw_joblog *log, struct lw_arrivals *ret_arrivals);

/* The busiest hour's jobs by those of the quietest; NAN: not known. */
double lw_arrivals_swing(const struct lw_arrivals *arrivals);

#endif
