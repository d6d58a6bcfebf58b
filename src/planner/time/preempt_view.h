/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the profile as jobs see it that preempt others, or that others preempt. */
#ifndef LW_PLANNER_PREEMPT_VIEW_H
#define LW_PLANNER_PREEMPT_VIEW_H

#include "planner/model/plan.h"
#include "planner/time/profile.h"

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
struct lw_preempt_view_item {
	uint32_t number; /* of the running job, or of the decision */
	uint16_t away;   /* in which views it is given back for now, a bit each */
	bool planned;    /* it is a decision */
	bool off;        /* preempted on trial */
	int64_t end_s;   /* by its limit, or when the plan has it preempted */
	int64_t limit_s; /* by its limit */
};

/* A node on which a job was tried in vain: all of it is taken for that time. */
struct lw_preempt_view_shut {
	struct lw_alloc alloc;
	int64_t start_s, end_s;
};

struct lw_preempt_view {
	struct lw_profile profile;
	struct lw_constraints constraints; /* of the first job that looks at it */
	uint32_t away;                     /* items that are */
};

struct lw_preempt_views {
	const struct lw_snapshot *snap;
	const struct lw_plan *plan;
	struct lw_profile *all; /* in which everything stands in a job's way */
	struct lw_preempt_view views[LW_VIEWS_MAX];
	struct lw_preempt_view_item *items;
	struct lw_preempt_view_shut *shut; /* in the view that looks */
	uint32_t count, item_count, item_room, shut_count, shut_room;
};

/* All zero is none. */
void lw_preempt_views_fini(struct lw_preempt_views *views);

/*
 * Begin anew with the running jobs of SNAP, as ALL has them, and the views that those who wait
 * need. Both stay where they are, and so does PLAN, until the next time. -ENOMEM.
 */
int lw_preempt_views_begin(struct lw_preempt_views *views, const struct lw_snapshot *snap,
			   const struct lw_plan *plan, struct lw_profile *all);

/* What the moments of all take. */
uint64_t lw_preempt_views_bytes(const struct lw_preempt_views *views);

/*
 * The view of JOB, or NULL: everything stands in its way. With more kinds of jobs than views, one
 * may look at that of others that see less out of their way than it does.
 */
struct lw_preempt_view *lw_preempt_views_of(struct lw_preempt_views *views,
					    const struct lw_waiting *job);

/* Let view->profile, which is JOB's, be what JOB sees. -ENOMEM. */
int lw_preempt_view_turn(struct lw_preempt_views *views, struct lw_preempt_view *view,
			 const struct lw_waiting *job);

/*
 * Has the view's job FIT from its start to *END_S in views->all?
 *
 *   1. Where it has no room at its start, of the jobs there that it preempts the youngest are
 * gone, as many as need be. The others that it might preempt stay.
 *   2. If it has room until *END_S then, the answer is yes, and *END_S stays.
 *   3. So it is if the first thing that takes its room is a reservation that it yields to: the
 *      job is preempted when that begins.
 *   4. Else *END_S becomes the time until which it has room, and each node without room for all
 * of the time is shut to it, until lw_preempt_view_open(): from the start to the moment at which
 * the room ends, or to the old *END_S if there is none even at the start.
 *
 * views->all is as before in the end. -ENOMEM.
 */
int lw_preempt_view_try(struct lw_preempt_views *views, struct lw_preempt_view *view,
			const struct lw_profile_fit *fit, int64_t *end_s);

/* Open what was shut. -ENOMEM. */
int lw_preempt_view_open(struct lw_preempt_views *views, struct lw_preempt_view *view);

/*
 * Who is preempted for FIT to be free at its start is gone from then on, in views->all too. 1 if
 * anybody is, else 0; -ENOMEM.
 */
int lw_preempt_view_settle(struct lw_preempt_views *views, const struct lw_preempt_view *view,
			   const struct lw_profile_fit *fit);

/* Those that lw_preempt_view_settle() took away by then are there again. -ENOMEM. */
int lw_preempt_views_restore(struct lw_preempt_views *views);

/* FIT is taken until END_S, in all views: lw_profile_take(). */
int lw_preempt_views_take(struct lw_preempt_views *views, const struct lw_profile_fit *fit,
			  int64_t end_s);

/* Decision NUMBER of the plan, a start or a reservation, has been taken as it is. -ENOMEM. */
int lw_preempt_views_note(struct lw_preempt_views *views, uint32_t number);

/* Running job RUN is gone for good, from views->all as well. -ENOMEM. */
int lw_preempt_views_drop(struct lw_preempt_views *views, uint32_t run);

#endif
