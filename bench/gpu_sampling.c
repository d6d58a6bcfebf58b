/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what sampling 8 GPUs every second costs: CPU time and resident memory. */
/*
 * The thread of the SPANK plugin runs here as it does in slurmstepd, beside a main thread
 * that sleeps; what the process uses meanwhile is the thread's. The memory of a record
 * that is full, as after days, is measured beside. With a real libnvidia-ml.so.1 on the
 * machine its readings are timed too, driver and all; without one that is said.
 *
 * usage: gpu_sampling FAKE-NVML.so [SECONDS]
 */
#include "record/file.h"
#include "record/watch.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#define GPUS        8
#define CPU_LIMIT   0.2  /* % of one core */
#define RSS_LIMIT   2048 /* KiB */
#define DEFAULT_S   30
#define FIRST_S     3 /* before we look: opening is no sampling */
#define READ_ROUNDS 20

static char dir[64];

static double cpu_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* What the process has in memory, KiB; of its own, without pages of files it shares. */
static long resident_kib(void)
{
	char line[256];
	long rss = 0, value;
	FILE *in = fopen("/proc/self/smaps_rollup", "re");

	while (in && fgets(line, sizeof(line), in))
		if (sscanf(line, "Rss: %ld kB", &value) == 1)
			rss = value;
	if (in)
		fclose(in);
	return rss;
}

static void say(void *arg, enum lw_log_level level, const char *line)
{
	(void)arg;
	if (level == LW_LOG_ERROR)
		fprintf(stderr, "gpu_sampling: %s\n", line);
}

static const struct lw_log to_stderr = { say, NULL, LW_LOG_ERROR };

/* Sample for SECONDS and print; false when it could not be done. */
static bool sample(const char *name, const char *source, unsigned seconds)
{
	struct lw_watch_params params = {
		.options = { .source = source, .dir = dir, .bin = "", .group = "",
			     .interval_s = 1 },
		.head = { .job_id = 1,
			  .node = "bench",
			  .step = "batch",
			  .gpu_count = GPUS,
			  .start_s = time(NULL) },
		.log = &to_stderr,
	};
	long before_kib = resident_kib(), after_kib;
	struct lw_watch *watch = NULL;
	struct lw_error err;
	double begin_s, used_s;

	for (uint32_t g = 0; g < GPUS; g++)
		params.head.gpu[g].index = g % 4;
	if (lw_watch_start(&params, &watch, &err)) {
		fprintf(stderr, "gpu_sampling: %s\n", err.text);
		return false;
	}
	sleep(FIRST_S);
	begin_s = cpu_s();
	sleep(seconds);
	used_s = cpu_s() - begin_s;
	after_kib = resident_kib();
	if (!lw_record_is_watched(dir, 1, "bench", "batch")) {
		fprintf(stderr, "gpu_sampling: %s: nothing was sampled\n", name);
		return false;
	}
	lw_watch_stop(watch, 10);
	printf("%-10s %7.4f %% of a core (goal %.1f %%)  %5ld KiB resident (goal %d KiB)\n", name,
	       100 * used_s / seconds, CPU_LIMIT, after_kib - before_kib, RSS_LIMIT);
	return true;
}

/* A record grows to its full size within days; here at once. */
static void fill_record(void)
{
	struct lw_record_head head = {
		.job_id = 2, .node = "bench", .step = "batch", .gpu_count = GPUS, .interval_s = 1
	};
	struct lw_gpu_sample samples[LW_RECORD_GPUS_MAX] = { { 0 } };
	struct lw_record_file *file = NULL;
	struct lw_record *record = NULL;
	long before_kib = resident_kib();
	int rc;

	for (uint32_t g = 0; g < GPUS; g++) {
		snprintf(head.gpu[g].id, sizeof(head.gpu[g].id), "GPU-%" PRIu32, g);
		samples[g].has = (1u << LW_METRIC_COUNT) - 1;
	}
	rc = lw_record_create(&head, &record);
	for (int64_t t = 0; !rc && t < 3 * 86400; t++)
		rc = lw_record_add(record, t, samples);
	if (!rc)
		rc = lw_record_file_create(dir, record, &file, NULL);
	if (!rc)
		printf("%-10s a record of %d GPUs after 3 days, with its file written: %ld KiB\n",
		       "full", GPUS, resident_kib() - before_kib);
	lw_record_file_abandon(file);
	lw_record_destroy(record);
}

/* A driver's own cost, which no test double has. */
static void time_nvml(void)
{
	struct lw_gpu gpu = { .index = 0 };
	struct lw_gpu_sample reading;
	struct lw_error err = { "" };
	void *state = NULL;
	struct timespec begin, end;
	double cpu_before_s;

	if (lw_sampler_nvml.open("", &gpu, 1, 0, &state, &err)) {
		printf("%-10s not run on a GPU: %s\n", "real NVML", err.text);
		return;
	}
	lw_sampler_nvml.sample(state, 0, &reading);
	cpu_before_s = cpu_s();
	clock_gettime(CLOCK_MONOTONIC, &begin);
	for (int i = 0; i < READ_ROUNDS; i++)
		lw_sampler_nvml.sample(state, i, &reading);
	clock_gettime(CLOCK_MONOTONIC, &end);
	printf("%-10s %s: a reading takes %.3f ms, %.3f ms of CPU\n", "real NVML", gpu.id,
	       ((double)(end.tv_sec - begin.tv_sec) * 1e3 +
		(double)(end.tv_nsec - begin.tv_nsec) / 1e6) /
		       READ_ROUNDS,
	       (cpu_s() - cpu_before_s) * 1e3 / READ_ROUNDS);
	lw_sampler_nvml.close(state);
}

static void clean(void)
{
	static const char *const names[] = { "1.bench.gpu", "1.bench.batch.part",
					     "2.bench.batch.part", ".lock", "script" };
	char path[128];

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		snprintf(path, sizeof(path), "%s/%s", dir, names[i]);
		unlink(path);
	}
	rmdir(dir);
}

static bool write_script(char *source, size_t size)
{
	char path[96];
	FILE *out;

	snprintf(path, sizeof(path), "%s/script", dir);
	out = fopen(path, "we");
	if (!out)
		return false;
	fputs("*  0  3  2000  70 35 1\n*  5 92 31000 390 64 1\n", out);
	snprintf(source, size, "fake:%s", path);
	return fclose(out) == 0;
}

int main(int argc, char **argv)
{
	unsigned seconds = argc > 2 ? (unsigned)strtoul(argv[2], NULL, 10) : DEFAULT_S;
	char fake[128], nvml[4200];
	bool done;

	if (argc < 2 || !seconds) {
		fprintf(stderr, "usage: gpu_sampling FAKE-NVML.so [SECONDS]\n");
		return 2;
	}
	snprintf(dir, sizeof(dir), "/tmp/leeway-bench-XXXXXX");
	if (!mkdtemp(dir) || !write_script(fake, sizeof(fake))) {
		perror("gpu_sampling");
		return 1;
	}
	snprintf(nvml, sizeof(nvml), "nvml:%s", argv[1]);
	printf("%d GPUs, a reading a second, %u s each\n", GPUS, seconds);
	done = sample("fake", fake, seconds);
	done = sample("fake NVML", nvml, seconds) && done;
	fill_record();
	time_nvml();
	clean();
	return !done;
}
