/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: how much of the machine is held, and how many jobs wait, over time. */
#ifndef LW_LAB_QUESTIONS_LOAD_H
#define LW_LAB_QUESTIONS_LOAD_H

#include "lab/questions/joblog.h"

#define LW_LOAD_PERIODS 200

/*
 * Without waits nothing is known of when jobs ran: then peak, use and queue are NAN or 0, and
 * only what was asked for is known.
 */
struct lw_load {
	bool has_waits; /* of at least 99 in 100 jobs; others count as not there */
	double machine; /* what shares are of: the log's, or else the peak */
	bool machine_is_peak;
	double peak;          /* units held at a time */
	double offered;       /* unit-seconds asked for, of those there are in the span */
	double utilisation;   /* between the first and the last submission */
	double above_share;   /* of the time, more was held than there is */
	double waiting_share; /* of the time, a job waited, */
	double use_waiting;   /* and so much of the machine was held then */
	double slack_share;   /* of that time, less than four fifths were held */
	double queue_mean;    /* over time */
	uint32_t queue_most;
	double period_s;               /* the span by PERIODS */
	double use[LW_LOAD_PERIODS];   /* mean share held */
	double queue[LW_LOAD_PERIODS]; /* mean jobs waiting */
	double asked[LW_LOAD_PERIODS]; /* unit-seconds submitted, of those there are */
};

/*
 * RET_QUEUE, with room for each job of LOG, gets how many jobs were waiting when it was
 * submitted; it is left alone without waits. -ENOMEM.
 */
int lw_load_of(const struct lw_joblog *log, struct lw_load *ret_load, uint32_t *ret_queue);

#endif
