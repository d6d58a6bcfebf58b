/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: which jobs that agree to be stopped make room for which others (stop.for). */
#include "planner/cycle/lease.h"

#include "base/grow.h"
#include "planner/cycle/lease_parts.h"
#include "planner/cycle/start.h"
#include "planner/cycle/type.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* One look for stops. */
struct lease_look {
	struct lw_cycle *cycle;
	const struct lw_lease_rules *rules;
	const struct lw_lease_state *state;
	struct lw_leases *leases;
	double out;
};

void lw_leases_fini(struct lw_leases *leases)
{
	free(leases->stops);
	free(leases->free);
	free(leases->spare);
	free(leases->victims);
	free(leases->places);
	lw_moves_fini(&leases->moves);
	memset(leases, 0, sizeof(*leases));
}

/* ---- which jobs may be asked ---- */

double lw_lease_share_of(const struct lw_cycle *cycle, const struct lw_running *running)
{
	const struct lw_alloc *allocs = lw_running_allocs(cycle->snap, running);
	double cpus = 0, gpus = 0;

	for (uint32_t i = 0; i < running->alloc_count; i++) {
		cpus += allocs[i].res.cpus;
		gpus += lw_res_gpus(&allocs[i].res);
	}
	gpus *= cycle->scale.cpus_per_gpu;
	return (cpus > gpus ? cpus : gpus) / (cycle->scale.cpus > 0 ? cycle->scale.cpus : 1);
}

/* The one with the longest rest first: a wait adds least to its run. */
static int lease_by_rest(const void *a, const void *b)
{
	const struct lw_lease_victim *x = a, *y = b;

	if (x->rest_s != y->rest_s)
		return x->rest_s > y->rest_s ? -1 : 1;
	return x->running < y->running ? -1 : x->running > y->running;
}

/* For a deadline, first the one that yields best. */
static int lease_by_yields(const void *a, const void *b)
{
	const struct lw_lease_victim *x = a, *y = b;

	if (x->yields != y->yields)
		return x->yields < y->yields ? -1 : 1;
	if (x->spare_s != y->spare_s)
		return x->spare_s > y->spare_s ? -1 : 1;
	return lease_by_rest(a, b);
}

bool lw_lease_is_clear(const struct lw_cycle *cycle, const struct lw_running *running)
{
	static const struct lw_res nothing;
	const struct lw_alloc *allocs = lw_running_allocs(cycle->snap, running);

	for (uint32_t i = 0; i < running->alloc_count; i++)
		if (!lw_res_within(&cycle->over[allocs[i].node], &nothing))
			return false;
	return true;
}

/* What it costs that it yields; false: it would then miss its own deadline. */
static bool lease_weigh(const struct lease_look *look, const struct lw_lease_offer *offer,
			struct lw_lease_victim *ret_victim)
{
	const struct lw_snapshot *snap = look->cycle->snap;
	const struct lw_running *running = &snap->running[offer->running];
	int64_t end_s = lw_running_end_s(running, snap->now_s, LW_ENDS_EXPECTED);

	*ret_victim = (struct lw_lease_victim){
		.running = offer->running,
		.yields = LW_LEASE_NOT_DUE,
		.rest_s = end_s - snap->now_s,
		.lost_s = offer->lost_s,
		.end_s = running->end_s,
		.finish_by_s = offer->finish_by_s,
		.share = lw_lease_share_of(look->cycle, running),
	};
	if (!offer->finish_by_s)
		return true;
	if (end_s > offer->finish_by_s) {
		ret_victim->yields = LW_LEASE_IS_LATE;
		return true;
	}
	ret_victim->yields = LW_LEASE_HAS_TIME;
	ret_victim->spare_s = offer->finish_by_s - end_s;
	/* a deadline that was accepted is met by hard limits, in this run */
	return look->cycle->params->deadlines != LW_DEADLINES_GUARD &&
	       ret_victim->spare_s >= look->rules->leave_s + offer->lost_s + 2 * LW_LEASE_DUE_S;
}

static int lease_list_victims(struct lease_look *look, const struct lw_lease_offer *offers,
			      uint32_t count)
{
	const struct lw_snapshot *snap = look->cycle->snap;
	struct lw_leases *leases = look->leases;

	if (lw_grow((void **)&leases->victims, &leases->victim_room, count + 1,
		    sizeof(*leases->victims)))
		return -ENOMEM;
	leases->victim_count = 0;
	for (uint32_t i = 0; i < count; i++) {
		struct lw_lease_victim *victim = &leases->victims[leases->victim_count];

		if (lw_lease_is_clear(look->cycle, &snap->running[offers[i].running]) &&
		    lease_weigh(look, &offers[i], victim))
			leases->victim_count++;
	}
	return 0;
}

/* ---- room ---- */

bool lw_lease_outlives(const struct lw_cycle *cycle, uint32_t running, uint32_t node)
{
	const struct lw_reservation *resv = lw_cycle_holder(cycle, node);
	int64_t end_s = cycle->snap->running[running].end_s;

	return resv && end_s > resv->due_s && end_s > resv->horizon_s;
}

/* The room of VICTIM is there, or no longer. */
static void lease_give(struct lease_look *look, const struct lw_lease_victim *victim, bool back)
{
	const struct lw_snapshot *snap = look->cycle->snap;
	const struct lw_running *running = &snap->running[victim->running];
	const struct lw_alloc *allocs = lw_running_allocs(snap, running);
	struct lw_res *free = look->leases->free, *spare = look->leases->spare;

	for (uint32_t i = 0; i < running->alloc_count; i++) {
		bool later = lw_lease_outlives(look->cycle, victim->running, allocs[i].node);

		(back ? lw_res_sub : lw_res_add)(&free[allocs[i].node], &allocs[i].res);
		if (later)
			(back ? lw_res_sub : lw_res_add)(&spare[allocs[i].node], &allocs[i].res);
	}
}

/* Beside all reservations, and what is kept for deadlines. */
static bool lease_fits(struct lease_look *look, const struct lw_lease_wish *wish,
		       const struct lw_alloc **ret_allocs, uint32_t *ret_count)
{
	struct lw_cycle *cycle = look->cycle;
	const struct lw_waiting *job = lw_cycle_job(cycle, wish->index);
	struct lw_room room = lw_cycle_room(cycle, job);
	int64_t end_s = lw_end_after_s(lw_cycle_end(cycle, job), look->rules->leave_s);

	room.free = look->leases->free;
	room.index = NULL;
	room.type_mask = lw_type_mask(cycle, wish->index);
	if (lw_cycle_guard(cycle, wish->index, end_s)) {
		room.spare = look->leases->spare;
		room.holder = cycle->holder;
		room.guarded = cycle->guarded;
	}
	return !lw_fit(cycle->placer, &room, &job->request, cycle->snap->now_s, ret_allocs,
		       ret_count);
}

int lw_lease_otherwise_s(struct lw_cycle *cycle, uint32_t index, int64_t *ret_s)
{
	const struct lw_waiting *job = lw_cycle_job(cycle, index);
	struct lw_room room = lw_cycle_room(cycle, job);
	struct lw_seek seek = lw_cycle_seek(cycle, LW_ENDS_EXPECTED, job, &room);
	struct lw_shadow shadow;

	if (lw_cycle_need_releases(cycle, LW_ENDS_EXPECTED, INT64_MAX))
		return -ENOMEM;
	*ret_s = lw_shadow_find(&seek, &shadow) ? INT64_MAX : shadow.time_s;
	return 0;
}

/* The jobs that would make room. */
struct lease_set {
	struct lw_lease_victim *victims[LW_LEASE_MOST];
	uint32_t count;
	double share;
	int64_t lost_s; /* of the work of all of them */
};

/* To a short job, and not soon over itself. */
static bool lease_yields_to_short(const struct lease_look *look,
				  const struct lw_lease_victim *victim,
				  const struct lw_lease_wish *wish)
{
	return (double)victim->rest_s >= look->rules->gain * (double)wish->run_s &&
	       victim->share <= look->rules->widest * look->rules->share;
}

static bool lease_yields_to_due(const struct lease_look *look,
				const struct lw_lease_victim *victim,
				const struct lw_lease_wish *wish)
{
	return victim->rest_s > look->rules->leave_s + victim->lost_s &&
	       (victim->yields != LW_LEASE_HAS_TIME || victim->finish_by_s > wish->finish_by_s);
}

/* Accepted deadlines count on what the victim holds until its hard end. */
static bool lease_may_yield(const struct lease_look *look, const struct lw_lease_victim *victim,
			    const struct lw_lease_wish *wish)
{
	const struct lw_cycle *cycle = look->cycle;
	int64_t end_s = lw_cycle_end(cycle, lw_cycle_job(cycle, wish->index));

	if (victim->picked || (cycle->guard->on && victim->end_s < end_s))
		return false;
	return wish->finish_by_s ? lease_yields_to_due(look, victim, wish)
				 : lease_yields_to_short(look, victim, wish);
}

static void lease_take(struct lease_look *look, struct lease_set *set,
		       struct lw_lease_victim *victim)
{
	lease_give(look, victim, false);
	set->victims[set->count++] = victim;
	set->share += victim->share;
	set->lost_s += victim->lost_s;
}

static void lease_spare(struct lease_look *look, struct lease_set *set, uint32_t i)
{
	struct lw_lease_victim *victim = set->victims[i];

	lease_give(look, victim, true);
	set->share -= victim->share;
	set->lost_s -= victim->lost_s;
	memmove(&set->victims[i], &set->victims[i + 1],
		(--set->count - i) * sizeof(set->victims[0]));
}

/* As many as it takes, the cheapest first, and then none that need not go. */
static bool lease_find(struct lease_look *look, const struct lw_lease_wish *wish,
		       struct lease_set *set)
{
	const struct lw_alloc *allocs;
	uint32_t alloc_count;
	bool fits = false;

	for (uint32_t i = 0; !fits && i < look->leases->victim_count; i++) {
		struct lw_lease_victim *victim = &look->leases->victims[i];

		if (!lease_may_yield(look, victim, wish))
			continue;
		if (set->count == LW_LEASE_MOST)
			lease_spare(look, set, 0);
		lease_take(look, set, victim);
		fits = lease_fits(look, wish, &allocs, &alloc_count);
	}
	for (uint32_t i = set->count; fits && i-- > 0;) {
		struct lw_lease_victim *victim = set->victims[i];

		lease_give(look, victim, true);
		if (!lease_fits(look, wish, &allocs, &alloc_count)) {
			lease_give(look, victim, false);
			continue;
		}
		lease_give(look, victim, false);
		lease_spare(look, set, i);
	}
	return fits;
}

static int lease_order(struct lease_look *look, const struct lw_lease_wish *wish,
		       const struct lease_set *set)
{
	const struct lw_cycle *cycle = look->cycle;
	struct lw_leases *leases = look->leases;

	if (lw_grow((void **)&leases->stops, &leases->stop_room, leases->count + set->count,
		    sizeof(*leases->stops)))
		return -ENOMEM;
	for (uint32_t i = 0; i < set->count; i++) {
		set->victims[i]->picked = true;
		leases->stops[leases->count++] = (struct lw_lease_stop){
			.job_id = cycle->snap->running[set->victims[i]->running].job_id,
			.for_job = lw_cycle_job(cycle, wish->index)->job_id,
			.share = set->victims[i]->share,
		};
	}
	look->out += set->share;
	return 0;
}

/* The wish has its room: it is no longer free. */
static void lease_occupy(struct lease_look *look, const struct lw_lease_wish *wish)
{
	const struct lw_alloc *allocs;
	uint32_t count;

	if (!lease_fits(look, wish, &allocs, &count))
		return;
	for (uint32_t i = 0; i < count; i++) {
		uint32_t node = allocs[i].node;

		lw_res_sub(&look->leases->free[node], &allocs[i].res);
		if (look->cycle->guarded[look->cycle->holder[node]])
			lw_res_sub(&look->leases->spare[node], &allocs[i].res);
	}
}

/*
 * Does the wish gain more than the work that is lost? For a deadline it may not wait for room that
 * jobs with a nearer one may take.
 */
static int lease_is_worth(const struct lease_look *look, const struct lw_lease_wish *wish,
			  const struct lease_set *set, bool *ret_worth)
{
	int64_t otherwise_s;
	int rc;

	*ret_worth = look->out + set->share <= look->rules->share;
	if (!*ret_worth || wish->finish_by_s)
		return 0;
	rc = lw_lease_otherwise_s(look->cycle, wish->index, &otherwise_s);
	*ret_worth = !rc && otherwise_s - look->cycle->snap->now_s >
				    look->rules->leave_s + set->lost_s;
	return rc;
}

static int lease_grant(struct lease_look *look, const struct lw_lease_wish *wish)
{
	struct lease_set set = { .count = 0 };
	const struct lw_alloc *allocs;
	uint32_t alloc_count;
	bool worth;
	int rc = 0;

	/* what was freed for an earlier one has room for it, too */
	if (lease_fits(look, wish, &allocs, &alloc_count)) {
		lease_occupy(look, wish);
		return 0;
	}
	worth = lease_find(look, wish, &set);
	if (worth)
		rc = lease_is_worth(look, wish, &set, &worth);
	if (worth) {
		rc = lease_order(look, wish, &set);
		lease_occupy(look, wish);
	}
	while (!worth && set.count)
		lease_spare(look, &set, set.count - 1);
	return rc;
}

/* Of the wishes of one kind, in order. */
static int lease_grant_all(struct lease_look *look, const struct lw_lease_wish *wishes,
			   uint32_t count, int (*by_cost)(const void *, const void *))
{
	int rc = 0;

	if (count && look->leases->victim_count)
		qsort(look->leases->victims, look->leases->victim_count,
		      sizeof(*look->leases->victims), by_cost);
	for (uint32_t i = 0; !rc && i < count; i++)
		rc = lease_grant(look, &wishes[i]);
	return rc;
}

int lw_lease_plan(struct lw_cycle *cycle, const struct lw_lease_rules *rules,
		  const struct lw_lease_state *state, const struct lw_lease_offer *offers,
		  uint32_t count, struct lw_leases *leases)
{
	struct lease_look look = { cycle, rules, state, leases, state->out };
	struct lw_lease_wish dues[LW_LEASE_TRIES], shorts[LW_LEASE_TRIES];
	uint32_t due_count, short_count;
	int rc;

	leases->count = 0;
	due_count = count && rules->dues && cycle->params->deadlines != LW_DEADLINES_OFF
			    ? lw_lease_dues(cycle, rules, state, dues)
			    : 0;
	short_count = count && rules->shorts ? lw_lease_shorts(cycle, rules, state, shorts) : 0;
	if (!due_count && !short_count)
		return 0;
	if (lw_grow((void **)&leases->free, &leases->free_room, cycle->snap->node_count + 1,
		    sizeof(*leases->free)) ||
	    lw_grow((void **)&leases->spare, &leases->spare_room, cycle->snap->node_count + 1,
		    sizeof(*leases->spare)))
		return -ENOMEM;
	memcpy(leases->free, cycle->free, cycle->snap->node_count * sizeof(*leases->free));
	memcpy(leases->spare, cycle->spare, cycle->snap->node_count * sizeof(*leases->spare));
	rc = lease_list_victims(&look, offers, count);
	if (!rc)
		rc = lease_grant_all(&look, dues, due_count, lease_by_yields);
	/* what a due job needs comes first */
	if (!rc && !leases->count)
		rc = lease_grant_all(&look, shorts, short_count, lease_by_rest);
	return rc;
}
