/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: does a job share cores with other jobs although it need not? */
#ifndef LW_SLURM_OVERLAP_H
#define LW_SLURM_OVERLAP_H

#include "slurm/compat/compat.h"

#include <stdbool.h>

/*
 * JOB passed Slurm's test for a start now, so it has job_resrcs. True if it got cores of other
 * jobs: in a partition that shares CPUs (OverSubscribe), or of jobs that it would suspend
 * (PreemptMode=SUSPEND, GANG). False at no cost if that is impossible. In slurmctld only, with
 * Slurm's job lock.
 */
bool lw_overlaps(const job_record_t *job);

#endif
