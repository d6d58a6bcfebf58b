/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: jobs that wait for faster GPUs, or leave them to other jobs: select.type. */
#ifndef LW_PLANNER_CYCLE_TYPE_H
#define LW_PLANNER_CYCLE_TYPE_H

#include "planner/cycle/class_queue.h"
#include "planner/cycle/cycle.h"
#include "planner/place/type.h"

/*
 * Before any job starts, the jobs that may have GPUs of several types are divided among the
 * types (planner/place/type.h), by expected run times and ends. A job then starts only on a type
 * that was given to it or to a job of its class, so it may wait although there is room. Each
 * start of a class uses up one of the tasks given to the type.
 *
 * The division uses expected run times; hard limits guard the promise. A job that heads its
 * nodes and waits by choice is promised a start, on any type, for the time at which further
 * waiting would begin to cost: until then it ends no later than on the type that it could have
 * at once. From its promise on it takes any free type.
 */

/* The state of a class in this cycle. */
struct lw_type_class {
	uint32_t types;                  /* bits: the types that it may have; 0: it has no
					  * choice */
	uint32_t left[LW_GPU_TYPES_MAX]; /* tasks given to the type that have not started */
	int64_t until_s; /* how long its next job may wait if it has room on another type */
	bool shared;     /* jobs of it have other variants, which may also start */
	struct lw_type_choice choice; /* of its first job */
};

struct lw_type_choices {
	bool on;
	struct lw_types_plan plan;
	struct lw_type_class *classes;
	struct lw_turn_member *members; /* the jobs in order */
	uint32_t class_room, member_room, searches;
};

void lw_type_fini(struct lw_type_choices *choices);

/*
 * Divide the jobs, which take their turns by KEY; does nothing unless the settings ask for it.
 * SHORTEST: KEY puts short jobs first, so that the turns follow the second division, which does
 * the same. -ENOMEM.
 */
int lw_type_begin(struct lw_cycle *cycle, lw_class_queue_key_f key, bool shortest);

/* The types that the record may have now, as lw_room.type_mask; 0: any. */
uint32_t lw_type_mask(const struct lw_cycle *cycle, uint32_t index);
/* Until when a job with room now may wait for the type given to it. */
int64_t lw_type_until(const struct lw_cycle *cycle, uint32_t index);
/* Its slowest allowed type that is not in TRIED, as a bit; 0: none. */
uint32_t lw_type_slowest(const struct lw_cycle *cycle, uint32_t index, uint32_t tried);
/*
 * The record has room on ALLOCS, of a type not given to it: does it still wait? Costs a search
 * for a shadow time, which overwrites ALLOCS. -ENOMEM.
 */
int lw_type_declines(struct lw_cycle *cycle, uint32_t index, const struct lw_alloc *allocs,
		     uint32_t count, bool *ret_declines);
/* A task of the record starts there. */
void lw_type_started(struct lw_cycle *cycle, uint32_t index, const struct lw_alloc *allocs,
		     uint32_t count);
/* The choice for the record, for the plan. */
struct lw_type_choice lw_type_choice_of(const struct lw_cycle *cycle, uint32_t index);
/* The expected run time of the class on TYPE. */
uint32_t lw_type_time_s(const struct lw_class *class, int type);
/* The type of GPUs that ALLOCS give, or LW_GPU_ANY. */
int lw_type_of(const struct lw_cycle *cycle, const struct lw_alloc *allocs, uint32_t count);

/* The GPUs necessary for a start. */
static inline uint32_t lw_type_gpus(const struct lw_request *req)
{
	uint64_t gpus = (uint64_t)req->nodes_min * req->gpus_per_node;

	if (req->gpus_total > gpus)
		gpus = req->gpus_total;
	return gpus < UINT32_MAX ? (uint32_t)gpus : UINT32_MAX;
}

/* The state of the record's class; NULL if it has no choice of types in this cycle. */
static inline struct lw_type_class *lw_type_class_at(const struct lw_cycle *cycle, uint32_t index)
{
	struct lw_type_class *class;

	if (!cycle->types->on)
		return NULL;
	class = &cycle->types->classes[cycle->snap->queue.class_of[index]];
	return class->types ? class : NULL;
}

#endif
