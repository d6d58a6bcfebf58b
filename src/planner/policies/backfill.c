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
#include "planner/cycle/explain.h"
#include "planner/cycle/gang.h"
#include "planner/cycle/reserve.h"
#include "planner/cycle/start.h"
#include "planner/policies/heads.h"
#include "planner/policies/impl.h"

#include <errno.h>

struct own {
	bool blocked; /* somebody waits for room */
	struct lw_heads heads;
};

/* Nothing passes a job that waits. */
static bool in_order(const struct lw_walk *walk)
{
	return lw_policy_has(walk->params->kind, LW_IN_ORDER);
}

/* No room: reserve if it is the first on its nodes, else wait. */
static int reserve_or_wait(struct lw_walk *walk, struct own *own, uint32_t index,
			   enum lw_reason reason)
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
	own->blocked |= !sheltered;
	if (!heads || in_order(walk))
		return lw_walk_wait(walk, index, reason);
	rc = lw_walk_reserve(walk, index, &reason);
	return rc == -ENOSPC ? lw_walk_wait(walk, index, reason) : rc;
}

/* A job that may start: as many of its tasks as have room, then the rest waits. */
static int plan_ready(struct lw_walk *walk, struct own *own, uint32_t index)
{
	enum lw_reason reason = LW_REASON_WAITS_FOR_ROOM;
	const struct lw_alloc *allocs;
	uint32_t count, left = lw_walk_tasks_left(walk, index);
	bool heads;
	int rc;

	if (!left)
		return lw_walk_wait(walk, index, LW_REASON_WAITS_FOR_OTHER);
	if (own->blocked && in_order(walk))
		return lw_walk_wait(walk, index, LW_REASON_WAITS_IN_ORDER);
	for (; left; left--) {
		heads = walk->params->gang_wait_s && lw_walk_heads_its_nodes(walk, index);
		rc = heads ? lw_gang_find_room(walk, index, &allocs, &count, &reason)
			   : lw_walk_find_room(walk, index, &allocs, &count, &reason);
		if (rc)
			return reserve_or_wait(walk, own, index, reason);
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
static int plan_as_given(struct lw_walk *walk, struct own *own)
{
	const struct lw_queue *queue = &walk->snap->queue;

	for (uint32_t i = 0; i < queue->count; i++) {
		uint32_t index = queue->order[i];
		enum lw_reason reason;
		int rc = lw_walk_go_on(walk);

		if (!rc && lw_walk_ready(walk, index, &reason))
			rc = plan_ready(walk, own, index);
		else if (!rc)
			rc = lw_walk_wait(walk, index, reason);
		if (rc)
			return rc;
	}
	return 0;
}

/* By classes, in any order: what one job of a class cannot, the others cannot either. */
static int plan_by_classes(struct lw_walk *walk, struct own *own)
{
	uint32_t index;
	int rc = lw_turns_begin(walk, lw_turns_queue_key, NULL, NULL);

	walk->silent = true;
	while (!rc && lw_turns_now(walk, &index)) {
		if (own->blocked && in_order(walk))
			break;
		rc = lw_walk_go_on(walk);
		if (!rc)
			rc = plan_ready(walk, own, index);
		if (lw_walk_tasks_left(walk, index))
			lw_turns_drop(walk);
		else
			lw_turns_again(walk);
	}
	walk->silent = false;
	return rc || walk->params->terse ? rc : lw_explain_waits(walk);
}

/*
 * The whole queue once in its order, EASY's two steps in one pass. A terse plan, and any order but
 * the snapshot's, goes by classes.
 */
static int backfill_plan(struct lw_walk *walk, void *arg)
{
	struct own *own = arg;

	own->blocked = false;
	if (lw_order_is_given(walk->params->order) && !walk->params->terse)
		return plan_as_given(walk, own);
	return plan_by_classes(walk, own);
}

static struct lw_rank shortest_key(const struct lw_walk *walk, const struct lw_class *class,
				   const struct lw_waiting *job)
{
	(void)walk;
	(void)job;
	return (struct lw_rank){ .fresh = true, .key = (double)class->expected.mean_s };
}

/* Those that choose whom to fill in behind the heads. */
static int fill_plan(struct lw_walk *walk, void *arg)
{
	struct own *own = arg;

	if (walk->params->backfill_order != LW_BACKFILL_SHORTEST)
		return backfill_plan(walk, arg);
	own->heads.key = shortest_key;
	return lw_heads_plan(walk, &own->heads);
}

const struct lw_policy_impl lw_policy_fcfs = {
	.plan = backfill_plan,
	.own_size = sizeof(struct own),
};

const struct lw_policy_impl lw_policy_easy = {
	.plan = fill_plan,
	.own_size = sizeof(struct own),
};

const struct lw_policy_impl lw_policy_relaxed = {
	.plan = fill_plan,
	.own_size = sizeof(struct own),
};

const struct lw_policy_impl lw_policy_adaptive = {
	.plan = fill_plan,
	.own_size = sizeof(struct own),
};
