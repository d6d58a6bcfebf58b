/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: processes on GPUs that are files in a directory, for tests and machines without GPUs.
 */
#ifndef LW_RECORD_FAKE_PROCESSES_H
#define LW_RECORD_FAKE_PROCESSES_H

#include "record/sampler.h"

/*
 * The name of each file is the id of a living process; its words say what that does on a GPU:
 *
 *   index util mem_mib
 */

/*
 * The processes on GPU number INDEX, into LIST[LW_GPU_PROCESSES_MAX]. Returns how many, or
 * -errno.
 */
int lw_fake_processes_read(const char *dir, uint32_t index, struct lw_gpu_process *list);

/* The sum of what they do, into SAMPLE in place of what is there. */
void lw_fake_processes_sum(const char *dir, uint32_t index, struct lw_gpu_sample *sample);

#endif
