/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the waiting jobs one after the other in some order, by their classes. */
#ifndef LW_PLANNER_CLASS_QUEUE_H
#define LW_PLANNER_CLASS_QUEUE_H

#include "planner/cycle/cycle.h"

/*
 * A heap of the first job of each class that is wanted. A class that found no room is
 * dropped, however many jobs it has; so going through costs O(classes + starts * log classes)
 * and not by the length of the queue. Under an order that looks at each job, the first of a class
 * is the first by that order; that costs O(jobs), once a cycle, and O(jobs * log jobs) where the
 * jobs of a class come in another order than they have in the queue.
 */

/*
 * What goes first within a tier: less is earlier; ties go by the order of the snapshot. Those of
 * a higher tier go before, unless the order is that of the snapshot.
 */
typedef struct lw_rank (*lw_class_queue_key_f)(const struct lw_cycle *cycle,
					       const struct lw_class *class,
					       const struct lw_waiting *job);
/* Shall the class be gone through at all? */
typedef bool (*lw_class_queue_wanted_f)(const struct lw_cycle *cycle, uint32_t class_number,
					const void *arg);

/* What an order may look at of JOB, one of CLASS. */
static inline struct lw_order_view lw_class_queue_view(const struct lw_cycle *cycle,
						       const struct lw_class *class,
						       const struct lw_waiting *job)
{
	return (struct lw_order_view){ &cycle->scale, cycle->snap->now_s, class, job,
				       cycle->params };
}

/* By params->order. */
struct lw_rank lw_class_queue_queue_key(const struct lw_cycle *cycle,
					const struct lw_class *class,
					const struct lw_waiting *job);

/* Begin anew with the ready classes that are wanted (WANTED NULL: all). -ENOMEM. */
int lw_class_queue_begin(struct lw_cycle *cycle, lw_class_queue_key_f key,
			 lw_class_queue_wanted_f wanted, const void *arg);
/* Whose turn it is: a record with tasks left. False when nobody is left. */
bool lw_class_queue_now(struct lw_cycle *cycle, uint32_t *ret_index);
/* Its class goes on with what is left of it. */
void lw_class_queue_again(struct lw_cycle *cycle);
/* Its class is out. */
void lw_class_queue_drop(struct lw_cycle *cycle);

#endif
