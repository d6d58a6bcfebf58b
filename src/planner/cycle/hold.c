/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: an inspector may hold back the next job. */
#include "planner/cycle/hold.h"

#include "planner/cycle/class_queue.h"
#include "planner/model/outside.h"

#include <errno.h>

/* One held job holds its class, so no job of the class may have a promise. */
static bool hold_any_is_promised(const struct lw_cycle *cycle, const struct lw_class *class)
{
	for (uint32_t i = 0; i < class->member_count; i++)
		if (cycle->snap->waiting[class->members[i]].promise_s != LW_NO_TIME)
			return true;
	return false;
}

int lw_cycle_hold(struct lw_cycle *cycle, uint32_t index)
{
	const struct lw_outside *outside = cycle->params->outside;
	const struct lw_waiting *job = &cycle->snap->waiting[index];
	const struct lw_class *class = lw_cycle_class(cycle, index);
	uint32_t number = cycle->snap->queue.class_of[index];
	const struct lw_order_view view = lw_class_queue_view(cycle, class, job);
	struct lw_decision decision;

	if (!outside || !outside->holds || lw_cycle_is_reserved(cycle, index) ||
	    job->constraints.now_only)
		return 0;
	if (lw_cycle_class_has_failed(cycle, number))
		return lw_cycle_class_failure(cycle, number) == LW_REASON_WAITS_FOR_GATE;
	if (hold_any_is_promised(cycle, class) || !outside->holds(outside->arg, &view))
		return 0;
	lw_cycle_fail_class(cycle, number, LW_REASON_WAITS_FOR_GATE);
	if (!cycle->params->terse)
		return 1; /* explain.c or the caller gives the reasons */
	decision = lw_cycle_decision(cycle, index, LW_WAIT, LW_REASON_WAITS_FOR_GATE, LW_NO_TIME);
	return lw_plan_add(cycle->plan, &decision, NULL, 0) ? -ENOMEM : 1;
}
