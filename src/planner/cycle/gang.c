/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: gangs that wait a bounded time for nodes nearer to each other. */
#include "planner/cycle/gang.h"

#include "planner/cycle/start.h"

#include <errno.h>

int64_t lw_gang_until(const struct lw_cycle *cycle, uint32_t index)
{
	const struct lw_waiting *job = &cycle->snap->waiting[index];
	int64_t promise_s = lw_cycle_promise(cycle, index);
	int64_t from_s = job->begin_s > job->submit_s ? job->begin_s : job->submit_s;
	int64_t wait_s = (int64_t)(LW_GANG_GAIN * (double)lw_waiting_expect_s(job)), until_s;

	if (cycle->params->gang_wait_s < wait_s)
		wait_s = cycle->params->gang_wait_s;
	until_s = lw_end_after_s(from_s, wait_s);
	return promise_s != LW_NO_TIME && promise_s < until_s ? promise_s : until_s;
}

static bool gang_may_wait(const struct lw_cycle *cycle, uint32_t index)
{
	const struct lw_waiting *job = &cycle->snap->waiting[index];
	const struct lw_policy_params *params = cycle->params;

	if (!params->gang_wait_s || !lw_policy_has(params->kind, LW_GANGS) ||
	    !cycle->snap->domains.count)
		return false;
	if (!job->constraints.communicates ||
	    (!job->request.gpus_per_node && !job->request.gpus_total))
		return false;
	return !job->constraints.now_only && !lw_constraints_preempt(&job->constraints) &&
	       !lw_constraints_matter(&job->constraints) &&
	       lw_gang_until(cycle, index) > cycle->snap->now_s;
}

/* The height of the smallest domain that would hold it when idle. */
static uint32_t gang_least_height(struct lw_cycle *cycle, uint32_t index)
{
	const struct lw_waiting *job = &cycle->snap->waiting[index];
	struct lw_room empty = lw_cycle_room(cycle, job);
	const struct lw_alloc *allocs;
	uint32_t count;

	empty.free = cycle->total;
	empty.index = NULL;
	if (lw_fit(cycle->placer, &empty, &job->request, LW_FIT_EVER, &allocs, &count))
		return LW_NO_HEIGHT;
	return lw_place_height(&cycle->snap->domains, allocs, count);
}

int lw_gang_find_room(struct lw_cycle *cycle, uint32_t index, const struct lw_alloc **ret_allocs,
		      uint32_t *ret_count, enum lw_reason *ret_reason)
{
	int rc = lw_cycle_find_room(cycle, index, ret_allocs, ret_count, ret_reason);
	uint32_t height;

	if (rc || *ret_count < 2 || !gang_may_wait(cycle, index))
		return rc;
	height = lw_place_height(&cycle->snap->domains, *ret_allocs, *ret_count);
	if (!height)
		return 0;
	if (gang_least_height(cycle, index) < height) {
		*ret_reason = LW_REASON_WAITS_FOR_NEARER;
		return -EAGAIN;
	}
	/* the placer has one answer at a time */
	return lw_cycle_find_room(cycle, index, ret_allocs, ret_count, ret_reason);
}
