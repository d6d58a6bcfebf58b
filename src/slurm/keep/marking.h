/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the latest start, why it waits and its past, in comments of a job, for its user. */
#ifndef LW_SLURM_MARKING_H
#define LW_SLURM_MARKING_H

#include "base/nodeloss.h"
#include "slurm/compat/compat.h"
#include "slurm/keep/slips.h"

#include <stdint.h>

/*
 * What is said of a waiting job is in its SystemComment. This is slurmctld's own field: users
 * read it in scontrol and squeue, and cannot write it. Slurm's main loop leaves it alone, and its
 * state file has it until slurmctld stops. Its past is in its AdminComment, beside the tag: Slurm
 * sends this field to accounting when the job ends, and the other never. Only Leeway's words
 * (keep/mark.h) are changed. All functions need the lock of jobs for writing; an unchanged
 * comment is not written.
 */

/* JOB is promised a start by LATEST_S. */
void lw_marking_put(job_record_t *job, int64_t latest_s);
/* JOB has no promise any more. */
void lw_marking_off(job_record_t *job);
/*
 * Set why JOB waits, as in base/why.h, and note in its past what is news, with SLIPS of this
 * cycle; WORD is NULL: remove it.
 */
void lw_marking_why(job_record_t *job, const char *word, struct lw_slips *slips);
/* Slurm refused a start of the job: note it in its past, if it has one. */
void lw_marking_refused(uint32_t job_id, enum lw_past_cause cause);
/* JOB does not wait any more: remove these words. Its start is noted in its past. */
void lw_marking_end(job_record_t *job);
/* Set what became of an order to stop JOB (base/stop.h), in place of the order. */
void lw_marking_stop(job_record_t *job, const char *word);
/* JOB runs again, since it lost a node. */
void lw_marking_lost(job_record_t *job, const struct lw_nodeloss *loss);
/*
 * Has JOB started, and perhaps ended since? Its nodes tell: they stay in the record, and a job
 * that was cancelled before its start has none. The flag JOB_WAS_RUNNING does not: Slurm drops it
 * when the job has ended.
 */
bool lw_marking_has_started(const job_record_t *job);
/* lw_marking_off() by job id, also for the rest of an array. */
void lw_marking_off_id(uint32_t job_id);

#endif
