/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what became of a job's last start, heeded in the next plan. */
#ifndef LW_SLURM_BACKOFF_H
#define LW_SLURM_BACKOFF_H

#include "planner/model/snapshot.h"

#include "slurm/compat/compat.h"

#include <stdbool.h>

struct lw_reader;

/*
 * Leave WAITING, which has its number and variant, out of the plan if Slurm refused it not long
 * ago; with assoc_limit_stop room is kept for it. It is not left out if a limit was the reason
 * that keeps JOB, whose record says partition and QOS, no longer; JOB may be NULL.
 */
void lw_backoff_refusal(const struct lw_reader *reader, job_record_t *job,
			struct lw_waiting *waiting);

/* A limit keeps the job from a start at NOW_S: nobody knows how long. */
void lw_wait_for_limit(struct lw_constraints *constraints, int64_t now_s);

/*
 * Is Slurm to be asked when WAITING could start, in this reading? Not about a job that is left
 * out for now and keeps no room (with assoc_limit_stop all keep some), nor when many were asked
 * about.
 */
bool lw_backoff_stuck(const struct lw_reader *reader, const struct lw_waiting *waiting);

#endif
