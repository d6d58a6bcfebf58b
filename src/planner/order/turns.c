/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the waiting jobs one after the other in some order, by their classes. */
#include "planner/order/turns.h"

#include "base/grow.h"
#include "planner/order/order.h"

#include <errno.h>

double lw_turns_queue_key(const struct lw_walk *walk, const struct lw_class *class,
			  const struct lw_waiting *job)
{
	return lw_order_key(walk->params->order, &walk->scale, walk->snap->now_s, class,
			    job);
}

static bool before(const struct lw_turn *a, const struct lw_turn *b)
{
	if (a->tier != b->tier)
		return a->tier > b->tier;
	if (a->key < b->key || a->key > b->key)
		return a->key < b->key;
	return a->seq < b->seq;
}

static void sift_down(struct lw_turns *turns, uint32_t i)
{
	struct lw_turn *heap = turns->heap, last = heap[i];

	for (;;) {
		uint32_t child = 2 * i + 1;

		if (child >= turns->count)
			break;
		if (child + 1 < turns->count && before(&heap[child + 1], &heap[child]))
			child++;
		if (!before(&heap[child], &last))
			break;
		heap[i] = heap[child];
		i = child;
	}
	heap[i] = last;
}

/* The order of the snapshot is Slurm's, which knows of tiers, and of more. */
static uint16_t tier_of(const struct lw_walk *walk, const struct lw_class *class)
{
	bool given = walk->turns.key == lw_turns_queue_key &&
		     walk->params->order == LW_ORDER_GIVEN;

	return given ? 0 : class->terms.tier;
}

/* The first member of a class that is left, as a turn. */
static bool turn_of(struct lw_walk *walk, uint32_t number, struct lw_turn *ret_turn)
{
	const struct lw_queue *queue = &walk->snap->queue;
	const struct lw_class *class = &queue->classes[number];
	uint32_t *next = &walk->class_next[number];
	uint32_t index;

	while (*next < class->member_count &&
	       !lw_walk_tasks_left(walk, class->members[*next]))
		(*next)++;
	if (*next == class->member_count)
		return false;
	index = class->members[*next];
	*ret_turn = (struct lw_turn){
		.key = walk->turns.key(walk, class, &walk->snap->waiting[index]),
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

	if (lw_grow((void **)&turns->heap, &turns->room, queue->active_count,
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
	for (uint32_t i = turns->count / 2; i-- > 0;)
		sift_down(turns, i);
	return 0;
}

void lw_turns_drop(struct lw_walk *walk)
{
	struct lw_turns *turns = &walk->turns;

	turns->heap[0] = turns->heap[--turns->count];
	sift_down(turns, 0);
}

void lw_turns_again(struct lw_walk *walk)
{
	struct lw_turns *turns = &walk->turns;

	if (turn_of(walk, turns->heap[0].class_number, &turns->heap[0]))
		sift_down(turns, 0);
	else
		lw_turns_drop(walk);
}

bool lw_turns_now(struct lw_walk *walk, uint32_t *ret_index)
{
	const struct lw_queue *queue = &walk->snap->queue;

	while (walk->turns.count) {
		uint32_t number = walk->turns.heap[0].class_number;
		uint32_t index = queue->classes[number].members[walk->class_next[number]];

		/* it may have started meanwhile, through another partition */
		if (lw_walk_tasks_left(walk, index)) {
			*ret_index = index;
			return true;
		}
		lw_turns_again(walk);
	}
	return false;
}
