/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: licences as nodes of the snapshot, so that they are planned like nodes. */
#ifndef LW_SLURM_LICENCES_H
#define LW_SLURM_LICENCES_H

#include "base/error.h"
#include "planner/model/snapshot.h"

#include "slurm/compat/compat.h"

/*
 * Behind Slurm's nodes the snapshot has one node for each licence, whose memory is how many
 * there are. A job that wants some needs them beside its nodes, at the same time. Whether a
 * job may have its licences now is still asked of Slurm at the start.
 */
struct lw_licence {
	char *name;
	uint32_t total;	     /* for this cluster's jobs */
	uint32_t configured; /* with those that are in use outside */
	uint32_t used; /* as Slurm counts */
	uint32_t held; /* by running jobs of the snapshot */
	uint32_t set;  /* + 1; 0: not made yet */
};

struct lw_licences {
	struct lw_licence *items;
	uint32_t count, room;
	uint32_t first_node;
	bool some_unknown; /* a name was too long */
};

/* Add a node for each licence, after all others. Needs LW_LOCKS_ALL, as do all. -ENOMEM. */
int lw_licences_read(struct lw_licences *licences, struct lw_snapshot *snap,
		     struct lw_error *err);
void lw_licences_fini(struct lw_licences *licences);

/*
 * What JOB has of licence I as an alloc on its node; false if it has none. Counted as held.
 */
bool lw_licences_hold(struct lw_licences *licences, const job_record_t *job, uint32_t i,
		      struct lw_alloc *ret_alloc);

/*
 * What is in use, or kept by an advance reservation that has begun, but held by no job of
 * SNAP: nobody knows for how long; it is looked at again. 0, -ENOMEM.
 */
int lw_licences_block(struct lw_licences *licences, struct lw_snapshot *snap,
		      struct lw_error *err);

/*
 * Are all the licences that JOB asks for known here? From 25.05 on a job may want one of
 * several, or resources that are tied to nodes: those are Slurm's to find at the start.
 */
bool lw_licences_can_plan(const job_record_t *job);
/* Does JOB, if it can be planned, ask for one that is not there, or for more than there are? */
bool lw_licences_exceed(const struct lw_licences *licences, const job_record_t *job);

/* What JOB needs of licence I: 0: nothing; -ENOMEM; 1 with *ret_need. */
int lw_licences_need(struct lw_licences *licences, struct lw_snapshot *snap,
		     const job_record_t *job, uint32_t i, struct lw_need *ret_need,
		     struct lw_error *err);

#endif
