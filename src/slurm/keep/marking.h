/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the latest start and the reason of the wait in a job's SystemComment, for its user. */
#ifndef LW_SLURM_MARKING_H
#define LW_SLURM_MARKING_H

#include "slurm/compat/compat.h"

#include <stdint.h>

/*
 * This is slurmctld's own field: users read it in scontrol and squeue, and cannot write it.
 * Slurm's main loop leaves it alone, and its state file has it until slurmctld stops. Accounting
 * gets it when a job ends, so a change sends no message. Only Leeway's words (keep/mark.h) are
 * changed. All functions need the lock of jobs for writing; an unchanged comment is not written.
 */

/* JOB is promised a start by LATEST_S. */
void lw_marking_put(job_record_t *job, int64_t latest_s);
/* JOB has no promise any more. */
void lw_marking_off(job_record_t *job);
/* Set why JOB waits, as in base/why.h; NULL: remove it. */
void lw_marking_why(job_record_t *job, const char *word);
/* JOB does not wait any more: remove all words of Leeway. */
void lw_marking_end(job_record_t *job);
/* lw_marking_off() by job id, also for the rest of an array. */
void lw_marking_off_id(uint32_t job_id);

#endif
