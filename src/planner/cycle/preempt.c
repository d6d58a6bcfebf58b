/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: preemption: waiting jobs that may use the room of running jobs. */
#include "planner/cycle/preempt.h"

#include "planner/place/fit.h"

#include <errno.h>
#include <string.h>

static bool may_preempt(const struct lw_cycle *cycle, const struct lw_waiting *job, uint32_t run)
{
	const struct lw_running *running = &cycle->snap->running[run];

	return lw_constraints_preempt_running(&job->constraints, running->preempt_class,
					      running->priority) &&
	       running->yields_s <= cycle->snap->now_s && !cycle->preempted[run];
}

/* What would be free without the jobs that JOB may preempt, into cycle->future. */
static void preempt_free_without(struct lw_cycle *cycle, const struct lw_waiting *job)
{
	const struct lw_snapshot *snap = cycle->snap;

	memcpy(cycle->future, cycle->free, snap->node_count * sizeof(*cycle->future));
	for (uint32_t r = 0; r < snap->running_count; r++) {
		const struct lw_running *run = &snap->running[r];

		for (uint32_t i = 0; may_preempt(cycle, job, r) && i < run->alloc_count; i++) {
			const struct lw_alloc *alloc = &snap->allocs[run->first_alloc + i];

			lw_res_add(&cycle->future[alloc->node], &alloc->res);
		}
	}
	/* amounts in use beyond a node's size do not become free */
	for (uint32_t node = 0; node < snap->node_count; node++) {
		lw_res_sub(&cycle->future[node], &cycle->over[node]);
		lw_res_min(&cycle->future[node], &cycle->total[node]);
	}
}

/* A place for a job among what is free and what it may preempt. */
struct search {
	struct lw_cycle *cycle;
	uint32_t index; /* of the job */
	bool guarded;
	const struct lw_alloc *allocs;
	uint32_t count;
};

static const struct lw_waiting *preempt_job_of(const struct search *search)
{
	return &search->cycle->snap->waiting[search->index];
}

static int preempt_find_room(struct search *search)
{
	struct lw_cycle *cycle = search->cycle;
	const struct lw_waiting *job = preempt_job_of(search);
	struct lw_room room = lw_cycle_room(cycle, job);

	preempt_free_without(cycle, job);
	room.free = cycle->future;
	room.index = NULL;
	if (search->guarded) {
		room.spare = cycle->spare;
		room.holder = cycle->holder;
		room.guarded = cycle->guarded;
	}
	return lw_fit(cycle->placer, &room, &job->request, cycle->snap->now_s, &search->allocs,
		      &search->count);
}

/* What running job RUN holds on NODE. */
static const struct lw_alloc *preempt_held_on(const struct lw_cycle *cycle, uint32_t run,
					      uint32_t node)
{
	const struct lw_running *job = &cycle->snap->running[run];

	for (uint32_t i = 0; i < job->alloc_count; i++) {
		const struct lw_alloc *alloc = &cycle->snap->allocs[job->first_alloc + i];

		if (alloc->node == node)
			return alloc;
	}
	return NULL;
}

/* The youngest job on NODE that JOB may preempt, or running_count. */
static uint32_t preempt_find_victim(const struct lw_cycle *cycle, const struct lw_waiting *job,
				    uint32_t node)
{
	const struct lw_snapshot *snap = cycle->snap;
	uint32_t best = snap->running_count;

	for (uint32_t r = 0; r < snap->running_count; r++) {
		if (may_preempt(cycle, job, r) && preempt_held_on(cycle, r, node) &&
		    (best == snap->running_count ||
		     snap->running[r].start_s > snap->running[best].start_s))
			best = r;
	}
	return best;
}

/* If at least this many jobs have to go, they are not looked at one by one. */
#define VICTIMS_MAX 16

struct victims {
	uint32_t runs[VICTIMS_MAX];
	uint32_t count; /* VICTIMS_MAX: or more */
};

/* Which further jobs must go from NODE for NEED to be free there? */
static void preempt_add_victims(const struct search *search, const struct lw_alloc *need,
				struct victims *victims)
{
	struct lw_cycle *cycle = search->cycle;
	struct lw_res free = cycle->free[need->node];

	for (uint32_t i = 0; i < victims->count; i++) {
		const struct lw_alloc *held =
			preempt_held_on(cycle, victims->runs[i], need->node);

		if (held)
			lw_res_add(&free, &held->res);
	}
	while (victims->count < VICTIMS_MAX && !lw_res_within(&need->res, &free)) {
		uint32_t run = preempt_find_victim(cycle, preempt_job_of(search), need->node);

		if (run == cycle->snap->running_count)
			break;
		lw_res_add(&free, &preempt_held_on(cycle, run, need->node)->res);
		victims->runs[victims->count++] = run;
		cycle->preempted[run] = 1;
	}
}

/* Which jobs must go for what SEARCH found, the youngest of each node first? */
static struct victims preempt_find_victims(const struct search *search)
{
	struct victims victims = { 0 };

	for (uint32_t i = 0; i < search->count; i++)
		preempt_add_victims(search, &search->allocs[i], &victims);
	for (uint32_t i = 0; i < victims.count; i++)
		search->cycle->preempted[victims.runs[i]] = 0;
	return victims;
}

/*
 * Find other nodes, on which job RUN can stay and fewer than VICTIMS have to go. If there are
 * none, nothing changes.
 */
static bool preempt_let_stay(struct search *search, uint32_t run, struct victims *victims)
{
	struct victims others;

	search->cycle->preempted[run] = 1; /* its room cannot be used */
	if (!preempt_find_room(search)) {
		others = preempt_find_victims(search);
		if (others.count < victims->count) {
			*victims = others;
			return true;
		}
	}
	search->cycle->preempted[run] = 0;
	(void)preempt_find_room(search); /* there was room before */
	return false;
}

/*
 * All nodes look alike to a search that ignores preemptible jobs. So test one by one whether a
 * job could stay. A test costs two searches: at most so many for a job, and in a plan.
 */
#define STAYS_MAX     4
#define ALL_STAYS_MAX 100

static void preempt_go_where_fewest_go(struct search *search)
{
	struct victims victims = preempt_find_victims(search);
	uint32_t stay[STAYS_MAX], count = 0, next = 0, tries = 0;

	while (tries++ < STAYS_MAX && victims.count > 1 && victims.count < VICTIMS_MAX &&
	       next < victims.count && search->cycle->stay_tries++ < ALL_STAYS_MAX) {
		uint32_t run = victims.runs[next];

		if (preempt_let_stay(search, run, &victims)) {
			stay[count++] = run;
			next = 0;
		} else {
			next++;
		}
	}
	while (count)
		search->cycle->preempted[stay[--count]] = 0;
}

int lw_preempt_find(struct lw_cycle *cycle, uint32_t index, bool guarded,
		    const struct lw_alloc **ret_allocs, uint32_t *ret_count)
{
	struct search search = { .cycle = cycle, .index = index, .guarded = guarded };
	int rc;

	if (!lw_constraints_preempt(&cycle->snap->waiting[index].constraints))
		return -ENOSPC;
	rc = preempt_find_room(&search);
	if (rc)
		return rc;
	preempt_go_where_fewest_go(&search);
	*ret_allocs = search.allocs;
	*ret_count = search.count;
	return 0;
}

bool lw_preempt_has_room(struct lw_cycle *cycle, uint32_t index, const struct lw_alloc *allocs,
			 uint32_t count)
{
	const struct lw_waiting *job = &cycle->snap->waiting[index];

	if (!lw_constraints_preempt(&job->constraints))
		return true;
	preempt_free_without(cycle, job);
	for (uint32_t i = 0; i < count; i++) {
		if (!lw_res_within(&allocs[i].res, &cycle->future[allocs[i].node]))
			return false;
	}
	return true;
}

static void preempt_give_up_node(struct lw_cycle *cycle, const struct lw_alloc *alloc)
{
	struct lw_res before = cycle->free[alloc->node], res = alloc->res;

	/* what jobs share there is still in use */
	lw_res_sub(&res, &cycle->over[alloc->node]);
	lw_res_sub(&cycle->over[alloc->node], &alloc->res);
	lw_res_add(&cycle->free[alloc->node], &res);
	lw_res_min(&cycle->free[alloc->node], &cycle->total[alloc->node]);
	lw_cycle_note_free(cycle, alloc->node, &before);
}

static void preempt_running(struct lw_cycle *cycle, uint32_t run)
{
	const struct lw_running *job = &cycle->snap->running[run];

	cycle->preempted[run] = 1;
	for (uint32_t i = 0; i < job->alloc_count; i++)
		preempt_give_up_node(cycle, &cycle->snap->allocs[job->first_alloc + i]);
	for (int ends = 0; ends < LW_ENDS_COUNT; ends++) {
		if (cycle->releases_ready[ends])
			lw_releases_drop(&cycle->releases[ends], run);
	}
}

void lw_preempt_make_room(struct lw_cycle *cycle, uint32_t index, const struct lw_alloc *allocs,
			  uint32_t count)
{
	const struct lw_waiting *job = &cycle->snap->waiting[index];

	if (!lw_constraints_preempt(&job->constraints))
		return;
	for (uint32_t i = 0; i < count; i++) {
		uint32_t node = allocs[i].node, victim;

		while (!lw_res_within(&allocs[i].res, &cycle->free[node])) {
			victim = preempt_find_victim(cycle, job, node);
			if (victim == cycle->snap->running_count)
				break;
			preempt_running(cycle, victim);
		}
	}
}
