/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: backfilling in queue order: fcfs, easy, relaxed, adaptive. */

/*
 * EASY backfilling (Lifka 1995; Mu'alem and Feitelson, "Utilization, predictability,
 * workloads, and user runtime estimates", IEEE TPDS 12(6), 2001), over nodes with
 * CPUs, memory and GPUs:
 *
 *   1. jobs start in queue order as long as there is room;
 *   2. the first that has none gets a reservation at its shadow time;
 *   3. a later job starts if it fits now and either ends before the reservation needs
 *      the room (its horizon) or takes only what the reservation leaves spare.
 *
 * A relaxed horizon lies after the shadow time: promise + slack, and spare is then what
 * is left at the horizon, when more jobs have ended. A job has a reservation if
 * nobody before it waits for its nodes, so each partition with nodes of its own has a head.
 */
#include "planner/policies/backfill.h"

#include "planner/cycle/explain.h"
#include "planner/cycle/gang.h"
#include "planner/cycle/reserve.h"
#include "planner/order/turns.h"

#include <errno.h>

/* No room: reserve if it is the first on its nodes, else wait. */
static int reserve_or_wait(struct lw_walk *walk, uint32_t index, enum lw_reason reason)
{
	const struct lw_waiting *job = &walk->snap->waiting[index];
	bool sheltered = lw_walk_is_sheltered(walk, index), heads;
	uint8_t claim = sheltered ? LW_CLAIM_SHELTERED : LW_CLAIM;
	int rc;

	/* nothing waits for a job that could never run, and thousands of them cost nothing */
	if (job->terms.now_only || reason == LW_REASON_WAITS_FOR_NODES)
		return lw_walk_wait(walk, index, reason);
	heads = lw_walk_heads_its_nodes(walk, index);
	lw_walk_claim_nodes(walk, index);
	if (!(walk->claimed[job->set] & claim)) {
		lw_walk_fail_class(walk, walk->snap->queue.class_of[index],
				   LW_REASON_WAITS_FOR_NODES);
		return lw_walk_wait(walk, index, LW_REASON_WAITS_FOR_NODES);
	}
	walk->queue_blocked |= !sheltered;
	if (!heads || walk->params->kind == LW_POLICY_FCFS)
		return lw_walk_wait(walk, index, reason);
	rc = lw_walk_reserve(walk, index, &reason);
	return rc == -ENOSPC ? lw_walk_wait(walk, index, reason) : rc;
}

/* A job that may start: as many of its tasks as have room, then the rest waits. */
static int plan_ready(struct lw_walk *walk, uint32_t index)
{
	enum lw_reason reason = LW_REASON_WAITS_FOR_ROOM;
	const struct lw_alloc *allocs;
	uint32_t count, left = lw_walk_tasks_left(walk, index);
	bool heads;
	int rc;

	if (!left)
		return lw_walk_wait(walk, index, LW_REASON_WAITS_FOR_OTHER);
	if (walk->params->kind == LW_POLICY_FCFS && walk->queue_blocked)
		return lw_walk_wait(walk, index, LW_REASON_WAITS_IN_ORDER);
	for (; left; left--) {
		heads = walk->params->gang_wait_s && lw_walk_heads_its_nodes(walk, index);
		rc = heads ? lw_gang_find_room(walk, index, &allocs, &count, &reason)
			   : lw_walk_find_room(walk, index, &allocs, &count, &reason);
		if (rc)
			return reserve_or_wait(walk, index, reason);
		reason = walk->reservation_count
				 ? lw_walk_passing(walk, index, allocs, count)
				 : LW_REASON_STARTS_IN_ORDER;
		rc = lw_walk_start(walk, index, reason, allocs, count);
		if (rc)
			return rc;
	}
	return 0;
}

/* Every record in the order of the snapshot, each with its decision at once. */
static int walk_as_given(struct lw_walk *walk)
{
	const struct lw_queue *queue = &walk->snap->queue;

	for (uint32_t i = 0; i < queue->count; i++) {
		uint32_t index = queue->order[i];
		enum lw_reason reason;
		int rc = lw_walk_go_on(walk);

		if (!rc && lw_walk_ready(walk, index, &reason))
			rc = plan_ready(walk, index);
		else if (!rc)
			rc = lw_walk_wait(walk, index, reason);
		if (rc)
			return rc;
	}
	return 0;
}

/* By classes, in any order: what one job of a class cannot, the others cannot either. */
static int walk_by_classes(struct lw_walk *walk)
{
	uint32_t index;
	int rc = lw_turns_begin(walk, lw_turns_queue_key, NULL, NULL);

	walk->silent = true;
	while (!rc && lw_turns_now(walk, &index)) {
		if (walk->params->kind == LW_POLICY_FCFS && walk->queue_blocked)
			break;
		rc = lw_walk_go_on(walk);
		if (!rc)
			rc = plan_ready(walk, index);
		if (lw_walk_tasks_left(walk, index))
			lw_turns_drop(walk);
		else
			lw_turns_again(walk);
	}
	walk->silent = false;
	return rc || walk->params->terse ? rc : lw_explain_waits(walk);
}

int lw_backfill_walk(struct lw_walk *walk)
{
	if (walk->params->order == LW_ORDER_GIVEN && !walk->params->terse)
		return walk_as_given(walk);
	return walk_by_classes(walk);
}
