/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: find room for a start, beside reservations and in place of preemptible jobs; start. */
#include "planner/cycle/start.h"

#include "planner/cycle/preempt.h"
#include "planner/cycle/type.h"

#include <errno.h>

bool lw_cycle_guard(struct lw_cycle *cycle, uint32_t index, int64_t end_s)
{
	bool any = false;

	for (uint32_t r = 0; r < cycle->reservation_count; r++) {
		const struct lw_reservation *resv = &cycle->reservations[r];
		bool too_late = !resv->over && !lw_cycle_same_job(cycle, resv->waiting, index) &&
				!lw_cycle_is_preemptible(cycle, resv, index) &&
				end_s > resv->horizon_s - lw_cycle_ends_before(cycle);

		any |= too_late;
		cycle->guarded[r + 1] = too_late;
	}
	return any;
}

/* Is there room now that is kept for accepted deadlines? */
static bool start_is_for_accepted(const struct lw_cycle *cycle, const struct lw_waiting *job,
				  const struct lw_room *room)
{
	struct lw_room all = *room;
	const struct lw_alloc *allocs;
	uint32_t count;

	if (!cycle->guard->on)
		return false;
	all.free = cycle->free;
	all.spare = NULL;
	all.guarded = NULL;
	all.type_mask = 0; /* it would not wait for a type */
	return !lw_fit(cycle->placer, &all, &job->request, cycle->snap->now_s, &allocs, &count);
}

/*
 * The job has no room on its types in ROOM without guarded nodes: does it have room on other
 * types?
 */
static bool start_fits_by_type(const struct lw_cycle *cycle, const struct lw_waiting *job,
			       const struct lw_room *room)
{
	struct lw_room any = *room;
	const struct lw_alloc *allocs;
	uint32_t count;

	any.type_mask = 0;
	return room->type_mask &&
	       !lw_fit(cycle->placer, &any, &job->request, cycle->snap->now_s, &allocs, &count);
}

/*
 * The job has no room in ROOM: has it room on any type of GPUs? 0: yes, and it takes that;
 * -EAGAIN: it waits for its type.
 */
static int start_try_types(struct lw_cycle *cycle, uint32_t index, const struct lw_room *room,
			   const struct lw_alloc **ret_allocs, uint32_t *ret_count)
{
	const struct lw_request *req = &lw_cycle_job(cycle, index)->request;
	int64_t now_s = cycle->snap->now_s;
	struct lw_room any = *room;
	bool declines;
	int rc;

	any.type_mask = 0;
	if (!room->type_mask ||
	    lw_fit(cycle->placer, &any, req, now_s, ret_allocs, ret_count))
		return -ENOSPC;
	rc = lw_type_declines(cycle, index, *ret_allocs, *ret_count, &declines);
	if (rc)
		return rc;
	return declines ? -EAGAIN : lw_fit(cycle->placer, &any, req, now_s, ret_allocs, ret_count);
}

/* Find the job's room, or the reason why it has none. */
static int start_try_room(struct lw_cycle *cycle, uint32_t index,
			  const struct lw_alloc **ret_allocs, uint32_t *ret_count,
			  enum lw_reason *ret_reason)
{
	const struct lw_waiting *job = lw_cycle_job(cycle, index);
	struct lw_room room = lw_cycle_room(cycle, job);
	bool guarded = lw_cycle_guard(cycle, index, lw_cycle_end(cycle, job));
	int64_t now_s = cycle->snap->now_s;
	int rc;

	if (cycle->guard->on) {
		room.free = lw_guard_free(cycle, lw_cycle_end(cycle, job));
		room.index = NULL;
	}
	room.release_dists = cycle->release_dists;
	room.survival = lw_cycle_class(cycle, index)->expected.survival;
	room.type_mask = lw_type_mask(cycle, index);
	if (guarded) {
		room.spare = cycle->spare;
		room.holder = cycle->holder;
		room.guarded = cycle->guarded;
	}
	if (!lw_fit(cycle->placer, &room, &job->request, now_s, ret_allocs, ret_count))
		return 0;
	if (!lw_preempt_find(cycle, index, guarded, ret_allocs, ret_count))
		return 0;
	*ret_reason = LW_REASON_WAITS_FOR_ROOM;
	rc = start_try_types(cycle, index, &room, ret_allocs, ret_count);
	if (!rc || rc == -ENOMEM)
		return rc;
	/* a job that waits by choice is looked at again, whatever keeps its type from it */
	if (rc == -EAGAIN)
		*ret_reason = LW_REASON_WAITS_FOR_TYPE;
	else if (start_is_for_accepted(cycle, job, &room))
		*ret_reason = LW_REASON_WAITS_FOR_HEAD;
	if (!guarded)
		return -ENOSPC;
	room.guarded = NULL;
	if (lw_fit(cycle->placer, &room, &job->request, now_s, ret_allocs, ret_count)) {
		if (rc != -EAGAIN && start_fits_by_type(cycle, job, &room))
			*ret_reason = LW_REASON_WAITS_FOR_HEAD;
		return -ENOSPC;
	}
	if (cycle->hooks->may_delay &&
	    cycle->hooks->may_delay(cycle, index, *ret_allocs, *ret_count))
		return 0;
	if (rc != -EAGAIN)
		*ret_reason = LW_REASON_WAITS_FOR_HEAD;
	return -ENOSPC;
}

/* Is all that is free too little for the class? Preemptors are not bound by that. */
static bool start_is_too_wide(const struct lw_cycle *cycle, uint32_t class_number)
{
	const struct lw_class *class = &cycle->snap->queue.classes[class_number];

	return !lw_constraints_preempt(&class->constraints) &&
	       !lw_request_may_fit(&class->request, &cycle->all_free);
}

int lw_cycle_find_room(struct lw_cycle *cycle, uint32_t index, const struct lw_alloc **ret_allocs,
		       uint32_t *ret_count, enum lw_reason *ret_reason)
{
	uint32_t class = cycle->snap->queue.class_of[index];
	int rc;

	if (lw_cycle_class_has_failed(cycle, class)) {
		*ret_reason = lw_cycle_class_failure(cycle, class);
		return -ENOSPC;
	}
	if (start_is_too_wide(cycle, class)) {
		*ret_reason = LW_REASON_WAITS_FOR_ROOM;
		rc = -ENOSPC;
	} else {
		rc = start_try_room(cycle, index, ret_allocs, ret_count, ret_reason);
	}
	if (rc == -ENOSPC)
		lw_cycle_fail_class(cycle, class, *ret_reason);
	return rc;
}

enum lw_reason lw_cycle_passing(const struct lw_cycle *cycle, uint32_t index,
				const struct lw_alloc *allocs, uint32_t count)
{
	int64_t end_s = lw_cycle_end(cycle, lw_cycle_job(cycle, index));

	for (uint32_t i = 0; i < count; i++) {
		uint32_t node = allocs[i].node;
		const struct lw_reservation *resv = lw_cycle_holder(cycle, node);

		if (!resv || end_s <= resv->due_s ||
		    lw_cycle_same_job(cycle, resv->waiting, index) ||
		    lw_cycle_is_preemptible(cycle, resv, index))
			continue;
		/* plain EASY, with the shadow time as horizon, would not allow it */
		if (!lw_res_within(&allocs[i].res, &cycle->spare[node]))
			return LW_REASON_STARTS_RELAXED;
	}
	return LW_REASON_STARTS_BACKFILLED;
}

static void start_take(struct lw_cycle *cycle, uint32_t index, const struct lw_alloc *allocs,
		       uint32_t count)
{
	int64_t end_s = lw_cycle_end(cycle, lw_cycle_job(cycle, index));

	for (uint32_t i = 0; i < count; i++) {
		uint32_t node = allocs[i].node;
		const struct lw_reservation *resv = lw_cycle_holder(cycle, node);
		struct lw_res before = cycle->free[node];

		lw_res_sub(&cycle->free[node], &allocs[i].res);
		lw_cycle_note_free(cycle, node, &before);
		if (resv && end_s > resv->horizon_s &&
		    !lw_cycle_is_preemptible(cycle, resv, index))
			lw_res_sub(&cycle->spare[node], &allocs[i].res);
	}
}

/* Its job starts as another variant. */
static void start_withdraw(struct lw_cycle *cycle, const struct lw_reservation *resv)
{
	cycle->plan->decisions[resv->decision] = lw_cycle_decision(
		cycle, resv->waiting, LW_WAIT, LW_REASON_WAITS_FOR_OTHER, LW_NO_TIME);
	cycle->plan->reserved--;
}

/* End the reservations of a starting job: their nodes are free for others again. */
static uint32_t start_end_reservations(struct lw_cycle *cycle, uint32_t index)
{
	uint32_t own = LW_NO_RESERVATION;

	for (uint32_t r = 0; r < cycle->reservation_count; r++) {
		struct lw_reservation *resv = &cycle->reservations[r];

		if (resv->over || !lw_cycle_same_job(cycle, resv->waiting, index))
			continue;
		resv->over = true;
		for (uint32_t i = 0; i < resv->held_count; i++)
			cycle->holder[cycle->held[resv->first_held + i]] = 0;
		if (resv->waiting == index)
			own = r;
		else
			start_withdraw(cycle, resv);
	}
	return own;
}

/* Only a preempting start takes more than is free. */
static bool start_fits_free(const struct lw_cycle *cycle, const struct lw_alloc *allocs,
			    uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		if (!lw_res_within(&allocs[i].res, &cycle->free[allocs[i].node]))
			return false;
	}
	return true;
}

static void start_count_task(struct lw_cycle *cycle, uint32_t index)
{
	cycle->taken[index]++;
	cycle->class_started[cycle->snap->queue.class_of[index]] = true;
	if (cycle->first_variant)
		cycle->started_as[cycle->first_variant[index]] = index + 1;
}

/* The cost of the place to others, before it is taken. */
static void start_weigh(const struct lw_cycle *cycle, struct lw_decision *decision,
			const struct lw_alloc *allocs, uint32_t count)
{
	decision->weighed = cycle->fragment && start_fits_free(cycle, allocs, count);
	for (uint32_t i = 0; decision->weighed && i < count; i++)
		decision->useless += lw_fragment_gain(
			cycle->fragment, &cycle->free[allocs[i].node], &allocs[i].res);
}

int lw_cycle_start(struct lw_cycle *cycle, uint32_t index, enum lw_reason reason,
		   const struct lw_alloc *allocs, uint32_t count)
{
	const struct lw_waiting *job = lw_cycle_job(cycle, index);
	struct lw_decision decision =
		lw_cycle_decision(cycle, index, LW_START, reason, cycle->snap->now_s);
	uint32_t r;
	int rc = lw_cycle_go_on(cycle);

	if (rc)
		return rc;
	r = start_end_reservations(cycle, index);
	if (lw_constraints_preempt(&job->constraints) && !start_fits_free(cycle, allocs, count)) {
		decision.reason = LW_REASON_STARTS_PREEMPTING;
		lw_preempt_make_room(cycle, index, allocs, count);
	}
	start_weigh(cycle, &decision, allocs, count);
	if (cycle->hooks->starts)
		cycle->hooks->starts(cycle, index, allocs, count);
	start_take(cycle, index, allocs, count);
	lw_type_started(cycle, index, allocs, count);
	for (uint32_t i = 0; cycle->release_dists && i < count; i++)
		lw_release_dists_add(cycle->release_dists, cycle->snap, allocs[i].node,
				     lw_res_gpus(&allocs[i].res),
				     lw_cycle_class(cycle, index)->expected.survival);
	start_count_task(cycle, index);
	if (lw_guard_started(cycle, index, allocs, count))
		return -ENOMEM;
	if (lw_cycle_note_releases(cycle, index, count))
		return -ENOMEM;
	if (r != LW_NO_RESERVATION)
		return lw_plan_start_reserved(cycle->plan, cycle->reservations[r].decision,
					      &decision, allocs, count);
	return lw_plan_add(cycle->plan, &decision, allocs, count);
}
