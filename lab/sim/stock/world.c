/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what a model of Slurm sees of the cluster in one pass, and where jobs fit. */
#include "lab/sim/stock/world.h"

#include "base/grow.h"
#include "lab/sim/stock/place_stock.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* As select/cons_tres has them, in seconds and jobs. */
#define FIRST_WINDOW_S 30
#define TOGETHER_MAX   200

int lw_stock_world_init(struct lw_stock_world *world, const struct lw_stock_params *params,
			uint32_t nodes, uint32_t completing_id)
{
	size_t room = (size_t)nodes + 1;

	memset(world, 0, sizeof(*world));
	world->params = *params;
	world->node_count = nodes;
	world->completing_id = completing_id;
	world->total = calloc(room, sizeof(*world->total));
	world->free = calloc(room, sizeof(*world->free));
	world->future = calloc(room, sizeof(*world->future));
	if (!world->total || !world->free || !world->future ||
	    lw_placer_create(nodes, &world->placer) || lw_bitset_init(&world->open, nodes) ||
	    lw_bitset_init(&world->completing, nodes) || lw_bitset_init(&world->chosen, nodes))
		return -ENOMEM;
	return 0;
}

void lw_stock_world_fini(struct lw_stock_world *world)
{
	lw_placer_destroy(world->placer);
	lw_bitset_fini(&world->open);
	lw_bitset_fini(&world->completing);
	lw_bitset_fini(&world->chosen);
	free(world->total);
	free(world->free);
	free(world->future);
	free(world->runs);
	free(world->allocs);
	memset(world, 0, sizeof(*world));
}

static int world_add_run(struct lw_stock_world *world, uint32_t job_id, int64_t end_s,
			 const struct lw_alloc *allocs, uint32_t count)
{
	struct lw_stock_run run = {
		.end_s = end_s, .job_id = job_id, .first = world->alloc_count, .count = count
	};
	uint32_t at = world->run_count;

	if (lw_grow((void **)&world->runs, &world->run_room, at + 1, sizeof(run)) ||
	    lw_grow((void **)&world->allocs, &world->alloc_room, world->alloc_count + count,
		    sizeof(*allocs)))
		return -ENOMEM;
	while (at && world->runs[at - 1].end_s > end_s) {
		world->runs[at] = world->runs[at - 1];
		at--;
	}
	world->runs[at] = run;
	world->run_count++;
	for (uint32_t i = 0; i < count; i++) {
		world->allocs[world->alloc_count++] = allocs[i];
		lw_res_sub(&world->free[allocs[i].node], &allocs[i].res);
	}
	return 0;
}

int lw_stock_world_see(struct lw_stock_world *world, const struct lw_snapshot *snap)
{
	world->snap = snap;
	world->run_count = world->alloc_count = 0;
	lw_bitset_clear_all(&world->open);
	lw_bitset_clear_all(&world->completing);
	for (uint32_t i = 0; i < world->node_count; i++) {
		world->total[i] = world->free[i] = snap->nodes[i].total;
		if (snap->nodes[i].usable)
			lw_bitset_set(&world->open, i);
	}
	for (uint32_t i = 0; i < snap->running_count; i++) {
		const struct lw_running *job = &snap->running[i];
		const struct lw_alloc *allocs = lw_running_allocs(snap, job);

		if (job->job_id >= world->completing_id)
			lw_bitset_set(&world->completing, allocs[0].node);
		else if (world_add_run(world, job->job_id, job->end_s, allocs, job->alloc_count))
			return -ENOMEM;
	}
	return 0;
}

int64_t lw_stock_limit_s(const struct lw_waiting *job)
{
	return (job->limit_s + 59) / 60 * 60;
}

bool lw_stock_fits(struct lw_stock_world *world, const struct lw_waiting *job,
		   const struct lw_res *free, const struct lw_bitset *nodes,
		   const struct lw_alloc **ret_allocs, uint32_t *ret_count)
{
	const struct lw_snapshot *snap = world->snap;
	const struct lw_room room = {
		.free = free,
		.total = world->total,
		.candidates = nodes,
		.gpu_types = snap->gpu_type_count,
		.domains = snap->domains.count ? &snap->domains : NULL,
		.choose = lw_place_as_stock,
	};

	if (lw_place(world->placer, &room, &job->request, ret_allocs, ret_count))
		return false;
	lw_bitset_clear_all(&world->chosen);
	for (uint32_t i = 0; i < *ret_count; i++)
		lw_bitset_set(&world->chosen, (*ret_allocs)[i].node);
	return true;
}

int lw_stock_start(struct lw_stock_world *world, uint32_t index, enum lw_reason reason,
		   const struct lw_alloc *allocs, uint32_t count, struct lw_plan *plan)
{
	const struct lw_waiting *job = &world->snap->waiting[index];
	int64_t now_s = world->snap->now_s;
	const struct lw_decision decision = { .waiting = index,
					      .job_id = job->job_id,
					      .verdict = LW_START,
					      .reason = reason,
					      .start_s = now_s,
					      .promise_s = LW_NO_TIME,
					      .latest_s = LW_NO_TIME };

	if (lw_plan_add(plan, &decision, allocs, count))
		return -ENOMEM;
	return world_add_run(world, job->job_id, now_s + lw_stock_limit_s(job), allocs, count);
}

/* ---- when a job fits ---- */

/* What ends of the runs before START_S is free then. Returns the first run that does not. */
static uint32_t world_pass(struct lw_stock_world *world, int64_t start_s)
{
	uint32_t at = 0;

	memcpy(world->future, world->free, world->node_count * sizeof(*world->future));
	for (; at < world->run_count && world->runs[at].end_s < start_s; at++) {
		const struct lw_stock_run *run = &world->runs[at];

		for (uint32_t i = run->first; i < run->first + run->count; i++)
			lw_res_add(&world->future[world->allocs[i].node], &world->allocs[i].res);
	}
	return at;
}

static bool run_is_on(const struct lw_stock_world *world, const struct lw_stock_run *run,
		      const struct lw_bitset *nodes)
{
	for (uint32_t i = run->first; i < run->first + run->count; i++)
		if (lw_bitset_test(nodes, world->allocs[i].node))
			return true;
	return false;
}

/* The search through the runs, in the order of their ends. */
struct search {
	uint32_t at;
	int64_t base_s, window_s; /* runs that end up to their sum are taken together */
	int64_t until_s, last_s;  /* as asked; the end of the run taken last */
	bool more;
};

/* Let a group of runs end. False: there is none. */
static bool world_end_group(struct lw_stock_world *world, const struct lw_bitset *nodes,
			    struct search *search)
{
	uint32_t taken = 0;

	for (; taken <= TOGETHER_MAX; search->at++) {
		const struct lw_stock_run *run = &world->runs[search->at];

		if (search->at == world->run_count ||
		    (search->until_s && run->end_s > search->until_s)) {
			search->more = false;
			break;
		}
		if (!run_is_on(world, run, nodes))
			continue;
		if (!search->base_s)
			search->base_s =
				run->end_s + FIRST_WINDOW_S - run->end_s % FIRST_WINDOW_S;
		search->last_s = run->end_s;
		taken++;
		for (uint32_t i = run->first; i < run->first + run->count; i++)
			lw_res_add(&world->future[world->allocs[i].node], &world->allocs[i].res);
		if (search->at + 1 == world->run_count)
			search->more = false;
		if (search->at + 1 == world->run_count ||
		    run[1].end_s > search->base_s + search->window_s) {
			search->at++;
			break;
		}
	}
	return taken;
}

/* The next group is of twice as long a time, and not empty. */
static void widen(const struct lw_stock_world *world, struct search *search)
{
	do {
		search->window_s +=
			world->params.bf_linear_s ? world->params.bf_linear_s : search->window_s;
	} while (search->at < world->run_count &&
		 world->runs[search->at].end_s > search->base_s + search->window_s);
}

/* A job past its limit ends soon. */
static int64_t world_end_s(const struct lw_stock_world *world, int64_t end_s)
{
	int64_t now_s = world->snap->now_s;

	if (end_s > now_s)
		return end_s;
	end_s += world->params.kill_wait_s;
	return end_s > now_s ? end_s : now_s + 1;
}

bool lw_stock_when(struct lw_stock_world *world, const struct lw_waiting *job,
		   const struct lw_bitset *nodes, int64_t start_s, int64_t until_s,
		   int64_t *ret_s)
{
	struct search search = { .window_s = FIRST_WINDOW_S, .until_s = until_s, .more = true };
	const struct lw_alloc *allocs;
	uint32_t count;

	*ret_s = world->snap->now_s;
	if (start_s <= *ret_s && lw_stock_fits(world, job, world->free, nodes, &allocs, &count))
		return true;
	search.at = world_pass(world, start_s);
	if (lw_stock_fits(world, job, world->future, nodes, &allocs, &count))
		return true;
	while (search.more && world_end_group(world, nodes, &search)) {
		*ret_s = world_end_s(world, search.last_s);
		if (lw_stock_fits(world, job, world->future, nodes, &allocs, &count))
			return true;
		widen(world, &search);
	}
	return false;
}
