/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: one job in a pass through the queue: it starts, is promised a start, or waits. */
#include "planner/policies/turn.h"

#include "planner/cycle/chain.h"
#include "planner/cycle/gang.h"
#include "planner/cycle/hold.h"
#include "planner/cycle/reserve.h"
#include "planner/cycle/start.h"

#include <errno.h>

/* Does no job pass a waiting one? */
static bool turn_in_order(const struct lw_cycle *cycle)
{
	return lw_policy_has(cycle->params->kind, LW_IN_ORDER);
}

/* No room: reserve if it is the first on its nodes, else wait. */
static int turn_reserve_or_wait(struct lw_cycle *cycle, uint32_t index, enum lw_reason reason,
				bool *blocked)
{
	const struct lw_waiting *job = &cycle->snap->waiting[index];
	bool self_reserved = lw_cycle_is_self_reserved(cycle, index), heads;
	uint8_t claim = self_reserved ? LW_CLAIM_SELF_RESERVED : LW_CLAIM;
	int rc;

	/* no job waits for a job that can never run, and thousands of these cost nothing */
	if (job->constraints.now_only || reason == LW_REASON_WAITS_FOR_NODES)
		return lw_cycle_wait(cycle, index, reason);
	heads = lw_cycle_heads_its_nodes(cycle, index);
	lw_cycle_claim_nodes(cycle, index);
	if (!(cycle->claimed[job->set] & claim)) {
		lw_cycle_fail_class(cycle, cycle->snap->queue.class_of[index],
				    LW_REASON_WAITS_FOR_NODES);
		return lw_cycle_wait(cycle, index, LW_REASON_WAITS_FOR_NODES);
	}
	*blocked |= !self_reserved;
	if (!heads || turn_in_order(cycle))
		return lw_cycle_wait(cycle, index, reason);
	rc = lw_cycle_reserve(cycle, index, &reason);
	return rc == -ENOSPC ? lw_cycle_wait(cycle, index, reason) : rc;
}

int lw_turn_take(struct lw_cycle *cycle, uint32_t index, bool *blocked)
{
	enum lw_reason reason;
	const struct lw_alloc *allocs;
	uint32_t count, left;
	bool heads;
	int rc = lw_cycle_go_on(cycle);

	if (rc)
		return rc;
	if (!lw_cycle_ready(cycle, index, &reason))
		return lw_cycle_wait(cycle, index, reason);
	if (lw_guard_holds(cycle, index))
		return 0;
	left = lw_cycle_tasks_left(cycle, index);
	if (!left)
		return lw_cycle_wait(cycle, index, LW_REASON_WAITS_FOR_OTHER);
	if (lw_chain_follows(cycle, index)) {
		rc = lw_chain_plan(cycle, index);
		return rc == -ENOSPC ? lw_cycle_wait(cycle, index, LW_REASON_WAITS_FOR_JOB) : rc;
	}
	if (*blocked && turn_in_order(cycle))
		return lw_cycle_wait(cycle, index, LW_REASON_WAITS_IN_ORDER);
	rc = lw_cycle_hold(cycle, index);
	if (rc < 0)
		return rc;
	if (rc) {
		/* it stays ahead of the jobs behind it: they must not be promised its room */
		*blocked = true;
		lw_cycle_claim_nodes(cycle, index);
		return lw_cycle_wait(cycle, index, LW_REASON_WAITS_FOR_GATE);
	}
	for (reason = LW_REASON_WAITS_FOR_ROOM; left; left--) {
		heads = cycle->params->gang_wait_s && lw_cycle_heads_its_nodes(cycle, index);
		rc = heads ? lw_gang_find_room(cycle, index, &allocs, &count, &reason)
			   : lw_cycle_find_room(cycle, index, &allocs, &count, &reason);
		if (rc == -ENOMEM)
			return rc;
		if (rc)
			return turn_reserve_or_wait(cycle, index, reason, blocked);
		reason = cycle->reservation_count ? lw_cycle_passing(cycle, index, allocs, count)
						  : LW_REASON_STARTS_IN_ORDER;
		rc = lw_cycle_start(cycle, index, reason, allocs, count);
		if (rc)
			return rc;
	}
	return 0;
}
