/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: on which nodes a job has room once others have moved, and where these go. */
#include "planner/cycle/move_parts.h"

#include "base/grow.h"
#include "planner/cycle/start.h"
#include "planner/cycle/type.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* What a node had. */
struct move_find_undo {
	uint32_t node;
	struct lw_res free, spare;
};

const struct lw_alloc *lw_move_held(const struct lw_move_look *look,
				    const struct lw_move_victim *victim)
{
	const struct lw_snapshot *snap = look->cycle->snap;

	return lw_running_allocs(snap, &snap->running[victim->running]);
}

/* ---- room ---- */

/* As lw_cycle_guard(), for a job that runs again: the wish starts before it. */
static void move_find_guard(struct lw_move_look *look, const struct lw_move_wish *wish,
			    int64_t end_s)
{
	struct lw_cycle *cycle = look->cycle;

	for (uint32_t r = 0; r < cycle->reservation_count; r++) {
		const struct lw_reservation *resv = &cycle->reservations[r];

		cycle->guarded[r + 1] = !resv->over &&
					!lw_cycle_same_job(cycle, resv->waiting, wish->index) &&
					end_s > resv->horizon_s - lw_cycle_ends_before(cycle);
	}
}

/* Beside all reservations that are guarded now. */
static struct lw_room move_find_room(struct lw_move_look *look, const struct lw_waiting *job)
{
	struct lw_cycle *cycle = look->cycle;
	struct lw_room room = lw_cycle_room(cycle, job);

	room.free = look->moves->free;
	room.index = NULL;
	if (cycle->reservation_count) {
		room.spare = look->moves->spare;
		room.holder = cycle->holder;
		room.guarded = cycle->guarded;
	}
	return room;
}

bool lw_move_fits(struct lw_move_look *look, const struct lw_move_wish *wish,
		  const struct lw_alloc **ret_allocs, uint32_t *ret_count)
{
	struct lw_cycle *cycle = look->cycle;
	const struct lw_waiting *job = lw_cycle_job(cycle, wish->index);
	struct lw_room room = move_find_room(look, job);

	(void)lw_cycle_guard(cycle, wish->index, wish->end_s);
	room.type_mask = lw_type_mask(cycle, wish->index);
	return !lw_fit(cycle->placer, &room, &job->request, cycle->snap->now_s, ret_allocs,
		       ret_count);
}

/* What the wish gets on the node of OPTION once its victims have left; false: not enough. */
static bool move_find_serves(struct lw_move_look *look, const struct lw_move_wish *wish,
			     const struct lw_move_option *option, struct lw_res *ret_give)
{
	const struct lw_cycle *cycle = look->cycle;
	const struct lw_request *each = &wish->each;
	uint32_t node = option->node;
	struct lw_res free = look->moves->free[node], spare = look->moves->spare[node];
	int types = each->gpus_per_node ? (int)cycle->snap->gpu_type_count : 1;

	for (uint32_t i = 0; i < option->count; i++) {
		const struct lw_move_victim *victim = &look->moves->victims[option->first + i];

		lw_res_add(&free, &lw_move_held(look, victim)->res);
		if (lw_lease_outlives(look->cycle, victim->running, victim->node))
			lw_res_add(&spare, &lw_move_held(look, victim)->res);
	}
	if (cycle->guarded[cycle->holder[node]])
		lw_res_min(&free, &spare);
	for (int i = 0; i < types; i++) {
		int type = each->gpus_per_node ? i : LW_GPU_ANY;

		if ((each->gpu_type == LW_GPU_ANY || each->gpu_type == type || type < 0) &&
		    lw_place_on_node(&free, &cycle->total[node], each, type, ret_give))
			return true;
	}
	return false;
}

/* ---- nodes ---- */

/* One job that leaves is best, then as many as it takes, the cheapest first. */
static bool move_find_option(struct lw_move_look *look, const struct lw_move_wish *wish,
			     struct lw_move_option *option, uint32_t count)
{
	struct lw_move_option run = { .node = option->node, .first = option->first };
	struct lw_res give;

	*option = run;
	if (move_find_serves(look, wish, option, &give))
		return true;
	for (uint32_t i = 0; i < count; i++) {
		*option = run;
		option->first += i;
		option->count = 1;
		option->cost = look->moves->victims[option->first].cost;
		if (move_find_serves(look, wish, option, &give))
			return true;
	}
	for (*option = run; option->count < count && option->count < LW_MOVE_MOST;) {
		option->cost += look->moves->victims[option->first + option->count++].cost;
		if (move_find_serves(look, wish, option, &give))
			return true;
	}
	return false;
}

static int move_find_by_cost(const void *a, const void *b)
{
	const struct lw_move_option *x = a, *y = b;

	if (x->cost < y->cost || x->cost > y->cost)
		return x->cost < y->cost ? -1 : 1;
	return x->node < y->node ? -1 : x->node > y->node;
}

int lw_move_options(struct lw_move_look *look, const struct lw_move_wish *wish)
{
	const struct lw_cycle *cycle = look->cycle;
	const struct lw_bitset *nodes = &cycle->usable[lw_cycle_job(cycle, wish->index)->set];
	struct lw_moves *moves = look->moves;
	uint32_t first = 0;

	if (lw_grow((void **)&moves->options, &moves->option_room, cycle->snap->node_count + 1,
		    sizeof(*moves->options)))
		return -ENOMEM;
	moves->option_count = 0;
	(void)lw_cycle_guard(look->cycle, wish->index, wish->end_s);
	for (uint32_t node = 0; node < cycle->snap->node_count; node++) {
		struct lw_move_option *option = &moves->options[moves->option_count];
		uint32_t end = first;

		while (end < moves->victim_count && moves->victims[end].node == node)
			end++;
		*option = (struct lw_move_option){ .node = node, .first = first };
		moves->option_count += lw_bitset_test(nodes, node) &&
				       move_find_option(look, wish, option, end - first);
		first = end;
	}
	qsort(moves->options, moves->option_count, sizeof(*moves->options), move_find_by_cost);
	return 0;
}

/* ---- moves ---- */

static void move_find_change(struct lw_move_look *look, uint32_t node,
			     struct move_find_undo *undo, uint32_t *count)
{
	undo[(*count)++] = (struct move_find_undo){ node, look->moves->free[node],
						    look->moves->spare[node] };
}

/* Where it would run again, now, beside what is kept for the wish. */
static bool move_find_place(struct lw_move_look *look, const struct lw_move_wish *wish,
			    const struct lw_move_victim *victim, struct lw_alloc *ret_place)
{
	struct lw_cycle *cycle = look->cycle;
	int64_t now_s = cycle->snap->now_s;
	struct lw_room room = move_find_room(look, victim->again);
	const struct lw_alloc *allocs;
	uint32_t count;

	move_find_guard(look, wish,
			lw_waiting_end_s(victim->again, now_s + look->rules->leave_s));
	if (lw_fit(cycle->placer, &room, &victim->again->request, now_s, &allocs, &count) ||
	    count != 1 || allocs->node == victim->node)
		return false;
	*ret_place = *allocs;
	return true;
}

/* What is to be kept of what is free on the node: the rest comes from the victims. */
static void move_find_keep(struct lw_move_look *look, const struct lw_move_option *option,
			   const struct lw_res *give)
{
	struct lw_res kept = *give, *spare = &look->moves->spare[option->node];

	for (uint32_t i = 0; i < option->count; i++) {
		const struct lw_move_victim *victim = &look->moves->victims[option->first + i];

		lw_res_sub(&kept, &lw_move_held(look, victim)->res);
		if (lw_lease_outlives(look->cycle, victim->running, victim->node))
			lw_res_add(spare, &lw_move_held(look, victim)->res);
	}
	lw_res_sub(&look->moves->free[option->node], &kept);
	lw_res_sub(spare, give);
}

/* Its victims go elsewhere, and the wish gets their node; false: nothing has changed. */
static bool move_find_take(struct lw_move_look *look, const struct lw_move_wish *wish,
			   const struct lw_move_option *option, struct lw_move_set *set)
{
	struct lw_moves *moves = look->moves;
	struct move_find_undo undo[LW_MOVE_MOST + 1];
	struct lw_move_set more = *set;
	struct lw_res give;
	uint32_t changed = 0;
	bool done = set->count + option->count <= LW_MOVE_MOST;

	(void)lw_cycle_guard(look->cycle, wish->index, wish->end_s);
	if (!done || !move_find_serves(look, wish, option, &give))
		return false;
	move_find_change(look, option->node, undo, &changed);
	move_find_keep(look, option, &give);
	for (uint32_t i = 0; done && i < option->count; i++) {
		struct lw_move_victim *victim = &moves->victims[option->first + i];
		struct lw_alloc *place = &more.places[more.count];

		done = move_find_place(look, wish, victim, place);
		if (!done)
			break;
		move_find_change(look, place->node, undo, &changed);
		lw_res_sub(&moves->free[place->node], &place->res);
		lw_res_sub(&moves->spare[place->node], &place->res);
		more.victims[more.count++] = victim;
		more.share += victim->share;
		more.lost_s += victim->lost_s;
	}
	more.nodes++;
	if (done && look->state->out + more.share <= look->rules->share) {
		*set = more;
		return true;
	}
	while (changed--) {
		moves->free[undo[changed].node] = undo[changed].free;
		moves->spare[undo[changed].node] = undo[changed].spare;
	}
	return false;
}

bool lw_move_find(struct lw_move_look *look, const struct lw_move_wish *wish,
		  struct lw_move_set *set)
{
	const struct lw_moves *moves = look->moves;

	for (uint32_t i = 0; i < moves->option_count && set->nodes < wish->each.nodes_min; i++)
		(void)move_find_take(look, wish, &moves->options[i], set);
	return set->count && set->nodes >= wish->each.nodes_min;
}
