/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: heads first, then who is shortest: leeway, and others with shortest-first filling. */

/*
 * The first job in the queue without room is promised a start from hard limits, as
 * under EASY. But limits are long and runs are short, so that it nearly always could
 * start much earlier than promised. That time is what leeway spends: the promise
 * is a deadline, and until then the promised job competes with all others for what is
 * free, the one expected to be shortest first (shortest job backfilled first: Tsafrir,
 * Etsion, Feitelson, IEEE TPDS 18(6), 2007). What may pass it is decided by hard limits
 * alone, but for a priced risk (risk.h): a start that could, at worst, leave the promised
 * job without room at its deadline is not made. Expectations order; they can cost
 * time, but no promise.
 *
 * The steps, again after each start of a promised job:
 *
 *   1. go through the queue in its order: who heads its nodes and was promised nothing
 *      starts if it has room; the first that has none is promised a start. A promised job
 *      that has room starts if its deadline has passed, else its room is kept for then;
 *   2. start what has room beside the reservations, or is over by their deadlines, by
 *      lw_order_leeway(), unless it should give way to a shorter one that has no room yet
 *      (favour.h), or a whole node to one that needs it (whole.h); promised jobs take part.
 *
 * Without `hold`, and under the other policies, a promised job starts in step 1 as soon as
 * it has room.
 */
#include "planner/policies/leeway.h"

#include "planner/cycle/explain.h"
#include "planner/cycle/favour.h"
#include "planner/cycle/gang.h"
#include "planner/cycle/reserve.h"
#include "planner/order/turns.h"
#include "planner/cycle/whole.h"

#include <errno.h>
#include <string.h>

/* Does the record, if it has room, leave it to shorter ones for the time being? */
static bool may_wait(const struct lw_walk *walk, uint32_t index)
{
	int64_t promise_s = lw_walk_promise(walk, index);

	return walk->params->kind == LW_POLICY_LEEWAY && walk->params->leeway.hold &&
	       promise_s != LW_NO_TIME &&
	       walk->snap->now_s <= lw_reserve_deadline_s(walk, index, promise_s);
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
	if (walk->params->order == LW_ORDER_GIVEN)
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

/* Are those that have no room favoured over longer ones? */
static bool favours(const struct lw_walk *walk)
{
	return walk->params->kind == LW_POLICY_LEEWAY && walk->params->leeway.yield > 0;
}

/* Who may fit, and who has no room yet. */
static bool may_be_favoured(const struct lw_walk *walk, uint32_t class_number, const void *arg)
{
	(void)arg;
	return !lw_walk_class_has_failed(walk, class_number) ||
	       lw_walk_class_failure(walk, class_number) == LW_REASON_WAITS_FOR_ROOM;
}

/*
 * What leeway's order goes by. The first of a class is a scout until it starts; how long it
 * will hold its nodes is what is expected, all the same.
 */
static int64_t rank_of(const struct lw_walk *walk, const struct lw_class *class)
{
	size_t number = (size_t)(class - walk->snap->queue.classes);

	if (!walk->params->leeway.scout || !class->rank_s || walk->class_started[number])
		return class->expect_s;
	return class->rank_s;
}

static double fill_key(const struct lw_walk *walk, const struct lw_class *class,
		       const struct lw_waiting *job)
{
	if (walk->params->kind == LW_POLICY_LEEWAY)
		return lw_order_leeway(&walk->params->leeway, &walk->scale, walk->snap->now_s,
				       class, job, rank_of(walk, class));
	if (walk->params->backfill_order == LW_BACKFILL_SHORTEST)
		return (double)class->expect_s;
	return lw_turns_queue_key(walk, class, job);
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
static int take_turn(struct lw_walk *walk, uint32_t index, const struct all_free *all_free,
		     bool *ret_head_started)
{
	uint32_t number = walk->snap->queue.class_of[index], count;
	enum lw_reason reason = LW_REASON_WAITS_FOR_ROOM;
	const struct lw_alloc *allocs;
	bool gives_way = false;
	int rc = -ENOSPC;

	if (may_fit(walk, number, all_free)) {
		rc = lw_favour_gives_way(walk, index, &gives_way);
		if (rc)
			return rc;
		if (gives_way) {
			lw_walk_fail_class(walk, number, LW_REASON_WAITS_FOR_SHORTER);
			return -ENOSPC;
		}
		rc = find_room(walk, index, &allocs, &count, &reason);
		if (!rc && lw_whole_is_left(walk, index, allocs, count)) {
			lw_walk_fail_class(walk, number, LW_REASON_WAITS_FOR_BROKEN);
			return -ENOSPC;
		}
	}
	if (rc == -ENOSPC && reason == LW_REASON_WAITS_FOR_ROOM && favours(walk))
		lw_favour_note(walk, index);
	if (rc)
		return rc;
	lw_favour_started(walk, index);
	lw_whole_started(walk);
	return start_turn(walk, index, allocs, count, ret_head_started);
}

/* The longest expected run of those that may fit into what is free together; 0: none may. */
static int64_t longest_run(const struct lw_walk *walk, const struct all_free *all_free)
{
	const struct lw_queue *queue = &walk->snap->queue;
	int64_t longest_s = 0;

	for (uint32_t i = 0; i < queue->active_count; i++) {
		const struct lw_class *class = &queue->classes[queue->active[i]];

		if (class->expect_s > longest_s && may_fit(walk, queue->active[i], all_free))
			longest_s = class->expect_s;
	}
	return longest_s;
}

/* Start jobs, the shortest first, until none fits or a promised one has started. */
static int fill(struct lw_walk *walk, bool *ret_head_started)
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
	lw_favour_begin(walk, longest_s);
	lw_whole_begin(walk);
	rc = lw_turns_begin(walk, fill_key, favours(walk) ? may_be_favoured : may_fit, &all_free);
	while (!rc && !*ret_head_started && lw_turns_now(walk, &index)) {
		rc = lw_walk_go_on(walk);
		if (!rc)
			rc = take_turn(walk, index, &all_free, ret_head_started);
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

int lw_leeway_walk(struct lw_walk *walk)
{
	bool head_started = false;
	int rc;

	do {
		rc = plan_heads(walk);
		if (!rc)
			rc = fill(walk, &head_started);
		if (!rc && head_started)
			forgive(walk);
	} while (!rc && head_started);
	if (!rc && !walk->params->terse)
		rc = lw_explain_waits(walk);
	return rc;
}
