/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: give the jobs of a made-up workload recipes (lw-recipes(5)). */
#ifndef LW_LAB_SIM_RECIPEGIVE_H
#define LW_LAB_SIM_RECIPEGIVE_H

#include "config/recipes.h"
#include "measure/workload.h"

#include <stdint.h>

/*
 * Divide NODES, which are alike, among the types of RECIPES, the last of which has what is left
 * over. How many there are in RET_TYPES.
 */
uint32_t lw_recipegive_nodes(const struct lw_recipes *recipes, const struct lw_nodes *nodes,
			     struct lw_nodes ret_types[LW_NODES_TYPES_MAX]);

/*
 * Give JOB a recipe, if it has GPUs and none yet, by SEED and its user and name: users have
 * habits. One that ends in -x8 is for jobs of 8 GPUs alone. Its limit becomes long enough for
 * the slowest type. A job that the old limit would have ended now ends at that time by itself:
 * the work stays the same.
 */
void lw_recipegive_job(struct lw_workload_job *job, const struct lw_recipes *recipes,
		       uint64_t seed);

/* How long JOB holds its nodes on an equal share of the GPUs of all TYPES; RECIPES may be NULL. */
double lw_recipegive_held_s(const struct lw_workload_job *job, const struct lw_recipes *recipes,
			    const struct lw_nodes *types, uint32_t count);

#endif
