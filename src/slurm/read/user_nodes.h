/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: nodes that users, or MCS labels, keep from each other, as reservation windows. */
#ifndef LW_SLURM_USER_NODES_H
#define LW_SLURM_USER_NODES_H

#include "base/error.h"
#include "base/lookup.h"
#include "planner/model/snapshot.h"

#include "slurm/compat/compat.h"

/*
 * A job that wants to be its nodes' only user (--exclusive=user, ExclusiveUser=YES) gets no
 * nodes with jobs of other users, and keeps its nodes from them. This is checked by
 * select_nodes(), and so by stock backfill, not by the select plugin. Here such nodes are closed
 * to other users until the last job on them ends. The same holds for labels (MCSPlugin), if jobs
 * select nodes by them; a job that does not has no label.
 */
struct lw_owner {
	uint32_t id; /* the user, or a number for the label */
	bool by_label;
	bool several; /* several users, or one without waiting jobs: treated alike */
	bool owns;    /* closed to all others, not only to jobs that want to be alone */
};

/* Zeroed: no node is closed. */
struct lw_user_nodes {
	struct lw_owner items[LW_RESV_WINDOWS_MAX]; /* by reservation window, from first on */
	uint32_t first, count;
	struct lw_lookup waits; /* users with waiting jobs */
	uint32_t last_user;     /* the last user that was noted */
	bool anywhere;          /* a job wants to be alone wherever it runs */
	bool labelled;          /* a job wants nodes of its label */
};

void lw_user_nodes_fini(struct lw_user_nodes *owners);

/* Note JOB, before they are read, if it waits. -ENOMEM. */
int lw_user_nodes_note(struct lw_user_nodes *owners, job_record_t *job);

/*
 * Add such nodes to SNAP, which has its running jobs, behind its other reservation windows. If
 * there are more than the free windows, ends near each other are moved to the latest of them.
 * Needs LW_LOCKS_ALL. 0, or -ENOMEM with ERR.
 */
int lw_user_nodes_read(struct lw_user_nodes *owners, struct lw_snapshot *snap,
		       struct lw_error *err);

/* All of these reservation windows, as bits. */
uint64_t lw_user_nodes_all(const struct lw_user_nodes *owners);

/* The reservation windows that apply to JOB in the partition of its record, as bits. */
uint64_t lw_user_nodes_for(const struct lw_user_nodes *owners, job_record_t *job);

#endif
