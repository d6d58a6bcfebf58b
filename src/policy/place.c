/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: which nodes a job gets: the fewest, and those it fits best. */
#include "policy/place.h"

#include <errno.h>
#include <stdlib.h>

struct candidate {
	uint64_t key; /* best fit first: lw_index_key() */
	uint32_t node;
	struct lw_res give; /* the most it could give */
	uint32_t gpus;	    /* of those, GPUs of the type asked for */
};

struct lw_placer {
	uint32_t node_count;
	struct candidate *candidates;
	struct lw_alloc *allocs;      /* the answer */
	struct lw_alloc *best_allocs; /* the best answer over GPU types so far */
};

int lw_placer_create(uint32_t node_count, struct lw_placer **ret_placer)
{
	struct lw_placer *placer = calloc(1, sizeof(*placer));
	size_t room = (size_t)node_count + 1;

	if (!placer)
		return -ENOMEM;
	placer->node_count = node_count;
	placer->candidates = calloc(room, sizeof(*placer->candidates));
	placer->allocs = calloc(room, sizeof(*placer->allocs));
	placer->best_allocs = calloc(room, sizeof(*placer->best_allocs));
	if (!placer->candidates || !placer->allocs || !placer->best_allocs) {
		lw_placer_destroy(placer);
		return -ENOMEM;
	}
	*ret_placer = placer;
	return 0;
}

void lw_placer_destroy(struct lw_placer *placer)
{
	if (!placer)
		return;
	free(placer->candidates);
	free(placer->allocs);
	free(placer->best_allocs);
	free(placer);
}

static bool wants_gpus(const struct lw_request *req)
{
	return req->gpus_per_node || req->gpus_total;
}

/* A job with a total of GPUs and no per-node figure still needs one on each node. */
static uint32_t gpu_floor(const struct lw_request *req)
{
	return req->gpus_per_node ? req->gpus_per_node : req->gpus_total ? 1 : 0;
}

static uint64_t memory_for(const struct lw_request *req, uint32_t cpus, uint32_t gpus)
{
	return (uint64_t)req->mem_per_node_mib + (uint64_t)req->mem_per_cpu_mib * cpus +
	       (uint64_t)req->mem_per_gpu_mib * gpus;
}

static void set_amounts(struct lw_res *res, const struct lw_request *req, int type,
			uint32_t cpus, uint32_t gpus)
{
	uint64_t mem_mib = memory_for(req, cpus, gpus);

	*res = (struct lw_res){ .cpus = cpus };
	res->mem_mib = mem_mib > UINT32_MAX ? UINT32_MAX : (uint32_t)mem_mib;
	if (type >= 0)
		res->gpus[type] = (uint16_t)gpus;
}

bool lw_place_on_node(const struct lw_res *free, const struct lw_res *total,
		      const struct lw_request *req, int type, struct lw_res *ret_res)
{
	uint32_t cpus = req->cpus_per_node, gpus = type >= 0 ? gpu_floor(req) : 0;
	uint64_t spare_mib;

	if (req->exclusive && !lw_res_equal(free, total))
		return false;
	if (free->cpus < cpus || (type >= 0 && free->gpus[type] < gpus) ||
	    memory_for(req, cpus, gpus) > free->mem_mib)
		return false;
	if (req->exclusive) {
		*ret_res = *total;
		return true;
	}
	/* above the floor: GPUs first, they are what a job with a total of them is after */
	spare_mib = free->mem_mib - memory_for(req, cpus, gpus);
	if (type >= 0 && req->gpus_total) {
		uint32_t more = free->gpus[type] - gpus;

		if (req->mem_per_gpu_mib && more > spare_mib / req->mem_per_gpu_mib)
			more = (uint32_t)(spare_mib / req->mem_per_gpu_mib);
		gpus += more;
		spare_mib -= (uint64_t)more * req->mem_per_gpu_mib;
	}
	if (req->cpus_total) {
		uint32_t more = free->cpus - cpus;

		if (req->mem_per_cpu_mib && more > spare_mib / req->mem_per_cpu_mib)
			more = (uint32_t)(spare_mib / req->mem_per_cpu_mib);
		cpus += more;
	}
	set_amounts(ret_res, req, type, cpus, gpus);
	return true;
}

/* The first of the nodes that may serve: in best fit order with an index, else all. */
static uint32_t first_pos(const struct lw_room *room, const struct lw_request *req, int type)
{
	if (!room->index)
		return 0;
	return lw_index_find(room->index, type, type >= 0 ? gpu_floor(req) : 0,
			     req->cpus_per_node);
}

/* The next candidate at or after *pos, and *pos moved behind it. */
static bool next_node(const struct lw_room *room, int type, uint32_t *pos, uint32_t *ret_node)
{
	if (!room->index) {
		*ret_node = lw_bitset_next(room->candidates, *pos);
		*pos = *ret_node + 1;
		return *ret_node < room->candidates->bits;
	}
	while (lw_index_node(room->index, type, (*pos)++, ret_node)) {
		if (lw_bitset_test(room->candidates, *ret_node))
			return true;
	}
	return false;
}

/* Collect nodes that serve, no more than WANT when an index brings the best first. */
static uint32_t gather(struct lw_placer *placer, const struct lw_room *room,
		       const struct lw_request *req, int type, uint32_t want)
{
	uint32_t pos = first_pos(room, req, type), node, count = 0;

	while (next_node(room, type, &pos, &node)) {
		struct candidate *cand = &placer->candidates[count];
		struct lw_res avail = room->free[node];

		if (node >= placer->node_count)
			continue;
		if (room->guarded && room->guarded[node])
			lw_res_min(&avail, &room->spare[node]);
		if (!lw_place_on_node(&avail, &room->total[node], req, type, &cand->give))
			continue;
		cand->node = node;
		cand->gpus = type >= 0 ? cand->give.gpus[type] : 0;
		cand->key = lw_index_key(&room->free[node], type, node);
		if (++count == want && room->index)
			break;
	}
	return count;
}

static int by_key(const void *a, const void *b)
{
	const struct candidate *x = a, *y = b;

	return x->key < y->key ? -1 : x->key > y->key;
}

static int by_node(const void *a, const void *b)
{
	const struct lw_alloc *x = a, *y = b;

	return x->node < y->node ? -1 : x->node > y->node;
}

/* Only per-node amounts: all candidates serve alike, so the best fitting ones do. */
static int choose_alike(struct lw_placer *placer, const struct lw_request *req, uint32_t count,
			uint32_t *ret_count)
{
	struct candidate *cand = placer->candidates;
	uint32_t want = count < req->nodes_max ? count : req->nodes_max;

	if (count < req->nodes_min)
		return -ENOSPC;
	if (want < count)
		qsort(cand, count, sizeof(*cand), by_key);
	for (uint32_t i = 0; i < want; i++)
		placer->allocs[i] = (struct lw_alloc){ cand[i].node, cand[i].give };
	*ret_count = want;
	return 0;
}

/* What is still missing of the totals. */
struct missing {
	uint32_t cpus;
	uint32_t gpus;
	uint32_t nodes; /* to reach nodes_min */
};

static uint32_t cut(uint32_t have, uint32_t missing)
{
	return have < missing ? have : missing;
}

static bool completes(const struct missing *missing, const struct candidate *cand)
{
	return missing->nodes <= 1 && cand->give.cpus >= missing->cpus &&
	       cand->gpus >= missing->gpus;
}

/*
 * The next node: one that completes the job if there is any, the best fitting of
 * those; else the one that gives most of what is missing. That needs the fewest
 * nodes for one total and is a good guess for two.
 */
static uint32_t pick_next(const struct candidate *cand, uint32_t count,
			  const struct missing *missing)
{
	uint32_t best = count;
	bool best_completes = false;
	uint64_t best_gain = 0;

	for (uint32_t i = 0; i < count; i++) {
		bool done = completes(missing, &cand[i]);
		uint64_t gain = (uint64_t)cut(cand[i].gpus, missing->gpus) << 32 |
				cut(cand[i].give.cpus, missing->cpus);
		bool better;

		if (best == count)
			better = true;
		else if (done != best_completes)
			better = done;
		else if (!done && gain != best_gain)
			better = gain > best_gain;
		else
			better = cand[i].key < cand[best].key;
		if (better) {
			best = i;
			best_completes = done;
			best_gain = gain;
		}
	}
	return best;
}

/* Take from a node what is missing, leaving the nodes still to come their floor. */
static void take(struct lw_alloc *alloc, const struct candidate *cand,
		 const struct lw_request *req, int type, struct missing *missing)
{
	uint32_t later = missing->nodes > 1 ? missing->nodes - 1 : 0;
	uint32_t floor_gpus = type >= 0 ? gpu_floor(req) : 0;
	uint32_t cpus = req->cpus_per_node, gpus = floor_gpus;

	if (missing->cpus > later * req->cpus_per_node)
		cpus = cut(cand->give.cpus, missing->cpus - later * req->cpus_per_node);
	if (missing->gpus > later * floor_gpus)
		gpus = cut(cand->gpus, missing->gpus - later * floor_gpus);
	if (cpus < req->cpus_per_node)
		cpus = req->cpus_per_node;
	if (gpus < floor_gpus)
		gpus = floor_gpus;
	alloc->node = cand->node;
	if (req->exclusive)
		alloc->res = cand->give;
	else
		set_amounts(&alloc->res, req, type, cpus, gpus);
	missing->cpus -= cut(cpus, missing->cpus);
	missing->gpus -= cut(gpus, missing->gpus);
	missing->nodes = later;
}

static int choose_totals(struct lw_placer *placer, const struct lw_request *req, int type,
			 uint32_t count, uint32_t *ret_count)
{
	struct candidate *cand = placer->candidates;
	struct missing missing = { req->cpus_total, type >= 0 ? req->gpus_total : 0,
				   req->nodes_min };
	uint32_t taken = 0;

	while (missing.nodes || missing.cpus || missing.gpus) {
		uint32_t i;

		if (taken == req->nodes_max || taken == count)
			return -ENOSPC;
		i = taken + pick_next(cand + taken, count - taken, &missing);
		take(&placer->allocs[taken], &cand[i], req, type, &missing);
		cand[i] = cand[taken];
		taken++;
	}
	*ret_count = taken;
	return 0;
}

static int place_type(struct lw_placer *placer, const struct lw_room *room,
		      const struct lw_request *req, int type, uint32_t *ret_count)
{
	bool totals = req->cpus_total || (type >= 0 && req->gpus_total);
	uint32_t count = gather(placer, room, req, type, totals ? UINT32_MAX : req->nodes_max);

	if (count < req->nodes_min)
		return -ENOSPC;
	if (totals)
		return choose_totals(placer, req, type, count, ret_count);
	return choose_alike(placer, req, count, ret_count);
}

/* GPUs of any one type: the type that needs the fewest nodes, else the first. */
static int place_any_type(struct lw_placer *placer, const struct lw_room *room,
			  const struct lw_request *req, uint32_t *ret_count)
{
	int types = room->gpu_types ? (int)room->gpu_types : LW_GPU_TYPES_MAX;
	uint32_t best = UINT32_MAX, count;

	for (int type = 0; type < types && best > req->nodes_min; type++) {
		struct lw_alloc *swap = placer->allocs;

		if (place_type(placer, room, req, type, &count) || count >= best)
			continue;
		best = count;
		placer->allocs = placer->best_allocs;
		placer->best_allocs = swap;
	}
	if (best == UINT32_MAX)
		return -ENOSPC;
	/* the best answer was put away last: take it back */
	struct lw_alloc *swap = placer->allocs;

	placer->allocs = placer->best_allocs;
	placer->best_allocs = swap;
	*ret_count = best;
	return 0;
}

int lw_place(struct lw_placer *placer, const struct lw_room *room, const struct lw_request *req,
	     const struct lw_alloc **ret_allocs, uint32_t *ret_count)
{
	uint32_t count = 0;
	int rc;

	if (wants_gpus(req) && req->gpu_type == LW_GPU_ANY)
		rc = place_any_type(placer, room, req, &count);
	else
		rc = place_type(placer, room, req, wants_gpus(req) ? req->gpu_type : LW_GPU_ANY,
				&count);
	if (rc)
		return rc;
	qsort(placer->allocs, count, sizeof(*placer->allocs), by_node);
	*ret_allocs = placer->allocs;
	*ret_count = count;
	return 0;
}
