/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what time things take inside slurmctld. */
#ifndef LW_SLURM_CLOCK_H
#define LW_SLURM_CLOCK_H

#include <stdint.h>

/* A clock that only goes forward, and the processor time of the thread that asks. */
uint64_t lw_clock_us(void);
uint64_t lw_cpu_us(void);

#endif
