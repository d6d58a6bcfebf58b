/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the age of jobs that Slurm takes for younger than they are. */
#ifndef LW_SLURM_AGED_H
#define LW_SLURM_AGED_H

#include "slurm/compat/compat.h"

#include <stdint.h>

struct lw_reader;

/*
 * As sort_job_queue(), but jobs that depend or depended on others, tasks of arrays with a limit,
 * and jobs that were requeued count from their submission (keep/since.h): under
 * priority/multifactor Slurm lets them age only from when they may start. So do here those that
 * were not requeued and have a limit below sched.chain_min. Where sched.chain is no, and under
 * another priority plugin, nothing differs. Every priority is afterwards what it was.
 */
void lw_sort_by_age(struct lw_reader *reader, list_t *queue);

/* Since when JOB waits. */
int64_t lw_submitted_s(const struct lw_reader *reader, const job_record_t *job);

#endif
