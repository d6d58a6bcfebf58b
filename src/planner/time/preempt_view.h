/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the availability profile as a preemptor, or a preemptible job, sees it. */
#ifndef LW_PLANNER_PREEMPT_VIEW_H
#define LW_PLANNER_PREEMPT_VIEW_H

#include "planner/model/plan.h"
#include "planner/time/profile.h"

/*
 * A preemptor can use the room of the jobs that it may preempt. A waiting job that will be
 * preemptible can use room reserved for its preemptors. So there are views: profiles in which
 * everything that is not in the way of such a job is given back.
 *
 * There are as many views as waiting jobs need, up to LW_VIEWS_MAX. Each costs as much as the
 * first profile. Turning a view to a job that sees other things than the job before costs as
 * much as these things hold.
 */
#define LW_VIEWS_MAX 16

/* A running job, or a start or reservation of the plan. */
struct lw_preempt_view_item {
	uint32_t number; /* of the running job, or of the decision */
	uint16_t away;   /* bits: the views in which it is given back at the moment */
	bool planned;    /* it is a decision */
	bool off;        /* preempted on trial */
	int64_t end_s;   /* by its limit, or when the plan has it preempted */
	int64_t limit_s; /* by its limit */
};

/* A node on which a job did not fit: all of it is taken for that time. */
struct lw_preempt_view_shut {
	struct lw_alloc alloc;
	int64_t start_s, end_s;
};

struct lw_preempt_view {
	struct lw_profile profile;
	struct lw_constraints constraints; /* of the first job that used it */
	uint32_t away;                     /* number of items that are given back */
};

struct lw_preempt_views {
	const struct lw_snapshot *snap;
	const struct lw_plan *plan;
	struct lw_profile *all; /* in which everything is in a job's way */
	struct lw_preempt_view views[LW_VIEWS_MAX];
	struct lw_preempt_view_item *items;
	struct lw_preempt_view_shut *shut; /* in the view in use */
	uint32_t count, item_count, item_room, shut_count, shut_room;
};

/* All zero is none. */
void lw_preempt_views_fini(struct lw_preempt_views *views);

/*
 * Begin anew with the running jobs of SNAP, as in ALL, and with the views that waiting jobs
 * need. SNAP, PLAN and ALL must stay in place until the next call. -ENOMEM.
 */
int lw_preempt_views_begin(struct lw_preempt_views *views, const struct lw_snapshot *snap,
			   const struct lw_plan *plan, struct lw_profile *all);

/* The memory of the moments of all views. */
uint64_t lw_preempt_views_bytes(const struct lw_preempt_views *views);

/*
 * The view of JOB, or NULL: everything is in its way. If there are more kinds of jobs than
 * views, a job may share the view of jobs that can ignore less.
 */
struct lw_preempt_view *lw_preempt_views_of(struct lw_preempt_views *views,
					    const struct lw_waiting *job);

/* Change view->profile to what JOB sees. -ENOMEM. */
int lw_preempt_view_turn(struct lw_preempt_views *views, struct lw_preempt_view *view,
			 const struct lw_waiting *job);

/*
 * Does FIT suit the view's job from its start to *END_S in views->all?
 *
 *   1. If the job has no room at its start, the youngest jobs there that it may preempt are
 *   taken away on trial, as many as necessary. The others stay.
 *   2. If it has room until *END_S then, the answer is yes, and *END_S does not change.
 *   3. The answer is also yes if a reservation that it yields to is the first to take its
 *   room: the job is preempted when the reservation begins.
 *   4. Else *END_S becomes the time until which the job has room. Each node without room for
 *   all of that time is shut to the job until lw_preempt_view_open(): from the start to the
 *   moment at which the room ends, or to the old *END_S if there is none even at the start.
 *
 * views->all is unchanged afterwards. -ENOMEM.
 */
int lw_preempt_view_try(struct lw_preempt_views *views, struct lw_preempt_view *view,
			const struct lw_profile_fit *fit, int64_t *end_s);

/* Open all shut nodes. -ENOMEM. */
int lw_preempt_view_open(struct lw_preempt_views *views, struct lw_preempt_view *view);

/*
 * Preempt the jobs that must go for FIT to be free at its start: from then on they are gone, in
 * views->all too. 1 if there are any, else 0; -ENOMEM.
 */
int lw_preempt_view_settle(struct lw_preempt_views *views, const struct lw_preempt_view *view,
			   const struct lw_profile_fit *fit);

/* Bring back all jobs that lw_preempt_view_settle() took away. -ENOMEM. */
int lw_preempt_views_restore(struct lw_preempt_views *views);

/* Take FIT until END_S in all views: lw_profile_take(). */
int lw_preempt_views_take(struct lw_preempt_views *views, const struct lw_profile_fit *fit,
			  int64_t end_s);

/* Decision NUMBER of the plan, a start or a reservation, has been taken. -ENOMEM. */
int lw_preempt_views_note(struct lw_preempt_views *views, uint32_t number);

/* Running job RUN is gone for good, in views->all as well. -ENOMEM. */
int lw_preempt_views_drop(struct lw_preempt_views *views, uint32_t run);

#endif
