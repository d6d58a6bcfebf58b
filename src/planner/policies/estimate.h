/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: likely starts of the jobs that only wait in a plan, for users. */
#ifndef LW_PLANNER_ESTIMATE_H
#define LW_PLANNER_ESTIMATE_H

#include "planner/policies/conserve.h"

/* Memory that is used again. All zero is empty. */
struct lw_estimate {
	uint8_t *told; /* by record, a job's first one: in the plan or the estimate */
	uint32_t told_room;
	uint32_t jobs;	  /* that may still be searched for */
	uint64_t looks;	  /* at moments of nodes that this may still take ... */
	uint64_t moments; /* ... and how many it has made */
	struct lw_conserve conserve; /* scratch */
};

void lw_estimate_fini(struct lw_estimate *estimate);

/*
 * After a cycle: fill RET_PLAN (initialised; emptied first) with reservations for the first
 * jobs that cycle->plan leaves waiting for room, in queue order. They are made as conservative
 * backfilling would make them behind that plan, if every job ran for its time limit and no job
 * were submitted. There are at most a thousand, and fewer the more nodes they take: the cycle's
 * starts wait for it. If the cycle may cost no more, it ends early. 0 or -ENOMEM.
 */
int lw_estimate_make(struct lw_estimate *estimate, struct lw_cycle *cycle,
		     struct lw_plan *ret_plan);

#endif
