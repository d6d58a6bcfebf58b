/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: which jobs that agree to be stopped make room for which short ones (stop.for). */
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

/* A job that might start sooner. */
struct lease_wish {
	uint32_t index;
	int64_t run_s;
	uint64_t seq;
};

void lw_leases_fini(struct lw_leases *leases)
{
	free(leases->stops);
	free(leases->free);
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
static int lease_by_cost(const void *a, const void *b)
{
	const struct lw_lease_victim *x = a, *y = b;

	if (x->rest_s != y->rest_s)
		return x->rest_s > y->rest_s ? -1 : 1;
	return x->running < y->running ? -1 : x->running > y->running;
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
		const struct lw_running *running = &snap->running[offers[i].running];
		int64_t end_s = lw_running_end_s(running, snap->now_s, LW_ENDS_EXPECTED);

		double share = lw_lease_share_of(look->cycle, running);

		if (!lw_lease_is_clear(look->cycle, running) ||
		    share > LW_LEASE_WIDEST * look->rules->share)
			continue;
		leases->victims[leases->victim_count++] = (struct lw_lease_victim){
			.running = offers[i].running,
			.rest_s = end_s - snap->now_s,
			.lost_s = offers[i].lost_s,
			.end_s = running->end_s,
			.share = share,
		};
	}
	qsort(leases->victims, leases->victim_count, sizeof(*leases->victims), lease_by_cost);
	return 0;
}

/* ---- for which jobs ---- */

bool lw_lease_is_served(const struct lw_cycle *cycle, const struct lw_lease_state *state,
			uint32_t index)
{
	uint32_t job_id = lw_cycle_job(cycle, index)->job_id;

	if (state->barred && state->barred[index])
		return true;
	for (uint32_t i = 0; i < state->served_count; i++)
		if (state->served[i] == job_id)
			return true;
	return false;
}

/*
 * What else it needs is on no node that a stopped job leaves. Of an array the next task would
 * take the room, too.
 */
bool lw_lease_suits(const struct lw_waiting *job)
{
	const struct lw_constraints *needs = &job->constraints;

	return job->tasks == 1 && !needs->now_only && !needs->after && !needs->coallocation &&
	       !lw_constraints_preempt(needs);
}

/* The first of its class that the plan leaves waiting; false: it gains nothing by room. */
static bool lease_wish_of(const struct lease_look *look, uint32_t number,
			  struct lease_wish *ret_wish)
{
	const struct lw_cycle *cycle = look->cycle;
	const struct lw_queue *queue = &cycle->snap->queue;
	const struct lw_class *class = &queue->classes[number];
	enum lw_reason reason;

	for (uint32_t i = 0; i < class->member_count; i++) {
		uint32_t index = class->members[i];
		const struct lw_waiting *job = lw_cycle_job(cycle, index);

		if (!lw_cycle_tasks_left(cycle, index) ||
		    lw_lease_is_served(cycle, look->state, index))
			continue;
		*ret_wish = (struct lease_wish){ .index = index,
						 .run_s = class->expected.mean_s,
						 .seq = queue->seq[index] };
		return lw_cycle_ready(cycle, index, &reason) && !lw_guard_holds(cycle, index) &&
		       lw_lease_suits(job) && class->expected.mean_s <= look->rules->back_s;
	}
	return false;
}

static bool lease_before(const struct lease_wish *a, const struct lease_wish *b)
{
	return a->run_s != b->run_s ? a->run_s < b->run_s : a->seq < b->seq;
}

/* The shortest, in order. */
static uint32_t lease_list_wishes(const struct lease_look *look, struct lease_wish *wishes)
{
	const struct lw_queue *queue = &look->cycle->snap->queue;
	uint32_t count = 0;

	for (uint32_t i = 0; i < queue->active_count; i++) {
		struct lease_wish wish;
		uint32_t at = count;

		if (!lease_wish_of(look, queue->active[i], &wish) ||
		    (count == LW_LEASE_TRIES && !lease_before(&wish, &wishes[count - 1])))
			continue;
		if (count == LW_LEASE_TRIES)
			at = --count;
		for (; at > 0 && lease_before(&wish, &wishes[at - 1]); at--)
			wishes[at] = wishes[at - 1];
		wishes[at] = wish;
		count++;
	}
	return count;
}

/* ---- room ---- */

/* The room of VICTIM is there, or no longer. */
static void lease_give(struct lease_look *look, const struct lw_lease_victim *victim, bool back)
{
	const struct lw_snapshot *snap = look->cycle->snap;
	const struct lw_running *running = &snap->running[victim->running];
	const struct lw_alloc *allocs = lw_running_allocs(snap, running);

	for (uint32_t i = 0; i < running->alloc_count; i++) {
		if (back)
			lw_res_sub(&look->leases->free[allocs[i].node], &allocs[i].res);
		else
			lw_res_add(&look->leases->free[allocs[i].node], &allocs[i].res);
	}
}

/* Beside all reservations, and what is kept for deadlines. */
static bool lease_fits(struct lease_look *look, const struct lease_wish *wish,
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
		room.spare = cycle->spare;
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

/* Accepted deadlines count on what the victim holds until its hard end. */
static bool lease_may_yield(const struct lease_look *look, const struct lw_lease_victim *victim,
			    const struct lease_wish *wish)
{
	const struct lw_cycle *cycle = look->cycle;
	int64_t end_s = lw_cycle_end(cycle, lw_cycle_job(cycle, wish->index));

	return !victim->picked &&
	       (double)victim->rest_s >= look->rules->gain * (double)wish->run_s &&
	       (!cycle->guard->on || victim->end_s >= end_s);
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
static bool lease_find(struct lease_look *look, const struct lease_wish *wish,
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

static int lease_order(struct lease_look *look, const struct lease_wish *wish,
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
static void lease_occupy(struct lease_look *look, const struct lease_wish *wish)
{
	const struct lw_alloc *allocs;
	uint32_t count;

	if (!lease_fits(look, wish, &allocs, &count))
		return;
	for (uint32_t i = 0; i < count; i++)
		lw_res_sub(&look->leases->free[allocs[i].node], &allocs[i].res);
}

static int lease_grant(struct lease_look *look, const struct lease_wish *wish)
{
	struct lease_set set = { .count = 0 };
	const struct lw_alloc *allocs;
	uint32_t alloc_count;
	int64_t now_s = look->cycle->snap->now_s, otherwise_s;
	bool worth;
	int rc = 0;

	/* what was freed for a shorter one has room for it, too */
	if (lease_fits(look, wish, &allocs, &alloc_count)) {
		lease_occupy(look, wish);
		return 0;
	}
	worth = lease_find(look, wish, &set) && look->out + set.share <= look->rules->share;
	if (worth) {
		rc = lw_lease_otherwise_s(look->cycle, wish->index, &otherwise_s);
		worth = !rc && otherwise_s - now_s > look->rules->leave_s + set.lost_s;
	}
	if (worth) {
		rc = lease_order(look, wish, &set);
		lease_occupy(look, wish);
	}
	while (!worth && set.count)
		lease_spare(look, &set, set.count - 1);
	return rc;
}

int lw_lease_plan(struct lw_cycle *cycle, const struct lw_lease_rules *rules,
		  const struct lw_lease_state *state, const struct lw_lease_offer *offers,
		  uint32_t count, struct lw_leases *leases)
{
	struct lease_look look = { .cycle = cycle,
				   .rules = rules,
				   .state = state,
				   .leases = leases,
				   .out = state->out };
	struct lease_wish wishes[LW_LEASE_TRIES];
	uint32_t wish_count;
	int rc;

	leases->count = 0;
	wish_count = count ? lease_list_wishes(&look, wishes) : 0;
	if (!wish_count)
		return 0;
	if (lw_grow((void **)&leases->free, &leases->free_room, cycle->snap->node_count + 1,
		    sizeof(*leases->free)))
		return -ENOMEM;
	memcpy(leases->free, cycle->free, cycle->snap->node_count * sizeof(*leases->free));
	rc = lease_list_victims(&look, offers, count);
	for (uint32_t i = 0; !rc && i < wish_count; i++)
		rc = lease_grant(&look, &wishes[i]);
	return rc;
}
