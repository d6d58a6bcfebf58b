/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: which jobs that agree to be stopped go elsewhere, so that others have room (stop.for).
 */
#include "planner/cycle/move.h"

#include "base/grow.h"
#include "planner/cycle/move_parts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void lw_moves_fini(struct lw_moves *moves)
{
	free(moves->victims);
	free(moves->options);
	free(moves->free);
	free(moves->spare);
	memset(moves, 0, sizeof(*moves));
}

/* ---- which jobs may move ---- */

static int move_by_node(const void *a, const void *b)
{
	const struct lw_move_victim *x = a, *y = b;

	if (x->node != y->node)
		return x->node < y->node ? -1 : 1;
	if (x->cost < y->cost || x->cost > y->cost)
		return x->cost < y->cost ? -1 : 1;
	return x->running < y->running ? -1 : x->running > y->running;
}

/* It runs on one node, and has much more left to do than it loses. */
static bool move_may_go(const struct lw_move_look *look, const struct lw_lease_offer *offer)
{
	const struct lw_snapshot *snap = look->cycle->snap;
	const struct lw_running *running = &snap->running[offer->running];
	int64_t rest_s = lw_running_end_s(running, snap->now_s, LW_ENDS_EXPECTED) - snap->now_s;

	return offer->again && running->alloc_count == 1 && lw_lease_suits(offer->again) &&
	       lw_lease_is_clear(look->cycle, running) &&
	       (double)rest_s >= look->rules->gain * (double)offer->lost_s;
}

static int move_list_victims(struct lw_move_look *look, const struct lw_lease_offer *offers,
			     uint32_t count)
{
	const struct lw_snapshot *snap = look->cycle->snap;
	struct lw_moves *moves = look->moves;

	if (lw_grow((void **)&moves->victims, &moves->victim_room, count + 1,
		    sizeof(*moves->victims)))
		return -ENOMEM;
	moves->victim_count = 0;
	for (uint32_t i = 0; i < count; i++) {
		const struct lw_running *running = &snap->running[offers[i].running];
		double share = lw_lease_share_of(look->cycle, running);

		if (!move_may_go(look, &offers[i]))
			continue;
		moves->victims[moves->victim_count++] = (struct lw_move_victim){
			.running = offers[i].running,
			.node = lw_running_allocs(snap, running)->node,
			.again = offers[i].again,
			.lost_s = offers[i].lost_s,
			.cost = (double)offers[i].lost_s * share,
			.share = share,
		};
	}
	qsort(moves->victims, moves->victim_count, sizeof(*moves->victims), move_by_node);
	return 0;
}

/* ---- for which jobs ---- */

/* On each of NODES, of what is asked for in all. */
static uint32_t move_part(uint32_t each, uint32_t all, uint32_t nodes)
{
	uint32_t part = nodes ? all / nodes + (all % nodes != 0) : all;

	return part > each ? part : each;
}

/* The first of its class that the plan leaves waiting, if room is all that it lacks. */
static bool move_wish_of(const struct lw_move_look *look, uint32_t number,
			 struct lw_move_wish *ret_wish)
{
	const struct lw_cycle *cycle = look->cycle;
	const struct lw_class *class = &cycle->snap->queue.classes[number];
	enum lw_reason reason;

	for (uint32_t i = 0; i < class->member_count; i++) {
		uint32_t index = class->members[i];
		const struct lw_waiting *job = lw_cycle_job(cycle, index);
		struct lw_request each = job->request;

		if (!lw_cycle_tasks_left(cycle, index) ||
		    lw_lease_is_served(cycle, look->state, index))
			continue;
		each.cpus_per_node =
			move_part(each.cpus_per_node, each.cpus_total, each.nodes_min);
		each.gpus_per_node =
			(uint16_t)move_part(each.gpus_per_node, each.gpus_total, each.nodes_min);
		*ret_wish = (struct lw_move_wish){
			.index = index,
			.run_s = class->expected.mean_s,
			.end_s = lw_end_after_s(lw_cycle_end(cycle, job), look->rules->leave_s),
			.seq = cycle->snap->queue.seq[index],
			.each = each,
		};
		return lw_cycle_ready(cycle, index, &reason) && lw_lease_suits(job) &&
		       ret_wish->run_s <= look->rules->back_s && each.nodes_min &&
		       lw_request_may_fit(&each, &cycle->all_free);
	}
	return false;
}

static bool move_before(const struct lw_move_wish *a, const struct lw_move_wish *b)
{
	return a->run_s != b->run_s ? a->run_s < b->run_s : a->seq < b->seq;
}

/* The shortest, in order. */
static uint32_t move_list_wishes(const struct lw_move_look *look, struct lw_move_wish *wishes)
{
	const struct lw_queue *queue = &look->cycle->snap->queue;
	uint32_t count = 0;

	for (uint32_t i = 0; i < queue->active_count; i++) {
		struct lw_move_wish wish;
		uint32_t at = count;

		if (!move_wish_of(look, queue->active[i], &wish) ||
		    (count == LW_MOVE_TRIES && !move_before(&wish, &wishes[count - 1])))
			continue;
		if (count == LW_MOVE_TRIES)
			at = --count;
		for (; at > 0 && move_before(&wish, &wishes[at - 1]); at--)
			wishes[at] = wishes[at - 1];
		wishes[at] = wish;
		count++;
	}
	return count;
}

/* ---- an order ---- */

static int move_add_place(struct lw_leases *leases, const struct lw_alloc *place)
{
	if (lw_grow((void **)&leases->places, &leases->place_room, leases->place_count + 1,
		    sizeof(*leases->places)))
		return -ENOMEM;
	leases->places[leases->place_count++] = *place;
	leases->stops[leases->count - 1].place_count++;
	return 0;
}

static int move_add_stop(struct lw_move_look *look, const struct lw_move_wish *wish,
			 const struct lw_move_set *set, uint32_t i)
{
	const struct lw_cycle *cycle = look->cycle;
	struct lw_leases *leases = look->leases;

	if (lw_grow((void **)&leases->stops, &leases->stop_room, leases->count + 1,
		    sizeof(*leases->stops)))
		return -ENOMEM;
	leases->stops[leases->count++] = (struct lw_lease_stop){
		.job_id = cycle->snap->running[set->victims[i]->running].job_id,
		.for_job = lw_cycle_job(cycle, wish->index)->job_id,
		.share = set->victims[i]->share,
		.moves = true,
		.from = *lw_move_held(look, set->victims[i]),
		.first_place = leases->place_count,
	};
	return move_add_place(leases, &set->places[i]);
}

/* With the last one goes what the wish needs of what is free now. */
static int move_order(struct lw_move_look *look, const struct lw_move_wish *wish,
		      const struct lw_move_set *set, const struct lw_alloc *allocs,
		      uint32_t count)
{
	static const struct lw_res nothing;
	int rc = 0;

	for (uint32_t i = 0; !rc && i < set->count; i++)
		rc = move_add_stop(look, wish, set, i);
	for (uint32_t i = 0; !rc && i < count; i++) {
		struct lw_alloc kept = allocs[i];

		for (uint32_t v = 0; v < set->count; v++)
			if (set->victims[v]->node == kept.node)
				lw_res_sub(&kept.res, &lw_move_held(look, set->victims[v])->res);
		if (!lw_res_within(&kept.res, &nothing))
			rc = move_add_place(look->leases, &kept);
	}
	return rc;
}

/* What is free once these have moved, and the wish has not started. */
static void move_settle(struct lw_move_look *look, const struct lw_move_set *set)
{
	const struct lw_cycle *cycle = look->cycle;
	size_t size = cycle->snap->node_count * sizeof(*look->moves->free);

	memcpy(look->moves->free, cycle->free, size);
	memcpy(look->moves->spare, cycle->spare, size);
	for (uint32_t i = 0; i < set->count; i++) {
		const struct lw_alloc *held = lw_move_held(look, set->victims[i]);
		const struct lw_alloc *place = &set->places[i];

		lw_res_add(&look->moves->free[held->node], &held->res);
		if (lw_lease_outlives(cycle, set->victims[i]->running, held->node))
			lw_res_add(&look->moves->spare[held->node], &held->res);
		lw_res_sub(&look->moves->free[place->node], &place->res);
		lw_res_sub(&look->moves->spare[place->node], &place->res);
	}
}

static int move_grant(struct lw_move_look *look, const struct lw_move_wish *wish)
{
	const struct lw_cycle *cycle = look->cycle;
	size_t size = cycle->snap->node_count * sizeof(*look->moves->free);
	struct lw_move_set set = { .count = 0 };
	const struct lw_alloc *allocs;
	int64_t otherwise_s;
	uint32_t count;
	int rc;

	memcpy(look->moves->free, cycle->free, size);
	memcpy(look->moves->spare, cycle->spare, size);
	rc = lw_move_options(look, wish);
	if (rc || !lw_move_find(look, wish, &set))
		return rc;
	rc = lw_lease_otherwise_s(look->cycle, wish->index, &otherwise_s);
	if (rc || otherwise_s - cycle->snap->now_s <= look->rules->leave_s + set.lost_s)
		return rc;
	move_settle(look, &set);
	return lw_move_fits(look, wish, &allocs, &count)
		       ? move_order(look, wish, &set, allocs, count)
		       : 0;
}

int lw_move_plan(struct lw_cycle *cycle, const struct lw_lease_rules *rules,
		 const struct lw_lease_state *state, const struct lw_lease_offer *offers,
		 uint32_t count, struct lw_leases *leases)
{
	struct lw_moves *moves = &leases->moves;
	struct lw_move_look look = { cycle, rules, state, leases, moves };
	struct lw_move_wish wishes[LW_MOVE_TRIES];
	uint32_t wish_count;
	int rc;

	leases->count = leases->place_count = 0;
	wish_count = count && !cycle->guard->on ? move_list_wishes(&look, wishes) : 0;
	if (!wish_count)
		return 0;
	if (lw_grow((void **)&moves->free, &moves->free_room, cycle->snap->node_count + 1,
		    sizeof(*moves->free)) ||
	    lw_grow((void **)&moves->spare, &moves->spare_room, cycle->snap->node_count + 1,
		    sizeof(*moves->spare)))
		return -ENOMEM;
	rc = move_list_victims(&look, offers, count);
	/* one at a time: the next plan sees what is kept for it */
	for (uint32_t i = 0; !rc && moves->victim_count && !leases->count && i < wish_count; i++)
		rc = move_grant(&look, &wishes[i]);
	return rc;
}
