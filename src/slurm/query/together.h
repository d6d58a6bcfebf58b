/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what jobs that start together would use of the limits of associations and QOS. */
#ifndef LW_SLURM_TOGETHER_H
#define LW_SLURM_TOGETHER_H

#include "slurm/compat/compat.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * Slurm counts a job against its limits once the job runs. A group of waiting jobs is added up
 * here: what the earlier jobs of the group would use is added to the usage that assoc_mgr has,
 * and the limits are compared as acct_policy.c compares them. Neither a job nor a usage is
 * written, but for the state reason of a job that does not fit.
 *
 * Only limits on what runs at a time change with a start: jobs, TRES, and minutes that running
 * jobs may still take. All else is the same for a group as for each job alone, and Slurm is asked
 * that before.
 */
struct lw_together {
	struct lw_together_added *items;
	uint32_t count, room;
};

struct lw_together_job {
	job_record_t *job;     /* with the partition and the QOS that it would run with */
	const uint64_t *tres;  /* what it would be charged with */
	const bitstr_t *nodes; /* where it would run; NULL: not known */
};

/*
 * Would JOB fit beside all that fitted before? Then the group has it. Otherwise its state reason
 * names the limit. Slurm's own tests of JOB alone must have passed, and assoc_mgr be locked as
 * for them.
 */
bool lw_together_fits(struct lw_together *group, const struct lw_together_job *job);
void lw_together_fini(struct lw_together *group);

#endif
