/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: Slurm's jobs that have started, copied into a snapshot. */
#ifndef LW_SLURM_RUNNING_H
#define LW_SLURM_RUNNING_H

#include "slurm/compat/compat.h"

#include <stdint.h>

struct lw_reader;

/*
 * Add the running jobs to the snapshot, which has its nodes. Since this looks at every job, it
 * also settles the promises of jobs that have started, and notes the jobs that have ended, the
 * users with waiting jobs, and the sizes of jobs. Needs LW_LOCKS_ALL; the session of the context
 * yields now and then. 0, -ENOMEM, -EINVAL or -EBADMSG with the reader's error, or the result of
 * lw_session_yield().
 */
int lw_read_running(struct lw_reader *reader);

/*
 * When Slurm ends running JOB: at its limit, or later if the site allows it (OverTimeLimit);
 * after NOW_S in any case.
 */
int64_t lw_hard_end_s(const job_record_t *job, int64_t now_s);

/*
 * If JOB has started, settle its promise, or that of its array. A job that does not wait any
 * more loses the words on its promise.
 */
void lw_settle_started(const struct lw_reader *reader, job_record_t *job);

#endif
