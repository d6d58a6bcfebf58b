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
/* In place of a type of GPU: any one type. */
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

static inline uint32_t lw_res_gpus(const struct lw_res *res)
{
	uint32_t sum = 0;

	for (int type = 0; type < LW_GPU_TYPES_MAX; type++)
		sum += res->gpus[type];
	return sum;
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
