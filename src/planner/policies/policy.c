/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the planner: a snapshot in, a plan out. */
#include "planner/policies/policy.h"

#include "planner/cycle/grow.h"
#include "planner/cycle/cycle_begin.h"
#include "planner/policies/impl.h"
#include "planner/policies/estimate.h"
#include "planner/policies/gate_make.h"

#include <errno.h>
#include <stdlib.h>

struct lw_policy {
	struct lw_policy_params params;
	const struct lw_log *log;
	const struct lw_policy_impl *impl;
	void *own; /* its state */
	struct lw_cycle_memory memory;
	struct lw_estimate estimate;
	struct lw_gate_scratch gate;
};

static const struct lw_policy_impl *const impls[] = {
#define LW_POLICY(id, name, traits, help) [LW_POLICY_##id] = &lw_policy_##name,
#include "planner/model/policies.def"
};

int lw_policy_create(const struct lw_policy_params *params, const struct lw_log *log,
		     struct lw_policy **ret_policy)
{
	struct lw_policy *policy = calloc(1, sizeof(*policy));

	if (!policy)
		return -ENOMEM;
	policy->impl = impls[params->kind];
	policy->own = calloc(1, policy->impl->own_size ? policy->impl->own_size : 1);
	if (!policy->own) {
		free(policy);
		return -ENOMEM;
	}
	policy->params = *params;
	policy->log = log;
	lw_cycle_init(&policy->memory);
	policy->memory.cycle.hooks = &policy->impl->hooks;
	policy->memory.cycle.own = policy->own;
	*ret_policy = policy;
	return 0;
}

void lw_policy_destroy(struct lw_policy *policy)
{
	if (!policy)
		return;
	if (policy->impl->fini)
		policy->impl->fini(policy->own);
	free(policy->own);
	lw_estimate_fini(&policy->estimate);
	lw_gate_scratch_fini(&policy->gate);
	lw_cycle_fini(&policy->memory);
	free(policy);
}

void lw_policy_bind(struct lw_policy *policy, bool (*go_on_f)(void *arg, uint64_t bytes),
		    void *arg)
{
	policy->memory.cycle.bound.go_on_f = go_on_f;
	policy->memory.cycle.bound.arg = arg;
}

int lw_policy_note_lost(const struct lw_policy *policy, struct lw_lost *lost,
			struct lw_snapshot *snap)
{
	if (!lw_policy_has(policy->params.kind, LW_DEADLINES) || policy->params.loss <= 0)
		return 0;
	return lw_lost_note(lost, snap);
}

int lw_policy_cycle(struct lw_policy *policy, const struct lw_snapshot *snap,
		    struct lw_plan *plan)
{
	int rc;

	lw_plan_clear(plan);
	rc = lw_cycle_begin(&policy->memory, &policy->params, snap, plan);
	if (!rc)
		rc = policy->impl->plan(&policy->memory.cycle, policy->own);
	lw_cycle_done(&policy->memory, rc);
	if (rc) {
		lw_plan_clear(plan);
		return rc;
	}
	lw_log_debug(policy->log, "planned %u waiting: %u start (%u backfilled), %u reserved",
		     snap->waiting_count, plan->started, plan->backfilled, plan->reserved);
	return 0;
}

int lw_policy_lease(struct lw_policy *policy, const struct lw_lease_rules *rules,
		    const struct lw_lease_state *state, const struct lw_lease_offer *offers,
		    uint32_t count, struct lw_leases *leases)
{
	struct lw_cycle *cycle = &policy->memory.cycle;
	int rc = 0;

	leases->count = leases->place_count = 0;
	/* where all jobs have a reservation, there is no room beside these */
	if (!count || lw_policy_has(policy->params.kind, LW_RESERVES_ALL))
		return 0;
	for (uint32_t i = 0; i < cycle->plan->decision_count; i++)
		cycle->taken[cycle->plan->decisions[i].waiting] +=
			cycle->plan->decisions[i].verdict == LW_START;
	if (rules->shorts || rules->dues)
		rc = lw_lease_plan(cycle, rules, state, offers, count, leases);
	/* one kind at a time: each looks at what is free now */
	if (!rc && rules->gangs && !leases->count)
		rc = lw_move_plan(cycle, rules, state, offers, count, leases);
	if (!rc && rules->grows && !leases->count)
		rc = lw_grow_plan(cycle, state, offers, count, leases);
	lw_cycle_done(&policy->memory, 0);
	return rc;
}

int lw_policy_estimate(struct lw_policy *policy, struct lw_plan *ret_plan)
{
	int rc;

	lw_plan_clear(ret_plan);
	if (lw_policy_has(policy->params.kind, LW_RESERVES_ALL))
		return 0;
	rc = lw_estimate_make(&policy->estimate, &policy->memory.cycle, ret_plan);
	if (rc)
		lw_plan_clear(ret_plan);
	return rc;
}

int lw_policy_gate(struct lw_policy *policy, uint32_t places, struct lw_gate *gate)
{
	return lw_gate_make(gate, places, &policy->memory.cycle, &policy->gate);
}
