/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: a GPU that does what a file says, for tests and machines without one. */
/*
 * Lines of the file, in any order:
 *
 *   uuid-or-index  t_s  util  mem_mib  [power_w  [temp_c  [processes  [nvlink  [pcie
 *       [sm  [tensor  [membw  [energy_j]]]]]]]]]
 *
 * From t_s seconds after the sampler was opened on, that GPU (or every one, for "*")
 * reads these values, until a line of the same or a later time replaces them. "-" means
 * that the device does not count this. Before its first line a GPU counts nothing. "#"
 * begins a comment. Two lines are no readings:
 *
 *   uuid-or-index  total  mem_mib       it has so much memory
 *   uuid-or-index  processes  /dir      what its processes do is in files there
 *
 * A file there, named after the id of a live process, says "index util mem_mib".
 *
 * doc/dev/format-fake-gpu.txt says the same for people.
 */
#include "base/number.h"
#include "record/sampler.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FILE_MAX   (4 * 1024 * 1024)
#define POINTS_MAX 100000
#define FIELDS_MIN 4
#define FIELDS_MAX 13
#define ENERGY     12 /* the field of the counter */
#define VALUE_MAX  1000000000
#define FAKE_DIR_MAX 256

struct point {
	int64_t t_s;
	uint32_t gpu; /* number in the list we were opened with */
	uint32_t line;
	struct lw_gpu_sample sample;
	bool has_energy;
	uint32_t energy_j;
};

struct fake {
	int64_t start_s;
	uint32_t gpu_count;
	uint32_t points;
	uint32_t room;
	struct point *point; /* by gpu, time, line */
	struct lw_gpu *gpus; /* while the script is read */
	uint32_t index[LW_RECORD_GPUS_MAX];
	char processes[LW_RECORD_GPUS_MAX][FAKE_DIR_MAX]; /* "": not told apart */
};

static int sampler_fake_read_file(const char *path, char **ret_text, struct lw_error *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct stat st;
	ssize_t got = -1;
	char *text = NULL;

	if (fd < 0)
		return lw_error_set(err, -errno, "%s: %s", path, strerror(errno));
	if (fstat(fd, &st) || !S_ISREG(st.st_mode) || st.st_size > FILE_MAX) {
		close(fd);
		return lw_error_set(err, -EINVAL, "%s: not a file of at most 4 MiB", path);
	}
	text = malloc((size_t)st.st_size + 1);
	if (text)
		got = read(fd, text, (size_t)st.st_size);
	close(fd);
	if (got < 0) {
		free(text);
		return lw_error_set(err, -EIO, "%s: cannot be read", path);
	}
	text[got] = '\0';
	*ret_text = text;
	return 0;
}

static int sampler_fake_read_value(const char *text, uint32_t *ret_value)
{
	char *end;
	unsigned long value;

	if (*text < '0' || *text > '9')
		return -EINVAL;
	errno = 0;
	value = strtoul(text, &end, 10);
	if (errno || *end || value > VALUE_MAX)
		return -EINVAL;
	*ret_value = (uint32_t)value;
	return 0;
}

static int sampler_fake_read_values(char **field, uint32_t fields, struct lw_gpu_sample *sample)
{
	static const enum lw_metric metrics[] = { LW_METRIC_UTIL,   LW_METRIC_MEM,
						  LW_METRIC_POWER,  LW_METRIC_TEMP,
						  LW_METRIC_PROC,   LW_METRIC_NVLINK,
						  LW_METRIC_PCIE,   LW_METRIC_SM,
						  LW_METRIC_TENSOR, LW_METRIC_MEMBW };
	static const uint32_t percent = 1u << LW_METRIC_UTIL | 1u << LW_METRIC_SM |
					1u << LW_METRIC_TENSOR | 1u << LW_METRIC_MEMBW;

	for (uint32_t i = 2; i < fields && i < ENERGY; i++) {
		enum lw_metric metric = metrics[i - 2];

		if (!strcmp(field[i], "-"))
			continue;
		if (sampler_fake_read_value(field[i], &sample->value[metric]) ||
		    (percent & 1u << metric && sample->value[metric] > 100))
			return -EINVAL;
		sample->has |= 1u << metric;
	}
	return 0;
}

/* "-" or nothing: it does not count. */
static int sampler_fake_read_energy(char **field, uint32_t fields, struct point *point)
{
	point->has_energy = fields > ENERGY && strcmp(field[ENERGY], "-") != 0;
	return point->has_energy ? sampler_fake_read_value(field[ENERGY], &point->energy_j) : 0;
}

static bool sampler_fake_names_gpu(const char *key, const struct lw_gpu *gpu)
{
	uint32_t index;

	return !strcmp(key, "*") || !strcmp(key, gpu->id) ||
	       (!sampler_fake_read_value(key, &index) && index == gpu->index);
}

static int sampler_fake_add_point(struct fake *fake, const struct point *point)
{
	struct point *bigger;

	if (fake->points == POINTS_MAX)
		return -EFBIG;
	if (fake->points == fake->room) {
		fake->room = fake->room ? fake->room * 2 : 64;
		bigger = reallocarray(fake->point, fake->room, sizeof(*bigger));
		if (!bigger)
			return -ENOMEM;
		fake->point = bigger;
	}
	fake->point[fake->points++] = *point;
	return 0;
}

/* "gpu total mib" and "gpu processes /dir". 0 where it is neither, 1 where it is, -EINVAL. */
static int sampler_fake_read_about(struct fake *fake, char **field, uint32_t fields)
{
	bool total = fields == 3 && !strcmp(field[1], "total");
	uint32_t mib = 0;

	if (!total && (fields != 3 || strcmp(field[1], "processes") != 0))
		return 0;
	if (total ? sampler_fake_read_value(field[2], &mib) != 0
		  : *field[2] != '/' || strlen(field[2]) >= FAKE_DIR_MAX)
		return -EINVAL;
	for (uint32_t g = 0; g < fake->gpu_count; g++) {
		if (!sampler_fake_names_gpu(field[0], &fake->gpus[g]))
			continue;
		if (total)
			fake->gpus[g].mem_total_mib = mib;
		else
			strcpy(fake->processes[g], field[2]);
	}
	return 1;
}

static int sampler_fake_read_line(struct fake *fake, char *line, uint32_t number)
{
	struct point point = { .line = number };
	char *field[FIELDS_MAX + 1], *save = NULL;
	uint32_t fields = 0, t_s;
	int rc = 0;

	line[strcspn(line, "#")] = '\0';
	for (char *p = strtok_r(line, " \t\r", &save); p && fields <= FIELDS_MAX;
	     p = strtok_r(NULL, " \t\r", &save))
		field[fields++] = p;
	if (!fields)
		return 0;
	rc = sampler_fake_read_about(fake, field, fields);
	if (rc)
		return rc < 0 ? rc : 0;
	if (fields < FIELDS_MIN || fields > FIELDS_MAX ||
	    sampler_fake_read_value(field[1], &t_s) ||
	    sampler_fake_read_values(field, fields, &point.sample) ||
	    sampler_fake_read_energy(field, fields, &point))
		return -EINVAL;
	point.t_s = t_s;
	for (uint32_t g = 0; !rc && g < fake->gpu_count; g++) {
		point.gpu = g;
		if (sampler_fake_names_gpu(field[0], &fake->gpus[g]))
			rc = sampler_fake_add_point(fake, &point);
	}
	return rc;
}

static int fake_compare(const void *a, const void *b)
{
	const struct point *x = a, *y = b;

	if (x->gpu != y->gpu)
		return x->gpu < y->gpu ? -1 : 1;
	if (x->t_s != y->t_s)
		return x->t_s < y->t_s ? -1 : 1;
	return x->line < y->line ? -1 : x->line > y->line;
}

static void fake_close(void *state)
{
	struct fake *fake = state;

	free(fake->point);
	free(fake);
}

static int sampler_fake_read_script(struct fake *fake, const char *path, struct lw_error *err)
{
	uint32_t number = 0;
	char *text = NULL, *next;
	int rc = sampler_fake_read_file(path, &text, err);

	if (rc)
		return rc;
	for (char *line = text; !rc && line; line = next) {
		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		rc = sampler_fake_read_line(fake, line, ++number);
	}
	free(text);
	if (rc)
		return lw_error_set(
			err, rc,
			"%s:%u: want: gpu t_s util mem_mib [power_w [temp_c [processes [nvlink "
			"[pcie [sm [tensor [membw [energy_j]]]]]]]]]",
			path, number);
	if (fake->points)
		qsort(fake->point, fake->points, sizeof(*fake->point), fake_compare);
	return 0;
}

static int fake_open(const char *arg, struct lw_gpu *gpus, uint32_t count, int64_t now_s,
		     void **ret_state, struct lw_error *err)
{
	struct fake *fake = calloc(1, sizeof(*fake));
	int rc;

	if (!fake)
		return lw_error_set(err, -ENOMEM, "%s: out of memory", arg);
	fake->start_s = now_s;
	fake->gpu_count = count;
	fake->gpus = gpus;
	for (uint32_t g = 0; g < count; g++) {
		snprintf(gpus[g].id, sizeof(gpus[g].id), "FAKE-%u", gpus[g].index);
		gpus[g].mem_total_mib = 0;
		fake->index[g] = gpus[g].index;
	}
	rc = sampler_fake_read_script(fake, arg, err);
	fake->gpus = NULL;
	if (rc) {
		fake_close(fake);
		return rc;
	}
	*ret_state = fake;
	return 0;
}

/* The three words of PATH. */
static bool fake_read_words(const char *path, uint64_t *ret_index, struct lw_gpu_process *process)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	char text[64], *save = NULL, *word;
	uint64_t value[3] = { 0, 0, 0 };
	ssize_t got;
	int words = 0;

	if (fd < 0)
		return false;
	got = read(fd, text, sizeof(text) - 1);
	close(fd);
	text[got > 0 ? got : 0] = '\0';
	for (word = strtok_r(text, " \n", &save); word && words < 3;
	     word = strtok_r(NULL, " \n", &save))
		if (!lw_number_read(word, UINT32_MAX, &value[words++]))
			return false;
	*ret_index = value[0];
	process->has_util = process->has_mem = true;
	process->util = (uint32_t)(value[1] < 100 ? value[1] : 100);
	process->mem_mib = (uint32_t)value[2];
	return words == 3;
}

/* By the kernel's list of processes, WORD being a number. */
static bool fake_is_alive(const char *word)
{
	char path[PATH_MAX];

	return snprintf(path, sizeof(path), "/proc/%s", word) < (int)sizeof(path) &&
	       !access(path, F_OK);
}

/* The processes on GPU number INDEX into LIST[LW_GPU_PROCESSES_MAX]. How many, or -errno. */
static int fake_read_processes(const char *dir, uint32_t index, struct lw_gpu_process *list)
{
	DIR *stream = opendir(dir);
	struct dirent *entry;
	char path[PATH_MAX];
	int count = 0;

	if (!stream)
		return -errno;
	while (count < LW_GPU_PROCESSES_MAX && (entry = readdir(stream))) {
		struct lw_gpu_process process = { .pid = 0 };
		uint64_t pid, on;

		if (!lw_number_read(entry->d_name, INT32_MAX, &pid) || !pid ||
		    !fake_is_alive(entry->d_name) ||
		    snprintf(path, sizeof(path), "%s/%s", dir, entry->d_name) >=
			    (int)sizeof(path) ||
		    !fake_read_words(path, &on, &process) || on != index)
			continue;
		process.pid = (uint32_t)pid;
		list[count++] = process;
	}
	closedir(stream);
	return count;
}

/* What they do together, into SAMPLE in place of what is there. */
static void fake_sum_processes(const char *dir, uint32_t index, struct lw_gpu_sample *sample)
{
	struct lw_gpu_process list[LW_GPU_PROCESSES_MAX];
	int count = fake_read_processes(dir, index, list);
	uint64_t util = 0, mem = 0;

	if (count < 0)
		return;
	for (int i = 0; i < count; i++) {
		util += list[i].util;
		mem += list[i].mem_mib;
	}
	sample->has |= 1u << LW_METRIC_UTIL | 1u << LW_METRIC_MEM | 1u << LW_METRIC_PROC;
	sample->value[LW_METRIC_UTIL] = (uint32_t)(util < 100 ? util : 100);
	sample->value[LW_METRIC_MEM] = (uint32_t)(mem < UINT32_MAX ? mem : UINT32_MAX);
	sample->value[LW_METRIC_PROC] = (uint32_t)count;
}

static void fake_sample(void *state, int64_t now_s, struct lw_gpu_sample *samples)
{
	const struct fake *fake = state;

	memset(samples, 0, fake->gpu_count * sizeof(*samples));
	for (uint32_t i = 0; i < fake->points; i++)
		if (fake->point[i].t_s <= now_s - fake->start_s)
			samples[fake->point[i].gpu] = fake->point[i].sample;
	for (uint32_t g = 0; g < fake->gpu_count; g++)
		if (fake->processes[g][0])
			fake_sum_processes(fake->processes[g], fake->index[g], &samples[g]);
}

static int fake_processes(void *state, uint32_t gpu, struct lw_gpu_process *list)
{
	const struct fake *fake = state;

	if (!fake->processes[gpu][0])
		return -ENOTSUP;
	return fake_read_processes(fake->processes[gpu], fake->index[gpu], list);
}

static void fake_energy(void *state, int64_t now_s, uint64_t *mj)
{
	const struct fake *fake = state;

	for (uint32_t g = 0; g < fake->gpu_count; g++)
		mj[g] = LW_SAMPLER_NO_ENERGY;
	for (uint32_t i = 0; i < fake->points; i++) {
		const struct point *point = &fake->point[i];

		if (point->t_s <= now_s - fake->start_s)
			mj[point->gpu] = point->has_energy ? UINT64_C(1000) * point->energy_j
							   : LW_SAMPLER_NO_ENERGY;
	}
}

const struct lw_sampler_ops lw_sampler_fake = {
	.name = "fake",
	.open = fake_open,
	.sample = fake_sample,
	.energy = fake_energy,
	.processes = fake_processes,
	.close = fake_close,
};
