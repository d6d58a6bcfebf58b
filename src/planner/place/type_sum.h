/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the division of jobs among GPU types that adds least to the sum of their times. */
#ifndef LW_PLANNER_TYPE_SUM_H
#define LW_PLANNER_TYPE_SUM_H

#include "planner/place/type.h"

/* Parts of planner/place/type.c and type_sum.c, for each other. */

/* Begin a try with the pool of TYPE as it is now. -ENOMEM. */
int lw_types_begin_pool(struct lw_types_plan *plan, int type);
/* Put the job on ONLY, or where it ends first. SCRATCH is overwritten. */
void lw_types_put(struct lw_types_plan *plan, struct lw_type_job *job, int only,
		  struct lw_type_chunk *scratch);
/* The second division, if it is better than the types in plan->jobs. -ENOMEM. */
int lw_types_divide_by_sum(struct lw_types_plan *plan, struct lw_type_chunk *scratch,
			   int64_t now_s);

#endif
