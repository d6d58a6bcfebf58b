/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the limit with which a job cannot start even on an empty cluster. */
#ifndef LW_SLURM_NEVER_H
#define LW_SLURM_NEVER_H

#include "slurm/compat/compat.h"

#include <stdint.h>

/*
 * What JOB alone asks for is compared with the limits of its QOS, its partition's QOS and its
 * associations, as in acct_policy.c. Returns Slurm's reason for the limit that is below it, or
 * WAIT_NO_REASON. Slurm itself gives that reason when it has found nodes for the job. A job of
 * several partitions, QOS or reservations, or of several components, is not looked at. Takes
 * assoc_mgr's locks for reading.
 */
uint32_t lw_never_allowed(const job_record_t *job);
/*
 * GrpTRESMins of its QOS or associations that earlier jobs have used up: Slurm's reason, or
 * WAIT_NO_REASON. When it may start again depends on how that use is forgotten. Of the same jobs,
 * and with the same locks.
 */
uint32_t lw_minutes_spent(const job_record_t *job);

#endif
