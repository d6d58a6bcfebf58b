/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: nodes that users, or MCS labels, keep from each other, as reservation windows of the
 * snapshot. */
#ifndef LW_SLURM_USER_NODES_H
#define LW_SLURM_USER_NODES_H

#include "base/error.h"
#include "base/lookup.h"
#include "planner/model/snapshot.h"

#include "slurm/compat/compat.h"

/*
 * Who wants to be the only user of his nodes (--exclusive=user, ExclusiveUser=YES) may have none
 * with jobs of others, and keeps those he has from all others. That is no matter of the select
 * plugin: select_nodes() looks at it, and so does stock backfill. Here such nodes are closed to
 * the others until the last of the jobs there ends. So it is with labels (MCSPlugin) where jobs
 * select their nodes by them; who selects none has no label.
 */
struct lw_owner {
	uint32_t id; /* the user, or a number for the label */
	bool by_label;
	bool several; /* or one who waits for nothing: not to be told from others */
	bool owns;    /* closed to all others, not only to those who want to be alone */
};

/* Zeroed: nobody is kept from any node. */
struct lw_user_nodes {
	struct lw_owner items[LW_RESV_WINDOWS_MAX]; /* by reservation window, from first on */
	uint32_t first, count;
	struct lw_lookup waits; /* users with jobs that wait */
	uint32_t last_user;     /* the last of them that was noted */
	bool anywhere;          /* somebody wants to be alone wherever he may be */
	bool labelled;          /* somebody wants nodes of his label */
};

void lw_user_nodes_fini(struct lw_user_nodes *owners);

/* Note JOB, before they are read, if it waits. -ENOMEM. */
int lw_user_nodes_note(struct lw_user_nodes *owners, job_record_t *job);

/*
 * Add such nodes to SNAP, which has its running jobs, behind its other reservation windows. If
 * there are more than these leave places for, ends that are near each other count as the last of
 * them. Needs LW_LOCKS_ALL. 0, or -ENOMEM with ERR.
 */
int lw_user_nodes_read(struct lw_user_nodes *owners, struct lw_snapshot *snap,
		       struct lw_error *err);

/* All of these reservation windows, as such bits. */
uint64_t lw_user_nodes_all(const struct lw_user_nodes *owners);

/* The reservation windows that hold for JOB in the partition of its record, as bits of its terms.
 */
uint64_t lw_user_nodes_for(const struct lw_user_nodes *owners, job_record_t *job);

#endif
