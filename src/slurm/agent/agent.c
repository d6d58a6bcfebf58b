/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the scheduler plugin's agent: its state, its settings, its files. */
#include "slurm/agent/agent.h"

#include "base/strbuf.h"
#include "slurm/agent/forecast.h"
#include "slurm/agent/outlook.h"
#include "slurm/bfparams.h"
#include "slurm/clock.h"
#include "slurm/log.h"
#include "slurm/read/topology.h"
#include "slurm/select/select_link.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <time.h>

#define STATE_FILE    "leeway_promises"
#define KEPT_FILE     "leeway_settings"
#define SINCE_FILE    "leeway_since"
#define FAILURES_FILE "leeway_failures"
#define STOPS_FILE    "leeway_stops"
#define GUARDED_FILE  "leeway_guarded"
#define STOCK_FILE    "sched_backfill.so"
#define SETTINGS_FILE "leeway.yaml"
/* slurmctld's own reconfigure comes within so many seconds of its start */
#define START_S 30

static const char stay[] = "the settings stay as they were";

static void agent_use_settings(struct lw_agent *agent)
{
	bool narrow = agent->settings.config.select_narrow && !lw_settings_watch(&agent->settings);
	const struct lw_select_news news = { .narrow = &narrow };

	lw_slurm_log_level((enum lw_log_level)agent->settings.config.log_level);
	lw_select_link_tell(&news);
	/* read anew in the next cycle, when Slurm's tables are there for certain */
	agent->topology_known = false;
	lw_forecast_use(&agent->settings, agent->state_dir, &agent->learn);
	lw_tell_use(agent);
}

void lw_agent_house(struct lw_agent *agent)
{
	const struct lw_select_news news = { .house = &agent->house };

	lw_settings_house(&agent->settings, &agent->house);
	lw_select_link_tell(&news);
}

static int agent_state_path(const struct lw_agent *agent, char path[LW_STOCK_PATH_MAX],
			    const char *name)
{
	int len = snprintf(path, LW_STOCK_PATH_MAX, "%s/%s", agent->state_dir, name);

	return !*agent->state_dir || len >= LW_STOCK_PATH_MAX ? -ENAMETOOLONG : 0;
}

void lw_agent_keep(struct lw_agent *agent)
{
	char kept[LW_STOCK_PATH_MAX];
	struct lw_error err;

	if (!agent->unkept)
		return;
	agent->unkept = false;
	if (!agent_state_path(agent, kept, KEPT_FILE) &&
	    lw_settings_keep(&agent->settings, kept, &err))
		lw_log_error(lw_slurm_log(), "cannot keep the settings: %s", err.text);
}

/*
 * Go on without the file, as a start that finds a mistake in it; in words: by which settings.
 * Nothing was kept before the first start.
 */
static const char *agent_do_without_settings(struct lw_agent *agent, const char *kept)
{
	struct lw_error err;
	int rc = lw_settings_recall(kept, &agent->settings, &err);

	if (!rc)
		return stay;
	if (rc != -ENOENT)
		lw_log_error(lw_slurm_log(), "cannot read the settings last in force: %s",
			     err.text);
	lw_settings_default(&agent->settings);
	return "built-in defaults are used";
}

/*
 * Was ERR logged as slurmctld started? It reconfigures itself right then, and reads the file once
 * more. In a later reconfigure the administrator wants to know.
 */
static bool agent_said_at_start(struct lw_agent *agent, bool starts, const struct lw_error *err)
{
	bool said = !starts && !strcmp(agent->mistake.text, err->text) &&
		    lw_clock_s() - agent->trigger.began_s < START_S;

	lw_error_set(&agent->mistake, 0, "%s", starts ? err->text : "");
	return said;
}

/*
 * A mistake in the file changes nothing: it may be met long after it was made, as slurmctld is
 * started anew, or by a backup that takes over at night. KEPT: what was kept, at such a start, or
 * NULL. Failure is logged.
 */
static int agent_read_settings(struct lw_agent *agent, const char *kept,
			       struct lw_settings *ret_settings)
{
	struct lw_mistakes mistakes = { .count = 0 };
	struct lw_error err;
	int rc = lw_settings_load(agent->settings_path, ret_settings, &mistakes, &err);

	if (rc && !agent_said_at_start(agent, kept != NULL, &err))
		lw_mistakes_log(&mistakes, agent->settings_path, &err,
				kept ? agent_do_without_settings(agent, kept) : stay,
				lw_slurm_log());
	lw_mistakes_fini(&mistakes);
	return rc;
}

/* All or nothing. */
void lw_agent_reload(struct lw_agent *agent)
{
	struct lw_settings settings;
	struct lw_policy_params params;
	struct lw_policy *policy;
	struct lw_strbuf changes = LW_STRBUF_INIT;

	if (agent_read_settings(agent, NULL, &settings))
		return;
	lw_settings_policy(&settings, &params);
	if (lw_policy_create(&params, lw_slurm_log(), &policy)) {
		lw_log_error(lw_slurm_log(), "out of memory; the settings stay as they were");
		lw_settings_fini(&settings);
		return;
	}
	if (lw_config_diff(&agent->settings.config, &settings.config, &changes))
		lw_log_info(lw_slurm_log(), "settings changed: %s", lw_strbuf_text(&changes));
	lw_strbuf_fini(&changes);
	lw_policy_destroy(agent->policy);
	agent->policy = policy;
	lw_settings_fini(&agent->settings);
	agent->settings = settings;
	agent->unkept = true;
	lw_agent_keep(agent);
	agent_use_settings(agent);
}

void lw_agent_topology(struct lw_agent *agent, int64_t now_s)
{
	const struct lw_select_news news = { .domains = &agent->domains,
					     .islands = &agent->islands };
	const struct lw_config *config = &agent->settings.config;
	uint64_t mark = lw_topology_mark();
	/* not each time: nodes may come and go all the time */
	bool warn = !agent->topology_known;
	struct lw_error err;

	if (agent->topology_known && agent->topology_mark == mark)
		return;
	agent->topology_known = false;
	lw_domains_fini(&agent->domains);
	lw_islands_fini(&agent->islands);
	if (lw_topology_read(&config->topology_domains, warn, &agent->domains, &err)) {
		lw_slurm_log_throttled(LW_LOG_ERROR, "topology", now_s,
				       "cannot read the topology, placing without: %s", err.text);
		return;
	}
	if (lw_topology_islands(&config->topology_islands, warn, &agent->islands))
		lw_slurm_log_throttled(LW_LOG_ERROR, "islands", now_s,
				       "out of memory: topology.islands is not used");
	agent->topology_known = true;
	agent->topology_mark = mark;
	lw_select_link_tell(&news);
	if (agent->domains.count)
		lw_log_info(lw_slurm_log(), "topology: %u locality domains%s",
			    agent->domains.count, agent->domains.strict ? ", strict" : "");
}

void lw_agent_heed_conf(struct lw_agent *agent)
{
	const char *dir = slurm_conf.state_save_location;

	agent->off = lw_bfparams_of(slurm_conf.sched_params).off;
	agent->starters = lw_starters_of(slurm_conf.sched_params);
	if (snprintf(agent->state_dir, sizeof(agent->state_dir), "%s", dir) >=
	    (int)sizeof(agent->state_dir))
		agent->state_dir[0] = '\0';
}

/* What it plans, in a text of SIZE. */
static void agent_plans_what(const struct lw_settings *settings, char *text, size_t size)
{
	struct lw_canary canary;

	lw_settings_canary(settings, &canary);
	if (lw_settings_watch(settings))
		snprintf(text, size, " watches, stock backfill plans the queue");
	else if (lw_canary_is_set(&canary))
		snprintf(text, size, " plans the queue of some jobs (%s), stock backfill that of "
			 "all others", lw_canary_keys(&canary));
	else
		snprintf(text, size, ", not stock backfill, plans the queue");
}

void lw_agent_announce(const struct lw_agent *agent)
{
	const struct lw_config *config = &agent->settings.config;
	enum lw_order order = (enum lw_order)config->sched_order;
	enum lw_deadlines deadlines = (enum lw_deadlines)config->sched_deadlines;
	struct lw_promise_totals totals;
	char what[128];

	agent_plans_what(&agent->settings, what, sizeof(what));
	lw_promises_totals(agent->promises, &totals);
	lw_log_info(lw_slurm_log(),
		    "built for Slurm " LW_SLURM_RELEASE ", settings from %s: Leeway (%s%s%s%s%s, "
		    "every %" PRId64 " s)%s",
		    agent->settings.source ? agent->settings.source : agent->settings_path,
		    lw_policy_kind_name((enum lw_policy_kind)config->sched_policy),
		    lw_order_is_given(order) ? "" : ", order ",
		    lw_order_is_given(order) ? "" : lw_order_name(order),
		    deadlines ? ", deadlines " : "",
		    deadlines ? lw_deadlines_name(deadlines) : "", config->sched_interval_s, what);
	lw_log_info(lw_slurm_log(),
		    "promises: %u open; so far %" PRIu64 " made, %" PRIu64 " kept (%" PRIu64
		    " later than shown), %" PRIu64 " broken (%" PRId64 " s late in all), %" PRIu64
		    " withdrawn (%" PRIu64 " cancelled, %" PRIu64 " held, %" PRIu64
		    " lost nodes)",
		    lw_promises_count(agent->promises), totals.made, totals.kept, totals.later,
		    totals.broken, totals.late_s, lw_promise_withdrawn(&totals),
		    totals.cancelled, totals.held, totals.lost);
	lw_forecast_announce(agent->starters, agent->learn);
	if (agent->off)
		lw_log_warn(lw_slurm_log(), "SchedulerParameters has bf_interval=-1: nothing is "
			    "planned until it is taken out");
}

void lw_agent_find_stock(struct lw_agent *agent)
{
	struct lw_error err;

	if (lw_stock_find(STOCK_FILE, slurm_conf.plugindir, agent, agent->stock_path,
			  sizeof(agent->stock_path), &err)) {
		agent->stock_path[0] = '\0';
		lw_log_error(lw_slurm_log(), "%s: nothing can take over if Leeway gives up",
			     err.text);
	}
}

static int agent_load_settings(struct lw_agent *agent)
{
	char kept[LW_STOCK_PATH_MAX];
	int rc = agent_state_path(agent, kept, KEPT_FILE);

	if (rc)
		return rc;
	agent->settings_path = get_extra_conf_path(SETTINGS_FILE);
	/* written by the thread: Slurm may hold all its locks as it starts us */
	agent->unkept = !agent_read_settings(agent, kept, &agent->settings);
	agent_use_settings(agent);
	/* no job has been started yet */
	lw_agent_house(agent);
	return 0;
}

int lw_agent_create(struct lw_agent *agent)
{
	struct lw_policy_params params;
	char path[LW_STOCK_PATH_MAX], since[LW_STOCK_PATH_MAX], guarded[LW_STOCK_PATH_MAX];
	char failures[LW_STOCK_PATH_MAX], stops[LW_STOCK_PATH_MAX], suspects[LW_STOCK_PATH_MAX];

	lw_agent_heed_conf(agent);
	lw_select_link_begin();
	if (agent_load_settings(agent) || agent_state_path(agent, path, STATE_FILE) ||
	    agent_state_path(agent, since, SINCE_FILE) ||
	    agent_state_path(agent, guarded, GUARDED_FILE) ||
	    agent_state_path(agent, failures, FAILURES_FILE) ||
	    agent_state_path(agent, suspects, LW_SUSPECTS_FILE) ||
	    agent_state_path(agent, stops, STOPS_FILE))
		return -ENAMETOOLONG;
	lw_settings_policy(&agent->settings, &params);
	lw_plan_init(&agent->plan);
	lw_plan_init(&agent->estimate);
	if (lw_promises_create(path, time(NULL), lw_slurm_log(), &agent->promises) ||
	    lw_since_create(since, time(NULL), lw_slurm_log(), &agent->since) ||
	    lw_guarded_create(guarded, time(NULL), lw_slurm_log(), &agent->guarded) ||
	    lw_failures_create(failures, time(NULL), lw_slurm_log(), &agent->node_failures) ||
	    lw_suspects_create(suspects, time(NULL), lw_slurm_log(), &agent->suspects) ||
	    lw_stops_create(stops, time(NULL), lw_slurm_log(), &agent->stops) ||
	    lw_refusals_create(&agent->refusals) ||
	    lw_policy_create(&params, lw_slurm_log(), &agent->policy))
		return -ENOMEM;
	/* no job starts yet: the select plugin does not know what is promised or avoided */
	if (!lw_settings_watch(&agent->settings) && (lw_promises_count(agent->promises) ||
					  lw_failures_count(agent->node_failures)))
		lw_select_link_tell(&(struct lw_select_news){ .shut = true });
	return 0;
}

void lw_agent_destroy(struct lw_agent *agent)
{
	lw_policy_destroy(agent->policy);
	lw_refusals_destroy(agent->refusals);
	lw_promises_destroy(agent->promises);
	lw_since_destroy(agent->since);
	lw_guarded_destroy(agent->guarded);
	lw_failures_destroy(agent->node_failures);
	lw_suspects_destroy(agent->suspects);
	lw_stops_destroy(agent->stops);
	lw_leasing_fini(&agent->leasing);
	lw_forecast_end(&agent->learn);
	lw_tell_end(agent);
	lw_firsts_fini(&agent->firsts);
	agent->firsts = (struct lw_firsts){ 0 };
	lw_watched_fini(&agent->watched);
	agent->watched = (struct lw_watched){ 0 };
	lw_plan_fini(&agent->plan);
	lw_plan_fini(&agent->estimate);
	lw_gate_fini(&agent->gate);
	lw_lost_fini(&agent->lost);
	lw_planned_fini(&agent->planned);
	lw_publish_fini(&agent->show);
	lw_domains_fini(&agent->domains);
	lw_islands_fini(&agent->islands);
	lw_sizes_fini(&agent->sizes);
	lw_stockplans_fini(&agent->stockplans);
	lw_settings_fini(&agent->settings);
	lw_select_link_end();
	xfree(agent->settings_path);
	agent->policy = NULL;
	agent->refusals = NULL;
	agent->promises = NULL;
	agent->since = NULL;
	agent->guarded = NULL;
	agent->node_failures = NULL;
	agent->suspects = NULL;
	agent->stops = NULL;
}

void lw_agent_sweep(struct lw_agent *agent)
{
	if (!agent->swept)
		lw_publish_sweep(agent->promises, &agent->canary);
	agent->swept = true;
}

bool lw_agent_cannot_place(const struct lw_agent *agent, const struct lw_reading *reading,
			 uint32_t waiting)
{
	const struct lw_waiting *job = &reading->snap.waiting[waiting];
	const struct lw_ticket *ticket = &reading->tickets[waiting];

	return ticket->segments || ticket->unplaced ||
	       lw_refusals_stuck(agent->refusals, job->job_id, job->variant);
}

bool lw_agent_must_stop(struct lw_agent *agent)
{
	bool stop;

	pthread_mutex_lock(&agent->mutex);
	stop = agent->stop;
	pthread_mutex_unlock(&agent->mutex);
	return stop || lw_slurm_peek(slurmctld_config.shutdown_time);
}
