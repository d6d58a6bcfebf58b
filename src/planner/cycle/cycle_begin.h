/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the memory of a planner, made ready for a cycle. */
#ifndef LW_PLANNER_CYCLE_BEGIN_H
#define LW_PLANNER_CYCLE_BEGIN_H

#include "planner/cycle/cycle.h"
#include "planner/cycle/type.h"
#include "planner/model/grade.h"

/* Empty if all zero, except for what lw_cycle_init() sets. */
struct lw_cycle_memory {
	struct lw_cycle cycle;
	uint32_t node_room; /* nodes the arrays of the cycle are made for */
	uint32_t preempted_room, follower_room, failed_room, hope_room, started_room;
	uint32_t next_room, taken_room;
	struct lw_guard guard;                 /* the cycle's */
	struct lw_type_choices types;          /* likewise */
	struct lw_fragment fragment;           /* the cycle's, if needed */
	struct lw_grades grades;               /* likewise */
	struct lw_release_dists release_dists; /* likewise */
	uint32_t variant_room, as_room, by_job_room;
	uint32_t *first_variant, *started_as; /* the cycle's, if any job has variants */
	uint32_t *by_job;                     /* scratch: waiting records in order of job */
};

/* Call it on zeroed memory before the first cycle. */
void lw_cycle_init(struct lw_cycle_memory *memory);
void lw_cycle_fini(struct lw_cycle_memory *memory);

/*
 * Make memory->cycle ready to plan SNAP into PLAN by PARAMS, all borrowed: free amounts, node
 * sets, arrays by node or class. -ENOMEM.
 */
int lw_cycle_begin(struct lw_cycle_memory *memory, const struct lw_policy_params *params,
		   const struct lw_snapshot *snap, struct lw_plan *plan);
/* After a cycle that returned RC: make cycle->taken all 0 again. */
void lw_cycle_done(struct lw_cycle_memory *memory, int rc);

#endif
