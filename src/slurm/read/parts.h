/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: GPUs of which running jobs hold parts (gres/shard, gres/mps). */
#ifndef LW_SLURM_PARTS_H
#define LW_SLURM_PARTS_H

#include "base/lookup.h"
#include "policy/snapshot.h"
#include "slurm/compat/compat.h"

#include <stdbool.h>

/*
 * Slurm gives such a GPU to nobody as a whole until the last of these jobs has ended. So in the
 * snapshot that one holds it.
 */
struct lw_parts {
	struct lw_lookup last; /* by node and GPU: the item of who ends last */
	struct lw_part {
		uint32_t job_id;
		int64_t end_s;
	} *items;
	uint32_t count, room;
	bool known; /* this cluster has such GRES */
};

/* Is there anything to note on this cluster? */
bool lw_parts_begin(struct lw_parts *parts);
/* Free all it holds; safe on a zeroed one, which is empty. */
void lw_parts_fini(struct lw_parts *parts);

/* JOB, which has job_resrcs, ends at END_S by its hard limit. -ENOMEM. */
int lw_parts_note(struct lw_parts *parts, const job_record_t *job, int64_t end_s);
/*
 * All jobs were noted. Add to *res the GPUs that JOB is the last to hold parts of on node INDEX of
 * SNAP, number HOST of its own nodes.
 */
void lw_parts_hold(const struct lw_parts *parts, struct lw_snapshot *snap,
		   const job_record_t *job, uint32_t host, uint32_t index, struct lw_res *res);

#endif
