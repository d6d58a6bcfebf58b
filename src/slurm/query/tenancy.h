/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: which job has which GPU, and which jobs may share one, from Slurm's records. */
#ifndef LW_SLURM_TENANCY_H
#define LW_SLURM_TENANCY_H

#include "share/tenants.h"
#include "slurm/compat/compat.h"

#include <stdbool.h>

/* All run under the caller's locks (job and node at least read) and keep no pointer. */

/* The GPUs of a node with parts for jobs. */
struct lw_tenancy_gpus {
	gres_node_state_t *parts; /* by GPU: how many parts it has, and how many are taken */
	bitstr_t *whole;	  /* GPUs that jobs have as a whole; NULL: none */
	uint32_t count;
};

/*
 * The GPUs of NODE. False: there are none, or its records do not say what is taken of each GPU
 * (before it has registered, for example).
 */
bool lw_tenancy_gpus(const node_record_t *node, struct lw_tenancy_gpus *ret_gpus);
/* The number of free parts of that GPU. */
uint64_t lw_tenancy_free(const struct lw_tenancy_gpus *gpus, uint32_t gpu);
/* Does a job have that GPU as a whole? */
bool lw_tenancy_is_whole(const struct lw_tenancy_gpus *gpus, uint32_t gpu);

/* Did job_submit/leeway let JOB share? Then *RET_NEWCOMER is set, for a start at NOW_S. */
bool lw_tenancy_newcomer(const job_record_t *job, int64_t now_s,
			 struct lw_share_newcomer *ret_newcomer);
/* Is JOB a guest? */
bool lw_tenancy_is_guest(const job_record_t *job);

/*
 * JOB, which has job_resrcs, has parts of GPUs, or (WITH_WHOLE) whole GPUs, until END_S: add it
 * to TENANTS. -ENOMEM.
 */
int lw_tenancy_add(struct lw_share_tenants *tenants, const job_record_t *job, int64_t end_s,
		   bool with_whole);

#endif
