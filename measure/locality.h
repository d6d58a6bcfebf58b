/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: how near together jobs were put, and how broken up the free GPUs were. */
#ifndef LW_MEASURE_LOCALITY_H
#define LW_MEASURE_LOCALITY_H

#include "measure/job.h"

/*
 * Worked out from the nodes that were free, apart from the code that places. A gang is a job
 * of several nodes with GPUs; its domains are those its nodes are directly in.
 */
struct lw_locality {
	uint32_t gangs;		/* started on a machine with domains */
	uint32_t holdable;	/* of these, one domain could have held it when it started */
	uint32_t held;		/* of these, one did */
	uint64_t domains, domains_least; /* used by all gangs, and the fewest it takes */
	/*
	 * Of the jobs of several GPUs on a node: how many nodes with so many free in one island
	 * could have held, and how many of these started on such.
	 */
	uint32_t linkable, linked;
	uint32_t gpu_jobs;
	uint64_t nodes, nodes_least; /* of GPU jobs, and the fewest whole nodes it takes */
	/*
	 * GPU-seconds that were free while they were as many as the next job wants, and of these
	 * the ones of no use to it: on nodes where too few are free, or too little else.
	 */
	double free_gpu_s, useless_gpu_s;
	/* The same of all times, also while they are fewer than it wants. */
	double any_gpu_s, unusable_gpu_s;
};

/* Hooks of lab/sim/engine.h, with ARG a struct lw_locality that was zeroed before. */
void lw_locality_placed(void *arg, const struct lw_snapshot *snap, const struct lw_sim_job *job,
			const struct lw_alloc *allocs, uint32_t count);
void lw_locality_rested(void *arg, const struct lw_snapshot *snap,
			const struct lw_sim_job *next, int64_t until_s);

#endif
