/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what time things take inside slurmctld, and how people are told of a time. */
#ifndef LW_SLURM_CLOCK_H
#define LW_SLURM_CLOCK_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * A clock that only goes forward, also when the time of day is set back, in microseconds and
 * in whole seconds; and the processor time of the thread that asks.
 */
uint64_t lw_clock_us(void);
int64_t lw_clock_s(void);
uint64_t lw_cpu_us(void);

/* Make COND one to wait for by that clock; pthread_cond_destroy() ends it. 0 or -errno. */
int lw_clock_cond_init(pthread_cond_t *cond);

/*
 * Wait for COND, made by lw_clock_cond_init(), until END_US of lw_clock_us(); MUTEX is held. False
 * when the time is up.
 */
bool lw_clock_wait(pthread_cond_t *cond, pthread_mutex_t *mutex, uint64_t end_us);

#define LW_CLOCK_TEXT_MAX 32

/*
 * WHEN_S, seconds since the epoch, in local time and as people say it at NOW_S: "14:02", with
 * the date, "11-23T14:02", when that is not today; "later" when it is beyond the calendar.
 * TEXT has room for LW_CLOCK_TEXT_MAX bytes.
 */
void lw_clock_tell(int64_t when_s, int64_t now_s, char *text);

#endif
