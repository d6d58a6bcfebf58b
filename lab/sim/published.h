/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: a published simulator's discipline, to run its input beside its figures. */
#ifndef LW_LAB_SIM_PUBLISHED_H
#define LW_LAB_SIM_PUBLISHED_H

#include "lab/sim/nets.h"
#include "planner/model/params.h"
#include "planner/model/plan.h"
#include "planner/order/width.h"

#include <stdint.h>

/*
 * As in the simulator of RLScheduler (Zhang et al., SC 2020) and SchedInspector (HPDC 2022). The
 * first job in the order is chosen once, and stays first until it starts, whatever jobs arrive
 * meanwhile. Its start is then estimated, by limits, and never again. Until it starts, other
 * jobs may pass that would end strictly before the estimate; what it would leave spare does not
 * count. An inspector, if there is one, is asked before: while it holds back the job that would
 * be first, no job starts.
 *
 * No cluster should be run this way. It is for comparison, on one pool of processors, with one
 * event a plan (struct lw_sim_hooks).
 */
enum lw_published {
	LW_PUBLISHED_NOT,   /* the planner plans */
	LW_PUBLISHED_NONE,  /* no backfilling */
	LW_PUBLISHED_FCFS,  /* backfill in order of arrival */
	LW_PUBLISHED_ORDER, /* backfill in the order of the queue */
};

struct lw_publisher {
	enum lw_published rule;
	const struct lw_policy_params *params; /* the order in it counts */
	struct lw_netrun *nets;                /* NULL: there are none; both are borrowed */
	uint32_t head;                         /* number of the job that is first, or 0 */
	int64_t estimate_s;                    /* its start */
};

struct lw_published_job {
	const struct lw_waiting *job;
	const struct lw_class *class;
	uint32_t index; /* the caller's own */
	uint32_t width; /* processors */
};

struct lw_published_run {
	int64_t limit_end_s; /* by its limit */
	uint32_t width;
	uint32_t id; /* this and the end are the arena's own */
	int64_t end_s;
};

/* The pool of processors at one event, lent. */
struct lw_published_pool {
	const struct lw_scale *scale;
	int64_t now_s;
	uint32_t free;
	const struct lw_published_job *queue; /* in order of submission */
	uint32_t queued;
	const struct lw_published_run *runs; /* in order of their ends by limit */
	uint32_t run_count;
};

enum lw_published_verdict {
	LW_PUBLISHED_NOBODY,
	LW_PUBLISHED_STARTS, /* the job that is first */
	LW_PUBLISHED_PASSES, /* another, before it */
	LW_PUBLISHED_HELD,   /* the job that would be first is held back, so no job starts */
};

/* The next start in POOL: *RET_PLACE in its queue, set unless there is none. */
enum lw_published_verdict lw_published_next(struct lw_publisher *publisher,
					    const struct lw_published_pool *pool,
					    uint32_t *ret_place);

/*
 * The next start of now, if there is one, into PLAN (initialised; emptied first). SNAP, which has
 * one node, knows of those before. 0 or -ENOMEM.
 */
int lw_published_plan(struct lw_publisher *publisher, const struct lw_snapshot *snap,
		      struct lw_plan *plan);

#endif
