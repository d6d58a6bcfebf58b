/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: a published simulator's discipline, to run its input beside its figures. */
#include "lab/sim/published.h"

#include "planner/order/order.h"

#include <errno.h>
#include <stdlib.h>

#define NOBODY UINT32_MAX

static struct lw_order_view view_of(const struct lw_publisher *publisher,
				    const struct lw_published_pool *pool, uint32_t place)
{
	return (struct lw_order_view){
		.scale = pool->scale,
		.now_s = pool->now_s,
		.class = pool->queue[place].class,
		.job = pool->queue[place].job,
		.params = publisher->params,
	};
}

/* May it start before the head, which has no room? */
static bool may_pass(const struct lw_publisher *publisher, const struct lw_published_pool *pool,
		     const struct lw_published_job *job)
{
	return job->width <= pool->free &&
	       pool->now_s + job->class->limit_s < publisher->estimate_s;
}

/*
 * The first of the queue in the order, or in order of arrival, of the jobs that may pass, or of
 * all.
 */
static uint32_t first_of(const struct lw_publisher *publisher,
			 const struct lw_published_pool *pool, bool ranked, bool passing)
{
	uint32_t found = NOBODY;
	struct lw_rank best = { 0 };

	for (uint32_t place = 0; place < pool->queued; place++) {
		struct lw_order_view view;
		struct lw_rank rank;

		if (passing && !may_pass(publisher, pool, &pool->queue[place]))
			continue;
		if (!ranked)
			return place;
		view = view_of(publisher, pool, place);
		rank = lw_order_rank(&view);
		if (found == NOBODY || lw_rank_compare(rank, best) < 0) {
			found = place;
			best = rank;
		}
	}
	return found;
}

/* When so many are free, by the limits of the running jobs. */
static int64_t estimate(const struct lw_published_pool *pool, uint32_t width)
{
	uint32_t free = pool->free;
	int64_t start_s = pool->now_s;

	for (uint32_t i = 0; i < pool->run_count && free < width; i++) {
		free += pool->runs[i].width;
		start_s = pool->runs[i].limit_end_s;
	}
	return start_s;
}

static bool is_held(const struct lw_publisher *publisher, const struct lw_published_pool *pool,
		    uint32_t place)
{
	const struct lw_order_view view = view_of(publisher, pool, place);
	struct lw_netrun *nets = publisher->nets;

	if (!nets || !nets->nets.inspector)
		return false;
	nets->delay = 0;
	for (uint32_t i = 0; i < pool->queued; i++)
		nets->delay += lw_net_delay(pool->queue[i].job->limit_s);
	return lw_netrun_holds(nets, &view);
}

static uint32_t find_head(const struct lw_published_pool *pool, uint32_t job_id)
{
	for (uint32_t i = 0; job_id && i < pool->queued; i++)
		if (pool->queue[i].job->job_id == job_id)
			return i;
	return NOBODY;
}

enum lw_published_verdict lw_published_next(struct lw_publisher *publisher,
					    const struct lw_published_pool *pool,
					    uint32_t *ret_place)
{
	uint32_t head = find_head(pool, publisher->head);
	bool is_new = head == NOBODY;

	if (is_new)
		head = first_of(publisher, pool, true, false);
	if (head == NOBODY)
		return LW_PUBLISHED_NOBODY;
	*ret_place = head;
	if (is_new && is_held(publisher, pool, head))
		return LW_PUBLISHED_HELD;
	if (is_new) {
		publisher->head = pool->queue[head].job->job_id;
		publisher->estimate_s = estimate(pool, pool->queue[head].width);
	}
	if (pool->queue[head].width <= pool->free) {
		publisher->head = 0;
		return LW_PUBLISHED_STARTS;
	}
	if (publisher->rule == LW_PUBLISHED_NONE)
		return LW_PUBLISHED_NOBODY;
	*ret_place = first_of(publisher, pool, publisher->rule == LW_PUBLISHED_ORDER, true);
	return *ret_place == NOBODY ? LW_PUBLISHED_NOBODY : LW_PUBLISHED_PASSES;
}

/* ---- of a snapshot, into a plan ---- */

static void fill_queue(const struct lw_snapshot *snap, const struct lw_scale *scale,
		       struct lw_published_job *jobs)
{
	const struct lw_queue *queue = &snap->queue;

	for (uint32_t i = 0; i < queue->count; i++) {
		uint32_t index = queue->order[i];
		const struct lw_class *class = &queue->classes[queue->class_of[index]];

		jobs[i] = (struct lw_published_job){
			.job = &snap->waiting[index],
			.class = class,
			.index = index,
			.width = (uint32_t)lw_width(scale, &class->request),
		};
	}
}

/* And what they hold in all. */
static uint32_t fill_runs(const struct lw_snapshot *snap, struct lw_published_run *runs)
{
	uint32_t held = 0;

	for (uint32_t i = 0; i < snap->running_count; i++) {
		const struct lw_running *job = &snap->running[i];
		const struct lw_alloc *allocs = lw_running_allocs(snap, job);

		runs[i].limit_end_s = job->end_s;
		for (uint32_t a = 0; a < job->alloc_count; a++)
			runs[i].width += allocs[a].res.cpus;
		held += runs[i].width;
	}
	return held;
}

static int add_decision(enum lw_published_verdict verdict, const struct lw_published_job *job,
			int64_t now_s, struct lw_plan *plan)
{
	static const enum lw_reason reasons[] = {
		[LW_PUBLISHED_STARTS] = LW_REASON_STARTS_IN_ORDER,
		[LW_PUBLISHED_PASSES] = LW_REASON_STARTS_BACKFILLED,
		[LW_PUBLISHED_HELD] = LW_REASON_WAITS_FOR_GATE,
	};
	const struct lw_alloc alloc = { .node = 0, .res.cpus = job->width };
	bool held = verdict == LW_PUBLISHED_HELD;
	const struct lw_decision decision = { .waiting = job->index,
					      .job_id = job->job->job_id,
					      .verdict = held ? LW_WAIT : LW_START,
					      .reason = reasons[verdict],
					      .start_s = held ? LW_NO_TIME : now_s,
					      .promise_s = LW_NO_TIME,
					      .latest_s = LW_NO_TIME };

	return lw_plan_add(plan, &decision, held ? NULL : &alloc, !held);
}

int lw_published_plan(struct lw_publisher *publisher, const struct lw_snapshot *snap,
		      struct lw_plan *plan)
{
	struct lw_published_job *queue = calloc((size_t)snap->queue.count + 1, sizeof(*queue));
	struct lw_published_run *runs = calloc((size_t)snap->running_count + 1, sizeof(*runs));
	struct lw_scale scale;
	struct lw_published_pool pool = { .scale = &scale,
					  .now_s = snap->now_s,
					  .queue = queue,
					  .queued = snap->queue.count,
					  .runs = runs,
					  .run_count = snap->running_count };
	enum lw_published_verdict verdict;
	int rc = queue && runs ? 0 : -ENOMEM;
	uint32_t place;

	lw_plan_clear(plan);
	if (!rc) {
		lw_scale_init(&scale, snap);
		if (publisher->nets)
			lw_netrun_begin(publisher->nets, snap);
		fill_queue(snap, &scale, queue);
		pool.free = snap->nodes[0].total.cpus - fill_runs(snap, runs);
		verdict = lw_published_next(publisher, &pool, &place);
		if (verdict != LW_PUBLISHED_NOBODY)
			rc = add_decision(verdict, &queue[place], snap->now_s, plan);
	}
	free(queue);
	free(runs);
	return rc;
}
