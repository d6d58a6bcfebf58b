/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the planner: a snapshot in, a plan out. */
#include "planner/policies/policy.h"

#include "planner/policies/backfill.h"
#include "planner/policies/leeway.h"
#include "planner/cycle/walk_begin.h"

#include <errno.h>
#include <stdlib.h>

/* A search of the outlook would look at each node and each running job's two ends, at worst. */
#define OUTLOOK_LOOKS_MAX 4000000
#define OUTLOOK_JOBS_MAX  1000

void lw_policy_params_default(struct lw_policy_params *params)
{
	*params = (struct lw_policy_params){
		.kind = LW_POLICY_EASY,
		.relax = 0.1,
		.relax_cap_s = 86400,
		/* chosen and checked on traces: doc/dev/planner.md */
		.leeway = {
			.slack = 0.1,
			.slack_cap_s = 2700,
			.backlog = 1.125,
			.ageing = 0.1,
			.width = 0.1,
			.yield = 0.15,
			.scout = true,
			.price = 0.02,
			.risk = 0.02,
			.risk_cap_s = 900,
			.hold = true,
		},
	};
}

int lw_policy_create(const struct lw_policy_params *params, const struct lw_log *log,
		     struct lw_policy **ret_policy)
{
	struct lw_policy *policy = calloc(1, sizeof(*policy));

	if (!policy)
		return -ENOMEM;
	policy->params = *params;
	policy->log = log;
	for (int ends = 0; ends < LW_ENDS_COUNT; ends++)
		lw_releases_init(&policy->walk.releases[ends]);
	*ret_policy = policy;
	return 0;
}

void lw_policy_destroy(struct lw_policy *policy)
{
	if (!policy)
		return;
	lw_walk_fini(policy);
	free(policy);
}

static int walk_queue(struct lw_policy *policy)
{
	bool shortest = policy->params.backfill_order == LW_BACKFILL_SHORTEST;

	switch (policy->params.kind) {
	case LW_POLICY_CONSERVATIVE:
		return lw_conserve_walk(&policy->walk, &policy->conserve);
	case LW_POLICY_LEEWAY:
		return lw_leeway_walk(&policy->walk);
	case LW_POLICY_EASY:
	case LW_POLICY_RELAXED:
	case LW_POLICY_ADAPTIVE:
		if (shortest)
			return lw_leeway_walk(&policy->walk);
		break;
	case LW_POLICY_FCFS:
		break;
	}
	return lw_backfill_walk(&policy->walk);
}

void lw_policy_bind(struct lw_policy *policy, bool (*go_on_f)(void *arg, uint64_t bytes),
		    void *arg)
{
	policy->walk.bound.go_on_f = go_on_f;
	policy->walk.bound.arg = arg;
}

int lw_policy_cycle(struct lw_policy *policy, const struct lw_snapshot *snap,
		    struct lw_plan *plan)
{
	int rc;

	lw_plan_clear(plan);
	rc = lw_walk_begin(policy, snap, plan);
	if (!rc)
		rc = walk_queue(policy);
	lw_walk_done(policy, rc);
	if (rc) {
		lw_plan_clear(plan);
		return rc;
	}
	lw_log_debug(policy->log, "planned %u waiting: %u start (%u backfilled), %u reserved",
		     snap->waiting_count, plan->started, plan->backfilled, plan->reserved);
	return 0;
}

/* Counted, not timed: the same snapshot has the same outlook. */
static uint32_t outlook_count(const struct lw_snapshot *snap)
{
	uint64_t looks = 1 + snap->node_count + 2 * (uint64_t)snap->running_count;
	uint64_t count = OUTLOOK_LOOKS_MAX / looks;

	return count < OUTLOOK_JOBS_MAX ? (uint32_t)count : OUTLOOK_JOBS_MAX;
}

int lw_policy_outlook(struct lw_policy *policy, struct lw_plan *ret_plan)
{
	int rc;

	lw_plan_clear(ret_plan);
	if (policy->params.kind == LW_POLICY_CONSERVATIVE)
		return 0;
	rc = lw_outlook_make(&policy->outlook, &policy->walk, &policy->conserve,
			     outlook_count(policy->walk.snap), ret_plan);
	if (rc)
		lw_plan_clear(ret_plan);
	return rc;
}
