/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: GPUs with parts that running jobs hold (gres/shard, gres/mps). */
#ifndef LW_SLURM_SHARDS_H
#define LW_SLURM_SHARDS_H

#include "base/lookup.h"
#include "planner/model/snapshot.h"
#include "slurm/compat/compat.h"

#include <stdbool.h>

/*
 * Slurm gives a GPU as a whole only after the last job with parts of it has ended. So in the
 * snapshot the job that ends last holds the GPU.
 */
struct lw_shards {
	struct lw_lookup last; /* by node and GPU: the item of the job that ends last */
	struct lw_shard_holder {
		uint32_t job_id;
		int64_t end_s;
	} *items;
	uint32_t count, room;
	bool known; /* this cluster has such GRES */
};

/* Does this cluster have such GPUs? */
bool lw_shards_begin(struct lw_shards *shards);
/* Free all it holds; safe on a zeroed one, which is empty. */
void lw_shards_fini(struct lw_shards *shards);

/* JOB, which has job_resrcs, ends at END_S by its hard limit. -ENOMEM. */
int lw_shards_note(struct lw_shards *shards, const job_record_t *job, int64_t end_s);
/*
 * All jobs are noted. Add to *res the GPUs on node INDEX of SNAP, number HOST of JOB's own
 * nodes, for which JOB is the last holder of parts.
 */
void lw_shards_hold(const struct lw_shards *shards, struct lw_snapshot *snap,
		    const job_record_t *job, uint32_t host, uint32_t index, struct lw_res *res);

#endif
