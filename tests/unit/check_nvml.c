/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of record/sampler_nvml through a library of ours, and of sampler_amd. */
#include "record/nvml_read.h"
#include "record/sampler.h"

#include "unit/scratch.h"
#include "unit/unit.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#define UTIL     (1u << LW_METRIC_UTIL)
#define MEM      (1u << LW_METRIC_MEM)
#define POWER    (1u << LW_METRIC_POWER)
#define TEMP     (1u << LW_METRIC_TEMP)
#define PROC     (1u << LW_METRIC_PROC)
#define NVLINK   (1u << LW_METRIC_NVLINK)
#define PCIE     (1u << LW_METRIC_PCIE)
#define SM       (1u << LW_METRIC_SM)
#define TENSOR   (1u << LW_METRIC_TENSOR)
#define MEMBW    (1u << LW_METRIC_MEMBW)
#define CLASSIC  (UTIL | MEM | POWER | TEMP | PROC)
#define GPM      (SM | TENSOR | MEMBW | NVLINK | PCIE)
#define WITH_GPM (CLASSIC | GPM)

/*
 * One GPU, asked for by number or by UUID, read twice: looked at is the second reading, with what
 * is only told at the end.
 */
static const struct {
	const char *library, *words, *asked;
	uint32_t index;
	const char *id;
	uint32_t has;
	uint32_t value[LW_METRIC_COUNT]; /* in the order of metric.def */
	uint32_t total_gib;
} readings[] = {
	/* device file 0 is the last on the bus */
	{ LW_FAKE_NVML,
	  "",
	  "",
	  0,
	  "GPU-3",
	  WITH_GPM,
	  { 30, 3584, 103, 43, 3, 7000, 30, 33, 16, 63 },
	  80 },
	{ LW_FAKE_NVML,
	  "",
	  "",
	  3,
	  "GPU-0",
	  WITH_GPM,
	  { 0, 512, 100, 40, 0, 7000, 30, 30, 13, 60 },
	  80 },
	{ LW_FAKE_NVML,
	  "",
	  "GPU-2",
	  0,
	  "GPU-2",
	  WITH_GPM,
	  { 20, 2560, 102, 42, 2, 7000, 30, 32, 15, 62 },
	  80 },
	/* without GPM the counters tell; those of 32 bits do not */
	{ LW_FAKE_NVML,
	  "nogpm",
	  "",
	  2,
	  "GPU-1",
	  CLASSIC | NVLINK | PCIE,
	  { 10, 1536, 101, 41, 1, 200, 200 },
	  80 },
	{ LW_FAKE_NVML,
	  "nogpm",
	  "",
	  0,
	  "GPU-3",
	  CLASSIC | NVLINK,
	  { 30, 3584, 103, 43, 3, 200 },
	  80 },
	/* a device in MIG mode as a whole is nobody's */
	{ LW_FAKE_NVML, "mig", "", 3, "GPU-0", 0, { 0 }, 80 },
	{ LW_FAKE_NVML,
	  "mig",
	  "",
	  2,
	  "GPU-1",
	  WITH_GPM,
	  { 10, 1536, 101, 41, 1, 7000, 30, 31, 14, 61 },
	  80 },
	{ LW_FAKE_NVML,
	  "mig",
	  "MIG-0.2",
	  0,
	  "MIG-0.2",
	  UTIL | MEM | PROC | GPM,
	  { 52, 512, 0, 0, 0, 7000, 30, 30, 13, 60 },
	  10 },
	{ LW_FAKE_NVML,
	  "nonvlink",
	  "",
	  2,
	  "GPU-1",
	  WITH_GPM & ~NVLINK,
	  { 10, 1536, 101, 41, 1, 0, 30, 31, 14, 61 },
	  80 },
	{ LW_FAKE_NVML, "mig,nogpm", "MIG-0.2", 0, "MIG-0.2", MEM | PROC, { 0, 512 }, 10 },
	/* not there: no value at all, and never one of another device */
	{ LW_FAKE_NVML, "mig", "MIG-9.1", 0, "MIG-9.1", 0, { 0 }, 0 },
	{ LW_FAKE_NVML, "", "", 7, "index-7", 0, { 0 }, 0 },
	{ LW_FAKE_NVML, "lost", "", 2, "GPU-1", 0, { 0 }, 0 },
	/* what every release has */
	{ LW_FAKE_NVML_OLD, "", "", 2, "GPU-2", UTIL | MEM, { 20, 3072 }, 80 },
	{ LW_FAKE_NVML_OLD, "", "MIG-0.2", 0, "MIG-0.2", 0, { 0 }, 0 },
};

TEST_EACH(device_is_read_as_far_as_it_counts, LW_COUNT_OF(readings))
{
	struct lw_gpu gpu = { .index = readings[_i].index };
	struct lw_gpu_sample sample, end;
	struct lw_error err = { "" };
	void *state = NULL;

	setenv("LW_FAKE_NVML", readings[_i].words, 1);
	snprintf(gpu.id, sizeof(gpu.id), "%s", readings[_i].asked);
	ck_assert_msg(!lw_sampler_nvml.open(readings[_i].library, &gpu, 1, 0, &state, &err), "%s",
		      err.text);
	ck_assert_str_eq(gpu.id, readings[_i].id);
	ck_assert_uint_eq(gpu.mem_total_mib, readings[_i].total_gib * 1024);
	lw_sampler_nvml.sample(state, 0, &sample);
	ck_assert_uint_eq(sample.has & GPM, 0);
	lw_sampler_nvml.sample(state, LW_RECORD_SLOW_EVERY_S, &sample);
	lw_sampler_nvml.sample_end(state, &end);
	ck_assert_uint_eq(sample.has & end.has, 0);
	sample.has |= end.has;
	for (int m = 0; m < LW_METRIC_COUNT; m++)
		if (end.has & 1u << m)
			sample.value[m] = end.value[m];
	ck_assert_uint_eq(sample.has, readings[_i].has);
	for (int m = 0; m < LW_METRIC_COUNT; m++)
		if (sample.has & 1u << m)
			ck_assert_uint_eq(sample.value[m], readings[_i].value[m]);
	lw_sampler_nvml.close(state);
}

/* ---- what a reading costs ---- */

#define SECONDS 60
#define NODE    8 /* GPUs, for which the goal is */

/*
 * Every call that may be made while a job runs, and what it cost on an H200 with driver 580, in
 * microseconds of a caller that is not busy (doc/dev/gpu-record.md). What is not here fails the
 * test.
 */
static const struct {
	const char *name;
	unsigned us;
	unsigned every_s;
} allowed[] = {
	{ "nvmlDeviceGetUtilizationRates", 17, 1 },
	{ "nvmlDeviceGetPowerUsage", 18, 1 },
	{ "nvmlDeviceGetTemperature", 15, 1 },
	{ "nvmlDeviceGetMemoryInfo_v2", 80, 1 },
	{ "nvmlDeviceGetComputeRunningProcesses_v3", 85, LW_RECORD_SLOW_EVERY_S },
	{ "nvmlGpmSampleGet", 210, LW_RECORD_SLOW_EVERY_S },
	{ "nvmlGpmMigSampleGet", 210, LW_RECORD_SLOW_EVERY_S },
	{ "nvmlGpmMetricsGet", 1275, LW_RECORD_SLOW_EVERY_S },
};

static const char *(*get_call)(int i, unsigned *count);
static void (*forget_calls)(void);

static void find(void *library, const char *name, void *ret_function)
{
	void *symbol = dlsym(library, name);

	ck_assert_ptr_nonnull(symbol);
	memcpy(ret_function, &symbol, sizeof(symbol));
}

static unsigned calls_of(const char *name)
{
	const char *called;
	unsigned count;

	for (int i = 0; (called = get_call(i, &count)); i++)
		if (!strcmp(called, name))
			return count;
	return 0;
}

/* What GPUS of them cost in SECONDS, in microseconds; all were allowed. */
static unsigned cost_of_calls(unsigned gpus)
{
	const char *called;
	unsigned count, us = 0;

	for (int i = 0; (called = get_call(i, &count)); i++) {
		size_t k = 0;

		while (k < LW_COUNT_OF(allowed) && strcmp(allowed[k].name, called) != 0)
			k++;
		ck_assert_msg(k < LW_COUNT_OF(allowed), "%s is called while a job runs", called);
		ck_assert_msg(count <= gpus * SECONDS / allowed[k].every_s,
			      "%s is called %u times in %d s", called, count, SECONDS);
		us += count * allowed[k].us;
	}
	return us;
}

/* Words for the library, and how often the counters are read before and after. */
static const struct {
	const char *words, *id;
	unsigned fields;
} costs[] = {
	{ "", "", 0 },
	{ "nogpm", "", 1 },
	{ "mig", "MIG-0.2", 0 },
	{ "mig,nogpm", "MIG-0.2", 0 },
};

TEST_EACH(a_reading_makes_cheap_calls_alone, LW_COUNT_OF(costs))
{
	void *library = dlopen(LW_FAKE_NVML, RTLD_NOW | RTLD_LOCAL), *state = NULL;
	struct lw_gpu gpu = { .index = 0 };
	struct lw_gpu_sample sample;
	struct lw_error err = { "" };
	unsigned us;

	ck_assert_ptr_nonnull(library);
	find(library, "lw_fake_call", &get_call);
	find(library, "lw_fake_forget_calls", &forget_calls);
	setenv("LW_FAKE_NVML", costs[_i].words, 1);
	snprintf(gpu.id, sizeof(gpu.id), "%s", costs[_i].id);
	forget_calls();
	ck_assert_int_eq(lw_sampler_nvml.open(LW_FAKE_NVML, &gpu, 1, 0, &state, &err), 0);
	ck_assert_uint_eq(calls_of("nvmlDeviceGetFieldValues"), costs[_i].fields);
	forget_calls();
	for (int64_t t = 0; t < SECONDS; t++)
		lw_sampler_nvml.sample(state, t, &sample);
	us = NODE * cost_of_calls(1);
	ck_assert_msg(us * 400ull <= SECONDS * 1000000ull, "%d GPUs: %u us of %d s, so %.3f %%",
		      NODE, us, SECONDS, us / 1e4 / SECONDS);
	lw_sampler_nvml.sample_end(state, &sample);
	ck_assert_uint_eq(calls_of("nvmlDeviceGetFieldValues"), costs[_i].fields);
	lw_sampler_nvml.close(state);
	dlclose(library);
}

/* Of a whole device alone: an instance's or a split device's is several jobs'. */
static const struct {
	const char *library, *words, *id;
	uint32_t index;
	bool known;
} counters[] = {
	{ LW_FAKE_NVML, "", "", 0, true },          { LW_FAKE_NVML, "", "GPU-2", 0, true },
	{ LW_FAKE_NVML, "noenergy", "", 0, false }, { LW_FAKE_NVML, "lost", "", 2, false },
	{ LW_FAKE_NVML, "mig", "", 3, false },      { LW_FAKE_NVML, "mig", "MIG-0.2", 0, false },
	{ LW_FAKE_NVML, "", "", 7, false },         { LW_FAKE_NVML_OLD, "", "", 2, false },
};

TEST_EACH(energy_is_counted_of_whole_devices, LW_COUNT_OF(counters))
{
	struct lw_gpu gpu = { .index = counters[_i].index };
	uint64_t before = 0, after = 0;
	struct lw_error err = { "" };
	void *state = NULL;

	setenv("LW_FAKE_NVML", counters[_i].words, 1);
	snprintf(gpu.id, sizeof(gpu.id), "%s", counters[_i].id);
	ck_assert_int_eq(lw_sampler_nvml.open(counters[_i].library, &gpu, 1, 0, &state, &err), 0);
	lw_sampler_nvml.energy(state, 0, &before);
	lw_sampler_nvml.energy(state, 60, &after);
	if (counters[_i].known)
		ck_assert_uint_eq(after - before, 300000);
	else
		ck_assert(before == LW_SAMPLER_NO_ENERGY && after == LW_SAMPLER_NO_ENERGY);
	lw_sampler_nvml.close(state);
}

/* Of a whole device: how many there are, or why not. */
static const struct {
	const char *library, *words, *id;
	int want;
	bool has_util;
} processes[] = {
	{ LW_FAKE_NVML, "", "GPU-0", 0, true },
	{ LW_FAKE_NVML, "", "GPU-3", 3, true },
	{ LW_FAKE_NVML, "noprocesses", "GPU-3", 3, false },
	{ LW_FAKE_NVML, "lost", "GPU-1", -ENOTSUP, false },
	{ LW_FAKE_NVML, "mig", "MIG-0.2", -ENOTSUP, false },
	{ LW_FAKE_NVML, "mig", "GPU-0", -ENOTSUP, false },
	{ LW_FAKE_NVML_OLD, "", "", -ENOTSUP, false },
};

TEST_EACH(processes_are_told_apart_where_the_driver_does, LW_COUNT_OF(processes))
{
	struct lw_gpu_process list[LW_GPU_PROCESSES_MAX];
	struct lw_gpu gpu = { .index = 0 };
	struct lw_error err = { "" };
	void *state = NULL;

	setenv("LW_FAKE_NVML", processes[_i].words, 1);
	snprintf(gpu.id, sizeof(gpu.id), "%s", processes[_i].id);
	ck_assert_int_eq(lw_sampler_nvml.open(processes[_i].library, &gpu, 1, 0, &state, &err),
			 0);
	ck_assert_int_eq(lw_sampler_nvml.processes(state, 0, list), processes[_i].want);
	if (processes[_i].want == 3) {
		ck_assert_uint_eq(list[0].pid, 1001);
		ck_assert(list[0].has_mem && list[1].has_mem && !list[2].has_mem);
		ck_assert_uint_eq(list[1].mem_mib, 2048);
		for (int i = 0; i < 3; i++)
			ck_assert_int_eq(list[i].has_util, processes[_i].has_util);
	}
	if (processes[_i].has_util && processes[_i].want) {
		ck_assert_uint_eq(list[0].util, 40);
		ck_assert_uint_eq(list[1].util, 13);
		ck_assert_uint_eq(list[2].util, 0);
		/* nothing new since: nobody did anything */
		ck_assert_int_eq(lw_sampler_nvml.processes(state, 0, list), 3);
		ck_assert(list[0].has_util && !list[0].util);
	}
	lw_sampler_nvml.close(state);
}

/* The number of processes and an instance's utilisation stand until they are read again. */
TEST(what_is_read_seldom_is_held)
{
	struct lw_gpu gpu = { .id = "MIG-0.2" };
	struct lw_gpu_sample sample;
	struct lw_error err = { "" };
	void *state = NULL;

	setenv("LW_FAKE_NVML", "mig", 1);
	ck_assert_int_eq(lw_sampler_nvml.open(LW_FAKE_NVML, &gpu, 1, 0, &state, &err), 0);
	for (int64_t t = 0; t < 3 * LW_RECORD_SLOW_EVERY_S; t++) {
		bool due = t % LW_RECORD_SLOW_EVERY_S == 0;

		lw_sampler_nvml.sample(state, 1000 + t, &sample);
		ck_assert(sample.has & PROC);
		ck_assert_int_eq((sample.has & UTIL) != 0, t >= LW_RECORD_SLOW_EVERY_S);
		ck_assert_int_eq((sample.has & SM) != 0, due && t > 0);
	}
	/* the clock is set back: it is read at once, and again 10 s later */
	lw_sampler_nvml.sample(state, 500, &sample);
	ck_assert(sample.has & SM);
	lw_sampler_nvml.sample(state, 501, &sample);
	ck_assert(!(sample.has & SM));
	lw_sampler_nvml.close(state);
}

static const struct {
	const char *library, *words;
	int want;
	const char *told;
} wrong[] = {
	{ "/no/such/libnvidia-ml.so", "", -ENOENT, "/no/such/libnvidia-ml.so" },
	{ "/dev/null", "", -ENOENT, "/dev/null" },
	{ "libm.so.6", "", -ENOSYS, "it has no nvml" },
	{ LW_FAKE_NVML, "noinit", -EIO, "code 9" },
};

TEST_EACH(wrong_library_is_named, LW_COUNT_OF(wrong))
{
	struct lw_gpu gpu = { .index = 0 };
	struct lw_error err = { "" };
	void *state = NULL;

	setenv("LW_FAKE_NVML", wrong[_i].words, 1);
	ck_assert_int_eq(lw_sampler_nvml.open(wrong[_i].library, &gpu, 1, 0, &state, &err),
			 wrong[_i].want);
	ck_assert_ptr_null(state);
	ck_assert_msg(strstr(err.text, wrong[_i].told) != NULL, "%s", err.text);
}

/* ---- AMD ---- */

static void put(unsigned node, const char *name, const char *text)
{
	char path[128];

	snprintf(path, sizeof(path), "class/drm/renderD%u/device/%s", node, name);
	scratch_write(path, text);
}

static void make_node(unsigned node, const char *vendor)
{
	static const char *const dirs[] = { "class/drm/renderD%u", "class/drm/renderD%u/device",
					    "class/drm/renderD%u/device/hwmon",
					    "class/drm/renderD%u/device/hwmon/hwmon7" };
	char path[128];

	mkdir(scratch_path("class"), 0755);
	mkdir(scratch_path("class/drm"), 0755);
	for (size_t i = 0; i < LW_COUNT_OF(dirs); i++) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
		snprintf(path, sizeof(path), dirs[i], node);
#pragma GCC diagnostic pop
		ck_assert_int_eq(mkdir(scratch_path(path), 0755), 0);
	}
	put(node, "vendor", vendor);
}

/* A graphics card of somebody else lies between two GPUs; the second lacks files. */
static void make_amd(void)
{
	make_node(128, "0x1002\n");
	make_node(129, "0x10de\n");
	make_node(130, "0x1002\n");
	put(128, "unique_id", "3f2a\n");
	put(128, "gpu_busy_percent", "73\n");
	put(128, "mem_info_vram_used", "2147483648\n");
	put(128, "mem_info_vram_total", "68702699520\n");
	put(128, "hwmon/hwmon7/power1_average", "301600000\n");
	put(128, "hwmon/hwmon7/temp1_input", "55000\n");
	put(130, "mem_info_vram_used", "1048576\n");
	put(130, "gpu_busy_percent", "what\n");
	put(130, "hwmon/hwmon7/power1_input", "90400000\n");
}

FIXTURE(scratch_setup, scratch_teardown);

TEST(amd_is_read_from_its_files)
{
	struct lw_gpu gpus[3] = { { .index = 1 }, { .index = 0 }, { .index = 2 } };
	struct lw_gpu_sample samples[3];
	struct lw_error err;
	void *state = NULL;

	make_amd();
	ck_assert_int_eq(lw_sampler_amd.open(scratch_dir, gpus, 3, 0, &state, &err), 0);
	lw_sampler_amd.sample(state, 0, samples);
	ck_assert_str_eq(gpus[1].id, "AMD-3f2a");
	ck_assert_uint_eq(gpus[1].mem_total_mib, 65520);
	ck_assert_uint_eq(samples[1].has, UTIL | MEM | POWER | TEMP);
	ck_assert_uint_eq(samples[1].value[LW_METRIC_UTIL], 73);
	ck_assert_uint_eq(samples[1].value[LW_METRIC_MEM], 2048);
	ck_assert_uint_eq(samples[1].value[LW_METRIC_POWER], 302);
	ck_assert_uint_eq(samples[1].value[LW_METRIC_TEMP], 55);
	ck_assert_str_eq(gpus[0].id, "index-1");
	ck_assert_uint_eq(samples[0].has, MEM | POWER);
	ck_assert_uint_eq(samples[0].value[LW_METRIC_POWER], 90);
	ck_assert_uint_eq(samples[2].has, 0);
	lw_sampler_amd.close(state);
}

TEST(amd_without_a_gpu_is_told)
{
	struct lw_gpu gpu = { .index = 0 };
	struct lw_error err = { "" };
	void *state = NULL;

	ck_assert_int_eq(lw_sampler_amd.open(scratch_dir, &gpu, 1, 0, &state, &err), -ENOENT);
	ck_assert_ptr_nonnull(strstr(err.text, scratch_dir));
}
