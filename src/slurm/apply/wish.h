/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the types of GPUs and the numbers of nodes that were chosen for waiting jobs. */
#ifndef LW_SLURM_WISH_H
#define LW_SLURM_WISH_H

#include "planner/model/plan.h"
#include "slurm/reading.h"
#include "slurm/select/wishes.h"

/*
 * From PLAN, made from SNAP: the jobs with a chosen type, and the jobs that wait for one by
 * choice. These wait until their promised start, and at most until MOST_S from now, so that a
 * plan does not hold jobs back long after it was made. For a job with several records the types
 * of all count. -ENOMEM.
 */
int lw_wish_plan(const struct lw_plan *plan, const struct lw_snapshot *snap, int64_t most_s,
		 struct lw_wishes *ret_wishes);

/*
 * From READING: the jobs with a chosen number of nodes, as a range. They are held
 * to it until MOST_S from then. A job with several records gets the range of all. -ENOMEM.
 */
int lw_wish_sizes(const struct lw_reading *reading, int64_t most_s,
		  struct lw_wish_sizes *ret_sizes);

#endif
