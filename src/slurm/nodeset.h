/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: which nodes a Slurm job may use, as a node set of the snapshot. */
#ifndef LW_SLURM_NODESET_H
#define LW_SLURM_NODESET_H

#include "base/error.h"
#include "policy/snapshot.h"

#include "slurm/compat/compat.h"

/*
 * The nodes JOB may use in PART by partition, features, excluded and required nodes,
 * per-node minimums and advance reservations over its hard limit from NOW_S on. Equal
 * sets are added to SNAP once. Returns 0 with the set's index and the first node in it
 * (LW_NO_NODE: none); -EBUSY: its reservation is not open now; -ENOMEM, -EINVAL.
 */
int lw_nodeset_of(struct lw_snapshot *snap, job_record_t *job, part_record_t *part, int64_t now_s,
		  uint32_t *ret_set, uint32_t *ret_first, struct lw_error *err);

#endif
