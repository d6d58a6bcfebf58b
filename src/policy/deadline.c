/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the policy leeway: shortest first, with every promise as a deadline. */

/*
 * The first job in the queue without room is promised a start from hard limits, as
 * under EASY. But limits are long and runs are short, so that it nearly always could
 * start much earlier than promised. That time is what this policy spends: the promise
 * is a deadline, and until then the promised job competes with all others for what is
 * free, the one expected to be shortest first (shortest job backfilled first: Tsafrir,
 * Etsion, Feitelson, IEEE TPDS 18(6), 2007). What may pass it is decided by hard limits
 * alone: a start that could, at worst, leave the promised job without room at its
 * deadline is not made. Expectations only order; they can cost time, but no promise.
 *
 * While the promised job has no room, the deadline is its promise and a slack; once it
 * has, the promise itself.
 */
#include "policy/deadline.h"

#include "base/grow.h"

#include <errno.h>
#include <string.h>

/* Start what has room and no promise, in order, until each set of nodes has a head. */
static int plan_head(struct lw_walk *walk, uint32_t index)
{
	const struct lw_waiting *job = &walk->snap->waiting[index];
	enum lw_reason reason;
	int rc = 0;

	while (lw_walk_tasks_left(walk, index)) {
		const struct lw_alloc *allocs;
		uint32_t count;

		if (job->promise_s != LW_NO_TIME ||
		    lw_walk_find_room(walk, index, &allocs, &count, &reason)) {
			rc = lw_walk_reserve(walk, index, &reason);
			if (rc == -ENOSPC && reason == LW_REASON_WAITS_FOR_NODES)
				walk->class_failed[walk->snap->queue.class_of[index]] =
					(uint8_t)(reason + 1);
			return rc == -ENOSPC ? 0 : rc;
		}
		rc = lw_walk_start(walk, index, LW_REASON_STARTS_IN_ORDER, allocs, count);
		if (rc)
			break;
	}
	return rc;
}

static bool is_reserved(const struct lw_walk *walk, uint32_t index)
{
	for (uint32_t r = 0; r < walk->reservation_count; r++) {
		if (!walk->reservations[r].over && walk->reservations[r].waiting == index)
			return true;
	}
	return false;
}

static int plan_heads(struct lw_walk *walk)
{
	const struct lw_queue *queue = &walk->snap->queue;
	enum lw_reason reason;

	memset(walk->claimed, 0, walk->snap->set_count);
	for (uint32_t i = 0; i < queue->count; i++) {
		uint32_t index = queue->order[i];
		int rc;

		if (!lw_walk_ready(walk, index, &reason) || !lw_walk_tasks_left(walk, index))
			continue;
		if (!is_reserved(walk, index) && lw_walk_heads_its_nodes(walk, index)) {
			rc = plan_head(walk, index);
			if (rc)
				return rc;
		}
		if (lw_walk_tasks_left(walk, index))
			lw_walk_claim_nodes(walk, index);
		/* one set of nodes has one head: no need to look further */
		if (walk->snap->set_count == 1 && walk->claimed[0])
			break;
	}
	return 0;
}

static bool before(const struct lw_candidate *a, const struct lw_candidate *b)
{
	return a->expect_s != b->expect_s ? a->expect_s < b->expect_s : a->seq < b->seq;
}

static void sift_down(struct lw_candidate *heap, uint32_t count, uint32_t i)
{
	struct lw_candidate last = heap[i];

	for (;;) {
		uint32_t child = 2 * i + 1;

		if (child >= count)
			break;
		if (child + 1 < count && before(&heap[child + 1], &heap[child]))
			child++;
		if (!before(&heap[child], &last))
			break;
		heap[i] = heap[child];
		i = child;
	}
	heap[i] = last;
}

/* The first member of a class that is left, as a candidate. */
static bool candidate_of(struct lw_walk *walk, uint32_t number, struct lw_candidate *ret)
{
	const struct lw_queue *queue = &walk->snap->queue;
	const struct lw_class *class = &queue->classes[number];
	uint32_t *next = &walk->class_next[number];

	while (*next < class->member_count &&
	       !lw_walk_tasks_left(walk, class->members[*next]))
		(*next)++;
	if (*next == class->member_count)
		return false;
	*ret = (struct lw_candidate){
		.expect_s = class->expect_s,
		.seq = queue->seq[class->members[*next]],
		.class_number = number,
	};
	return true;
}

/* Can the class fit, as far as a look at all that is free together can tell? */
static bool may_fit(const struct lw_class *class, const struct lw_res *all_free)
{
	const struct lw_request *req = &class->request;
	uint64_t cpus = (uint64_t)req->nodes_min * req->cpus_per_node;
	uint64_t gpus = (uint64_t)req->nodes_min * req->gpus_per_node;

	return cpus <= all_free->cpus && req->cpus_total <= all_free->cpus &&
	       gpus <= lw_res_gpus(all_free) && req->gpus_total <= lw_res_gpus(all_free);
}

static int gather(struct lw_walk *walk, uint32_t *ret_count)
{
	const struct lw_queue *queue = &walk->snap->queue;
	struct lw_res all_free = { 0 };
	uint32_t count = 0;

	if (lw_grow((void **)&walk->candidates, &walk->candidate_room, queue->active_count,
		    sizeof(*walk->candidates)))
		return -ENOMEM;
	for (uint32_t node = 0; node < walk->snap->node_count; node++)
		lw_res_add(&all_free, &walk->free[node]);
	for (uint32_t i = 0; i < queue->active_count; i++) {
		uint32_t number = queue->active[i];
		const struct lw_class *class = &queue->classes[number];

		if (walk->class_failed[number] || !may_fit(class, &all_free) ||
		    (class->begin_s != LW_NO_TIME && class->begin_s > walk->snap->now_s))
			continue;
		if (candidate_of(walk, number, &walk->candidates[count]))
			count++;
	}
	for (uint32_t i = count / 2; i-- > 0;)
		sift_down(walk->candidates, count, i);
	*ret_count = count;
	return 0;
}

/* Start jobs, the shortest first, until none fits or a promised one has started. */
static int fill(struct lw_walk *walk, bool *ret_head_started)
{
	const struct lw_queue *queue = &walk->snap->queue;
	struct lw_candidate *heap;
	uint32_t count;
	int rc = gather(walk, &count);

	heap = walk->candidates;
	*ret_head_started = false;
	while (!rc && count && !*ret_head_started) {
		uint32_t number = heap[0].class_number, alloc_count;
		uint32_t index = queue->classes[number].members[walk->class_next[number]];
		const struct lw_alloc *allocs;
		enum lw_reason reason;

		/* it may have started meanwhile, through another partition */
		if (lw_walk_tasks_left(walk, index) &&
		    !lw_walk_find_room(walk, index, &allocs, &alloc_count, &reason)) {
			*ret_head_started = is_reserved(walk, index);
			reason = *ret_head_started
					 ? LW_REASON_STARTS_IN_ORDER
					 : lw_walk_passing(walk, index, allocs, alloc_count);
			rc = lw_walk_start(walk, index, reason, allocs, alloc_count);
		}
		if (walk->class_failed[number] || !candidate_of(walk, number, &heap[0]))
			heap[0] = heap[--count];
		sift_down(heap, count, 0);
	}
	return rc;
}

/* With a reservation gone, what would have delayed its job may start. */
static void forgive(struct lw_walk *walk)
{
	const struct lw_queue *queue = &walk->snap->queue;

	for (uint32_t i = 0; i < queue->active_count; i++) {
		uint8_t *failed = &walk->class_failed[queue->active[i]];

		if (*failed == LW_REASON_WAITS_FOR_HEAD + 1)
			*failed = 0;
	}
}

static enum lw_reason why_not(const struct lw_walk *walk, uint32_t index)
{
	uint8_t failed = walk->class_failed[walk->snap->queue.class_of[index]];

	return failed ? (enum lw_reason)(failed - 1) : LW_REASON_WAITS_FOR_ROOM;
}

/* One decision for everybody else: why it waits. */
static int explain(struct lw_walk *walk)
{
	const struct lw_queue *queue = &walk->snap->queue;
	int rc = 0;

	for (uint32_t i = 0; !rc && i < queue->count; i++) {
		uint32_t index = queue->order[i];
		enum lw_reason reason;

		if (!lw_walk_ready(walk, index, &reason))
			rc = lw_walk_wait(walk, index, reason);
		else if (is_reserved(walk, index))
			continue;
		else if (lw_walk_tasks_left(walk, index))
			rc = lw_walk_wait(walk, index, why_not(walk, index));
		else if (!walk->taken[index])
			rc = lw_walk_wait(walk, index, LW_REASON_WAITS_FOR_OTHER);
	}
	return rc;
}

int lw_deadline_walk(struct lw_walk *walk)
{
	bool head_started;
	int rc;

	do {
		rc = plan_heads(walk);
		if (!rc)
			rc = fill(walk, &head_started);
		if (!rc && head_started)
			forgive(walk);
	} while (!rc && head_started);
	if (!rc && !walk->params->terse)
		rc = explain(walk);
	return rc;
}
