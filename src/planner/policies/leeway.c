/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the policy leeway: heads first, then the shortest; every promise is a deadline. */

/*
 * As under EASY, the first job in the queue that does not fit is promised a start from hard
 * limits. But limits are long and runs are short, so it could nearly always start much earlier
 * than promised. leeway uses that time: the promise is a deadline, and until then the promised
 * job competes with all others for free resources, the shortest expected run first (shortest job
 * backfilled first: Tsafrir, Etsion, Feitelson, IEEE TPDS 18(6), 2007). Hard limits alone decide
 * which jobs may pass it, except for a priced risk (risk.h): no start is made that could, at
 * worst, leave the promised job without room at its deadline. Expected run times only sort; they
 * can cost time, but no promise.
 *
 * The steps are those of heads.h. Step 2 sorts by lw_order_leeway().
 *
 * Without `hold` a promised job starts in step 1 as soon as it has room.
 */
#include "planner/order/lost.h"
#include "planner/policies/deadline.h"
#include "planner/policies/heads.h"
#include "planner/policies/impl.h"
#include "planner/policies/patience.h"
#include "planner/policies/risk.h"

#include <errno.h>

struct own {
	struct lw_heads heads;
	struct lw_backlog backlog;
	struct lw_risks risks;
	bool long_queue;
};

/* in machines: lw_order_leeway() */
#define LONG_QUEUE 2

/*
 * The run time in leeway's order. The first job of a class is a scout until it starts; nodes are
 * still planned with its expected run time.
 */
static int64_t leeway_rank_of(const struct lw_cycle *cycle, const struct lw_class *class)
{
	size_t number = (size_t)(class - cycle->snap->queue.classes);

	if (!cycle->params->scout || !class->expected.rank_s || cycle->class_started[number])
		return class->expected.mean_s;
	return class->expected.rank_s;
}

static struct lw_rank leeway_key(const struct lw_cycle *cycle, const struct lw_class *class,
				 const struct lw_waiting *job)
{
	const struct lw_order_view view = lw_class_queue_view(cycle, class, job);
	const struct own *own = cycle->own;
	double key = lw_order_leeway(&view, leeway_rank_of(cycle, class), own->long_queue);

	/* the queue's order matters only here: it says what is to be least */
	if (lw_order_needs(cycle->params->order, LW_NEEDS_WEIGHT))
		key /= lw_order_weight(&view);
	if (lw_lost_is_enough(cycle->params, class->expected.mean_s, job->lost_s))
		return (struct lw_rank){ LW_RANK_AGED, (double)lw_order_since_s(job) };
	return lw_order_behind(&view, key);
}

static int leeway_plan(struct lw_cycle *cycle, void *arg)
{
	struct own *own = arg;

	if (lw_backlog_begin(&own->backlog, cycle))
		return -ENOMEM;
	own->long_queue =
		lw_backlog_all(&own->backlog, cycle) > LONG_QUEUE * cycle->scale.cpus;
	own->heads.key = leeway_key;
	own->heads.yields = cycle->params->yield > 0;
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

	if (lw_patience_is_lost(cycle, index))
		return LW_NO_TIME;
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

static int leeway_drains(struct lw_cycle *cycle, uint32_t *ret_index, int64_t *ret_end_s)
{
	struct own *own = cycle->own;

	return own->heads.yields
		       ? lw_lookahead_first(cycle, &own->heads.lookaheads, ret_index, ret_end_s)
		       : -ENOENT;
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
		.drains = leeway_drains,
	},
};
