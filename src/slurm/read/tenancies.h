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
 * The planner counts parts of GPUs by node. But whether a job may have a part also depends on
 * the other tenants of the GPU. So nodes without a GPU that would take the job are closed to it
 * until there is one, by hard limits, like nodes of an advance reservation. The node and the GPU
 * are chosen at the start (slurm/select/tenants.h).
 */

/* Like jobs: of one user, with the same number of parts and the same use. */
#define LW_TENANCY_KINDS_MAX 16
struct lw_tenancy_kind {
	struct lw_share_newcomer newcomer;
	uint64_t closed;  /* reservation windows of the snapshot */
	uint32_t stretch; /* of its run time, in thousandths, on the place that it would get
			   * now */
};

/* For one reading. Zeroed: no job shares. */
struct lw_tenancies {
	const struct lw_share_house *house; /* NULL: no job shares */
	struct lw_share_tenants tenants;
	struct lw_tenancy_kind kinds[LW_TENANCY_KINDS_MAX];
	uint32_t kind_count;
};

/* Begin with the rules of HOUSE (may be NULL; borrowed). */
void lw_tenancies_begin(struct lw_tenancies *tenancies, const struct lw_share_house *house);
void lw_tenancies_fini(struct lw_tenancies *tenancies);
/* JOB, which has job_resrcs, ends at END_S by its hard limit. -ENOMEM. */
int lw_tenancies_note(struct lw_tenancies *tenancies, const job_record_t *job, int64_t end_s);
/* All jobs are noted: set the stretches of running jobs that share. -ENOMEM. */
int lw_tenancies_read(struct lw_tenancies *tenancies, struct lw_reading *reading);
/*
 * For JOB, which waits, if it shares: add the windows closed to it, as bits of its constraints,
 * and say how much longer it will take. With more than LW_TENANCY_KINDS_MAX kinds, or without
 * free windows, nothing is closed. -ENOMEM.
 */
int lw_tenancies_for(struct lw_tenancies *tenancies, const job_record_t *job,
		     struct lw_reading *reading, uint64_t *closed, uint32_t *ret_stretch);

#endif
