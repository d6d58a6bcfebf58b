/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what is right, worked out the slow and plain way, sharing no code with the planner. */
#include "property/oracle.h"

#include "property/tap.h"

#include <inttypes.h>
#include <stdlib.h>

static bool wants_gpus(const struct lw_request *req)
{
	return req->gpus_per_node || req->gpus_total;
}

/* The GPU type that ALLOCS are of, but for those beside it: -1: of none at all, -2: a mixture. */
static int type_of(const struct lw_request *req, const struct lw_alloc *allocs, uint32_t count)
{
	int found = -1;

	for (uint32_t i = 0; i < count; i++) {
		for (int type = 0; type < LW_GPU_TYPES_MAX; type++) {
			if (allocs[i].res.gpus[type] == req->gpus_beside[type] || type == found)
				continue;
			if (found >= 0)
				return -2;
			found = type;
		}
	}
	return found;
}

static uint64_t parts_of(const struct lw_snapshot *snap, uint32_t node,
			 const struct lw_request *req, uint32_t gpus)
{
	for (int type = 0; type < LW_GPU_TYPES_MAX; type++)
		gpus += req->gpus_beside[type];
	return req->parts_per_node + (uint64_t)snap->nodes[node].total.gpu_parts * gpus;
}

/* Those it wants, and all of the GPUs that it has as a whole; of a whole node at least those. */
static int check_parts(const struct lw_snapshot *snap, const struct lw_request *req,
		       const struct lw_alloc *alloc, uint32_t gpus, struct lw_strbuf *why)
{
	uint32_t parts = alloc->res.parts;

	if (req->exclusive ? parts < parts_of(snap, alloc->node, req, req->gpus_per_node)
			   : parts != parts_of(snap, alloc->node, req, gpus))
		return BROKEN(why, "node %" PRIu32 ": other parts of GPUs\n", alloc->node);
	return 0;
}

static uint64_t memory_of(const struct lw_request *req, uint64_t cpus, uint64_t gpus)
{
	return req->mem_per_node_mib + req->mem_per_cpu_mib * cpus + req->mem_per_gpu_mib * gpus;
}

/* Of a whole node: its memory does for the GPUs of each type that is named, or for all. */
static uint64_t whole_memory_of(const struct lw_request *req, const struct lw_res *node)
{
	uint64_t mem_mib = memory_of(req, node->cpus, 0);

	for (int type = 0; type < LW_GPU_TYPES_MAX; type++) {
		bool named = type == req->gpu_type || req->gpus_beside[type];
		uint64_t for_type = memory_of(req, node->cpus, node->gpus[type]);

		if (named && for_type > mem_mib)
			mem_mib = for_type;
	}
	return req->gpu_type < 0 ? memory_of(req, node->cpus, lw_res_gpus(node)) : mem_mib;
}

static int check_node(const struct lw_snapshot *snap, uint32_t set, const struct lw_request *req,
		      const struct lw_alloc *alloc, const struct lw_res *free, int type,
		      struct lw_strbuf *why)
{
	const struct lw_res *res = &alloc->res;
	uint32_t gpus = type >= 0 ? res->gpus[type] : 0;
	uint64_t mem_mib = memory_of(req, res->cpus, gpus);

	if (!snap->nodes[alloc->node].usable)
		return BROKEN(why, "node %" PRIu32 " is not usable\n", alloc->node);
	if (!lw_bitset_test(&snap->sets[set].nodes, alloc->node))
		return BROKEN(why, "node %" PRIu32 " is not in the set\n", alloc->node);
	if (!lw_res_within(res, &free[alloc->node]))
		return BROKEN(why, "node %" PRIu32 ": more than is free\n", alloc->node);
	if (req->exclusive) {
		if (!lw_res_equal(res, &snap->nodes[alloc->node].total))
			return BROKEN(why, "node %" PRIu32 ": not whole\n", alloc->node);
		mem_mib = whole_memory_of(req, res);
	}
	if (res->cpus < req->cpus_per_node || gpus < req->gpus_per_node || res->mem_mib < mem_mib)
		return BROKEN(why, "node %" PRIu32 ": less than is needed\n", alloc->node);
	if (!req->exclusive && !req->cpus_total && res->cpus != req->cpus_per_node)
		return BROKEN(why, "node %" PRIu32 ": more CPUs than asked for\n", alloc->node);
	if (!req->exclusive && !req->gpus_total && gpus != req->gpus_per_node)
		return BROKEN(why, "node %" PRIu32 ": more GPUs than asked for\n", alloc->node);
	for (int other = 0; other < LW_GPU_TYPES_MAX; other++) {
		if (res->gpus[other] < req->gpus_beside[other])
			return BROKEN(why, "node %" PRIu32 ": too few beside\n", alloc->node);
	}
	return check_parts(snap, req, alloc, gpus, why);
}

/* Whole nodes may bring GPUs of other types: which one is meant? */
static int meant_type(const struct lw_request *req, const struct lw_alloc *allocs, uint32_t count)
{
	uint64_t sum, best_sum = 0;
	int best = -1;

	if (!wants_gpus(req))
		return -1;
	if (req->gpu_type != LW_GPU_ANY)
		return req->gpu_type;
	if (!req->exclusive)
		return type_of(req, allocs, count);
	for (int type = 0; type < LW_GPU_TYPES_MAX; type++) {
		bool enough = true;

		sum = 0;
		for (uint32_t i = 0; i < count; i++) {
			sum += allocs[i].res.gpus[type];
			enough = enough && allocs[i].res.gpus[type] >= req->gpus_per_node;
		}
		if (enough && sum > best_sum) {
			best = type;
			best_sum = sum;
		}
	}
	return best;
}

int oracle_serves(const struct lw_snapshot *snap, uint32_t set, const struct lw_request *req,
		  const struct lw_alloc *allocs, uint32_t count, const struct lw_res *free,
		  struct lw_strbuf *why)
{
	int type = meant_type(req, allocs, count);
	uint64_t cpus = 0, gpus = 0;

	if (count < req->nodes_min || count > req->nodes_max)
		return BROKEN(why, "%" PRIu32 " nodes\n", count);
	if (wants_gpus(req) && type < 0)
		return BROKEN(why, "GPUs of no one type\n");
	if (!wants_gpus(req) && !req->exclusive && type_of(req, allocs, count) != -1)
		return BROKEN(why, "GPUs nobody asked for\n");
	if (wants_gpus(req) && !req->exclusive && type_of(req, allocs, count) != type)
		return BROKEN(why, "GPUs of another type\n");
	for (uint32_t i = 0; i < count; i++) {
		if (i && allocs[i].node <= allocs[i - 1].node)
			return BROKEN(why, "nodes out of order\n");
		if (check_node(snap, set, req, &allocs[i], free, type, why))
			return -1;
		cpus += allocs[i].res.cpus;
		gpus += type >= 0 ? allocs[i].res.gpus[type] : 0;
	}
	if (cpus < req->cpus_total || gpus < req->gpus_total)
		return BROKEN(why, "totals not reached\n");
	return 0;
}

/* The most CPUs (or GPUs) a node gives while the other amount stays at its least. */
static bool most_of_node(const struct lw_snapshot *snap, uint32_t node,
			 const struct lw_request *req, const struct lw_res *free, int type,
			 uint32_t *ret_cpus, uint32_t *ret_gpus)
{
	uint32_t least_gpus = req->gpus_per_node, gpus, cpus;
	uint64_t mem_mib = free[node].mem_mib;

	if (type >= 0 && !least_gpus)
		least_gpus = 1;
	if (req->exclusive && !lw_res_equal(&free[node], &snap->nodes[node].total))
		return false;
	if (free[node].cpus < req->cpus_per_node)
		return false;
	if (type >= 0 && free[node].gpus[type] < least_gpus)
		return false;
	for (int other = 0; other < LW_GPU_TYPES_MAX; other++) {
		if (free[node].gpus[other] < req->gpus_beside[other])
			return false;
	}
	if (type < 0)
		least_gpus = 0;
	if (memory_of(req, req->cpus_per_node, least_gpus) > mem_mib ||
	    (req->exclusive && whole_memory_of(req, &free[node]) > mem_mib))
		return false;
	if (free[node].parts < parts_of(snap, node, req, least_gpus))
		return false;
	cpus = free[node].cpus;
	gpus = type >= 0 ? free[node].gpus[type] : 0;
	/* one by one down to what the memory carries: slow and obvious */
	while (!req->exclusive && memory_of(req, cpus, least_gpus) > mem_mib)
		cpus--;
	while (!req->exclusive && memory_of(req, req->cpus_per_node, gpus) > mem_mib)
		gpus--;
	while (!req->exclusive && parts_of(snap, node, req, gpus) > free[node].parts)
		gpus--;
	*ret_cpus = req->cpus_total || req->exclusive ? cpus : req->cpus_per_node;
	*ret_gpus = req->gpus_total || req->exclusive ? gpus : least_gpus;
	return true;
}

/* A set that is not there has no nodes. */
static bool may_use(const struct lw_snapshot *snap, uint32_t set, uint32_t node)
{
	return set < snap->set_count && snap->nodes[node].usable &&
	       lw_bitset_test(&snap->sets[set].nodes, node);
}

uint32_t oracle_serving_nodes(const struct lw_snapshot *snap, uint32_t set,
			      const struct lw_request *req, const struct lw_res *free, int type)
{
	uint32_t count = 0, cpus, gpus;

	for (uint32_t node = 0; node < snap->node_count; node++)
		count += may_use(snap, set, node) &&
			 most_of_node(snap, node, req, free, type, &cpus, &gpus);
	return count;
}

/* Do the nodes of the bit mask SUBSET serve REQ together? */
static bool subset_serves(const struct lw_snapshot *snap, uint32_t set,
			  const struct lw_request *req, const struct lw_res *free, int type,
			  uint32_t subset)
{
	uint64_t all_cpus = 0, all_gpus = 0;
	uint32_t cpus, gpus;

	for (uint32_t node = 0; node < snap->node_count; node++) {
		if (!(subset >> node & 1))
			continue;
		if (!may_use(snap, set, node) ||
		    !most_of_node(snap, node, req, free, type, &cpus, &gpus))
			return false;
		all_cpus += cpus;
		all_gpus += gpus;
	}
	return all_cpus >= req->cpus_total && all_gpus >= req->gpus_total;
}

uint32_t oracle_fewest_nodes(const struct lw_snapshot *snap, uint32_t set,
			     const struct lw_request *req, const struct lw_res *free)
{
	int first = wants_gpus(req) ? 0 : -1, last = wants_gpus(req) ? LW_GPU_TYPES_MAX - 1 : -1;
	uint32_t best = 0, count;

	if (wants_gpus(req) && req->gpu_type != LW_GPU_ANY)
		first = last = req->gpu_type;
	for (uint32_t subset = 1; subset < UINT32_C(1) << snap->node_count; subset++) {
		count = (uint32_t)__builtin_popcount(subset);
		if (count < req->nodes_min || count > req->nodes_max || (best && count >= best))
			continue;
		for (int type = first; type <= last; type++) {
			if (subset_serves(snap, set, req, free, type, subset))
				best = count;
		}
	}
	return best;
}

struct lw_res *oracle_free_at(const struct lw_snapshot *snap, const struct lw_plan *plan,
			      uint32_t decisions, int64_t time_s)
{
	struct lw_res *free_res = calloc((size_t)snap->node_count + 1, sizeof(*free_res));
	int64_t end_s;

	if (!free_res)
		return NULL;
	for (uint32_t i = 0; i < snap->node_count; i++)
		free_res[i] = snap->nodes[i].total;
	for (uint32_t i = 0; i < snap->running_count; i++) {
		const struct lw_running *job = &snap->running[i];

		end_s = job->end_s > snap->now_s ? job->end_s : snap->now_s + 1;
		for (uint32_t a = 0; a < job->alloc_count && end_s > time_s; a++)
			lw_res_sub(&free_res[snap->allocs[job->first_alloc + a].node],
				   &snap->allocs[job->first_alloc + a].res);
	}
	for (uint32_t i = 0; i < decisions; i++) {
		const struct lw_decision *start = &plan->decisions[i];

		end_s = snap->now_s + snap->waiting[start->waiting].limit_s;
		if (start->verdict != LW_START || end_s <= time_s)
			continue;
		for (uint32_t a = 0; a < start->alloc_count; a++)
			lw_res_sub(&free_res[plan->allocs[start->first_alloc + a].node],
				   &plan->allocs[start->first_alloc + a].res);
	}
	return free_res;
}
