/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: on which GPU of which node a job that shares goes, and beside which jobs. */
#ifndef LW_SLURM_TENANTS_H
#define LW_SLURM_TENANTS_H

#include "share/tenants.h"
#include "slurm/compat/compat.h"

#include <stdbool.h>

/*
 * Slurm chooses the GPU of a node: the first with enough free parts. While a job that shares is
 * tested, the GPUs that it must not have count as full. So Slurm finds the others, and all other
 * choices stay Slurm's. If none of this is done, the rule of parts (share/request.h) still
 * holds.
 *
 * Needs Slurm's job and node locks for writing, as every start does.
 */

/* Set the rules of sharing; copied. Mode off: nothing is done. */
void lw_tenants_house(const struct lw_share_house *house);

/* Is this a start now of a job that job_submit/leeway let share? */
bool lw_tenants_wanted(const job_record_t *job, uint16_t mode);

/* The offers of GPUs to one job, one after the other. */
struct lw_tenants_walk {
	bitstr_t *all; /* the nodes that it may have */
	uint32_t allowed, empty; /* GPUs */
	uint32_t next;
	bool last; /* this offer has all GPUs that the rule allows: its answer is final */
};

/*
 * For each offer: lw_tenants_offer() reduces NODES to those of the offer and leaves parts free
 * only on its GPUs; then Slurm is asked; then lw_tenants_take_back() restores the parts. The
 * best GPUs come first, and in the end all of them at once. JOB must pass lw_tenants_wanted().
 */
void lw_tenants_begin(struct lw_tenants_walk *walk, const job_record_t *job, bitstr_t *nodes);
void lw_tenants_offer(struct lw_tenants_walk *walk, bitstr_t *nodes);
void lw_tenants_take_back(void);
/* Logs it, if JOB was GIVEN the last offer. */
void lw_tenants_end(struct lw_tenants_walk *walk, const job_record_t *job, bool given);

/* JOB has begun, or is about to end; or something else changed. */
void lw_tenants_began(const job_record_t *job);
void lw_tenants_ends(const job_record_t *job);
void lw_tenants_forget(void);
void lw_tenants_fini(void);

#endif
