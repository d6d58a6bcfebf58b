/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the shadow time: when, by hard limits, a job that waits will have room. */
#ifndef LW_PLANNER_SHADOW_H
#define LW_PLANNER_SHADOW_H

#include "planner/place/fit.h"
#include "planner/model/plan.h"

/* A job that will end, and what it gives back. */
struct lw_release {
	int64_t end_s;
	uint32_t job_id;
	uint32_t first_alloc;
	uint32_t alloc_count;
	uint32_t preempt_class; /* its preemption class; 0: none */
	uint32_t priority; /* for classes in which priority decides which jobs may be
			    * preempted */
	bool planned;  /* its allocs are in the plan, not in the snapshot */
};

/* Everything that will end, in order of (end_s, job_id, first_alloc). */
struct lw_releases {
	struct lw_release *items;
	uint32_t count, room;
	bool sorted;
	const struct lw_constraints
		*seeker;     /* jobs that this one may preempt count as ended; or NULL */
	struct lw_res *over; /* by node: amount in use beyond the size of the node; NULL: none */
	struct lw_res *owed; /* scratch of the search: the part of over still to be given back */
};

void lw_releases_init(struct lw_releases *releases);
void lw_releases_fini(struct lw_releases *releases);
/*
 * Begin anew with the running jobs of SNAP that end by UNTIL_S; a job past its end ends in a
 * second. There is no seeker. -ENOMEM.
 */
int lw_releases_begin(struct lw_releases *releases, const struct lw_snapshot *snap,
		      enum lw_ends ends, int64_t until_s);
/* Running job RUN of SNAP was preempted: it gives back nothing more. */
void lw_releases_drop(struct lw_releases *releases, const struct lw_snapshot *snap, uint32_t run);
/* What running job RUN of SNAP holds is released BY_S later: another job takes it over. */
void lw_releases_prolong(struct lw_releases *releases, const struct lw_snapshot *snap,
			 uint32_t run, int64_t by_s);
/* Add a start of this cycle. -ENOMEM. */
int lw_releases_add(struct lw_releases *releases, const struct lw_release *release);

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
