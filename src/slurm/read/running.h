/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: Slurm's jobs that have started, copied into a snapshot. */
#ifndef LW_SLURM_RUNNING_H
#define LW_SLURM_RUNNING_H

#include "slurm/compat/compat.h"

#include <stdint.h>

struct lw_reader;

/*
 * Add the running jobs to the snapshot, which has its nodes. As this looks at every job, it also
 * settles the promises of jobs that have started, and notes the jobs that have ended, the users
 * whose jobs wait, and the sizes of jobs. Needs LW_LOCKS_ALL, which the hold of the context gives
 * up now and then. 0, -ENOMEM, -EINVAL or -EBADMSG with the walker's error, or what
 * lw_session_yield() says.
 */
int lw_read_running(struct lw_reader *reader);

/*
 * When Slurm ends JOB, which runs: at its limit, or later by what the site grants (OverTimeLimit);
 * after NOW_S in any case.
 */
int64_t lw_hard_end_s(const job_record_t *job, int64_t now_s);

/*
 * If JOB has started, settle the promise to it, or to the array it is a task of. Whoever waits no
 * more is told of no promise.
 */
void lw_settle_started(const struct lw_reader *reader, job_record_t *job);

#endif
