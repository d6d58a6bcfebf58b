/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: backfilling in queue order: fcfs, easy, relaxed, adaptive. */

/*
 * EASY backfilling (Lifka 1995; Mu'alem and Feitelson, "Utilization, predictability, workloads,
 * and user runtime estimates", IEEE TPDS 12(6), 2001), over nodes with CPUs, memory and GPUs:
 *
 *   1. jobs start in queue order as long as there is room;
 *   2. the first that has none gets a reservation at its shadow time;
 *   3. a later job starts if it fits now and either ends before the reservation needs
 *      the room (its horizon) or takes only what the reservation leaves spare.
 *
 * A relaxed horizon lies after the shadow time: promise + slack, and spare is then what is left
 * at the horizon, when more jobs have ended. A job has a reservation if no job ahead of it waits
 * for its nodes, so each partition with nodes of its own has a head.
 */
#include "planner/cycle/explain.h"
#include "planner/cycle/type.h"
#include "planner/policies/heads.h"
#include "planner/policies/impl.h"
#include "planner/policies/turn.h"

struct own {
	bool blocked; /* a job waits for room */
	struct lw_heads heads;
};

/* Every record in the order of the snapshot, each with its decision at once. */
static int backfill_plan_as_given(struct lw_cycle *cycle, struct own *own)
{
	const struct lw_queue *queue = &cycle->snap->queue;

	for (uint32_t i = 0; i < queue->count; i++) {
		int rc = lw_turn_take(cycle, queue->order[i], &own->blocked);

		if (rc)
			return rc;
	}
	return 0;
}

/* By classes, in any order: if one job of a class cannot start, the others cannot either. */
static int backfill_plan_by_classes(struct lw_cycle *cycle, struct own *own)
{
	uint32_t index;
	int rc = lw_class_queue_begin(cycle, lw_class_queue_queue_key, NULL, NULL);

	cycle->silent = true;
	while (!rc && lw_class_queue_now(cycle, &index)) {
		if (own->blocked && lw_policy_has(cycle->params->kind, LW_IN_ORDER))
			break;
		rc = lw_turn_take(cycle, index, &own->blocked);
		if (lw_cycle_tasks_left(cycle, index))
			lw_class_queue_drop(cycle);
		else
			lw_class_queue_again(cycle);
	}
	cycle->silent = false;
	return rc || cycle->params->terse ? rc : lw_explain_waits(cycle);
}

/*
 * The whole queue once in its order, with EASY's two steps in one pass. A terse plan, and any
 * order but the snapshot's, works by class.
 */
static int backfill_plan(struct lw_cycle *cycle, void *arg)
{
	struct own *own = arg;

	int rc = lw_guard_plan(cycle);

	if (!rc)
		rc = lw_type_begin(cycle, lw_class_queue_queue_key,
				   lw_order_needs(cycle->params->order, LW_NEEDS_EXPECT));
	if (rc)
		return rc;
	own->blocked = false;
	if (lw_queue_is_given(cycle->params) && !cycle->params->terse)
		return backfill_plan_as_given(cycle, own);
	return backfill_plan_by_classes(cycle, own);
}

static struct lw_rank backfill_shortest_key(const struct lw_cycle *cycle,
					    const struct lw_class *class,
					    const struct lw_waiting *job)
{
	const struct lw_order_view view = lw_class_queue_view(cycle, class, job);

	return lw_order_behind(&view, (double)class->expected.mean_s);
}

/* The policies with a backfill order. */
static int backfill_fill_plan(struct lw_cycle *cycle, void *arg)
{
	struct own *own = arg;

	if (cycle->params->backfill_order != LW_BACKFILL_SHORTEST)
		return backfill_plan(cycle, arg);
	own->heads.key = backfill_shortest_key;
	return lw_heads_plan(cycle, &own->heads);
}

const struct lw_policy_impl lw_policy_fcfs = {
	.plan = backfill_plan,
	.own_size = sizeof(struct own),
};

const struct lw_policy_impl lw_policy_easy = {
	.plan = backfill_fill_plan,
	.own_size = sizeof(struct own),
};

const struct lw_policy_impl lw_policy_relaxed = {
	.plan = backfill_fill_plan,
	.own_size = sizeof(struct own),
};

const struct lw_policy_impl lw_policy_adaptive = {
	.plan = backfill_fill_plan,
	.own_size = sizeof(struct own),
};
