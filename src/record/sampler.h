/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the sources of GPU readings: one table of functions for each. */
#ifndef LW_RECORD_SAMPLER_H
#define LW_RECORD_SAMPLER_H

#include "record/record.h"

#define LW_SAMPLER_NO_ENERGY UINT64_MAX
/* On a device with more processes none is told apart. */
#define LW_GPU_PROCESSES_MAX 128

/* One process that has a device open, of any job. */
struct lw_gpu_process {
	uint32_t pid;
	bool has_mem, has_util;
	uint32_t mem_mib;
	uint32_t util; /* % of the time in which it ran there */
};

struct lw_sampler_ops {
	const char *name; /* its name in source= */
	/*
	 * Prepare to read the COUNT devices in GPUS: their index is set, and the id if Slurm
	 * named the device by a UUID, else ""; id and mem_total_mib are filled in. ARG is what
	 * follows "NAME:" in source=. NOW_S is the sampler's time 0. -errno with ERR; then there
	 * is nothing to close.
	 */
	int (*open)(const char *arg, struct lw_gpu *gpus, uint32_t count, int64_t now_s,
		    void **ret_state, struct lw_error *err);
	/*
	 * Read all devices into SAMPLES[COUNT]. A device that cannot be read leaves its sample
	 * without values; that is no failure.
	 */
	void (*sample)(void *state, int64_t now_s, struct lw_gpu_sample *samples);
	/*
	 * May be NULL. Values for the whole time since open, known only at the end, into
	 * SAMPLES[COUNT]: see lw_record_add_at_end().
	 */
	void (*sample_end)(void *state, struct lw_gpu_sample *samples);
	/*
	 * May be NULL. The energy that each device has used since some moment in the past, into
	 * MJ[COUNT], in mJ; LW_SAMPLER_NO_ENERGY: not counted for this job alone. It may take
	 * some milliseconds: for a job's begin and end.
	 */
	void (*energy)(void *state, int64_t now_s, uint64_t *mj);
	/*
	 * May be NULL. The processes on device GPU, into LIST[LW_GPU_PROCESSES_MAX]: returns how
	 * many, or -errno if the device, or its driver, does not tell them apart.
	 */
	int (*processes)(void *state, uint32_t gpu, struct lw_gpu_process *list);
	void (*close)(void *state);
};

/* A script in a file: doc/dev/format-fake-gpu.txt. Source "fake:PATH". */
extern const struct lw_sampler_ops lw_sampler_fake;
/* NVIDIA's management library, opened at run time. Source "nvml" or "nvml:LIBRARY". */
extern const struct lw_sampler_ops lw_sampler_nvml;
/* The files of the kernel's driver amdgpu. Source "amd" or "amd:ROOT" in place of /sys. */
extern const struct lw_sampler_ops lw_sampler_amd;

/*
 * The source that SPEC names: one of the above, or "auto": amd on a node with the driver amdgpu
 * and without NVIDIA's, else nvml. *ret_arg points into SPEC. -EINVAL with ERR.
 */
int lw_sampler_choose(const char *spec, const struct lw_sampler_ops **ret_ops,
		      const char **ret_arg, struct lw_error *err);

#endif
