/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the planners of a trial: the policy, and the policies that stand beside it. */
#ifndef LW_LAB_SIM_PLANNERS_H
#define LW_LAB_SIM_PLANNERS_H

#include "lab/sim/nets.h"
#include "lab/sim/trial.h"
#include "planner/policies/policy.h"

struct lw_planners {
	struct lw_policy_params params; /* of the policy */
	struct lw_policy *policy;
	struct lw_policy *main_loop; /* stands for Slurm's main loop; NULL: there is none */
	struct lw_policy *shown;     /* of LW_CHAIN_START_RULE: what start is shown; or NULL */
	struct lw_netrun nets;
	struct lw_outside outside, main_outside; /* what is plugged into them */
};

/*
 * Make those of TRIAL, the policy with PARAMS, for jobs with ids up to LARGEST. PLANNERS must not
 * move until lw_planners_fini(), which is safe on a zeroed one. 0 or -ENOMEM.
 */
int lw_planners_init(struct lw_planners *planners, const struct lw_trial *trial,
		     const struct lw_policy_params *params, uint32_t largest);
void lw_planners_fini(struct lw_planners *planners);

#endif
