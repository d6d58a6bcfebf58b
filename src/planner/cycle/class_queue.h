/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the waiting jobs one after the other in an order, class by class. */
#ifndef LW_PLANNER_CLASS_QUEUE_H
#define LW_PLANNER_CLASS_QUEUE_H

#include "planner/cycle/cycle.h"

/*
 * A heap of the first job of each wanted class. A class that finds no room is dropped, however
 * many jobs it has. So a pass costs O(classes + starts * log classes), whatever the length of
 * the queue. Under an order that looks at each job, the first job of a class is the first by
 * that order: O(jobs) once a cycle, and O(jobs * log jobs) if that order differs from the
 * queue's within a class.
 */

/*
 * The key within a tier: the least first, ties in the order of the snapshot. Jobs of a higher
 * tier go before, unless the order is that of the snapshot.
 */
typedef struct lw_rank (*lw_class_queue_key_f)(const struct lw_cycle *cycle,
					       const struct lw_class *class,
					       const struct lw_waiting *job);
/* Is the class to be gone through? */
typedef bool (*lw_class_queue_wanted_f)(const struct lw_cycle *cycle, uint32_t class_number,
					const void *arg);

/* The view of JOB, one of CLASS, for an order. */
static inline struct lw_order_view lw_class_queue_view(const struct lw_cycle *cycle,
						       const struct lw_class *class,
						       const struct lw_waiting *job)
{
	return (struct lw_order_view){ &cycle->scale, cycle->snap->now_s, class, job,
				       cycle->params };
}

/* The key by params->order. */
struct lw_rank lw_class_queue_queue_key(const struct lw_cycle *cycle,
					const struct lw_class *class,
					const struct lw_waiting *job);

/* Begin anew with the ready classes that are wanted (WANTED NULL: all). -ENOMEM. */
int lw_class_queue_begin(struct lw_cycle *cycle, lw_class_queue_key_f key,
			 lw_class_queue_wanted_f wanted, const void *arg);
/* The next job: a record with tasks left. False at the end. */
bool lw_class_queue_now(struct lw_cycle *cycle, uint32_t *ret_index);
/* Keep the class, with what is left of it. */
void lw_class_queue_again(struct lw_cycle *cycle);
/* Drop the class. */
void lw_class_queue_drop(struct lw_cycle *cycle);

#endif
