/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the waiting jobs of a snapshot, in order and in classes of equal requests. */
#ifndef LW_PLANNER_QUEUE_H
#define LW_PLANNER_QUEUE_H

#include "planner/model/job.h"

#include <stddef.h>

/*
 * Queues are full of like jobs (sweeps, users with one habit, few popular limits: Tsafrir,
 * Etsion, Feitelson, "Modeling user runtime estimates", JSSPP 2005). Jobs of one user, node set,
 * request, limit, begin time and constraints are one class: they have the same expected run
 * time, and if one of them does not fit, none does. The cost of a planner that works by class
 * follows the number of different requests, not the length of the queue.
 *
 * The queue holds indices into an array of waiting jobs that its owner keeps.
 */

struct lw_class {
#define LW_CLASS LW_MEMBER
#include "planner/model/job.def"
	struct lw_constraints constraints;
	struct lw_request request;
	uint64_t hash;			/* of all these */
	struct lw_expectation expected; /* its mean is never 0 */
	uint64_t task_count;		/* of its ready jobs together */
	uint32_t *members; /* its ready jobs in order of addition */
	uint32_t member_count, member_room;
	uint32_t active_pos; /* its place in queue->active while it has members */
};

struct lw_queue {
	uint32_t *order; /* all jobs in order of addition */
	uint32_t count, order_room;
	struct lw_class *classes;
	uint32_t class_count, class_room;
	uint32_t *active; /* classes that have members, in no order */
	uint32_t active_count, active_room;
	uint32_t *slots; /* hash table of classes: index + 1, or 0 */
	uint32_t slot_count;
	uint32_t *class_of; /* by job */
	uint64_t *seq;	    /* by job: place in the order of addition */
	uint32_t class_of_room, seq_room;
	uint64_t next_seq;
};

void lw_queue_fini(struct lw_queue *queue);
/* Forget the jobs; classes stay known, without members, until fini. */
void lw_queue_clear(struct lw_queue *queue);

/* Set what is expected of jobs of CLASS; a mean of 0 means their time limit. */
void lw_class_expect(struct lw_class *class, const struct lw_expectation *expected);

/* Put job INDEX of JOBS at the end. -ENOMEM leaves the queue as it was. */
int lw_queue_add(struct lw_queue *queue, const struct lw_waiting *jobs, uint32_t index);
/* Put it at the place of SEQ, which no other job may have, in the order of addition. */
int lw_queue_insert(struct lw_queue *queue, const struct lw_waiting *jobs, uint32_t index,
		    uint64_t seq);
/*
 * Take out job INDEX, which must be in the queue. O(log n) to find, and the moves of two arrays.
 */
void lw_queue_remove(struct lw_queue *queue, const struct lw_waiting *jobs, uint32_t index);

#endif
