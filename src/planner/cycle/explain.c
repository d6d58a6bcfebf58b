/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: why jobs wait, added at the end of a cycle that works class by class. */
#include "planner/cycle/explain.h"

static enum lw_reason explain_why_not(const struct lw_cycle *cycle, uint32_t index)
{
	uint32_t class = cycle->snap->queue.class_of[index];

	if (lw_cycle_class_has_failed(cycle, class))
		return lw_cycle_class_failure(cycle, class);
	if (lw_policy_has(cycle->params->kind, LW_IN_ORDER))
		return LW_REASON_WAITS_IN_ORDER;
	return LW_REASON_WAITS_FOR_ROOM;
}

/*
 * start.c gave the reason for a job with a reservation that is over, even if it does not start.
 */
static bool explain_is_told(const struct lw_cycle *cycle, uint32_t index)
{
	for (uint32_t r = 0; r < cycle->reservation_count; r++) {
		if (cycle->reservations[r].waiting == index)
			return true;
	}
	return false;
}

int lw_explain_waits(struct lw_cycle *cycle)
{
	const struct lw_queue *queue = &cycle->snap->queue;
	int rc = 0;

	for (uint32_t i = 0; !rc && i < queue->count; i++) {
		uint32_t index = queue->order[i];
		enum lw_reason reason;

		if (!lw_cycle_ready(cycle, index, &reason))
			rc = lw_cycle_wait(cycle, index, reason);
		else if (lw_cycle_is_reserved(cycle, index))
			continue;
		else if (lw_cycle_tasks_left(cycle, index))
			rc = lw_cycle_wait(cycle, index, explain_why_not(cycle, index));
		else if (!cycle->taken[index] && !explain_is_told(cycle, index))
			rc = lw_cycle_wait(cycle, index, LW_REASON_WAITS_FOR_OTHER);
	}
	return rc;
}
