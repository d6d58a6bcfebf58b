/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the published start of a job, kept steady while plans waver. */
#ifndef LW_SLURM_STEADY_H
#define LW_SLURM_STEADY_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Each plan finds anew when a job has room by hard limits. If a promise is a deadline, other
 * jobs may use that room meanwhile. So one plan has the job at 09:24, the next at 09:33, and the
 * one after it at 09:24 again, though nothing has changed for the job. The published start is
 * the latest of recent plans: a later start is published at once, an earlier one once all plans
 * of LW_STEADY_S have had one. If an earlier start proved wrong, the next one takes twice as
 * long.
 */
#define LW_STEADY_S	600
#define LW_STEADY_MAX_S 86400

/* Zeroed: nothing was published before. */
struct lw_steady {
	int64_t since_s; /* since then plans have had earlier starts; 0: the last plan had
			  * none */
	int64_t lower_s; /* the latest of these starts */
	int64_t wait_s;	 /* how long they must have them; 0: LW_STEADY_S */
	bool earlier;	 /* the last change was to an earlier start */
};

/*
 * The plan of NOW_S has START_S for the job; SHOWN_S is published. Is START_S to be published
 * instead? A job that has room but waits changes nothing until SHOWN_S has passed.
 */
bool lw_steady_takes(struct lw_steady *steady, int64_t shown_s, int64_t start_s, int64_t now_s);

#endif
