/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the plan of a cycle, made without Slurm's locks by a thread of its own. */

/*
 * A less urgent thread plans, and the agent's waits for it; that one holds locks at other times,
 * and must not be slow.
 */

#include "slurm/agent/think.h"

#include "slurm/agent/forecast.h"
#include "slurm/agent/outlook.h"
#include "slurm/agent/worker.h"
#include "slurm/clock.h"
#include "slurm/log.h"

#include <errno.h>

/* What planning reads and what it returns; two threads use it, one after the other. */
struct thought {
	struct lw_agent *agent;
	struct lw_reading *reading;
	struct lw_session patience;
	uint64_t cpu_us; /* lw_cpu_us() of the thread that worked last, when it stopped */
	int rc;
};

static bool think_may_go_on(void *arg, uint64_t bytes)
{
	struct thought *thought = arg;
	struct lw_agent *agent = thought->agent;

	lw_session_pause(&thought->patience);
	return lw_budget_allows(&agent->budget, lw_cpu_us(), bytes) && !lw_agent_must_stop(agent);
}

/*
 * Room is kept for a job of segments where Slurm said that it might start. Slurm gives it the
 * next time other nodes, or a later start, so neither is a promise.
 */
static void think_promise_no_segments(const struct lw_reading *reading, struct lw_plan *plan)
{
	for (uint32_t i = 0; i < plan->decision_count; i++) {
		struct lw_decision *decision = &plan->decisions[i];

		if (decision->verdict != LW_RESERVE ||
		    !reading->tickets[decision->waiting].segments)
			continue;
		decision->reason = LW_REASON_SEGMENTS;
		decision->promise_s = decision->latest_s = LW_NO_TIME;
	}
}

/* A job that is stopped for one that Slurm places or refuses by itself might go in vain. */
static bool think_is_barred(const struct lw_agent *agent, const struct lw_reading *reading,
			    uint32_t index)
{
	return reading->snap.waiting[index].readiness != LW_READY ||
	       lw_agent_cannot_place(agent, reading, index);
}

/* Which jobs make room for others? */
static int think_lease(struct lw_agent *agent, const struct lw_reading *reading)
{
	struct lw_leasing *leasing = &agent->leasing;
	int rc;

	if (!leasing->on || !leasing->offer_count)
		return 0;
	rc = lw_leasing_bar_none(leasing, reading->snap.waiting_count);
	for (uint32_t i = 0; !rc && i < reading->snap.waiting_count; i++)
		leasing->barred[i] = think_is_barred(agent, reading, i);
	rc = rc ? rc : lw_leasing_plan(leasing, agent->policy, &reading->snap);
	lw_log_debug(lw_slurm_log(), "%u jobs may be asked to make room, and %u are to be",
		     leasing->offer_count, leasing->leases.count);
	return rc;
}

/* Slurm starts no other job where jobs move, from before they are asked. */
static int think_keep_places(struct lw_agent *agent, const struct lw_reading *reading)
{
	const struct lw_leasing *leasing = &agent->leasing;
	bool orders = leasing->on && agent->settings.config.stop_mode == LW_STOP_ON;

	return lw_moving_gate(&leasing->moving, orders ? &leasing->leases : NULL, &reading->snap,
			      &agent->plan, &agent->gate);
}

static int64_t think_shown_s(void *arg, uint32_t job_id)
{
	const struct lw_agent *agent = arg;
	const struct lw_statement *said = lw_publish_said(&agent->show, job_id);

	return said ? said->planned_s : 0;
}

/* What is said of jobs is made beside the plan, once: squeue and words have the same. */
static void think_say(struct lw_agent *agent, struct lw_reading *reading)
{
	agent->show.hide_others = agent->hide_others;
	agent->show.leasing = &agent->leasing;
	agent->show.guards = agent->settings.config.sched_deadlines == LW_DEADLINES_GUARD;
	lw_publish_prepare(&agent->show, &agent->plan, &agent->estimate, reading,
			   agent->promises);
	(void)lw_firsts_cycle(&agent->firsts, &reading->snap, think_shown_s, agent);
	lw_tell_think(agent, reading);
}

static void think_plan(void *arg)
{
	struct thought *thought = arg;
	struct lw_agent *agent = thought->agent;
	struct lw_reading *reading = thought->reading;

	lw_budget_move(&agent->budget, thought->cpu_us, lw_cpu_us());
	lw_forecast_reading(&agent->settings, agent->learn, agent->cycle, reading);
	lw_settings_tell_draw(&agent->settings, &reading->snap);
	lw_policy_bind(agent->policy, think_may_go_on, thought);
	thought->rc = lw_policy_note_lost(agent->policy, &agent->lost, &reading->snap);
	if (!thought->rc)
		thought->rc = lw_policy_cycle(agent->policy, &reading->snap, &agent->plan);
	if (!thought->rc)
		thought->rc = think_lease(agent, reading);
	if (!thought->rc)
		think_promise_no_segments(reading, &agent->plan);
	if (!thought->rc)
		thought->rc = lw_policy_gate(agent->policy, reading->slurm_nodes, &agent->gate);
	if (!thought->rc)
		thought->rc = think_keep_places(agent, reading);
	if (!thought->rc)
		thought->rc = lw_policy_estimate(agent->policy, &agent->estimate);
	lw_policy_bind(agent->policy, NULL, NULL);
	if (!thought->rc && !agent->watches)
		think_say(agent, reading);
	thought->cpu_us = lw_cpu_us();
}

/* slurmctld's shutdown flag is not enough: a backup may still have it set when it starts us. */
static bool think_is_to_end(void *arg)
{
	struct thought *thought = arg;
	struct lw_agent *agent = thought->agent;
	bool stop;

	pthread_mutex_lock(&agent->mutex);
	stop = agent->stop;
	pthread_mutex_unlock(&agent->mutex);
	return stop;
}

int lw_think(struct lw_agent *agent, struct lw_reading *reading)
{
	static struct thought thought; /* a thread that was left behind goes on using it */

	thought = (struct thought){ .agent = agent, .reading = reading, .cpu_us = lw_cpu_us() };
	lw_session_unlocked(&thought.patience);
	if (lw_worker_run(&agent->worker, think_plan, think_is_to_end, &thought) ==
	    LW_WORKER_LEFT) {
		agent->left = true;
		lw_log_error(lw_slurm_log(), "the planner does not end: it is left behind");
		return -ECANCELED;
	}
	lw_budget_move(&agent->budget, thought.cpu_us, lw_cpu_us());
	return thought.rc;
}
