/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: jobs that are on their way to another node, and what is kept for them meanwhile. */

/* Includes nothing of Slurm, so that it is unit-tested. */

#include "slurm/keep/moving.h"

#include "base/grow.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void lw_moving_fini(struct lw_moving *moving)
{
	free(moving->rooms);
	memset(moving, 0, sizeof(*moving));
}

void lw_moving_clear(struct lw_moving *moving)
{
	moving->count = moving->room_count = 0;
}

struct lw_moving_job *lw_moving_find(struct lw_moving *moving, uint32_t job_id)
{
	for (uint32_t i = 0; i < moving->count; i++)
		if (moving->jobs[i].job_id == job_id)
			return &moving->jobs[i];
	return NULL;
}

static void moving_drop_rooms(struct lw_moving *moving, uint32_t for_job)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < moving->room_count; i++)
		if (moving->rooms[i].for_job != for_job)
			moving->rooms[kept++] = moving->rooms[i];
	moving->room_count = kept;
}

static bool moving_serves(const struct lw_moving *moving, uint32_t for_job)
{
	for (uint32_t i = 0; i < moving->count; i++)
		if (moving->jobs[i].for_job == for_job)
			return true;
	return false;
}

void lw_moving_drop(struct lw_moving *moving, uint32_t i)
{
	uint32_t for_job = moving->jobs[i].for_job;

	memmove(&moving->jobs[i], &moving->jobs[i + 1],
		(--moving->count - i) * sizeof(moving->jobs[0]));
	if (!moving_serves(moving, for_job))
		moving_drop_rooms(moving, for_job);
}

int lw_moving_add(struct lw_moving *moving, const struct lw_lease_stop *stop,
		  const struct lw_alloc *places, int64_t limit_s, int64_t until_s)
{
	for (uint32_t i = 0; i < moving->count; i++)
		if (moving->jobs[i].job_id == stop->job_id)
			lw_moving_drop(moving, i--);
	if (moving->count == LW_MOVING_MAX || !stop->place_count)
		return -ENOSPC;
	if (lw_grow((void **)&moving->rooms, &moving->room_room,
		    moving->room_count + stop->place_count, sizeof(*moving->rooms)))
		return -ENOMEM;
	moving->jobs[moving->count++] = (struct lw_moving_job){
		.job_id = stop->job_id,
		.for_job = stop->for_job,
		.until_s = until_s,
		.limit_s = limit_s,
		.from = stop->from,
		.to = places[stop->first_place],
	};
	for (uint32_t i = 1; i < stop->place_count; i++)
		moving->rooms[moving->room_count++] =
			(struct lw_moving_room){ stop->for_job, limit_s,
						 places[stop->first_place + i] };
	return 0;
}

void lw_moving_served(struct lw_moving *moving, uint32_t for_job)
{
	for (uint32_t i = 0; i < moving->count; i++)
		if (moving->jobs[i].for_job == for_job)
			moving->jobs[i].for_job = 0;
	moving_drop_rooms(moving, for_job);
}

/* ---- one order of each user at a time ---- */

void lw_moving_note(struct lw_moving *moving, uint32_t user, int64_t now_s)
{
	struct lw_moving_user *at = &moving->users[0];

	for (uint32_t i = 0; i < LW_MOVING_USERS; i++) {
		struct lw_moving_user *it = &moving->users[i];

		if (it->at_s && it->user == user) {
			at = it;
			break;
		}
		if (it->at_s < at->at_s)
			at = it;
	}
	*at = (struct lw_moving_user){ user, now_s };
}

bool lw_moving_rests(const struct lw_moving *moving, uint32_t user, int64_t now_s, int64_t back_s)
{
	for (uint32_t i = 0; i < LW_MOVING_USERS; i++) {
		const struct lw_moving_user *it = &moving->users[i];

		if (it->at_s && it->user == user)
			return it->at_s < now_s && now_s - it->at_s < back_s;
	}
	return false;
}

/* ---- what is kept ---- */

/* Does a job that moves for FOR_JOB still hold its room? */
static bool moving_is_awaited(const struct lw_moving *moving, uint32_t for_job)
{
	for (uint32_t i = 0; i < moving->count; i++)
		if (moving->jobs[i].for_job == for_job &&
		    moving->jobs[i].where == LW_MOVING_LEAVES)
			return for_job != 0;
	return false;
}

/* Something that is kept for a job, which may run there for LIMIT_S. */
typedef int (*moving_take_f)(void *arg, const struct lw_alloc *alloc, uint32_t job_id,
			     int64_t limit_s);

static int moving_each(const struct lw_moving *moving, moving_take_f take, void *arg)
{
	int rc = 0;

	for (uint32_t i = 0; !rc && i < moving->count; i++) {
		const struct lw_moving_job *job = &moving->jobs[i];

		if (job->where < LW_MOVING_OPEN)
			rc = take(arg, &job->to, job->job_id, job->limit_s);
		if (!rc && job->where > LW_MOVING_LEAVES &&
		    moving_is_awaited(moving, job->for_job))
			rc = take(arg, &job->from, job->for_job, job->limit_s);
	}
	for (uint32_t i = 0; !rc && i < moving->room_count; i++) {
		const struct lw_moving_room *room = &moving->rooms[i];

		if (moving_is_awaited(moving, room->for_job))
			rc = take(arg, &room->alloc, room->for_job, room->limit_s);
	}
	return rc;
}

static struct lw_res moving_free(const struct lw_snapshot *snap, uint32_t node)
{
	struct lw_res left = snap->nodes[node].total;

	lw_res_sub(&left, &snap->used[node]);
	return left;
}

static int moving_hold_one(void *arg, const struct lw_alloc *alloc, uint32_t job_id,
			   int64_t limit_s)
{
	struct lw_snapshot *snap = arg;
	const struct lw_running keeper = { .start_s = snap->now_s,
					   .end_s = lw_end_after_s(snap->now_s, limit_s) };
	struct lw_error err;
	struct lw_res left;

	(void)job_id;
	if (alloc->node >= snap->node_count)
		return 0;
	left = moving_free(snap, alloc->node);
	if (!lw_res_within(&alloc->res, &left))
		return 0;
	return lw_snapshot_add_running(snap, &keeper, alloc, 1, &err) ? -ENOMEM : 0;
}

int lw_moving_hold(const struct lw_moving *moving, struct lw_snapshot *snap)
{
	return moving_each(moving, moving_hold_one, snap);
}

uint32_t lw_moving_to(const struct lw_moving *moving, const struct lw_snapshot *snap,
		      uint32_t job_id)
{
	for (uint32_t i = 0; i < moving->count; i++) {
		const struct lw_moving_job *job = &moving->jobs[i];
		struct lw_res left;

		if (job->job_id != job_id || job->where != LW_MOVING_OPEN ||
		    job->to.node >= snap->node_count)
			continue;
		left = moving_free(snap, job->to.node);
		return lw_res_within(&job->to.res, &left) ? job->to.node : LW_NO_NODE;
	}
	return LW_NO_NODE;
}

/* ---- the gate ---- */

/* What is left of each node for other starts. */
struct moving_gate {
	struct lw_gate *gate;
	struct lw_res *left;
	uint32_t node_count;
};

static int moving_keep(void *arg, const struct lw_alloc *alloc, uint32_t job_id, int64_t limit_s)
{
	const struct moving_gate *it = arg;
	struct lw_gate_claim claim = { .job_id = job_id,
				       .tier = UINT16_MAX,
				       .due_s = it->gate->made_s };

	(void)limit_s;
	if (alloc->node >= it->node_count)
		return 0;
	claim.spare = it->left[alloc->node];
	return lw_gate_keep(it->gate, alloc->node, &claim);
}

static struct lw_res *moving_left(const struct lw_leases *leases, const struct lw_snapshot *snap,
				  const struct lw_plan *plan)
{
	struct lw_res *left = calloc((size_t)snap->node_count + 1, sizeof(*left));

	for (uint32_t i = 0; left && i < snap->node_count; i++)
		left[i] = moving_free(snap, i);
	for (uint32_t i = 0; left && i < plan->decision_count; i++) {
		const struct lw_decision *decision = &plan->decisions[i];
		const struct lw_alloc *allocs = lw_decision_allocs(plan, decision);

		for (uint32_t k = 0; decision->verdict == LW_START && k < decision->alloc_count;
		     k++)
			lw_res_sub(&left[allocs[k].node], &allocs[k].res);
	}
	for (uint32_t i = 0; left && leases && i < leases->place_count; i++)
		lw_res_sub(&left[leases->places[i].node], &leases->places[i].res);
	return left;
}

int lw_moving_gate(const struct lw_moving *moving, const struct lw_leases *leases,
		   const struct lw_snapshot *snap, const struct lw_plan *plan,
		   struct lw_gate *gate)
{
	struct moving_gate it = { .gate = gate, .node_count = snap->node_count };
	int rc;

	if (!moving->count && (!leases || !leases->place_count))
		return 0;
	it.left = moving_left(leases, snap, plan);
	rc = it.left ? moving_each(moving, moving_keep, &it) : -ENOMEM;
	for (uint32_t i = 0; !rc && leases && i < leases->count; i++) {
		const struct lw_lease_stop *stop = &leases->stops[i];

		for (uint32_t k = 0; !rc && k < stop->place_count; k++)
			rc = moving_keep(&it, &leases->places[stop->first_place + k],
					 k ? stop->for_job : stop->job_id, 0);
	}
	free(it.left);
	return rc;
}
