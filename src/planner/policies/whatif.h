/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: would a waiting job start now, if it asked for something else? */
#ifndef LW_PLANNER_WHATIF_H
#define LW_PLANNER_WHATIF_H

#include "base/why.h"
#include "planner/policies/policy.h"

/* A waiting job as it would be in another partition: set, limit, constraints and request. */
struct lw_whatif_part {
	uint32_t name; /* what a hint of it has as its value; not 0 */
	struct lw_waiting job;
};

/* Memory that is used again. All zero is empty. */
struct lw_whatif {
	/* of any of the jobs that will be asked for; borrowed, and set before each question */
	const struct lw_whatif_part *parts;
	uint32_t part_count;
	struct lw_plan plan;
	struct lw_res *used; /* by node: what runs and what the plan starts */
	uint32_t used_room;
};

void lw_whatif_fini(struct lw_whatif *whatif);

/* PLAN was made of SNAP, and jobs will be asked for. -ENOMEM. */
int lw_whatif_begin(struct lw_whatif *whatif, const struct lw_snapshot *snap,
		    const struct lw_plan *plan);
/*
 * Find what would let the job of DECISION start now: a shorter limit, another partition, fewer
 * nodes, GPUs or CPUs, nodes that it shares, another type of GPU. Each is tried by a plan
 * that POLICY makes of SNAP with that one change; SNAP is changed for it and put back. What has
 * no room anyway is not tried. HINTS[COUNT] ends with one of kind NONE if there are fewer;
 * *ret_plans is how many plans it took. 0, or -ENOMEM, or -ECANCELED as of lw_policy_cycle().
 */
int lw_whatif_find(struct lw_whatif *whatif, struct lw_policy *policy, struct lw_snapshot *snap,
		   const struct lw_decision *decision, struct lw_hint *hints,
		   uint32_t *ret_plans);

#endif
