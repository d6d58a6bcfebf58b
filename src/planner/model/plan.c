/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: a plan: for each job start, reserve or wait, and the reason. */
#include "planner/model/plan.h"

#include "base/grow.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const struct {
	const char *name;
	const char *sentence;
} reasons[LW_REASON_COUNT] = {
#define LW_REASON(symbol, name, sentence) [LW_REASON_##symbol] = { name, sentence },
#include "planner/model/reason.def"
#undef LW_REASON
};

void lw_plan_init(struct lw_plan *plan)
{
	memset(plan, 0, sizeof(*plan));
}

void lw_plan_fini(struct lw_plan *plan)
{
	free(plan->decisions);
	free(plan->allocs);
	lw_plan_init(plan);
}

void lw_plan_clear(struct lw_plan *plan)
{
	plan->decision_count = 0;
	plan->alloc_count = 0;
	plan->started = 0;
	plan->backfilled = 0;
	plan->reserved = 0;
}

static void plan_count_decision(struct lw_plan *plan, const struct lw_decision *decision)
{
	if (decision->verdict == LW_RESERVE)
		plan->reserved++;
	if (decision->verdict != LW_START)
		return;
	plan->started++;
	if (decision->reason != LW_REASON_STARTS_IN_ORDER)
		plan->backfilled++;
}

int lw_plan_add(struct lw_plan *plan, const struct lw_decision *decision,
		const struct lw_alloc *allocs, uint32_t count)
{
	struct lw_decision *copy;

	if (lw_grow((void **)&plan->decisions, &plan->decision_room, plan->decision_count + 1,
		    sizeof(*plan->decisions)) ||
	    lw_grow((void **)&plan->allocs, &plan->alloc_room, plan->alloc_count + count,
		    sizeof(*plan->allocs)))
		return -ENOMEM;
	copy = &plan->decisions[plan->decision_count++];
	*copy = *decision;
	copy->first_alloc = plan->alloc_count;
	copy->alloc_count = count;
	if (count)
		memcpy(plan->allocs + plan->alloc_count, allocs, count * sizeof(*allocs));
	plan->alloc_count += count;
	plan_count_decision(plan, decision);
	return 0;
}

int lw_plan_start_reserved(struct lw_plan *plan, uint32_t index,
			   const struct lw_decision *decision, const struct lw_alloc *allocs,
			   uint32_t count)
{
	int rc = lw_plan_add(plan, decision, allocs, count);

	if (rc)
		return rc;
	plan->decisions[index] = plan->decisions[--plan->decision_count];
	plan->reserved--;
	return 0;
}

const char *lw_reason_name(enum lw_reason reason)
{
	return (unsigned)reason < LW_REASON_COUNT ? reasons[reason].name : "unknown";
}

const char *lw_reason_sentence(enum lw_reason reason)
{
	return (unsigned)reason < LW_REASON_COUNT ? reasons[reason].sentence : "unknown";
}

const char *lw_verdict_name(enum lw_verdict verdict)
{
	switch (verdict) {
	case LW_START:
		return "start";
	case LW_RESERVE:
		return "reserve";
	case LW_WAIT:
		return "wait";
	}
	return "unknown";
}
