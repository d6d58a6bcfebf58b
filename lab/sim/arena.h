/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: a simulator of one pool of processors, small enough to train nets in. */
#ifndef LW_LAB_SIM_ARENA_H
#define LW_LAB_SIM_ARENA_H

#include "lab/sim/published.h"
#include "measure/job.h"
#include "planner/order/order.h"

/*
 * The published rule (lab/sim/published.h), event for event as leeway sim --policy published-rl has
 * it, but some twenty times as fast: there are no snapshots, classes or plans. Orders are the
 * planner's own. An inspector is asked of the job that is first, as published: held, it is asked
 * again ten minutes later, or at the next event if that comes before; then another job may be
 * first.
 */
struct lw_arena {
	uint32_t cpus;
	enum lw_published rule; /* not LW_PUBLISHED_NOT */
	struct lw_policy_params params; /* outside is set by the run */
	struct lw_nets nets;            /* with a net for the order, that is LW_ORDER_OUTSIDE */
};

/* What runs need of memory, used again. Zeroed is empty. */
struct lw_arena_memory {
	struct lw_arena_job *jobs;
	struct lw_published_run *running;
	struct lw_published_job *queue;
	uint32_t room;
};

/*
 * Run JOBS, in order of submission, from an empty machine on: their mean bounded slowdown. -ENOMEM.
 */
int lw_arena_run(const struct lw_arena *arena, struct lw_arena_memory *memory,
		 const struct lw_sim_job *jobs, uint32_t count, double *ret_bsld);
void lw_arena_memory_fini(struct lw_arena_memory *memory);

#endif
