/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the waiting jobs one after the other in some order, by their classes. */
#include "planner/cycle/turns.h"

#include "base/grow.h"
#include "base/heap.h"
#include "planner/order/order.h"

#include <errno.h>
#include <stdlib.h>

struct lw_rank lw_turns_queue_key(const struct lw_walk *walk, const struct lw_class *class,
				  const struct lw_waiting *job)
{
	const struct lw_order_view view = lw_turns_view(walk, class, job);

	return lw_order_rank(walk->params, &view);
}

static bool before(const struct lw_turn *a, const struct lw_turn *b)
{
	int rank;

	if (a->tier != b->tier)
		return a->tier > b->tier;
	rank = lw_rank_compare(a->rank, b->rank);
	return rank ? rank < 0 : a->seq < b->seq;
}

LW_HEAP(turns, struct lw_turn, before)

/* The order of the snapshot is Slurm's, which knows of tiers, and of more. */
static uint16_t tier_of(const struct lw_walk *walk, const struct lw_class *class)
{
	bool given = walk->turns.key == lw_turns_queue_key &&
		     lw_order_is_given(walk->params->order);

	return given ? 0 : class->terms.tier;
}

static int compare_members(const void *a, const void *b)
{
	const struct lw_turn_member *x = a, *y = b;
	int rank = lw_rank_compare(x->rank, y->rank);

	if (rank)
		return rank;
	return x->seq < y->seq ? -1 : x->seq > y->seq;
}

/* The members of the class, at MEMBERS, in the order of the queue's ranks. */
static void rank_class(const struct lw_walk *walk, const struct lw_class *class,
		       struct lw_turn_member *members)
{
	bool sorted = true;

	for (uint32_t i = 0; i < class->member_count; i++) {
		uint32_t index = class->members[i];

		members[i] = (struct lw_turn_member){
			.rank = lw_turns_queue_key(walk, class, &walk->snap->waiting[index]),
			.seq = walk->snap->queue.seq[index],
			.index = index,
		};
		sorted &= !i || compare_members(&members[i - 1], &members[i]) < 0;
	}
	if (!sorted)
		qsort(members, class->member_count, sizeof(*members), compare_members);
}

/* Once a cycle: ranks do not change in it. */
static int rank_members(struct lw_walk *walk)
{
	const struct lw_queue *queue = &walk->snap->queue;
	struct lw_turns *turns = &walk->turns;
	uint32_t count = 0;

	if (turns->by_job || !lw_order_is_by_job(walk->params))
		return 0;
	if (lw_grow((void **)&turns->members, &turns->member_room, queue->count + 1,
		    sizeof(*turns->members)) ||
	    lw_grow((void **)&turns->first, &turns->first_room, queue->class_count + 1,
		    sizeof(*turns->first)))
		return -ENOMEM;
	for (uint32_t i = 0; i < queue->active_count; i++) {
		const struct lw_class *class = &queue->classes[queue->active[i]];

		turns->first[queue->active[i]] = count;
		rank_class(walk, class, turns->members + count);
		count += class->member_count;
	}
	turns->by_job = true;
	return 0;
}

/* Member I of the class. */
static uint32_t member_of(const struct lw_walk *walk, uint32_t number, uint32_t i)
{
	const struct lw_turns *turns = &walk->turns;

	return turns->by_job ? turns->members[turns->first[number] + i].index
			     : walk->snap->queue.classes[number].members[i];
}

/* The first member of a class that is left, as a turn. */
static bool turn_of(struct lw_walk *walk, uint32_t number, struct lw_turn *ret_turn)
{
	const struct lw_queue *queue = &walk->snap->queue;
	const struct lw_class *class = &queue->classes[number];
	uint32_t *next = &walk->class_next[number];
	uint32_t index;

	while (*next < class->member_count &&
	       !lw_walk_tasks_left(walk, member_of(walk, number, *next)))
		(*next)++;
	if (*next == class->member_count)
		return false;
	index = member_of(walk, number, *next);
	*ret_turn = (struct lw_turn){
		.rank = walk->turns.key(walk, class, &walk->snap->waiting[index]),
		.seq = queue->seq[index],
		.class_number = number,
		.tier = tier_of(walk, class),
	};
	return true;
}

int lw_turns_begin(struct lw_walk *walk, lw_turns_key_f key, lw_turns_wanted_f wanted,
		   const void *arg)
{
	const struct lw_queue *queue = &walk->snap->queue;
	struct lw_turns *turns = &walk->turns;

	if (rank_members(walk) || lw_grow((void **)&turns->heap, &turns->room, queue->active_count,
					  sizeof(*turns->heap)))
		return -ENOMEM;
	turns->key = key;
	turns->count = 0;
	for (uint32_t i = 0; i < queue->active_count; i++) {
		uint32_t number = queue->active[i];
		const struct lw_class *class = &queue->classes[number];

		if (lw_walk_is_ahead(walk, class->begin_s))
			continue;
		if (wanted && !wanted(walk, number, arg))
			continue;
		if (turn_of(walk, number, &turns->heap[turns->count]))
			turns->count++;
	}
	turns_make(turns->heap, turns->count);
	return 0;
}

void lw_turns_drop(struct lw_walk *walk)
{
	turns_pop(walk->turns.heap, &walk->turns.count);
}

void lw_turns_again(struct lw_walk *walk)
{
	struct lw_turns *turns = &walk->turns;
	struct lw_turn next;

	if (turn_of(walk, turns->heap[0].class_number, &next))
		turns_replace(turns->heap, turns->count, next);
	else
		lw_turns_drop(walk);
}

bool lw_turns_now(struct lw_walk *walk, uint32_t *ret_index)
{
	while (walk->turns.count) {
		uint32_t number = walk->turns.heap[0].class_number;
		uint32_t index = member_of(walk, number, walk->class_next[number]);

		/* it may have started meanwhile, through another partition */
		if (lw_walk_tasks_left(walk, index)) {
			*ret_index = index;
			return true;
		}
		lw_turns_again(walk);
	}
	return false;
}
