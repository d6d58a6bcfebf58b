/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: a bound on the cost of a planning cycle, set by the caller. */
#ifndef LW_PLANNER_BOUND_H
#define LW_PLANNER_BOUND_H

#include "planner/model/plan.h"
#include "planner/time/preempt_view.h"
#include "planner/model/snapshot.h"

/*
 * The planner has no clock, so it cannot tell that a cycle takes too long. It asks the caller at
 * every job, and says how much memory it holds.
 */
struct lw_bound {
	bool (*go_on_f)(void *arg, uint64_t bytes); /* NULL: no bound */
	void *arg;
	/* what is counted, borrowed */
	uint64_t snapshot_bytes;
	const struct lw_plan *plan;
	const struct lw_profile *profile; /* NULL while no profile is in use, like views */
	const struct lw_preempt_views *views;
};

/* The memory that SNAP holds, without its names. */
uint64_t lw_bound_snapshot_bytes(const struct lw_snapshot *snap);

/* 0, or -ECANCELED if the caller says no. */
int lw_bound_check(const struct lw_bound *bound);

#endif
