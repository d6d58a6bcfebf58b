/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what starts jobs in slurmctld besides the scheduler plugin. */
#ifndef LW_CONFIG_STARTERS_H
#define LW_CONFIG_STARTERS_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Neither main_loop nor submit: only the plugin starts jobs, and it can let a promised job wait.
 */
struct lw_starters {
	bool main_loop; /* not switched off by sched_interval=-1 */
	bool submit;    /* not switched off by defer; defer_batch does so for batch jobs only */
	int64_t delay_s; /* batch_sched_delay: how late they may be; 0 if there are none */
};

/* From SchedulerParameters, NULL for none, read as slurmctld reads them. */
struct lw_starters lw_starters_of(const char *sched_params);

#endif
