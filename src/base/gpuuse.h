/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what a job used of its GPUs, in a few numbers that all layers understand. */
#ifndef LW_BASE_GPUUSE_H
#define LW_BASE_GPUUSE_H

#include <stdbool.h>
#include <stdint.h>

struct lw_gpu_use {
	/* a figure is unknown if no device of the job counted it */
	bool has_util, has_mem, has_nvlink, has_pcie, has_sm, has_tensor, has_membw;
	uint32_t util_percent;	/* mean over its GPUs and its time */
	uint32_t idle_permille; /* GPU-time at a utilisation of 0; with has_util */
	uint32_t mem_mib;	/* highest on a GPU */
	uint32_t nvlink_mib_s;	/* mean of a GPU, both directions */
	uint32_t pcie_mib_s;
	/*
	 * means over its GPUs and its time, %: busy multiprocessors, use of what the tensor
	 * cores could do, and of the memory's bandwidth
	 */
	uint32_t sm_percent, tensor_percent, membw_percent;
};

#endif
