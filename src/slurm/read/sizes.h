/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: which sizes of GPU jobs were submitted of late, told by Slurm's job list. */
#ifndef LW_SLURM_SIZES_H
#define LW_SLURM_SIZES_H

#include "planner/model/snapshot.h"
#include "slurm/compat/compat.h"

/* All zero is empty. */
struct lw_sizes {
	struct lw_mix mix; /* by the GPU types of the snapshot that was kept last: */
	char *gpu_types[LW_GPU_TYPES_MAX];
	uint32_t gpu_type_count;
	int64_t until_s; /* jobs submitted up to then were noted; 0: none */
};

/* What a reading finds: it is kept when the reading is complete, and only then. */
struct lw_sizes_found {
	struct lw_mix mix;
	int64_t latest_s;
};

/*
 * Begin with what was kept, as far as the nodes of SNAP, which it has by now, have such GPUs:
 * nodes come and go, and users ask for types that nobody has.
 */
void lw_sizes_begin(const struct lw_sizes *sizes, const struct lw_snapshot *snap,
		    struct lw_sizes_found *ret_found);
/*
 * Note JOB if it was submitted since the last reading that was kept; after a start that is all
 * that Slurm still knows of. Needs LW_LOCKS_ALL.
 */
void lw_sizes_note(const struct lw_sizes *sizes, struct lw_sizes_found *found,
		   struct lw_snapshot *snap, const job_record_t *job);
/* All jobs were noted: keep it, and give SNAP the mix. */
void lw_sizes_keep(struct lw_sizes *sizes, const struct lw_sizes_found *found,
		   struct lw_snapshot *snap);
/* Forget all; safe on a zeroed one. */
void lw_sizes_fini(struct lw_sizes *sizes);

#endif
