/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: how wide a job, or a set of nodes, is. */
#include "planner/order/width.h"

void lw_scale_init(struct lw_scale *scale, const struct lw_snapshot *snap)
{
	double cpus = 0, gpus = 0, mib = 0;

	for (uint32_t i = 0; i < snap->node_count; i++) {
		cpus += snap->nodes[i].total.cpus;
		gpus += lw_res_gpus(&snap->nodes[i].total);
		mib += snap->nodes[i].total.mem_mib;
	}
	scale->cpus_per_gpu = gpus > 0 ? cpus / gpus : 0;
	scale->cpus_per_mib = mib > 0 ? cpus / mib : 0;
	scale->cpus_per_node = snap->node_count ? cpus / snap->node_count : 0;
	scale->cpus = cpus;
	scale->jobs = (double)snap->running_count + snap->queue.count;
}

static double width_at_least(double value, double least)
{
	return value > least ? value : least;
}

struct lw_demand lw_demand_of(const struct lw_scale *scale, const struct lw_request *req)
{
	double nodes = req->nodes_min;
	double cpus = width_at_least(nodes * req->cpus_per_node, req->cpus_total);
	double gpus = width_at_least(nodes * req->gpus_per_node, req->gpus_total);
	struct lw_demand demand = {
		.gpus = gpus,
		.mib = nodes * req->mem_per_node_mib + cpus * req->mem_per_cpu_mib +
		       gpus * req->mem_per_gpu_mib,
	};

	if (req->exclusive)
		cpus = width_at_least(cpus, nodes * scale->cpus_per_node);
	demand.cpus = width_at_least(cpus, 1);
	return demand;
}

double lw_width(const struct lw_scale *scale, const struct lw_request *req)
{
	struct lw_demand demand = lw_demand_of(scale, req);
	double width = width_at_least(demand.cpus, demand.gpus * scale->cpus_per_gpu);

	return width_at_least(width, demand.mib * scale->cpus_per_mib);
}

double lw_width_of_set(const struct lw_scale *scale, const struct lw_snapshot *snap,
		       uint32_t set)
{
	double cpus = 0, gpus = 0, mib = 0, width;
	uint32_t node;

	lw_bitset_foreach(&snap->sets[set].nodes, node)
	{
		if (!snap->nodes[node].usable)
			continue;
		cpus += snap->nodes[node].total.cpus;
		gpus += lw_res_gpus(&snap->nodes[node].total);
		mib += snap->nodes[node].total.mem_mib;
	}
	width = width_at_least(width_at_least(cpus, 1), gpus * scale->cpus_per_gpu);
	return width_at_least(width, mib * scale->cpus_per_mib);
}
