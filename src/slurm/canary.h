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

#endif
