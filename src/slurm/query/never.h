/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: a limit with which a job cannot start, whatever is free. */
#ifndef LW_SLURM_NEVER_H
#define LW_SLURM_NEVER_H

#include "slurm/compat/compat.h"

#include <stdint.h>

/*
 * Slurm's reason for a limit of JOB's QOS, its partition's QOS or its associations that keeps it
 * from starting whatever is free, as in acct_policy.c; WAIT_NO_REASON: there is none. Slurm gives
 * that reason itself when it has found nodes for the job.
 *
 * *ret_never: the limit is below what JOB alone asks for. If not, earlier jobs have used up a
 * GrpTRESMins: when JOB may start depends on how that use is forgotten.
 *
 * A job of several partitions, QOS or reservations, or of several components, is not looked at.
 * Takes assoc_mgr's locks for reading.
 */
uint32_t lw_limit_against(const job_record_t *job, bool *ret_never);

#endif
