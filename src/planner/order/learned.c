/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the order learned: whom a net that was trained puts first. */

/*
 * The kernel of RLScheduler (Zhang et al., SC 2020) without the ids of users and groups, which are
 * unfair and mean nothing elsewhere (planner/model/net.h). Without a net all are equal, so that
 * the queue stays as it is given.
 */
#include "planner/model/net.h"
#include "planner/order/order.h"

double lw_order_key_learned(const struct lw_order_view *view)
{
	const struct lw_scale *scale = view->scale;
	const struct lw_request *request = &view->class->request;
	const struct lw_net *net = view->params->order_net;
	struct lw_net_facts facts;
	float inputs[LW_NET_INPUTS_MAX];

	if (!net)
		return 0;
	facts = (struct lw_net_facts){
		.waited_s = lw_order_waited_s(view),
		.limit_s = (double)view->class->limit_s,
		.cpus = scale->cpus,
		.free = scale->free,
	};
	if (scale->cpus > 0) {
		facts.width = lw_width(scale, request) / scale->cpus;
		facts.memory = lw_demand_of(scale, request).mib * scale->cpus_per_mib / scale->cpus;
	}
	lw_net_read(net, &facts, inputs);
	return -lw_net_run(net, inputs);
}
