/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the policy leeway: heads first, then the shortest; every promise is a deadline. */

/*
 * The first job in the queue without room is promised a start from hard limits, as
 * under EASY. But limits are long and runs are short, so that it nearly always could
 * start much earlier than promised. That time is what leeway spends: the promise
 * is a deadline, and until then the promised job competes with all others for what is
 * free, the one expected to be shortest first (shortest job backfilled first: Tsafrir,
 * Etsion, Feitelson, IEEE TPDS 18(6), 2007). What may pass it is decided by hard limits
 * alone, but for a priced risk (risk.h): a start that could, at worst, leave the promised
 * job without room at its deadline is not made. Expectations order; they can cost
 * time, but no promise.
 *
 * The steps are those of heads.h. Step 2 goes by lw_order_leeway().
 *
 * Without `hold` a promised job starts in step 1 as soon as it has room.
 */
#include "planner/policies/deadline.h"
#include "planner/policies/heads.h"
#include "planner/policies/impl.h"
#include "planner/policies/risk.h"

#include <errno.h>

struct own {
	struct lw_heads heads;
	struct lw_backlog backlog;
	struct lw_risks risks;
};

/*
 * What leeway's order goes by. The first of a class is a scout until it starts; how long it
 * will hold its nodes is what is expected, all the same.
 */
static int64_t rank_of(const struct lw_cycle *cycle, const struct lw_class *class)
{
	size_t number = (size_t)(class - cycle->snap->queue.classes);

	if (!cycle->params->leeway.scout || !class->expected.rank_s ||
	    cycle->class_started[number])
		return class->expected.mean_s;
	return class->expected.rank_s;
}

static struct lw_rank leeway_key(const struct lw_cycle *cycle, const struct lw_class *class,
				 const struct lw_waiting *job)
{
	const struct lw_order_view view = lw_class_queue_view(cycle, class, job);
	double key = lw_order_leeway(&cycle->params->leeway, &view, rank_of(cycle, class));

	/* the queue's order does not matter but for that: it says what is to be least */
	if (lw_order_needs(cycle->params->order, LW_NEEDS_WEIGHT))
		key /= lw_order_weight(&view);
	return lw_order_by(&view, key);
}

static int leeway_plan(struct lw_cycle *cycle, void *arg)
{
	struct own *own = arg;

	if (lw_backlog_begin(&own->backlog, cycle))
		return -ENOMEM;
	own->heads.key = leeway_key;
	own->heads.yields = cycle->params->leeway.yield > 0;
	return lw_heads_plan(cycle, &own->heads);
}

static void leeway_fini(void *arg)
{
	struct own *own = arg;

	lw_backlog_fini(&own->backlog);
	lw_risks_fini(&own->risks);
}

static int64_t leeway_deadline_s(const struct lw_cycle *cycle, uint32_t index, int64_t promise_s)
{
	const struct own *own = cycle->own;

	return lw_deadline_s(&own->backlog, cycle, index, promise_s);
}

static int leeway_reserved(struct lw_cycle *cycle, uint32_t number)
{
	struct own *own = cycle->own;

	return lw_risks_reserved(&own->risks, number);
}

static bool leeway_may_delay(const struct lw_cycle *cycle, uint32_t index,
			     const struct lw_alloc *allocs, uint32_t count)
{
	const struct own *own = cycle->own;

	return lw_risk_is_worth(&own->risks, cycle, index, allocs, count);
}

static void leeway_starts(struct lw_cycle *cycle, uint32_t index, const struct lw_alloc *allocs,
			  uint32_t count)
{
	struct own *own = cycle->own;

	lw_backlog_started(&own->backlog, cycle, index);
	lw_risk_take(&own->risks, cycle, index, allocs, count);
}

const struct lw_policy_impl lw_policy_leeway = {
	.plan = leeway_plan,
	.own_size = sizeof(struct own),
	.fini = leeway_fini,
	.hooks = {
		.deadline_s = leeway_deadline_s,
		.reserved = leeway_reserved,
		.may_delay = leeway_may_delay,
		.starts = leeway_starts,
	},
};
