/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: when stock backfill plans the queue instead of Leeway, and when that ends. */
#include "slurm/agent/fallback.h"

#include "slurm/agent/handover.h"
#include "slurm/agent/metering.h"
#include "slurm/agent/outlook.h"
#include "slurm/compat/compat.h"
#include "slurm/log.h"

#include <inttypes.h>
#include <stdio.h>

/* If stock's agent does not start, Leeway goes on planning what it can. */
static void fallback_start_stock(struct lw_agent *agent, enum lw_meter_id reason, const char *why)
{
	struct lw_error err;

	if (agent->stock.handle || !agent->stock_path[0])
		return;
	if (lw_handover_start(&agent->stock, agent->stock_path, &err)) {
		lw_log_error(lw_slurm_log(), "%s, but stock backfill cannot run: %s", why,
			     err.text);
		agent->stock_path[0] = '\0';
		return;
	}
	lw_metering_handover(agent, reason);
	lock_slurmctld(LW_LOCKS_ALL);
	lw_publish_clear(&agent->show, agent->promises);
	lw_firsts_fini(&agent->firsts);
	lw_tell_clear(agent);
	unlock_slurmctld(LW_LOCKS_ALL);
	lw_log_warn(lw_slurm_log(),
		    "%s: stock backfill (%s) plans the queue until further notice", why,
		    agent->stock_path);
}

/* Give back the memory of the plan, and of what the policy keeps for the next cycle. */
static void fallback_free_plan(struct lw_agent *agent)
{
	struct lw_policy_params params;
	struct lw_policy *policy;

	lw_plan_fini(&agent->plan);
	lw_plan_fini(&agent->estimate);
	lw_plan_init(&agent->plan);
	lw_plan_init(&agent->estimate);
	lw_settings_policy(&agent->settings, &params);
	if (lw_policy_create(&params, lw_slurm_log(), &policy))
		return;
	lw_policy_destroy(agent->policy);
	agent->policy = policy;
}

static void fallback_start_stock_until_reconfigured(struct lw_agent *agent,
						    enum lw_meter_id reason, const char *why)
{
	fallback_free_plan(agent);
	fallback_start_stock(agent, reason, why);
	agent->yielded = agent->stock.handle;
}

void lw_fallback_after_self_check(struct lw_agent *agent)
{
	fallback_start_stock(agent, LW_METER_HANDOVER_CHECK, "self-check failed");
}

void lw_fallback_over_budget(struct lw_agent *agent)
{
	char what[96], why[160];

	lw_budget_explain(&agent->budget, what, sizeof(what));
	snprintf(why, sizeof(why), "cycle %" PRIu64 " is over its budget (%s)", agent->cycle,
		 what);
	lw_log_error(lw_slurm_log(), "%s; raise it in leeway.yaml and reconfigure", why);
	fallback_start_stock_until_reconfigured(agent, LW_METER_HANDOVER_BUDGET, why);
}

void lw_fallback_after_failures(struct lw_agent *agent)
{
	char why[LW_ERROR_MAX + 64];

	snprintf(why, sizeof(why), "%u cycles in a row planned nothing (%s)", agent->failures,
		 agent->failure.text);
	agent->failures = 0;
	fallback_start_stock_until_reconfigured(agent, LW_METER_HANDOVER_FAILURES, why);
}

void lw_fallback_end(struct lw_agent *agent)
{
	if (!agent->yielded)
		return;
	lw_handover_stop(&agent->stock);
	agent->yielded = false;
	agent->swept = false;
	lw_log_warn(lw_slurm_log(), "Leeway plans the queue again, stock backfill was stopped");
}
