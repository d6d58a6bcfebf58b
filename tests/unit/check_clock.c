/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of slurm/clock: waits that no set clock prolongs. */
#include "slurm/clock.h"

#include "unit/unit.h"

#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* So much the time of day is ahead for whoever asks; then it is set back. */
static time_t ahead_s;

int clock_gettime(clockid_t clock, struct timespec *now)
{
	long rc = syscall(SYS_clock_gettime, clock, now);

	if (clock == CLOCK_REALTIME)
		now->tv_sec += ahead_s;
	return (int)rc;
}

static const time_t steps_s[] = { 0, 3600, -3600 };

/* A wait of 20 ms takes neither hours nor no time because the time of day is set meanwhile. */
TEST_EACH(a_wait_heeds_no_set_clock, LW_COUNT_OF(steps_s))
{
	pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
	pthread_cond_t cond;
	uint64_t end_us;

	ck_assert_int_eq(lw_clock_cond_init(&cond), 0);
	ahead_s = steps_s[_i];
	end_us = lw_clock_us() + 20000;
	pthread_mutex_lock(&mutex);
	while (lw_clock_wait(&cond, &mutex, end_us))
		continue;
	pthread_mutex_unlock(&mutex);
	ahead_s = 0;
	ck_assert_uint_ge(lw_clock_us(), end_us);
	ck_assert_int_ge(lw_clock_s(), (int64_t)(end_us / 1000000));
	pthread_cond_destroy(&cond);
}
