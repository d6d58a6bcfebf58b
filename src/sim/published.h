/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: a published simulator's discipline, to run its input beside its figures. */
#ifndef LW_SIM_PUBLISHED_H
#define LW_SIM_PUBLISHED_H

#include "planner/model/params.h"
#include "planner/model/plan.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * As in the simulator of RLScheduler (Zhang et al., SC 2020) and SchedInspector (HPDC 2022): who
 * is first in the order is chosen once, and stays first until it starts, whoever comes meanwhile.
 * Its start is estimated then, by limits, and never again. Until it starts others may pass that
 * would end strictly before the estimate; what it would leave spare then counts for nothing. An
 * inspector, where there is one, is asked before: while it holds back who would be first, nobody
 * starts.
 *
 * No cluster is to be run so. It is for comparison, on one pool of processors, with one event a
 * plan (struct lw_sim_hooks).
 */
enum lw_published {
	LW_PUBLISHED_NOT,   /* the planner plans */
	LW_PUBLISHED_NONE,  /* nobody passes */
	LW_PUBLISHED_FCFS,  /* they pass, first come first */
	LW_PUBLISHED_ORDER, /* they pass in the order of the queue */
};

struct lw_publisher {
	enum lw_published rule;
	const struct lw_policy_params *params; /* the order in it counts */
	uint32_t head;                         /* number of the job that is first, or 0 */
	int64_t estimate_s;                    /* its start */
};

/*
 * The next start of now, if there is one, into PLAN (initialised; emptied first). SNAP, which has
 * one node, knows of those before. 0 or -ENOMEM.
 */
int lw_published_plan(struct lw_publisher *publisher, const struct lw_snapshot *snap,
		      struct lw_plan *plan);

#endif
