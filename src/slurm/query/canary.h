/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: is a job Leeway's to plan, or stock's? */
#ifndef LW_SLURM_QUERY_CANARY_H
#define LW_SLURM_QUERY_CANARY_H

#include "slurm/canary.h"
#include "slurm/compat/compat.h"

/*
 * Is JOB Leeway's? All partitions and all QOS that it may start with have to be listed, so that
 * one scheduler has all of a job. Which of them its record names at the moment does not matter. A
 * het job is stock's while a canary is set: its components may be in several partitions. Needs
 * the job and partition locks, and nothing that only slurmctld has.
 */
bool lw_canary_has(const struct lw_canary *canary, const job_record_t *job);

#endif
