/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: clocks inside slurmctld. */
#ifndef LW_SLURM_CLOCK_H
#define LW_SLURM_CLOCK_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * A clock that never goes back, whatever happens to the time of day, in microseconds and in
 * whole seconds; and the processor time of the calling thread.
 */
uint64_t lw_clock_us(void);
int64_t lw_clock_s(void);
uint64_t lw_cpu_us(void);

/* Make COND a condition with that clock; pthread_cond_destroy() ends it. 0 or -errno. */
int lw_clock_cond_init(pthread_cond_t *cond);

/*
 * Wait for COND, made by lw_clock_cond_init(), until END_US of lw_clock_us(); MUTEX is held.
 * False when the time is up.
 */
bool lw_clock_wait(pthread_cond_t *cond, pthread_mutex_t *mutex, uint64_t end_us);

#endif
