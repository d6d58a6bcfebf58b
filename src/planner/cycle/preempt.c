/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: preemption: running jobs that do not stand in the way of some that wait. */
#include "planner/cycle/preempt.h"

#include "planner/place/fit.h"

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

/* Where a job has room without those that it may preempt. */
struct search {
	struct lw_walk *walk;
	uint32_t index; /* of the job */
	bool guarded;
	const struct lw_alloc *allocs;
	uint32_t count;
};

static const struct lw_waiting *job_of(const struct search *search)
{
	return &search->walk->snap->waiting[search->index];
}

static int find_room(struct search *search)
{
	struct lw_walk *walk = search->walk;
	const struct lw_waiting *job = job_of(search);
	struct lw_room room = lw_walk_room(walk, job);

	free_without(walk, job);
	room.free = walk->future;
	room.index = NULL;
	if (search->guarded) {
		room.spare = walk->spare;
		room.guarded = walk->guarded;
	}
	return lw_fit(walk->placer, &room, &job->request, walk->snap->now_s, &search->allocs,
		      &search->count);
}

/* What running job RUN holds on NODE. */
static const struct lw_alloc *held_on(const struct lw_walk *walk, uint32_t run, uint32_t node)
{
	const struct lw_running *job = &walk->snap->running[run];

	for (uint32_t i = 0; i < job->alloc_count; i++) {
		const struct lw_alloc *alloc = &walk->snap->allocs[job->first_alloc + i];

		if (alloc->node == node)
			return alloc;
	}
	return NULL;
}

/* The youngest job on NODE that JOB may preempt, or running_count. */
static uint32_t find_victim(const struct lw_walk *walk, const struct lw_waiting *job,
			    uint32_t node)
{
	const struct lw_snapshot *snap = walk->snap;
	uint32_t best = snap->running_count;

	for (uint32_t r = 0; r < snap->running_count; r++) {
		if (may_preempt(walk, job, r) && held_on(walk, r, node) &&
		    (best == snap->running_count ||
		     snap->running[r].start_s > snap->running[best].start_s))
			best = r;
	}
	return best;
}

/* More who have to go for a job than these are not looked at one by one. */
#define VICTIMS_MAX 16

struct victims {
	uint32_t runs[VICTIMS_MAX];
	uint32_t count; /* VICTIMS_MAX: or more */
};

/* Who else has to go from NODE, so that NEED is free there? */
static void add_victims(const struct search *search, const struct lw_alloc *need,
			struct victims *victims)
{
	struct lw_walk *walk = search->walk;
	struct lw_res free = walk->free[need->node];

	for (uint32_t i = 0; i < victims->count; i++) {
		const struct lw_alloc *held = held_on(walk, victims->runs[i], need->node);

		if (held)
			lw_res_add(&free, &held->res);
	}
	while (victims->count < VICTIMS_MAX && !lw_res_within(&need->res, &free)) {
		uint32_t run = find_victim(walk, job_of(search), need->node);

		if (run == walk->snap->running_count)
			break;
		lw_res_add(&free, &held_on(walk, run, need->node)->res);
		victims->runs[victims->count++] = run;
		walk->preempted[run] = 1;
	}
}

/* Who has to go, the youngest of each node first, for what SEARCH has found? */
static struct victims find_victims(const struct search *search)
{
	struct victims victims = { 0 };

	for (uint32_t i = 0; i < search->count; i++)
		add_victims(search, &search->allocs[i], &victims);
	for (uint32_t i = 0; i < victims.count; i++)
		search->walk->preempted[victims.runs[i]] = 0;
	return victims;
}

/*
 * Look for other nodes, on which job RUN can stay and fewer than VICTIMS have to go. If there are
 * none, all is as before.
 */
static bool let_stay(struct search *search, uint32_t run, struct victims *victims)
{
	struct victims others;

	search->walk->preempted[run] = 1; /* its room is not to be had */
	if (!find_room(search)) {
		others = find_victims(search);
		if (others.count < victims->count) {
			*victims = others;
			return true;
		}
	}
	search->walk->preempted[run] = 0;
	(void)find_room(search); /* there was room before */
	return false;
}

/*
 * Without those that would have to go from them all nodes look alike. So see of one after the other
 * whether he could stay, which costs two searches: of so many for a job, and in a plan.
 */
#define STAYS_MAX     4
#define ALL_STAYS_MAX 100

static void go_where_fewest_go(struct search *search)
{
	struct victims victims = find_victims(search);
	uint32_t stay[STAYS_MAX], count = 0, next = 0, tries = 0;

	while (tries++ < STAYS_MAX && victims.count > 1 && victims.count < VICTIMS_MAX &&
	       next < victims.count && search->walk->stay_tries++ < ALL_STAYS_MAX) {
		uint32_t run = victims.runs[next];

		if (let_stay(search, run, &victims)) {
			stay[count++] = run;
			next = 0;
		} else {
			next++;
		}
	}
	while (count)
		search->walk->preempted[stay[--count]] = 0;
}

int lw_preempt_find(struct lw_walk *walk, uint32_t index, bool guarded,
		    const struct lw_alloc **ret_allocs, uint32_t *ret_count)
{
	struct search search = { .walk = walk, .index = index, .guarded = guarded };
	int rc;

	if (!lw_terms_preempt(&walk->snap->waiting[index].terms))
		return -ENOSPC;
	rc = find_room(&search);
	if (rc)
		return rc;
	go_where_fewest_go(&search);
	*ret_allocs = search.allocs;
	*ret_count = search.count;
	return 0;
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
