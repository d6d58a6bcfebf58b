/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: jobs that wait for faster GPUs, or leave them to others: select.type. */
#ifndef LW_PLANNER_CYCLE_TYPE_H
#define LW_PLANNER_CYCLE_TYPE_H

#include "planner/cycle/class_queue.h"
#include "planner/cycle/cycle.h"
#include "planner/place/type.h"

/*
 * Before the jobs have their turns, those that may have GPUs of several types are divided among
 * these (planner/place/type.h), by expected run times and ends. In its turn a job then starts
 * only on a type that it, or one of its class, was given. So it may wait although there is room.
 * Each start of a class uses up what it was given of the type.
 *
 * Expectations decide that; hard limits guard the promise. A job that heads its nodes and waits
 * by choice is promised a start, on any type, at which waiting would begin to cost: by then it
 * would have done as well on the type that it could have at once. From its promise on it takes
 * what is free.
 */

/* Of a class, in this cycle. */
struct lw_type_class {
	uint32_t types;                  /* bits: those that it may have; 0: it has no choice */
	uint32_t left[LW_GPU_TYPES_MAX]; /* of its tasks that were given the type, to start */
	int64_t until_s; /* how long its next may wait, if it has room on another type */
	bool shared;     /* jobs of it may also start as others of their records */
	struct lw_type_choice choice; /* of its first */
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
 * Divide the jobs, whose turns will be by KEY; nothing unless the settings ask for it. SHORTEST:
 * the short come first by that, so that the second division, which has them so, is one that their
 * turns follow. -ENOMEM.
 */
int lw_type_begin(struct lw_cycle *cycle, lw_class_queue_key_f key, bool shortest);

/* The types that the record may have now, as lw_room.type_mask; 0: any. */
uint32_t lw_type_mask(const struct lw_cycle *cycle, uint32_t index);
/* Until when a job that has room now may wait for the type that it was given. */
int64_t lw_type_until(const struct lw_cycle *cycle, uint32_t index);
/* Of the types that it may have, less TRIED, the one that is slowest to it, as a bit; 0: none. */
uint32_t lw_type_slowest(const struct lw_cycle *cycle, uint32_t index, uint32_t tried);
/*
 * It has room on ALLOCS, of a type that it was not given: does it wait all the same? Costs a
 * search of a shadow time, in which ALLOCS are lost. -ENOMEM.
 */
int lw_type_declines(struct lw_cycle *cycle, uint32_t index, const struct lw_alloc *allocs,
		     uint32_t count, bool *ret_declines);
/* One of its tasks starts there. */
void lw_type_started(struct lw_cycle *cycle, uint32_t index, const struct lw_alloc *allocs,
		     uint32_t count);
/* What was chosen for the record, for the plan. */
struct lw_type_choice lw_type_choice_of(const struct lw_cycle *cycle, uint32_t index);
/* How long the record is expected to run on TYPE. */
uint32_t lw_type_time_s(const struct lw_class *class, int type);
/* The type of GPUs that ALLOCS give, or LW_GPU_ANY. */
int lw_type_of(const struct lw_cycle *cycle, const struct lw_alloc *allocs, uint32_t count);

/* How many GPUs it takes to start. */
static inline uint32_t lw_type_gpus(const struct lw_request *req)
{
	uint64_t gpus = (uint64_t)req->nodes_min * req->gpus_per_node;

	if (req->gpus_total > gpus)
		gpus = req->gpus_total;
	return gpus < UINT32_MAX ? (uint32_t)gpus : UINT32_MAX;
}

/* What there is of the record's class, if it has a choice of types in this cycle. */
static inline struct lw_type_class *lw_type_class_at(const struct lw_cycle *cycle, uint32_t index)
{
	struct lw_type_class *class;

	if (!cycle->types->on)
		return NULL;
	class = &cycle->types->classes[cycle->snap->queue.class_of[index]];
	return class->types ? class : NULL;
}

#endif
