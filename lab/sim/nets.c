/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: trained nets plugged into the planner: an order of the queue, and an inspector. */
#include "lab/sim/nets.h"

#include "planner/order/order.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int lw_netrun_init(struct lw_netrun *run, const struct lw_nets *nets, uint32_t largest)
{
	*run = (struct lw_netrun){ .nets = *nets };
	if (!nets->inspector)
		return 0;
	run->held_s = calloc((size_t)largest + 1, sizeof(*run->held_s));
	return run->held_s ? 0 : -ENOMEM;
}

void lw_netrun_fini(struct lw_netrun *run)
{
	free(run->held_s);
	memset(run, 0, sizeof(*run));
}

void lw_netrun_plug(struct lw_netrun *run, struct lw_outside *outside)
{
	outside->arg = run;
	outside->key = run->nets.order ? lw_netrun_key : NULL;
	outside->holds = run->nets.inspector ? lw_netrun_holds : NULL;
	outside->begin = outside->key || outside->holds ? lw_netrun_begin : NULL;
}

static double free_share(const struct lw_snapshot *snap)
{
	double cpus = 0, gpus = 0, free_cpus, free_gpus;

	for (uint32_t i = 0; i < snap->node_count; i++) {
		cpus += snap->nodes[i].total.cpus;
		gpus += lw_res_gpus(&snap->nodes[i].total);
	}
	free_cpus = cpus;
	free_gpus = gpus;
	for (uint32_t i = 0; i < snap->running_count; i++) {
		const struct lw_alloc *allocs = lw_running_allocs(snap, &snap->running[i]);

		for (uint32_t k = 0; k < snap->running[i].alloc_count; k++) {
			free_cpus -= allocs[k].res.cpus;
			free_gpus -= lw_res_gpus(&allocs[k].res);
		}
	}
	free_cpus = cpus > 0 && free_cpus > 0 ? free_cpus / cpus : 0;
	free_gpus = free_gpus > 0 ? free_gpus / gpus : 0;
	return gpus > 0 && free_gpus < free_cpus ? free_gpus : free_cpus;
}

void lw_netrun_begin(void *arg, const struct lw_snapshot *snap)
{
	const struct lw_queue *queue = &snap->queue;
	struct lw_netrun *run = arg;

	run->free = free_share(snap);
	run->delay = 0;
	for (uint32_t i = 0; run->nets.inspector && i < queue->count; i++)
		run->delay += lw_net_delay(snap->waiting[queue->order[i]].limit_s);
}

/* What both nets are told. */
static struct lw_net_facts facts_of(const struct lw_netrun *run, const struct lw_order_view *view)
{
	const struct lw_scale *scale = view->scale;

	return (struct lw_net_facts){
		.waited_s = lw_order_waited_s(view),
		.limit_s = (double)view->class->limit_s,
		.width = scale->cpus > 0 ? lw_width(scale, &view->class->request) / scale->cpus
					 : 0,
		.cpus = scale->cpus,
		.free = run->free,
	};
}

double lw_netrun_key(void *arg, const struct lw_order_view *view)
{
	const struct lw_scale *scale = view->scale;
	const struct lw_netrun *run = arg;
	struct lw_net_facts facts = facts_of(run, view);
	float inputs[LW_NET_INPUTS_MAX];

	if (scale->cpus > 0)
		facts.memory = lw_demand_of(scale, &view->class->request).mib *
			       scale->cpus_per_mib / scale->cpus;
	lw_net_read(run->nets.order, &facts, inputs);
	return -lw_net_run(run->nets.order, inputs);
}

bool lw_netrun_holds(void *arg, const struct lw_order_view *view)
{
	const struct lw_netrun *run = arg;
	int64_t first_s = run->held_s[view->job->job_id];
	int64_t held_s = first_s ? view->now_s - first_s : 0;
	struct lw_net_facts facts = facts_of(run, view);
	float inputs[LW_NET_INPUTS_MAX];

	if (view->job->promise_s != LW_NO_TIME || held_s >= run->nets.inspect_cap_s)
		return false;
	facts.held_s = (double)held_s;
	facts.delay = run->delay;
	lw_net_read(run->nets.inspector, &facts, inputs);
	return lw_net_run(run->nets.inspector, inputs) > 0;
}

int64_t lw_netrun_held(struct lw_netrun *run, uint32_t id, int64_t now_s)
{
	int64_t over_s, again_s = now_s + LW_INSPECT_AGAIN_S;

	if (!run->held_s[id])
		run->held_s[id] = now_s > 0 ? now_s : 1;
	over_s = run->held_s[id] + run->nets.inspect_cap_s;
	return over_s > now_s && over_s < again_s ? over_s : again_s;
}
