/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the shadow time: when, by hard limits, a job that waits will have room. */
#ifndef LW_PLANNER_SHADOW_H
#define LW_PLANNER_SHADOW_H

#include "planner/place/fit.h"
#include "planner/model/plan.h"
#include "planner/time/releases.h"

struct lw_shadow {
	int64_t time_s;
	uint32_t after_job; /* running job that makes the room by its end */
	const struct lw_alloc *allocs; /* where the job would start then: PLACER's */
	uint32_t alloc_count;
	uint32_t next; /* the first release that was not given back */
};

/* The input of a search for a shadow time. */
struct lw_seek {
	const struct lw_snapshot *snap;
	const struct lw_plan *plan;
	struct lw_releases *releases;
	const struct lw_room *room;
	const struct lw_request *req;
	struct lw_placer *placer;
	struct lw_res *future; /* scratch of node_count entries */
};

/*
 * Give back the releases in order, and open nodes that open meanwhile, until the request fits.
 * If it fits at once, the shadow time is now. Jobs that the seeker may preempt give back at
 * once. Amounts in use beyond a node's size do not become free. seek->future begins as a copy of
 * what is free, and ends as what is free at the shadow time, before the job itself starts. 0, or
 * -ENOSPC if the job does not fit even after the last release.
 */
int lw_shadow_find(const struct lw_seek *seek, struct lw_shadow *ret_shadow);

/*
 * Go on from SHADOW, which SEEK found: give back all that ends by UNTIL_S as well, and choose
 * the nodes again for a start at UNTIL_S at the latest. time_s and after_job do not change.
 */
int lw_shadow_extend(const struct lw_seek *seek, int64_t until_s, struct lw_shadow *shadow);

#endif
