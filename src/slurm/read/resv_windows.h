/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: advance reservations as reservation windows of the snapshot: nodes shut for a time. */
#ifndef LW_SLURM_RESV_WINDOWS_H
#define LW_SLURM_RESV_WINDOWS_H

#include "base/error.h"
#include "planner/model/snapshot.h"

#include "slurm/compat/compat.h"

/*
 * Whether a job may start now is asked of Slurm's job_test_resv(), with its hard limit. What
 * that leaves out because of a reservation that is or will be over is put back, and closed
 * only for the reservation's time: so a later start can be planned before or after it. What
 * it leaves out for other reasons (floating reservations, or more than LW_RESV_WINDOWS_MAX) is
 * left out at all times. A job in a reservation is shut out by others that overlap it,
 * maintenance above all, and a reservation of parts of nodes by itself shuts out only jobs
 * that want whole ones.
 */
struct lw_resv_windows {
	const slurmctld_resv_t *resvs[LW_RESV_WINDOWS_MAX]; /* Slurm's; by reservation window */
	uint32_t count;
};

/*
 * Add the reservations that are not over to SNAP, which has its nodes, the first to begin
 * first. Needs LW_LOCKS_ALL, as does all that follows. 0, or -ENOMEM with ERR.
 */
int lw_resv_windows_read(struct lw_resv_windows *resv_windows, struct lw_snapshot *snap,
			 struct lw_error *err);

/* The reservation windows that hold for JOB, as bits of its terms. */
uint64_t lw_resv_windows_for(const struct lw_resv_windows *resv_windows, const job_record_t *job);

/*
 * The nodes open to JOB at NOW_S or later, a bitmap of the caller's; a job in a reservation
 * that opens later gets its nodes then, and TERMS (NULL for a job in none) say so. -EBUSY: it
 * may not run.
 */
int lw_resv_windows_open(const struct lw_resv_windows *resv_windows, job_record_t *job,
			 int64_t now_s, struct lw_constraints *constraints, bitstr_t **ret_nodes);

#endif
