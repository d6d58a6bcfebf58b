/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: ask a job to stop, see it go, and let it run again (stop.mode). */
#ifndef LW_SLURM_STOP_H
#define LW_SLURM_STOP_H

#include "slurm/keep/stops.h"

#include <stdint.h>

/*
 * An administrator orders it by a word in the job's AdminComment (base/stop.h), which the answer
 * replaces; or a plan does (apply/lease.h). A job that has a signal of its own (--signal) gets it,
 * and requeues itself. Another one is requeued by Slurm, which sends SIGTERM first. Slurm then
 * lets the job wait for two minutes or more; the begin time is set to now, as for a job that lost
 * a node (apply/recover.h).
 */

/* What became of orders since the scheduler began; the order is that of the metrics. */
enum lw_stopped_result {
	LW_STOPPED_ASKED,
	LW_STOPPED_TOLD,
	LW_STOPPED_REFUSED,
	LW_STOPPED_BACK,
	LW_STOPPED_LATE,
	LW_STOPPED_DEAF,
	LW_STOPPED_ENDED,
	LW_STOPPED_ANEW,
	LW_STOPPED_PLANNED, /* of the asked ones: a plan ordered it */
	LW_STOPPED_WOULD,   /* the same of the told ones */
	LW_STOPPED_MOVED,   /* of these: to go elsewhere */
	LW_STOPPED_RESULTS,
};

struct lw_stopped {
	uint64_t count[LW_STOPPED_RESULTS];
	bool soon; /* a job that waits begins within moments: another cycle is to follow */
};

struct lw_history;

/*
 * With the locks of LW_LOCKS_ALL, before Slurm's queue is built: see where the jobs are that were
 * asked, let those begin that wait, and heed new orders. HISTORY
 * tells how long such jobs run; NULL: not known.
 */
void lw_stop_begin(struct lw_stops *stops, const struct lw_stop_rules *rules,
		   const struct lw_history *history, int64_t now_s, struct lw_stopped *stopped);

#endif
