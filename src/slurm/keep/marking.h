/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the latest start, and why it waits, in a job's SystemComment, where its user reads it.
 */
#ifndef LW_SLURM_MARKING_H
#define LW_SLURM_MARKING_H

#include "slurm/compat/compat.h"

#include <stdint.h>

/*
 * slurmctld's own field: users read it in scontrol and squeue, and cannot write it. Slurm's main
 * loop leaves it alone, its state file keeps it, and accounting hears of it when a job ends, so
 * that no change here is a message. Only our word (keep/mark.h) is touched. All need the lock of
 * jobs for writing; a comment that does not change is not written.
 */

/* JOB is promised to start by LATEST_S. */
void lw_marking_put(job_record_t *job, int64_t latest_s);
/* JOB is promised nothing any more. */
void lw_marking_off(job_record_t *job);
/* Why JOB waits, as base/why.h has it; NULL: that is not told any more. */
void lw_marking_why(job_record_t *job, const char *word);
/* JOB does not wait any more: nothing of ours is told of it. */
void lw_marking_end(job_record_t *job);
/* lw_marking_off() by its id, also of what is left of an array. */
void lw_marking_off_id(uint32_t job_id);

#endif
