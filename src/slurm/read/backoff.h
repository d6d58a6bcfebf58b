/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the result of a job's last start, heeded in the next plan. */
#ifndef LW_SLURM_BACKOFF_H
#define LW_SLURM_BACKOFF_H

#include "planner/model/snapshot.h"

#include "slurm/compat/compat.h"

#include <stdbool.h>

struct lw_reader;

/*
 * Leave WAITING, which has its number and variant, out of the plan if Slurm refused it recently;
 * with assoc_limit_stop room is kept for it. It is planned, though, if the reason was a limit
 * that no longer applies to JOB (its record has partition and QOS; may be NULL).
 */
void lw_backoff_refusal(const struct lw_reader *reader, job_record_t *job,
			struct lw_waiting *waiting);

/* A limit keeps the job from a start at NOW_S, for an unknown time. */
void lw_wait_for_limit(struct lw_constraints *constraints, int64_t now_s);

/*
 * Is Slurm to be asked when WAITING, which is JOB, could start, in this reading? Of a job that
 * wants segments it is, and of a job that it refused again and again: not if the job is left out
 * for now and has no room kept (with assoc_limit_stop all have). Nor once many jobs were asked
 * about.
 */
bool lw_backoff_asks(const struct lw_reader *reader, const job_record_t *job,
		     const struct lw_waiting *waiting);

#endif
