/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: conservative backfilling: every job has a reservation. */

/*
 * Each job in turn gets the earliest start at which it fits for its whole time limit beside all
 * running jobs and all jobs before it in the order of turns (Mu'alem, Feitelson, "Utilization,
 * predictability, workloads, and user runtime estimates", IEEE TPDS 12(6), 2001). The plan is
 * made anew in every cycle; this is the paper's compression after a job ends early.
 *
 * Jobs with a start planned by the last cycle go first, in order of these starts; the others
 * follow in queue order. On a single pool, therefore, no start gets later: a job that starts
 * earlier than planned also ends earlier, so at the planned time of a later job it takes nothing
 * that was not its own. Over nodes, a job that starts earlier may take other nodes; there it
 * holds nearly always.
 *
 * Jobs that a job may preempt are not in its way, and jobs that it may preempt later may use its
 * room before. Such jobs use views of their own (planner/time/preempt_view.h).
 *
 * The cost is a search in the profile for each job, which begins where the last one of its class
 * ended: O(jobs * moments) on a pool; planner/time/profile.h has the rest.
 */
#include "planner/policies/conserve.h"

#include "base/grow.h"
#include "planner/cycle/preempt.h"
#include "planner/cycle/start.h"
#include "planner/cycle/class_queue.h"
#include "planner/policies/impl.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/*
 * How many starts are tried: for one job, for one job on other nodes at the same time, and in a
 * plan. Jobs that only yield have a count of their own, so that they leave the tries of
 * preemptors alone.
 */
#define TRIES_MAX	  8
#define TRIES_OF_NODES	  4
#define TRIES_OF_ALL_MAX  200
#define PASSES_OF_ALL_MAX 100

void lw_conserve_fini(struct lw_conserve *conserve)
{
	lw_profile_fini(&conserve->profile);
	lw_preempt_views_fini(&conserve->views);
	free(conserve->order);
	free(conserve->class_from_s);
	free(conserve->class_view_s);
	free(conserve->given);
	memset(conserve, 0, sizeof(*conserve));
}

static int conserve_compare_turns(const void *a, const void *b, void *arg)
{
	const struct lw_cycle *cycle = arg;
	const struct lw_queue *queue = &cycle->snap->queue;
	uint32_t i = *(const uint32_t *)a, j = *(const uint32_t *)b;
	const struct lw_waiting *x = &cycle->snap->waiting[i], *y = &cycle->snap->waiting[j];
	int rank;

	if (!x->planned_s != !y->planned_s)
		return x->planned_s ? -1 : 1;
	if (x->planned_s != y->planned_s)
		return x->planned_s < y->planned_s ? -1 : 1;
	/* a preemptor can use what jobs that may not preempt leave over */
	if (x->planned_s &&
	    lw_constraints_preempt(&x->constraints) != lw_constraints_preempt(&y->constraints))
		return lw_constraints_preempt(&y->constraints) ? -1 : 1;
	if (!lw_queue_is_given(cycle->params) && x->constraints.tier != y->constraints.tier)
		return x->constraints.tier > y->constraints.tier ? -1 : 1;
	rank = lw_rank_compare(
		lw_class_queue_queue_key(cycle, &queue->classes[queue->class_of[i]], x),
		lw_class_queue_queue_key(cycle, &queue->classes[queue->class_of[j]], y));
	if (rank)
		return rank;
	return queue->seq[i] < queue->seq[j] ? -1 : queue->seq[i] > queue->seq[j];
}

/* As far as is known, any job of any class may start now. */
static void conserve_forget_starts(const struct lw_cycle *cycle, struct lw_conserve *conserve)
{
	for (uint32_t i = 0; i < cycle->snap->queue.class_count; i++)
		conserve->class_from_s[i] = conserve->class_view_s[i] = cycle->snap->now_s;
}

static void conserve_forget_tries(struct lw_conserve *conserve)
{
	conserve->tries = conserve->passes = 0;
}

int lw_conserve_begin(struct lw_cycle *cycle, struct lw_conserve *conserve)
{
	const struct lw_queue *queue = &cycle->snap->queue;

	if (lw_profile_begin(&conserve->profile, cycle->snap) ||
	    lw_preempt_views_begin(&conserve->views, cycle->snap, cycle->plan,
				   &conserve->profile) ||
	    lw_grow((void **)&conserve->order, &conserve->order_room, queue->count,
		    sizeof(*conserve->order)) ||
	    lw_grow((void **)&conserve->given, &conserve->given_room,
		    cycle->snap->running_count + 1, sizeof(*conserve->given)) ||
	    lw_grow((void **)&conserve->class_from_s, &conserve->class_room, queue->class_count,
		    sizeof(*conserve->class_from_s)) ||
	    lw_grow((void **)&conserve->class_view_s, &conserve->view_room, queue->class_count,
		    sizeof(*conserve->class_view_s)))
		return -ENOMEM;
	cycle->bound.profile = &conserve->profile;
	cycle->bound.views = &conserve->views;
	conserve_forget_starts(cycle, conserve);
	conserve_forget_tries(conserve);
	conserve->keeps = false;
	memset(conserve->given, 0, cycle->snap->running_count * sizeof(*conserve->given));
	if (!queue->count)
		return 0;
	memcpy(conserve->order, queue->order, queue->count * sizeof(*conserve->order));
	qsort_r(conserve->order, queue->count, sizeof(*conserve->order), conserve_compare_turns,
		cycle);
	return 0;
}

/* The earliest room in PROFILE from *from_s on; *from_s becomes its start. */
static int conserve_search(struct lw_cycle *cycle, uint32_t index, struct lw_profile *profile,
			   int64_t *from_s, struct lw_profile_fit *ret_fit)
{
	const struct lw_waiting *job = &cycle->snap->waiting[index];
	struct lw_room room = lw_cycle_room(cycle, job);
	int rc;

	if (*from_s == INT64_MAX)
		return -ENOSPC;
	if (*from_s < room.fit.earliest_s)
		*from_s = room.fit.earliest_s;
	ret_fit->start_s = *from_s;
	rc = lw_profile_find(profile, &room, &job->request, job->limit_s, cycle->placer, ret_fit);
	/* what is taken stays taken in a cycle, so the next of the class is no earlier */
	*from_s = rc ? INT64_MAX : ret_fit->start_s;
	return rc;
}

/*
 * As lw_conserve_find(), for a job with a VIEW:
 *
 *   1. Find the earliest room in its view, which has neither the jobs that it may preempt nor
 *   the reservations that it yields to. That is the answer if there are none of either, or if
 *   the job may only start now and has no room now.
 *   2. If by then it has room with everything in its way, too, take that: no job need yield.
 *   3. Else try that start (lw_preempt_view_try()). Jobs are preempted only if the job has no
 *   room at its start. Jobs that stay, and a later reservation, may take its room afterwards.
 *   4. If the room lasts for the whole time limit, take it. If not, the nodes that lacked room
 *   are shut to this job: go on at 1 with other nodes, and after TRIES_OF_NODES with a later
 *   start.
 *
 * A try costs more than a search. So after TRIES_MAX tries for the job, or when all tries of the
 * plan are used up, the job starts as late as if everything were in its way.
 */
static int conserve_find_in_view(struct lw_cycle *cycle, struct lw_conserve *conserve,
				 uint32_t index, struct lw_preempt_view *view,
				 struct lw_profile_fit *ret_fit)
{
	const struct lw_waiting *job = &cycle->snap->waiting[index];
	uint32_t class = cycle->snap->queue.class_of[index];
	int64_t *from_s = &conserve->class_from_s[class];
	int64_t *view_s = &conserve->class_view_s[class];
	bool preempts = lw_constraints_preempt(&job->constraints);
	uint32_t *of_all = preempts ? &conserve->tries : &conserve->passes;
	uint32_t all_max = preempts ? TRIES_OF_ALL_MAX : PASSES_OF_ALL_MAX;

	for (uint32_t tries = 0;; tries++) {
		int rc = conserve_search(cycle, index, &view->profile, view_s, ret_fit);
		int64_t limit_s = lw_waiting_end_s(job, *view_s), end_s = limit_s;

		/* a job that may only start now waits */
		if (rc || !view->away ||
		    (job->constraints.now_only && *view_s > cycle->snap->now_s))
			return rc;
		/* no preemption where none is necessary */
		if (*from_s <= *view_s) {
			rc = conserve_search(cycle, index, &conserve->profile, from_s, ret_fit);
			if (!rc && *from_s <= *view_s)
				return 0;
			continue;
		}
		if (tries >= TRIES_MAX || *of_all >= all_max)
			return conserve_search(cycle, index, &conserve->profile, from_s, ret_fit);
		if (lw_preempt_view_try(&conserve->views, view, ret_fit, &end_s))
			return -ENOMEM;
		if (end_s == limit_s)
			return 0;
		++*of_all;
		/* a start at that time preempts the jobs that are in the way then */
		if (tries >= TRIES_OF_NODES)
			*view_s = end_s;
	}
}

int lw_conserve_find(struct lw_cycle *cycle, struct lw_conserve *conserve, uint32_t index,
		     struct lw_profile_fit *ret_fit)
{
	const struct lw_waiting *job = &cycle->snap->waiting[index];
	struct lw_preempt_view *view = lw_preempt_views_of(&conserve->views, job);
	uint32_t class = cycle->snap->queue.class_of[index];
	int rc;

	if (!view)
		return conserve_search(cycle, index, &conserve->profile,
				       &conserve->class_from_s[class], ret_fit);
	if (lw_preempt_view_turn(&conserve->views, view, job))
		return -ENOMEM;
	rc = conserve_find_in_view(cycle, conserve, index, view, ret_fit);
	return lw_preempt_view_open(&conserve->views, view) ? -ENOMEM : rc;
}

int lw_conserve_take(struct lw_cycle *cycle, struct lw_conserve *conserve, uint32_t index,
		     const struct lw_profile_fit *fit)
{
	int64_t end_s = lw_waiting_end_s(&cycle->snap->waiting[index], fit->start_s);
	int rc = lw_profile_take(&conserve->profile, fit->start_s, end_s, fit->allocs,
				 fit->alloc_count);

	return rc ? rc : lw_preempt_views_take(&conserve->views, fit, end_s);
}

/* Jobs preempted by this reservation are gone then, to all jobs with a planned start. */
static int conserve_settle(struct lw_cycle *cycle, struct lw_conserve *conserve, uint32_t index,
			   const struct lw_profile_fit *fit)
{
	const struct lw_waiting *job = &cycle->snap->waiting[index];
	struct lw_preempt_view *view = lw_preempt_views_of(&conserve->views, job);
	int rc;

	/* a reservation for now waits for starts of this cycle, to be preempted in the next */
	if (!view || !conserve->keeps || fit->start_s <= cycle->snap->now_s)
		return 0;
	rc = lw_preempt_view_settle(&conserve->views, view, fit);
	/* other jobs of a class may now have room earlier than those before */
	if (rc > 0)
		conserve_forget_starts(cycle, conserve);
	return rc < 0 ? rc : 0;
}

static int conserve_reserve(struct lw_cycle *cycle, struct lw_conserve *conserve, uint32_t index,
			    const struct lw_profile_fit *fit)
{
	struct lw_decision decision =
		lw_cycle_decision(cycle, index, LW_RESERVE, LW_REASON_RESERVED, fit->start_s);

	if (decision.promise_s == LW_NO_TIME)
		decision.promise_s = fit->start_s;
	decision.latest_s = decision.promise_s;
	if (conserve_settle(cycle, conserve, index, fit) ||
	    lw_conserve_take(cycle, conserve, index, fit) ||
	    lw_plan_add(cycle->plan, &decision, fit->allocs, fit->alloc_count))
		return -ENOMEM;
	return lw_preempt_views_note(&conserve->views, cycle->plan->decision_count - 1);
}

/* Free all nodes of preempted jobs for good. */
static int conserve_give_back(struct lw_cycle *cycle, struct lw_conserve *conserve)
{
	const struct lw_snapshot *snap = cycle->snap;
	bool any = false;

	for (uint32_t r = 0; r < snap->running_count; r++) {
		if (!cycle->preempted[r] || conserve->given[r])
			continue;
		any = conserve->given[r] = true;
		if (lw_preempt_views_drop(&conserve->views, r))
			return -ENOMEM;
	}
	/* other jobs of a class may now have room earlier than those before */
	if (any) {
		conserve_forget_starts(cycle, conserve);
		conserve_forget_tries(conserve);
	}
	return 0;
}

static int conserve_start(struct lw_cycle *cycle, struct lw_conserve *conserve, uint32_t index,
			  const struct lw_profile_fit *fit)
{
	int rc = lw_cycle_start(cycle, index,
				cycle->plan->reserved ? LW_REASON_STARTS_BACKFILLED
						      : LW_REASON_STARTS_IN_ORDER,
				fit->allocs, fit->alloc_count);

	if (!rc && lw_constraints_preempt(&cycle->snap->waiting[index].constraints))
		rc = conserve_give_back(cycle, conserve);
	if (!rc)
		rc = lw_conserve_take(cycle, conserve, index, fit);
	return rc ? rc : lw_preempt_views_note(&conserve->views, cycle->plan->decision_count - 1);
}

static int conserve_give_up(struct lw_cycle *cycle, uint32_t index)
{
	return lw_cycle_wait(cycle, index,
			     lw_cycle_ever_fits(cycle, index) ? LW_REASON_WAITS_FOR_ROOM
							      : LW_REASON_WAITS_FOR_NODES);
}

static int conserve_wait_until(struct lw_cycle *cycle, struct lw_conserve *conserve,
			       uint32_t index, const struct lw_profile_fit *fit)
{
	if (cycle->snap->waiting[index].constraints.now_only)
		return lw_cycle_wait(cycle, index, LW_REASON_WAITS_FOR_ROOM);
	return conserve_reserve(cycle, conserve, index, fit);
}

/* Up to COUNT tasks of the record: tasks that fit now start, the next one gets a reservation. */
static int conserve_plan_tasks(struct lw_cycle *cycle, struct lw_conserve *conserve,
			       uint32_t index, uint32_t count)
{
	for (; count; count--) {
		struct lw_profile_fit fit;
		int rc = lw_cycle_go_on(cycle);

		if (rc)
			return rc;
		rc = lw_conserve_find(cycle, conserve, index, &fit);
		if (rc)
			return rc == -ENOSPC ? conserve_give_up(cycle, index) : rc;
		if (fit.start_s > cycle->snap->now_s ||
		    !lw_preempt_has_room(cycle, index, fit.allocs, fit.alloc_count))
			return conserve_wait_until(cycle, conserve, index, &fit);
		rc = conserve_start(cycle, conserve, index, &fit);
		if (rc)
			return rc;
	}
	return 0;
}

static int conserve_plan_first_task(struct lw_cycle *cycle, struct lw_conserve *conserve,
				    uint32_t index)
{
	enum lw_reason reason;

	if (!lw_cycle_ready(cycle, index, &reason))
		return lw_cycle_wait(cycle, index, reason);
	if (!lw_cycle_tasks_left(cycle, index))
		return lw_cycle_wait(cycle, index, LW_REASON_WAITS_FOR_OTHER);
	return conserve_plan_tasks(cycle, conserve, index, 1);
}

/* Jobs without a planned start do not rely on planned preemptions, which may prove needless. */
static int conserve_end_keeping(struct lw_conserve *conserve)
{
	if (!conserve->keeps)
		return 0;
	conserve->keeps = false;
	return lw_preempt_views_restore(&conserve->views);
}

/*
 * The first pending task of an array takes its turn with the others; the rest follows at the
 * end.
 */
static int conserve_conservative_plan(struct lw_cycle *cycle, void *own)
{
	struct lw_conserve *conserve = own;
	uint32_t count = cycle->snap->queue.count;
	int rc = lw_conserve_begin(cycle, conserve);

	conserve->keeps = true;
	for (uint32_t i = 0; !rc && i < count; i++) {
		if (!cycle->snap->waiting[conserve->order[i]].planned_s)
			rc = conserve_end_keeping(conserve);
		if (!rc)
			rc = conserve_plan_first_task(cycle, conserve, conserve->order[i]);
	}
	if (!rc)
		rc = conserve_end_keeping(conserve);
	for (uint32_t i = 0; !rc && i < count; i++) {
		uint32_t index = conserve->order[i];

		if (cycle->taken[index])
			rc = conserve_plan_tasks(cycle, conserve, index,
						 lw_cycle_tasks_left(cycle, index));
	}
	return rc;
}

static void conserve_conservative_fini(void *own)
{
	lw_conserve_fini(own);
}

const struct lw_policy_impl lw_policy_conservative = {
	.plan = conserve_conservative_plan,
	.own_size = sizeof(struct lw_conserve),
	.fini = conserve_conservative_fini,
};
