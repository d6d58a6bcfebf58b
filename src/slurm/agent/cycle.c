/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: one cycle of the agent: read, think, apply, report. */

/*
 * Lock order: our own mutex is only ever held alone, and Slurm's locks are taken in one call
 * (LW_LOCKS_ALL). They are held to read and to apply, never to plan (think.c), so that RPCs pass
 * between the two. No pointer into Slurm's records is kept meanwhile: only ids are.
 */

#include "slurm/agent/cycle.h"

#include "slurm/agent/dump.h"
#include "slurm/agent/fallback.h"
#include "slurm/agent/forecast.h"
#include "slurm/agent/metering.h"
#include "slurm/agent/outlook.h"
#include "slurm/agent/report.h"
#include "slurm/agent/save.h"
#include "slurm/agent/selfcheck.h"
#include "slurm/agent/think.h"
#include "slurm/apply/apply.h"
#include "slurm/apply/lease.h"
#include "slurm/apply/move.h"
#include "slurm/apply/regain.h"
#include "slurm/apply/sdiag.h"
#include "slurm/apply/wish.h"
#include "slurm/clock.h"
#include "slurm/compat/compat.h"
#include "slurm/log.h"
#include "slurm/read/learn.h"
#include "slurm/read/learn_types.h"
#include "slurm/read/read.h"
#include "slurm/select/select_link.h"

#include <errno.h>
#include <inttypes.h>
#include <time.h>

/* Plan again at once when Slurm refused something, so that other jobs use the room. */
#define ROUNDS_MAX 2
/* After so many failed cycles in a row the cause will not go away by itself. */
#define FAILURES_MAX 3
/*
 * After this many readings in a row that ended because of a change, the next one keeps the locks
 * to its end. Changes may never stop: while a reservation moves with time, Slurm notes one for
 * each user that looks at it.
 */
#define STALE_MAX 2
/*
 * A plan is dropped, and made again at once, if a start of Slurm's own takes what it claims: so
 * often in a row. The next one is applied, but it promises nothing new.
 */
#define OVERTAKEN_MAX 2

static void cycle_count_failure(struct lw_agent *agent, const struct lw_error *err)
{
	agent->failures++;
	agent->failure = *err;
}

/* Note what a reading that returned RC, with ERR, means for the cycles that follow. */
static void cycle_heed_reading(struct lw_agent *agent, int rc, const struct lw_error *err)
{
	agent->stale = rc == -ESTALE ? agent->stale + 1 : 0;
	switch (rc) {
	case -EBADMSG:
		agent->condemned = true;
		/* what is published stays: records of unexpected layout are not written to */
		lw_publish_fini(&agent->show);
		break;
	case 0:
	case -EAGAIN:
	case -ESTALE:
	case -ECANCELED:
	case -ETIME:
		break;
	default:
		cycle_count_failure(agent, err);
	}
}

static void cycle_complain_of_reading(uint64_t cycle, int rc, const struct lw_error *err,
				      int64_t now_s)
{
	switch (rc) {
	case -EBADMSG:
		lw_log_error(lw_slurm_log(), "self-check failed: %s", err->text);
		break;
	case -EAGAIN:
		lw_log_debug(lw_slurm_log(), "%s", err->text);
		break;
	case -ESTALE:
		lw_log_debug(lw_slurm_log(), "cycle %" PRIu64 ": the configuration, a partition "
			     "or a reservation changed; the next cycle reads it anew", cycle);
		break;
	case 0:
	case -ECANCELED:
	case -ETIME:
		break;
	default:
		lw_slurm_log_throttled(LW_LOG_ERROR, "read", now_s, "cannot read the queue: %s",
				       err->text);
	}
}

/* How long a new job is left to Slurm's own starts before it is planned; at most an interval. */
static int64_t cycle_delay_of_starters(const struct lw_agent *agent)
{
	int64_t delay_s = agent->starters.delay_s;
	int64_t interval_s = agent->settings.config.sched_interval_s;

	return delay_s < interval_s ? delay_s : interval_s;
}

/* Without a burst buffer plugin Slurm is not asked: it would go through all jobs in vain. */
static bool cycle_has_burst_buffers(void)
{
	return slurm_conf.bb_type && slurm_conf.bb_type[0];
}

/* The last plan kept nodes by number, and other nodes may have these numbers by now. */
static void cycle_heed_nodes(struct lw_agent *agent, const struct lw_session *session)
{
	if (session->nodes == agent->planned_nodes)
		return;
	agent->planned_nodes = session->nodes;
	lw_kept_clear(&agent->planned.kept);
	lw_guarded_renumber(agent->guarded);
	lw_moving_clear(&agent->leasing.moving);
}

/* The reading counts these nodes as free: so do Slurm's tests from now on. */
static void cycle_regain(void)
{
	uint32_t nodes = lw_regain_nodes();

	if (nodes)
		lw_log_info(lw_slurm_log(), "%" PRIu32 " idle nodes are of use to all jobs: Slurm "
			    "counted jobs there that had given them back", nodes);
}

/* Regain nodes; let jobs that lost a node, or were stopped, begin; order jobs to stop. */
static void cycle_mend(struct lw_agent *agent, int64_t now_s)
{
	struct lw_recover_rules recover;
	struct lw_stop_rules stop;

	if (!agent->watches)
		cycle_regain();
	lw_settings_recover(&agent->settings, &recover);
	lw_settings_stop(&agent->settings, &stop);
	lw_recover_begin(agent->node_failures, agent->suspects, &recover, now_s,
			 &agent->recovered);
	lw_stop_begin(agent->stops, &stop, agent->learn ? lw_learn_history(agent->learn) : NULL,
		      now_s, &agent->stopped);
	lw_move_follow(&agent->leasing.moving, agent->stops, now_s);
	lw_leasing_begin(&agent->leasing, &stop, agent->stops, (uint32_t)node_record_count,
			 slurm_conf.kill_wait);
	if (agent->recovered.soon || agent->stopped.soon)
		lw_trigger_again(&agent->trigger);
}

/* Copy the records, and note which running jobs may be asked to make room. */
static int cycle_read_jobs(struct lw_agent *agent, struct lw_reading *reading,
			   const struct lw_reading_context *context, struct lw_error *err)
{
	struct lw_stop_rules stop;
	int rc = lw_read(reading, context, err);

	lw_settings_stop(&agent->settings, &stop);
	return rc ? rc
		  : lw_lease_offer(&agent->leasing, &stop, agent->stops, reading,
				   context->session);
}

/* A plan that was not made as it was thought orders no stop: the next one sees what there is. */
static void cycle_order_stops(struct lw_agent *agent, const struct lw_applied *applied,
			      int64_t now_s)
{
	struct lw_stop_rules stop;

	if (applied->refused || lw_agent_must_stop(agent))
		return;
	lw_settings_stop(&agent->settings, &stop);
	lw_lease_order(&agent->leasing, &stop, agent->stops,
		       agent->learn ? lw_learn_history(agent->learn) : NULL, now_s,
		       &agent->stopped);
}

/* Take the locks. */
static void cycle_begin_reading(struct lw_agent *agent, struct lw_session *session)
{
	lw_session_begin(session, agent->settings.config.sched_hold_ms, &agent->budget);
	if (!agent->watches)
		lw_select_link_tell(&(struct lw_select_news){ .reads = true });
	agent->max_rpcs = session->max_rpcs;
	agent->hide_others = slurm_conf.private_data & PRIVATE_DATA_JOBS;
	if (agent->stale >= STALE_MAX)
		lw_session_no_yield(session);
	agent->trigger.delay_s = cycle_delay_of_starters(agent);
	if (!agent->watches && cycle_has_burst_buffers())
		(void)bb_g_load_state(false);
}

/* With the locks held: check that Slurm's records are laid out as expected, then copy them. */
static int cycle_read_locked(struct lw_agent *agent, struct lw_reading *reading, int64_t now_s,
			     struct lw_session *session)
{
	struct lw_reading_context context = {
		.promises = agent->promises,
		.planned = agent->swept ? &agent->planned : NULL,
		.guarded = agent->guarded,
		.failures = agent->node_failures,
		.suspects = agent->settings.config.recover_mode == LW_RECOVER_ON ? agent->suspects
										: NULL,
		.stops = agent->stops,
		.leasing = &agent->leasing,
		.choose_sizes = lw_settings_sizes(&agent->settings),
		.stop_who = agent->settings.config.stop_who,
		.refusals = agent->refusals,
		.learn = agent->learn,
		.beside_stock = agent->stock.handle,
		.canary = agent->canary,
		.stockplans = &agent->stockplans,
		.by_type = lw_settings_by_type(&agent->settings),
		.due_first = agent->settings.config.sched_deadlines == LW_DEADLINES_ORDER,
		.progress = agent->settings.config.sched_progress,
		.by_account = agent->settings.config.select_type == LW_TYPES_FAIR,
		.domains = &agent->domains,
		.islands = &agent->islands,
		.sizes = &agent->sizes,
		.house = &agent->house,
		.since = agent->settings.config.sched_chain ? agent->since : NULL,
		.chain = agent->settings.config.sched_chain,
		.chain_min_s = agent->settings.config.sched_chain_min_s,
		.session = session,
		.elsewhere = agent->ask,
		.elsewhere_count = agent->ask_count,
		.cycle = agent->cycle,
		.now_s = now_s,
	};
	struct lw_error err;
	int rc;

	cycle_begin_reading(agent, session);
	rc = lw_self_check_tables(session, &err);
	if (!rc) {
		lw_agent_house(agent);
		lw_agent_topology(agent, now_s);
		rc = lw_session_yield(session);
	}
	if (!rc) {
		cycle_heed_nodes(agent, session);
		cycle_mend(agent, now_s);
		rc = cycle_read_jobs(agent, reading, &context, &err);
	}
	/* show again what Slurm's main loop wiped, so that it is not missing while we plan */
	if (!rc) {
		lw_publish_refresh(&agent->show);
		lw_recover_end(agent->node_failures);
	}
	lw_session_end(session);
	cycle_heed_reading(agent, rc, &err);
	cycle_complain_of_reading(agent->cycle, rc, &err, now_s);
	return rc;
}

/* A plan holds jobs back for a few cycles at most: the next plans ask for it again. */
#define WISH_CYCLES 4
#define WISH_MORE_S 60

static int64_t cycle_wish_s(const struct lw_agent *agent)
{
	return WISH_CYCLES * agent->settings.config.sched_interval_s + WISH_MORE_S;
}

/* Out of memory, no job is held back, and no type is preferred. */
static void cycle_make_wishes(const struct lw_agent *agent, const struct lw_reading *reading,
			      struct lw_wishes *wishes)
{
	const struct lw_config *config = &agent->settings.config;

	if (!lw_settings_by_type(&agent->settings) ||
	    lw_wish_plan(&agent->plan, &reading->snap, cycle_wish_s(agent), wishes))
		return;
	/* the fastest first, for jobs that no plan has seen */
	if (agent->learn && config->select_type != LW_TYPES_ANY)
		wishes->order_count = lw_learn_types_order(lw_learn_history(agent->learn),
							   &reading->snap, wishes->order);
}

/* For the plan's starts and Slurm's own. Out of memory, no job is held to a number of nodes. */
static void cycle_tell_sizes(const struct lw_agent *agent, const struct lw_reading *reading)
{
	struct lw_wish_sizes sizes = { 0 };

	(void)lw_wish_sizes(reading, cycle_wish_s(agent), &sizes);
	lw_select_link_tell(&(struct lw_select_news){ .sizes = &sizes });
	lw_wish_sizes_fini(&sizes);
}

/* Tell the select plugin of the plan. True: a start has overtaken it, and it is to be dropped. */
static bool cycle_hand_over_gate(struct lw_agent *agent, const struct lw_reading *reading,
				 struct lw_select_news *news, bool *ret_overtaken)
{
	bool insists = agent->overtaken >= OVERTAKEN_MAX;

	*ret_overtaken = false;
	news->gate = &agent->gate;
	news->caps = &reading->caps;
	news->overtaken = ret_overtaken;
	news->insists = insists;
	lw_select_link_tell(news);
	agent->overtaken = *ret_overtaken && !insists ? agent->overtaken + 1 : 0;
	if (*ret_overtaken)
		lw_log_debug(lw_slurm_log(), "cycle %" PRIu64 ": Slurm has started a job on what "
			     "the plan keeps", agent->cycle);
	return *ret_overtaken && !insists;
}

static int cycle_apply_locked(struct lw_agent *agent, const struct lw_reading *reading,
			      int64_t now_s, struct lw_session *session,
			      struct lw_applied *ret_applied)
{
	struct lw_apply_context context = {
		.reading = reading,
		.plan = &agent->plan,
		.promises = agent->promises,
		.refusals = agent->refusals,
		.session = session,
		.cycle = agent->cycle,
		.now_s = now_s,
		.shares = agent->house.rule.mode != LW_SHARE_OFF,
	};
	/* our own starts follow the plan: jobs are told what they wait for when they are made */
	struct lw_wishes wishes = { 0 };
	struct lw_select_news news = { .mix = &reading->snap, .wishes = &wishes };
	int rc;

	lw_session_begin(session, agent->settings.config.sched_hold_ms, &agent->budget);
	lw_agent_sweep(agent);
	if (cycle_hand_over_gate(agent, reading, &news, &context.overtaken)) {
		lw_publish_stay(&agent->show);
		lw_session_end(session);
		return -EAGAIN;
	}
	cycle_tell_sizes(agent, reading);
	rc = lw_apply(&context, ret_applied);
	if (rc) {
		lw_publish_stay(
			&agent->show); /* the next plan replaces it, or keeps it */
	} else {
		if (!context.overtaken)
			cycle_order_stops(agent, ret_applied, now_s);
		lw_tell_write(agent, session);
		lw_publish_plan(&agent->show, &agent->plan, agent->promises, session);
	}
	cycle_make_wishes(agent, reading, &wishes);
	lw_select_link_tell(&(struct lw_select_news){ .wishes = &wishes, .applied = true });
	lw_wishes_fini(&wishes);
	/* the planned starts decide which data is staged in first */
	if (!rc && cycle_has_burst_buffers())
		(void)bb_g_job_try_stage_in();
	lw_session_end(session);
	return rc;
}

/* Keep the plan for the next cycle, and write what a restart would lose. */
static void cycle_keep_plan(struct lw_agent *agent, const struct lw_reading *reading,
			    const struct lw_applied *applied, int64_t now_s)
{
	struct lw_error err;

	agent->planned_nodes = reading->nodes;
	lw_planned_keep(&agent->planned, &agent->plan, &reading->snap, &applied->wait);
	if (lw_guarded_save(agent->guarded, &agent->planned, &reading->snap, &err))
		lw_slurm_log_throttled(LW_LOG_ERROR, "guarded", now_s,
				       "cannot save what is kept for deadlines: %s", err.text);
}

static void cycle_dump(const struct lw_agent *agent, const struct lw_reading *reading,
		       int64_t now_s)
{
	const struct lw_config *config = &agent->settings.config;
	const struct lw_dump_place place = { config->sched_dump_dir, config->sched_dump_keep,
					     agent->cycle };
	struct lw_policy_params params;
	struct lw_error err;

	lw_settings_policy(&agent->settings, &params);
	if (place.dir && lw_dump_cycle(&place, &params, &reading->snap, &agent->plan, &err))
		lw_slurm_log_throttled(LW_LOG_ERROR, "dump", now_s, "cannot dump the cycle: %s",
				       err.text);
}

static int cycle_think(struct lw_agent *agent, struct lw_reading *reading, int64_t now_s)
{
	struct lw_error err;
	int rc = lw_think(agent, reading);

	if (!rc) {
		agent->failures = 0;
	} else if (rc != -ECANCELED) {
		lw_error_set(&err, rc, "out of memory");
		cycle_count_failure(agent, &err);
		lw_slurm_log_throttled(LW_LOG_ERROR, "think", now_s,
				       "%s: this cycle plans nothing", err.text);
	}
	return rc;
}

static void cycle_tell_sooner(void *arg, const struct lw_running *job, int64_t plan_s)
{
	(void)arg;
	lw_log_info(lw_slurm_log(),
		    "watch: JobId=%u started %" PRId64 " s after a plan of Leeway's would have "
		    "started it", job->job_id, job->start_s - plan_s);
}

/* sched.mode: watch. The plan is compared with what happens, and changes nothing. */
static int cycle_watch(struct lw_agent *agent, const struct lw_reading *reading)
{
	return lw_watched_cycle(&agent->watched, &reading->snap, &agent->plan, cycle_tell_sooner,
				NULL);
}

/* One round: read, plan, apply. Returns how many starts Slurm refused, or overtook. */
static uint32_t cycle_run_round(struct lw_agent *agent, struct lw_reading *reading)
{
	struct lw_applied applied = { 0 };
	struct lw_took took = { .begin_us = lw_clock_us() };
	int64_t now_s = time(NULL);
	int rc;

	agent->cycle++;
	lw_metering_round(agent);
	if (cycle_read_locked(agent, reading, now_s, &took.reading))
		return 0;
	took.read_us = lw_clock_us();
	if (cycle_think(agent, reading, now_s))
		return 0;
	took.think_us = lw_clock_us();
	if (lw_agent_must_stop(agent))
		return 0;
	if (agent->watches) {
		rc = cycle_watch(agent, reading);
	} else {
		rc = cycle_apply_locked(agent, reading, now_s, &took.applying, &applied);
		if (!rc)
			cycle_keep_plan(agent, reading, &applied, now_s);
	}
	lw_lookup_fini(&applied.wait);
	took.apply_us = lw_clock_us();
	lw_report_cycle(agent, reading, &applied, &took);
	lw_metering_cycle(agent, reading, &applied, &took);
	cycle_dump(agent, reading, now_s);
	if (!agent->stock.handle)
		lw_sdiag_cycle(&agent->plan, reading, now_s, took.apply_us - took.begin_us);
	return rc == -EAGAIN ? 1 : applied.refused;
}

static void cycle_give_up_or_not(struct lw_agent *agent)
{
	if (agent->condemned)
		lw_fallback_after_self_check(agent);
	else if (agent->budget.over != LW_WITHIN_BUDGET)
		lw_fallback_over_budget(agent);
	else if (agent->failures >= FAILURES_MAX)
		lw_fallback_after_failures(agent);
}

void lw_cycle_run(struct lw_agent *agent)
{
	static struct lw_reading reading; /* static, as the thought that uses it is */
	uint32_t refused = 1;

	lw_budget_begin(&agent->budget, lw_cpu_us(), agent->settings.config.sched_budget_ms,
			agent->settings.config.sched_budget_kib);
	for (int round = 0; round < ROUNDS_MAX && refused && !lw_agent_must_stop(agent);
	     round++) {
		lw_reading_init(&reading);
		refused = cycle_run_round(agent, &reading);
		if (!agent->left)
			lw_reading_fini(&reading);
	}
	lw_refusals_expire(agent->refusals, agent->cycle);
	if (!agent->left)
		cycle_give_up_or_not(agent);
	lw_save_cycle(agent);
}
