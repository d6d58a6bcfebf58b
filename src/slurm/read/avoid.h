/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: a job that lost a node is planned without that node, if others would do. */
#ifndef LW_SLURM_AVOID_H
#define LW_SLURM_AVOID_H

#include "slurm/compat/compat.h"

struct lw_reader;
struct lw_waiting;

/*
 * Take the nodes that failed under JOB out of the set of WAITING, which has its request. They
 * stay if the job names the nodes it needs, or if the other nodes that are not down or drained
 * could not hold it even if they were empty. The job's entry (keep/failures.h) gets the result.
 * 0, or -ENOMEM with an error.
 */
int lw_avoid_failed(struct lw_reader *reader, const job_record_t *job,
		    struct lw_waiting *waiting);

#endif
