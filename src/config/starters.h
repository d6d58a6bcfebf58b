/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: who in slurmctld starts jobs besides the scheduler plugin. */
#ifndef LW_CONFIG_STARTERS_H
#define LW_CONFIG_STARTERS_H

#include <stdbool.h>

/* Both false: the plugin alone starts jobs, and can let a promised one wait for its turn. */
struct lw_starters {
	bool main_loop; /* not switched off by sched_interval=-1 */
	bool submit;    /* not switched off by defer; defer_batch does so for batch jobs only */
};

/* By SchedulerParameters, NULL for none, read as slurmctld reads them. */
struct lw_starters lw_starters_of(const char *sched_params);

#endif
