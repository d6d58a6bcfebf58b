/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: when those that only wait in a plan might start, for people to look at. */
#ifndef LW_PLANNER_ESTIMATE_H
#define LW_PLANNER_ESTIMATE_H

#include "planner/policies/conserve.h"

/* Memory that is used again. All zero is empty. */
struct lw_estimate {
	uint8_t *told; /* by record, a job's first one: in the plan, or in the start-time estimate
			*/
	uint32_t told_room;
	struct lw_conserve conserve; /* scratch */
};

void lw_estimate_fini(struct lw_estimate *estimate);

/*
 * After a cycle: fill RET_PLAN (initialised; emptied first) with a reservation for those
 * that cycle->plan leaves waiting for room, COUNT at most, in the queue's order, as
 * conservative backfilling would make them behind that plan: were every job to run for its
 * limit, and nobody to come. A cycle that may cost no more ends it early. 0 or -ENOMEM.
 */
int lw_estimate_make(struct lw_estimate *estimate, struct lw_cycle *cycle, uint32_t count,
		     struct lw_plan *ret_plan);

#endif
