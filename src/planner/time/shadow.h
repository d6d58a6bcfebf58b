/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the shadow time: when, by hard limits, a job that waits will have room. */
#ifndef LW_PLANNER_SHADOW_H
#define LW_PLANNER_SHADOW_H

#include "planner/place/fit.h"
#include "planner/model/plan.h"

/* A job that will end and what it then gives back. */
struct lw_release {
	int64_t end_s;
	uint32_t job_id;
	uint32_t first_alloc;
	uint32_t alloc_count;
	uint32_t preempt_class; /* of the job, as it runs; 0: it is waited for */
	uint32_t priority; /* where that decides who may put it off */
	bool planned;  /* its allocs are in the plan, not in the snapshot */
};

/* Everything that will end, in order of (end_s, job_id, first_alloc). */
struct lw_releases {
	struct lw_release *items;
	uint32_t count, room;
	bool sorted;
	const struct lw_constraints
		*seeker;     /* whom its job preempts is not waited for; or NULL */
	struct lw_res *over; /* by node: how much more is in use than it has; NULL: nowhere */
	struct lw_res *owed; /* scratch of the search: what of that nobody gave back yet */
};

void lw_releases_init(struct lw_releases *releases);
void lw_releases_fini(struct lw_releases *releases);
/*
 * Begin anew with the running jobs of SNAP that end by UNTIL_S; one past its end ends in a
 * second. All are waited for. -ENOMEM.
 */
int lw_releases_begin(struct lw_releases *releases, const struct lw_snapshot *snap,
		      enum lw_ends ends, int64_t until_s);
/* Running job RUN of SNAP gives back nothing more: it was preempted. */
void lw_releases_drop(struct lw_releases *releases, const struct lw_snapshot *snap, uint32_t run);
/* What running job RUN of SNAP holds comes back BY_S later: another job takes it over. */
void lw_releases_prolong(struct lw_releases *releases, const struct lw_snapshot *snap,
			 uint32_t run, int64_t by_s);
/* Add a start of this cycle. -ENOMEM. */
int lw_releases_add(struct lw_releases *releases, const struct lw_release *release);

struct lw_shadow {
	int64_t time_s;
	uint32_t after_job; /* whose end makes the room */
	const struct lw_alloc *allocs; /* where the job would start then: PLACER's */
	uint32_t alloc_count;
	uint32_t next; /* the first release that was not given back */
};

/* For whom a shadow is sought, and among what. */
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
 * Give back one release after the other, and open what opens meanwhile, until the request fits;
 * the shadow time is now if it fits at once. Whom the seeker preempts gives back at once, and
 * of a node that has more in use than it has that much is never free. seek->future begins as a
 * copy of what is free and holds on return what is free at the shadow time, before the job
 * itself. 0, or -ENOSPC when the job does not fit even after the last release.
 */
int lw_shadow_find(const struct lw_seek *seek, struct lw_shadow *ret_shadow);

/*
 * Go on from SHADOW, which SEEK found: give back everything that ends by UNTIL_S too and choose
 * again where the job would start, at the latest, then. time_s and after_job stay.
 */
int lw_shadow_extend(const struct lw_seek *seek, int64_t until_s, struct lw_shadow *shadow);

#endif
