/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: would a waiting job start now, if it asked for something else? */
#ifndef LW_PLANNER_WHATIF_H
#define LW_PLANNER_WHATIF_H

#include "base/why.h"
#include "planner/policies/policy.h"

/* A waiting job in another partition: with that set, limit, constraints and request. */
struct lw_whatif_part {
	uint32_t name; /* what a hint of it has as its value; not 0 */
	struct lw_waiting job;
};

/* Memory that is used again. All zero is empty. */
struct lw_whatif {
	/* for any job that will be asked about; borrowed, set before each question */
	const struct lw_whatif_part *parts;
	uint32_t part_count;
	/* the nodes on which each hint of the last question starts the job */
	struct lw_bitset where[LW_WHY_HINTS];
	struct lw_plan plan;
	struct lw_res *used; /* by node: running jobs and the starts of the plan */
	uint32_t used_room;
};

void lw_whatif_fini(struct lw_whatif *whatif);

/* Begin with PLAN, made from SNAP. -ENOMEM. */
int lw_whatif_begin(struct lw_whatif *whatif, const struct lw_snapshot *snap,
		    const struct lw_plan *plan);
/*
 * Find changes with which the job of DECISION would start now: a shorter limit, another
 * partition, fewer nodes, GPUs or CPUs, shared nodes, another type of GPU. POLICY plans SNAP
 * with one change at a time; SNAP is changed for that and restored. A change that gives no room
 * is not tried. If there are fewer than COUNT hints, HINTS ends with one of kind NONE.
 * *ret_plans is the number of plans made. 0, -ENOMEM, or -ECANCELED as from lw_policy_cycle().
 */
int lw_whatif_find(struct lw_whatif *whatif, struct lw_policy *policy, struct lw_snapshot *snap,
		   const struct lw_decision *decision, struct lw_hint *hints,
		   uint32_t *ret_plans);

#endif
