/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: whole nodes are left to jobs that need them, if others soon have room elsewhere. */
#include "planner/policies/whole_nodes.h"

#include <string.h>

/* Below this probability that no node has room, further nodes do not matter. */
#define HARDLY 0.001

static const struct lw_class *whole_nodes_class_at(const struct lw_cycle *cycle, uint32_t number)
{
	return &cycle->snap->queue.classes[number];
}

void lw_whole_nodes_started(struct lw_whole_nodes *whole)
{
	memset(whole->room_known, 0, sizeof(whole->room_known));
}

void lw_whole_nodes_begin(const struct lw_cycle *cycle, struct lw_whole_nodes *whole)
{
	const struct lw_queue *queue = &cycle->snap->queue;

	*whole = (struct lw_whole_nodes){ 0 };
	for (uint32_t i = 0; cycle->release_dists && i < queue->active_count; i++) {
		const struct lw_request *req =
			&whole_nodes_class_at(cycle, queue->active[i])->request;

		if ((req->gpus_per_node || req->exclusive) && req->nodes_min > whole->widest)
			whole->widest = req->nodes_min;
	}
}

/* The free node that would be broken. */
struct broken {
	uint32_t node, like; /* number of free whole nodes like it, with it */
	int type;            /* of GPU */
	uint16_t tier;       /* of the job that would break it */
};

/* Can it not start yet, whatever is free? */
static bool whole_nodes_is_early(const struct lw_cycle *cycle, const struct lw_class *class)
{
	return lw_cycle_is_ahead(cycle, class->begin_s) ||
	       lw_snapshot_earliest_s(cycle->snap, &class->constraints) > cycle->snap->now_s;
}

/* Does the class need all nodes like this one, may it use this one, and can it still start? */
static bool whole_nodes_needs(const struct lw_cycle *cycle, uint32_t number,
			      const struct broken *broken)
{
	const struct lw_class *class = whole_nodes_class_at(cycle, number);
	uint32_t node = broken->node;
	const struct lw_res *total = &cycle->total[node];
	int type = broken->type;
	struct lw_res give;

	return class->request.nodes_min == broken->like &&
	       !lw_cycle_class_has_failed(cycle, number) && !whole_nodes_is_early(cycle, class) &&
	       class->constraints.tier >= broken->tier &&
	       lw_bitset_test(&cycle->usable[class->set], node) &&
	       lw_place_on_node(total, total, &class->request, type, &give) &&
	       give.gpus[type] == total->gpus[type];
}

static bool whole_nodes_is_needed(const struct lw_cycle *cycle, struct lw_whole_nodes *whole,
				  const struct broken *broken)
{
	const struct lw_queue *queue = &cycle->snap->queue;

	if (broken->like > whole->widest)
		return false;
	if (whole->any && whole_nodes_needs(cycle, whole->class_number, broken))
		return true;
	for (uint32_t i = 0; i < queue->active_count; i++) {
		whole->class_number = queue->active[i];
		whole->any = whole_nodes_needs(cycle, queue->active[i], broken);
		if (whole->any)
			return true;
	}
	return false;
}

/* Does it take some, but not all, GPUs of a node with all GPUs free? */
static bool whole_nodes_breaks(const struct lw_cycle *cycle, const struct lw_alloc *alloc,
			       struct broken *ret_broken)
{
	const struct lw_res *free = &cycle->free[alloc->node];
	const struct lw_res *total = &cycle->total[alloc->node];

	for (int type = 0; type < LW_GPU_TYPES_MAX; type++) {
		uint32_t takes = alloc->res.gpus[type], all = total->gpus[type];

		if (!takes || takes >= all || takes > LW_FRAGMENT_GPUS || free->gpus[type] != all)
			continue;
		ret_broken->node = alloc->node;
		ret_broken->type = type;
		ret_broken->like = lw_index_count(cycle->index, type) -
				   lw_index_find(cycle->index, type, all, 0);
		return true;
	}
	return false;
}

/* The probability, at POINT of survival.h, that NODE, which has too few, has GPUS free. */
static double whole_nodes_chance(const struct lw_cycle *cycle, uint32_t node, int type,
				 uint32_t gpus, unsigned point)
{
	uint32_t have = cycle->free[node].gpus[type], odds = 0;

	for (uint32_t came = gpus - have; came <= LW_DRAIN_GPUS; came++)
		odds += cycle->release_dists->items[node].odds[point][came];
	return (double)odds / LW_DRAIN_ONE;
}

/*
 * When a broken node of SET is expected to have room. Nodes with enough free GPUs were not
 * chosen: they are kept for other jobs, or lack something else.
 */
static double whole_nodes_find_room_s(const struct lw_cycle *cycle, uint32_t set, int type,
				      uint32_t gpus)
{
	double sum_s = 0;

	for (unsigned point = 0; point < LW_SURVIVAL_POINTS; point++) {
		double none = 1;
		uint32_t node;

		lw_bitset_foreach(&cycle->usable[set], node)
		{
			if (gpus <= cycle->total[node].gpus[type] &&
			    gpus > cycle->free[node].gpus[type])
				none *= 1 - whole_nodes_chance(cycle, node, type, gpus, point);
			if (none < HARDLY)
				break;
		}
		sum_s += (double)(lw_survival_span(point) * LW_SURVIVAL_UNIT_S) * none;
	}
	return sum_s;
}

/* The same, kept until the next start. */
static double whole_nodes_room_s(const struct lw_cycle *cycle, struct lw_whole_nodes *whole,
				 uint32_t set, int type, uint32_t gpus)
{
	if (whole->set != set || whole->type != type)
		lw_whole_nodes_started(whole);
	whole->set = set;
	whole->type = type;
	if (!whole->room_known[gpus])
		whole->room_s[gpus] = whole_nodes_find_room_s(cycle, set, type, gpus);
	whole->room_known[gpus] = true;
	return whole->room_s[gpus];
}

/* May the record leave a whole node to another job, and is its survival function known? */
static bool whole_nodes_may_leave(const struct lw_cycle *cycle, uint32_t index)
{
	return cycle->release_dists && lw_cycle_class(cycle, index)->expected.survival &&
	       !cycle->snap->waiting[index].constraints.now_only &&
	       !lw_cycle_is_reserved(cycle, index);
}

bool lw_whole_nodes_is_left(const struct lw_cycle *cycle, struct lw_whole_nodes *whole,
			    uint32_t index, const struct lw_alloc *allocs, uint32_t count)
{
	const struct lw_class *class = lw_cycle_class(cycle, index);
	struct broken broken = { .tier = class->constraints.tier };
	double stay_s;

	if (count != 1 || !whole_nodes_may_leave(cycle, index) ||
	    !whole_nodes_breaks(cycle, allocs, &broken) ||
	    !whole_nodes_is_needed(cycle, whole, &broken))
		return false;
	stay_s = (double)(lw_survival_sum(class->expected.survival) * LW_SURVIVAL_UNIT_S) /
		 LW_SURVIVAL_ONE;
	return cycle->params->yield * stay_s > whole_nodes_room_s(cycle, whole, class->set,
								  broken.type,
								  allocs->res.gpus[broken.type]);
}
