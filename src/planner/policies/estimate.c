/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: likely starts of the jobs that only wait in a plan, for users. */

/*
 * Most policies reserve room for few jobs, and users want to know about the others, too. The
 * starts and reservations of the plan come first, then the queue in its order, each job as early
 * as it fits by hard limits. This decides and promises nothing: the next cycle makes it anew,
 * and jobs start earlier when others end early or let them pass.
 */
#include "planner/policies/estimate.h"

#include "base/grow.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* By count, not by time: the same snapshot always has the same estimate. */
#define LOOKS_MAX 4000000
#define JOBS_MAX  1000

void lw_estimate_fini(struct lw_estimate *estimate)
{
	free(estimate->told);
	lw_conserve_fini(&estimate->conserve);
	memset(estimate, 0, sizeof(*estimate));
}

static uint8_t *estimate_told_of(const struct lw_estimate *estimate, const struct lw_cycle *cycle,
				 uint32_t index)
{
	return &estimate->told[cycle->first_variant ? cycle->first_variant[index] : index];
}

/* Take the starts that have room; a start by preemption takes what other jobs still hold. */
static int estimate_take_starts(const struct lw_estimate *estimate, struct lw_cycle *cycle,
				struct lw_conserve *conserve)
{
	const struct lw_plan *plan = cycle->plan;

	for (uint32_t i = 0; i < plan->decision_count; i++) {
		const struct lw_decision *decision = &plan->decisions[i];
		struct lw_profile_fit fit = {
			.start_s = cycle->snap->now_s,
			.allocs = lw_decision_allocs(plan, decision),
			.alloc_count = decision->alloc_count,
		};

		if (decision->verdict == LW_WAIT)
			continue;
		*estimate_told_of(estimate, cycle, decision->waiting) = 1;
		if (decision->verdict == LW_START &&
		    decision->reason != LW_REASON_STARTS_PREEMPTING &&
		    (lw_conserve_take(cycle, conserve, decision->waiting, &fit) ||
		     lw_preempt_views_note(&conserve->views, i)))
			return -ENOMEM;
	}
	return 0;
}

/* Room for INDEX; -ENOSPC if it never has any, or no room may be kept for it. */
static int estimate_look_ahead(struct lw_cycle *cycle, struct lw_conserve *conserve,
			       uint32_t index, struct lw_profile_fit *ret_fit)
{
	int rc;

	if (cycle->snap->waiting[index].constraints.now_only)
		return -ENOSPC;
	rc = lw_conserve_find(cycle, conserve, index, ret_fit);
	return rc ? rc : lw_conserve_take(cycle, conserve, index, ret_fit);
}

/* Search anew: a promise that may slip overlaps with jobs that pass it. */
static int estimate_take_reservations(struct lw_cycle *cycle, struct lw_conserve *conserve)
{
	const struct lw_plan *plan = cycle->plan;
	int rc = 0;

	for (uint32_t i = 0; i < plan->decision_count && rc != -ENOMEM; i++) {
		struct lw_profile_fit fit;

		if (plan->decisions[i].verdict == LW_RESERVE)
			rc = estimate_look_ahead(cycle, conserve, plan->decisions[i].waiting,
						 &fit);
	}
	return rc == -ENOMEM ? rc : 0;
}

static int estimate_add(const struct lw_cycle *cycle, uint32_t index,
			const struct lw_profile_fit *fit, struct lw_plan *plan)
{
	struct lw_decision decision =
		lw_cycle_decision(cycle, index, LW_RESERVE, LW_REASON_RESERVED, fit->start_s);

	/* it has room and waits for something else */
	if (fit->start_s <= cycle->snap->now_s)
		return 0;
	decision.promise_s = LW_NO_TIME;
	return lw_plan_add(plan, &decision, fit->allocs, fit->alloc_count);
}

/*
 * A search for ALLOCS nodes looks at each node and at all its moments, at worst. To take them
 * costs as much again for each of the moments of these nodes.
 */
static void estimate_count_looks(struct lw_estimate *estimate, const struct lw_snapshot *snap,
				 uint32_t allocs)
{
	uint64_t nodes = 1 + (uint64_t)snap->node_count;
	uint64_t moments = 2 * (uint64_t)snap->running_count + estimate->moments;
	uint64_t looks = nodes + moments + 2 * allocs * (1 + estimate->moments / nodes);

	estimate->looks -= looks < estimate->looks ? looks : estimate->looks;
	estimate->moments += 2 * (uint64_t)allocs;
	estimate->jobs--;
}

static int estimate_look_at(struct lw_estimate *estimate, struct lw_cycle *cycle, uint32_t index,
			    struct lw_plan *plan)
{
	uint8_t *told = estimate_told_of(estimate, cycle, index);
	struct lw_profile_fit fit;
	enum lw_reason reason;
	int rc;

	if (*told || !lw_cycle_ready(cycle, index, &reason))
		return 0;
	*told = 1;
	rc = estimate_look_ahead(cycle, &estimate->conserve, index, &fit);
	estimate_count_looks(estimate, cycle->snap, rc ? 0 : fit.alloc_count);
	if (!rc)
		rc = estimate_add(cycle, index, &fit, plan);
	return rc == -ENOMEM ? rc : 0;
}

static int estimate_begin(struct lw_estimate *estimate, struct lw_cycle *cycle)
{
	uint32_t records = cycle->snap->waiting_count;

	if (lw_conserve_begin(cycle, &estimate->conserve) ||
	    lw_grow((void **)&estimate->told, &estimate->told_room, records,
		    sizeof(*estimate->told)))
		return -ENOMEM;
	memset(estimate->told, 0, records * sizeof(*estimate->told));
	estimate->jobs = JOBS_MAX;
	estimate->looks = LOOKS_MAX;
	estimate->moments = 0;
	return 0;
}

int lw_estimate_make(struct lw_estimate *estimate, struct lw_cycle *cycle,
		     struct lw_plan *ret_plan)
{
	struct lw_conserve *conserve = &estimate->conserve;
	uint32_t waiting = cycle->snap->queue.count;
	int rc;

	lw_plan_clear(ret_plan);
	if (!waiting)
		return 0;
	rc = estimate_begin(estimate, cycle);
	if (!rc)
		rc = estimate_take_starts(estimate, cycle, conserve);
	if (!rc)
		rc = estimate_take_reservations(cycle, conserve);
	for (uint32_t i = 0; !rc && i < waiting && estimate->jobs && estimate->looks; i++) {
		if (lw_cycle_go_on(cycle))
			break;
		rc = estimate_look_at(estimate, cycle, conserve->order[i], ret_plan);
	}
	return rc;
}
