/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: when plans that are not applied would have started jobs, against their true starts. */
#ifndef LW_SLURM_WATCHED_H
#define LW_SLURM_WATCHED_H

#include "base/lookup.h"
#include "planner/model/plan.h"
#include "planner/model/snapshot.h"

#include <stdint.h>

/* Further jobs are not judged. */
#define LW_WATCHED_MAX 20000

/*
 * Empty if zeroed. Each plan is of the queue as another scheduler has left it, so what is counted
 * is no simulation of Leeway: it says what that scheduler left undone at the time.
 */
struct lw_watched {
	struct lw_lookup waits; /* by job: when a plan first would have started it; 0: none yet */
	uint64_t sooner, alike; /* jobs that started: such a plan was made before, or was not */
	int64_t sooner_s;       /* by so much these starts of plans were before the true ones */
};

/* JOB has started at START_S; the first plan that would have started it is of PLAN_S. */
typedef void (*lw_watched_sooner_f)(void *arg, const struct lw_running *job, int64_t plan_s);

/*
 * PLAN is of SNAP: judge the jobs that run now, forget the jobs that do not wait any more, and
 * note the others. An array is not judged: its tasks start one after the other. SOONER is told of
 * each start that is counted as such. -ENOMEM: all are forgotten.
 */
int lw_watched_cycle(struct lw_watched *watched, const struct lw_snapshot *snap,
		     const struct lw_plan *plan, lw_watched_sooner_f sooner, void *arg);
/* Forget the jobs that wait; what was counted stays. */
void lw_watched_fini(struct lw_watched *watched);

#endif
