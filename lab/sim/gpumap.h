/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: which GPUs of a simulated node are taken, by number, and what islands are left. */
#ifndef LW_LAB_SIM_GPUMAP_H
#define LW_LAB_SIM_GPUMAP_H

#include "planner/model/snapshot.h"

/*
 * For a machine with GPUs in islands of equal size, in order of their numbers, as by NVLink. It
 * keeps lw_node.linked of a snapshot's nodes up to date. Slurm, not the planner, chooses the
 * GPUs of a job's nodes. Here these are the GPUs of the first island that holds all of its GPUs
 * on the node, else the GPUs with the lowest numbers.
 */

#define LW_GPUMAP_GPUS 64 /* of a node, at the most */

struct lw_gpumap {
	struct lw_snapshot *snap; /* borrowed */
	uint32_t gpus, island;
	uint64_t *free;  /* by node: a bit for each GPU */
	uint32_t *first; /* by job: the last GPU it took; GPUs count through the nodes ... */
	uint32_t *next;  /* ... and by GPU: the one its job took before */
};

/*
 * All nodes of SNAP, which lasts as long as MAP, have GPUS GPUs in islands of ISLAND, and all
 * are free; jobs are told by their number below JOB_COUNT. -ENOMEM leaves nothing to finish.
 */
int lw_gpumap_init(struct lw_gpumap *map, struct lw_snapshot *snap, uint32_t gpus,
		   uint32_t island, uint32_t job_count);
/* Free all it holds; safe on a zeroed one. */
void lw_gpumap_fini(struct lw_gpumap *map);

/* JOB, which has none, takes the GPUs of ALLOCS; so many must be free. */
void lw_gpumap_take(struct lw_gpumap *map, uint32_t job, const struct lw_alloc *allocs,
		    uint32_t count);
/* HEIR, which has none, has those of HOLDER, and that one none. */
void lw_gpumap_pass(struct lw_gpumap *map, uint32_t holder, uint32_t heir);
/* JOB gives back all it has. */
void lw_gpumap_give(struct lw_gpumap *map, uint32_t job);

#endif
