/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the locality domains of the cluster, from Slurm's topology or leeway.yaml. */
#ifndef LW_SLURM_TOPOLOGY_H
#define LW_SLURM_TOPOLOGY_H

#include "base/nodelist.h"
#include "base/error.h"
#include "planner/model/domain.h"
#include "slurm/query/islands.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * Make *ret_domains (not initialised) from topology/tree or topology/block, or, under another
 * plugin, from OURS, which are checked and in order. Blocks are strict domains, ours are not.
 * WARN logs nodes of OURS that do not exist. Needs Slurm's configuration and node locks. -ENOMEM
 * or -EINVAL with ERR leave it empty.
 */
int lw_topology_read(const struct lw_node_list *ours, bool warn, struct lw_domains *ret_domains,
		     struct lw_error *err);

/*
 * A number that changes if nodes are made, deleted, swapped or moved in Slurm's topology: then
 * the topology must be read again. The same locks.
 */
uint64_t lw_topology_mark(void);
/*
 * Make *ret_islands (not initialised) from OURS, which are checked. The same locks, and the same
 * warning. -ENOMEM.
 */
int lw_topology_islands(const struct lw_node_list *ours, bool warn,
			struct lw_islands *ret_islands);

#endif
