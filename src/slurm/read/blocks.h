/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: jobs that have whole blocks of Slurm's topology to themselves. */
#ifndef LW_SLURM_BLOCKS_H
#define LW_SLURM_BLOCKS_H

#include "base/error.h"
#include "planner/model/snapshot.h"

#include "slurm/compat/compat.h"
#include "slurm/read/nodeset.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * With topology/block a job may keep all other jobs from the blocks of its nodes
 * (--exclusive=topo, ExclusiveTopo=YES). The planner has no such rule. So a running job of this
 * kind holds all nodes of its blocks, and a waiting one wants all nodes of one block. Slurm
 * chooses among these nodes.
 */

/* Does JOB keep other jobs from its blocks, as far as SNAP, with its domains, knows them? */
bool lw_blocks_matter(const struct lw_snapshot *snap, const job_record_t *job);

/* Make *RET_ALL (not initialised) from NODES and all other nodes of their blocks. -ENOMEM. */
int lw_blocks_of(const struct lw_snapshot *snap, bitstr_t *nodes, struct lw_bitset *ret_all);

/*
 * Make WAITING, a job that keeps others away, want a whole block, of the blocks that are large
 * enough alone. If these differ in width, as they do while nodes are down, the most frequent
 * width is used. If there is no such block, it wants what it asks for. 0, -ENOMEM or -EINVAL
 * with ERR.
 */
int lw_blocks_widen(struct lw_nodesets *sets, const struct lw_snapshot *snap,
		    struct lw_waiting *waiting, struct lw_error *err);

#endif
