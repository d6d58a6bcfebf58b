/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: a job in slurmctld: read it, and change its admin_comment. */
#ifndef LW_PLUGINS_SPANK_JOB_H
#define LW_PLUGINS_SPANK_JOB_H

#include "record/change.h"

#include <slurm/slurm.h>

/*
 * Call TAKE with the job. TAKE's result, -ESRCH if slurmctld does not know the job, or -errno.
 */
int lw_job_look(uint32_t job_id, int (*take)(void *arg, const slurm_job_info_t *job), void *arg);

/*
 * Change the job's admin_comment by MAKE (record/change.h) and, with GRES, what it asks for on
 * each node. 0 or -errno, which may be one of Slurm's.
 */
int lw_job_change(uint32_t job_id, const char *gres, lw_change_f make, void *arg);

#endif
