/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: which types of GPUs waiting jobs are to have, of a plan. */
#ifndef LW_SLURM_WISH_H
#define LW_SLURM_WISH_H

#include "planner/model/plan.h"
#include "slurm/select/wishes.h"

/*
 * Of PLAN, made from SNAP: for whom a type was chosen, and who waits for one by choice: until
 * the start that it was promised, and MOST_S from now at most, so that a plan holds nobody back
 * for long after it. Of a job with several records the types of all count. -ENOMEM.
 */
int lw_wish_plan(const struct lw_plan *plan, const struct lw_snapshot *snap, int64_t most_s,
		 struct lw_wishes *ret_wishes);

#endif
