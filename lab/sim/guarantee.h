/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the start that hard limits guarantee, while the planner believes in other ends. */
#ifndef LW_LAB_SIM_GUARANTEE_H
#define LW_LAB_SIM_GUARANTEE_H

#include "planner/policies/policy.h"

struct lw_guarantee;

/* Of nodes and sets like MACHINE's; it is copied. -ENOMEM. */
int lw_guarantee_create(const struct lw_snapshot *machine, struct lw_guarantee **ret_guarantee);
void lw_guarantee_destroy(struct lw_guarantee *guarantee);

/* What says a job's hard limit by its id. */
struct lw_guarantee_limits {
	int64_t (*of)(void *arg, uint32_t job_id);
	void *arg;
};

/*
 * Waiting job INDEX of SNAP has no room behind the jobs that PLAN starts in order. When does it
 * have room at the latest, if these and all running jobs need their limits? -ENOMEM.
 */
int lw_guarantee_start(struct lw_guarantee *guarantee, const struct lw_snapshot *snap,
		       const struct lw_plan *plan, uint32_t index,
		       const struct lw_guarantee_limits *limits, int64_t *ret_start_s);

#endif
