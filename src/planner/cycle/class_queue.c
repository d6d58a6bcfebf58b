/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the waiting jobs one after the other in an order, class by class. */
#include "planner/cycle/class_queue.h"

#include "base/grow.h"
#include "base/heap.h"
#include "planner/order/order.h"

#include <errno.h>
#include <stdlib.h>

struct lw_rank lw_class_queue_queue_key(const struct lw_cycle *cycle,
					const struct lw_class *class,
					const struct lw_waiting *job)
{
	const struct lw_order_view view = lw_class_queue_view(cycle, class, job);

	return lw_order_rank(&view);
}

static bool class_queue_before(const struct lw_turn *a, const struct lw_turn *b)
{
	int rank;

	if (a->tier != b->tier)
		return a->tier > b->tier;
	rank = lw_rank_compare(a->rank, b->rank);
	return rank ? rank < 0 : a->seq < b->seq;
}

LW_HEAP(class_queue, struct lw_turn, class_queue_before)

/* The order of the snapshot is Slurm's, which considers tiers, and more. */
static uint16_t class_queue_tier_of(const struct lw_cycle *cycle, const struct lw_class *class)
{
	bool given = cycle->class_queue.key == lw_class_queue_queue_key &&
		     lw_queue_is_given(cycle->params);

	return given ? 0 : class->constraints.tier;
}

static int class_queue_compare_members(const void *a, const void *b)
{
	const struct lw_turn_member *x = a, *y = b;
	int rank = lw_rank_compare(x->rank, y->rank);

	if (rank)
		return rank;
	return x->seq < y->seq ? -1 : x->seq > y->seq;
}

/* The members of the class, at MEMBERS, in the order of the queue's ranks. */
static void rank_class(const struct lw_cycle *cycle, const struct lw_class *class,
		       struct lw_turn_member *members)
{
	bool sorted = true;

	for (uint32_t i = 0; i < class->member_count; i++) {
		uint32_t index = class->members[i];

		members[i] = (struct lw_turn_member){
			.rank = lw_class_queue_queue_key(cycle, class,
							 &cycle->snap->waiting[index]),
			.seq = cycle->snap->queue.seq[index],
			.index = index,
		};
		sorted &= !i || class_queue_compare_members(&members[i - 1], &members[i]) < 0;
	}
	if (!sorted)
		qsort(members, class->member_count, sizeof(*members),
		      class_queue_compare_members);
}

/* Once a cycle: ranks do not change during it. */
static int class_queue_rank_members(struct lw_cycle *cycle)
{
	const struct lw_queue *queue = &cycle->snap->queue;
	struct lw_class_queue *class_queue = &cycle->class_queue;
	uint32_t count = 0;

	if (class_queue->by_job || !lw_order_is_by_job(cycle->params))
		return 0;
	if (lw_grow((void **)&class_queue->members, &class_queue->member_room, queue->count + 1,
		    sizeof(*class_queue->members)) ||
	    lw_grow((void **)&class_queue->first, &class_queue->first_room,
		    queue->class_count + 1, sizeof(*class_queue->first)))
		return -ENOMEM;
	for (uint32_t i = 0; i < queue->active_count; i++) {
		const struct lw_class *class = &queue->classes[queue->active[i]];

		class_queue->first[queue->active[i]] = count;
		rank_class(cycle, class, class_queue->members + count);
		count += class->member_count;
	}
	class_queue->by_job = true;
	return 0;
}

/* Member I of the class. */
static uint32_t class_queue_member_of(const struct lw_cycle *cycle, uint32_t number, uint32_t i)
{
	const struct lw_class_queue *class_queue = &cycle->class_queue;

	return class_queue->by_job ? class_queue->members[class_queue->first[number] + i].index
				   : cycle->snap->queue.classes[number].members[i];
}

/*
 * A record with a reservation that meets its deadline is planned; the others of its class are
 * not.
 */
static bool class_queue_has_turn(const struct lw_cycle *cycle, uint32_t index)
{
	return lw_cycle_tasks_left(cycle, index) && !lw_guard_holds(cycle, index);
}

/* The first remaining member of a class, as a turn. */
static bool class_queue_turn_of(struct lw_cycle *cycle, uint32_t number, struct lw_turn *ret_turn)
{
	const struct lw_queue *queue = &cycle->snap->queue;
	const struct lw_class *class = &queue->classes[number];
	uint32_t *next = &cycle->class_next[number];
	uint32_t index;

	while (*next < class->member_count &&
	       !class_queue_has_turn(cycle, class_queue_member_of(cycle, number, *next)))
		(*next)++;
	if (*next == class->member_count)
		return false;
	index = class_queue_member_of(cycle, number, *next);
	*ret_turn = (struct lw_turn){
		.rank = cycle->class_queue.key(cycle, class, &cycle->snap->waiting[index]),
		.seq = queue->seq[index],
		.class_number = number,
		.tier = class_queue_tier_of(cycle, class),
	};
	return true;
}

int lw_class_queue_begin(struct lw_cycle *cycle, lw_class_queue_key_f key,
			 lw_class_queue_wanted_f wanted, const void *arg)
{
	const struct lw_queue *queue = &cycle->snap->queue;
	struct lw_class_queue *class_queue = &cycle->class_queue;

	if (class_queue_rank_members(cycle) ||
	    lw_grow((void **)&class_queue->heap, &class_queue->room, queue->active_count,
		    sizeof(*class_queue->heap)))
		return -ENOMEM;
	class_queue->key = key;
	class_queue->count = 0;
	for (uint32_t i = 0; i < queue->active_count; i++) {
		uint32_t number = queue->active[i];
		const struct lw_class *class = &queue->classes[number];

		if (lw_cycle_is_ahead(cycle, class->begin_s))
			continue;
		if (wanted && !wanted(cycle, number, arg))
			continue;
		if (class_queue_turn_of(cycle, number, &class_queue->heap[class_queue->count]))
			class_queue->count++;
	}
	class_queue_make(class_queue->heap, class_queue->count);
	return 0;
}

void lw_class_queue_drop(struct lw_cycle *cycle)
{
	class_queue_pop(cycle->class_queue.heap, &cycle->class_queue.count);
}

void lw_class_queue_again(struct lw_cycle *cycle)
{
	struct lw_class_queue *class_queue = &cycle->class_queue;
	struct lw_turn next;

	if (class_queue_turn_of(cycle, class_queue->heap[0].class_number, &next))
		class_queue_replace(class_queue->heap, class_queue->count, next);
	else
		lw_class_queue_drop(cycle);
}

bool lw_class_queue_now(struct lw_cycle *cycle, uint32_t *ret_index)
{
	while (cycle->class_queue.count) {
		uint32_t number = cycle->class_queue.heap[0].class_number;
		uint32_t index = class_queue_member_of(cycle, number, cycle->class_next[number]);

		/* it may have started meanwhile, through another partition */
		if (class_queue_has_turn(cycle, index)) {
			*ret_index = index;
			return true;
		}
		lw_class_queue_again(cycle);
	}
	return false;
}
