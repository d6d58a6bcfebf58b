/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: how many of a node's free GPUs the jobs of the mix could not use. */
#ifndef LW_PLANNER_FRAGMENT_H
#define LW_PLANNER_FRAGMENT_H

#include "planner/model/mix.h"

/*
 * After the fragmentation gradient descent of Weng et al., "Beware of fragmentation: scheduling
 * GPU-sharing workloads with fragmentation gradient descent", USENIX ATC 2023: a free GPU is a
 * fragment for a size when jobs of that size cannot use it, by GPUs, CPUs or memory of its node;
 * the measure is the mean over the sizes of the mix. The paper counts all free GPUs of a node on
 * which the size does not fit. This measure also counts the GPUs left over beside as many jobs
 * of the size as fit.
 *
 * Unit: 1 / LW_MIX_ONE GPU.
 */

#define LW_FRAGMENT_GPUS 64 /* more on a node count as that */

struct lw_fragment {
	struct lw_mix mix; /* weights add up to LW_MIX_ONE, or there are no sizes */
	uint32_t types;
	/* by type and free GPUs: the measure of a node with plenty of CPUs and memory */
	int64_t plenty[LW_GPU_TYPES_MAX][LW_FRAGMENT_GPUS + 1];
	/* what plenty is, for each free GPU */
	uint32_t cpus_a_gpu[LW_GPU_TYPES_MAX], mem_a_gpu_mib[LW_GPU_TYPES_MAX];
	uint32_t named[LW_GPU_TYPES_MAX]; /* weight of the sizes that ask for the type by name */
};

/* Prepare to measure by MIX with TYPES GPU types in use. */
void lw_fragment_init(struct lw_fragment *fragment, const struct lw_mix *mix, uint32_t types);

/* The measure of a node with FREE. O(types), or O(sizes) if CPUs or memory are short. */
int64_t lw_fragment_of(const struct lw_fragment *fragment, const struct lw_res *free);

/* By how much it grows if a job takes GIVE of FREE; below 0: the job uses up useless GPUs. */
int64_t lw_fragment_gain(const struct lw_fragment *fragment, const struct lw_res *free,
			 const struct lw_res *give);

#endif
