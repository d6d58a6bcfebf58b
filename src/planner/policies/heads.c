/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: heads first, then the jobs behind them: the steps of leeway and of shortest-first. */
#include "planner/policies/heads.h"

#include "planner/cycle/chain.h"
#include "planner/cycle/explain.h"
#include "planner/cycle/gang.h"
#include "planner/cycle/hold.h"
#include "planner/cycle/reserve.h"
#include "planner/cycle/start.h"
#include "planner/cycle/type.h"
#include "planner/policies/patience.h"

#include <errno.h>
#include <string.h>

/*
 * Does it go first, for its deadline or since it lost a node? Such a job leaves its room to no
 * other.
 */
static bool heads_is_urgent(const struct lw_cycle *cycle, uint32_t index)
{
	const struct lw_waiting *job = &cycle->snap->waiting[index];
	const struct lw_order_view view =
		lw_class_queue_view(cycle, lw_cycle_class(cycle, index), job);

	return job->first || (cycle->params->deadlines != LW_DEADLINES_OFF &&
			      lw_order_deadline(&view) == LW_DEADLINE_IN_TIME);
}

/* Should the record, although it has room, leave it to shorter jobs for now? */
static bool heads_may_wait(const struct lw_cycle *cycle, uint32_t index)
{
	int64_t promise_s = lw_cycle_promise(cycle, index);

	/* a chain must not be interrupted */
	if (cycle->snap->waiting[index].constraints.after || heads_is_urgent(cycle, index))
		return false;
	if (lw_patience_is_lost(cycle, index))
		return false;
	return cycle->hooks->deadline_s && cycle->params->hold &&
	       promise_s != LW_NO_TIME &&
	       cycle->snap->now_s <= cycle->hooks->deadline_s(cycle, index, promise_s);
}

/* Start as many of its tasks as have room, and reserve for the next one. */
static int heads_plan_head(struct lw_cycle *cycle, uint32_t index)
{
	uint32_t class = cycle->snap->queue.class_of[index];
	enum lw_reason reason = LW_REASON_WAITS_FOR_ROOM;
	int rc = 0;

	while (!rc && lw_cycle_tasks_left(cycle, index)) {
		const struct lw_alloc *allocs;
		uint32_t count;

		if (!heads_may_wait(cycle, index))
			rc = lw_gang_find_room(cycle, index, &allocs, &count, &reason);
		else
			rc = -ENOSPC;
		if (rc == -ENOMEM)
			return rc;
		if (rc) {
			if (cycle->snap->waiting[index].constraints.now_only ||
			    lw_cycle_is_hopeless(cycle, index))
				return 0;
			rc = lw_cycle_reserve(cycle, index, &reason);
			if (rc == -ENOSPC && reason == LW_REASON_WAITS_FOR_NODES)
				lw_cycle_fail_class(cycle, class, reason);
			return rc == -ENOSPC ? 0 : rc;
		}
		rc = lw_cycle_start(cycle, index, LW_REASON_STARTS_IN_ORDER, allocs, count);
	}
	return rc;
}

/* The record in queue order: does it head its nodes? */
static int heads_plan_turn(struct lw_cycle *cycle, uint32_t index)
{
	int rc = 0;

	if (lw_chain_follows(cycle, index)) {
		rc = lw_chain_plan(cycle, index);
		return rc == -ENOSPC ? 0 : rc;
	}
	if (lw_guard_holds(cycle, index))
		return 0;
	if (!lw_cycle_is_reserved(cycle, index) && lw_cycle_heads_its_nodes(cycle, index)) {
		rc = lw_cycle_hold(cycle, index);
		if (rc < 0)
			return rc;
		/* a held job claims its nodes, since it is ahead of later jobs again */
		rc = rc ? 0 : heads_plan_head(cycle, index);
	}
	if (!rc && lw_cycle_tasks_left(cycle, index))
		lw_cycle_claim_nodes(cycle, index);
	return rc;
}

/* A set of nodes has one head: once all have one, no further job need be looked at. */
static bool heads_all_claimed(const struct lw_cycle *cycle)
{
	return cycle->snap->set_count == 1 && (cycle->claimed[0] & LW_CLAIM);
}

/* Of the jobs at hand, those with a promise. */
static int heads_plan_promised(struct lw_cycle *cycle, uint32_t index)
{
	return lw_cycle_promise(cycle, index) != LW_NO_TIME ? heads_plan_turn(cycle, index) : 0;
}

/*
 * A job that has not waited for long enough heads nothing, but its nodes are claimed: no later job
 * is promised a start there before it is.
 */
static int heads_plan_patient(struct lw_cycle *cycle, uint32_t index)
{
	if (lw_patience_is_over(cycle, index))
		return heads_plan_turn(cycle, index);
	lw_cycle_claim_nodes(cycle, index);
	return 0;
}

/* Give the jobs at places FROM to TO their TURN, until all sets have a head. */
static int heads_plan_turns(struct lw_cycle *cycle, uint32_t from, uint32_t to,
			    int (*turn)(struct lw_cycle *cycle, uint32_t index))
{
	enum lw_reason reason;
	int rc = 0;

	for (uint32_t i = from; !rc && i < to && !heads_all_claimed(cycle); i++) {
		uint32_t index = cycle->snap->queue.order[i];

		rc = lw_cycle_go_on(cycle);
		if (!rc && lw_cycle_ready(cycle, index, &reason) &&
		    lw_cycle_tasks_left(cycle, index))
			rc = turn(cycle, index);
	}
	return rc;
}

/*
 * In the order of the snapshot the first waiting jobs are at hand. A job without a promise does
 * not pass promised jobs behind it, unless the site has put it first.
 */
static int plan_heads_as_given(struct lw_cycle *cycle)
{
	uint32_t count = cycle->snap->queue.count, first = lw_patience_first(cycle);
	int rc = heads_plan_turns(cycle, 0, first, heads_plan_turn);

	if (!rc && first < count)
		rc = heads_plan_turns(cycle, first, count, heads_plan_promised);
	if (!rc && first < count)
		rc = heads_plan_turns(cycle, first, count, heads_plan_patient);
	return rc;
}

static int plan_heads(struct lw_cycle *cycle)
{
	uint32_t index;
	int rc;

	lw_cycle_claim_nothing(cycle);
	if (lw_queue_is_given(cycle->params))
		return plan_heads_as_given(cycle);
	rc = lw_class_queue_begin(cycle, lw_class_queue_queue_key, NULL, NULL);
	while (!rc && !heads_all_claimed(cycle) && lw_class_queue_now(cycle, &index)) {
		rc = lw_cycle_go_on(cycle);
		if (!rc)
			rc = heads_plan_patient(cycle, index);
		/*
		 * a job that did not start has claimed its nodes, or must wait, so that its
		 * class heads nothing
		 */
		if (lw_cycle_tasks_left(cycle, index))
			lw_class_queue_drop(cycle);
		else
			lw_class_queue_again(cycle);
	}
	return rc;
}

/*
 * Can the class fit into what is free on all nodes together? Preemptors are not bound by that.
 */
static bool heads_may_fit(const struct lw_cycle *cycle, uint32_t class_number, const void *arg)
{
	const struct lw_class *class = &cycle->snap->queue.classes[class_number];
	const struct lw_res_sum *all_free = arg;

	if (lw_cycle_class_has_failed(cycle, class_number))
		return false;
	return lw_constraints_preempt(&class->constraints) ||
	       lw_request_may_fit(&class->request, all_free);
}

/* Classes that may fit, and classes that have no room yet. */
static bool heads_may_be_favoured(const struct lw_cycle *cycle, uint32_t class_number,
				  const void *arg)
{
	(void)arg;
	return !lw_cycle_class_has_failed(cycle, class_number) ||
	       lw_cycle_class_failure(cycle, class_number) == LW_REASON_WAITS_FOR_ROOM;
}

/* Does the plan so far keep room for the job, with this record or another variant? */
static bool heads_is_job_reserved(const struct lw_cycle *cycle, uint32_t index)
{
	for (uint32_t r = 0; r < cycle->reservation_count; r++) {
		if (!cycle->reservations[r].over &&
		    lw_cycle_same_job(cycle, cycle->reservations[r].waiting, index))
			return true;
	}
	return false;
}

static int heads_start_turn(struct lw_cycle *cycle, uint32_t index, const struct lw_alloc *allocs,
			    uint32_t count, bool *ret_head_started)
{
	enum lw_reason reason = LW_REASON_STARTS_IN_ORDER;

	*ret_head_started = heads_is_job_reserved(cycle, index);
	if (!lw_cycle_is_reserved(cycle, index))
		reason = lw_cycle_passing(cycle, index, allocs, count);
	return lw_cycle_start(cycle, index, reason, allocs, count);
}

/*
 * Add to the plan why the promised jobs of the class do not start although there is room, and
 * until when: at that time they must be looked at again, even if nothing else happens. The wait
 * ends with the promise.
 */
static void heads_say_it_waits(struct lw_cycle *cycle, uint32_t number, enum lw_reason reason,
			       int64_t until_s)
{
	for (uint32_t r = 0; r < cycle->reservation_count; r++) {
		const struct lw_reservation *resv = &cycle->reservations[r];
		struct lw_decision *decision = &cycle->plan->decisions[resv->decision];
		int64_t end_s = until_s < decision->promise_s ? until_s : decision->promise_s;

		if (resv->over || end_s <= cycle->snap->now_s ||
		    cycle->snap->queue.class_of[resv->waiting] != number)
			continue;
		decision->reason = reason;
		if (decision->start_s < end_s)
			decision->start_s = end_s;
	}
}

/* Find room for a start; a promised job may wait for a nearer domain, or for its type. */
static int heads_find_room(struct lw_cycle *cycle, uint32_t index,
			   const struct lw_alloc **ret_allocs, uint32_t *ret_count,
			   enum lw_reason *ret_reason)
{
	uint32_t number = cycle->snap->queue.class_of[index];
	int rc;

	if (!cycle->params->gang_wait_s || !lw_cycle_is_reserved(cycle, index))
		rc = lw_cycle_find_room(cycle, index, ret_allocs, ret_count, ret_reason);
	else
		rc = lw_gang_find_room(cycle, index, ret_allocs, ret_count, ret_reason);
	if (rc == -EAGAIN)
		heads_say_it_waits(cycle, number, *ret_reason, lw_gang_until(cycle, index));
	else if (rc == -ENOSPC && *ret_reason == LW_REASON_WAITS_FOR_TYPE)
		heads_say_it_waits(cycle, number, *ret_reason, lw_type_until(cycle, index));
	return rc;
}

/*
 * Start one task of the record if it may. -ENOSPC: it has no room (then it may be favoured over
 * later jobs), or yields; -EAGAIN: it waits for nearer nodes.
 */
static int heads_take_turn(struct lw_cycle *cycle, struct lw_heads *heads, uint32_t index,
			   const struct lw_res_sum *all_free, bool *ret_head_started)
{
	uint32_t number = cycle->snap->queue.class_of[index], count;
	enum lw_reason reason = LW_REASON_WAITS_FOR_ROOM;
	const struct lw_alloc *allocs;
	bool may_yield = heads->yields && !heads_is_urgent(cycle, index), yields = false;
	int rc = -ENOSPC;

	if (heads_may_fit(cycle, number, all_free)) {
		if (may_yield) {
			rc = lw_lookahead_yields(cycle, &heads->lookaheads, index, &yields);
			if (rc)
				return rc;
		}
		if (yields) {
			lw_cycle_fail_class(cycle, number, LW_REASON_WAITS_FOR_SHORTER);
			return -ENOSPC;
		}
		rc = heads_find_room(cycle, index, &allocs, &count, &reason);
		if (!rc && may_yield &&
		    lw_whole_nodes_is_left(cycle, &heads->whole, index, allocs, count)) {
			lw_cycle_fail_class(cycle, number, LW_REASON_WAITS_FOR_BROKEN);
			return -ENOSPC;
		}
	}
	if (rc == -ENOSPC && reason == LW_REASON_WAITS_FOR_ROOM && heads->yields)
		lw_lookahead_note(cycle, &heads->lookaheads, index);
	if (rc)
		return rc;
	rc = lw_cycle_hold(cycle, index);
	if (rc)
		return rc < 0 ? rc : -EAGAIN;
	lw_lookahead_started(cycle, &heads->lookaheads, index);
	lw_whole_nodes_started(&heads->whole);
	return heads_start_turn(cycle, index, allocs, count, ret_head_started);
}

/* The longest expected run of the jobs that may fit into what is free together; 0: none. */
static int64_t heads_longest_run(const struct lw_cycle *cycle, const struct lw_res_sum *all_free)
{
	const struct lw_queue *queue = &cycle->snap->queue;
	int64_t longest_s = 0;

	for (uint32_t i = 0; i < queue->active_count; i++) {
		const struct lw_class *class = &queue->classes[queue->active[i]];

		if (class->expected.mean_s > longest_s &&
		    heads_may_fit(cycle, queue->active[i], all_free))
			longest_s = class->expected.mean_s;
	}
	return longest_s;
}

/* Start jobs, the shortest first, until none fits or a promised job has started. */
static int heads_fill(struct lw_cycle *cycle, struct lw_heads *heads, bool *ret_head_started)
{
	const struct lw_res_sum all_free = cycle->all_free; /* before these starts */
	int64_t longest_s;
	uint32_t index;
	int rc;

	*ret_head_started = false;
	longest_s = heads_longest_run(cycle, &all_free);
	if (!longest_s)
		return 0;
	lw_lookahead_begin(cycle, &heads->lookaheads, longest_s);
	lw_whole_nodes_begin(cycle, &heads->whole);
	rc = lw_class_queue_begin(cycle, heads->key,
				  heads->yields ? heads_may_be_favoured : heads_may_fit,
				  &all_free);
	while (!rc && !*ret_head_started && lw_class_queue_now(cycle, &index)) {
		rc = lw_cycle_go_on(cycle);
		if (!rc)
			rc = heads_take_turn(cycle, heads, index, &all_free, ret_head_started);
		if (!rc) {
			lw_class_queue_again(cycle);
		} else if (rc == -ENOSPC || rc == -EAGAIN) {
			lw_class_queue_drop(cycle);
			rc = 0;
		}
	}
	return rc;
}

/* A reservation is gone: jobs that would have delayed it may now start. */
static void heads_forgive(struct lw_cycle *cycle)
{
	const struct lw_queue *queue = &cycle->snap->queue;

	for (uint32_t i = 0; i < queue->active_count; i++) {
		uint32_t class = queue->active[i];
		enum lw_reason reason;

		if (!lw_cycle_class_has_failed(cycle, class))
			continue;
		reason = lw_cycle_class_failure(cycle, class);
		if (reason == LW_REASON_WAITS_FOR_HEAD || reason == LW_REASON_WAITS_FOR_SHORTER ||
		    reason == LW_REASON_WAITS_FOR_BROKEN || reason == LW_REASON_WAITS_FOR_TYPE)
			lw_cycle_forgive_class(cycle, class);
	}
}

int lw_heads_plan(struct lw_cycle *cycle, struct lw_heads *heads)
{
	bool head_started = false;
	int rc = lw_guard_plan(cycle);

	if (!rc)
		rc = lw_type_begin(cycle, heads->key, true);
	if (rc)
		return rc;
	do {
		rc = plan_heads(cycle);
		if (!rc)
			rc = heads_fill(cycle, heads, &head_started);
		if (!rc && head_started)
			heads_forgive(cycle);
	} while (!rc && head_started);
	if (!rc && !cycle->params->terse)
		rc = lw_explain_waits(cycle);
	return rc;
}
