/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: readings from NVIDIA's management library (NVML), opened at run time. */
/*
 * The declarations are our own, of the few functions used, whose binary interface NVIDIA
 * keeps stable by giving every change a new name (_v2): so nothing of NVIDIA's is needed
 * to build, and a node without a GPU needs no library.
 *
 * A device in MIG mode gives no utilisation and its memory is not the job's alone, so
 * all of it is left out rather than told wrong.
 */
#include "record/sampler.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LIBRARY       "libnvidia-ml.so.1"
#define NVML_OK       0
#define NVML_GPU_TEMP 0
#define MIB           (1024 * 1024)

typedef void *nvml_device;

struct nvml_utilization {
	unsigned gpu;
	unsigned memory;
};

struct nvml_memory {
	unsigned long long total;
	unsigned long long free;
	unsigned long long used;
};

struct nvml {
	void *library;
	uint32_t gpu_count;
	nvml_device device[LW_RECORD_GPUS_MAX]; /* NULL: not found, nothing to read */
	bool mig[LW_RECORD_GPUS_MAX];
	/* these must be there */
	int (*init)(void);
	int (*shutdown)(void);
	int (*count)(unsigned *count);
	int (*by_index)(unsigned index, nvml_device *device);
	int (*uuid)(nvml_device device, char *buf, unsigned size);
	int (*memory)(nvml_device device, struct nvml_memory *memory);
	int (*utilization)(nvml_device device, struct nvml_utilization *utilization);
	/* these may be missing in an old library */
	int (*minor)(nvml_device device, unsigned *minor);
	int (*mig_mode)(nvml_device device, unsigned *current, unsigned *pending);
	int (*power)(nvml_device device, unsigned *milliwatt);
	int (*temperature)(nvml_device device, unsigned sensor, unsigned *celsius);
};

static bool get(void *library, const char *name, void *ret_function)
{
	void *symbol = dlsym(library, name);

	memcpy(ret_function, &symbol, sizeof(symbol));
	return symbol != NULL;
}

static bool get_functions(struct nvml *nvml)
{
	void *lib = nvml->library;

	get(lib, "nvmlDeviceGetMinorNumber", &nvml->minor);
	get(lib, "nvmlDeviceGetMigMode", &nvml->mig_mode);
	get(lib, "nvmlDeviceGetPowerUsage", &nvml->power);
	get(lib, "nvmlDeviceGetTemperature", &nvml->temperature);
	return get(lib, "nvmlInit_v2", &nvml->init) &&
	       get(lib, "nvmlShutdown", &nvml->shutdown) &&
	       get(lib, "nvmlDeviceGetCount_v2", &nvml->count) &&
	       get(lib, "nvmlDeviceGetHandleByIndex_v2", &nvml->by_index) &&
	       get(lib, "nvmlDeviceGetUUID", &nvml->uuid) &&
	       get(lib, "nvmlDeviceGetMemoryInfo", &nvml->memory) &&
	       get(lib, "nvmlDeviceGetUtilizationRates", &nvml->utilization);
}

/*
 * Slurm counts by device file, /dev/nvidiaN, NVML by place on the bus: the minor number
 * is what both know.
 */
static nvml_device find_device(const struct nvml *nvml, uint32_t index)
{
	unsigned count = 0;

	if (nvml->count(&count) != NVML_OK)
		return NULL;
	for (unsigned i = 0; i < count; i++) {
		nvml_device device = NULL;
		unsigned minor = i;

		if (nvml->by_index(i, &device) != NVML_OK)
			continue;
		if (nvml->minor && nvml->minor(device, &minor) != NVML_OK)
			continue;
		if (minor == index)
			return device;
	}
	return NULL;
}

static void describe(struct nvml *nvml, uint32_t g, struct lw_gpu *gpu)
{
	struct nvml_memory memory = { 0 };
	nvml_device device = find_device(nvml, gpu->index);
	unsigned current = 0, pending = 0;

	nvml->device[g] = device;
	snprintf(gpu->id, sizeof(gpu->id), "index-%u", gpu->index);
	gpu->mem_total_mib = 0;
	if (!device)
		return;
	if (nvml->uuid(device, gpu->id, sizeof(gpu->id)) != NVML_OK || !gpu->id[0])
		snprintf(gpu->id, sizeof(gpu->id), "index-%u", gpu->index);
	if (nvml->memory(device, &memory) == NVML_OK)
		gpu->mem_total_mib = (uint32_t)(memory.total / MIB);
	nvml->mig[g] = nvml->mig_mode &&
		       nvml->mig_mode(device, &current, &pending) == NVML_OK && current;
}

static int start(struct nvml *nvml, struct lw_error *err)
{
	int rc;

	nvml->library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
	if (!nvml->library)
		return lw_error_set(err, -ENOENT, "no %s on this node", LIBRARY);
	if (!get_functions(nvml))
		return lw_error_set(err, -ENOSYS, "%s is too old", LIBRARY);
	rc = nvml->init();
	if (rc != NVML_OK)
		return lw_error_set(err, -EIO, "nvmlInit failed with code %d", rc);
	return 0;
}

static void nvml_close(void *state)
{
	struct nvml *nvml = state;

	nvml->shutdown();
	dlclose(nvml->library);
	free(nvml);
}

static int nvml_open(const char *arg, struct lw_gpu *gpus, uint32_t count, int64_t now_s,
		     void **ret_state, struct lw_error *err)
{
	struct nvml *nvml = calloc(1, sizeof(*nvml));
	int rc;

	(void)arg;
	(void)now_s;
	if (!nvml || count > LW_RECORD_GPUS_MAX) {
		free(nvml);
		return lw_error_set(err, -ENOMEM, "out of memory");
	}
	rc = start(nvml, err);
	if (rc) {
		if (nvml->library)
			dlclose(nvml->library);
		free(nvml);
		return rc;
	}
	nvml->gpu_count = count;
	for (uint32_t g = 0; g < count; g++)
		describe(nvml, g, &gpus[g]);
	*ret_state = nvml;
	return 0;
}

static void put(struct lw_gpu_sample *sample, enum lw_metric metric, uint32_t value)
{
	sample->has |= 1u << metric;
	sample->value[metric] = value;
}

static void read_device(const struct nvml *nvml, nvml_device device,
			struct lw_gpu_sample *sample)
{
	struct nvml_utilization utilization;
	struct nvml_memory memory;
	unsigned value;

	if (nvml->utilization(device, &utilization) == NVML_OK)
		put(sample, LW_METRIC_UTIL,
		    utilization.gpu > 100 ? 100 : utilization.gpu);
	if (nvml->memory(device, &memory) == NVML_OK)
		put(sample, LW_METRIC_MEM, (uint32_t)(memory.used / MIB));
	if (nvml->power && nvml->power(device, &value) == NVML_OK)
		put(sample, LW_METRIC_POWER, (value + 500) / 1000);
	if (nvml->temperature &&
	    nvml->temperature(device, NVML_GPU_TEMP, &value) == NVML_OK)
		put(sample, LW_METRIC_TEMP, value);
}

static void nvml_sample(void *state, int64_t now_s, struct lw_gpu_sample *samples)
{
	const struct nvml *nvml = state;

	(void)now_s;
	memset(samples, 0, nvml->gpu_count * sizeof(*samples));
	for (uint32_t g = 0; g < nvml->gpu_count; g++)
		if (nvml->device[g] && !nvml->mig[g])
			read_device(nvml, nvml->device[g], &samples[g]);
}

const struct lw_sampler_ops lw_sampler_nvml = { "nvml", nvml_open, nvml_sample,
						nvml_close };
