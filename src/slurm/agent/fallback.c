/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: when stock backfill plans the queue instead of Leeway, and when that ends. */
#include "slurm/agent/fallback.h"

#include "slurm/agent/handover.h"
#include "slurm/agent/metering.h"
#include "slurm/agent/outlook.h"
#include "slurm/compat/compat.h"
#include "slurm/log.h"
#include "slurm/select/select_link.h"

#include <inttypes.h>
#include <stdio.h>

/* True: it runs from now on, for the reason WHY. */
static bool fallback_open_stock(struct lw_agent *agent, const char *why)
{
	struct lw_error err;

	if (agent->stock.handle || !agent->stock_path[0])
		return false;
	if (lw_handover_start(&agent->stock, agent->stock_path, &err)) {
		lw_log_error(lw_slurm_log(), "%s, but stock backfill cannot run: %s", why,
			     err.text);
		agent->stock_path[0] = '\0';
		return false;
	}
	return true;
}

/* True: it runs from now on, for the reason WHY, and nothing of Leeway's is shown any more. */
static bool fallback_start_stock(struct lw_agent *agent, const char *why)
{
	if (!fallback_open_stock(agent, why))
		return false;
	lock_slurmctld(LW_LOCKS_ALL);
	lw_publish_clear(&agent->show, agent->promises);
	lw_firsts_fini(&agent->firsts);
	lw_tell_clear(agent);
	unlock_slurmctld(LW_LOCKS_ALL);
	return true;
}

/* From now on the jobs of CANARY are Leeway's. */
static void fallback_tell_canary(struct lw_agent *agent, const struct lw_canary *canary)
{
	agent->canary = *canary;
	agent->show.beside_stock = lw_canary_is_set(canary);
	lock_slurmctld(LW_LOCKS_ALL);
	lw_select_link_tell(&(struct lw_select_news){ .canary = canary });
	unlock_slurmctld(LW_LOCKS_ALL);
}

/* Stock, which runs beside Leeway's plans, ends. */
static void fallback_end_beside(struct lw_agent *agent)
{
	lw_handover_stop(&agent->stock);
	lw_session_beside_stock(false);
	lw_watched_fini(&agent->watched);
	agent->swept = false;
}

/* If stock's agent does not start, Leeway goes on planning what it can. */
static void fallback_hand_over(struct lw_agent *agent, enum lw_meter_id reason, const char *why)
{
	const struct lw_canary all = { 0 };

	if (lw_canary_is_set(&agent->canary)) {
		fallback_end_beside(agent);
		fallback_tell_canary(agent, &all);
	}
	if (!fallback_start_stock(agent, why))
		return;
	lw_metering_handover(agent, reason);
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
	fallback_hand_over(agent, reason, why);
	agent->yielded = agent->stock.handle;
}

void lw_fallback_after_self_check(struct lw_agent *agent)
{
	fallback_hand_over(agent, LW_METER_HANDOVER_CHECK, "self-check failed");
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

static bool fallback_still_waits(void *arg, uint32_t job_id)
{
	(void)arg, (void)job_id;
	return true;
}

/* They are kept no more, as if the jobs were held. */
static void fallback_withdraw_promises(struct lw_agent *agent)
{
	lw_promises_begin(agent->promises);
	lw_promises_end(agent->promises, fallback_still_waits, NULL);
}

/* Stock's starts are not judged by a plan that was made before it took over. */
static void fallback_drop_gate(struct lw_agent *agent)
{
	struct lw_wishes wishes = { 0 };
	struct lw_wish_sizes sizes = { 0 };

	lw_gate_fini(&agent->gate);
	lock_slurmctld(LW_LOCKS_ALL);
	lw_select_link_tell(&(struct lw_select_news){
		.gate = &agent->gate, .insists = true, .wishes = &wishes, .sizes = &sizes });
	unlock_slurmctld(LW_LOCKS_ALL);
}

static void fallback_watch(struct lw_agent *agent)
{
	if (!fallback_start_stock(agent, "sched.mode is watch"))
		return;
	fallback_drop_gate(agent);
	fallback_withdraw_promises(agent);
	lw_log_info(lw_slurm_log(), "sched.mode is watch: stock backfill (%s) plans the queue",
		    agent->stock_path);
}

/* Promises go on. */
static void fallback_share(struct lw_agent *agent, const struct lw_canary *canary)
{
	char some[64];

	snprintf(some, sizeof(some), "Leeway plans some jobs (%s)", lw_canary_keys(canary));
	if (fallback_open_stock(agent, some))
		lw_log_info(lw_slurm_log(),
			    "%s: stock backfill (%s) plans all other jobs", some,
			    agent->stock_path);
}

void lw_fallback_heed_mode(struct lw_agent *agent)
{
	bool watch = lw_settings_watch(&agent->settings);
	const struct lw_canary all = { 0 };
	struct lw_canary canary;

	if (agent->condemned)
		return;
	lw_settings_canary(&agent->settings, &canary);
	if ((agent->watches && !watch) ||
	    (lw_canary_is_set(&agent->canary) && !lw_canary_is_set(&canary)))
		fallback_end_beside(agent);
	if (watch)
		fallback_watch(agent);
	else if (lw_canary_is_set(&canary))
		fallback_share(agent, &canary);
	/* where stock does not run, all jobs are Leeway's, so that each job is planned */
	fallback_tell_canary(agent, agent->stock.handle ? &canary : &all);
	lw_session_beside_stock(agent->stock.handle);
	agent->watches = watch;
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
