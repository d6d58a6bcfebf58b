/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the jobs that it plans, if not all: by two settings. */
#ifndef LW_SLURM_CANARY_H
#define LW_SLURM_CANARY_H

#include <stdbool.h>

/* Words; NULL: any. Both NULL: all jobs are Leeway's. The texts are borrowed. */
struct lw_canary {
	const char *partitions, *qos;
};

static inline bool lw_canary_is_set(const struct lw_canary *canary)
{
	return canary->partitions || canary->qos;
}

/* The settings that say so, of a canary that is set. */
static inline const char *lw_canary_keys(const struct lw_canary *canary)
{
	if (canary->partitions && canary->qos)
		return "sched.partitions and sched.who";
	return canary->qos ? "sched.who" : "sched.partitions";
}

#endif
