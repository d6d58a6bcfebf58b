/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: readings from NVIDIA's management library (NVML), opened at run time. */
/*
 * Devices are found by the UUID that Slurm gave the job, or by the number of their device
 * file. A whole device in MIG mode is many jobs', so all of it is left out rather than
 * told wrong; a MIG instance named by its UUID is read as far as it counts.
 */
#include "record/sampler.h"

#include "record/inherit.h"
#include "record/nvml_read.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LIBRARY "libnvidia-ml.so.1"
#define MIB     (1024 * 1024)

struct sampler {
	struct lw_nvml nvml;
	uint32_t unit_count;
	struct lw_nvml_unit unit[LW_RECORD_GPUS_MAX];
};

static bool sampler_nvml_get(void *library, const char *name, void *ret_function)
{
	void *symbol = dlsym(library, name);

	memcpy(ret_function, &symbol, sizeof(symbol));
	return symbol != NULL;
}

/* The name of a required function that is missing, or NULL. */
static const char *sampler_nvml_get_functions(struct lw_nvml *nvml)
{
	const char *missing = NULL;

#define GET_REQUIRED(field, symbol, type)                                                        \
	if (!sampler_nvml_get(nvml->handle, symbol, &nvml->field))                               \
		missing = symbol;
#define GET_OPTIONAL(field, symbol, type) sampler_nvml_get(nvml->handle, symbol, &nvml->field);
	LW_NVML_REQUIRED(GET_REQUIRED)
	LW_NVML_OPTIONAL(GET_OPTIONAL)
#undef GET_REQUIRED
#undef GET_OPTIONAL
	return missing;
}

static int sampler_nvml_open_library(struct lw_nvml *nvml, const char *path, struct lw_error *err)
{
	const char *missing;
	int rc;

	lw_inherit_no_devices();
	nvml->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (!nvml->handle)
		return lw_error_set(err, -ENOENT, "NVML cannot be opened: %s", dlerror());
	missing = sampler_nvml_get_functions(nvml);
	if (missing) {
		dlclose(nvml->handle);
		return lw_error_set(err, -ENOSYS, "%s: no NVML, or too old: it has no %s", path,
				    missing);
	}
	rc = nvml->init();
	if (rc != LW_NVML_OK) {
		dlclose(nvml->handle);
		return lw_error_set(err, -EIO,
				    "nvmlInit failed with code %d: driver loaded, device "
				    "files readable?",
				    rc);
	}
	return 0;
}

/*
 * Slurm counts by device file, /dev/nvidiaN, NVML by place on the bus: the minor number
 * is what both know.
 */
static lw_nvml_device sampler_nvml_find_by_minor(const struct lw_nvml *nvml, uint32_t index)
{
	unsigned count = 0;

	if (nvml->count(&count) != LW_NVML_OK)
		return NULL;
	for (unsigned i = 0; i < count; i++) {
		lw_nvml_device device = NULL;
		unsigned minor = i;

		if (nvml->by_index(i, &device) != LW_NVML_OK)
			continue;
		if (nvml->minor && nvml->minor(device, &minor) != LW_NVML_OK)
			continue;
		if (minor == index)
			return device;
	}
	return NULL;
}

/* A MIG instance is read through the device it is a part of. */
static void sampler_nvml_find_parent(const struct lw_nvml *nvml, struct lw_nvml_unit *unit)
{
	lw_nvml_device parent = NULL;
	unsigned instance = 0;

	if (nvml->mig_parent && nvml->mig_instance &&
	    nvml->mig_parent(unit->device, &parent) == LW_NVML_OK && parent &&
	    nvml->mig_instance(unit->device, &instance) == LW_NVML_OK) {
		unit->parent = parent;
		unit->instance = instance;
	} else {
		unit->device = NULL;
	}
}

static void sampler_nvml_find_unit(const struct lw_nvml *nvml, const struct lw_gpu *gpu,
				   struct lw_nvml_unit *unit)
{
	unsigned current = 0, pending = 0;

	if (gpu->id[0] && nvml->by_uuid && nvml->by_uuid(gpu->id, &unit->device) != LW_NVML_OK)
		unit->device = NULL;
	if (!strncmp(gpu->id, "MIG-", 4)) {
		if (unit->device)
			sampler_nvml_find_parent(nvml, unit);
		return;
	}
	if (!unit->device)
		unit->device = sampler_nvml_find_by_minor(nvml, gpu->index);
	unit->split = unit->device && nvml->mig_mode &&
		      nvml->mig_mode(unit->device, &current, &pending) == LW_NVML_OK && current;
}

static void nvml_describe(const struct lw_nvml *nvml, const struct lw_nvml_unit *unit,
			  struct lw_gpu *gpu)
{
	struct lw_nvml_memory memory;

	gpu->mem_total_mib = 0;
	if (unit->device && nvml->memory(unit->device, &memory) == LW_NVML_OK)
		gpu->mem_total_mib = (uint32_t)(memory.total / MIB);
	if (!gpu->id[0] &&
	    (!unit->device || nvml->uuid(unit->device, gpu->id, sizeof(gpu->id)) != LW_NVML_OK ||
	     !gpu->id[0]))
		snprintf(gpu->id, sizeof(gpu->id), "index-%u", gpu->index);
	/* an old form of MIG names has slashes, which a record cannot hold */
	for (char *c = gpu->id; *c; c++)
		if (*c == '/')
			*c = ':';
}

static void nvml_close(void *state)
{
	struct sampler *sampler = state;

	for (uint32_t i = 0; i < sampler->unit_count; i++)
		lw_nvml_unit_fini(&sampler->nvml, &sampler->unit[i]);
	sampler->nvml.shutdown();
	dlclose(sampler->nvml.handle);
	free(sampler);
}

static int nvml_open(const char *arg, struct lw_gpu *gpus, uint32_t count, int64_t now_s,
		     void **ret_state, struct lw_error *err)
{
	struct sampler *sampler = calloc(1, sizeof(*sampler));
	int rc;

	(void)now_s;
	if (!sampler || count > LW_RECORD_GPUS_MAX) {
		free(sampler);
		return lw_error_set(err, -ENOMEM, "out of memory");
	}
	rc = sampler_nvml_open_library(&sampler->nvml, *arg ? arg : LIBRARY, err);
	if (rc) {
		free(sampler);
		return rc;
	}
	sampler->unit_count = count;
	for (uint32_t i = 0; i < count; i++) {
		sampler_nvml_find_unit(&sampler->nvml, &gpus[i], &sampler->unit[i]);
		nvml_describe(&sampler->nvml, &sampler->unit[i], &gpus[i]);
		lw_nvml_unit_init(&sampler->nvml, &sampler->unit[i]);
	}
	*ret_state = sampler;
	return 0;
}

static void nvml_sample(void *state, int64_t now_s, struct lw_gpu_sample *samples)
{
	struct sampler *sampler = state;

	memset(samples, 0, sampler->unit_count * sizeof(*samples));
	for (uint32_t i = 0; i < sampler->unit_count; i++)
		lw_nvml_unit_read(&sampler->nvml, &sampler->unit[i], now_s, &samples[i]);
}

static void nvml_sample_end(void *state, struct lw_gpu_sample *samples)
{
	struct sampler *sampler = state;

	memset(samples, 0, sampler->unit_count * sizeof(*samples));
	for (uint32_t i = 0; i < sampler->unit_count; i++)
		lw_nvml_unit_read_end(&sampler->nvml, &sampler->unit[i], &samples[i]);
}

static void nvml_energy(void *state, int64_t now_s, uint64_t *mj)
{
	struct sampler *sampler = state;

	(void)now_s;
	for (uint32_t i = 0; i < sampler->unit_count; i++)
		if (!lw_nvml_unit_energy(&sampler->nvml, &sampler->unit[i], &mj[i]))
			mj[i] = LW_SAMPLER_NO_ENERGY;
}

static int nvml_processes(void *state, uint32_t gpu, struct lw_gpu_process *list)
{
	struct sampler *sampler = state;

	return lw_nvml_unit_processes(&sampler->nvml, &sampler->unit[gpu], list);
}

const struct lw_sampler_ops lw_sampler_nvml = {
	.name = "nvml",
	.open = nvml_open,
	.sample = nvml_sample,
	.sample_end = nvml_sample_end,
	.energy = nvml_energy,
	.processes = nvml_processes,
	.close = nvml_close,
};
