/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the state of one planning cycle, and the steps that policies are made of. */
#ifndef LW_PLANNER_CYCLE_H
#define LW_PLANNER_CYCLE_H

#include "planner/cycle/bound.h"
#include "planner/cycle/guard.h"
#include "planner/model/outside.h"
#include "planner/model/params.h"
#include "planner/order/order.h"
#include "planner/place/release_dist.h"
#include "planner/place/fit.h"
#include "planner/place/place.h"
#include "planner/time/shadow.h"

struct lw_cycle;
struct lw_type_choices;

#define LW_NO_RESERVATION UINT32_MAX

enum lw_hope {
	LW_HOPE = 1,
	LW_HOPE_LATER, /* once nodes that are down or drained are back */
	LW_NO_HOPE,
};

enum lw_claim {
	LW_CLAIM = 1,              /* a job waits for room on the set */
	LW_CLAIM_SELF_RESERVED = 2 /* a self-reserved job has a planned start there */
};

/* A promised start and what it keeps free. */
struct lw_reservation {
	uint32_t waiting;    /* the record that it is for */
	uint32_t decision;   /* in the plan */
	int64_t due_s;       /* a job that ends by then may use the nodes, as under EASY */
	int64_t horizon_s;   /* a job that ends by then may use the room until then */
	int64_t risk_until_s; /* and a job that likely ends by the horizon, if at worst by
			       * then */
	uint32_t first_held; /* its run of cycle->held */
	uint32_t held_count;
	bool over; /* its job has started */
};

/* The next job of a class. */
struct lw_turn {
	struct lw_rank rank;
	uint64_t seq;
	uint32_t class_number;
	uint16_t tier;
};

/* A job of a class that does not keep queue order. */
struct lw_turn_member {
	struct lw_rank rank;
	uint64_t seq;
	uint32_t index;
};

/* A heap of turns: planner/cycle/class_queue.h. */
struct lw_class_queue {
	struct lw_rank (*key)(const struct lw_cycle *cycle, const struct lw_class *class,
			      const struct lw_waiting *job);
	struct lw_turn *heap;
	uint32_t count, room;
	bool by_job;                    /* of this cycle: */
	struct lw_turn_member *members; /* those of each class in order */
	uint32_t *first;                /* by class: its run of members */
	uint32_t member_room, first_room;
};

/*
 * The policy's part of the common steps. NULL: as under EASY. The policy's state is cycle->own,
 * which only the policy reads.
 */
struct lw_cycle_hooks {
	/* Until when may jobs that end by then pass the record, promised PROMISE_S? */
	int64_t (*deadline_s)(const struct lw_cycle *cycle, uint32_t index, int64_t promise_s);
	/* cycle->reservations[NUMBER] is new. 0 or -ENOMEM. */
	int (*reserved)(struct lw_cycle *cycle, uint32_t number);
	/* May the record start on ALLOCS although that may delay reservations? */
	bool (*may_delay)(const struct lw_cycle *cycle, uint32_t index,
			  const struct lw_alloc *allocs, uint32_t count);
	/* The record starts there. Called before the cycle takes the resources. */
	void (*starts)(struct lw_cycle *cycle, uint32_t index, const struct lw_alloc *allocs,
		       uint32_t count);
	/* For which record do later jobs that end after END_S leave room? lw_lookahead_first() */
	int (*drains)(struct lw_cycle *cycle, uint32_t *ret_index, int64_t *ret_end_s);
};

/* The arrays live in struct lw_cycle_memory and are used again. */
struct lw_cycle {
	const struct lw_policy_params *params;
	const struct lw_cycle_hooks *hooks;
	void *own; /* the policy's */
	const struct lw_snapshot *snap;
	struct lw_plan *plan;
	struct lw_placer *placer;
	const struct lw_grades *grades; /* NULL: all nodes weigh the same */
	struct lw_fragment *fragment;   /* NULL: the mix is empty */
	struct lw_release_dists
		*release_dists; /* NULL: no survival of a running job is known */
	struct lw_releases releases[LW_ENDS_COUNT];
	bool releases_ready[LW_ENDS_COUNT]; /* made only if the cycle needs them */
	struct lw_bitset *usable;           /* by set: its nodes that are up */
	uint32_t usable_count;              /* number of sets made */
	uint8_t *claimed;                   /* by set: bits, enum lw_claim */
	struct lw_bitset claimed_nodes;     /* usable nodes of the sets with LW_CLAIM */
	struct lw_res *free;                /* by node: free now, after the starts so far */
	struct lw_res_sum all_free;         /* on all nodes together */
	struct lw_index *index;             /* the nodes in order of free */
	struct lw_res *total;               /* by node */
	uint16_t *linked;                   /* by node: lw_node.linked */
	bool knows_islands;                 /* does any node say its islands? */
	struct lw_res *over;                /* by node: amount in use beyond its size */
	struct lw_res *spare;  /* by reserved node: free at the reservation's start, beside it */
	struct lw_res *future; /* scratch of the shadow search and of preemption */
	struct lw_fit_scratch fit;
	uint8_t *preempted;  /* by running job: preempted in this cycle */
	uint32_t *follower;  /* by running job: 1 + the record that takes over from it, or 0 */
	uint32_t followers;  /* how many there are */
	uint32_t stay_tries; /* of this cycle (preempt.c) */
	uint32_t *holder;    /* by node: 1 + the reservation that holds it, or 0 */
	uint32_t *held;      /* nodes of the reservations, one run each */
	uint32_t held_count, held_room;
	uint8_t *guarded;        /* by holder: scratch; its horizon is too early */
	uint32_t guarded_room;
	uint32_t *first_variant; /* by record: the first of its job; NULL: no job has two */
	uint32_t *started_as;    /* by first record: 1 + the record that started, or 0 */
	uint32_t *taken;         /* by record: tasks started; all 0 between cycles */
	uint8_t *class_failed;   /* by class: 1 + the reason; set by lw_cycle_fail_class() and
				  * the functions beside it */
	uint8_t *class_hope;     /* by class: an lw_hope, or 0: not known yet */
	bool *class_started;     /* by class: a job of it starts in this plan */
	uint32_t *class_next;    /* by class: its first remaining member, in order of turns */
	struct lw_reservation *reservations;
	uint32_t reservation_count, reservation_room;
	struct lw_class_queue class_queue;
	struct lw_guard *guard; /* on or off */
	struct lw_type_choices *types; /* on or off */
	struct lw_scale scale;
	bool silent; /* leave waiting jobs out until the end */
	struct lw_bound bound;
};

/* Called at every job: 0, or -ECANCELED if the cycle may cost no more. */
static inline int lw_cycle_go_on(const struct lw_cycle *cycle)
{
	return lw_bound_check(&cycle->bound);
}

/* The hard end of JOB, started now. */
int64_t lw_cycle_end(const struct lw_cycle *cycle, const struct lw_waiting *job);

/* The record's promise. It is that of the first pending task, so a start uses it up. */
int64_t lw_cycle_promise(const struct lw_cycle *cycle, uint32_t index);

/* Make cycle->releases[ENDS] up to UNTIL_S for this cycle, with its starts so far. -ENOMEM. */
int lw_cycle_need_releases(struct lw_cycle *cycle, enum lw_ends ends, int64_t until_s);
/*
 * Note when the COUNT allocs that the plan will have next, a start of the record, are released.
 */
int lw_cycle_note_releases(struct lw_cycle *cycle, uint32_t index, uint32_t count);

/* The input of a search for a shadow of JOB in ROOM, among cycle->releases[ENDS]. */
static inline struct lw_seek lw_cycle_seek(struct lw_cycle *cycle, enum lw_ends ends,
					   const struct lw_waiting *job,
					   const struct lw_room *room)
{
	return (struct lw_seek){ cycle->snap,   cycle->plan,   &cycle->releases[ends], room,
				 &job->request, cycle->placer, cycle->future };
}

/* What JOB may choose from if nothing is guarded. */
struct lw_room lw_cycle_room(struct lw_cycle *cycle, const struct lw_waiting *job);

/* May the record start now at all? If not, *ret_reason is the reason. */
bool lw_cycle_ready(const struct lw_cycle *cycle, uint32_t index, enum lw_reason *ret_reason);

/*
 * The number of tasks of the record that have not started; 0 if another variant of the job has.
 */
static inline uint32_t lw_cycle_tasks_left(const struct lw_cycle *cycle, uint32_t index)
{
	if (cycle->first_variant) {
		uint32_t started_as = cycle->started_as[cycle->first_variant[index]];

		if (started_as && started_as != index + 1)
			return 0;
	}
	return cycle->snap->waiting[index].tasks - cycle->taken[index];
}

/*
 * Do all of the record's nodes together, idle, have less than it wants? Then its class fails for
 * that reason, so that later calls are cheap: thousands of jobs may wait for nodes that are
 * down.
 */
bool lw_cycle_is_hopeless(struct lw_cycle *cycle, uint32_t index);

/*
 * Could the record's nodes hold it if they were idle? The greedy placement may say no although a
 * fit exists.
 */
bool lw_cycle_ever_fits(struct lw_cycle *cycle, uint32_t index);

/* Must a start on reserved nodes end before the reservation begins (struct lw_outside)? */
static inline bool lw_cycle_ends_before(const struct lw_cycle *cycle)
{
	return cycle->params->outside && cycle->params->outside->ends_before;
}

/* The reservation that holds NODE, or NULL. */
static inline const struct lw_reservation *lw_cycle_holder(const struct lw_cycle *cycle,
							   uint32_t node)
{
	return cycle->holder[node] ? &cycle->reservations[cycle->holder[node] - 1] : NULL;
}

/* Waiting record INDEX. */
static inline const struct lw_waiting *lw_cycle_job(const struct lw_cycle *cycle, uint32_t index)
{
	return &cycle->snap->waiting[index];
}

/* The class of waiting record INDEX. */
static inline const struct lw_class *lw_cycle_class(const struct lw_cycle *cycle, uint32_t index)
{
	const struct lw_queue *queue = &cycle->snap->queue;

	return &queue->classes[queue->class_of[index]];
}

/* No job of the class starts now: one of it did not fit, for REASON. */
static inline void lw_cycle_fail_class(struct lw_cycle *cycle, uint32_t class_number,
				       enum lw_reason reason)
{
	cycle->class_failed[class_number] = (uint8_t)(reason + 1);
}

/* Has lw_cycle_fail_class() been called for the class? */
static inline bool lw_cycle_class_has_failed(const struct lw_cycle *cycle, uint32_t class_number)
{
	return cycle->class_failed[class_number] != 0;
}

/* The reason; only for a class that has failed. */
static inline enum lw_reason lw_cycle_class_failure(const struct lw_cycle *cycle,
						    uint32_t class_number)
{
	return (enum lw_reason)(cycle->class_failed[class_number] - 1);
}

/* Let the class be tried again. */
static inline void lw_cycle_forgive_class(struct lw_cycle *cycle, uint32_t class_number)
{
	cycle->class_failed[class_number] = 0;
}

/* Is BEGIN_S, LW_NO_TIME for none, in the future? */
static inline bool lw_cycle_is_ahead(const struct lw_cycle *cycle, int64_t begin_s)
{
	return begin_s != LW_NO_TIME && begin_s > cycle->snap->now_s;
}

/* Are both records variants of one job? */
static inline bool lw_cycle_same_job(const struct lw_cycle *cycle, uint32_t index, uint32_t other)
{
	const uint32_t *first = cycle->first_variant;

	return index == other || (first && first[index] == first[other]);
}

/* Does the plan so far keep room for the record? */
bool lw_cycle_is_reserved(const struct lw_cycle *cycle, uint32_t index);

/*
 * Does no job ahead of the record wait for room on any of its nodes? Reserved jobs are not the
 * only ones that count. If partitions overlap, a job that waits behind the head of other nodes
 * may soon head these nodes, and would break a promise made to the record.
 */
bool lw_cycle_heads_its_nodes(const struct lw_cycle *cycle, uint32_t index);

/* What is free on NODE has changed from BEFORE. */
void lw_cycle_note_free(struct lw_cycle *cycle, uint32_t node, const struct lw_res *before);

/* Does an advance reservation keep its nodes for it until the reservation begins? */
bool lw_cycle_is_self_reserved(const struct lw_cycle *cycle, uint32_t index);

/* May the job that RESV is for preempt record INDEX? */
bool lw_cycle_is_preemptible(const struct lw_cycle *cycle, const struct lw_reservation *resv,
			     uint32_t index);

/* The record waits for room, so no job behind it heads its nodes. */
void lw_cycle_claim_nodes(struct lw_cycle *cycle, uint32_t index);

/* No job is known to wait for room. */
void lw_cycle_claim_nothing(struct lw_cycle *cycle);

/* A decision about the record, with its promise, without nodes and latest start. */
struct lw_decision lw_cycle_decision(const struct lw_cycle *cycle, uint32_t index,
				     enum lw_verdict verdict, enum lw_reason reason,
				     int64_t start_s);

/* Add a decision: the record waits. -ENOMEM. */
int lw_cycle_wait(struct lw_cycle *cycle, uint32_t index, enum lw_reason reason);

#endif
