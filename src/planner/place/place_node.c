/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what one node gives to a job. */
#include "planner/place/placer.h"

#include <string.h>

static uint32_t node_least(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

static uint32_t place_node_most(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

static uint64_t place_node_memory_for(const struct lw_request *req, uint32_t cpus, uint32_t gpus)
{
	return (uint64_t)req->mem_per_node_mib + (uint64_t)req->mem_per_cpu_mib * cpus +
	       (uint64_t)req->mem_per_gpu_mib * gpus;
}

void lw_place_amounts(struct lw_res *res, const struct lw_request *req, int type, uint32_t cpus,
		      uint32_t gpus)
{
	uint64_t mem_mib = place_node_memory_for(req, cpus, gpus);

	*res = (struct lw_res){ .cpus = cpus, .parts = req->parts_per_node };
	memcpy(res->gpus, req->gpus_beside, sizeof(res->gpus));
	res->mem_mib = mem_mib > UINT32_MAX ? UINT32_MAX : (uint32_t)mem_mib;
	if (type >= 0)
		res->gpus[type] = (uint16_t)gpus;
	if (req->cap)
		res->capped[req->cap - 1] = (uint16_t)node_least(cpus, UINT16_MAX);
}

void lw_place_floor(const struct lw_request *req, int type, struct lw_res *ret_res)
{
	lw_place_amounts(ret_res, req, type, req->cpus_per_node,
			 type >= 0 ? lw_gpu_floor(req) : 0);
}

void lw_place_whole_parts(struct lw_res *res, const struct lw_res *total)
{
	uint64_t parts = res->parts + (uint64_t)lw_res_gpus(res) * total->gpu_parts;

	res->gpu_parts = total->gpu_parts;
	res->parts = parts > UINT32_MAX ? UINT32_MAX : (uint32_t)parts;
}

/*
 * How many GPUs have all their parts free, after the parts that the job wants and its GPUs of
 * other types, which are there.
 */
static uint32_t place_node_whole_gpus(const struct lw_request *req, const struct lw_res *free,
				      const struct lw_res *total)
{
	return total->gpu_parts ? (free->parts - req->parts_per_node) / total->gpu_parts -
					  lw_request_beside(req)
				: UINT32_MAX;
}

void lw_place_whole_tasks(const struct lw_request *req, int type, uint32_t *cpus, uint32_t *gpus)
{
	bool by_cpus = req->cpus_total && req->cpus_per_task;
	bool by_gpus = type >= 0 && req->gpus_total && req->gpus_per_task;
	uint32_t tasks = by_cpus ? *cpus / req->cpus_per_task : UINT32_MAX;

	if (by_gpus)
		tasks = node_least(tasks, *gpus / req->gpus_per_task);
	if (by_cpus)
		*cpus = place_node_most(tasks * req->cpus_per_task, req->cpus_per_node);
	if (by_gpus)
		*gpus = place_node_most(tasks * req->gpus_per_task, lw_gpu_floor(req));
}

/* The GPUs of a whole node; GPUs of types that REQ names are counted separately. */
static uint32_t whole_node_gpus(const struct lw_res *total, const struct lw_request *req)
{
	uint32_t gpus = 0;

	if (req->gpu_type == LW_GPU_ANY)
		return lw_res_gpus(total);
	for (int type = 0; type < LW_GPU_TYPES_MAX; type++) {
		if (type == req->gpu_type || req->gpus_beside[type])
			gpus = place_node_most(gpus, total->gpus[type]);
	}
	return gpus;
}

/* A whole node's memory must be enough for all of its CPUs and GPUs. */
static uint64_t place_node_least_memory(const struct lw_res *total, const struct lw_request *req,
					uint32_t cpus, uint32_t gpus)
{
	return req->exclusive
		       ? place_node_memory_for(req, total->cpus, whole_node_gpus(total, req))
		       : place_node_memory_for(req, cpus, gpus);
}

bool lw_place_on_node(const struct lw_res *free, const struct lw_res *total,
		      const struct lw_request *req, int type, struct lw_res *ret_res)
{
	uint32_t cpus = req->cpus_per_node, gpus = type >= 0 ? lw_gpu_floor(req) : 0;
	uint32_t most_cpus = lw_res_cpus_for(free, req);
	uint32_t beside = total->gpu_parts ? lw_request_beside(req) : 0;
	uint64_t spare_mib;

	if (req->exclusive && !lw_res_equal(free, total))
		return false;
	if (most_cpus < cpus || lw_res_capped_below(total, req) ||
	    (type >= 0 && free->gpus[type] < gpus) ||
	    place_node_least_memory(total, req, cpus, gpus) > free->mem_mib ||
	    lw_res_lacks_beside(free, req) ||
	    lw_res_lacks_parts(free, total, req->parts_per_node, gpus + beside))
		return false;
	if (req->exclusive) {
		*ret_res = *total;
		return true;
	}
	/* above the floor: GPUs first, since a job with a total of GPUs is after these */
	spare_mib = free->mem_mib - place_node_memory_for(req, cpus, gpus);
	if (type >= 0 && req->gpus_total) {
		uint32_t more = free->gpus[type] - gpus;

		if (req->mem_per_gpu_mib && more > spare_mib / req->mem_per_gpu_mib)
			more = (uint32_t)(spare_mib / req->mem_per_gpu_mib);
		more = node_least(more, place_node_whole_gpus(req, free, total) - gpus);
		gpus += more;
		spare_mib -= (uint64_t)more * req->mem_per_gpu_mib;
	}
	if (req->cpus_total) {
		uint32_t more = most_cpus - cpus;

		if (req->mem_per_cpu_mib && more > spare_mib / req->mem_per_cpu_mib)
			more = (uint32_t)(spare_mib / req->mem_per_cpu_mib);
		cpus += more;
	}
	lw_place_whole_tasks(req, type, &cpus, &gpus);
	lw_place_amounts(ret_res, req, type, cpus, gpus);
	if (gpus && total->gpu_parts)
		lw_place_whole_parts(ret_res, total);
	return true;
}
