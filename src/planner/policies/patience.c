/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: which jobs may head their nodes yet. */
#include "planner/policies/patience.h"

#include "planner/cycle/class_queue.h"
#include "planner/order/lost.h"
#include "planner/order/order.h"

static bool patience_counts(const struct lw_cycle *cycle)
{
	return lw_policy_has(cycle->params->kind, LW_DEADLINES) && cycle->params->patience > 0;
}

bool lw_patience_is_lost(const struct lw_cycle *cycle, uint32_t index)
{
	return lw_policy_has(cycle->params->kind, LW_DEADLINES) &&
	       lw_lost_is_enough(cycle->params, lw_cycle_class(cycle, index)->expected.mean_s,
				 cycle->snap->waiting[index].lost_s);
}

bool lw_patience_is_over(const struct lw_cycle *cycle, uint32_t index)
{
	const struct lw_waiting *job = &cycle->snap->waiting[index];
	const struct lw_class *class = lw_cycle_class(cycle, index);
	const struct lw_order_view view = lw_class_queue_view(cycle, class, job);
	double waited_s = (double)(cycle->snap->now_s - lw_order_since_s(job));
	double wanted_s = cycle->params->patience * (double)class->limit_s;

	if (!patience_counts(cycle) || job->first || lw_patience_is_lost(cycle, index) ||
	    lw_cycle_promise(cycle, index) != LW_NO_TIME ||
	    lw_cycle_is_self_reserved(cycle, index) || lw_order_has_aged(&view))
		return true;
	if (cycle->params->deadlines != LW_DEADLINES_OFF &&
	    lw_order_deadline(&view) == LW_DEADLINE_IN_TIME)
		return true;
	return waited_s >= (wanted_s < LW_PATIENCE_MOST_S ? wanted_s : LW_PATIENCE_MOST_S);
}

uint32_t lw_patience_first(const struct lw_cycle *cycle)
{
	const struct lw_queue *queue = &cycle->snap->queue;
	int64_t least_s = INT64_MAX;
	uint32_t first = queue->count;
	enum lw_reason reason;

	if (!patience_counts(cycle))
		return queue->count;
	for (uint32_t i = 0; i < queue->count; i++) {
		int64_t since_s = lw_order_since_s(&cycle->snap->waiting[queue->order[i]]);

		if (since_s < least_s && lw_cycle_ready(cycle, queue->order[i], &reason)) {
			least_s = since_s;
			first = i;
		}
	}
	return first;
}
