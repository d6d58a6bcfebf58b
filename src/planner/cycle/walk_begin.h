/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the memory of a planner, made ready for a cycle. */
#ifndef LW_PLANNER_WALK_BEGIN_H
#define LW_PLANNER_WALK_BEGIN_H

#include "planner/cycle/walk.h"
#include "planner/model/grade.h"

/* All zero but for what lw_walk_init() does is empty. */
struct lw_walk_memory {
	struct lw_walk walk;
	uint32_t node_room;    /* nodes the arrays of the walk are made for */
	uint32_t preempted_room, failed_room, hope_room, started_room, next_room, taken_room;
	struct lw_fragment fragment; /* the walk's, where it is needed */
	struct lw_grades grades; /* likewise */
	struct lw_drains drains; /* likewise */
	uint32_t variant_room, as_room, by_job_room;
	uint32_t *first_variant, *started_as; /* the walk's, while jobs have variants */
	uint32_t *by_job;      /* scratch: waiting records in order of job */
};

/* Before its first cycle, all zero; fini frees what it holds. */
void lw_walk_init(struct lw_walk_memory *memory);
void lw_walk_fini(struct lw_walk_memory *memory);

/*
 * Make memory->walk ready to plan SNAP into PLAN as PARAMS say, all borrowed: what is free, the
 * sets, all that is by node or class. -ENOMEM.
 */
int lw_walk_begin(struct lw_walk_memory *memory, const struct lw_policy_params *params,
		  const struct lw_snapshot *snap, struct lw_plan *plan);
/* After the walk, which ended with RC: make walk->taken all 0 again. */
void lw_walk_done(struct lw_walk_memory *memory, int rc);

#endif
