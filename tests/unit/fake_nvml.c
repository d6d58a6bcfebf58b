/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: a library that answers as NVIDIA's would, for tests of the way through dlopen. */
/*
 * Four GPUs; on the bus they lie in the opposite order of their device files. LW_FAKE_NVML
 * in the environment holds words for what is different: "mig" (the first device is split),
 * "noenergy" (it is not counted), "watts" (it is counted as
 * the power says), "nogpm", "nonvlink" (GPM does not have it), "lost" (the second
 * device fell off the bus), "noinit" (no driver), "open" (it holds a device open, on exec, too).
 * Compiled with LW_FAKE_OLD it has only what every release of NVML has.
 */
#include "record/nvml_abi.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define GPUS   4
#define FAILED 3 /* not supported */
#define LOST   15
#define GIB    (1ull << 30)
#define EXPORTED(...)                                                                            \
	__VA_ARGS__ __attribute__((visibility("default")));                                      \
	__VA_ARGS__

/* A device is its number on the bus plus 1; instance g of it has g + 1 in the next byte. */
static unsigned number_of(lw_nvml_device device)
{
	return ((unsigned)(uintptr_t)device & 0xff) - 1;
}

static inline unsigned instance_of(lw_nvml_device device)
{
	return ((unsigned)(uintptr_t)device >> 8) - 1;
}

static int is_mig(lw_nvml_device device)
{
	return (uintptr_t)device > 0xff;
}

static lw_nvml_device make_device(unsigned number, unsigned instance_plus_1)
{
	return (lw_nvml_device)(uintptr_t)(instance_plus_1 << 8 | (number + 1));
}

static int is(const char *word)
{
	const char *words = getenv("LW_FAKE_NVML");

	return words && strstr(words, word) != NULL;
}

/*
 * How often each function was called, by name, for tests of what a reading costs: they open the
 * library too, and find these there. Not for several threads.
 */
#define CALLS_MAX 32

static struct {
	const char *name;
	unsigned count;
} calls[CALLS_MAX];

static void note_call(const char *name)
{
	int i = 0;

	while (i < CALLS_MAX - 1 && calls[i].name && strcmp(calls[i].name, name) != 0)
		i++;
	calls[i].name = name;
	calls[i].count++;
}
#define NOTE_CALL() note_call(__func__)

/* The I-th function that was called and how often; NULL behind the last. */
EXPORTED(const char *lw_fake_call(int i, unsigned *count))
{
	*count = i < CALLS_MAX ? calls[i].count : 0;
	return i < CALLS_MAX ? calls[i].name : NULL;
}

EXPORTED(void lw_fake_forget_calls(void))
{
	memset(calls, 0, sizeof(calls));
}

static int is_lost(lw_nvml_device device)
{
	return is("lost") && number_of(device) == 1;
}

static int device_fd = -1;

EXPORTED(int nvmlInit_v2(void))
{
	NOTE_CALL();
	if (is("open"))
		device_fd = open("/dev/full", O_RDWR);
	return is("noinit") ? 9 : LW_NVML_OK;
}

EXPORTED(int nvmlShutdown(void))
{
	NOTE_CALL();
	if (device_fd >= 0)
		close(device_fd);
	device_fd = -1;
	return LW_NVML_OK;
}

EXPORTED(int nvmlDeviceGetCount_v2(unsigned *count))
{
	NOTE_CALL();
	*count = GPUS;
	return LW_NVML_OK;
}

EXPORTED(int nvmlDeviceGetHandleByIndex_v2(unsigned index, lw_nvml_device *device))
{
	NOTE_CALL();
	*device = make_device(index, 0);
	return index < GPUS ? LW_NVML_OK : FAILED;
}

EXPORTED(int nvmlDeviceGetUUID(lw_nvml_device device, char *buf, unsigned size))
{
	NOTE_CALL();
	snprintf(buf, size, "GPU-%u", number_of(device));
	return LW_NVML_OK;
}

EXPORTED(int nvmlDeviceGetMemoryInfo(lw_nvml_device device, struct lw_nvml_memory *memory))
{
	NOTE_CALL();
	if (is_lost(device))
		return LOST;
	memory->total = (is_mig(device) ? 10 : 80) * GIB;
	memory->used = (number_of(device) + 1) * GIB;
	memory->free = memory->total - memory->used;
	return LW_NVML_OK;
}

EXPORTED(int nvmlDeviceGetUtilizationRates(lw_nvml_device device,
					   struct lw_nvml_utilization *utilization))
{
	NOTE_CALL();
	if (is_lost(device))
		return LOST;
	if (is_mig(device) || (is("mig") && number_of(device) == 0))
		return FAILED;
	utilization->gpu = 10 * number_of(device);
	utilization->memory = 1;
	return LW_NVML_OK;
}

#ifndef LW_FAKE_OLD
EXPORTED(int nvmlDeviceGetMinorNumber(lw_nvml_device device, unsigned *minor))
{
	NOTE_CALL();
	*minor = GPUS - 1 - number_of(device);
	return LW_NVML_OK;
}

EXPORTED(int nvmlDeviceGetHandleByUUID(const char *uuid, lw_nvml_device *device))
{
	unsigned number = 0, instance = 0;

	NOTE_CALL();
	if (sscanf(uuid, "MIG-%u.%u", &number, &instance) == 2)
		*device = make_device(number, instance + 1);
	else if (sscanf(uuid, "GPU-%u", &number) == 1)
		*device = make_device(number, 0);
	else
		return 6;
	return number < GPUS ? LW_NVML_OK : 6;
}

EXPORTED(int nvmlDeviceGetMigMode(lw_nvml_device device, unsigned *current, unsigned *pending))
{
	NOTE_CALL();
	*current = *pending = is("mig") && number_of(device) == 0;
	return LW_NVML_OK;
}

EXPORTED(int nvmlDeviceGetDeviceHandleFromMigDeviceHandle(lw_nvml_device device,
							  lw_nvml_device *parent))
{
	NOTE_CALL();
	*parent = make_device(number_of(device), 0);
	return is_mig(device) ? LW_NVML_OK : 2;
}

EXPORTED(int nvmlDeviceGetGpuInstanceId(lw_nvml_device device, unsigned *instance))
{
	NOTE_CALL();
	*instance = instance_of(device);
	return is_mig(device) ? LW_NVML_OK : 2;
}

EXPORTED(int nvmlDeviceGetMemoryInfo_v2(lw_nvml_device device, struct lw_nvml_memory_v2 *memory))
{
	NOTE_CALL();
	if (is_lost(device))
		return LOST;
	if (memory->version != LW_NVML_MEMORY_V2)
		return 25;
	memory->used = (number_of(device) + 1) * GIB - GIB / 2;
	return LW_NVML_OK;
}

EXPORTED(int nvmlDeviceGetPowerUsage(lw_nvml_device device, unsigned *milliwatt))
{
	NOTE_CALL();
	*milliwatt = 100400 + 1000 * number_of(device);
	return is_lost(device) ? LOST : LW_NVML_OK;
}

/* 300 J further at every call. */
EXPORTED(int nvmlDeviceGetTotalEnergyConsumption(lw_nvml_device device, unsigned long long *mj))
{
	static unsigned long long used_mj[GPUS];

	NOTE_CALL();
	if (is_lost(device))
		return LOST;
	if (is_mig(device) || is("noenergy"))
		return FAILED;
	if (is("watts")) {
		struct timespec now;

		clock_gettime(CLOCK_MONOTONIC, &now);
		*mj = (unsigned long long)((double)now.tv_sec + (double)now.tv_nsec / 1e9) *
		      (100400 + 1000 * number_of(device));
		return LW_NVML_OK;
	}
	*mj = used_mj[number_of(device)] += 300000;
	return LW_NVML_OK;
}

EXPORTED(int nvmlDeviceGetTemperature(lw_nvml_device device, unsigned sensor, unsigned *celsius))
{
	NOTE_CALL();
	*celsius = 40 + number_of(device) + sensor;
	return is_lost(device) ? LOST : LW_NVML_OK;
}

/* As many processes as the device's number, 1001 of 1 GiB on; of the last nobody tells its
 * memory. */
EXPORTED(int nvmlDeviceGetComputeRunningProcesses_v3(lw_nvml_device device, unsigned *count,
						     struct lw_nvml_process *processes))
{
	unsigned room = *count;

	NOTE_CALL();
	*count = number_of(device);
	if (is_lost(device))
		return LOST;
	if (*count > room)
		return LW_NVML_INSUFFICIENT_SIZE;
	for (unsigned i = 0; i < *count; i++) {
		processes[i] = (struct lw_nvml_process){ .pid = 1001 + i, .used = (i + 1) * GIB };
		if (i + 1 == GPUS - 1)
			processes[i].used = LW_NVML_NO_VALUE;
	}
	return LW_NVML_OK;
}

/*
 * Two periods of the driver that nobody was told of before: 1001 worked in both of them, 1002 in
 * the second, 1003 in none.
 */
EXPORTED(int nvmlDeviceGetProcessUtilization(lw_nvml_device device,
					     struct lw_nvml_process_sample *samples,
					     unsigned *count, unsigned long long since_us))
{
	static const struct lw_nvml_process_sample all[] = {
		{ .pid = 1001, .time_us = 5000, .sm = 30 },
		{ .pid = 1001, .time_us = 6000, .sm = 50 },
		{ .pid = 1002, .time_us = 6000, .sm = 25 },
	};
	unsigned room = *count;

	NOTE_CALL();
	*count = 0;
	if (is_lost(device) || is("noprocesses"))
		return is_lost(device) ? LOST : FAILED;
	for (unsigned i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		if (all[i].time_us > since_us && *count < room)
			samples[(*count)++] = all[i];
	return *count ? LW_NVML_OK : LW_NVML_NOT_FOUND;
}

/* A second and 100 MiB further at every call; PCIe counts in 32 bits on the last device. */
EXPORTED(int nvmlDeviceGetFieldValues(lw_nvml_device device, int count,
				      struct lw_nvml_field *fields))
{
	static long long times[GPUS];
	long long call = ++times[number_of(device)];

	NOTE_CALL();
	if (is_lost(device))
		return LOST;
	for (int i = 0; i < count; i++) {
		int nvlink = fields[i].id < LW_NVML_FIELD_PCIE_TX_BYTES;

		fields[i].result = nvlink && fields[i].scope != LW_NVML_ALL_LINKS ? 2 : 0;
		fields[i].timestamp_us = call * 1000000;
		fields[i].type =
			!nvlink && number_of(device) == GPUS - 1 ? 1 : LW_NVML_UNSIGNED_LONG_LONG;
		fields[i].value = (unsigned long long)call * 100 * (nvlink ? 1024 : 1024 * 1024);
	}
	return LW_NVML_OK;
}

EXPORTED(int nvmlGpmQueryDeviceSupport(lw_nvml_device device,
				       struct lw_nvml_gpm_support *support))
{
	NOTE_CALL();
	if (is_mig(device) || support->version != 1)
		return 2;
	support->supported = !is("nogpm");
	return LW_NVML_OK;
}

struct gpm_sample {
	lw_nvml_device device;
	unsigned instance;
};

EXPORTED(int nvmlGpmSampleAlloc(lw_nvml_gpm_sample *sample))
{
	NOTE_CALL();
	*sample = calloc(1, sizeof(struct gpm_sample));
	return *sample ? LW_NVML_OK : 20;
}

EXPORTED(int nvmlGpmSampleFree(lw_nvml_gpm_sample sample))
{
	NOTE_CALL();
	free(sample);
	return LW_NVML_OK;
}

EXPORTED(int nvmlGpmSampleGet(lw_nvml_device device, lw_nvml_gpm_sample sample))
{
	NOTE_CALL();
	*(struct gpm_sample *)sample = (struct gpm_sample){ device, LW_NVML_NO_INSTANCE };
	return is_lost(device) ? LOST : LW_NVML_OK;
}

EXPORTED(int nvmlGpmMigSampleGet(lw_nvml_device device, unsigned instance,
				 lw_nvml_gpm_sample sample))
{
	NOTE_CALL();
	*(struct gpm_sample *)sample = (struct gpm_sample){ device, instance };
	return is_mig(device) ? 2 : LW_NVML_OK;
}

static double gpm_value(const struct gpm_sample *sample, unsigned id)
{
	unsigned add = number_of(sample->device);

	switch (id) {
	case LW_NVML_GPM_GRAPHICS_UTIL:
		return sample->instance == LW_NVML_NO_INSTANCE ? 99 : 50 + sample->instance;
	case LW_NVML_GPM_SM_UTIL:
		return 30.4 + add;
	case LW_NVML_GPM_TENSOR_UTIL:
		return 12.6 + add;
	case LW_NVML_GPM_DRAM_UTIL:
		return 60 + add;
	case LW_NVML_GPM_PCIE_TX_MIB_S:
		return 10;
	case LW_NVML_GPM_PCIE_RX_MIB_S:
		return 20;
	case LW_NVML_GPM_NVLINK_RX_MIB_S:
		return 3000;
	default:
		return 4000;
	}
}

EXPORTED(int nvmlGpmMetricsGet(struct lw_nvml_gpm_metrics *asked))
{
	const struct gpm_sample *earlier = asked->earlier, *later = asked->later;

	NOTE_CALL();
	if (asked->version != 1 || !earlier->device || earlier->device != later->device ||
	    earlier == later)
		return 2;
	for (unsigned i = 0; i < asked->metric_count; i++) {
		asked->metric[i].result = is("nonvlink") && asked->metric[i].id >= 60
						  ? LW_NVML_NOT_SUPPORTED
						  : LW_NVML_OK;
		asked->metric[i].value = gpm_value(later, asked->metric[i].id);
	}
	return LW_NVML_OK;
}
#endif
