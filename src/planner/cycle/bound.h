/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what a planning cycle may cost, judged by who asked for it. */
#ifndef LW_PLANNER_BOUND_H
#define LW_PLANNER_BOUND_H

#include "planner/model/plan.h"
#include "planner/time/preempt_view.h"
#include "planner/model/snapshot.h"

/*
 * A planner that knows no clock cannot say when it has taken too long. So it asks, at every
 * job it looks at, and tells what it holds in memory by then.
 */
struct lw_bound {
	bool (*go_on_f)(void *arg, uint64_t bytes); /* NULL: no bound */
	void *arg;
	/* what is being counted, borrowed */
	uint64_t snapshot_bytes;
	const struct lw_plan *plan;
	const struct lw_profile *profile; /* both NULL while nothing is planned with one */
	const struct lw_preempt_views *views;
};

/* What SNAP holds, without the names in it. */
uint64_t lw_bound_snapshot_bytes(const struct lw_snapshot *snap);

/* 0, or -ECANCELED when the answer is no. */
int lw_bound_check(const struct lw_bound *bound);

#endif
