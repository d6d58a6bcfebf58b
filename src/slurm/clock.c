/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: clocks inside slurmctld. */

/* Part of both plugins: refers to nothing of Slurm. */

#include "slurm/clock.h"

#include <errno.h>
#include <time.h>

static uint64_t read_clock(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

uint64_t lw_clock_us(void)
{
	return read_clock(CLOCK_MONOTONIC);
}

int64_t lw_clock_s(void)
{
	return (int64_t)(lw_clock_us() / 1000000);
}

uint64_t lw_cpu_us(void)
{
	return read_clock(CLOCK_THREAD_CPUTIME_ID);
}

int lw_clock_cond_init(pthread_cond_t *cond)
{
	pthread_condattr_t attr;
	int rc = pthread_condattr_init(&attr);

	if (rc)
		return -rc;
	rc = pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	if (!rc)
		rc = pthread_cond_init(cond, &attr);
	pthread_condattr_destroy(&attr);
	return -rc;
}

bool lw_clock_wait(pthread_cond_t *cond, pthread_mutex_t *mutex, uint64_t end_us)
{
	const struct timespec end = { .tv_sec = (time_t)(end_us / 1000000),
				      .tv_nsec = (long)(end_us % 1000000) * 1000 };

	return pthread_cond_timedwait(cond, mutex, &end) != ETIMEDOUT;
}
