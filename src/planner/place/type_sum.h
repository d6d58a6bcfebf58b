/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the division of jobs among GPU types that adds least to the sum of their times. */
#ifndef LW_PLANNER_TYPE_SUM_H
#define LW_PLANNER_TYPE_SUM_H

#include "planner/place/type.h"

/* Parts of planner/place/type.c, type_sum.c and type_due.c, for each other. */

/* The account in PLAN, which is added if it is new. -ENOMEM. */
int lw_types_account(struct lw_types_plan *plan, uint64_t account,
		     struct lw_type_account **ret_account);

/* Begin a try with the pool of TYPE as it is now. -ENOMEM. */
int lw_types_begin_pool(struct lw_types_plan *plan, int type);
/* Put the job on ONLY, or where it ends first. SCRATCH is overwritten. */
void lw_types_put(struct lw_types_plan *plan, struct lw_type_job *job, int only,
		  struct lw_type_chunk *scratch);
/* The second division, if it is better than the types in plan->jobs. -ENOMEM. */
int lw_types_divide_by_sum(struct lw_types_plan *plan, struct lw_type_chunk *scratch,
			   int64_t now_s);
/* Move one job at a time from the types in plan->jobs as long as that costs less. -ENOMEM. */
int lw_types_move_jobs(struct lw_types_plan *plan, struct lw_type_chunk *scratch, int64_t now_s);
/* Set until when each job of plan->jobs has no more than its account's share. -ENOMEM. */
int lw_types_set_dues(struct lw_types_plan *plan, int64_t now_s);
/* What it costs, in seconds of a job in the system, that the job ends later than that. */
double lw_types_late_s(const struct lw_types_plan *plan, const struct lw_type_job *job);

#endif
