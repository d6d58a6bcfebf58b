/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: licences as nodes of the snapshot, so that they are planned like nodes. */
#ifndef LW_SLURM_LICENCES_H
#define LW_SLURM_LICENCES_H

#include "base/error.h"
#include "planner/model/snapshot.h"

#include "slurm/compat/compat.h"

/*
 * Behind Slurm's nodes the snapshot has one node for each licence; the node's memory is the
 * number of licences. A job that wants some needs them beside its nodes, at the same time. Slurm
 * is still asked at the start whether the job may have its licences.
 */
struct lw_licence {
	char *name;
	uint32_t total;	     /* for this cluster's jobs */
	uint32_t configured; /* with those in use outside */
	uint32_t used; /* by Slurm's count */
	uint32_t held; /* by running jobs of the snapshot */
	uint32_t set;  /* 1 + the set; 0: not made yet */
};

struct lw_licences {
	struct lw_licence *items;
	uint32_t count, room;
	uint32_t first_node;
	bool some_unknown; /* a name was too long */
};

/* Add a node for each licence, behind all others. All functions need LW_LOCKS_ALL. -ENOMEM. */
int lw_licences_read(struct lw_licences *licences, struct lw_snapshot *snap,
		     struct lw_error *err);
void lw_licences_fini(struct lw_licences *licences);

/* The use of licence I by JOB as an alloc on its node, counted as held; false if it has none. */
bool lw_licences_hold(struct lw_licences *licences, const job_record_t *job, uint32_t i,
		      struct lw_alloc *ret_alloc);

/*
 * Block the licences that are in use, or kept by an advance reservation that has begun, but not
 * held by a job of SNAP: for a short time, because the end is not known. 0, -ENOMEM.
 */
int lw_licences_block(struct lw_licences *licences, struct lw_snapshot *snap,
		      struct lw_error *err);

/*
 * Are all licences that JOB asks for known here? From 25.05 on a job may want one of several
 * licences, or resources tied to nodes: Slurm finds these at the start.
 */
bool lw_licences_can_plan(const job_record_t *job);
/* Does JOB, if it can be planned, ask for an unknown licence, or for more than there are? */
bool lw_licences_exceed(const struct lw_licences *licences, const job_record_t *job);

/* What JOB needs of licence I. 0: nothing; -ENOMEM; 1 with *ret_need. */
int lw_licences_need(struct lw_licences *licences, struct lw_snapshot *snap,
		     const job_record_t *job, uint32_t i, struct lw_need *ret_need,
		     struct lw_error *err);

#endif
