/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: a published simulator's discipline, to run its input beside its figures. */
#include "sim/published.h"

#include "planner/order/gate.h"

#define NOBODY UINT32_MAX

/* One plan. */
struct round {
	const struct lw_publisher *publisher;
	const struct lw_snapshot *snap;
	struct lw_scale scale;
	uint32_t free;
};

static struct lw_order_view view_of(const struct round *round, uint32_t index)
{
	const struct lw_queue *queue = &round->snap->queue;

	return (struct lw_order_view){
		.scale = &round->scale,
		.now_s = round->snap->now_s,
		.class = &queue->classes[queue->class_of[index]],
		.job = &round->snap->waiting[index],
		.params = round->publisher->params,
	};
}

static uint32_t width_of(const struct round *round, uint32_t index)
{
	const struct lw_order_view view = view_of(round, index);

	return (uint32_t)lw_width(&round->scale, &view.class->request);
}

static uint32_t held_by(const struct lw_snapshot *snap, const struct lw_running *job)
{
	const struct lw_alloc *allocs = lw_running_allocs(snap, job);
	uint32_t cpus = 0;

	for (uint32_t i = 0; i < job->alloc_count; i++)
		cpus += allocs[i].res.cpus;
	return cpus;
}

static uint32_t free_of(const struct lw_snapshot *snap)
{
	uint32_t free = snap->nodes[0].total.cpus;

	for (uint32_t i = 0; i < snap->running_count; i++)
		free -= held_by(snap, &snap->running[i]);
	return free;
}

/* May it start before the head, which has no room? */
static bool may_pass(const struct round *round, uint32_t index)
{
	const struct lw_order_view view = view_of(round, index);

	return width_of(round, index) <= round->free &&
	       round->snap->now_s + view.class->limit_s < round->publisher->estimate_s;
}

static bool may_be_first(const struct round *round, uint32_t index)
{
	(void)round;
	(void)index;
	return true;
}

/* The first in the queue of those that MAY; RANKED: in its order, else as they came. */
static uint32_t first(const struct round *round, bool ranked,
		      bool (*may)(const struct round *round, uint32_t index))
{
	const struct lw_queue *queue = &round->snap->queue;
	uint32_t found = NOBODY;
	struct lw_rank best;

	for (uint32_t i = 0; i < queue->count; i++) {
		const struct lw_order_view view = view_of(round, queue->order[i]);
		struct lw_rank rank = { true, 0 };

		if (!may(round, queue->order[i]))
			continue;
		if (ranked)
			rank = lw_order_rank(&view);
		if (found == NOBODY || lw_rank_compare(rank, best) < 0) {
			found = queue->order[i];
			best = rank;
		}
	}
	return found;
}

/* When it has room by the limits of those that run, which are in order of their ends. */
static int64_t estimate(const struct round *round, uint32_t index)
{
	const struct lw_snapshot *snap = round->snap;
	uint32_t width = width_of(round, index), free = round->free;
	int64_t start_s = snap->now_s;

	for (uint32_t i = 0; i < snap->running_count && free < width; i++) {
		free += held_by(snap, &snap->running[i]);
		start_s = snap->running[i].end_s;
	}
	return start_s;
}

static uint32_t find_head(const struct lw_snapshot *snap, uint32_t job_id)
{
	for (uint32_t i = 0; job_id && i < snap->queue.count; i++)
		if (snap->waiting[snap->queue.order[i]].job_id == job_id)
			return snap->queue.order[i];
	return NOBODY;
}

static int start(const struct round *round, uint32_t index, enum lw_reason reason,
		 struct lw_plan *plan)
{
	const struct lw_alloc alloc = { .node = 0, .res.cpus = width_of(round, index) };
	const struct lw_decision decision = { .waiting = index,
					      .job_id = round->snap->waiting[index].job_id,
					      .verdict = LW_START,
					      .reason = reason,
					      .start_s = round->snap->now_s,
					      .promise_s = LW_NO_TIME,
					      .latest_s = LW_NO_TIME };

	return lw_plan_add(plan, &decision, &alloc, 1);
}

/* Does the gate hold back who would be first? Then nobody starts. */
static bool is_held(const struct round *round, uint32_t index)
{
	const struct lw_queue *queue = &round->snap->queue;
	const struct lw_order_view view = view_of(round, index);
	double delay = 0;

	if (!view.params->inspects)
		return false;
	for (uint32_t i = 0; i < queue->count; i++)
		delay += lw_net_delay(round->snap->waiting[queue->order[i]].limit_s);
	return lw_gate_holds(&view, delay);
}

static int hold(const struct round *round, uint32_t index, struct lw_plan *plan)
{
	const struct lw_decision decision = { .waiting = index,
					      .job_id = round->snap->waiting[index].job_id,
					      .verdict = LW_WAIT,
					      .reason = LW_REASON_WAITS_FOR_GATE,
					      .start_s = LW_NO_TIME,
					      .promise_s = LW_NO_TIME,
					      .latest_s = LW_NO_TIME };

	return lw_plan_add(plan, &decision, NULL, 0);
}

int lw_published_plan(struct lw_publisher *publisher, const struct lw_snapshot *snap,
		      struct lw_plan *plan)
{
	struct round round = { .publisher = publisher, .snap = snap, .free = free_of(snap) };
	uint32_t head = find_head(snap, publisher->head), next;

	lw_plan_clear(plan);
	lw_scale_init(&round.scale, snap);
	if (head == NOBODY) {
		head = first(&round, true, may_be_first);
		if (head == NOBODY)
			return 0;
		if (is_held(&round, head))
			return hold(&round, head, plan);
		publisher->head = snap->waiting[head].job_id;
		publisher->estimate_s = estimate(&round, head);
	}
	if (width_of(&round, head) <= round.free) {
		publisher->head = 0;
		return start(&round, head, LW_REASON_STARTS_IN_ORDER, plan);
	}
	if (publisher->rule == LW_PUBLISHED_NONE)
		return 0;
	next = first(&round, publisher->rule == LW_PUBLISHED_ORDER, may_pass);
	return next == NOBODY ? 0 : start(&round, next, LW_REASON_STARTS_BACKFILLED, plan);
}
