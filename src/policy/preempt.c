/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: preemption: running jobs that do not stand in the way of some that wait. */
#include "policy/preempt.h"

#include "policy/place/fit.h"

#include <errno.h>
#include <string.h>

static bool may_preempt(const struct lw_walk *walk, const struct lw_waiting *job, uint32_t run)
{
	const struct lw_running *running = &walk->snap->running[run];

	return lw_terms_puts_off(&job->terms, running->kind, running->priority) &&
	       !walk->preempted[run];
}

/* What would be free without the jobs that JOB may preempt, into walk->future. */
static void free_without(struct lw_walk *walk, const struct lw_waiting *job)
{
	const struct lw_snapshot *snap = walk->snap;

	memcpy(walk->future, walk->free, snap->node_count * sizeof(*walk->future));
	for (uint32_t r = 0; r < snap->running_count; r++) {
		const struct lw_running *run = &snap->running[r];

		for (uint32_t i = 0; may_preempt(walk, job, r) && i < run->alloc_count; i++) {
			const struct lw_alloc *alloc = &snap->allocs[run->first_alloc + i];

			lw_res_add(&walk->future[alloc->node], &alloc->res);
		}
	}
	/* of a node that has more in use than it has, that much is not free either */
	for (uint32_t node = 0; node < snap->node_count; node++) {
		lw_res_sub(&walk->future[node], &walk->over[node]);
		lw_res_min(&walk->future[node], &walk->total[node]);
	}
}

int lw_preempt_find(struct lw_walk *walk, uint32_t index, bool guarded,
		    const struct lw_alloc **ret_allocs, uint32_t *ret_count)
{
	const struct lw_waiting *job = &walk->snap->waiting[index];
	struct lw_room room = lw_walk_room(walk, job);

	if (!lw_terms_preempt(&job->terms))
		return -ENOSPC;
	free_without(walk, job);
	room.free = walk->future;
	room.index = NULL;
	if (guarded) {
		room.spare = walk->spare;
		room.guarded = walk->guarded;
	}
	return lw_fit(walk->placer, &room, &job->request, walk->snap->now_s, ret_allocs,
		      ret_count);
}

bool lw_preempt_has_room(struct lw_walk *walk, uint32_t index, const struct lw_alloc *allocs,
			 uint32_t count)
{
	const struct lw_waiting *job = &walk->snap->waiting[index];

	if (!lw_terms_preempt(&job->terms))
		return true;
	free_without(walk, job);
	for (uint32_t i = 0; i < count; i++) {
		if (!lw_res_within(&allocs[i].res, &walk->future[allocs[i].node]))
			return false;
	}
	return true;
}

static void give_up_node(struct lw_walk *walk, const struct lw_alloc *alloc)
{
	struct lw_res before = walk->free[alloc->node], res = alloc->res;

	/* what it shares there is still in use */
	lw_res_sub(&res, &walk->over[alloc->node]);
	lw_res_sub(&walk->over[alloc->node], &alloc->res);
	lw_res_add(&walk->free[alloc->node], &res);
	lw_res_min(&walk->free[alloc->node], &walk->total[alloc->node]);
	lw_index_update(walk->index, alloc->node, &walk->total[alloc->node], &before,
			&walk->free[alloc->node]);
}

static void put_off(struct lw_walk *walk, uint32_t run)
{
	const struct lw_running *job = &walk->snap->running[run];

	walk->preempted[run] = 1;
	for (uint32_t i = 0; i < job->alloc_count; i++)
		give_up_node(walk, &walk->snap->allocs[job->first_alloc + i]);
	for (int ends = 0; ends < LW_ENDS_COUNT; ends++) {
		if (walk->releases_ready[ends])
			lw_releases_drop(&walk->releases[ends], walk->snap, run);
	}
}

static bool is_on(const struct lw_walk *walk, uint32_t run, uint32_t node)
{
	const struct lw_running *job = &walk->snap->running[run];

	for (uint32_t i = 0; i < job->alloc_count; i++) {
		if (walk->snap->allocs[job->first_alloc + i].node == node)
			return true;
	}
	return false;
}

/* The youngest job on NODE that JOB may preempt, or running_count. */
static uint32_t find_victim(const struct lw_walk *walk, const struct lw_waiting *job,
			    uint32_t node)
{
	const struct lw_snapshot *snap = walk->snap;
	uint32_t best = snap->running_count;

	for (uint32_t r = 0; r < snap->running_count; r++) {
		if (may_preempt(walk, job, r) && is_on(walk, r, node) &&
		    (best == snap->running_count ||
		     snap->running[r].start_s > snap->running[best].start_s))
			best = r;
	}
	return best;
}

void lw_preempt_make_room(struct lw_walk *walk, uint32_t index, const struct lw_alloc *allocs,
			  uint32_t count)
{
	const struct lw_waiting *job = &walk->snap->waiting[index];

	if (!lw_terms_preempt(&job->terms))
		return;
	for (uint32_t i = 0; i < count; i++) {
		uint32_t node = allocs[i].node, victim;

		while (!lw_res_within(&allocs[i].res, &walk->free[node])) {
			victim = find_victim(walk, job, node);
			if (victim == walk->snap->running_count)
				break;
			put_off(walk, victim);
		}
	}
}
