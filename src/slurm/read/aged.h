/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the age of jobs that Slurm takes for younger than they are. */
#ifndef LW_SLURM_AGED_H
#define LW_SLURM_AGED_H

#include "slurm/compat/compat.h"

#include <stdint.h>

struct lw_reader;

/*
 * As sort_job_queue(), but some jobs count from their submission (keep/since.h): jobs that
 * depend or depended on others, tasks of arrays with a limit, and requeued jobs. Under
 * priority/multifactor Slurm lets these age only from the time at which they may start. Jobs
 * that were not requeued and have a limit below sched.chain_min age so here, too. If sched.chain
 * is no, and under another priority plugin, nothing differs. No priority is changed in the end.
 */
void lw_sort_by_age(struct lw_reader *reader, list_t *queue);

/*
 * Does JOB go before all jobs without a promise: it lost a node, was stopped and is due, or another
 * one was stopped for it, and has left?
 */
bool lw_goes_first(const struct lw_reader *reader, const job_record_t *job);
/* The start of JOB's wait. */
int64_t lw_submitted_s(const struct lw_reader *reader, const job_record_t *job);

#endif
