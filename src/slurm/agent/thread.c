/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the agent thread of the scheduler plugin: wait for the next cycle, and run it. */
#include "slurm/agent/thread.h"

#include "slurm/agent/agent.h"
#include "slurm/agent/cycle.h"
#include "slurm/agent/fallback.h"
#include "slurm/agent/forecast.h"
#include "slurm/agent/metering.h"
#include "slurm/agent/outlook.h"
#include "slurm/agent/worker.h"
#include "slurm/clock.h"
#include "slurm/compat/compat.h"
#include "slurm/select/select_link.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>

/* How often we look whether anything has changed. */
#define REFRESH_S 2
/* How long our published texts may be missing after Slurm's main loop wiped them. */
#define LOOK_US	  20000
/*
 * Before and after its main loop Slurm looks at dependencies, and wipes the texts of jobs that
 * wait for another one. It leaves no trace of that, and with sched_interval=-1 it is each second.
 */
#define FOLLOW_US 250000

static struct lw_agent the_agent = {
	.mutex = PTHREAD_MUTEX_INITIALIZER,
};

static struct lw_trigger_stamp thread_stamp_now(void)
{
	const diag_stats_t *stats = &slurmctld_diag_stats;

	return (struct lw_trigger_stamp){
		.jobs_s = lw_slurm_peek(last_job_update),
		.nodes_s = lw_slurm_peek(last_node_update),
		.came = lw_slurm_peek(stats->jobs_submitted),
		.ended = (uint64_t)lw_slurm_peek(stats->jobs_completed) +
			 lw_slurm_peek(stats->jobs_canceled) + lw_slurm_peek(stats->jobs_failed),
	};
}

/*
 * Has Slurm's main loop run since, or stock's backfill beside us? Slurm counts their runs. The
 * time of the last change of a job cannot tell: a change in the same second in which we publish
 * our texts leaves that time as it is.
 */
static bool thread_main_loop_ran(struct lw_agent *agent)
{
	uint32_t runs = lw_slurm_peek(slurmctld_diag_stats.schedule_cycle_counter) +
			(agent->stock.handle ? lw_slurm_peek(slurmctld_diag_stats.bf_cycle_counter)
					     : 0);
	bool ran = runs != agent->main_loops;

	agent->main_loops = runs;
	return ran;
}

static bool thread_is_follow_due(const struct lw_agent *agent)
{
	return agent->show.follow_count && lw_clock_us() - agent->shown_us >= FOLLOW_US;
}

/* The main loop wipes our texts whenever it looks at a job: publish them again. */
static void thread_refresh_show(struct lw_agent *agent, bool ran)
{
	struct lw_trigger_stamp stamp = thread_stamp_now();
	bool touched = stamp.jobs_s != agent->trigger.seen.jobs_s;

	agent->shown_us = lw_clock_us();
	lw_trigger_look(&agent->trigger, &stamp, lw_clock_s());
	if (!agent->show.text_count || (!touched && !ran))
		return;
	lock_slurmctld((slurmctld_lock_t){ .job = WRITE_LOCK });
	/* changes made while we waited for the lock are not our own */
	stamp = thread_stamp_now();
	lw_trigger_look(&agent->trigger, &stamp, lw_clock_s());
	lw_publish_refresh(&agent->show);
	stamp = thread_stamp_now();
	lw_trigger_ours(&agent->trigger, &stamp);
	unlock_slurmctld((slurmctld_lock_t){ .job = WRITE_LOCK });
}

/* False: the agent has to stop. */
static bool thread_wait_until(struct lw_agent *agent, uint64_t until_us)
{
	bool go_on;

	pthread_mutex_lock(&agent->mutex);
	while (!agent->stop && lw_clock_wait(&agent->wake, &agent->mutex, until_us))
		continue;
	go_on = !agent->stop;
	pthread_mutex_unlock(&agent->mutex);
	return go_on;
}

/* When to check for our texts next, if there are any; not after UNTIL_US. */
static uint64_t thread_next_look(const struct lw_agent *agent, uint64_t until_us)
{
	uint64_t look_us = lw_clock_us() + LOOK_US;

	return agent->show.text_count && look_us < until_us ? look_us : until_us;
}

/* Wait for a moment, but not past END_S if that comes first. False: the agent has to stop. */
static bool thread_wait_a_moment(struct lw_agent *agent, int64_t end_s)
{
	uint64_t now_us = lw_clock_us(), end_us = (uint64_t)end_s * 1000000;
	uint64_t until_us = now_us + REFRESH_S * 1000000;
	bool go_on;

	if (now_us < end_us && until_us > end_us)
		until_us = end_us;
	do {
		go_on = thread_wait_until(agent, thread_next_look(agent, until_us));
		if (go_on && (thread_main_loop_ran(agent) || thread_is_follow_due(agent)))
			thread_refresh_show(agent, true);
	} while (go_on && lw_clock_us() < until_us);
	return go_on;
}

/*
 * Wait for the next cycle; false when the agent has to stop. slurmctld's shutdown_time does not
 * tell that: a backup that takes over may start us before it resets it.
 */
static bool thread_wait_for_cycle(struct lw_agent *agent, bool *ret_reconfigure)
{
	int64_t end_s = agent->trigger.began_s + agent->settings.config.sched_interval_s;
	bool go_on;

	while (!lw_trigger_due(&agent->trigger, lw_clock_s(), end_s)) {
		if (!thread_wait_a_moment(agent, end_s))
			return false;
		thread_refresh_show(agent, false);
	}
	while (!lw_slurm_is_up() || lw_session_is_crowded(agent->max_rpcs) ||
	       lw_session_is_completing()) {
		if (!thread_wait_a_moment(agent, lw_clock_s() + REFRESH_S))
			return false;
	}
	pthread_mutex_lock(&agent->mutex);
	*ret_reconfigure = agent->reconfigure;
	agent->reconfigure = false;
	go_on = !agent->stop;
	pthread_mutex_unlock(&agent->mutex);
	return go_on;
}

/* Nothing is planned: what the last plan, or stock, published is out of date. */
static void thread_show_nothing(struct lw_agent *agent)
{
	if (agent->swept && !agent->show.job_count)
		return;
	lock_slurmctld(LW_LOCKS_ALL);
	lw_publish_clear(&agent->show, agent->promises);
	lw_tell_clear(agent);
	lw_agent_sweep(agent);
	unlock_slurmctld(LW_LOCKS_ALL);
}

/*
 * The scheduler that starts next, perhaps stock, knows nothing of what is published. Slurm saves
 * its jobs once more after this.
 */
static void thread_leave_nothing(struct lw_agent *agent)
{
	if (agent->condemned)
		return;
	lock_slurmctld(LW_LOCKS_ALL);
	lw_publish_clear(&agent->show, agent->promises);
	lw_tell_clear(agent);
	unlock_slurmctld(LW_LOCKS_ALL);
	schedule_job_save();
}

/* Run the cycle that is due, unless planning is not allowed now. */
static void thread_do_cycle(struct lw_agent *agent)
{
	if (lw_slurm_peek(slurmctld_config.scheduling_disabled) || agent->condemned ||
	    agent->yielded)
		return;
	if (agent->off)
		thread_show_nothing(agent);
	else
		lw_cycle_run(agent);
}

/*
 * The next reconfigure replaces the strings of slurm.conf. What is needed of them is copied
 * under its lock, and nothing else is done there: files are read and written, a disk may be
 * slow, and a thread that wants that lock for writing makes all other threads wait.
 */
static void thread_heed_reconfigure(struct lw_agent *agent)
{
	const slurmctld_lock_t locks = { .conf = READ_LOCK };

	lw_fallback_end(agent);
	lock_slurmctld(locks);
	lw_agent_heed_conf(agent);
	unlock_slurmctld(locks);
	lw_agent_reload(agent);
	lw_fallback_heed_mode(agent);
	if (!agent->condemned) /* else stock goes on */
		lw_agent_announce(agent);
}

static void *thread_run_agent(void *arg)
{
	struct lw_agent *agent = arg;
	bool reconfigure;

	prctl(PR_SET_NAME, LW_AGENT_THREAD, NULL, NULL, NULL);
	lw_agent_keep(agent);
	lw_fallback_heed_mode(agent);
	agent->trigger.began_s = lw_clock_s();
	agent->trigger.earliest_s =
		agent->trigger.began_s + agent->settings.config.sched_min_interval_s;
	while (thread_wait_for_cycle(agent, &reconfigure)) {
		struct lw_trigger_stamp before = thread_stamp_now(), after;
		uint64_t began_us = lw_clock_us();

		if (reconfigure)
			thread_heed_reconfigure(agent);
		thread_do_cycle(agent);
		lw_metering_write(agent);
		after = thread_stamp_now();
		/* jobs that came or ended while we planned are not in the plan */
		after.came = before.came;
		after.ended = before.ended;
		lw_trigger_ran(&agent->trigger, &before, &after, (int64_t)(began_us / 1000000),
			       (int64_t)(lw_clock_us() - began_us) / 1000,
			       agent->settings.config.sched_min_interval_s);
	}
	lw_worker_stop(&agent->worker);
	if (agent->left)
		return NULL;
	lw_forecast_save(agent->learn, time(NULL), true);
	lw_tell_save(agent, time(NULL), true);
	thread_leave_nothing(agent);
	return NULL;
}

/* A planner that is stuck still runs in our code, though Slurm unloads the plugin. */
static void thread_stay_mapped(void)
{
	const void *ours = the_agent.stock_path; /* an address inside this library */
	Dl_info info;

	if (dladdr(ours, &info) && info.dli_fname)
		(void)dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
}

int lw_thread_start(void)
{
	struct lw_agent *agent = &the_agent;
	int rc;

	if (agent->running)
		return -1;
	if (agent->left) {
		error("leeway: a planner that was stuck still runs: stock backfill should be used "
		      "instead, until slurmctld is started anew");
		return -1;
	}
	if (lw_slurm_peek(slurmctld_config.scheduling_disabled))
		return 0;
	agent->stop = agent->swept = agent->condemned = agent->yielded = agent->watches = false;
	agent->cycle = agent->failures = agent->stale = 0;
	agent->canary = (struct lw_canary){ 0 };
	rc = lw_agent_create(agent);
	if (!rc)
		rc = lw_clock_cond_init(&agent->wake);
	if (rc) {
		error("leeway: cannot start: %s: stock backfill should be used instead",
		      strerror(-rc));
		lw_agent_destroy(agent);
		return -1;
	}
	lw_metering_begin(agent);
	lw_agent_find_stock(agent);
	lw_agent_announce(agent);
	rc = pthread_create(&agent->thread, NULL, thread_run_agent, agent);
	if (rc) {
		error("leeway: cannot make a thread: %s: stock backfill should be used instead",
		      strerror(rc));
		pthread_cond_destroy(&agent->wake);
		lw_agent_destroy(agent);
		return -1;
	}
	agent->running = true;
	return 0;
}

void lw_thread_stop(void)
{
	struct lw_agent *agent = &the_agent;

	if (!agent->running)
		return;
	pthread_mutex_lock(&agent->mutex);
	agent->stop = true;
	pthread_cond_signal(&agent->wake);
	pthread_mutex_unlock(&agent->mutex);
	pthread_join(agent->thread, NULL);
	agent->running = false;
	if (agent->left) {
		thread_stay_mapped();
		return;
	}
	pthread_cond_destroy(&agent->wake);
	lw_handover_stop(&agent->stock);
	lw_agent_destroy(agent);
}

void lw_thread_reconfigure(void)
{
	struct lw_agent *agent = &the_agent;

	pthread_mutex_lock(&agent->mutex);
	agent->reconfigure = true;
	pthread_mutex_unlock(&agent->mutex);
}
