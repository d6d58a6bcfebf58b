/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the state of one planning cycle, and the steps every policy is made of. */
#ifndef LW_PLANNER_WALK_H
#define LW_PLANNER_WALK_H

#include "planner/cycle/bound.h"
#include "planner/order/order.h"
#include "planner/place/fit.h"
#include "planner/place/place.h"
#include "planner/policies/policy.h"
#include "planner/time/shadow.h"

struct lw_walk;

#define LW_NO_RESERVATION UINT32_MAX

enum lw_hope {
	LW_HOPE = 1,
	LW_NO_HOPE,
};

enum lw_claim {
	LW_CLAIM = 1,	       /* somebody waits for room on the set */
	LW_CLAIM_SHELTERED = 2 /* a sheltered job has been told its start there */
};

/* A promised start and what it keeps free. */
struct lw_reservation {
	uint32_t waiting;    /* whose it is */
	uint32_t decision;   /* in the plan */
	int64_t due_s;	     /* a start that ends by then passes it as EASY would allow */
	int64_t horizon_s;   /* a start that ends by then may use its room meanwhile */
	int64_t owed_s;	     /* the wait it was promised */
	double risked_s;     /* expected lateness that this cycle's risks may bring it */
	uint32_t first_held; /* its run of walk->held */
	uint32_t held_count;
	bool guarding; /* what guarded[] of its nodes says at the moment */
	bool over;     /* its job has started after all */
};

/* The next job of a class. */
struct lw_turn {
	double key;
	uint64_t seq;
	uint32_t class_number;
	uint16_t tier;
};

/* A heap of them: planner/order/turns.h. */
struct lw_turns {
	double (*key)(const struct lw_walk *walk, const struct lw_class *class,
		      const struct lw_waiting *job);
	struct lw_turn *heap;
	uint32_t count, room;
};

/* How many are kept room for beside the promises, and how many are looked at for that. */
#define LW_FAVOURS_MAX	     3
#define LW_FAVOURS_TRIED_MAX 8

/* A job that is to get room before longer ones take it: planner/cycle/favour.h. */
struct lw_favour {
	uint32_t waiting;
	double run_s;		 /* expected of it */
	int64_t start_s;	 /* when it is expected to have room */
	struct lw_demand spare; /* what others may hold then */
};

struct lw_favours {
	struct lw_favour items[LW_FAVOURS_MAX];
	uint32_t count;
	uint32_t passed[LW_FAVOURS_TRIED_MAX]; /* had no room in their turn */
	uint32_t passed_count, tried;	       /* tried: those of passed that were looked at */
	int64_t until_s; /* nobody gives way to one that has room later */
};

/* When part of a node comes free: planner/cycle/whole.h. */
struct lw_whole {
	uint32_t widest;       /* the most nodes that a job asks for which may want whole ones */
	uint32_t class_number; /* if any: who needs whole nodes */
	bool any;
	uint32_t set; /* of the nodes, and the type of the GPUs, that these are of */
	int type;
	bool room_known[LW_FRAGMENT_GPUS + 1]; /* by GPUs */
	double room_s[LW_FRAGMENT_GPUS + 1];
};

/* The arrays live in the policy and are used again. */
struct lw_walk {
	const struct lw_policy_params *params;
	const struct lw_snapshot *snap;
	struct lw_plan *plan;
	struct lw_placer *placer;
	const struct lw_grades *grades; /* NULL: all nodes weigh the same */
	struct lw_fragment *fragment; /* NULL: nothing is known of the sizes that come */
	struct lw_drains *drains;     /* NULL: of no running job is known how long it stays */
	struct lw_releases releases[LW_ENDS_COUNT];
	bool releases_ready[LW_ENDS_COUNT]; /* only a cycle that needs them makes them */
	struct lw_bitset *usable; /* by set: its nodes that are up */
	uint32_t usable_count;	  /* sets made */
	uint8_t *claimed;	  /* by set: bits, enum lw_claim */
	struct lw_res *free;	  /* by node: free now, after the starts so far */
	struct lw_index *index;	  /* the nodes in order of free */
	struct lw_res *total;	  /* by node */
	uint16_t *linked;	  /* by node: lw_node.linked */
	bool knows_islands;	  /* of any node */
	struct lw_res *over;	  /* by node: how much more is in use than it has */
	struct lw_res *spare;	  /* by reserved node: free beside the reservation, then */
	struct lw_res *future;	  /* scratch of the shadow search and of preemption */
	struct lw_fit_scratch fit;
	uint8_t *preempted;	  /* by running job: gone for this cycle */
	uint32_t stay_tries;	  /* of this cycle (preempt.c) */
	uint32_t *holder;	  /* by node: reservation + 1 that holds it, or 0 */
	uint32_t *held;		  /* nodes of the reservations, one run each */
	uint32_t held_count, held_room;
	uint8_t *guarded;	 /* by node: scratch, holder's horizon is too early */
	uint32_t *first_variant; /* by record: the first of its job; NULL: no job has two */
	uint32_t *started_as;	 /* by first record: 1 + the record that started, or 0 */
	uint32_t *taken;	 /* by record: tasks started; all 0 between cycles */
	uint8_t *class_failed;	 /* by class: lw_walk_fail_class() and the like alone use it */
	uint8_t *class_hope;	 /* by class: an lw_hope, or 0: nobody has asked yet */
	bool *class_started;	 /* by class: one of it starts in this plan */
	uint32_t *class_next;	 /* by class: its first member that has not started */
	struct lw_reservation *reservations;
	uint32_t reservation_count, reservation_room;
	struct lw_turns turns;
	struct lw_favours favours;
	struct lw_whole whole;
	struct lw_scale scale;
	double *backlog;    /* by set: width of its jobs that wait; NULL: not needed */
	bool queue_blocked; /* FCFS: somebody waits for room */
	bool silent;	    /* say nothing of jobs that wait: it is said at the end */
	struct lw_bound bound;
};

/* Asked at every job: 0, or -ECANCELED when the cycle may cost no more. */
static inline int lw_walk_go_on(const struct lw_walk *walk)
{
	return lw_bound_check(&walk->bound);
}

/* When JOB, started now, ends by its hard limit. */
int64_t lw_walk_end(const struct lw_walk *walk, const struct lw_waiting *job);

/* The record's promise: the first pending task's, so that a start uses it up. */
int64_t lw_walk_promise(const struct lw_walk *walk, uint32_t index);

/* Make walk->releases[ENDS] for this cycle, with its starts so far. -ENOMEM. */
int lw_walk_need_releases(struct lw_walk *walk, enum lw_ends ends);

/* What JOB may choose from when nothing is guarded. */
struct lw_room lw_walk_room(struct lw_walk *walk, const struct lw_waiting *job);

/* May the record start at all now? If not, *ret_reason says why. */
bool lw_walk_ready(const struct lw_walk *walk, uint32_t index, enum lw_reason *ret_reason);

/* The tasks of the record that have not started; 0 if another variant of it has. */
uint32_t lw_walk_tasks_left(const struct lw_walk *walk, uint32_t index);

/*
 * Have its nodes, all idle, less than the record wants, by amounts alone? Then its class fails for
 * that, and answers at once from then on: thousands may wait for nodes that are down.
 */
bool lw_walk_is_hopeless(struct lw_walk *walk, uint32_t index);

/*
 * Could the record's nodes hold it if nothing ran on them? Placement, which is greedy, may say no
 * where it finds a fit among fewer nodes.
 */
bool lw_walk_ever_fits(struct lw_walk *walk, uint32_t index);

/* The reservation that holds NODE, or NULL. */
static inline const struct lw_reservation *lw_walk_holder(const struct lw_walk *walk, uint32_t node)
{
	return walk->holder[node] ? &walk->reservations[walk->holder[node] - 1] : NULL;
}

/* The class of waiting record INDEX. */
static inline const struct lw_class *lw_walk_class(const struct lw_walk *walk, uint32_t index)
{
	const struct lw_queue *queue = &walk->snap->queue;

	return &queue->classes[queue->class_of[index]];
}

/* None of the class starts now: one of it was tried in vain, for REASON. */
static inline void lw_walk_fail_class(struct lw_walk *walk, uint32_t class_number,
				      enum lw_reason reason)
{
	walk->class_failed[class_number] = (uint8_t)(reason + 1);
}

/* Has lw_walk_fail_class() been told of the class? */
static inline bool lw_walk_class_has_failed(const struct lw_walk *walk, uint32_t class_number)
{
	return walk->class_failed[class_number] != 0;
}

/* Why; only of a class that has failed. */
static inline enum lw_reason lw_walk_class_failure(const struct lw_walk *walk,
						   uint32_t class_number)
{
	return (enum lw_reason)(walk->class_failed[class_number] - 1);
}

/* The class may be tried again. */
static inline void lw_walk_forgive_class(struct lw_walk *walk, uint32_t class_number)
{
	walk->class_failed[class_number] = 0;
}

/* Is a begin time, or LW_NO_TIME for none, still to come? */
static inline bool lw_walk_is_ahead(const struct lw_walk *walk, int64_t begin_s)
{
	return begin_s != LW_NO_TIME && begin_s > walk->snap->now_s;
}

/* Are both records of one job, which may start as either of them? */
static inline bool lw_walk_same_job(const struct lw_walk *walk, uint32_t index, uint32_t other)
{
	const uint32_t *first = walk->first_variant;

	return index == other || (first && first[index] == first[other]);
}

/* Does the plan so far keep room for a start of the record? */
bool lw_walk_is_reserved(const struct lw_walk *walk, uint32_t index);

/*
 * Does nobody before the record wait for room on any of its nodes? Not only reserved
 * jobs count: when partitions overlap, one that waits behind the head of other nodes
 * heads these before long, and would break a promise made to the record.
 */
bool lw_walk_heads_its_nodes(const struct lw_walk *walk, uint32_t index);

/* Is it a job whose nodes an advance reservation keeps for it until that opens? */
bool lw_walk_is_sheltered(const struct lw_walk *walk, uint32_t index);

/* The record waits for room, and so nobody behind it heads its nodes. */
void lw_walk_claim_nodes(struct lw_walk *walk, uint32_t index);

/*
 * Find room for one start of the record: beside every reservation whose horizon the
 * job would outlive, but for its own; or, under leeway, where the risk to a reservation is
 * worth it (planner/cycle/risk.h). -ENOSPC with the reason, which then holds for
 * its whole class: free resources only shrink in a cycle.
 */
int lw_walk_find_room(struct lw_walk *walk, uint32_t index, const struct lw_alloc **ret_allocs,
		      uint32_t *ret_count, enum lw_reason *ret_reason);

/* Start one task there. The reservations of its job, if any, are over. -ENOMEM. */
int lw_walk_start(struct lw_walk *walk, uint32_t index, enum lw_reason reason,
		  const struct lw_alloc *allocs, uint32_t count);

/* A decision about the record: with the promise it has, without nodes and a latest start. */
struct lw_decision lw_walk_decision(const struct lw_walk *walk, uint32_t index,
				    enum lw_verdict verdict, enum lw_reason reason,
				    int64_t start_s);

/* Why a start that passes reserved jobs is no harm: backfilled, or relaxed. */
enum lw_reason lw_walk_passing(const struct lw_walk *walk, uint32_t index,
			       const struct lw_alloc *allocs, uint32_t count);

/* Say that the record waits. -ENOMEM. */
int lw_walk_wait(struct lw_walk *walk, uint32_t index, enum lw_reason reason);

#endif
