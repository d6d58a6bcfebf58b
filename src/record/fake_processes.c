/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: processes on GPUs that are files in a directory, for tests and machines without GPUs.
 */
#include "record/fake_processes.h"

#include "base/number.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The three words of PATH. */
static bool read_words(const char *path, uint64_t *ret_index, struct lw_gpu_process *process)
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
static bool is_alive(const char *word)
{
	char path[PATH_MAX];

	return snprintf(path, sizeof(path), "/proc/%s", word) < (int)sizeof(path) &&
	       !access(path, F_OK);
}

int lw_fake_processes_read(const char *dir, uint32_t index, struct lw_gpu_process *list)
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
		    !is_alive(entry->d_name) ||
		    snprintf(path, sizeof(path), "%s/%s", dir, entry->d_name) >=
			    (int)sizeof(path) ||
		    !read_words(path, &on, &process) || on != index)
			continue;
		process.pid = (uint32_t)pid;
		list[count++] = process;
	}
	closedir(stream);
	return count;
}

void lw_fake_processes_sum(const char *dir, uint32_t index, struct lw_gpu_sample *sample)
{
	struct lw_gpu_process list[LW_GPU_PROCESSES_MAX];
	int count = lw_fake_processes_read(dir, index, list);
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
