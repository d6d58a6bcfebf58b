/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the orders of the queue, by number. */
#include "planner/order/order.h"

static double (*const keys[])(const struct lw_order_view *view) = {
#define LW_ORDER(id, name, needs, help) [LW_ORDER_##id] = lw_order_key_##name,
#include "planner/model/orders.def"
};

double lw_order_key(enum lw_order order, const struct lw_order_view *view)
{
	return keys[order](view);
}

struct lw_rank lw_order_rank(const struct lw_order_view *view)
{
	const struct lw_policy_params *params = view->params;
	const struct lw_waiting *job = view->job;
	int64_t since_s = job->begin_s > job->submit_s ? job->begin_s : job->submit_s;

	if (params->order_age_s && !lw_order_is_given(params->order) &&
	    since_s <= view->now_s - params->order_age_s)
		return (struct lw_rank){ false, (double)since_s };
	return (struct lw_rank){ true, lw_order_key(params->order, view) };
}

bool lw_order_is_by_job(const struct lw_policy_params *params)
{
	return !lw_order_is_given(params->order) &&
	       (params->order_age_s || lw_order_needs(params->order, LW_NEEDS_JOBS));
}

double lw_order_waited_s(const struct lw_order_view *view)
{
	double waited_s = (double)(view->now_s - view->job->submit_s);

	return waited_s > 0 ? waited_s : 0;
}
