/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: a partition's DefCpuPerGPU and DefMemPerGPU. */
#ifndef LW_SLURM_DEFAULTS_H
#define LW_SLURM_DEFAULTS_H

#include "slurm/layout.h"

/*
 * Note with the GPUs that JOB asks for what PART gives to each unless the job says it. Slurm's
 * select plugin notes the same whenever it looks at a job, of the partition it then looks at, and
 * not before: after a restart nothing is there. Needs the write lock of jobs.
 */
void lw_note_gpu_defaults(job_record_t *job, const part_record_t *part);

#endif
