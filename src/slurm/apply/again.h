/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: let a requeued job begin at once. */
#ifndef LW_SLURM_AGAIN_H
#define LW_SLURM_AGAIN_H

#include "slurm/compat/compat.h"

#include <stdint.h>

/*
 * Slurm has JOB, which waits, begin two minutes after its requeue. Its begin time, if it is one to
 * come, is that of the requeue: the job ran before. It becomes now, or a moment later: the next
 * credential has to be younger than the order to end the run before it, or slurmd takes it for
 * revoked and the job fails. Slurm sends that order until the run has left its last node, and
 * calls that the submission. Needs the lock of jobs for writing.
 */
void lw_again(job_record_t *job, int64_t now_s);
/* Does JOB begin in such a moment? Slurm notes nothing then, so another plan has to follow. */
bool lw_again_soon(const job_record_t *job, int64_t now_s);

#endif
