/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: one walk through the queue: start, reserve, fill in behind. */

/*
 * EASY backfilling (Lifka 1995; Mu'alem and Feitelson, "Utilization, predictability,
 * workloads, and user runtime estimates", IEEE TPDS 12(6), 2001), over nodes with
 * CPUs, memory and GPUs:
 *
 *   1. jobs start in queue order as long as there is room;
 *   2. the first that has none gets a reservation at its shadow time;
 *   3. a later job starts if it fits now and either ends before the reservation needs
 *      the room (its horizon) or takes only what the reservation leaves spare.
 *
 * A relaxed horizon lies after the shadow time: promise + slack, and spare is then what
 * is left at the horizon, when more jobs have ended. Reservations are kept
 * per disjoint set of nodes, so that each partition with nodes of its own has a head.
 */
#include "policy/backfill.h"

#include "base/grow.h"
#include "policy/relax.h"

#include <errno.h>
#include <string.h>

static int64_t end_of(const struct lw_walk *walk, const struct lw_waiting *job)
{
	return job->limit_s > INT64_MAX - walk->snap->now_s ? INT64_MAX
							     : walk->snap->now_s + job->limit_s;
}

static int wait(struct lw_walk *walk, uint32_t index, enum lw_reason reason)
{
	const struct lw_waiting *job = &walk->snap->waiting[index];
	struct lw_decision decision = {
		.waiting = index,
		.job_id = job->job_id,
		.verdict = LW_WAIT,
		.reason = reason,
		.start_s = LW_NO_TIME,
		.promise_s = job->promise_s,
		.latest_s = LW_NO_TIME,
	};

	return lw_plan_add(walk->plan, &decision, NULL, 0);
}

/* Mark the reserved nodes that a job ending at END_S would still hold when needed. */
static bool guard(struct lw_walk *walk, int64_t end_s)
{
	bool any = false;

	for (uint32_t r = 0; r < walk->reservation_count; r++) {
		struct lw_reservation *resv = &walk->reservations[r];
		bool too_late = end_s > resv->horizon_s;

		any |= too_late;
		if (resv->guarding == too_late)
			continue;
		for (uint32_t i = 0; i < resv->held_count; i++)
			walk->guarded[walk->held[resv->first_held + i]] = too_late;
		resv->guarding = too_late;
	}
	return any;
}

/* Would the job start under EASY proper too, with each horizon at its shadow time? */
static bool slips_promise(const struct lw_walk *walk, int64_t end_s,
			  const struct lw_alloc *allocs, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		uint32_t node = allocs[i].node, holder = walk->holder[node];

		if (!holder || end_s <= walk->reservations[holder - 1].shadow_s)
			continue;
		if (end_s <= walk->reservations[holder - 1].horizon_s &&
		    !lw_res_within(&allocs[i].res, &walk->spare[node]))
			return true;
	}
	return false;
}

static void take(struct lw_walk *walk, int64_t end_s, const struct lw_alloc *allocs,
		 uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		uint32_t node = allocs[i].node, holder = walk->holder[node];
		struct lw_res before = walk->free[node];

		lw_res_sub(&walk->free[node], &allocs[i].res);
		lw_index_update(walk->index, node, &walk->total[node], &before,
				&walk->free[node]);
		if (holder && end_s > walk->reservations[holder - 1].horizon_s)
			lw_res_sub(&walk->spare[node], &allocs[i].res);
	}
}

static int start(struct lw_walk *walk, uint32_t index, const struct lw_alloc *allocs,
		 uint32_t count)
{
	const struct lw_waiting *job = &walk->snap->waiting[index];
	int64_t end_s = end_of(walk, job);
	struct lw_decision decision = {
		.waiting = index,
		.job_id = job->job_id,
		.verdict = LW_START,
		.reason = LW_REASON_STARTS_IN_ORDER,
		.start_s = walk->snap->now_s,
		.promise_s = job->promise_s,
		.latest_s = LW_NO_TIME,
	};
	struct lw_release release = {
		.end_s = end_s,
		.job_id = job->job_id,
		.first_alloc = walk->plan->alloc_count,
		.alloc_count = count,
		.planned = true,
	};

	if (walk->reservation_count)
		decision.reason = slips_promise(walk, end_s, allocs, count)
					  ? LW_REASON_STARTS_RELAXED
					  : LW_REASON_STARTS_BACKFILLED;
	take(walk, end_s, allocs, count);
	if (lw_releases_add(&walk->releases, &release))
		return -ENOMEM;
	return lw_plan_add(walk->plan, &decision, allocs, count);
}

/* Keep the nodes of a reservation; what is spare on them is what others may hold then. */
static int hold(struct lw_walk *walk, const struct lw_waiting *job,
		const struct lw_shadow *shadow, int64_t latest_s)
{
	struct lw_reservation *resv;

	if (lw_grow((void **)&walk->reservations, &walk->reservation_room,
		    walk->reservation_count + 1, sizeof(*walk->reservations)))
		return -ENOMEM;
	resv = &walk->reservations[walk->reservation_count++];
	resv->shadow_s = shadow->time_s;
	resv->horizon_s = shadow->time_s;
	/* a relaxed promise may slip to its latest start even when it could be earlier */
	if (walk->params->kind == LW_POLICY_RELAXED && latest_s > shadow->time_s)
		resv->horizon_s = latest_s;
	resv->first_held = walk->held_count;
	resv->held_count = shadow->alloc_count;
	resv->set = job->set;
	resv->guarding = false;
	for (uint32_t i = 0; i < shadow->alloc_count; i++) {
		uint32_t node = shadow->allocs[i].node;

		walk->spare[node] = walk->future[node];
		lw_res_sub(&walk->spare[node], &shadow->allocs[i].res);
		walk->holder[node] = walk->reservation_count;
		walk->held[walk->held_count++] = node;
	}
	return 0;
}

/* What JOB may choose from when nothing is guarded. */
static struct lw_room room_of(const struct lw_walk *walk, const struct lw_waiting *job)
{
	return (struct lw_room){
		.free = walk->free,
		.total = walk->total,
		.candidates = &walk->usable[job->set],
		.index = walk->index,
		.gpu_types = walk->snap->gpu_type_count,
	};
}

static int find_shadow(struct lw_walk *walk, const struct lw_waiting *job,
		       struct lw_shadow *ret_shadow)
{
	struct lw_room room = room_of(walk, job);

	return lw_shadow_find(walk->snap, walk->plan, &walk->releases, &room, &job->request,
			      walk->placer, walk->future, ret_shadow);
}

/*
 * Where a job that may slip to LATEST_S would start then: with more room than at its
 * shadow time, so that more is left beside it.
 */
static int slip(struct lw_walk *walk, const struct lw_waiting *job, int64_t latest_s,
		struct lw_shadow *shadow)
{
	struct lw_room room = room_of(walk, job);

	if (walk->params->kind != LW_POLICY_RELAXED || latest_s <= shadow->time_s)
		return 0;
	return lw_shadow_extend(walk->snap, walk->plan, &walk->releases, &room, &job->request,
				walk->placer, latest_s, walk->future, shadow);
}

static int reserve(struct lw_walk *walk, uint32_t index, struct lw_shadow *shadow)
{
	const struct lw_waiting *job = &walk->snap->waiting[index];
	int64_t promise_s = job->promise_s == LW_NO_TIME ? shadow->time_s : job->promise_s;
	struct lw_decision decision = {
		.waiting = index,
		.job_id = job->job_id,
		.verdict = LW_RESERVE,
		.reason = LW_REASON_RESERVED,
		.start_s = shadow->time_s,
		.promise_s = promise_s,
		.latest_s = promise_s + lw_relax_slack(walk->params, job->submit_s, promise_s),
		.after_job = shadow->after_job,
	};
	int64_t latest_s = decision.latest_s;
	int rc = lw_plan_add(walk->plan, &decision, shadow->allocs, shadow->alloc_count);

	if (rc)
		return rc;
	/* the plan shows where it starts at its shadow time; kept are the nodes it may slip to */
	if (slip(walk, job, latest_s, shadow)) {
		/* greedy placement may miss a fit among more nodes: then nothing slips */
		if (find_shadow(walk, job, shadow))
			return 0;
		latest_s = shadow->time_s;
	}
	return hold(walk, job, shadow, latest_s);
}

/* May the job have a reservation: does no reserved job share its nodes? */
static bool heads_its_nodes(const struct lw_walk *walk, const struct lw_waiting *job)
{
	for (uint32_t r = 0; r < walk->reservation_count; r++) {
		uint32_t set = walk->reservations[r].set;

		if (set == job->set ||
		    lw_bitset_intersects(&walk->usable[set], &walk->usable[job->set]))
			return false;
	}
	return true;
}

/* Could its nodes hold the job if nothing ran on them? */
static bool ever_fits(struct lw_walk *walk, const struct lw_waiting *job)
{
	struct lw_room empty = room_of(walk, job);
	const struct lw_alloc *allocs;
	uint32_t count;

	empty.free = walk->total;
	empty.index = NULL;
	return !lw_place(walk->placer, &empty, &job->request, &allocs, &count);
}

/* No room: reserve if it is the first on its nodes, else wait. */
static int reserve_or_wait(struct lw_walk *walk, uint32_t index, enum lw_reason reason)
{
	const struct lw_waiting *job = &walk->snap->waiting[index];
	struct lw_shadow shadow;

	if (!heads_its_nodes(walk, job))
		return wait(walk, index, reason);
	if (!ever_fits(walk, job))
		return wait(walk, index, LW_REASON_WAITS_FOR_NODES);
	walk->queue_blocked = true;
	if (walk->params->kind == LW_POLICY_FCFS || find_shadow(walk, job, &shadow))
		return wait(walk, index, reason);
	return reserve(walk, index, &shadow);
}

/*
 * Find room for one start. -ENOSPC with the reason, which then holds for its whole
 * class: free resources only shrink in a cycle, and reservations only grow.
 */
static int find_room(struct lw_walk *walk, uint32_t index, const struct lw_alloc **ret_allocs,
		     uint32_t *ret_count, enum lw_reason *ret_reason)
{
	const struct lw_waiting *job = &walk->snap->waiting[index];
	uint8_t *failed = &walk->class_failed[walk->snap->queue.class_of[index]];
	struct lw_room room = room_of(walk, job);
	bool guarded;

	if (*failed) {
		*ret_reason = (enum lw_reason)(*failed - 1);
		return -ENOSPC;
	}
	guarded = guard(walk, end_of(walk, job));
	if (guarded) {
		room.spare = walk->spare;
		room.guarded = walk->guarded;
	}
	if (!lw_place(walk->placer, &room, &job->request, ret_allocs, ret_count))
		return 0;
	*ret_reason = LW_REASON_WAITS_FOR_ROOM;
	if (guarded) {
		room.guarded = NULL;
		if (!lw_place(walk->placer, &room, &job->request, ret_allocs, ret_count))
			*ret_reason = LW_REASON_WAITS_FOR_HEAD;
	}
	*failed = (uint8_t)(*ret_reason + 1);
	return -ENOSPC;
}

/* A job that may start: as many of its tasks as have room, then the rest waits. */
static int plan_ready(struct lw_walk *walk, uint32_t index)
{
	const struct lw_waiting *job = &walk->snap->waiting[index];
	uint32_t first = walk->first_variant[index];
	enum lw_reason reason = LW_REASON_WAITS_FOR_ROOM;
	const struct lw_alloc *allocs;
	uint32_t count;
	int rc;

	if (walk->job_started[first])
		return wait(walk, index, LW_REASON_WAITS_FOR_OTHER);
	if (walk->params->kind == LW_POLICY_FCFS && walk->queue_blocked)
		return wait(walk, index, LW_REASON_WAITS_IN_ORDER);
	for (uint32_t task = 0; task < job->tasks; task++) {
		rc = find_room(walk, index, &allocs, &count, &reason);
		if (rc == -ENOSPC)
			return reserve_or_wait(walk, index, reason);
		if (!rc)
			rc = start(walk, index, allocs, count);
		if (rc)
			return rc;
		walk->job_started[first] = 1;
	}
	return 0;
}

static int plan_one(struct lw_walk *walk, uint32_t index)
{
	const struct lw_waiting *job = &walk->snap->waiting[index];

	switch (job->readiness) {
	case LW_NOT_READY:
		return wait(walk, index, LW_REASON_WAITS_FOR_SLURM);
	case LW_LEFT_TO_STOCK:
		return wait(walk, index, LW_REASON_WAITS_FOR_STOCK);
	case LW_REFUSED:
		return wait(walk, index, LW_REASON_WAITS_AFTER_REFUSAL);
	case LW_READY:
		break;
	}
	if (job->begin_s != LW_NO_TIME && job->begin_s > walk->snap->now_s)
		return wait(walk, index, LW_REASON_WAITS_FOR_BEGIN);
	return plan_ready(walk, index);
}

int lw_backfill_walk(struct lw_walk *walk)
{
	const struct lw_queue *queue = &walk->snap->queue;

	for (uint32_t i = 0; i < queue->count; i++) {
		int rc = plan_one(walk, queue->order[i]);

		if (rc)
			return rc;
	}
	return 0;
}
