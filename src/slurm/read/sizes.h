/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the sizes of recently submitted GPU jobs, from Slurm's job list. */
#ifndef LW_SLURM_SIZES_H
#define LW_SLURM_SIZES_H

#include "planner/model/snapshot.h"
#include "slurm/compat/compat.h"

/* All zero is empty. */
struct lw_sizes {
	struct lw_mix mix; /* with the GPU types of the last kept snapshot: */
	char *gpu_types[LW_GPU_TYPES_MAX];
	uint32_t gpu_type_count;
	uint32_t ready; /* jobs that waited for room at the last reading, and may ever start */
	int64_t until_s; /* jobs submitted up to then are counted; 0: none */
};

/* The result of a reading, kept only when the reading is complete. */
struct lw_sizes_found {
	struct lw_mix mix;
	int64_t latest_s;
};

/*
 * Begin with what was kept, for the GPUs that the nodes of SNAP have: nodes come and go, and
 * users ask for types that do not exist.
 */
void lw_sizes_begin(const struct lw_sizes *sizes, const struct lw_snapshot *snap,
		    struct lw_sizes_found *ret_found);
/*
 * Note JOB if it was submitted since the last kept reading; after a start of slurmctld, all jobs
 * that it still knows. Needs LW_LOCKS_ALL.
 */
void lw_sizes_note(const struct lw_sizes *sizes, struct lw_sizes_found *found,
		   struct lw_snapshot *snap, const job_record_t *job);
/* All jobs are noted: keep the result, and copy the mix to SNAP. */
void lw_sizes_keep(struct lw_sizes *sizes, const struct lw_sizes_found *found,
		   struct lw_snapshot *snap);
/* Forget all; safe on a zeroed one. */
void lw_sizes_fini(struct lw_sizes *sizes);

#endif
