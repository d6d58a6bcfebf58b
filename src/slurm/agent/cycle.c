/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the agent thread of the scheduler plugin: wait, read, think, apply, report. */

/*
 * Lock order: our own mutex is only ever held alone, and Slurm's locks are taken in one
 * call (LW_LOCKS_ALL). They are held to read and to apply, never to think, so that RPCs
 * pass between the two. No pointer of Slurm lives across the gap: only ids do. Thinking is
 * done by a thread of low priority for which this one waits: who holds locks must not be slow.
 */

#include "slurm/agent/cycle.h"

#include "config/starters.h"
#include "slurm/agent/agent.h"
#include "slurm/agent/aside.h"
#include "slurm/agent/dump.h"
#include "slurm/agent/forecast.h"
#include "slurm/agent/report.h"
#include "slurm/agent/selfcheck.h"
#include "slurm/apply/apply.h"
#include "slurm/clock.h"
#include "slurm/compat/compat.h"
#include "slurm/log.h"
#include "slurm/read/read.h"
#include "slurm/select/select_link.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>

/* How long a text of ours may be missing after Slurm's main loop wiped it. */
#define REFRESH_S 2
/* Plan again at once when Slurm refused something, so that others use the room. */
#define ROUNDS_MAX 2
/* What failed so often in a row is not going to end by itself. */
#define FAILURES_MAX 3
/*
 * So many readings in a row may be in vain. Changes may come without end: of a reservation that
 * moves with time Slurm takes each look of a user for one.
 */
#define STALE_MAX 2

static struct lw_agent agent = {
	.mutex = PTHREAD_MUTEX_INITIALIZER,
};

static struct lw_pace_stamp stamp_now(void)
{
	const diag_stats_t *stats = &slurmctld_diag_stats;

	return (struct lw_pace_stamp){
		.jobs_s = last_job_update,
		.nodes_s = last_node_update,
		.came = stats->jobs_submitted,
		.ended = (uint64_t)stats->jobs_completed + stats->jobs_canceled +
			 stats->jobs_failed,
	};
}

/* Slurm's main loop wiped our texts if it ran since; nobody waits long to read them. */
static void refresh_show(void)
{
	struct lw_pace_stamp stamp = stamp_now();
	bool touched = stamp.jobs_s != agent.pace.seen.jobs_s;

	lw_pace_look(&agent.pace, &stamp, lw_clock_s());
	if (!agent.show.job_count || !touched)
		return;
	lock_slurmctld((slurmctld_lock_t){ .job = WRITE_LOCK });
	/* what came while the lock was waited for is not ours */
	stamp = stamp_now();
	lw_pace_look(&agent.pace, &stamp, lw_clock_s());
	lw_show_refresh(&agent.show);
	stamp = stamp_now();
	lw_pace_ours(&agent.pace, &stamp);
	unlock_slurmctld((slurmctld_lock_t){ .job = WRITE_LOCK });
}

/* Wait for a moment, not past END_S if that is still to come, or until something is wanted. */
static bool wait_a_moment(int64_t end_s)
{
	uint64_t now_us = lw_clock_us(), end_us = (uint64_t)end_s * 1000000;
	uint64_t until_us = now_us + REFRESH_S * 1000000;
	bool go_on;

	if (now_us < end_us && until_us > end_us)
		until_us = end_us;
	pthread_mutex_lock(&agent.mutex);
	while (!agent.stop && lw_clock_wait(&agent.wake, &agent.mutex, until_us))
		continue;
	go_on = !agent.stop;
	pthread_mutex_unlock(&agent.mutex);
	return go_on;
}

static bool must_stop(void)
{
	bool stop;

	pthread_mutex_lock(&agent.mutex);
	stop = agent.stop;
	pthread_mutex_unlock(&agent.mutex);
	return stop || slurmctld_config.shutdown_time;
}

/*
 * Wait for the next cycle; false when it is time to end. slurmctld's shutdown_time does not say so:
 * a backup that takes over may start us before it takes that back.
 */
static bool wait_for_cycle(bool *ret_reconfigure)
{
	int64_t end_s = agent.pace.began_s + agent.settings.config.sched_interval_s;
	bool go_on;

	while (!lw_pace_due(&agent.pace, lw_clock_s(), end_s)) {
		if (!wait_a_moment(end_s))
			return false;
		refresh_show();
	}
	while (!lw_slurm_is_up() || lw_hold_is_crowded(agent.max_rpcs) ||
	       lw_hold_is_completing()) {
		if (!wait_a_moment(lw_clock_s() + REFRESH_S))
			return false;
	}
	pthread_mutex_lock(&agent.mutex);
	*ret_reconfigure = agent.reconfigure;
	agent.reconfigure = false;
	go_on = !agent.stop;
	pthread_mutex_unlock(&agent.mutex);
	return go_on;
}

static void count_failure(const struct lw_error *err)
{
	agent.failures++;
	agent.failure = *err;
}

static void complain_of_reading(int rc, const struct lw_error *err, int64_t now_s)
{
	if (rc == -EBADMSG) {
		agent.condemned = true;
		/* what is on show stays: records that are not what we think are not written to */
		lw_show_fini(&agent.show);
		lw_log_error(lw_slurm_log(), "self-check failed: %s", err->text);
	} else if (rc == -EAGAIN) {
		lw_log_debug(lw_slurm_log(), "%s", err->text);
	} else if (rc == -ESTALE) {
		lw_log_debug(lw_slurm_log(), "cycle %" PRIu64 ": the configuration, a partition "
			     "or a reservation changed; the next cycle reads it anew", agent.cycle);
	} else if (rc != -ECANCELED && rc != -ETIME) {
		count_failure(err);
		lw_slurm_log_throttled(LW_LOG_ERROR, "read", now_s, "cannot read the queue: %s",
				       err->text);
	}
}

/* So long Slurm has for jobs that came before we plan them; an interval at most. */
static int64_t delay_of_starters(void)
{
	int64_t delay_s = lw_starters_of(slurm_conf.sched_params).delay_s;
	int64_t interval_s = agent.settings.config.sched_interval_s;

	return delay_s < interval_s ? delay_s : interval_s;
}

/* Without, Slurm goes through all jobs in one step to find none with a burst buffer. */
static bool has_burst_buffers(void)
{
	return slurm_conf.bb_type && slurm_conf.bb_type[0];
}

/* Locks held: look whether Slurm's records are what we think, then copy them. */
static int read_locked(struct lw_reading *reading, int64_t now_s, struct lw_hold *hold)
{
	struct lw_reading_context context = {
		.promises = agent.promises,
		.planned = agent.swept ? &agent.planned : NULL,
		.refusals = agent.refusals,
		.learn = agent.learn,
		.domains = &agent.domains,
		.islands = &agent.islands,
		.sizes = &agent.sizes,
		.hold = hold,
		.cycle = agent.cycle,
		.now_s = now_s,
	};
	struct lw_error err;
	int rc;

	lw_hold_begin(hold, agent.settings.config.sched_hold_ms, &agent.budget);
	agent.max_rpcs = hold->max_rpcs;
	if (agent.stale >= STALE_MAX)
		lw_hold_firmly(hold);
	agent.pace.delay_s = delay_of_starters();
	if (has_burst_buffers())
		(void)bb_g_load_state(false);
	rc = lw_self_check_tables(hold, &err);
	if (!rc) {
		lw_agent_topology(&agent, now_s);
		rc = lw_hold_breathe(hold);
	}
	if (!rc)
		rc = lw_read(reading, &context, &err);
	lw_hold_end(hold);
	agent.stale = rc == -ESTALE ? agent.stale + 1 : 0;
	if (rc)
		complain_of_reading(rc, &err, now_s);
	return rc;
}

static int apply_locked(const struct lw_reading *reading, int64_t now_s, struct lw_hold *hold,
			struct lw_applied *ret_applied)
{
	struct lw_apply_context context = {
		.reading = reading,
		.plan = &agent.plan,
		.promises = agent.promises,
		.refusals = agent.refusals,
		.hold = hold,
		.cycle = agent.cycle,
		.now_s = now_s,
	};
	const struct lw_select_news news = { .mix = &reading->snap };
	int rc;

	lw_show_prepare(&agent.show, &agent.plan, &agent.outlook, reading);
	lw_hold_begin(hold, agent.settings.config.sched_hold_ms, &agent.budget);
	lw_select_link_tell(&agent, &news);
	if (!agent.swept)
		lw_show_sweep();
	agent.swept = true;
	rc = lw_apply(&context, ret_applied);
	if (rc)
		lw_show_clear(&agent.show);
	else
		lw_show_plan(&agent.show, &agent.plan, hold);
	/* the planned starts say whose data is to come first */
	if (!rc && has_burst_buffers())
		(void)bb_g_job_try_stage_in();
	lw_hold_end(hold);
	return rc;
}

static void save_promises(int64_t now_s)
{
	struct lw_error err;

	if (lw_promises_save(agent.promises, &err))
		lw_slurm_log_throttled(LW_LOG_ERROR, "save", now_s, "cannot save promises: %s",
				       err.text);
}

static void dump(const struct lw_reading *reading, int64_t now_s)
{
	const struct lw_config *config = &agent.settings.config;
	struct lw_policy_params params;
	struct lw_error err;

	lw_settings_policy(&agent.settings, &params);
	if (config->sched_dump_dir &&
	    lw_dump_cycle(config->sched_dump_dir, config->sched_dump_keep, agent.cycle, &params,
			  &reading->snap, &agent.plan, &err))
		lw_slurm_log_throttled(LW_LOG_ERROR, "dump", now_s, "cannot dump the cycle: %s",
				       err.text);
}

static bool may_go_on(void *arg, uint64_t bytes)
{
	lw_hold_off(arg);
	return lw_budget_allows(&agent.budget, lw_cpu_us(), bytes) && !must_stop();
}

static void complain_of_thinking(int rc, int64_t now_s)
{
	struct lw_error err;

	if (rc == -ECANCELED)
		return;
	lw_error_set(&err, rc, "out of memory");
	count_failure(&err);
	lw_slurm_log_throttled(LW_LOG_ERROR, "think", now_s, "%s: this cycle plans nothing",
			       err.text);
}

struct thought {
	struct lw_reading *reading;
	struct lw_hold patience;
	uint64_t cpu_us; /* on the clock of who thought last */
	int rc;
};

static void think(void *arg)
{
	struct thought *thought = arg;
	struct lw_reading *reading = thought->reading;

	lw_budget_move(&agent.budget, thought->cpu_us, lw_cpu_us());
	lw_forecast_reading(&agent.settings, agent.learn, agent.cycle, reading);
	lw_policy_bind(agent.policy, may_go_on, &thought->patience);
	thought->rc = lw_policy_cycle(agent.policy, &reading->snap, &agent.plan);
	if (!thought->rc)
		thought->rc = lw_policy_outlook(agent.policy, &agent.outlook);
	lw_policy_bind(agent.policy, NULL, NULL);
	thought->cpu_us = lw_cpu_us();
}

static int think_aside(struct lw_reading *reading, int64_t now_s)
{
	struct thought thought = { .reading = reading, .cpu_us = lw_cpu_us() };

	lw_hold_no_locks(&thought.patience);
	(void)lw_aside(think, &thought);
	lw_budget_move(&agent.budget, thought.cpu_us, lw_cpu_us());
	if (thought.rc)
		complain_of_thinking(thought.rc, now_s);
	else
		agent.failures = 0;
	return thought.rc;
}

/* One round: read, think, apply. Returns how many starts Slurm refused. */
static uint32_t run_round(struct lw_reading *reading)
{
	struct lw_applied applied = { 0 };
	struct lw_took took = { .begin_us = lw_clock_us() };
	int64_t now_s = time(NULL);

	agent.cycle++;
	if (read_locked(reading, now_s, &took.reading))
		return 0;
	took.read_us = lw_clock_us();
	if (think_aside(reading, now_s))
		return 0;
	took.think_us = lw_clock_us();
	if (must_stop())
		return 0;
	if (!apply_locked(reading, now_s, &took.applying, &applied))
		lw_planned_keep(&agent.planned, &agent.plan, &reading->snap, &applied.wait);
	lw_lookup_fini(&applied.wait);
	took.apply_us = lw_clock_us();
	lw_report_cycle(&agent, reading, &applied, &took);
	dump(reading, now_s);
	lw_show_stats(&agent.plan, reading, now_s, took.apply_us - took.begin_us);
	return applied.refused;
}

/* Without a stock agent that works we go on planning what we can. */
static void hand_over(const char *why)
{
	struct lw_error err;

	if (agent.stock.handle || !agent.stock_path[0])
		return;
	if (lw_handover_start(&agent.stock, agent.stock_path, &err)) {
		lw_log_error(lw_slurm_log(), "%s, but stock backfill cannot run: %s", why,
			     err.text);
		agent.stock_path[0] = '\0';
		return;
	}
	lock_slurmctld(LW_LOCKS_ALL);
	lw_show_clear(&agent.show);
	unlock_slurmctld(LW_LOCKS_ALL);
	lw_log_warn(lw_slurm_log(),
		    "%s: stock backfill (%s) plans the queue until further notice", why,
		    agent.stock_path);
}

static void take_back(void)
{
	if (!agent.stock.handle)
		return;
	lw_handover_stop(&agent.stock);
	agent.swept = false;
	lw_log_warn(lw_slurm_log(), "Leeway plans the queue again, stock backfill was stopped");
}

/* What the cycle held, a plan or what the policy keeps for the next, is given back. */
static void free_plan(void)
{
	struct lw_policy_params params;
	struct lw_policy *policy;

	lw_plan_fini(&agent.plan);
	lw_plan_fini(&agent.outlook);
	lw_plan_init(&agent.plan);
	lw_plan_init(&agent.outlook);
	lw_settings_policy(&agent.settings, &params);
	if (lw_policy_create(&params, lw_slurm_log(), &policy))
		return;
	lw_policy_destroy(agent.policy);
	agent.policy = policy;
}

/* Let stock plan until slurmctld is reconfigured. */
static void yield_to_stock(const char *why)
{
	free_plan();
	hand_over(why);
	agent.yielded = agent.stock.handle;
}

static void give_in(void)
{
	char what[96], why[160];

	lw_budget_explain(&agent.budget, what, sizeof(what));
	snprintf(why, sizeof(why), "cycle %" PRIu64 " is over its budget (%s)", agent.cycle, what);
	lw_log_error(lw_slurm_log(), "%s; raise it in leeway.yaml and reconfigure", why);
	yield_to_stock(why);
}

/* Nothing is worse than a queue that nobody plans. */
static void give_up(void)
{
	char why[LW_ERROR_MAX + 64];

	snprintf(why, sizeof(why), "%u cycles in a row planned nothing (%s)", agent.failures,
		 agent.failure.text);
	agent.failures = 0;
	yield_to_stock(why);
}

static void run_cycle(void)
{
	uint32_t refused = 1;

	lw_budget_begin(&agent.budget, lw_cpu_us(), agent.settings.config.sched_budget_ms,
			agent.settings.config.sched_budget_kib);
	for (int round = 0; round < ROUNDS_MAX && refused && !must_stop(); round++) {
		struct lw_reading reading;

		lw_reading_init(&reading);
		refused = run_round(&reading);
		lw_reading_fini(&reading);
	}
	lw_refusals_expire(agent.refusals, agent.cycle);
	if (agent.condemned)
		hand_over("self-check failed");
	else if (agent.budget.over != LW_WITHIN_BUDGET)
		give_in();
	else if (agent.failures >= FAILURES_MAX)
		give_up();
}

/* What is due, unless nothing may be planned. */
static void do_cycle(void)
{
	if (slurmctld_config.scheduling_disabled || agent.condemned || agent.yielded)
		return;
	run_cycle();
	save_promises(time(NULL));
	lw_forecast_save(agent.learn, time(NULL), false);
}

/* The strings of slurm.conf that this reads are others after the next reconfigure. */
static void heed_reconfigure(void)
{
	const slurmctld_lock_t locks = { .conf = READ_LOCK };

	if (agent.yielded)
		take_back();
	agent.yielded = false;
	lock_slurmctld(locks);
	lw_agent_reload(&agent);
	if (!agent.condemned) /* else stock goes on */
		lw_agent_announce(&agent);
	unlock_slurmctld(locks);
}

static void *run_agent(void *arg)
{
	bool reconfigure;

	(void)arg;
	prctl(PR_SET_NAME, "leeway", NULL, NULL, NULL);
	agent.pace.began_s = lw_clock_s();
	agent.pace.earliest_s = agent.pace.began_s + agent.settings.config.sched_min_interval_s;
	while (wait_for_cycle(&reconfigure)) {
		struct lw_pace_stamp before = stamp_now(), after;
		uint64_t began_us = lw_clock_us();

		if (reconfigure)
			heed_reconfigure();
		do_cycle();
		after = stamp_now();
		/* who came or went while we planned was not planned for */
		after.came = before.came;
		after.ended = before.ended;
		lw_pace_ran(&agent.pace, &before, &after, (int64_t)(began_us / 1000000),
			    (int64_t)(lw_clock_us() - began_us) / 1000,
			    agent.settings.config.sched_min_interval_s);
	}
	lw_forecast_save(agent.learn, time(NULL), true);
	return NULL;
}

int lw_cycle_start(void)
{
	int rc;

	if (agent.running)
		return -1;
	if (slurmctld_config.scheduling_disabled)
		return 0;
	agent.stop = agent.swept = agent.condemned = agent.yielded = false;
	agent.cycle = agent.failures = agent.stale = 0;
	rc = lw_agent_create(&agent);
	if (!rc)
		rc = lw_clock_cond_init(&agent.wake);
	if (rc) {
		error("leeway: cannot start: %s: stock backfill should be used instead",
		      strerror(-rc));
		lw_agent_destroy(&agent);
		return -1;
	}
	lw_agent_find_stock(&agent);
	lw_agent_announce(&agent);
	rc = pthread_create(&agent.thread, NULL, run_agent, NULL);
	if (rc) {
		error("leeway: cannot make a thread: %s: stock backfill should be used instead",
		      strerror(rc));
		pthread_cond_destroy(&agent.wake);
		lw_agent_destroy(&agent);
		return -1;
	}
	agent.running = true;
	return 0;
}

void lw_cycle_stop(void)
{
	if (!agent.running)
		return;
	pthread_mutex_lock(&agent.mutex);
	agent.stop = true;
	pthread_cond_signal(&agent.wake);
	pthread_mutex_unlock(&agent.mutex);
	pthread_join(agent.thread, NULL);
	agent.running = false;
	pthread_cond_destroy(&agent.wake);
	lw_handover_stop(&agent.stock);
	lw_agent_destroy(&agent);
}

void lw_cycle_reconfigure(void)
{
	pthread_mutex_lock(&agent.mutex);
	agent.reconfigure = true;
	pthread_mutex_unlock(&agent.mutex);
}
