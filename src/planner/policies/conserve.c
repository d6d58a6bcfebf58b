/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: conservative backfilling: every job has a reservation. */

/*
 * Each job in turn gets the earliest start at which it fits for its whole limit beside
 * all that run and all that had their turn (Mu'alem, Feitelson, "Utilization,
 * predictability, workloads, and user runtime estimates", IEEE TPDS 12(6), 2001). The
 * plan is made anew every time, which is their compression when a job ended early.
 *
 * Jobs with a start planned by the last cycle have their turn first, in order of these
 * starts, then the others in order of the queue. On a single pool no start gets later
 * then: who has a turn before another and starts earlier than it did also leaves earlier,
 * and so takes nothing at the time planned for the other that was not its own. Over
 * nodes, where a job that starts earlier may take other nodes, nearly so.
 *
 * Who is put off by a job does not stand in its way, and who will be put off by it may pass it:
 * such jobs look at profiles of their own (planner/time/profile_view.h).
 *
 * Costs a search in the profile for each job, which starts where the last one of its
 * class ended, so O(jobs * moments) on a pool; planner/time/profile.h has the rest.
 */
#include "planner/policies/conserve.h"

#include "base/grow.h"
#include "planner/cycle/preempt.h"
#include "planner/cycle/start.h"
#include "planner/cycle/turns.h"
#include "planner/policies/impl.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/*
 * Of one job, how many of these on other nodes at the same time, and in a plan; those of jobs that
 * only give way are counted by themselves, that they use up nobody's who may preempt.
 */
#define TRIES_MAX	  8
#define TRIES_OF_NODES	  4
#define TRIES_OF_ALL_MAX  200
#define PASSES_OF_ALL_MAX 100

void lw_conserve_fini(struct lw_conserve *conserve)
{
	lw_profile_fini(&conserve->profile);
	lw_views_fini(&conserve->views);
	free(conserve->order);
	free(conserve->class_from_s);
	free(conserve->class_view_s);
	free(conserve->given);
	memset(conserve, 0, sizeof(*conserve));
}

static int compare_turns(const void *a, const void *b, void *arg)
{
	const struct lw_walk *walk = arg;
	const struct lw_queue *queue = &walk->snap->queue;
	uint32_t i = *(const uint32_t *)a, j = *(const uint32_t *)b;
	const struct lw_waiting *x = &walk->snap->waiting[i],
				*y = &walk->snap->waiting[j];
	int rank;

	if (!x->planned_s != !y->planned_s)
		return x->planned_s ? -1 : 1;
	if (x->planned_s != y->planned_s)
		return x->planned_s < y->planned_s ? -1 : 1;
	/* who may put off others can do with what those leave that may not */
	if (x->planned_s && lw_terms_preempt(&x->terms) != lw_terms_preempt(&y->terms))
		return lw_terms_preempt(&y->terms) ? -1 : 1;
	if (!lw_order_is_given(walk->params->order) && x->terms.tier != y->terms.tier)
		return x->terms.tier > y->terms.tier ? -1 : 1;
	rank = lw_rank_compare(
		lw_turns_queue_key(walk, &queue->classes[queue->class_of[i]], x),
		lw_turns_queue_key(walk, &queue->classes[queue->class_of[j]], y));
	if (rank)
		return rank;
	return queue->seq[i] < queue->seq[j] ? -1 : queue->seq[i] > queue->seq[j];
}

/* Any of any class may start now, for all that is known. */
static void forget_starts(const struct lw_walk *walk, struct lw_conserve *conserve)
{
	for (uint32_t i = 0; i < walk->snap->queue.class_count; i++)
		conserve->class_from_s[i] = conserve->class_view_s[i] = walk->snap->now_s;
}

static void forget_tries(struct lw_conserve *conserve)
{
	conserve->tries = conserve->passes = 0;
}

int lw_conserve_begin(struct lw_walk *walk, struct lw_conserve *conserve)
{
	const struct lw_queue *queue = &walk->snap->queue;

	if (lw_profile_begin(&conserve->profile, walk->snap) ||
	    lw_views_begin(&conserve->views, walk->snap, walk->plan, &conserve->profile) ||
	    lw_grow((void **)&conserve->order, &conserve->order_room, queue->count,
		    sizeof(*conserve->order)) ||
	    lw_grow((void **)&conserve->given, &conserve->given_room,
		    walk->snap->running_count + 1, sizeof(*conserve->given)) ||
	    lw_grow((void **)&conserve->class_from_s, &conserve->class_room,
		    queue->class_count, sizeof(*conserve->class_from_s)) ||
	    lw_grow((void **)&conserve->class_view_s, &conserve->view_room,
		    queue->class_count, sizeof(*conserve->class_view_s)))
		return -ENOMEM;
	walk->bound.profile = &conserve->profile;
	walk->bound.views = &conserve->views;
	forget_starts(walk, conserve);
	forget_tries(conserve);
	conserve->keeps = false;
	memset(conserve->given, 0, walk->snap->running_count * sizeof(*conserve->given));
	if (!queue->count)
		return 0;
	memcpy(conserve->order, queue->order, queue->count * sizeof(*conserve->order));
	qsort_r(conserve->order, queue->count, sizeof(*conserve->order), compare_turns,
		walk);
	return 0;
}

/* The earliest room in PROFILE, not before *from_s, which is moved on to it. */
static int search(struct lw_walk *walk, uint32_t index, struct lw_profile *profile,
		  int64_t *from_s, struct lw_profile_fit *ret_fit)
{
	const struct lw_waiting *job = &walk->snap->waiting[index];
	struct lw_room room = lw_walk_room(walk, job);
	int rc;

	if (*from_s == INT64_MAX)
		return -ENOSPC;
	if (*from_s < job->terms.earliest_s)
		*from_s = job->terms.earliest_s;
	ret_fit->start_s = *from_s;
	rc = lw_profile_find(profile, &room, &job->request, job->limit_s, walk->placer, ret_fit);
	/* what is taken in a cycle stays taken, so the next of the class comes no earlier
	 */
	*from_s = rc ? INT64_MAX : ret_fit->start_s;
	return rc;
}

/*
 * As lw_conserve_find(), for a job with a VIEW:
 *
 *   1. look for the earliest room in its view, where neither the jobs it preempts nor the
 *      reservations it gives way to are. If there are none of either, or it may only start now and
 *      has no room now, that is the answer;
 *   2. if by then it has room with everything in its way too, take that: nobody need give way;
 *   3. else try what was found (lw_view_try()). Jobs are preempted only where it has no room at its
 *      start; those that stay may, with a reservation that begins later, take its room then;
 *   4. if the room lasts for the whole limit, take it. If not, the nodes that lacked room are shut
 *      for this job: go on at 1 with other nodes, and after TRIES_OF_NODES with a later start.
 *
 * A try costs as much as a search and more. So after TRIES_MAX for the job, or when all tries of
 * the plan are used up, it starts as late as if everything stood in its way.
 */
static int find_in_view(struct lw_walk *walk, struct lw_conserve *conserve, uint32_t index,
			struct lw_view *view, struct lw_profile_fit *ret_fit)
{
	const struct lw_waiting *job = &walk->snap->waiting[index];
	uint32_t class = walk->snap->queue.class_of[index];
	int64_t *from_s = &conserve->class_from_s[class];
	int64_t *view_s = &conserve->class_view_s[class];
	bool preempts = lw_terms_preempt(&job->terms);
	uint32_t *of_all = preempts ? &conserve->tries : &conserve->passes;
	uint32_t all_max = preempts ? TRIES_OF_ALL_MAX : PASSES_OF_ALL_MAX;

	for (uint32_t tries = 0;; tries++) {
		int rc = search(walk, index, &view->profile, view_s, ret_fit);
		int64_t limit_s = lw_waiting_end_s(job, *view_s), end_s = limit_s;

		/* who may only start now waits */
		if (rc || !view->away || (job->terms.now_only && *view_s > walk->snap->now_s))
			return rc;
		/* nobody gives way where nobody need */
		if (*from_s <= *view_s) {
			rc = search(walk, index, &conserve->profile, from_s, ret_fit);
			if (!rc && *from_s <= *view_s)
				return 0;
			continue;
		}
		if (tries >= TRIES_MAX || *of_all >= all_max)
			return search(walk, index, &conserve->profile, from_s, ret_fit);
		if (lw_view_try(&conserve->views, view, ret_fit, &end_s))
			return -ENOMEM;
		if (end_s == limit_s)
			return 0;
		++*of_all;
		/* a start by then puts off who is in the way then */
		if (tries >= TRIES_OF_NODES)
			*view_s = end_s;
	}
}

int lw_conserve_find(struct lw_walk *walk, struct lw_conserve *conserve, uint32_t index,
		     struct lw_profile_fit *ret_fit)
{
	const struct lw_waiting *job = &walk->snap->waiting[index];
	struct lw_view *view = lw_views_of(&conserve->views, job);
	uint32_t class = walk->snap->queue.class_of[index];
	int rc;

	if (!view)
		return search(walk, index, &conserve->profile, &conserve->class_from_s[class],
			      ret_fit);
	if (lw_view_turn(&conserve->views, view, job))
		return -ENOMEM;
	rc = find_in_view(walk, conserve, index, view, ret_fit);
	return lw_view_open(&conserve->views, view) ? -ENOMEM : rc;
}

int lw_conserve_take(struct lw_walk *walk, struct lw_conserve *conserve, uint32_t index,
		     const struct lw_profile_fit *fit)
{
	int64_t end_s = lw_waiting_end_s(&walk->snap->waiting[index], fit->start_s);
	int rc = lw_profile_take(&conserve->profile, fit->start_s, end_s, fit->allocs,
				 fit->alloc_count);

	return rc ? rc : lw_views_take(&conserve->views, fit, end_s);
}

/* Who will be put off for a reservation is gone then to those that a start was planned for. */
static int settle(struct lw_walk *walk, struct lw_conserve *conserve, uint32_t index,
		  const struct lw_profile_fit *fit)
{
	const struct lw_waiting *job = &walk->snap->waiting[index];
	struct lw_view *view = lw_views_of(&conserve->views, job);
	int rc;

	/* a reservation for now waits for what only starts now, and may be put off next */
	if (!view || !conserve->keeps || fit->start_s <= walk->snap->now_s)
		return 0;
	rc = lw_view_settle(&conserve->views, view, fit);
	/* others of a class may have room sooner than those before */
	if (rc > 0)
		forget_starts(walk, conserve);
	return rc < 0 ? rc : 0;
}

static int reserve(struct lw_walk *walk, struct lw_conserve *conserve, uint32_t index,
		   const struct lw_profile_fit *fit)
{
	struct lw_decision decision =
		lw_walk_decision(walk, index, LW_RESERVE, LW_REASON_RESERVED, fit->start_s);

	if (decision.promise_s == LW_NO_TIME)
		decision.promise_s = fit->start_s;
	decision.latest_s = decision.promise_s;
	if (settle(walk, conserve, index, fit) ||
	    lw_conserve_take(walk, conserve, index, fit) ||
	    lw_plan_add(walk->plan, &decision, fit->allocs, fit->alloc_count))
		return -ENOMEM;
	return lw_views_note(&conserve->views, walk->plan->decision_count - 1);
}

/* Who was put off leaves all its nodes, for good. */
static int give_back(struct lw_walk *walk, struct lw_conserve *conserve)
{
	const struct lw_snapshot *snap = walk->snap;
	bool any = false;

	for (uint32_t r = 0; r < snap->running_count; r++) {
		if (!walk->preempted[r] || conserve->given[r])
			continue;
		any = conserve->given[r] = true;
		if (lw_views_drop(&conserve->views, r))
			return -ENOMEM;
	}
	/* others of a class may have room sooner than those before */
	if (any) {
		forget_starts(walk, conserve);
		forget_tries(conserve);
	}
	return 0;
}

static int start(struct lw_walk *walk, struct lw_conserve *conserve, uint32_t index,
		 const struct lw_profile_fit *fit)
{
	int rc = lw_walk_start(walk, index,
			       walk->plan->reserved ? LW_REASON_STARTS_BACKFILLED
						    : LW_REASON_STARTS_IN_ORDER,
			       fit->allocs, fit->alloc_count);

	if (!rc && lw_terms_preempt(&walk->snap->waiting[index].terms))
		rc = give_back(walk, conserve);
	if (!rc)
		rc = lw_conserve_take(walk, conserve, index, fit);
	return rc ? rc : lw_views_note(&conserve->views, walk->plan->decision_count - 1);
}

static int give_up(struct lw_walk *walk, uint32_t index)
{
	return lw_walk_wait(walk, index,
			    lw_walk_ever_fits(walk, index) ? LW_REASON_WAITS_FOR_ROOM
							   : LW_REASON_WAITS_FOR_NODES);
}

static int wait_until(struct lw_walk *walk, struct lw_conserve *conserve, uint32_t index,
		      const struct lw_profile_fit *fit)
{
	if (walk->snap->waiting[index].terms.now_only)
		return lw_walk_wait(walk, index, LW_REASON_WAITS_FOR_ROOM);
	return reserve(walk, conserve, index, fit);
}

/* Up to COUNT tasks of the record: those that fit now start, the next one has a
 * reservation. */
static int plan_tasks(struct lw_walk *walk, struct lw_conserve *conserve, uint32_t index,
		      uint32_t count)
{
	for (; count; count--) {
		struct lw_profile_fit fit;
		int rc = lw_walk_go_on(walk);

		if (rc)
			return rc;
		rc = lw_conserve_find(walk, conserve, index, &fit);
		if (rc)
			return rc == -ENOSPC ? give_up(walk, index) : rc;
		if (fit.start_s > walk->snap->now_s ||
		    !lw_preempt_has_room(walk, index, fit.allocs, fit.alloc_count))
			return wait_until(walk, conserve, index, &fit);
		rc = start(walk, conserve, index, &fit);
		if (rc)
			return rc;
	}
	return 0;
}

static int plan_first_task(struct lw_walk *walk, struct lw_conserve *conserve,
			   uint32_t index)
{
	enum lw_reason reason;

	if (!lw_walk_ready(walk, index, &reason))
		return lw_walk_wait(walk, index, reason);
	if (!lw_walk_tasks_left(walk, index))
		return lw_walk_wait(walk, index, LW_REASON_WAITS_FOR_OTHER);
	return plan_tasks(walk, conserve, index, 1);
}

/* Those without a planned start count on no preemption to come, which may not be needed then. */
static int end_keeping(struct lw_conserve *conserve)
{
	if (!conserve->keeps)
		return 0;
	conserve->keeps = false;
	return lw_views_restore(&conserve->views);
}

/* Of an array the first pending task has a turn with the others; the rest comes behind
 * all. */
static int conservative_plan(struct lw_walk *walk, void *own)
{
	struct lw_conserve *conserve = own;
	uint32_t count = walk->snap->queue.count;
	int rc = lw_conserve_begin(walk, conserve);

	conserve->keeps = true;
	for (uint32_t i = 0; !rc && i < count; i++) {
		if (!walk->snap->waiting[conserve->order[i]].planned_s)
			rc = end_keeping(conserve);
		if (!rc)
			rc = plan_first_task(walk, conserve, conserve->order[i]);
	}
	if (!rc)
		rc = end_keeping(conserve);
	for (uint32_t i = 0; !rc && i < count; i++) {
		uint32_t index = conserve->order[i];

		if (walk->taken[index])
			rc = plan_tasks(walk, conserve, index,
					lw_walk_tasks_left(walk, index));
	}
	return rc;
}

static void conservative_fini(void *own)
{
	lw_conserve_fini(own);
}

const struct lw_policy_impl lw_policy_conservative = {
	.plan = conservative_plan,
	.own_size = sizeof(struct lw_conserve),
	.fini = conservative_fini,
};
