/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: why jobs wait, said at the end of a walk that does not go job by job. */
#include "planner/cycle/explain.h"

static enum lw_reason why_not(const struct lw_walk *walk, uint32_t index)
{
	uint32_t class = walk->snap->queue.class_of[index];

	if (lw_walk_class_has_failed(walk, class))
		return lw_walk_class_failure(walk, class);
	if (lw_policy_has(walk->params->kind, LW_IN_ORDER))
		return LW_REASON_WAITS_IN_ORDER;
	return LW_REASON_WAITS_FOR_ROOM;
}

/* A job whose reservation is over, though none of it starts, was told why: start.c. */
static bool is_told(const struct lw_walk *walk, uint32_t index)
{
	for (uint32_t r = 0; r < walk->reservation_count; r++) {
		if (walk->reservations[r].waiting == index)
			return true;
	}
	return false;
}

int lw_explain_waits(struct lw_walk *walk)
{
	const struct lw_queue *queue = &walk->snap->queue;
	int rc = 0;

	for (uint32_t i = 0; !rc && i < queue->count; i++) {
		uint32_t index = queue->order[i];
		enum lw_reason reason;

		if (!lw_walk_ready(walk, index, &reason))
			rc = lw_walk_wait(walk, index, reason);
		else if (lw_walk_is_reserved(walk, index))
			continue;
		else if (lw_walk_tasks_left(walk, index))
			rc = lw_walk_wait(walk, index, why_not(walk, index));
		else if (!walk->taken[index] && !is_told(walk, index))
			rc = lw_walk_wait(walk, index, LW_REASON_WAITS_FOR_OTHER);
	}
	return rc;
}
