/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the state of one planning cycle, and the steps every policy is made of. */
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
	LW_NO_HOPE,
};

enum lw_claim {
	LW_CLAIM = 1,              /* somebody waits for room on the set */
	LW_CLAIM_SELF_RESERVED = 2 /* a self-reserved job has been told its start there */
};

/* A promised start and what it keeps free. */
struct lw_reservation {
	uint32_t waiting;    /* whose it is */
	uint32_t decision;   /* in the plan */
	int64_t due_s;       /* a start that ends by then passes it as EASY would allow */
	int64_t horizon_s;   /* a start that ends by then may use its room meanwhile */
	int64_t risk_until_s; /* and one that likely ends by the horizon, if at worst by then */
	uint32_t first_held; /* its run of cycle->held */
	uint32_t held_count;
	bool guarding; /* what guarded[] of its nodes says at the moment */
	bool over;     /* its job has started after all */
};

/* The next job of a class. */
struct lw_turn {
	struct lw_rank rank;
	uint64_t seq;
	uint32_t class_number;
	uint16_t tier;
};

/* A job of a class, where these do not go by their places in the queue. */
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
 * What a policy decides of the steps that all have in common. NULL: as EASY has it. The state it
 * keeps for that is cycle->own, its own to read.
 */
struct lw_cycle_hooks {
	/* Until when may the record, promised PROMISE_S, be passed by jobs that end by then? */
	int64_t (*deadline_s)(const struct lw_cycle *cycle, uint32_t index, int64_t promise_s);
	/* Room is kept: cycle->reservations[NUMBER] is new. 0 or -ENOMEM. */
	int (*reserved)(struct lw_cycle *cycle, uint32_t number);
	/* May the record start on ALLOCS, though reservations may suffer? */
	bool (*may_delay)(const struct lw_cycle *cycle, uint32_t index,
			  const struct lw_alloc *allocs, uint32_t count);
	/* It starts there. Before the cycle takes the resources. */
	void (*starts)(struct lw_cycle *cycle, uint32_t index, const struct lw_alloc *allocs,
		       uint32_t count);
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
	struct lw_fragment *fragment;   /* NULL: nothing is known of the sizes that come */
	struct lw_release_dists
		*release_dists; /* NULL: of no running job is known how long it stays */
	struct lw_releases releases[LW_ENDS_COUNT];
	bool releases_ready[LW_ENDS_COUNT]; /* only a cycle that needs them makes them */
	struct lw_bitset *usable;           /* by set: its nodes that are up */
	uint32_t usable_count;              /* sets made */
	uint8_t *claimed;                   /* by set: bits, enum lw_claim */
	struct lw_bitset claimed_nodes;     /* usable ones of the sets with LW_CLAIM */
	struct lw_res *free;                /* by node: free now, after the starts so far */
	struct lw_index *index;             /* the nodes in order of free */
	struct lw_res *total;               /* by node */
	uint16_t *linked;                   /* by node: lw_node.linked */
	bool knows_islands;                 /* of any node */
	struct lw_res *over;                /* by node: how much more is in use than it has */
	struct lw_res *spare;  /* by reserved node: free beside the reservation, then */
	struct lw_res *future; /* scratch of the shadow search and of preemption */
	struct lw_fit_scratch fit;
	uint8_t *preempted;  /* by running job: gone for this cycle */
	uint32_t *follower;  /* by running job: 1 + the record that takes over from it, or 0 */
	uint32_t stay_tries; /* of this cycle (preempt.c) */
	uint32_t *holder;    /* by node: reservation + 1 that holds it, or 0 */
	uint32_t *held;      /* nodes of the reservations, one run each */
	uint32_t held_count, held_room;
	uint8_t *guarded;        /* by node: scratch, holder's horizon is too early */
	uint32_t *first_variant; /* by record: the first of its job; NULL: no job has two */
	uint32_t *started_as;    /* by first record: 1 + the record that started, or 0 */
	uint32_t *taken;         /* by record: tasks started; all 0 between cycles */
	uint8_t *class_failed;   /* by class: lw_cycle_fail_class() and the like alone use it */
	uint8_t *class_hope;     /* by class: an lw_hope, or 0: nobody has asked yet */
	bool *class_started;     /* by class: one of it starts in this plan */
	uint32_t *class_next;    /* by class: its first member, in turns' order, that is left */
	struct lw_reservation *reservations;
	uint32_t reservation_count, reservation_room;
	struct lw_class_queue class_queue;
	struct lw_guard *guard; /* its memory: on or off */
	struct lw_type_choices *types; /* the same */
	struct lw_scale scale;
	bool silent; /* say nothing of jobs that wait: it is said at the end */
	struct lw_bound bound;
};

/* Asked at every job: 0, or -ECANCELED when the cycle may cost no more. */
static inline int lw_cycle_go_on(const struct lw_cycle *cycle)
{
	return lw_bound_check(&cycle->bound);
}

/* When JOB, started now, ends by its hard limit. */
int64_t lw_cycle_end(const struct lw_cycle *cycle, const struct lw_waiting *job);

/* The record's promise: the first pending task's, so that a start uses it up. */
int64_t lw_cycle_promise(const struct lw_cycle *cycle, uint32_t index);

/*
 * Make cycle->releases[ENDS], of those until UNTIL_S, for this cycle, with its starts so far.
 * -ENOMEM.
 */
int lw_cycle_need_releases(struct lw_cycle *cycle, enum lw_ends ends, int64_t until_s);
/* The plan will have COUNT allocs more, for a start of the record: note when they come back. */
int lw_cycle_note_releases(struct lw_cycle *cycle, uint32_t index, uint32_t count);

/* For a shadow of JOB in ROOM, among cycle->releases[ENDS]. */
static inline struct lw_seek lw_cycle_seek(struct lw_cycle *cycle, enum lw_ends ends,
					   const struct lw_waiting *job,
					   const struct lw_room *room)
{
	return (struct lw_seek){ cycle->snap,   cycle->plan,   &cycle->releases[ends], room,
				 &job->request, cycle->placer, cycle->future };
}

/* What JOB may choose from when nothing is guarded. */
struct lw_room lw_cycle_room(struct lw_cycle *cycle, const struct lw_waiting *job);

/* May the record start at all now? If not, *ret_reason says why. */
bool lw_cycle_ready(const struct lw_cycle *cycle, uint32_t index, enum lw_reason *ret_reason);

/* The tasks of the record that have not started; 0 if another variant of it has. */
uint32_t lw_cycle_tasks_left(const struct lw_cycle *cycle, uint32_t index);

/*
 * Have its nodes, all idle, less than the record wants, by amounts alone? Then its class fails
 * for that, and answers at once from then on: thousands may wait for nodes that are down.
 */
bool lw_cycle_is_hopeless(struct lw_cycle *cycle, uint32_t index);

/*
 * Could the record's nodes hold it if nothing ran on them? Placement, which is greedy, may say no
 * where it finds a fit among fewer nodes.
 */
bool lw_cycle_ever_fits(struct lw_cycle *cycle, uint32_t index);

/* Must a start end before a reservation begins to get its nodes (struct lw_outside)? */
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

/* The class of waiting record INDEX. */
static inline const struct lw_class *lw_cycle_class(const struct lw_cycle *cycle, uint32_t index)
{
	const struct lw_queue *queue = &cycle->snap->queue;

	return &queue->classes[queue->class_of[index]];
}

/* None of the class starts now: one of it was tried in vain, for REASON. */
static inline void lw_cycle_fail_class(struct lw_cycle *cycle, uint32_t class_number,
				       enum lw_reason reason)
{
	cycle->class_failed[class_number] = (uint8_t)(reason + 1);
}

/* Has lw_cycle_fail_class() been told of the class? */
static inline bool lw_cycle_class_has_failed(const struct lw_cycle *cycle, uint32_t class_number)
{
	return cycle->class_failed[class_number] != 0;
}

/* Why; only of a class that has failed. */
static inline enum lw_reason lw_cycle_class_failure(const struct lw_cycle *cycle,
						    uint32_t class_number)
{
	return (enum lw_reason)(cycle->class_failed[class_number] - 1);
}

/* The class may be tried again. */
static inline void lw_cycle_forgive_class(struct lw_cycle *cycle, uint32_t class_number)
{
	cycle->class_failed[class_number] = 0;
}

/* Is a begin time, or LW_NO_TIME for none, still to come? */
static inline bool lw_cycle_is_ahead(const struct lw_cycle *cycle, int64_t begin_s)
{
	return begin_s != LW_NO_TIME && begin_s > cycle->snap->now_s;
}

/* Are both records of one job, which may start as either of them? */
static inline bool lw_cycle_same_job(const struct lw_cycle *cycle, uint32_t index, uint32_t other)
{
	const uint32_t *first = cycle->first_variant;

	return index == other || (first && first[index] == first[other]);
}

/* Does the plan so far keep room for a start of the record? */
bool lw_cycle_is_reserved(const struct lw_cycle *cycle, uint32_t index);

/*
 * Does nobody before the record wait for room on any of its nodes? Not only reserved
 * jobs count: when partitions overlap, one that waits behind the head of other nodes
 * heads these before long, and would break a promise made to the record.
 */
bool lw_cycle_heads_its_nodes(const struct lw_cycle *cycle, uint32_t index);

/* Is it a job whose nodes an advance reservation keeps for it until that opens? */
bool lw_cycle_is_self_reserved(const struct lw_cycle *cycle, uint32_t index);

/* Will job INDEX be preempted by the one that the room is kept for? */
bool lw_cycle_is_preemptible(const struct lw_cycle *cycle, const struct lw_reservation *resv,
			     uint32_t index);

/* The record waits for room, and so nobody behind it heads its nodes. */
void lw_cycle_claim_nodes(struct lw_cycle *cycle, uint32_t index);

/* No job waits for room, as far as is known. */
void lw_cycle_claim_nothing(struct lw_cycle *cycle);

/* A decision about the record: with the promise it has, without nodes and a latest start. */
struct lw_decision lw_cycle_decision(const struct lw_cycle *cycle, uint32_t index,
				     enum lw_verdict verdict, enum lw_reason reason,
				     int64_t start_s);

/* Say that the record waits. -ENOMEM. */
int lw_cycle_wait(struct lw_cycle *cycle, uint32_t index, enum lw_reason reason);

#endif
