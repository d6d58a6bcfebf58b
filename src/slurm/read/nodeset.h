/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the nodes that a Slurm job may use, as a node set of the snapshot. */
#ifndef LW_SLURM_NODESET_H
#define LW_SLURM_NODESET_H

#include "base/error.h"
#include "planner/model/snapshot.h"

#include "slurm/read/resv_windows.h"

/*
 * A look at all nodes takes long, and most jobs want the same. So what was found for one job of
 * a reading is kept for others. The cost of an answer follows the number of kinds of nodes. It
 * follows the number of nodes only for a new wish, for jobs in reservations, and for jobs that
 * exclude or require nodes.
 */
struct lw_nodesets;

/*
 * For one reading into SNAP, which has its nodes and RESV_WINDOWS; both are borrowed. This and
 * all functions below need LW_LOCKS_ALL; between the calls the tables of nodes, partitions and
 * reservations must not change. 0 or -ENOMEM.
 */
int lw_nodesets_create(struct lw_snapshot *snap, const struct lw_resv_windows *resv_windows,
		       struct lw_nodesets **ret_sets);
void lw_nodesets_destroy(struct lw_nodesets *sets);

/*
 * The nodes that JOB may use in PART: by partition, active features, excluded and required
 * nodes, per-node minimums and advance reservations (slurm/read/resv_windows.h, which may add to
 * the constraints of WAITING). Equal sets are added to the snapshot once. Returns 0 with the set
 * of WAITING and the first node in it (LW_NO_NODE: none); -EBUSY: it may not use its
 * reservation; -ENOMEM, -EINVAL.
 */
int lw_nodeset_of(struct lw_nodesets *sets, job_record_t *job, part_record_t *part,
		  struct lw_waiting *waiting, uint32_t *ret_first, struct lw_error *err);

/* CPUs of the largest node of SET; 0: it has none. */
uint32_t lw_nodeset_most_cpus(struct lw_nodesets *sets, uint32_t set);

/*
 * Remove from SET the nodes that any of CLOSED, reservation windows as bits of a job's
 * constraints, closes between now and END_S. -ENOMEM.
 */
int lw_nodeset_without(struct lw_nodesets *sets, uint64_t closed, int64_t end_s, uint32_t *set,
		       struct lw_error *err);

/* Make SET, of the same partition, exactly NODES. -ENOMEM, -EINVAL. */
int lw_nodeset_exactly(struct lw_nodesets *sets, const struct lw_bitset *nodes, uint32_t *set,
		       struct lw_error *err);

/* Reduce SET to the nodes that JOB requires. -ENOMEM, -EINVAL. */
int lw_nodeset_required(struct lw_nodesets *sets, const job_record_t *job, uint32_t *set,
			struct lw_error *err);

#endif
