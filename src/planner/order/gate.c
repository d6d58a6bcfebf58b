/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the gate: a net that was trained says whether a job that may start waits a little. */
#include "planner/order/gate.h"

bool lw_gate_holds(const struct lw_order_view *view, double delay)
{
	const struct lw_policy_params *params = view->params;
	const struct lw_waiting *job = view->job;
	int64_t held_s = job->gated_s ? view->now_s - job->gated_s : 0;
	double cpus = view->scale->cpus;
	struct lw_net_facts facts = {
		.waited_s = lw_order_waited_s(view),
		.limit_s = (double)view->class->limit_s,
		.cpus = cpus,
		.free = view->scale->free,
		.held_s = (double)held_s,
		.delay = delay,
	};
	float inputs[LW_NET_INPUTS_MAX];

	if (!params->inspects || !params->gate_net || job->promise_s != LW_NO_TIME ||
	    held_s >= params->inspect_cap_s)
		return false;
	if (cpus > 0)
		facts.width = lw_width(view->scale, &view->class->request) / cpus;
	lw_net_read(params->gate_net, &facts, inputs);
	return lw_net_run(params->gate_net, inputs) > 0;
}
