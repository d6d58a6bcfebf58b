/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: reservations: a promised start, and the room kept for it. */
#include "planner/cycle/reserve.h"

#include "base/grow.h"
#include "planner/cycle/gang.h"
#include "planner/cycle/relax.h"
#include "planner/cycle/type.h"
#include "predictor/survival.h"

#include <errno.h>

static int64_t reserve_later(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* Preemptible jobs are not in the way at that time, either. */
static int reserve_find_shadow(struct lw_cycle *cycle, const struct lw_waiting *job,
			       uint32_t type_mask, struct lw_shadow *ret_shadow)
{
	struct lw_room room = lw_cycle_room(cycle, job);
	struct lw_seek seek = lw_cycle_seek(cycle, LW_ENDS_HARD, job, &room);
	int rc = lw_cycle_need_releases(cycle, LW_ENDS_HARD, INT64_MAX);

	room.type_mask = type_mask;
	if (rc)
		return rc;
	cycle->releases[LW_ENDS_HARD].seeker = &job->constraints;
	return lw_shadow_find(&seek, ret_shadow);
}

/*
 * Until when other jobs may use the room of a job with SHADOW. EASY protects the shadow time
 * itself, which only gets earlier; relaxed protects the promise and its slack. leeway does the
 * same, even if by hard limits the room comes later because a risk was taken: it likely comes in
 * time, unless further long jobs start. After the latest start, if limits did not hold or a node
 * failed, the job can no longer be in time, and EASY's rule applies again.
 */
static int64_t reserve_horizon_of(const struct lw_cycle *cycle, uint32_t index,
				  const struct lw_shadow *shadow,
				  const struct lw_decision *decision)
{
	int64_t horizon_s = decision->latest_s, slack_s;

	if (!lw_policy_has(cycle->params->kind, LW_SLIPS))
		return shadow->time_s;
	if (cycle->hooks->deadline_s && shadow->time_s <= decision->latest_s) {
		slack_s = cycle->hooks->deadline_s(cycle, index, decision->promise_s);
		return slack_s == LW_NO_TIME ? shadow->time_s : slack_s;
	}
	return horizon_s > shadow->time_s ? horizon_s : shadow->time_s;
}

/*
 * By when there must be room beside jobs that outlast HORIZON_S. Under leeway such jobs get half
 * of the slack: one that takes more than the promise would spare makes the promised job late
 * unless others end before their limits. A job that ends by the horizon makes it late only if it
 * runs to its limit.
 */
static int64_t reserve_room_by(const struct lw_cycle *cycle, const struct lw_shadow *shadow,
			       int64_t promise_s, int64_t horizon_s)
{
	int64_t due_s = reserve_later(promise_s, shadow->time_s);

	if (!cycle->hooks->deadline_s || horizon_s <= due_s)
		return horizon_s;
	return due_s + (horizon_s - due_s) / 2;
}

/* Until when a job that slips must have room, and on which types of GPUs. */
struct latest {
	int64_t room_s;
	uint32_t type_mask;
};

/*
 * Where a job that may slip to HORIZON_S would start at the latest: with more room than at its
 * shadow time, so that more is left for other jobs.
 */
static int reserve_slip(struct lw_cycle *cycle, const struct lw_waiting *job,
			struct latest latest, int64_t *horizon_s, struct lw_shadow *shadow)
{
	struct lw_room room = lw_cycle_room(cycle, job);
	struct lw_seek seek = lw_cycle_seek(cycle, LW_ENDS_HARD, job, &room);

	room.type_mask = latest.type_mask;
	if (latest.room_s <= shadow->time_s || !lw_shadow_extend(&seek, latest.room_s, shadow))
		return 0;
	/* the greedy placement may miss a fit among more nodes: then nothing slips */
	*horizon_s = shadow->time_s;
	return reserve_find_shadow(cycle, job, latest.type_mask, shadow);
}

/*
 * The latest start, up to UNTIL_S, of the job of SHADOW. Its nodes may be closed to it before
 * UNTIL_S, usually for maintenance, and then for long: it must not miss that.
 */
static int64_t reserve_last_start(struct lw_cycle *cycle, const struct lw_waiting *job,
				  const struct lw_shadow *shadow, int64_t until_s)
{
	struct lw_room room = lw_cycle_room(cycle, job);

	if (until_s <= shadow->time_s)
		return until_s;
	return lw_fit_last_open(&room, shadow->allocs, shadow->alloc_count, until_s);
}

/* Room for one more, as a holder of nodes. */
static int reserve_grow(struct lw_cycle *cycle)
{
	uint32_t holder = cycle->reservation_count + 1;

	if (lw_grow((void **)&cycle->reservations, &cycle->reservation_room,
		    cycle->reservation_count + 1, sizeof(*cycle->reservations)) ||
	    lw_grow((void **)&cycle->guarded, &cycle->guarded_room, holder + 1,
		    sizeof(*cycle->guarded)))
		return -ENOMEM;
	cycle->guarded[holder] = 0;
	return 0;
}

/* Add DECISION, the last of the plan. It holds no node yet. 0 or -ENOMEM. */
static int reserve_add_reservation(struct lw_cycle *cycle, const struct lw_decision *decision,
				   int64_t due_s, int64_t horizon_s)
{
	if (reserve_grow(cycle))
		return -ENOMEM;
	cycle->reservations[cycle->reservation_count++] = (struct lw_reservation){
		.waiting = decision->waiting,
		.decision = cycle->plan->decision_count - 1,
		.due_s = due_s,
		.horizon_s = horizon_s,
		.risk_until_s = horizon_s,
		.first_held = cycle->held_count,
	};
	return 0;
}

int lw_cycle_note_reservation(struct lw_cycle *cycle, const struct lw_decision *decision)
{
	uint32_t number = cycle->reservation_count;

	if (reserve_add_reservation(cycle, decision, INT64_MAX, INT64_MAX))
		return -ENOMEM;
	return cycle->hooks->reserved ? cycle->hooks->reserved(cycle, number) : 0;
}

/* A risk stays within the latest start: a late job is not made later. */
static int64_t reserve_risk_until(struct lw_cycle *cycle, const struct lw_decision *decision,
				  const struct lw_shadow *shadow, int64_t horizon_s)
{
	const struct lw_waiting *job = &cycle->snap->waiting[decision->waiting];
	int64_t cap_s = cycle->params->risk_cap_s;
	int64_t until_s = horizon_s + (cap_s < LW_TAIL_S ? cap_s : LW_TAIL_S);

	if (until_s > decision->latest_s)
		until_s = reserve_later(decision->latest_s, horizon_s);
	return reserve_last_start(cycle, job, shadow, until_s);
}

/* Keep the nodes; spare is what other jobs may hold there beyond the horizon. */
static int reserve_hold(struct lw_cycle *cycle, const struct lw_decision *decision,
			const struct lw_shadow *shadow, int64_t horizon_s)
{
	uint32_t number = cycle->reservation_count;

	if (reserve_add_reservation(cycle, decision, shadow->time_s, horizon_s))
		return -ENOMEM;
	cycle->reservations[number].risk_until_s =
		reserve_risk_until(cycle, decision, shadow, horizon_s);
	cycle->reservations[number].held_count = shadow->alloc_count;
	/* if a promise is a deadline, a start that ends by it makes nothing slip */
	if (cycle->hooks->deadline_s && decision->promise_s > shadow->time_s)
		cycle->reservations[number].due_s = decision->promise_s;
	for (uint32_t i = 0; i < shadow->alloc_count; i++) {
		uint32_t node = shadow->allocs[i].node;

		cycle->spare[node] = cycle->future[node];
		if (lw_cycle_ends_before(cycle))
			cycle->spare[node] = (struct lw_res){ 0 };
		lw_res_sub(&cycle->spare[node], &shadow->allocs[i].res);
		cycle->holder[node] = number + 1;
	}
	return cycle->hooks->reserved ? cycle->hooks->reserved(cycle, number) : 0;
}

static int reserve_note_held(struct lw_cycle *cycle, const struct lw_shadow *shadow)
{
	if (lw_grow((void **)&cycle->held, &cycle->held_room,
		    cycle->held_count + shadow->alloc_count, sizeof(*cycle->held)))
		return -ENOMEM;
	for (uint32_t i = 0; i < shadow->alloc_count; i++)
		cycle->held[cycle->held_count++] = shadow->allocs[i].node;
	return 0;
}

/*
 * Its shadow; 1: accepted deadlines need a later start, and that was promised. The question
 * overwrites the shadow's nodes, which are the placer's.
 */
static int reserve_find_promise(struct lw_cycle *cycle, uint32_t index, uint32_t type_mask,
				struct lw_shadow *ret_shadow)
{
	const struct lw_waiting *job = &cycle->snap->waiting[index];
	int rc = reserve_find_shadow(cycle, job, type_mask, ret_shadow);

	if (rc || !cycle->guard->on)
		return rc;
	rc = lw_guard_promise(cycle, index, ret_shadow->time_s);
	return rc ? rc : reserve_find_shadow(cycle, job, type_mask, ret_shadow);
}

/*
 * The same for a job that waits for GPUs of another type until UNTIL_S at the latest. It gets
 * these if by hard limits it can have them by then. Else it gets, of the types with room now,
 * the one slowest for it, which other jobs need least. *RET_MASK: the types of the search.
 */
static int reserve_find_promise_by_type(struct lw_cycle *cycle, uint32_t index, int64_t until_s,
					uint32_t *ret_mask, struct lw_shadow *ret_shadow)
{
	const struct lw_waiting *job = &cycle->snap->waiting[index];
	uint32_t tried = 0;
	int rc;

	*ret_mask = lw_type_mask(cycle, index);
	rc = reserve_find_shadow(cycle, job, *ret_mask, ret_shadow);
	if (!rc && ret_shadow->time_s <= until_s)
		return reserve_find_promise(cycle, index, *ret_mask, ret_shadow);
	while (rc != -ENOMEM && (*ret_mask = lw_type_slowest(cycle, index, tried))) {
		rc = reserve_find_shadow(cycle, job, *ret_mask, ret_shadow);
		if (!rc && ret_shadow->time_s <= cycle->snap->now_s)
			return reserve_find_promise(cycle, index, *ret_mask, ret_shadow);
		tried |= *ret_mask;
	}
	return rc == -ENOMEM ? rc : reserve_find_promise(cycle, index, 0, ret_shadow);
}

int lw_cycle_reserve(struct lw_cycle *cycle, uint32_t index, enum lw_reason *ret_reason)
{
	const struct lw_waiting *job = &cycle->snap->waiting[index];
	struct lw_shadow shadow;
	struct lw_decision decision =
		lw_cycle_decision(cycle, index, LW_RESERVE, LW_REASON_RESERVED, LW_NO_TIME);
	struct latest latest = { 0 };
	int64_t horizon_s, until_s = LW_NO_TIME;
	int rc;

	if (*ret_reason == LW_REASON_WAITS_FOR_TYPE)
		until_s = lw_type_until(cycle, index);
	rc = until_s == LW_NO_TIME ? reserve_find_promise(cycle, index, 0, &shadow)
				   : reserve_find_promise_by_type(cycle, index, until_s,
								  &latest.type_mask, &shadow);
	if (rc == -ENOSPC)
		*ret_reason = lw_cycle_ever_fits(cycle, index) ? LW_REASON_WAITS_FOR_ROOM
							       : LW_REASON_WAITS_FOR_NODES;
	if (rc)
		return rc < 0 ? rc : 0;
	if (*ret_reason == LW_REASON_WAITS_FOR_NEARER)
		until_s = lw_gang_until(cycle, index);
	if (until_s != LW_NO_TIME)
		decision.reason = *ret_reason;
	/* by hard limits it has the GPUs that it waits for by then */
	if (shadow.time_s > cycle->snap->now_s && shadow.time_s <= until_s && latest.type_mask)
		until_s = LW_NO_TIME;
	decision.start_s = reserve_later(shadow.time_s, until_s);
	if (decision.promise_s == LW_NO_TIME)
		decision.promise_s = decision.start_s;
	decision.after_job = shadow.after_job;
	decision.latest_s = lw_relax_latest(cycle->params, cycle->snap->queue.count,
					    job->submit_s, decision.promise_s);
	/* the plan shows its place at the shadow time; the nodes that it may slip to are kept */
	rc = lw_plan_add(cycle->plan, &decision, shadow.allocs, shadow.alloc_count);
	if (rc)
		return rc;
	if (lw_cycle_is_self_reserved(cycle, index))
		return 0;
	horizon_s = reserve_later(reserve_horizon_of(cycle, index, &shadow, &decision), until_s);
	latest.room_s = reserve_room_by(cycle, &shadow, decision.promise_s, horizon_s);
	rc = reserve_slip(cycle, job, latest, &horizon_s, &shadow);
	if (rc)
		return rc;
	horizon_s = reserve_last_start(cycle, job, &shadow, horizon_s);
	/* what ends before its start may pass it, as under EASY */
	shadow.time_s = reserve_later(shadow.time_s, until_s);
	rc = reserve_hold(cycle, &decision, &shadow, horizon_s);
	return rc ? rc : reserve_note_held(cycle, &shadow);
}
