/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: limits of associations and QOS for jobs that start together. */
#ifndef LW_SLURM_TOGETHER_H
#define LW_SLURM_TOGETHER_H

#include "slurm/compat/compat.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * Slurm counts a job against its limits once it runs. Here a group of waiting jobs is added up:
 * the use of the group's earlier jobs is added to the usage of assoc_mgr, and the limits are
 * compared as in acct_policy.c. Nothing is written but the state reason of a job that does not
 * fit.
 *
 * Only limits on what runs at the same time change with a start: jobs, TRES, and minutes that
 * running jobs may still use. All other limits are the same for a group as for each job alone;
 * Slurm tests these before.
 */
struct lw_together {
	struct lw_together_added *items;
	uint32_t count, room;
};

struct lw_together_job {
	job_record_t *job;     /* with the partition and the QOS that it would run with */
	const uint64_t *tres;  /* what it would be charged */
	const bitstr_t *nodes; /* where it would run; NULL: not known */
};

/*
 * Does JOB fit beside all jobs that fitted before? Then it joins the group. Otherwise its state
 * reason names the limit. Slurm's own tests of JOB alone must have passed, and assoc_mgr must be
 * locked as for these.
 */
bool lw_together_fits(struct lw_together *group, const struct lw_together_job *job);
void lw_together_fini(struct lw_together *group);

#endif
