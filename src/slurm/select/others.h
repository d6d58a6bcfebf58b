/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what the select plugin does not do for stock's jobs, and what it keeps stock from. */
#ifndef LW_SLURM_OTHERS_H
#define LW_SLURM_OTHERS_H

#include "slurm/query/canary.h"

#include <stdbool.h>

/*
 * Which jobs are Leeway's from now on; copied. Out of memory there is none that is not. All need
 * Slurm's job lock.
 */
void lw_others_take(const struct lw_canary *canary);
/* Is JOB stock's to plan? */
bool lw_others_has(const job_record_t *job);
/*
 * Of a test whether JOB would run: is it stock's backfill that asks, though JOB is Leeway's? As it
 * hears that JOB cannot start, it goes on to the next job, and plans nothing for this one.
 */
bool lw_others_ask_in_vain(const job_record_t *job);
void lw_others_fini(void);

#endif
