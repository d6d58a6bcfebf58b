/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what a cycle saw and decided, as files for leeway replay. */
#ifndef LW_SLURM_DUMP_H
#define LW_SLURM_DUMP_H

#include "base/error.h"
#include "planner/model/plan.h"
#include "planner/policies/policy.h"
#include "planner/model/snapshot.h"

/* The folder of dumps, how many are kept, and the number of the cycle. */
struct lw_dump_place {
	const char *dir;
	uint32_t keep;
	uint64_t number;
};

/*
 * Write DIR/cycle-N.snap and DIR/cycle-N.plan, where N is NUMBER modulo KEEP, so that the newest
 * KEEP cycles are there. The files have mode 0600, because they name users' jobs. 0 or -errno
 * with ERR.
 */
int lw_dump_cycle(const struct lw_dump_place *place, const struct lw_policy_params *params,
		  const struct lw_snapshot *snap, const struct lw_plan *plan,
		  struct lw_error *err);

#endif
