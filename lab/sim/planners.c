/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the planners of a trial: the policy, and the policies that stand beside it. */
#include "lab/sim/planners.h"

#include <string.h>

static int plug(struct lw_planners *planners, const struct lw_trial *trial, uint32_t largest)
{
	int rc = lw_netrun_init(&planners->nets, &trial->nets, largest);

	if (rc)
		return rc;
	planners->outside.choose = trial->choose;
	planners->outside.ends_before = trial->ends_before;
	lw_netrun_plug(&planners->nets, &planners->outside);
	planners->main_outside = planners->outside;
	planners->main_outside.for_now = true;
	return 0;
}

/* In order of the queue until one has no room; it knows of no promise. */
static int make_main_loop(struct lw_planners *planners, const struct lw_trial *trial)
{
	struct lw_policy_params params = trial->policy;

	if (!trial->machine.main_loop)
		return 0;
	params.kind = LW_POLICY_FCFS;
	params.order = LW_ORDER_GIVEN; /* by priority */
	params.order_age_s = 0;
	params.deadlines = LW_DEADLINES_OFF;
	params.outside = &planners->main_outside;
	params.gang_wait_s = 0;
	params.terse = true;
	return lw_policy_create(&params, NULL, &planners->main_loop);
}

/* Shown are starts by limits, behind the whole queue. */
static int make_shown(struct lw_planners *planners, const struct lw_trial *trial)
{
	struct lw_policy_params params = trial->policy;

	if (trial->chain != LW_CHAIN_START_RULE)
		return 0;
	params.kind = LW_POLICY_CONSERVATIVE;
	params.outside = &planners->outside;
	params.terse = true;
	return lw_policy_create(&params, NULL, &planners->shown);
}

int lw_planners_init(struct lw_planners *planners, const struct lw_trial *trial,
		     const struct lw_policy_params *params, uint32_t largest)
{
	int rc;

	memset(planners, 0, sizeof(*planners));
	rc = plug(planners, trial, largest);
	planners->params = *params;
	planners->params.outside = &planners->outside;
	if (!rc)
		rc = lw_policy_create(&planners->params, NULL, &planners->policy);
	if (!rc)
		rc = make_main_loop(planners, trial);
	return rc ? rc : make_shown(planners, trial);
}

void lw_planners_fini(struct lw_planners *planners)
{
	lw_policy_destroy(planners->policy);
	lw_policy_destroy(planners->main_loop);
	lw_policy_destroy(planners->shown);
	lw_netrun_fini(&planners->nets);
	memset(planners, 0, sizeof(*planners));
}
