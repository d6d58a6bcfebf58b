/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: for slurmctld's LD_PRELOAD: a host of its own, slow to read the jobs of the other one. */

/*
 * The host's name is LW_HOSTNAME. Until there is a file /run/bak/up, to read the file of jobs takes
 * a second of real time longer, and what is made ready last before slurmctld serves three; then
 * it makes that file.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int gethostname(char *name, size_t size)
{
	const char *ours = getenv("LW_HOSTNAME");

	snprintf(name, size, "%s", ours ? ours : "ctl");
	return 0;
}

#define UP "/run/bak/up"

static void linger(time_t seconds)
{
	const struct timespec time = { .tv_sec = seconds };

	if (access(UP, F_OK))
		syscall(SYS_nanosleep, &time, NULL);
}

void *dlopen(const char *path, int flags)
{
	void *(*open_library)(const char *, int) =
		(void *(*)(const char *, int))dlsym(RTLD_NEXT, "dlopen");

	if (path && strstr(path, "/mcs_")) {
		linger(3);
		close(openat(AT_FDCWD, UP, O_WRONLY | O_CREAT, 0644));
	}
	return open_library(path, flags);
}

int open(const char *path, int flags, ...)
{
	const char *slash = strrchr(path, '/');
	mode_t mode = 0;
	va_list args;

	va_start(args, flags);
	if (flags & (O_CREAT | O_TMPFILE)) /* nobody looks at a mode that was not given */
		mode = va_arg(args, mode_t);
	va_end(args);
	if (slash && !strcmp(slash, "/job_state"))
		linger(1);
	return openat(AT_FDCWD, path, flags, mode);
}

int open64(const char *path, int flags, ...) __attribute__((alias("open")));
