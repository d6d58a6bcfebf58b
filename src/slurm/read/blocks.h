/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: jobs that have whole blocks of Slurm's topology for themselves. */
#ifndef LW_SLURM_BLOCKS_H
#define LW_SLURM_BLOCKS_H

#include "base/error.h"
#include "planner/model/snapshot.h"

#include "slurm/compat/compat.h"
#include "slurm/read/nodeset.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * With topology/block a job may keep all others from the blocks it has nodes of (--exclusive=topo,
 * ExclusiveTopo=YES). The planner knows no such thing: a running one is taken to hold all of its
 * blocks, and one that waits to want all nodes of one block. Which of these nodes it gets is
 * Slurm's choice.
 */

/* Does JOB keep others from its blocks, as far as SNAP, which has its domains, knows them? */
bool lw_blocks_matter(const struct lw_snapshot *snap, const job_record_t *job);

/* Make *RET_ALL (not initialised) of NODES and all others of their blocks. -ENOMEM. */
int lw_blocks_of(const struct lw_snapshot *snap, bitstr_t *nodes, struct lw_bitset *ret_all);

/*
 * Let WAITING, a job that keeps others away, want a whole block of those that would do by
 * themselves (where they differ in width, as many do when nodes are down, of the width that most
 * have); if none does, it wants what it asks for. 0, -ENOMEM or -EINVAL with ERR.
 */
int lw_blocks_widen(struct lw_nodesets *sets, const struct lw_snapshot *snap,
		    struct lw_waiting *waiting, struct lw_error *err);

#endif
