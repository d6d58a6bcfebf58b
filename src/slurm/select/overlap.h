/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: does a job share cores with others that it could do without? */
#ifndef LW_SLURM_OVERLAP_H
#define LW_SLURM_OVERLAP_H

#include "slurm/compat/compat.h"

#include <stdbool.h>

/*
 * JOB passed Slurm's test for a start now, so that its job_resrcs are set. True if it got cores
 * of others: of a partition that shares CPUs (OverSubscribe), or of jobs that it would suspend
 * (PreemptMode=SUSPEND, GANG). False at no cost where that cannot be. In slurmctld only, with
 * Slurm's job lock.
 */
bool lw_overlaps(const job_record_t *job);

#endif
