/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the orders of the queue, by number. */
#include "planner/order/order.h"

#include "planner/model/outside.h"

#include <math.h>

static double (*const keys[])(const struct lw_order_view *view) = {
#define LW_ORDER(id, name, needs, help) [LW_ORDER_##id] = lw_order_key_##name,
#include "planner/model/orders.def"
};

double lw_order_key(enum lw_order order, const struct lw_order_view *view)
{
	const struct lw_outside *outside = view->params->outside;

	if (order == LW_ORDER_OUTSIDE)
		return outside && outside->key ? outside->key(outside->arg, view) : 0;
	return keys[order](view);
}

enum lw_deadline lw_order_deadline(const struct lw_order_view *view)
{
	if (!view->job->finish_by_s)
		return LW_DEADLINE_NONE;
	return lw_end_after_s(view->now_s, view->class->expected.mean_s) <= view->job->finish_by_s
		       ? LW_DEADLINE_IN_TIME
		       : LW_DEADLINE_TOO_LATE;
}

struct lw_rank lw_order_by(const struct lw_order_view *view, double key)
{
	struct lw_rank rank = { LW_RANK_FRESH, key };

	if (view->params->deadlines == LW_DEADLINES_OFF)
		return rank;
	/* of its group, or else a stopped job that is due would make others miss their deadline */
	if (view->job->first)
		rank.key = -INFINITY;
	switch (lw_order_deadline(view)) {
	case LW_DEADLINE_IN_TIME:
		rank.group = LW_RANK_IN_TIME;
		rank.key = (double)view->job->finish_by_s;
		if (view->job->first)
			rank.key -= (double)view->class->expected.mean_s;
		break;
	case LW_DEADLINE_TOO_LATE:
		rank.group = LW_RANK_TOO_LATE;
		break;
	case LW_DEADLINE_NONE:
		break;
	}
	return rank;
}

int64_t lw_order_since_s(const struct lw_waiting *job)
{
	return job->begin_s > job->submit_s ? job->begin_s : job->submit_s;
}

bool lw_order_has_aged(const struct lw_order_view *view)
{
	const struct lw_policy_params *params = view->params;

	return params->order_age_s && !lw_order_is_given(params->order) &&
	       lw_order_since_s(view->job) <= view->now_s - params->order_age_s;
}

struct lw_rank lw_order_behind(const struct lw_order_view *view, double key)
{
	if (view->job->first && view->params->deadlines == LW_DEADLINES_OFF)
		return (struct lw_rank){ LW_RANK_FIRST, (double)lw_order_since_s(view->job) };
	return lw_order_by(view, key);
}

/* Do promised jobs go before all others? */
static bool order_promises_stay(const struct lw_policy_params *params)
{
	if (params->deadlines == LW_DEADLINES_OFF)
		return params->keep_promises && !lw_order_is_given(params->order);
	return params->deadlines == LW_DEADLINES_GUARD;
}

struct lw_rank lw_order_rank(const struct lw_order_view *view)
{
	const struct lw_policy_params *params = view->params;
	const struct lw_waiting *job = view->job;

	if (order_promises_stay(params) && job->promise_s != LW_NO_TIME)
		return (struct lw_rank){ LW_RANK_PROMISED, (double)job->promise_s };
	if (lw_order_has_aged(view))
		return (struct lw_rank){ LW_RANK_AGED, (double)lw_order_since_s(job) };
	if (job->first && !lw_order_is_given(params->order))
		return lw_order_behind(view, 0);
	return lw_order_by(view, lw_order_key(params->order, view));
}

bool lw_order_is_by_job(const struct lw_policy_params *params)
{
	if (params->deadlines != LW_DEADLINES_OFF)
		return true;
	return !lw_order_is_given(params->order) &&
	       (params->keep_promises || params->order_age_s ||
		lw_order_needs(params->order, LW_NEEDS_JOBS));
}

double lw_order_waited_s(const struct lw_order_view *view)
{
	double waited_s = (double)(view->now_s - view->job->submit_s);

	return waited_s > 0 ? waited_s : 0;
}
