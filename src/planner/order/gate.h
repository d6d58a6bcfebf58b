/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the gate: a net that was trained says whether a job that may start waits a little. */
#ifndef LW_PLANNER_GATE_H
#define LW_PLANNER_GATE_H

#include "planner/model/net.h"
#include "planner/order/order.h"

/* Who was held is asked of again so much later, or when something else happens before. */
#define LW_GATE_WAIT_S 600

/*
 * Is the job of VIEW to wait, DELAY being the sum of lw_net_delay() over all that wait? Never
 * without a net, or unless view->params->inspects; never a job that was promised a start, or has
 * waited inspect_cap_s since it was held first: so the gate costs no job more than that.
 */
bool lw_gate_holds(const struct lw_order_view *view, double delay);

/* When a job that is held at NOW_S, and was first at GATED_S, is asked of again at the latest. */
static inline int64_t lw_gate_again_s(const struct lw_policy_params *params, int64_t now_s,
				      int64_t gated_s)
{
	int64_t over_s = gated_s + params->inspect_cap_s;

	return over_s > now_s && over_s < now_s + LW_GATE_WAIT_S ? over_s : now_s + LW_GATE_WAIT_S;
}

#endif
