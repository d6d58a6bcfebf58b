/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: on which GPU of which node a job that shares goes, and beside whom. */
#ifndef LW_SLURM_TENANTS_H
#define LW_SLURM_TENANTS_H

#include "share/tenants.h"
#include "slurm/compat/compat.h"

#include <stdbool.h>

/*
 * Slurm chooses the GPU of a node: the first that has enough parts free. While a job that shares is
 * tested, the GPUs that it is not to have count as full. So Slurm finds the others, and all else
 * stays its choice. Parts alone (share/request.h) keep the rule where nothing of this is done.
 *
 * Needs Slurm's job and node locks for writing, as every start does.
 */

/* By what it is decided from now on; copied. Its mode off: nothing is done. */
void lw_tenants_house(const struct lw_share_house *house);

/* Is this a start now of a job that job_submit/leeway let share? */
bool lw_tenants_wanted(const job_record_t *job, uint16_t mode);

/* The offers of GPUs to one job, one after the other. */
struct lw_tenants_walk {
	bitstr_t *all; /* the nodes that it may have */
	uint32_t allowed, empty; /* GPUs */
	uint32_t next;
	bool last; /* this offer is all that the rule allows: the answer to it is the answer */
};

/*
 * For each offer: lw_tenants_offer() makes of NODES those of the offer, on which its GPUs alone
 * have parts free; then Slurm is asked; then lw_tenants_take_back(). The best GPUs come first, and
 * then all of them at once. JOB is one that is wanted.
 */
void lw_tenants_begin(struct lw_tenants_walk *walk, const job_record_t *job, bitstr_t *nodes);
void lw_tenants_offer(struct lw_tenants_walk *walk, bitstr_t *nodes);
void lw_tenants_take_back(void);
/* Tells the log, if JOB was GIVEN what was offered last. */
void lw_tenants_end(struct lw_tenants_walk *walk, const job_record_t *job, bool given);

/* JOB has begun, or is about to end; or something else changed. */
void lw_tenants_began(const job_record_t *job);
void lw_tenants_ends(const job_record_t *job);
void lw_tenants_forget(void);
void lw_tenants_fini(void);

#endif
