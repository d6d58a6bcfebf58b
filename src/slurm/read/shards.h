/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: GPUs of which running jobs hold parts (gres/shard, gres/mps). */
#ifndef LW_SLURM_SHARDS_H
#define LW_SLURM_SHARDS_H

#include "base/lookup.h"
#include "planner/model/snapshot.h"
#include "slurm/compat/compat.h"

#include <stdbool.h>

/*
 * Slurm gives a GPU of which jobs hold parts to no job as a whole until the last of them has ended.
 * So in the snapshot the one that ends last holds the GPU.
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

/* Is there anything to note on this cluster? */
bool lw_shards_begin(struct lw_shards *shards);
/* Free all it holds; safe on a zeroed one, which is empty. */
void lw_shards_fini(struct lw_shards *shards);

/* JOB, which has job_resrcs, ends at END_S by its hard limit. -ENOMEM. */
int lw_shards_note(struct lw_shards *shards, const job_record_t *job, int64_t end_s);
/*
 * All jobs were noted. Add to *res the GPUs that JOB is the last to hold parts of on node INDEX of
 * SNAP, number HOST of its own nodes.
 */
void lw_shards_hold(const struct lw_shards *shards, struct lw_snapshot *snap,
		    const job_record_t *job, uint32_t host, uint32_t index, struct lw_res *res);

#endif
