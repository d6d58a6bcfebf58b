/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the profile as jobs see it that put off others, or that others put off. */
#ifndef LW_POLICY_PROFILE_VIEW_H
#define LW_POLICY_PROFILE_VIEW_H

#include "policy/plan.h"
#include "policy/profile.h"

/*
 * To a job that preempts others these are not there, and to one that will be preempted (of a kind
 * that waits) neither is what is reserved for who preempts it. So there are profiles of their own
 * for them, in each of which what does not stand in the way of the job at hand is given back.
 *
 * There are as many as jobs that wait see different things, but no more than some. Each costs
 * what the first profile does, and for each job that sees other things than the last one that
 * looked at it, what these hold.
 */
#define LW_VIEWS_MAX 16

/* A running job, or a start or reservation of the plan. */
struct lw_view_item {
	uint32_t number; /* of the running job, or of the decision */
	bool planned;    /* it is a decision */
	bool away;       /* given back for now */
	bool off;        /* put off on trial */
};

struct lw_view {
	struct lw_profile profile;
	struct lw_terms terms; /* of the first job that looks at it */
	struct lw_view_item *items;
	uint32_t count, room;
	uint32_t away; /* items that are */
};

struct lw_views {
	struct lw_view items[LW_VIEWS_MAX];
	uint32_t count;
};

/* All zero is none. */
void lw_views_fini(struct lw_views *views);

/* Begin anew with the running jobs of SNAP and the views that those who wait need. -ENOMEM. */
int lw_views_begin(struct lw_views *views, const struct lw_snapshot *snap);

/* What the moments of all take. */
uint64_t lw_views_bytes(const struct lw_views *views);

/*
 * The view of JOB, or NULL: everything stands in its way. With more kinds of jobs than views, one
 * may look at that of others that see less out of their way than it does.
 */
struct lw_view *lw_views_of(struct lw_views *views, const struct lw_waiting *job);

/* Let view->profile, which is JOB's, be what JOB sees. -ENOMEM. */
int lw_view_turn(struct lw_view *view, const struct lw_snapshot *snap,
		 const struct lw_plan *plan, const struct lw_waiting *job);

/*
 * Until when, *END_S at the latest, has the view's job ALLOCS from START_S on in ALL, in
 * which everything stands in its way? The youngest that it puts off are gone where it would have no
 * room at its start; those that it only might put off stay. ALL is as before then. -ENOMEM.
 */
int lw_view_try(struct lw_view *view, struct lw_profile *all, const struct lw_snapshot *snap,
		const struct lw_plan *plan, int64_t start_s, const struct lw_alloc *allocs,
		uint32_t count, int64_t *end_s);

/* ALLOCS are taken for that time: lw_profile_take(). */
int lw_views_take(struct lw_views *views, int64_t start_s, int64_t end_s,
		  const struct lw_alloc *allocs, uint32_t count);

/* Decision NUMBER of PLAN, a start or a reservation, has been taken as it is. -ENOMEM. */
int lw_views_note(struct lw_views *views, const struct lw_snapshot *snap,
		  const struct lw_plan *plan, uint32_t number);

/* Running job RUN is gone for good. -ENOMEM. */
int lw_views_drop(struct lw_views *views, const struct lw_snapshot *snap, uint32_t run);

#endif
