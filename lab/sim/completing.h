/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: nodes of leeway sim that take no new job yet, since one has just ended there. */
#ifndef LW_LAB_SIM_COMPLETING_H
#define LW_LAB_SIM_COMPLETING_H

#include "planner/model/snapshot.h"

/*
 * Slurm's node state COMPLETING: while the epilog of one job runs, the whole node is closed to
 * new ones, and other jobs there run on. As in slurmctld's snapshots a running record, which is
 * no job's, holds what is left of the node until then; its id is first_id plus the node.
 */
struct lw_completing {
	int64_t after_s;                  /* so long; 0: nothing is ever closed */
	uint32_t first_id;                /* above the ids of all jobs */
	int64_t *until_s;                 /* by node, or LW_NO_TIME: it is open */
	struct lw_completing_node *queue; /* in order of time; some have closed again since */
	uint32_t first, count, room;
};

/*
 * All nodes of SNAP are open, and close for AFTER_S; no job has an id of FIRST_ID or more, and
 * as many as there are nodes are left above it. 0 or -ENOMEM; in either case free it with
 * lw_completing_fini().
 */
int lw_completing_init(struct lw_completing *completing, const struct lw_snapshot *snap,
		       int64_t after_s, uint32_t first_id);
/* Free all it holds; safe on a zeroed one. */
void lw_completing_fini(struct lw_completing *completing);

/* Close NODES[COUNT], from which a job has just been taken out. 0 or -ENOMEM. */
int lw_completing_close(struct lw_completing *completing, struct lw_snapshot *snap,
			const uint32_t *nodes, uint32_t count);

/* When the next node opens, or INT64_MAX. */
int64_t lw_completing_next_s(const struct lw_completing *completing);

/* Open the nodes that are due at SNAP's now. */
void lw_completing_open(struct lw_completing *completing, struct lw_snapshot *snap);

#endif
