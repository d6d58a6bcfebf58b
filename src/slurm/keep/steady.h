/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the start that is shown for a job, steady while plans waver. */
#ifndef LW_SLURM_STEADY_H
#define LW_SLURM_STEADY_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Each plan finds anew when a job has room by hard limits. Where a promise is a deadline, others
 * may use that room meanwhile, so one plan has the job at 09:24, the next at 09:33, and the one
 * after it at 09:24 again, though nothing has changed for the job. What is shown is the latest of
 * what plans had lately: a later start is shown at once, an earlier one when all plans have had
 * one for LW_STEADY_S. Whoever was shown an earlier start in vain waits twice as long for the next.
 */
#define LW_STEADY_S	600
#define LW_STEADY_MAX_S 86400

/* Zeroed: nothing was shown before. */
struct lw_steady {
	int64_t since_s; /* since then plans have had earlier starts; 0: the last had none */
	int64_t lower_s; /* the latest of these */
	int64_t wait_s;	 /* how long they must have them; 0: LW_STEADY_S */
	bool earlier;	 /* the last change was to an earlier start */
};

/*
 * The plan of NOW_S has START_S for the job, for which SHOWN_S is on show. Is START_S to be shown
 * in its place? A job that has room already but waits says nothing new until SHOWN_S has passed.
 */
bool lw_steady_takes(struct lw_steady *steady, int64_t shown_s, int64_t start_s, int64_t now_s);

#endif
