/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what must be true of all that is added to a snapshot. */
#ifndef LW_PLANNER_SNAPSHOT_CHECK_H
#define LW_PLANNER_SNAPSHOT_CHECK_H

#include "planner/model/snapshot.h"

/* Called by the adders, so that no planner has to check again. All: 0, or -EINVAL with ERR. */

/* A need of co-allocation NUMBER. */
int lw_snapshot_check_need(const struct lw_snapshot *snap, uint32_t number,
			   const struct lw_need *need, struct lw_error *err);
/* A running job that holds ALLOCS[COUNT]. */
int lw_snapshot_check_running(const struct lw_snapshot *snap, const struct lw_running *job,
			     const struct lw_alloc *allocs, uint32_t count, struct lw_error *err);
/* A waiting job, with its constraints and its request. */
int lw_snapshot_check_waiting(const struct lw_snapshot *snap, const struct lw_waiting *job,
			      struct lw_error *err);

#endif
