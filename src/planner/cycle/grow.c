/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: which job is stopped to go on on more nodes, since no job waits (size.mode). */
#include "planner/cycle/grow.h"

#include "base/grow.h"
#include "planner/cycle/lease_parts.h"

#include <errno.h>
#include <string.h>

static void grow_give(struct lw_cycle *cycle, struct lw_res *free, uint32_t number, bool back)
{
	const struct lw_running *running = &cycle->snap->running[number];
	const struct lw_alloc *allocs = lw_running_allocs(cycle->snap, running);

	for (uint32_t i = 0; i < running->alloc_count; i++)
		(back ? lw_res_sub : lw_res_add)(&free[allocs[i].node], &allocs[i].res);
}

/* How many nodes it would get now, if it were not there. */
static uint32_t grow_nodes(struct lw_cycle *cycle, const struct lw_lease_offer *offer,
			   struct lw_res *free)
{
	const struct lw_waiting *again = offer->larger;
	struct lw_room room = lw_cycle_room(cycle, again);
	const struct lw_alloc *allocs;
	uint32_t count = 0;

	room.free = free;
	room.index = NULL;
	grow_give(cycle, free, offer->running, false);
	if (lw_fit(cycle->placer, &room, &again->request, cycle->snap->now_s, &allocs, &count))
		count = 0;
	grow_give(cycle, free, offer->running, true);
	return count;
}

static int64_t grow_gain_s(struct lw_cycle *cycle, const struct lw_lease_offer *offer,
			   struct lw_res *free)
{
	const struct lw_running *running = &cycle->snap->running[offer->running];
	int64_t now_s = cycle->snap->now_s;
	const struct lw_size_rest rest = {
		.rest_s = lw_running_end_s(running, now_s, LW_ENDS_EXPECTED) - now_s,
		.cost_s = offer->lost_s,
	};
	uint32_t nodes;

	if (!offer->larger || !lw_lease_is_clear(cycle, running))
		return 0;
	nodes = grow_nodes(cycle, offer, free);
	return nodes > offer->nodes
		       ? lw_size_gain_s(&offer->size, offer->nodes, nodes - offer->nodes, &rest)
		       : 0;
}

int lw_grow_plan(struct lw_cycle *cycle, const struct lw_lease_state *state,
		 const struct lw_lease_offer *offers, uint32_t count, struct lw_leases *leases)
{
	const struct lw_snapshot *snap = cycle->snap;
	int64_t most_s = 0;

	if (snap->queue.active_count || state->served_count)
		return 0;
	if (lw_grow((void **)&leases->free, &leases->free_room, snap->node_count + 1,
		    sizeof(*leases->free)) ||
	    lw_grow((void **)&leases->stops, &leases->stop_room, 1, sizeof(*leases->stops)))
		return -ENOMEM;
	memcpy(leases->free, cycle->free, snap->node_count * sizeof(*leases->free));
	for (uint32_t i = 0; i < count; i++) {
		int64_t gain_s = grow_gain_s(cycle, &offers[i], leases->free);

		if (gain_s <= most_s)
			continue;
		most_s = gain_s;
		leases->count = 1;
		leases->stops[0] = (struct lw_lease_stop){
			.job_id = snap->running[offers[i].running].job_id,
			.share = lw_lease_share_of(cycle, &snap->running[offers[i].running]),
		};
	}
	return 0;
}
