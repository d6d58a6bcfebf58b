/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: accepted deadlines, and the room kept for them. */
#include "planner/cycle/guard.h"

#include "base/grow.h"
#include "planner/cycle/cycle.h"
#include "planner/cycle/relax.h"
#include "planner/cycle/reserve.h"
#include "planner/cycle/start.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The jobs that are looked at. */
enum who {
	ACCEPTED,
	PROMISED, /* a start, whatever its deadline: its room is taken until the others have
		   * theirs */
	ASKS,     /* to be accepted */
};

/* Orders, each tried if a job is late in the one before. */
enum how {
	BEFORE_PROMISED, /* the nearest deadline first; promised jobs last, but in time */
	NEAREST,	 /* the same, after promised jobs */
	NEAREST_BEFORE,	 /* and jobs that ask after accepted jobs */
	AS_PLANNED,	 /* accepted by the last plan's starts; then promised; then jobs that
			  * ask */
	AS_KEPT,	 /* and accepted jobs where the last plan had them, no sooner */
	HOWS,
};

void lw_guard_fini(struct lw_guard *guard)
{
	lw_profile_fini(&guard->profile);
	free(guard->least);
	free(guard->holds);
	free(guard->turns);
	free(guard->allocs);
	memset(guard, 0, sizeof(*guard));
}

/* The latest start by which the record meets its deadline. */
static int64_t guard_last_start_s(const struct lw_waiting *job)
{
	return job->finish_by_s - job->limit_s;
}

/* Does the record take a turn? */
static bool guard_is_looked_at(const struct lw_cycle *cycle, uint32_t index,
			       struct lw_guard_turn *ret_turn)
{
	const struct lw_waiting *job = lw_cycle_job(cycle, index);
	enum lw_reason reason;
	enum who who = ASKS;

	/* a refused job keeps its room; a follower is planned with the job that it follows */
	if ((!lw_cycle_ready(cycle, index, &reason) && reason != LW_REASON_WAITS_AFTER_REFUSAL) ||
	    lw_snapshot_awaited(cycle->snap, &job->constraints))
		return false;
	if (job->finish_by_s && job->accepted)
		who = ACCEPTED;
	else if (job->promise_s != LW_NO_TIME)
		who = PROMISED;
	else if (!job->finish_by_s || guard_last_start_s(job) < cycle->snap->now_s ||
		 job->constraints.now_only)
		return false;
	*ret_turn = (struct lw_guard_turn){ .index = index, .who = (uint8_t)who };
	return true;
}

static int guard_list_turns(struct lw_cycle *cycle, struct lw_guard *guard)
{
	const struct lw_queue *queue = &cycle->snap->queue;

	guard->turn_count = 0;
	if (lw_grow((void **)&guard->turns, &guard->turn_room, queue->count + 1,
		    sizeof(*guard->turns)))
		return -ENOMEM;
	for (uint32_t i = 0; i < queue->count; i++) {
		if (!guard_is_looked_at(cycle, queue->order[i], &guard->turns[guard->turn_count]))
			continue;
		guard->turn_count++;
		guard->on |= lw_cycle_job(cycle, queue->order[i])->finish_by_s != 0;
	}
	return 0;
}

static int guard_compare_turns(const void *a, const void *b, void *arg)
{
	const struct lw_cycle *cycle = arg;
	const struct lw_guard_turn *x = a, *y = b;
	const uint64_t *seq = cycle->snap->queue.seq;

	if (x->phase != y->phase)
		return x->phase < y->phase ? -1 : 1;
	if (x->tier != y->tier)
		return x->tier > y->tier ? -1 : 1;
	if (x->key_s != y->key_s)
		return x->key_s < y->key_s ? -1 : 1;
	return seq[x->index] < seq[y->index] ? -1 : seq[x->index] > seq[y->index];
}

static void guard_sort_turns(struct lw_cycle *cycle, struct lw_guard *guard, enum how how)
{
	static const uint8_t phases[HOWS][3] = {
		[BEFORE_PROMISED] = { [ACCEPTED] = 0, [ASKS] = 0, [PROMISED] = 1 },
		[NEAREST] = { [PROMISED] = 0, [ACCEPTED] = 1, [ASKS] = 1 },
		[NEAREST_BEFORE] = { [PROMISED] = 0, [ACCEPTED] = 1, [ASKS] = 2 },
		[AS_PLANNED] = { [ACCEPTED] = 0, [PROMISED] = 1, [ASKS] = 2 },
		[AS_KEPT] = { [ACCEPTED] = 0, [PROMISED] = 1, [ASKS] = 2 },
	};

	for (uint32_t i = 0; i < guard->turn_count; i++) {
		struct lw_guard_turn *turn = &guard->turns[i];
		const struct lw_waiting *job = lw_cycle_job(cycle, turn->index);

		turn->phase = phases[how][turn->who];
		turn->tier =
			turn->who == PROMISED || how >= AS_PLANNED ? 0 : job->constraints.tier;
		turn->key_s = turn->who == PROMISED ? job->promise_s : job->finish_by_s;
		if (turn->who == ACCEPTED && how >= AS_PLANNED)
			turn->key_s = job->planned_s ? job->planned_s : guard_last_start_s(job);
		turn->found = false;
	}
	if (guard->turn_count)
		qsort_r(guard->turns, guard->turn_count, sizeof(*guard->turns),
			guard_compare_turns, cycle);
}

static int guard_find(struct lw_cycle *cycle, struct lw_guard *guard, uint32_t index,
		      struct lw_profile_fit *fit)
{
	const struct lw_waiting *job = lw_cycle_job(cycle, index);
	struct lw_room room = lw_cycle_room(cycle, job);

	if (fit->start_s < room.fit.earliest_s)
		fit->start_s = room.fit.earliest_s;
	return lw_profile_find(&guard->profile, &room, &job->request, job->limit_s, cycle->placer,
			       fit);
}

/* Its start and nodes of the last plan, if still there: they are unless a node is gone. */
static bool guard_find_kept(const struct lw_cycle *cycle, const struct lw_guard *guard,
			    uint32_t index, struct lw_profile_fit *ret_fit)
{
	const struct lw_waiting *job = lw_cycle_job(cycle, index);
	const struct lw_kept *kept = &cycle->snap->kept;
	const struct lw_kept_job *where = lw_kept_find(kept, job->job_id, job->variant);
	int64_t start_s = job->planned_s, end_s;

	if (!where || !start_s)
		return false;
	if (start_s < cycle->snap->now_s)
		start_s = cycle->snap->now_s;
	end_s = lw_waiting_end_s(job, start_s);
	*ret_fit = (struct lw_profile_fit){ start_s, lw_kept_allocs(kept, where),
					    where->alloc_count };
	for (uint32_t i = 0; i < where->alloc_count; i++)
		if (!cycle->snap->nodes[ret_fit->allocs[i].node].usable)
			return false;
	return lw_profile_lasts(&guard->profile, start_s, end_s, ret_fit->allocs,
				ret_fit->alloc_count) == end_s;
}

/* The turn takes FIT, which it found. */
static int guard_take(const struct lw_cycle *cycle, struct lw_guard *guard,
		      struct lw_guard_turn *turn, const struct lw_profile_fit *fit)
{
	if (lw_grow((void **)&guard->allocs, &guard->alloc_room,
		    guard->alloc_count + fit->alloc_count + 1, sizeof(*guard->allocs)))
		return -ENOMEM;
	turn->found = true;
	turn->start_s = fit->start_s;
	turn->first_alloc = guard->alloc_count;
	turn->alloc_count = fit->alloc_count;
	if (fit->alloc_count)
		memcpy(guard->allocs + guard->alloc_count, fit->allocs,
		       fit->alloc_count * sizeof(*fit->allocs));
	guard->alloc_count += fit->alloc_count;
	return lw_profile_take(&guard->profile, fit->start_s,
			       lw_waiting_end_s(lw_cycle_job(cycle, turn->index), fit->start_s),
			       fit->allocs, fit->alloc_count);
}

/* Has another variant of the job had its turn? */
static bool guard_has_found(const struct lw_cycle *cycle, const struct lw_guard *guard,
			    const struct lw_guard_turn *turn)
{
	const struct lw_guard_turn *before = guard->turns;

	if (!cycle->first_variant)
		return false;
	for (; before < turn; before++)
		if (before->found && lw_cycle_same_job(cycle, before->index, turn->index))
			return true;
	return false;
}

/* Would a promised job start later than its promise may slip? */
static bool guard_breaks_promise(const struct lw_cycle *cycle, const struct lw_waiting *job,
				 int64_t start_s)
{
	return start_s > lw_relax_latest(cycle->params, cycle->snap->queue.count, job->submit_s,
					 job->promise_s);
}

/* 1: an accepted job would be late, or a promised job that need not be. */
static int guard_try_turn(struct lw_cycle *cycle, struct lw_guard *guard,
			  struct lw_guard_turn *turn, enum how how)
{
	const struct lw_waiting *job = lw_cycle_job(cycle, turn->index);
	struct lw_profile_fit fit = { .start_s = cycle->snap->now_s };
	int rc = lw_cycle_go_on(cycle);

	if (rc || guard_has_found(cycle, guard, turn))
		return rc;
	if (how != AS_KEPT || turn->who != ACCEPTED ||
	    !guard_find_kept(cycle, guard, turn->index, &fit))
		rc = guard_find(cycle, guard, turn->index, &fit);
	if (rc && rc != -ENOSPC)
		return rc;
	if (rc || (turn->who == ASKS && fit.start_s > guard_last_start_s(job)))
		return turn->who == ACCEPTED;
	/* after accepted jobs, but in time: else these do not move forward */
	if ((how == BEFORE_PROMISED || how == AS_PLANNED) && turn->who == PROMISED &&
	    guard_breaks_promise(cycle, job, fit.start_s))
		return 1;
	rc = guard_take(cycle, guard, turn, &fit);
	return rc ? rc : turn->who == ACCEPTED && fit.start_s > guard_last_start_s(job);
}

/* All turns in one order; 1 once a job is late, except in the last order. */
static int guard_try_turns(struct lw_cycle *cycle, struct lw_guard *guard, enum how how)
{
	int rc = lw_profile_begin(&guard->profile, cycle->snap);

	guard_sort_turns(cycle, guard, how);
	guard->alloc_count = 0;
	for (uint32_t i = 0; !rc && i < guard->turn_count; i++) {
		rc = guard_try_turn(cycle, guard, &guard->turns[i], how);
		if (rc == 1 && how == AS_KEPT)
			rc = 0;
	}
	return rc;
}

/* Keep its room, and tell the job. */
static int guard_reserve(struct lw_cycle *cycle, struct lw_guard *guard,
			 const struct lw_guard_turn *turn)
{
	const struct lw_waiting *job = lw_cycle_job(cycle, turn->index);
	bool late = turn->start_s > guard_last_start_s(job);
	struct lw_decision decision =
		lw_cycle_decision(cycle, turn->index, LW_RESERVE,
				  late ? LW_REASON_AT_RISK : LW_REASON_ACCEPTED, turn->start_s);

	if (decision.promise_s == LW_NO_TIME)
		decision.promise_s = turn->start_s;
	decision.latest_s = guard_last_start_s(job);
	guard->holds[turn->index] = 1;
	if (lw_plan_add(cycle->plan, &decision, guard->allocs + turn->first_alloc,
			turn->alloc_count))
		return -ENOMEM;
	return lw_cycle_note_reservation(cycle, &decision);
}

/* Give the room back: the policy handles promises in its own way. */
static int guard_take_back(const struct lw_cycle *cycle, struct lw_guard *guard,
			   const struct lw_guard_turn *turn)
{
	return lw_profile_give(&guard->profile, turn->start_s,
			       lw_waiting_end_s(lw_cycle_job(cycle, turn->index), turn->start_s),
			       guard->allocs + turn->first_alloc, turn->alloc_count);
}

/* Put what was found for it into the plan. */
static int guard_settle_turn(struct lw_cycle *cycle, struct lw_guard *guard,
			     const struct lw_guard_turn *turn)
{
	const struct lw_waiting *job = lw_cycle_job(cycle, turn->index);
	enum lw_reason reason;

	if (!turn->found)
		return 0;
	/* the promised start may be in time for its deadline */
	if (turn->who == PROMISED &&
	    (!job->finish_by_s || turn->start_s > guard_last_start_s(job)))
		return guard_take_back(cycle, guard, turn);
	if (turn->start_s <= cycle->snap->now_s && lw_cycle_ready(cycle, turn->index, &reason))
		return lw_cycle_start(cycle, turn->index, LW_REASON_STARTS_IN_ORDER,
				      guard->allocs + turn->first_alloc, turn->alloc_count);
	return guard_reserve(cycle, guard, turn);
}

static int guard_size(const struct lw_cycle *cycle, struct lw_guard *guard)
{
	const struct lw_snapshot *snap = cycle->snap;

	if (lw_grow((void **)&guard->least, &guard->least_room, snap->node_count + 1,
		    sizeof(*guard->least)) ||
	    lw_grow((void **)&guard->holds, &guard->holds_room, snap->waiting_count + 1,
		    sizeof(*guard->holds)))
		return -ENOMEM;
	memset(guard->holds, 0, snap->waiting_count + 1);
	return 0;
}

int lw_guard_plan(struct lw_cycle *cycle)
{
	struct lw_guard *guard = cycle->guard;
	int rc;

	guard->on = false;
	if (cycle->params->deadlines != LW_DEADLINES_GUARD ||
	    lw_policy_has(cycle->params->kind, LW_IN_ORDER))
		return 0;
	rc = guard_list_turns(cycle, guard);
	if (rc || !guard->on)
		return rc;
	rc = guard_size(cycle, guard) ? -ENOMEM : 1;
	for (int how = 0; rc == 1 && how < HOWS; how++)
		rc = guard_try_turns(cycle, guard, (enum how)how);
	guard->knows = true;
	for (uint32_t i = 0; !rc && i < guard->turn_count; i++)
		rc = guard_settle_turn(cycle, guard, &guard->turns[i]);
	guard->knows = false;
	return rc;
}

bool lw_guard_holds(const struct lw_cycle *cycle, uint32_t index)
{
	return cycle->guard->on && cycle->guard->holds[index];
}

const struct lw_res *lw_guard_free(struct lw_cycle *cycle, int64_t end_s)
{
	lw_profile_least(&cycle->guard->profile, cycle->snap->now_s, end_s, cycle->guard->least);
	return cycle->guard->least;
}

int lw_guard_started(struct lw_cycle *cycle, uint32_t index, const struct lw_alloc *allocs,
		     uint32_t count)
{
	int64_t now_s = cycle->snap->now_s;

	if (!cycle->guard->on || cycle->guard->knows)
		return 0;
	return lw_profile_take(&cycle->guard->profile, now_s,
			       lw_waiting_end_s(lw_cycle_job(cycle, index), now_s), allocs,
			       count);
}

int lw_guard_promise(struct lw_cycle *cycle, uint32_t index, int64_t start_s)
{
	const struct lw_waiting *job = lw_cycle_job(cycle, index);
	struct lw_profile_fit fit = { .start_s = cycle->snap->now_s };
	struct lw_decision decision;
	int rc;

	if (!cycle->guard->on)
		return 0;
	rc = guard_find(cycle, cycle->guard, index, &fit);
	if (rc || fit.start_s <= start_s)
		return rc == -ENOSPC ? 0 : rc;
	decision = lw_cycle_decision(cycle, index, LW_RESERVE, LW_REASON_RESERVED, fit.start_s);
	if (decision.promise_s == LW_NO_TIME)
		decision.promise_s = fit.start_s;
	decision.latest_s = lw_relax_latest(cycle->params, cycle->snap->queue.count,
					    job->submit_s, decision.promise_s);
	if (lw_profile_take(&cycle->guard->profile, fit.start_s,
			    lw_waiting_end_s(job, fit.start_s), fit.allocs, fit.alloc_count) ||
	    lw_plan_add(cycle->plan, &decision, fit.allocs, fit.alloc_count) ||
	    lw_cycle_note_reservation(cycle, &decision))
		return -ENOMEM;
	return 1;
}
