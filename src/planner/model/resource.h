/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: amounts of CPUs, memory and GPUs. */
#ifndef LW_PLANNER_RESOURCE_H
#define LW_PLANNER_RESOURCE_H

#include <stdbool.h>
#include <stdint.h>

/* GPU types one cluster may have (a100, h100, a MIG profile, ...). */
#define LW_GPU_TYPES_MAX 16
/* How many caps on the CPUs of a node there may be: see lw_res.capped. */
#define LW_CAPS_MAX 3
/* In place of a GPU type: any one type. */
#define LW_GPU_ANY (-1)

struct lw_res {
	uint32_t cpus;
	uint32_t mem_mib;
	uint16_t gpus[LW_GPU_TYPES_MAX]; /* by type, the index is the snapshot's */
	/*
	 * Only in a node's total: the number of parts of each of its GPUs. 0: there are none, or
	 * GPUs differ; then whole GPUs and parts are counted independently.
	 */
	uint16_t gpu_parts;
	/*
	 * Parts of GPUs (shards, MPS shares). A job with a whole GPU takes all of its parts: a
	 * GPU is available only if all of its parts are free.
	 */
	uint32_t parts;
	/*
	 * By cap: CPUs that all jobs under the cap may have of the node together. Such a job
	 * takes them from cpus as well (MaxCPUsPerNode of a partition).
	 */
	uint16_t capped[LW_CAPS_MAX];
};

static inline uint32_t lw_res_gpus(const struct lw_res *res)
{
	uint32_t sum = 0;

	for (int type = 0; type < LW_GPU_TYPES_MAX; type++)
		sum += res->gpus[type];
	return sum;
}

/*
 * Does FREE, of a node of size TOTAL, lack PARTS and the parts of GPUS whole GPUs together?
 * Called for every node: next to no cost if both are 0.
 */
static inline bool lw_res_lacks_parts(const struct lw_res *free, const struct lw_res *total,
				      uint32_t parts, uint32_t gpus)
{
	uint32_t each = gpus ? total->gpu_parts : 0;

	return (parts | each) && parts + (uint64_t)gpus * each > free->parts;
}

/* Amounts of many nodes together, which the counters of one would not hold. */
struct lw_res_sum {
	uint64_t cpus, gpus;
};

static inline void lw_res_sum_add(struct lw_res_sum *sum, const struct lw_res *res)
{
	sum->cpus += res->cpus;
	sum->gpus += lw_res_gpus(res);
}

static inline void lw_res_sum_sub(struct lw_res_sum *sum, const struct lw_res *res)
{
	sum->cpus -= res->cpus;
	sum->gpus -= lw_res_gpus(res);
}

/* a += b; saturates, since amounts come from outside. */
void lw_res_add(struct lw_res *a, const struct lw_res *b);
/* a -= b; never below 0. */
void lw_res_sub(struct lw_res *a, const struct lw_res *b);
/* a = the smaller of both, amount by amount. */
void lw_res_min(struct lw_res *a, const struct lw_res *b);
/* Is every amount of PART at most that of WHOLE? */
bool lw_res_within(const struct lw_res *part, const struct lw_res *whole);
bool lw_res_equal(const struct lw_res *a, const struct lw_res *b);

#endif
