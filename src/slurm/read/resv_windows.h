/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: advance reservations as reservation windows: nodes closed for a time. */
#ifndef LW_SLURM_RESV_WINDOWS_H
#define LW_SLURM_RESV_WINDOWS_H

#include "base/error.h"
#include "planner/model/snapshot.h"

#include "slurm/compat/compat.h"

/*
 * Slurm's job_test_resv() says, with the job's hard limit, on which nodes a job may start now.
 * Nodes that it leaves out because of a reservation with an end are put back, and closed only
 * for the time of the reservation, so that a start can be planned before or after it. Nodes that
 * it leaves out for other reasons (floating reservations, or more than LW_RESV_WINDOWS_MAX) are
 * left out at all times. To a job in a reservation, other reservations that overlap it close
 * nodes, maintenance above all. A reservation of parts of nodes closes them only to jobs that
 * want whole nodes.
 */
struct lw_resv_windows {
	const slurmctld_resv_t *resvs[LW_RESV_WINDOWS_MAX]; /* Slurm's; by reservation window */
	uint32_t count;
};

/*
 * Add the reservations that are not over to SNAP, which has its nodes, the first to begin first.
 * This and all functions below need LW_LOCKS_ALL. 0, or -ENOMEM with ERR.
 */
int lw_resv_windows_read(struct lw_resv_windows *resv_windows, struct lw_snapshot *snap,
			 struct lw_error *err);

/* The reservation windows that apply to JOB, as bits of its constraints. */
uint64_t lw_resv_windows_for(const struct lw_resv_windows *resv_windows, const job_record_t *job);

/*
 * The nodes open to JOB at NOW_S or later, a bitmap of the caller's. A job in a reservation that
 * begins later gets the reservation's nodes, and CONSTRAINTS (NULL for a job in none) say so.
 * -EBUSY: it may not run.
 */
int lw_resv_windows_open(const struct lw_resv_windows *resv_windows, job_record_t *job,
			 int64_t now_s, struct lw_constraints *constraints, bitstr_t **ret_nodes);

#endif
