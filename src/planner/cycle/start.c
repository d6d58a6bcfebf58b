/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: room for a start, beside reservations and in place of who is preempted; the start. */
#include "planner/cycle/start.h"

#include "planner/cycle/preempt.h"

#include <errno.h>

static const struct lw_waiting *job_at(const struct lw_walk *walk, uint32_t index)
{
	return &walk->snap->waiting[index];
}

/* Mark the reserved nodes that job INDEX would still hold when they are needed. */
static bool guard(struct lw_walk *walk, uint32_t index, int64_t end_s)
{
	bool any = false;

	for (uint32_t r = 0; r < walk->reservation_count; r++) {
		struct lw_reservation *resv = &walk->reservations[r];
		bool too_late = !resv->over && !lw_walk_same_job(walk, resv->waiting, index) &&
				!lw_walk_gives_way(walk, resv, index) &&
				end_s > resv->horizon_s - walk->params->time_only;

		any |= too_late;
		if (resv->guarding == too_late)
			continue;
		for (uint32_t i = 0; i < resv->held_count; i++)
			walk->guarded[walk->held[resv->first_held + i]] = too_late;
		resv->guarding = too_late;
	}
	return any;
}

/* Where the job has room, or why it has none. */
static int try_room(struct lw_walk *walk, uint32_t index, const struct lw_alloc **ret_allocs,
		    uint32_t *ret_count, enum lw_reason *ret_reason)
{
	const struct lw_waiting *job = job_at(walk, index);
	struct lw_room room = lw_walk_room(walk, job);
	bool guarded = guard(walk, index, lw_walk_end(walk, job));
	int64_t now_s = walk->snap->now_s;

	room.drains = walk->drains;
	room.stays = lw_walk_class(walk, index)->expected.stays;
	if (guarded) {
		room.spare = walk->spare;
		room.guarded = walk->guarded;
	}
	if (!lw_fit(walk->placer, &room, &job->request, now_s, ret_allocs, ret_count))
		return 0;
	if (!lw_preempt_find(walk, index, guarded, ret_allocs, ret_count))
		return 0;
	*ret_reason = LW_REASON_WAITS_FOR_ROOM;
	if (!guarded)
		return -ENOSPC;
	room.guarded = NULL;
	if (lw_fit(walk->placer, &room, &job->request, now_s, ret_allocs, ret_count))
		return -ENOSPC;
	if (walk->hooks->may_delay && walk->hooks->may_delay(walk, index, *ret_allocs, *ret_count))
		return 0;
	*ret_reason = LW_REASON_WAITS_FOR_HEAD;
	return -ENOSPC;
}

int lw_walk_find_room(struct lw_walk *walk, uint32_t index, const struct lw_alloc **ret_allocs,
		      uint32_t *ret_count, enum lw_reason *ret_reason)
{
	uint32_t class = walk->snap->queue.class_of[index];

	if (lw_walk_class_has_failed(walk, class)) {
		*ret_reason = lw_walk_class_failure(walk, class);
		return -ENOSPC;
	}
	if (!try_room(walk, index, ret_allocs, ret_count, ret_reason))
		return 0;
	lw_walk_fail_class(walk, class, *ret_reason);
	return -ENOSPC;
}

enum lw_reason lw_walk_passing(const struct lw_walk *walk, uint32_t index,
			       const struct lw_alloc *allocs, uint32_t count)
{
	int64_t end_s = lw_walk_end(walk, job_at(walk, index));

	for (uint32_t i = 0; i < count; i++) {
		uint32_t node = allocs[i].node;
		const struct lw_reservation *resv = lw_walk_holder(walk, node);

		if (!resv || end_s <= resv->due_s ||
		    lw_walk_same_job(walk, resv->waiting, index) ||
		    lw_walk_gives_way(walk, resv, index))
			continue;
		/* EASY proper, whose horizon is the shadow time, would not allow it */
		if (!lw_res_within(&allocs[i].res, &walk->spare[node]))
			return LW_REASON_STARTS_RELAXED;
	}
	return LW_REASON_STARTS_BACKFILLED;
}

static void take(struct lw_walk *walk, uint32_t index, const struct lw_alloc *allocs,
		 uint32_t count)
{
	int64_t end_s = lw_walk_end(walk, job_at(walk, index));

	for (uint32_t i = 0; i < count; i++) {
		uint32_t node = allocs[i].node;
		const struct lw_reservation *resv = lw_walk_holder(walk, node);
		struct lw_res before = walk->free[node];

		lw_res_sub(&walk->free[node], &allocs[i].res);
		lw_index_update(walk->index, node, &walk->total[node], &before,
				&walk->free[node]);
		if (resv && end_s > resv->horizon_s && !lw_walk_gives_way(walk, resv, index))
			lw_res_sub(&walk->spare[node], &allocs[i].res);
	}
}

/* Its job starts as another of its records. */
static void withdraw(struct lw_walk *walk, const struct lw_reservation *resv)
{
	walk->plan->decisions[resv->decision] = lw_walk_decision(
		walk, resv->waiting, LW_WAIT, LW_REASON_WAITS_FOR_OTHER, LW_NO_TIME);
	walk->plan->reserved--;
}

/* The reservations of a job that starts: their nodes are as good as any again. */
static uint32_t end_reservations(struct lw_walk *walk, uint32_t index)
{
	uint32_t own = LW_NO_RESERVATION;

	for (uint32_t r = 0; r < walk->reservation_count; r++) {
		struct lw_reservation *resv = &walk->reservations[r];

		if (resv->over || !lw_walk_same_job(walk, resv->waiting, index))
			continue;
		resv->over = true;
		resv->guarding = false;
		for (uint32_t i = 0; i < resv->held_count; i++) {
			walk->holder[walk->held[resv->first_held + i]] = 0;
			walk->guarded[walk->held[resv->first_held + i]] = 0;
		}
		if (resv->waiting == index)
			own = r;
		else
			withdraw(walk, resv);
	}
	return own;
}

/* Only a start that preempts takes more than is free. */
static bool fits_free(const struct lw_walk *walk, const struct lw_alloc *allocs, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		if (!lw_res_within(&allocs[i].res, &walk->free[allocs[i].node]))
			return false;
	}
	return true;
}

static void count_task(struct lw_walk *walk, uint32_t index)
{
	walk->taken[index]++;
	walk->class_started[walk->snap->queue.class_of[index]] = true;
	if (walk->first_variant)
		walk->started_as[walk->first_variant[index]] = index + 1;
}

/* What the place costs others, before it is taken. */
static void weigh(const struct lw_walk *walk, struct lw_decision *decision,
		  const struct lw_alloc *allocs, uint32_t count)
{
	decision->weighed = walk->fragment && fits_free(walk, allocs, count);
	for (uint32_t i = 0; decision->weighed && i < count; i++)
		decision->useless += lw_fragment_gain(walk->fragment, &walk->free[allocs[i].node],
						      &allocs[i].res);
}

int lw_walk_start(struct lw_walk *walk, uint32_t index, enum lw_reason reason,
		  const struct lw_alloc *allocs, uint32_t count)
{
	const struct lw_waiting *job = job_at(walk, index);
	struct lw_decision decision =
		lw_walk_decision(walk, index, LW_START, reason, walk->snap->now_s);
	uint32_t r;
	int rc = lw_walk_go_on(walk);

	if (rc)
		return rc;
	r = end_reservations(walk, index);
	if (lw_terms_preempt(&job->terms) && !fits_free(walk, allocs, count)) {
		decision.reason = LW_REASON_STARTS_PREEMPTING;
		lw_preempt_make_room(walk, index, allocs, count);
	}
	weigh(walk, &decision, allocs, count);
	if (walk->hooks->starts)
		walk->hooks->starts(walk, index, allocs, count);
	take(walk, index, allocs, count);
	for (uint32_t i = 0; walk->drains && i < count; i++)
		lw_drains_add(walk->drains, walk->snap, allocs[i].node,
			      lw_res_gpus(&allocs[i].res),
			      lw_walk_class(walk, index)->expected.stays);
	count_task(walk, index);
	if (lw_walk_note_releases(walk, index, count))
		return -ENOMEM;
	if (r != LW_NO_RESERVATION)
		return lw_plan_start_reserved(walk->plan, walk->reservations[r].decision,
					      &decision, allocs, count);
	return lw_plan_add(walk->plan, &decision, allocs, count);
}
