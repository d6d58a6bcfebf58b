/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: when those that only wait in a plan might start, for people to look at. */

/*
 * Most policies reserve room for few jobs; users want to know of the others, too. The plan's
 * starts and reservations come first, then the queue in its order, each as early as it fits
 * by hard limits. Nothing is decided by it, and it is no promise: the next cycle makes it
 * anew, and jobs start earlier when others end early or let them pass.
 */
#include "planner/policies/outlook.h"

#include "base/grow.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void lw_outlook_fini(struct lw_outlook *outlook)
{
	free(outlook->told);
	lw_conserve_fini(&outlook->conserve);
	memset(outlook, 0, sizeof(*outlook));
}

static uint8_t *told_of(const struct lw_outlook *outlook, const struct lw_walk *walk,
			uint32_t index)
{
	return &outlook->told[walk->first_variant ? walk->first_variant[index] : index];
}

/* What starts now, and has room for it: who preempts takes what others still hold. */
static int take_starts(const struct lw_outlook *outlook, struct lw_walk *walk,
		       struct lw_conserve *conserve)
{
	const struct lw_plan *plan = walk->plan;

	for (uint32_t i = 0; i < plan->decision_count; i++) {
		const struct lw_decision *decision = &plan->decisions[i];
		struct lw_profile_fit fit = {
			.start_s = walk->snap->now_s,
			.allocs = lw_decision_allocs(plan, decision),
			.alloc_count = decision->alloc_count,
		};

		if (decision->verdict == LW_WAIT)
			continue;
		*told_of(outlook, walk, decision->waiting) = 1;
		if (decision->verdict == LW_START &&
		    decision->reason != LW_REASON_STARTS_PREEMPTING &&
		    (lw_conserve_take(walk, conserve, decision->waiting, &fit) ||
		     lw_views_note(&conserve->views, i)))
			return -ENOMEM;
	}
	return 0;
}

/* Room for INDEX; -ENOSPC if it never has any, or may have none kept. */
static int look_ahead(struct lw_walk *walk, struct lw_conserve *conserve, uint32_t index,
		      struct lw_profile_fit *ret_fit)
{
	int rc;

	if (walk->snap->waiting[index].terms.now_only)
		return -ENOSPC;
	rc = lw_conserve_find(walk, conserve, index, ret_fit);
	return rc ? rc : lw_conserve_take(walk, conserve, index, ret_fit);
}

/* Not where the plan has them: a promise that may slip overlaps with who passes it. */
static int take_reservations(struct lw_walk *walk, struct lw_conserve *conserve)
{
	const struct lw_plan *plan = walk->plan;
	int rc = 0;

	for (uint32_t i = 0; i < plan->decision_count && rc != -ENOMEM; i++) {
		struct lw_profile_fit fit;

		if (plan->decisions[i].verdict == LW_RESERVE)
			rc = look_ahead(walk, conserve, plan->decisions[i].waiting, &fit);
	}
	return rc == -ENOMEM ? rc : 0;
}

static int add(const struct lw_walk *walk, uint32_t index, const struct lw_profile_fit *fit,
	       struct lw_plan *plan)
{
	struct lw_decision decision =
		lw_walk_decision(walk, index, LW_RESERVE, LW_REASON_RESERVED, fit->start_s);

	/* it has room and has to wait for something else */
	if (fit->start_s <= walk->snap->now_s)
		return 0;
	decision.promise_s = LW_NO_TIME;
	return lw_plan_add(plan, &decision, fit->allocs, fit->alloc_count);
}

/* LEFT counts those that may still be looked for. */
static int look_at(const struct lw_outlook *outlook, struct lw_walk *walk,
		   struct lw_conserve *conserve, uint32_t index, uint32_t *left,
		   struct lw_plan *plan)
{
	uint8_t *told = told_of(outlook, walk, index);
	struct lw_profile_fit fit;
	enum lw_reason reason;
	int rc;

	if (*told || !lw_walk_ready(walk, index, &reason))
		return 0;
	*told = 1;
	--*left;
	rc = look_ahead(walk, conserve, index, &fit);
	if (!rc)
		rc = add(walk, index, &fit, plan);
	return rc == -ENOMEM ? rc : 0;
}

int lw_outlook_make(struct lw_outlook *outlook, struct lw_walk *walk, uint32_t count,
		    struct lw_plan *ret_plan)
{
	struct lw_conserve *conserve = &outlook->conserve;
	uint32_t waiting = walk->snap->queue.count;
	int rc;

	lw_plan_clear(ret_plan);
	if (!waiting)
		return 0;
	if (lw_conserve_begin(walk, conserve) ||
	    lw_grow((void **)&outlook->told, &outlook->told_room, walk->snap->waiting_count,
		    sizeof(*outlook->told)))
		return -ENOMEM;
	memset(outlook->told, 0, walk->snap->waiting_count * sizeof(*outlook->told));
	rc = take_starts(outlook, walk, conserve);
	if (!rc)
		rc = take_reservations(walk, conserve);
	for (uint32_t i = 0; !rc && i < waiting && count && !lw_walk_go_on(walk); i++)
		rc = look_at(outlook, walk, conserve, conserve->order[i], &count, ret_plan);
	return rc;
}
