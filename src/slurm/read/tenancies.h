/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: where jobs that share GPUs may go, and how much longer they take, for the plan. */
#ifndef LW_SLURM_TENANCIES_H
#define LW_SLURM_TENANCIES_H

#include "share/tenants.h"
#include "slurm/compat/compat.h"
#include "slurm/reading.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * The planner counts parts of GPUs by node. Whose parts they are decides whether a job that shares
 * may have them: nodes on which no GPU would take it are closed to it until one does, by hard
 * limits, as nodes of an advance reservation are. Which of the others it gets, and which GPU there,
 * is decided at the start (slurm/select/tenants.h).
 */

/* Jobs that are alike: of one user, with as many parts, for the same use. */
#define LW_TENANCY_KINDS_MAX 16
struct lw_tenancy_kind {
	struct lw_share_newcomer newcomer;
	uint64_t closed;  /* reservation windows of the snapshot */
	uint32_t stretch; /* of its run time, in thousandths, where it would go now */
};

/* Of one reading. Zeroed: nobody shares. */
struct lw_tenancies {
	const struct lw_share_house *house; /* NULL: nobody shares */
	struct lw_share_tenants tenants;
	struct lw_tenancy_kind kinds[LW_TENANCY_KINDS_MAX];
	uint32_t kind_count;
};

/* Does anybody share by HOUSE (may be NULL; borrowed)? */
void lw_tenancies_begin(struct lw_tenancies *tenancies, const struct lw_share_house *house);
void lw_tenancies_fini(struct lw_tenancies *tenancies);
/* JOB, which has job_resrcs, ends at END_S by its hard limit. -ENOMEM. */
int lw_tenancies_note(struct lw_tenancies *tenancies, const job_record_t *job, int64_t end_s);
/* All were noted: what becomes of the run times of those that share. -ENOMEM. */
int lw_tenancies_read(struct lw_tenancies *tenancies, struct lw_reading *reading);
/*
 * JOB waits. Of one that shares: close what is closed to it, as bits of its constraints, and tell
 * how much longer it will take. Beyond LW_TENANCY_KINDS_MAX kinds, or without windows left, nothing
 * is closed. -ENOMEM.
 */
int lw_tenancies_for(struct lw_tenancies *tenancies, const job_record_t *job,
		     struct lw_reading *reading, uint64_t *closed, uint32_t *ret_stretch);

#endif
