/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: readings of AMD GPUs from the files of the kernel's driver amdgpu. */
/*
 * Each device has a render node, /dev/dri/renderDN; Slurm's gres.conf names these files in their
 * order, so device number i is the i-th render node of the vendor AMD. Every file may be
 * missing, on an old kernel or in a partition of a device: then that value is unknown. The files
 * are those of the kernel's document gpu/amdgpu/thermal.
 */
#include "record/sampler.h"
#include "record/sysfile.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DEFAULT_ROOT "/sys"
#define VENDOR_AMD   "0x1002"
#define FIRST_RENDER 128
#define RENDER_NODES 64
#define MIB          (1024 * 1024)

/* What is read each time: the divisor brings it to the metric's unit. */
enum { BUSY, VRAM, POWER, TEMPERATURE, FILES };

static const struct {
	enum lw_metric metric;
	uint64_t divisor;
} kinds[FILES] = {
	[BUSY] = { LW_METRIC_UTIL, 1 },
	[VRAM] = { LW_METRIC_MEM, MIB },
	[POWER] = { LW_METRIC_POWER, 1000000 },
	[TEMPERATURE] = { LW_METRIC_TEMP, 1000 },
};

struct unit {
	char *path[FILES]; /* NULL: the device has no such file */
};

struct sampler {
	uint32_t unit_count;
	struct unit unit[LW_RECORD_GPUS_MAX];
};

/* DIR/NAME when it can be read. */
static char *sampler_amd_find_file(const char *dir, const char *name)
{
	char path[PATH_MAX];

	if (snprintf(path, sizeof(path), "%s/%s", dir, name) >= (int)sizeof(path) ||
	    access(path, R_OK))
		return NULL;
	return strdup(path);
}

/* The directory of render node NUMBER's device, when it is an AMD GPU. */
static bool sampler_amd_is_gpu(const char *root, unsigned number, char *dir, size_t size)
{
	char path[PATH_MAX], vendor[16];

	if (snprintf(dir, size, "%s/class/drm/renderD%u/device", root, number) >= (int)size ||
	    snprintf(path, sizeof(path), "%s/vendor", dir) >= (int)sizeof(path))
		return false;
	return lw_sysfile_word(path, vendor, sizeof(vendor)) && !strcmp(vendor, VENDOR_AMD);
}

/* The driver has one entry there; its number is the system's. */
static bool sampler_amd_find_hwmon(const char *dir, char *path, size_t size)
{
	struct dirent *entry;
	bool found = false;
	DIR *stream;

	if (snprintf(path, size, "%s/hwmon", dir) >= (int)size)
		return false;
	stream = opendir(path);
	while (stream && !found && (entry = readdir(stream)))
		found = !strncmp(entry->d_name, "hwmon", 5) &&
			snprintf(path, size, "%s/hwmon/%s", dir, entry->d_name) < (int)size;
	if (stream)
		closedir(stream);
	return found;
}

static void sampler_amd_find_files(const char *dir, struct unit *unit)
{
	char hwmon[PATH_MAX];

	unit->path[BUSY] = sampler_amd_find_file(dir, "gpu_busy_percent");
	unit->path[VRAM] = sampler_amd_find_file(dir, "mem_info_vram_used");
	if (!sampler_amd_find_hwmon(dir, hwmon, sizeof(hwmon)))
		return;
	unit->path[TEMPERATURE] = sampler_amd_find_file(hwmon, "temp1_input");
	/* newer devices tell the power of the moment, older ones an average */
	unit->path[POWER] = sampler_amd_find_file(hwmon, "power1_average");
	if (!unit->path[POWER])
		unit->path[POWER] = sampler_amd_find_file(hwmon, "power1_input");
}

static void amd_describe(const char *dir, struct lw_gpu *gpu)
{
	char path[PATH_MAX], word[32];
	uint64_t bytes = 0;

	snprintf(gpu->id, sizeof(gpu->id), "index-%u", gpu->index);
	gpu->mem_total_mib = 0;
	if (snprintf(path, sizeof(path), "%s/unique_id", dir) < (int)sizeof(path) &&
	    lw_sysfile_word(path, word, sizeof(word)))
		snprintf(gpu->id, sizeof(gpu->id), "AMD-%s", word);
	if (snprintf(path, sizeof(path), "%s/mem_info_vram_total", dir) < (int)sizeof(path) &&
	    lw_sysfile_number(path, &bytes))
		gpu->mem_total_mib = (uint32_t)(bytes / MIB);
}

/* Go through the devices in their order; how many there are. */
static uint32_t sampler_amd_find_units(struct sampler *sampler, const char *root,
				       struct lw_gpu *gpus)
{
	uint32_t found = 0;

	for (unsigned node = 0; node < RENDER_NODES; node++) {
		char dir[PATH_MAX];

		if (!sampler_amd_is_gpu(root, FIRST_RENDER + node, dir, sizeof(dir)))
			continue;
		for (uint32_t i = 0; i < sampler->unit_count; i++)
			if (gpus[i].index == found) {
				amd_describe(dir, &gpus[i]);
				sampler_amd_find_files(dir, &sampler->unit[i]);
			}
		found++;
	}
	return found;
}

static void amd_close(void *state)
{
	struct sampler *sampler = state;

	for (uint32_t i = 0; i < sampler->unit_count; i++)
		for (int f = 0; f < FILES; f++)
			free(sampler->unit[i].path[f]);
	free(sampler);
}

static int amd_open(const char *arg, struct lw_gpu *gpus, uint32_t count, int64_t now_s,
		    void **ret_state, struct lw_error *err)
{
	const char *root = *arg ? arg : DEFAULT_ROOT;
	struct sampler *sampler = calloc(1, sizeof(*sampler));

	(void)now_s;
	if (!sampler || count > LW_RECORD_GPUS_MAX) {
		free(sampler);
		return lw_error_set(err, -ENOMEM, "out of memory");
	}
	sampler->unit_count = count;
	for (uint32_t i = 0; i < count; i++)
		snprintf(gpus[i].id, sizeof(gpus[i].id), "index-%u", gpus[i].index);
	if (!sampler_amd_find_units(sampler, root, gpus)) {
		amd_close(sampler);
		return lw_error_set(err, -ENOENT, "no AMD GPU in %s/class/drm", root);
	}
	*ret_state = sampler;
	return 0;
}

static void amd_sample(void *state, int64_t now_s, struct lw_gpu_sample *samples)
{
	const struct sampler *sampler = state;

	(void)now_s;
	memset(samples, 0, sampler->unit_count * sizeof(*samples));
	for (uint32_t i = 0; i < sampler->unit_count; i++)
		for (int f = 0; f < FILES; f++) {
			const char *path = sampler->unit[i].path[f];

			if (path)
				lw_sysfile_sample(path, kinds[f].metric, kinds[f].divisor,
						  &samples[i]);
		}
}

const struct lw_sampler_ops lw_sampler_amd = {
	.name = "amd",
	.open = amd_open,
	.sample = amd_sample,
	.close = amd_close,
};
