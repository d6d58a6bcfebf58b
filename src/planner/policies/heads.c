/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: heads first, then those behind them: leeway's steps, and shortest-first filling. */
#include "planner/policies/heads.h"

#include "planner/cycle/explain.h"
#include "planner/cycle/gang.h"
#include "planner/cycle/reserve.h"
#include "planner/cycle/start.h"

#include <errno.h>
#include <string.h>

/* Does the record, if it has room, leave it to shorter ones for the time being? */
static bool may_wait(const struct lw_walk *walk, uint32_t index)
{
	int64_t promise_s = lw_walk_promise(walk, index);

	return walk->hooks->deadline_s && walk->params->leeway.hold &&
	       promise_s != LW_NO_TIME &&
	       walk->snap->now_s <= walk->hooks->deadline_s(walk, index, promise_s);
}

/* Start as many of its tasks as have room, and reserve for the next. */
static int plan_head(struct lw_walk *walk, uint32_t index)
{
	uint32_t class = walk->snap->queue.class_of[index];
	enum lw_reason reason = LW_REASON_WAITS_FOR_ROOM;
	int rc = 0;

	while (!rc && lw_walk_tasks_left(walk, index)) {
		const struct lw_alloc *allocs;
		uint32_t count;

		if (may_wait(walk, index) ||
		    lw_gang_find_room(walk, index, &allocs, &count, &reason)) {
			if (walk->snap->waiting[index].terms.now_only ||
			    lw_walk_is_hopeless(walk, index))
				return 0;
			rc = lw_walk_reserve(walk, index, &reason);
			if (rc == -ENOSPC && reason == LW_REASON_WAITS_FOR_NODES)
				lw_walk_fail_class(walk, class, reason);
			return rc == -ENOSPC ? 0 : rc;
		}
		rc = lw_walk_start(walk, index, LW_REASON_STARTS_IN_ORDER, allocs, count);
	}
	return rc;
}

/* The record's turn in the order of the queue: does it head its nodes? */
static int plan_turn(struct lw_walk *walk, uint32_t index)
{
	int rc = 0;

	if (!lw_walk_is_reserved(walk, index) && lw_walk_heads_its_nodes(walk, index))
		rc = plan_head(walk, index);
	if (!rc && lw_walk_tasks_left(walk, index))
		lw_walk_claim_nodes(walk, index);
	return rc;
}

/* One set of nodes has one head: then there is no need to look further. */
static bool all_claimed(const struct lw_walk *walk)
{
	return walk->snap->set_count == 1 && (walk->claimed[0] & LW_CLAIM);
}

/* In the order of the snapshot the first that wait are at hand. */
static int plan_heads_as_given(struct lw_walk *walk)
{
	const struct lw_queue *queue = &walk->snap->queue;
	enum lw_reason reason;
	int rc = 0;

	for (uint32_t i = 0; !rc && i < queue->count && !all_claimed(walk); i++) {
		uint32_t index = queue->order[i];

		rc = lw_walk_go_on(walk);
		if (!rc && lw_walk_ready(walk, index, &reason) &&
		    lw_walk_tasks_left(walk, index))
			rc = plan_turn(walk, index);
	}
	return rc;
}

static int plan_heads(struct lw_walk *walk)
{
	uint32_t index;
	int rc;

	memset(walk->claimed, 0, walk->snap->set_count);
	if (lw_order_is_given(walk->params->order))
		return plan_heads_as_given(walk);
	rc = lw_turns_begin(walk, lw_turns_queue_key, NULL, NULL);
	while (!rc && !all_claimed(walk) && lw_turns_now(walk, &index)) {
		rc = lw_walk_go_on(walk);
		if (!rc)
			rc = plan_turn(walk, index);
		/* a job that did not start has claimed its nodes, so its class heads nothing */
		if (lw_walk_tasks_left(walk, index))
			lw_turns_drop(walk);
		else
			lw_turns_again(walk);
	}
	return rc;
}

/* What is free on all nodes together: more GPUs than one node's counter holds. */
struct all_free {
	uint64_t cpus, gpus;
};

/*
 * Can the class fit, as far as a look at all that is free together can tell? Who preempts others
 * is not bound to that.
 */
static bool may_fit(const struct lw_walk *walk, uint32_t class_number, const void *arg)
{
	const struct lw_class *class = &walk->snap->queue.classes[class_number];
	const struct lw_request *req = &class->request;
	const struct all_free *all_free = arg;
	uint64_t cpus = (uint64_t)req->nodes_min * req->cpus_per_node;
	uint64_t gpus = (uint64_t)req->nodes_min * req->gpus_per_node;

	if (lw_walk_class_has_failed(walk, class_number))
		return false;
	return lw_terms_preempt(&class->terms) ||
	       (cpus <= all_free->cpus && req->cpus_total <= all_free->cpus &&
		gpus <= all_free->gpus && req->gpus_total <= all_free->gpus);
}

/* Who may fit, and who has no room yet. */
static bool may_be_favoured(const struct lw_walk *walk, uint32_t class_number, const void *arg)
{
	(void)arg;
	return !lw_walk_class_has_failed(walk, class_number) ||
	       lw_walk_class_failure(walk, class_number) == LW_REASON_WAITS_FOR_ROOM;
}

/* Does the plan so far keep room for the job, as this record or another one? */
static bool is_job_reserved(const struct lw_walk *walk, uint32_t index)
{
	for (uint32_t r = 0; r < walk->reservation_count; r++) {
		if (!walk->reservations[r].over &&
		    lw_walk_same_job(walk, walk->reservations[r].waiting, index))
			return true;
	}
	return false;
}

static int start_turn(struct lw_walk *walk, uint32_t index, const struct lw_alloc *allocs,
		      uint32_t count, bool *ret_head_started)
{
	enum lw_reason reason = LW_REASON_STARTS_IN_ORDER;

	*ret_head_started = is_job_reserved(walk, index);
	if (!lw_walk_is_reserved(walk, index))
		reason = lw_walk_passing(walk, index, allocs, count);
	return lw_walk_start(walk, index, reason, allocs, count);
}

/* The plan says why a promised job with room does not start. */
static void say_it_waits(struct lw_walk *walk, uint32_t index)
{
	int64_t until_s = lw_gang_until(walk, index);

	for (uint32_t r = 0; r < walk->reservation_count; r++) {
		const struct lw_reservation *resv = &walk->reservations[r];
		struct lw_decision *decision = &walk->plan->decisions[resv->decision];

		if (resv->over || resv->waiting != index)
			continue;
		decision->reason = LW_REASON_WAITS_FOR_NEARER;
		if (decision->start_s < until_s)
			decision->start_s = until_s;
	}
}

/* Room for a start in turn; a job with a reservation may wait for a nearer domain. */
static int find_room(struct lw_walk *walk, uint32_t index, const struct lw_alloc **ret_allocs,
		     uint32_t *ret_count, enum lw_reason *ret_reason)
{
	int rc;

	if (!walk->params->gang_wait_s || !lw_walk_is_reserved(walk, index))
		return lw_walk_find_room(walk, index, ret_allocs, ret_count, ret_reason);
	rc = lw_gang_find_room(walk, index, ret_allocs, ret_count, ret_reason);
	if (rc == -EAGAIN)
		say_it_waits(walk, index);
	return rc;
}

/*
 * Start one task of the record if it may. -ENOSPC: it has no room (then it may be favoured
 * over those that follow), or gives way; -EAGAIN: it waits for nearer nodes.
 */
static int take_turn(struct lw_walk *walk, struct lw_heads *heads, uint32_t index,
		     const struct all_free *all_free, bool *ret_head_started)
{
	uint32_t number = walk->snap->queue.class_of[index], count;
	enum lw_reason reason = LW_REASON_WAITS_FOR_ROOM;
	const struct lw_alloc *allocs;
	bool gives_way = false;
	int rc = -ENOSPC;

	if (may_fit(walk, number, all_free)) {
		if (heads->yields) {
			rc = lw_favour_gives_way(walk, &heads->favours, index, &gives_way);
			if (rc)
				return rc;
		}
		if (gives_way) {
			lw_walk_fail_class(walk, number, LW_REASON_WAITS_FOR_SHORTER);
			return -ENOSPC;
		}
		rc = find_room(walk, index, &allocs, &count, &reason);
		if (!rc && heads->yields &&
		    lw_whole_is_left(walk, &heads->whole, index, allocs, count)) {
			lw_walk_fail_class(walk, number, LW_REASON_WAITS_FOR_BROKEN);
			return -ENOSPC;
		}
	}
	if (rc == -ENOSPC && reason == LW_REASON_WAITS_FOR_ROOM && heads->yields)
		lw_favour_note(walk, &heads->favours, index);
	if (rc)
		return rc;
	lw_favour_started(walk, &heads->favours, index);
	lw_whole_started(&heads->whole);
	return start_turn(walk, index, allocs, count, ret_head_started);
}

/* The longest expected run of those that may fit into what is free together; 0: none may. */
static int64_t longest_run(const struct lw_walk *walk, const struct all_free *all_free)
{
	const struct lw_queue *queue = &walk->snap->queue;
	int64_t longest_s = 0;

	for (uint32_t i = 0; i < queue->active_count; i++) {
		const struct lw_class *class = &queue->classes[queue->active[i]];

		if (class->expected.mean_s > longest_s && may_fit(walk, queue->active[i], all_free))
			longest_s = class->expected.mean_s;
	}
	return longest_s;
}

/* Start jobs, the shortest first, until none fits or a promised one has started. */
static int fill(struct lw_walk *walk, struct lw_heads *heads, bool *ret_head_started)
{
	struct all_free all_free = { 0 };
	int64_t longest_s;
	uint32_t index;
	int rc;

	*ret_head_started = false;
	for (uint32_t node = 0; node < walk->snap->node_count; node++) {
		all_free.cpus += walk->free[node].cpus;
		all_free.gpus += lw_res_gpus(&walk->free[node]);
	}
	longest_s = longest_run(walk, &all_free);
	if (!longest_s)
		return 0;
	lw_favour_begin(walk, &heads->favours, longest_s);
	lw_whole_begin(walk, &heads->whole);
	rc = lw_turns_begin(walk, heads->key, heads->yields ? may_be_favoured : may_fit, &all_free);
	while (!rc && !*ret_head_started && lw_turns_now(walk, &index)) {
		rc = lw_walk_go_on(walk);
		if (!rc)
			rc = take_turn(walk, heads, index, &all_free, ret_head_started);
		if (!rc) {
			lw_turns_again(walk);
		} else if (rc == -ENOSPC || rc == -EAGAIN) {
			lw_turns_drop(walk);
			rc = 0;
		}
	}
	return rc;
}

/* With a reservation gone, what would have delayed its job may start. */
static void forgive(struct lw_walk *walk)
{
	const struct lw_queue *queue = &walk->snap->queue;

	for (uint32_t i = 0; i < queue->active_count; i++) {
		uint32_t class = queue->active[i];
		enum lw_reason reason;

		if (!lw_walk_class_has_failed(walk, class))
			continue;
		reason = lw_walk_class_failure(walk, class);
		if (reason == LW_REASON_WAITS_FOR_HEAD || reason == LW_REASON_WAITS_FOR_SHORTER ||
		    reason == LW_REASON_WAITS_FOR_BROKEN)
			lw_walk_forgive_class(walk, class);
	}
}

int lw_heads_plan(struct lw_walk *walk, struct lw_heads *heads)
{
	bool head_started = false;
	int rc;

	do {
		rc = plan_heads(walk);
		if (!rc)
			rc = fill(walk, heads, &head_started);
		if (!rc && head_started)
			forgive(walk);
	} while (!rc && head_started);
	if (!rc && !walk->params->terse)
		rc = lw_explain_waits(walk);
	return rc;
}
