/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: amounts of CPUs, memory and GPUs, and what a job asks of them. */
#ifndef LW_PLANNER_RESOURCE_H
#define LW_PLANNER_RESOURCE_H

#include <stdbool.h>
#include <stdint.h>

/* GPU types one cluster may have (a100, h100, a MIG profile, ...). */
#define LW_GPU_TYPES_MAX 16
/* How many caps on the CPUs of a node there may be: see lw_res.capped. */
#define LW_CAPS_MAX 3
/* A request that takes GPUs of any one type. */
#define LW_GPU_ANY (-1)

struct lw_res {
	uint32_t cpus;
	uint32_t mem_mib;
	uint16_t gpus[LW_GPU_TYPES_MAX]; /* by type, the index is the snapshot's */
	/*
	 * No amount, but of a node's total: how many parts each of its GPUs is. 0: there are
	 * none, or GPUs differ in that; then whole GPUs and parts know nothing of each other.
	 */
	uint16_t gpu_parts;
	/*
	 * Parts of GPUs (shards, MPS shares). Who has a GPU as a whole has all of its parts: where
	 * these are not free, it cannot be had.
	 */
	uint32_t parts;
	/*
	 * By cap: CPUs that the jobs under it may have of the node together, beside cpus, which
	 * they take as well (MaxCPUsPerNode of a partition).
	 */
	uint16_t capped[LW_CAPS_MAX];
};

/*
 * What a job needs. A node can serve it when it has the per-node amounts free; the
 * job can start when nodes_min .. nodes_max such nodes together have the totals.
 * A total of 0 means that the per-node amounts say it all.
 */
struct lw_request {
	uint32_t nodes_min; /* at least 1 */
	uint32_t nodes_max; /* >= nodes_min */
	uint32_t cpus_per_node;
	uint32_t mem_per_node_mib;
	uint32_t mem_per_cpu_mib; /* 0, or memory follows the CPUs a node gives */
	uint32_t mem_per_gpu_mib; /* 0, or memory follows the GPUs a node gives */
	uint16_t gpus_per_node;
	uint16_t gpus_beside[LW_GPU_TYPES_MAX]; /* of other types than gpu_type, which is known */
	int8_t gpu_type; /* index, or LW_GPU_ANY */
	bool exclusive;	 /* whole, empty nodes */
	uint32_t cpus_total;
	uint32_t gpus_total;
	/* of totals a node gives what whole tasks of so many need; 0: any amount */
	uint32_t cpus_per_task;
	uint16_t gpus_per_task;
	uint32_t parts_per_node; /* parts of GPUs */
	uint16_t cap; /* 1 .. LW_CAPS_MAX: its CPUs are under that cap as well; 0: none */
};

static inline uint32_t lw_res_gpus(const struct lw_res *res)
{
	uint32_t sum = 0;

	for (int type = 0; type < LW_GPU_TYPES_MAX; type++)
		sum += res->gpus[type];
	return sum;
}

/* How many GPUs of a node REQ wants besides those of its own type. */
static inline uint32_t lw_request_beside(const struct lw_request *req)
{
	uint32_t sum = 0;

	for (int type = 0; type < LW_GPU_TYPES_MAX; type++)
		sum += req->gpus_beside[type];
	return sum;
}

/* Has a node too few of these in FREE? Asked for every node: no branches. */
static inline bool lw_res_lacks_beside(const struct lw_res *free, const struct lw_request *req)
{
	uint16_t lacks = 0;

	for (int type = 0; type < LW_GPU_TYPES_MAX; type++)
		lacks |= req->gpus_beside[type] > free->gpus[type];
	return lacks;
}

/*
 * Has a node, whose size is TOTAL, too few parts of GPUs in FREE for PARTS and those of GPUS that
 * are given as a whole? Asked for every node: who wants neither pays next to nothing.
 */
static inline bool lw_res_lacks_parts(const struct lw_res *free, const struct lw_res *total,
				      uint32_t parts, uint32_t gpus)
{
	uint32_t each = gpus ? total->gpu_parts : 0;

	return (parts | each) && parts + (uint64_t)gpus * each > free->parts;
}

/* How many CPUs of a node may REQ have of FREE? */
static inline uint32_t lw_res_cpus_for(const struct lw_res *free, const struct lw_request *req)
{
	return req->cap && free->capped[req->cap - 1] < free->cpus ? free->capped[req->cap - 1]
								   : free->cpus;
}

/* May REQ, which wants whole nodes, never have one of the size TOTAL? */
static inline bool lw_res_capped_below(const struct lw_res *total, const struct lw_request *req)
{
	return req->exclusive && lw_res_cpus_for(total, req) < total->cpus;
}

/* Do both ask the same? */
bool lw_request_equal(const struct lw_request *a, const struct lw_request *b);
/* a += b; saturates instead of wrapping, since amounts come from outside. */
void lw_res_add(struct lw_res *a, const struct lw_res *b);
/* a -= b; an amount that would fall below 0 becomes 0. */
void lw_res_sub(struct lw_res *a, const struct lw_res *b);
/* a = the smaller of both, amount by amount. */
void lw_res_min(struct lw_res *a, const struct lw_res *b);
/* Is every amount of PART at most that of WHOLE? */
bool lw_res_within(const struct lw_res *part, const struct lw_res *whole);
bool lw_res_equal(const struct lw_res *a, const struct lw_res *b);

#endif
