/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: where readings of GPUs come from: one table of functions a source. */
#ifndef LW_RECORD_SAMPLER_H
#define LW_RECORD_SAMPLER_H

#include "record/record.h"

#define LW_SAMPLER_NO_ENERGY UINT64_MAX
/* Of a device with more of them nothing is told apart. */
#define LW_GPU_PROCESSES_MAX 128

/* One process that has a device open, whoever's it is. */
struct lw_gpu_process {
	uint32_t pid;
	bool has_mem, has_util;
	uint32_t mem_mib;
	uint32_t util; /* % of the time in which something of it ran */
};

struct lw_sampler_ops {
	const char *name; /* that source= has for it */
	/*
	 * Get ready to read the COUNT devices in GPUS: their index is given, and the id
	 * when Slurm named the device by a UUID, else ""; id and mem_total_mib are filled
	 * in. ARG is what follows "NAME:" in source=. NOW_S is
	 * the sampler's time 0. -errno with ERR; then nothing is to be closed.
	 */
	int (*open)(const char *arg, struct lw_gpu *gpus, uint32_t count, int64_t now_s,
		    void **ret_state, struct lw_error *err);
	/*
	 * Read all devices into SAMPLES[COUNT]. A device that cannot be read leaves its
	 * sample without values; that is no failure.
	 */
	void (*sample)(void *state, int64_t now_s, struct lw_gpu_sample *samples);
	/*
	 * May be NULL. What is only known at the end, of all the time since open, into
	 * SAMPLES[COUNT]: see lw_record_add_at_end().
	 */
	void (*sample_end)(void *state, struct lw_gpu_sample *samples);
	/*
	 * May be NULL. How much energy each device has used since some moment in the past, into
	 * MJ[COUNT], in mJ; LW_SAMPLER_NO_ENERGY: it does not count that for this job alone. It
	 * may cost some milliseconds: for a job's begin and end.
	 */
	void (*energy)(void *state, int64_t now_s, uint64_t *mj);
	/*
	 * May be NULL. The processes on device GPU into LIST[LW_GPU_PROCESSES_MAX]: how many; or
	 * -errno where the device, or its driver, does not tell them apart.
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
 * The source that SPEC names: one of the above, or "auto": amd on a node that has the driver
 * amdgpu and not NVIDIA's, else nvml. *ret_arg points into SPEC. -EINVAL with ERR.
 */
int lw_sampler_choose(const char *spec, const struct lw_sampler_ops **ret_ops,
		      const char **ret_arg, struct lw_error *err);

#endif
