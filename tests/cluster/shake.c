/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: for slurmctld's LD_PRELOAD: slow locks, no memory, a planner stuck, a clock set back.
 */

/*
 * Whenever the plugin gives up Slurm's locks it stays away for LW_SHAKE_MS of real time, 5 unless
 * set: what others do between two holds of the locks is done in a moment that lasts, so that a
 * test need not try for ever. And it gets no memory as long as there is a file /run/starve.
 * While there is a folder /run/stick, the planner's thread goes no further, and makes stuck in it.
 * While there is a file /run/set-back, slurmctld takes the time of day for six hours less; while
 * there is one /run/set-forward, for two hours more.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

extern void *__libc_calloc(size_t count, size_t size);

static int is_called(const char *wanted)
{
	char name[16] = "";

	return !prctl(PR_GET_NAME, name, NULL, NULL, NULL) && !strcmp(name, wanted);
}

/* As if it went round and round, and heeded nobody. */
static void get_stuck(void)
{
	const struct timespec pause = { .tv_nsec = 1000000 };
	int saved = errno, fd;

	if (!access("/run/stick", F_OK) && is_called("leeway-plan")) {
		fd = open("/run/stick/stuck", O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
		if (fd >= 0)
			close(fd);
		while (!access("/run/stick", F_OK))
			syscall(SYS_nanosleep, &pause, NULL);
	}
	errno = saved;
}

int nanosleep(const struct timespec *wanted, struct timespec *left)
{
	const char *text = getenv("LW_SHAKE_MS");
	long ms = text ? strtol(text, NULL, 10) : 5;
	struct timespec time = *wanted;

	if (is_called("leeway"))
		time = (struct timespec){ .tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000 };
	return (int)syscall(SYS_nanosleep, &time, left);
}

void *calloc(size_t count, size_t size)
{
	int saved = errno, starves = !access("/run/starve", F_OK);
	Dl_info info;

	get_stuck();
	errno = saved;
	if (starves && dladdr(__builtin_return_address(0), &info) &&
	    strstr(info.dli_fname, "/leeway/sched_backfill.so"))
		return NULL;
	return __libc_calloc(count, size);
}

static time_t set_back_s(void)
{
	int saved = errno, is_back = !access("/run/set-back", F_OK),
	    is_forward = !access("/run/set-forward", F_OK);

	errno = saved;
	return is_back ? 6 * 3600 : is_forward ? -2 * 3600 : 0;
}

time_t time(time_t *ret_now)
{
	static time_t (*next)(time_t *);
	time_t now;

	if (!next)
		next = (time_t (*)(time_t *))dlsym(RTLD_NEXT, "time");
	now = next(NULL) - set_back_s();
	if (ret_now)
		*ret_now = now;
	return now;
}

int clock_gettime(clockid_t clock, struct timespec *now)
{
	static int (*next)(clockid_t, struct timespec *);
	int rc;

	if (!next)
		next = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
	rc = next(clock, now);
	if (!rc && clock == CLOCK_REALTIME)
		now->tv_sec -= set_back_s();
	return rc;
}

int gettimeofday(struct timeval *now, void *zone)
{
	static int (*next)(struct timeval *, void *);
	int rc;

	if (!next)
		next = (int (*)(struct timeval *, void *))dlsym(RTLD_NEXT, "gettimeofday");
	rc = next(now, zone);
	if (!rc)
		now->tv_sec -= set_back_s();
	return rc;
}
