/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: for slurmctld's LD_PRELOAD: how much memory it has in use, and how much it only keeps. */

/*
 * Who reads the FIFO LW_MEMORY gets a line "RESIDENT IN-USE FREE", in KiB: the resident size, what
 * was allocated and not freed, and what was freed and is still the process's. An allocator keeps
 * most of what was freed: resident size alone does not tell a leak from a flood that is over. A
 * thread of its own answers, in the process whose number LW_MEMORY_PID, a file, has: slurmctld's
 * helpers load this, too.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* A tenth of a second of the machine's, not of the cluster's. */
static void nap(void)
{
	const struct timespec tenth = { .tv_nsec = 100000000 };

	(void)syscall(SYS_nanosleep, &tenth, NULL);
}

static long number_in(const char *path, const char *format)
{
	FILE *file = path ? fopen(path, "re") : NULL;
	long number = 0;

	if (!file)
		return 0;
	if (fscanf(file, format, &number) != 1)
		number = 0;
	fclose(file);
	return number;
}

static void answer(int fd)
{
	const struct mallinfo2 heap = mallinfo2();
	long pages = number_in("/proc/self/statm", "%*d %ld");
	char line[80];
	int size = snprintf(line, sizeof(line), "%ld %zu %zu\n",
			    pages * (sysconf(_SC_PAGESIZE) / 1024),
			    (heap.uordblks + heap.hblkhd) / 1024, heap.fordblks / 1024);

	if (write(fd, line, (size_t)size) != size)
		perror("memory.c");
}

static void *answer_all(void *arg)
{
	const char *fifo = getenv("LW_MEMORY"), *pid_file = getenv("LW_MEMORY_PID");

	while (fifo) {
		int fd;

		nap(); /* who was answered is gone then */
		if (number_in(pid_file, "%ld") != getpid())
			continue;
		fd = open(fifo, O_WRONLY | O_CLOEXEC); /* until somebody reads */
		if (fd < 0)
			continue;
		/* it may have waited since before a reconfigure, which begins a new process */
		if (number_in(pid_file, "%ld") == getpid())
			answer(fd);
		close(fd);
	}
	return arg;
}

/* With the first thread of a process: slurmctld forks before it makes any. */
int pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*start)(void *), void *arg)
{
	static pid_t answers;
	int (*next)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
	pthread_t ours;

	*(void **)&next = dlsym(RTLD_NEXT, "pthread_create");
	if (answers != getpid()) {
		answers = getpid();
		(void)next(&ours, NULL, answer_all, NULL);
	}
	return next(thread, attr, start, arg);
}
