/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: how alike the jobs of a user are. */
#ifndef LW_LAB_QUESTIONS_REPEAT_H
#define LW_LAB_QUESTIONS_REPEAT_H

#include "lab/questions/joblog.h"

#define LW_REPEAT_GROUPS 10

/*
 * A group: jobs of one user and one size with run times within a tenth of the shortest. Only
 * users with at least ten jobs count; all figures are NAN if there are none.
 */
struct lw_repeat {
	uint32_t users, jobs;          /* of them */
	double top[LW_REPEAT_GROUPS];  /* share of jobs in the 1, 2, ... largest of their user */
	double mean[LW_REPEAT_GROUPS]; /* the same, as a mean over users */
	/* the same as top, of groups of one size and one limit; NAN: no limits are known */
	double request[LW_REPEAT_GROUPS];
	double same_request; /* share of jobs with size and limit of the user's job before */
	double near_run;     /* share that ran within half and twice as long as that one */
};

/* -ENOMEM. */
int lw_repeat_of(const struct lw_joblog *log, struct lw_repeat *ret_repeat);

#endif
