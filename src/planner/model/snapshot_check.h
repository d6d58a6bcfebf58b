/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what must be true of all that is added to a snapshot. */
#ifndef LW_PLANNER_SNAPSHOT_CHECK_H
#define LW_PLANNER_SNAPSHOT_CHECK_H

#include "planner/model/snapshot.h"

/* Asked by the adders, so that no planner has to ask again. All: 0, or -EINVAL with ERR. */

/* A request of nodes of SET; an error names it by WHAT ("waiting", say) and NUMBER. */
int lw_snapshot_check_request(const struct lw_snapshot *snap, const char *what, uint32_t number,
			      uint32_t set, const struct lw_request *req, struct lw_error *err);
/* A running job that holds ALLOCS[COUNT]. */
int lw_snapshot_check_allocs(const struct lw_snapshot *snap, const struct lw_running *job,
			     const struct lw_alloc *allocs, uint32_t count, struct lw_error *err);
/* A waiting job: its request, terms, times and tasks. */
int lw_snapshot_check_waiting(const struct lw_snapshot *snap, const struct lw_waiting *job,
			      struct lw_error *err);

#endif
