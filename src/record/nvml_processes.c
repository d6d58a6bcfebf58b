/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the processes on one device, as far as NVML tells them apart. */
/*
 * Memory is told by process. What a process does is told by samples: one for each process and
 * period of the driver in which anything of it ran. So a process's share of the time is the sum
 * of its samples over all periods that the answer has.
 */
#include "record/nvml_read.h"

#include <errno.h>
#include <string.h>

#define MIB         (1024 * 1024)
#define SAMPLES_MAX 512

/* How many periods SAMPLES[COUNT] tell of. Few: the times of one period lie side by side. */
static unsigned nvml_processes_count_periods(const struct lw_nvml_process_sample *samples,
					     unsigned count)
{
	unsigned periods = 0;

	for (unsigned i = 0; i < count; i++) {
		bool seen = false;

		for (unsigned k = i; k > 0 && !seen; k--)
			seen = samples[k - 1].time_us == samples[i].time_us;
		periods += !seen;
	}
	return periods;
}

static void nvml_processes_add_use(struct lw_gpu_process *process,
				   const struct lw_nvml_process_sample *samples, unsigned count,
				   unsigned periods)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < count; i++)
		if (samples[i].pid == process->pid)
			sum += samples[i].sm;
	process->has_util = true;
	process->util = periods ? (uint32_t)((sum + periods / 2) / periods) : 0;
	if (process->util > 100)
		process->util = 100;
}

static void nvml_processes_read_use(const struct lw_nvml *nvml, struct lw_nvml_unit *unit,
				    struct lw_gpu_process *list, int processes)
{
	struct lw_nvml_process_sample samples[SAMPLES_MAX];
	unsigned count = SAMPLES_MAX, periods;
	int rc = nvml->process_samples(unit->device, samples, &count, unit->processes_us);

	if (rc == LW_NVML_NOT_FOUND) /* no process did anything */
		count = 0;
	else if (rc != LW_NVML_OK || count > SAMPLES_MAX)
		return;
	periods = nvml_processes_count_periods(samples, count);
	for (int i = 0; i < processes; i++)
		nvml_processes_add_use(&list[i], samples, count, periods);
	for (unsigned i = 0; i < count; i++)
		if (samples[i].time_us > unit->processes_us)
			unit->processes_us = samples[i].time_us;
}

int lw_nvml_unit_processes(const struct lw_nvml *nvml, struct lw_nvml_unit *unit,
			   struct lw_gpu_process *list)
{
	struct lw_nvml_process processes[LW_GPU_PROCESSES_MAX];
	unsigned count = LW_GPU_PROCESSES_MAX;

	if (!unit->device || unit->split || unit->parent || !nvml->processes ||
	    nvml->processes(unit->device, &count, processes) != LW_NVML_OK ||
	    count > LW_GPU_PROCESSES_MAX)
		return -ENOTSUP;
	memset(list, 0, count * sizeof(*list));
	for (unsigned i = 0; i < count; i++) {
		list[i].pid = processes[i].pid;
		list[i].has_mem = processes[i].used != LW_NVML_NO_VALUE;
		if (list[i].has_mem)
			list[i].mem_mib = (uint32_t)(processes[i].used / MIB);
	}
	if (nvml->process_samples)
		nvml_processes_read_use(nvml, unit, list, (int)count);
	return (int)count;
}
