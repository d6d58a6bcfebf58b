/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what reading a real NVIDIA GPU costs, call by call and as the SPANK plugin does it. */
/*
 * Needs a GPU, its driver and libnvidia-ml.so.1, and nothing of Slurm. Prints one figure a line,
 * NAME TAB VALUE: the median CPU time of each call of a caller that pauses between two; what the
 * recorder's thread costs at a reading a second, of one GPU and of eight (the same one eight
 * times where there are fewer); what memory the process has before and after NVML; and what was
 * read.
 *
 * usage: gpu_real [SECONDS [DEVICE]]
 */
#include "record/list.h"
#include "record/nvml_abi.h"
#include "record/summary.h"
#include "record/watch.h"

#include <dlfcn.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define LIBRARY      "libnvidia-ml.so.1"
#define MANY         8
#define DEFAULT_S    60
#define FIRST_S      3  /* before we look: opening is no sampling */
#define ROUNDS       41 /* of each call */
#define PAUSE_MS     50
#define GPM_PAUSE    1 /* between two samples, in s */
#define FIELD_ENERGY 83

static char dir[64];

static double cpu_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

/* "Rss:" or "Pss:" of this process in MiB. */
static double memory_mib(const char *what)
{
	char line[256];
	double mib = 0;
	FILE *in = fopen("/proc/self/smaps_rollup", "re");

	while (in && fgets(line, sizeof(line), in))
		if (!strncmp(line, what, strlen(what)))
			mib = strtod(line + strlen(what), NULL) / 1024;
	if (in)
		fclose(in);
	return mib;
}

/* ---- call by call ---- */

/* The GPU as all calls need it. */
static struct {
	struct lw_nvml nvml;
	lw_nvml_device device;
	lw_nvml_gpm_sample gpm[2];
	bool has_gpm;
} gpu;

static int call_utilization(void)
{
	struct lw_nvml_utilization value;

	return gpu.nvml.utilization(gpu.device, &value);
}

static int call_power(void)
{
	unsigned value;

	return gpu.nvml.power_mw(gpu.device, &value);
}

static int call_temperature(void)
{
	unsigned value;

	return gpu.nvml.temperature(gpu.device, LW_NVML_TEMPERATURE_GPU, &value);
}

static int call_memory(void)
{
	struct lw_nvml_memory_v2 value = { .version = LW_NVML_MEMORY_V2 };

	return gpu.nvml.memory_v2(gpu.device, &value);
}

static int call_processes(void)
{
	unsigned count = 0;
	int rc = gpu.nvml.processes(gpu.device, &count, NULL);

	return rc == LW_NVML_INSUFFICIENT_SIZE ? LW_NVML_OK : rc;
}

static int call_gpm_sample(void)
{
	return gpu.has_gpm ? gpu.nvml.gpm_sample(gpu.device, gpu.gpm[1]) : -1;
}

static int ask_gpm(unsigned count, struct lw_nvml_gpm_metrics *asked)
{
	static const enum lw_nvml_gpm_id ids[] = {
		LW_NVML_GPM_SM_UTIL,         LW_NVML_GPM_TENSOR_UTIL,
		LW_NVML_GPM_DRAM_UTIL,       LW_NVML_GPM_PCIE_TX_MIB_S,
		LW_NVML_GPM_PCIE_RX_MIB_S,   LW_NVML_GPM_NVLINK_RX_MIB_S,
		LW_NVML_GPM_NVLINK_TX_MIB_S,
	};

	*asked = (struct lw_nvml_gpm_metrics){
		.version = 1, .metric_count = count, .earlier = gpu.gpm[0], .later = gpu.gpm[1]
	};
	for (unsigned i = 0; i < count; i++)
		asked->metric[i].id = ids[i];
	return gpu.has_gpm ? gpu.nvml.gpm_metrics(asked) : -1;
}

static int call_gpm_1(void)
{
	struct lw_nvml_gpm_metrics asked;

	return ask_gpm(1, &asked);
}

static int call_gpm_5(void)
{
	struct lw_nvml_gpm_metrics asked;

	return ask_gpm(5, &asked);
}

static int call_gpm_7(void)
{
	struct lw_nvml_gpm_metrics asked;

	return ask_gpm(7, &asked);
}

static int call_fields(void)
{
	struct lw_nvml_field fields[] = {
		{ .id = LW_NVML_FIELD_NVLINK_TX_KIB, .scope = LW_NVML_ALL_LINKS },
		{ .id = LW_NVML_FIELD_NVLINK_RX_KIB, .scope = LW_NVML_ALL_LINKS },
		{ .id = LW_NVML_FIELD_PCIE_TX_BYTES },
		{ .id = LW_NVML_FIELD_PCIE_RX_BYTES },
	};

	return gpu.nvml.fields(gpu.device, 4, fields);
}

static int call_energy(void)
{
	struct lw_nvml_field field = { .id = FIELD_ENERGY };

	return gpu.nvml.fields(gpu.device, 1, &field);
}

static const struct {
	const char *name;
	int (*call)(void);
} calls[] = {
	{ "UtilizationRates", call_utilization },
	{ "PowerUsage", call_power },
	{ "Temperature", call_temperature },
	{ "MemoryInfo_v2", call_memory },
	{ "ComputeRunningProcesses_v3", call_processes },
	{ "GpmSampleGet", call_gpm_sample },
	{ "GpmMetricsGet of 1", call_gpm_1 },
	{ "GpmMetricsGet of 5", call_gpm_5 },
	{ "GpmMetricsGet of 7", call_gpm_7 },
	{ "GetFieldValues of 4 (not in a reading)", call_fields },
	{ "GetFieldValues, energy (not in a reading)", call_energy },
};

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

static void time_call(size_t which)
{
	const struct timespec pause = { 0, PAUSE_MS * 1000000L };
	double took_ms[ROUNDS];

	for (int i = 0; i < ROUNDS; i++) {
		double before_ms = cpu_ms();

		if (calls[which].call() != LW_NVML_OK) {
			printf("ms %s\tnot there\n", calls[which].name);
			return;
		}
		took_ms[i] = cpu_ms() - before_ms;
		nanosleep(&pause, NULL);
	}
	qsort(took_ms, ROUNDS, sizeof(took_ms[0]), compare);
	printf("ms %s\t%.3f\n", calls[which].name, took_ms[ROUNDS / 2]);
	fflush(stdout);
}

static bool get(const char *name, void *ret_function)
{
	void *symbol = dlsym(gpu.nvml.handle, name);

	memcpy(ret_function, &symbol, sizeof(symbol));
	return symbol != NULL;
}

static const char *open_library(void)
{
	const char *missing = NULL;

	gpu.nvml.handle = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
	if (!gpu.nvml.handle)
		return dlerror();
#define GET(field, symbol, type)                                                                 \
	if (!get(symbol, &gpu.nvml.field))                                                       \
		missing = symbol;
	LW_NVML_REQUIRED(GET)
	LW_NVML_OPTIONAL(GET)
#undef GET
	return missing;
}

static void init_gpm(void)
{
	struct lw_nvml_gpm_support support = { .version = 1 };

	gpu.has_gpm = gpu.nvml.gpm_support(gpu.device, &support) == LW_NVML_OK &&
		      support.supported && gpu.nvml.gpm_alloc(&gpu.gpm[0]) == LW_NVML_OK &&
		      gpu.nvml.gpm_alloc(&gpu.gpm[1]) == LW_NVML_OK &&
		      gpu.nvml.gpm_sample(gpu.device, gpu.gpm[0]) == LW_NVML_OK;
	printf("GPM\t%s\n", gpu.has_gpm ? "yes" : "no");
	sleep(GPM_PAUSE);
}

/* False when there is nothing to be timed. */
static bool time_calls(unsigned device)
{
	const char *missing = open_library();
	double before_ms;

	if (missing) {
		fprintf(stderr, "gpu_real: %s: %s\n", LIBRARY, missing);
		return false;
	}
	before_ms = cpu_ms();
	if (gpu.nvml.init() != LW_NVML_OK ||
	    gpu.nvml.by_index(device, &gpu.device) != LW_NVML_OK) {
		fprintf(stderr, "gpu_real: NVML cannot be begun, or has no device %u\n", device);
		return false;
	}
	printf("ms open\t%.3f\n", cpu_ms() - before_ms);
	init_gpm();
	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++)
		time_call(i);
	gpu.nvml.shutdown();
	return true;
}

/* ---- as the plugin does it ---- */

static void say(void *arg, enum lw_log_level level, const char *line)
{
	(void)arg;
	if (level == LW_LOG_ERROR)
		fprintf(stderr, "gpu_real: %s\n", line);
}

static const struct lw_log to_stderr = { say, NULL, LW_LOG_ERROR };

static void print_stat(const char *name, const struct lw_summary *sum, enum lw_metric metric)
{
	const struct lw_stat *stat = &sum->stat[metric];

	if (stat->count)
		printf("read %s\t%.2f\t%" PRIu32 "\t%" PRIu32 "\n", name,
		       (double)stat->sum / stat->count, stat->max, stat->count);
}

static void print_record(uint32_t job_id)
{
	const char *const dirs[] = { dir };
	char word[LW_SUMMARY_TEXT_MAX];
	struct lw_record_list list;
	struct lw_summary sum;

	if (lw_record_list_read(dirs, 1, job_id, &list, NULL))
		return;
	lw_summary_make(list.records, list.count, &sum);
	lw_summary_encode(&sum, word, sizeof(word));
	printf("read readings\t%" PRIu64 "\nread summary\t%s\n", sum.samples, word);
	for (int m = 0; m < LW_METRIC_COUNT; m++)
		print_stat(lw_metric_name((enum lw_metric)m), &sum, (enum lw_metric)m);
	lw_record_list_fini(&list);
}

/* Sample COUNT GPUs at 1 Hz for SECONDS; false when nothing was. */
static bool sample(const char *source, uint32_t count, unsigned device, unsigned seconds)
{
	static uint32_t job_id;
	struct lw_watch_params params = {
		.options = { .source = source,
			     .dir = dir,
			     .bin = "",
			     .group = "",
			     .interval_s = 1 },
		.head = { .job_id = ++job_id,
			  .user_id = getuid(),
			  .node = "bench",
			  .step = "batch",
			  .gpu_count = count,
			  .start_s = time(NULL) },
		.log = &to_stderr,
	};
	struct lw_watch *watch = NULL;
	struct lw_error err;
	double begin_ms;

	for (uint32_t g = 0; g < count; g++)
		params.head.gpu[g].index = device;
	if (lw_watch_start(&params, &watch, &err)) {
		fprintf(stderr, "gpu_real: %s\n", err.text);
		return false;
	}
	sleep(FIRST_S);
	begin_ms = cpu_ms();
	sleep(seconds);
	printf("%% of a core, %" PRIu32 " GPU%s, %s\t%.4f\n", count, count == 1 ? "" : "s",
	       strncmp(source, "fake", 4) ? "NVML" : "no NVML",
	       (cpu_ms() - begin_ms) / seconds / 10);
	printf("MiB resident (RSS, PSS), %s\t%.1f\t%.1f\n",
	       strncmp(source, "fake", 4) ? "NVML" : "no NVML", memory_mib("Rss:"),
	       memory_mib("Pss:"));
	lw_watch_stop(watch, 10);
	print_record(job_id);
	fflush(stdout);
	return true;
}

static bool write_script(char *source, size_t size)
{
	char path[96];
	FILE *out;

	snprintf(path, sizeof(path), "%s/script", dir);
	out = fopen(path, "we");
	if (!out)
		return false;
	fputs("*  0  92 31000 390 64 1 5 6 61 34 40\n", out);
	snprintf(source, size, "fake:%s", path);
	return fclose(out) == 0;
}

static void clean(void)
{
	static const char *const names[] = { "1.bench.gpu", "2.bench.gpu", "3.bench.gpu", ".lock",
					     "script" };
	char path[128];

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		snprintf(path, sizeof(path), "%s/%s", dir, names[i]);
		unlink(path);
	}
	rmdir(dir);
}

int main(int argc, char **argv)
{
	unsigned seconds = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : DEFAULT_S;
	unsigned device = argc > 2 ? (unsigned)strtoul(argv[2], NULL, 10) : 0;
	char fake[128];
	bool done;

	if (!seconds) {
		fprintf(stderr, "usage: gpu_real [SECONDS [DEVICE]]\n");
		return 2;
	}
	snprintf(dir, sizeof(dir), "/tmp/leeway-bench-XXXXXX");
	if (!mkdtemp(dir) || !write_script(fake, sizeof(fake))) {
		perror("gpu_real");
		return 1;
	}
	/* without NVML first: what it takes it never gives back */
	done = sample(fake, MANY, device, seconds < 20 ? seconds : 20);
	done = done && sample("nvml", 1, device, seconds);
	done = done && sample("nvml", MANY, device, seconds);
	done = done && time_calls(device);
	clean();
	return !done;
}
