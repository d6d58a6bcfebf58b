/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: a model of stock Slurm: its main loop and its backfill. */
#include "lab/sim/stock/stock.h"

#include "base/grow.h"
#include "lab/sim/stock/fill.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* slurmctld looks so often whether jobs were submitted. */
#define LOOK_S 1

/* The cycles that come in question have their own clock, as threads of slurmctld have. */
struct lw_stock {
	struct lw_stock_params params;
	struct lw_stock_world world;
	struct lw_stock_fill fill;
	uint32_t *order; /* waiting jobs, by priority */
	uint32_t order_room;
	int64_t main_s;    /* the main loop is due, or INT64_MAX */
	int64_t full_s;    /* the same, of the whole queue */
	int64_t fill_s;    /* so is backfill */
	int64_t batched_s; /* the main loop ran last for a submission */
	int64_t filled_s;  /* backfill began last */
};

int lw_stock_create(const struct lw_stock_params *params, uint32_t nodes, uint32_t completing_id,
		    struct lw_stock **ret_stock)
{
	struct lw_stock *stock = calloc(1, sizeof(*stock));

	if (!stock)
		return -ENOMEM;
	stock->params = *params;
	stock->batched_s = -params->batch_delay_s;
	stock->main_s = stock->full_s = stock->fill_s = INT64_MAX;
	if (lw_stock_world_init(&stock->world, params, nodes, completing_id)) {
		lw_stock_destroy(stock);
		return -ENOMEM;
	}
	*ret_stock = stock;
	return 0;
}

void lw_stock_destroy(struct lw_stock *stock)
{
	if (!stock)
		return;
	lw_stock_world_fini(&stock->world);
	lw_stock_fill_fini(&stock->fill);
	free(stock->order);
	free(stock);
}

static void sooner(int64_t *due_s, int64_t at_s)
{
	if (at_s < *due_s)
		*due_s = at_s;
}

/* The first time from NOW_S on that is LAST_S and a multiple of EACH_S later. */
static int64_t stock_tick(int64_t last_s, int64_t each_s, int64_t now_s)
{
	int64_t late_s = now_s - last_s;

	return late_s <= each_s ? last_s + each_s : now_s + (each_s - late_s % each_s) % each_s;
}

void lw_stock_heed(struct lw_stock *stock, int64_t now_s, unsigned events)
{
	const struct lw_stock_params *params = &stock->params;
	int64_t batch_s = stock->batched_s + params->batch_delay_s;

	if (batch_s < now_s + LOOK_S + params->lag_s)
		batch_s = now_s + LOOK_S + params->lag_s;
	if (events & LW_STOCK_FREED && !params->defer)
		sooner(&stock->main_s, now_s + params->lag_s);
	if (events & LW_STOCK_SUBMITTED || params->defer)
		sooner(&stock->main_s, batch_s);
	sooner(&stock->full_s, stock_tick(0, params->sched_interval_s, now_s));
	if (!params->no_fill)
		sooner(&stock->fill_s,
		       stock_tick(stock->filled_s, params->bf_interval_s + params->cycle_s,
				  now_s));
}

static int64_t earlier_of(int64_t a_s, int64_t b_s)
{
	return a_s < b_s ? a_s : b_s;
}

int64_t lw_stock_next_s(const struct lw_stock *stock)
{
	return earlier_of(stock->main_s, earlier_of(stock->full_s, stock->fill_s));
}

/* ---- the order of the queue ---- */

static double priority_of(const struct lw_stock *stock, const struct lw_waiting *job)
{
	const struct lw_stock_params *params = &stock->params;
	double age = (double)(stock->world.snap->now_s - job->submit_s);
	double size = (double)job->request.nodes_min / stock->world.node_count;

	age = params->age_max_s > 0 && age < params->age_max_s ? age / params->age_max_s : 1;
	if (params->favor_small)
		size = 1 - size;
	return (double)(int64_t)(age * params->age_weight + size * params->size_weight);
}

static int stock_compare(const void *a, const void *b, void *arg)
{
	const struct lw_stock *stock = arg;
	const struct lw_waiting *waiting = stock->world.snap->waiting;
	uint32_t i = *(const uint32_t *)a, j = *(const uint32_t *)b;
	double x = priority_of(stock, &waiting[i]), y = priority_of(stock, &waiting[j]);

	if (x != y)
		return x > y ? -1 : 1;
	if (waiting[i].submit_s != waiting[j].submit_s)
		return waiting[i].submit_s < waiting[j].submit_s ? -1 : 1;
	return waiting[i].job_id < waiting[j].job_id ? -1 : waiting[i].job_id > waiting[j].job_id;
}

static int stock_sort(struct lw_stock *stock)
{
	const struct lw_queue *queue = &stock->world.snap->queue;

	if (lw_grow((void **)&stock->order, &stock->order_room, queue->count + 1,
		    sizeof(*stock->order)))
		return -ENOMEM;
	if (queue->count)
		memcpy(stock->order, queue->order, queue->count * sizeof(*stock->order));
	if (stock->params.multifactor)
		qsort_r(stock->order, queue->count, sizeof(*stock->order), stock_compare, stock);
	return 0;
}

/* ---- the main loop ---- */

/* Has JOB waited too short a time to hold up those behind it? */
static bool stock_is_young(const struct lw_stock *stock, const struct lw_waiting *job)
{
	return stock->world.snap->now_s - job->submit_s < stock->params.bf_min_age_s;
}

/* Jobs in order up to DEPTH, and to the first without room. */
static int stock_run(struct lw_stock *stock, int64_t depth, struct lw_plan *plan)
{
	struct lw_stock_world *world = &stock->world;
	const struct lw_snapshot *snap = world->snap;
	const struct lw_alloc *allocs;
	struct lw_bitset nodes;
	uint32_t count;
	int rc = lw_bitset_copy(&nodes, &world->open);

	if (!rc)
		lw_bitset_drop(&nodes, &world->completing);
	for (uint32_t i = 0; !rc && i < snap->queue.count && i <= depth; i++) {
		const struct lw_waiting *job = &snap->waiting[stock->order[i]];

		if (job->readiness != LW_READY ||
		    lw_snapshot_earliest_s(snap, &job->constraints) > snap->now_s)
			continue;
		if (lw_stock_fits(world, job, world->free, &nodes, &allocs, &count))
			rc = lw_stock_start(world, stock->order[i], LW_REASON_STARTS_IN_ORDER,
					    allocs, count, plan);
		else if (!stock_is_young(stock, job))
			break;
	}
	lw_bitset_fini(&nodes);
	return rc;
}

int lw_stock_act(struct lw_stock *stock, const struct lw_snapshot *snap, struct lw_plan *plan)
{
	int64_t now_s = snap->now_s;
	int rc;

	lw_plan_clear(plan);
	rc = lw_stock_world_see(&stock->world, snap);
	if (!rc)
		rc = stock_sort(stock);
	if (rc)
		return rc;
	if (stock->full_s <= now_s || stock->main_s <= now_s) {
		int64_t depth = stock->full_s <= now_s ? INT64_MAX : stock->params.depth;

		if (stock->full_s <= now_s)
			stock->full_s = INT64_MAX;
		stock->main_s = INT64_MAX;
		stock->batched_s = now_s;
		return stock_run(stock, depth, plan);
	}
	stock->fill_s = INT64_MAX;
	stock->filled_s = now_s;
	return lw_stock_fill(&stock->fill, &stock->world, stock->order, snap->queue.count, plan);
}
