/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: a partition's DefCpuPerGPU and DefMemPerGPU. */
#ifndef LW_SLURM_DEFAULTS_H
#define LW_SLURM_DEFAULTS_H

#include "slurm/layout.h"

/*
 * Note in the GPU request of JOB what PART gives with each GPU, unless the job says it. Slurm's
 * select plugin does the same whenever it looks at a job, for the partition at hand. After a
 * restart, therefore, nothing is there yet. Needs the write lock of jobs.
 */
void lw_note_gpu_defaults(job_record_t *job, const part_record_t *part);

#endif
