/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: how long each thread of a slurmctld holds the lock of jobs, for measurements. */

/*
 * A library for LD_PRELOAD; it sees every pthread_rwlock of the process and picks out
 * slurmctld's lock of jobs, which it finds by taking that lock once, before there is a
 * second thread. Whoever holds it, and in whose code, is measured the same way: the
 * thread's name tells the schedulers apart. A line goes to the file LW_LOCKWATCH names
 * for each hold of at least LW_LOCKWATCH_US microseconds (default 200), after the lock is
 * given up:
 *
 *   START_US THREAD r|w WAITED_US HELD_US CPU_US      (START_US: since the epoch, lock taken)
 *
 * CPU_US is the processor time of the hold: what it would last on a machine with nothing else
 * to do.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

enum { JOB_READ_LEVEL = 1, LEVELS = 6 };

/* slurmctld_lock_t of the releases up to 26.05: configuration, jobs, and four more */
struct levels {
	int level[LEVELS];
};

typedef int rwlock_call(pthread_rwlock_t *lock);

static rwlock_call *real_rdlock, *real_wrlock, *real_unlock;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static atomic_uintptr_t job_lock;
static int file = -1;
static int64_t least_us = 200;
static __thread bool learning;
static __thread char kind;
static __thread int64_t asked_us, taken_us, taken_cpu_us;

static int64_t clock_us(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

/* Take the lock of jobs and no other: what is locked meanwhile is it. */
static void learn(void)
{
	struct levels jobs = { .level = { 0, JOB_READ_LEVEL } };
	void (*lock)(struct levels) = (void (*)(struct levels))dlsym(RTLD_DEFAULT,
								     "lock_slurmctld");
	void (*unlock)(struct levels) = (void (*)(struct levels))dlsym(RTLD_DEFAULT,
								       "unlock_slurmctld");

	if (!lock || !unlock)
		return;
	learning = true;
	lock(jobs);
	unlock(jobs);
	learning = false;
}

static void begin(void)
{
	const char *path = getenv("LW_LOCKWATCH"), *least = getenv("LW_LOCKWATCH_US");

	real_rdlock = (rwlock_call *)dlsym(RTLD_NEXT, "pthread_rwlock_rdlock");
	real_wrlock = (rwlock_call *)dlsym(RTLD_NEXT, "pthread_rwlock_wrlock");
	real_unlock = (rwlock_call *)dlsym(RTLD_NEXT, "pthread_rwlock_unlock");
	if (least)
		least_us = strtoll(least, NULL, 10);
	if (path)
		file = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
}

static int take(rwlock_call *call, pthread_rwlock_t *lock, char as)
{
	int64_t asked = clock_us(CLOCK_MONOTONIC);
	int rc = call(lock);

	kind = as;
	asked_us = asked;
	taken_us = clock_us(CLOCK_MONOTONIC);
	taken_cpu_us = clock_us(CLOCK_THREAD_CPUTIME_ID);
	return rc;
}

static void report(int64_t now_us, int64_t cpu_us)
{
	int64_t held_us = now_us - taken_us;
	char name[17] = "", line[128];
	int length;

	if (held_us < least_us || file < 0)
		return;
	prctl(PR_GET_NAME, name);
	length = snprintf(line, sizeof(line), "%lld %s %c %lld %lld %lld\n",
			  (long long)(clock_us(CLOCK_REALTIME) - held_us),
			  name[0] ? name : "-", kind, (long long)(taken_us - asked_us),
			  (long long)held_us, (long long)cpu_us);
	if (write(file, line, (size_t)length) < 0)
		file = -1;
}

static bool is_job_lock(pthread_rwlock_t *lock)
{
	if (learning)
		atomic_store(&job_lock, (uintptr_t)lock);
	return (uintptr_t)lock == atomic_load_explicit(&job_lock, memory_order_relaxed);
}

static void start(void)
{
	begin();
	if (file >= 0)
		learn();
}

int pthread_rwlock_rdlock(pthread_rwlock_t *lock)
{
	if (!learning)
		pthread_once(&once, start);
	return is_job_lock(lock) ? take(real_rdlock, lock, 'r') : real_rdlock(lock);
}

int pthread_rwlock_wrlock(pthread_rwlock_t *lock)
{
	if (!learning)
		pthread_once(&once, start);
	return is_job_lock(lock) ? take(real_wrlock, lock, 'w') : real_wrlock(lock);
}

int pthread_rwlock_unlock(pthread_rwlock_t *lock)
{
	int64_t now_us, cpu_us;
	int rc;

	if (!learning)
		pthread_once(&once, start);
	if (!is_job_lock(lock))
		return real_unlock(lock);
	now_us = clock_us(CLOCK_MONOTONIC);
	cpu_us = clock_us(CLOCK_THREAD_CPUTIME_ID) - taken_cpu_us;
	rc = real_unlock(lock);
	if (!learning)
		report(now_us, cpu_us);
	return rc;
}
