/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the file of metrics (sched.metrics), as the agent keeps it. */
#include "slurm/agent/metering.h"

#include "slurm/clock.h"
#include "slurm/compat/compat.h"
#include "slurm/keep/meter_fill.h"
#include "slurm/log.h"
#include "slurm/read/learn.h"

#include <time.h>

/* As often as metrics are looked at; a file is not worth more. */
#define WRITE_EVERY_S 15

static struct lw_meter *metering_meter_of(struct lw_agent *agent)
{
	return &agent->metering.meter;
}

void lw_metering_begin(struct lw_agent *agent)
{
	struct lw_metering *metering = &agent->metering;

	*metering = (struct lw_metering){ 0 };
	lw_meter_init(&metering->meter);
	metering->started = lw_slurm_peek(slurmctld_diag_stats.jobs_started);
	metering->backfilled = lw_slurm_peek(slurmctld_diag_stats.backfilled_jobs);
}

/*
 * Slurm counts all starts, ours among them, and apart from those the ones that a backfill
 * scheduler made, which are ours, or stock's while that plans.
 */
static void metering_count_others(struct lw_agent *agent)
{
	struct lw_metering *metering = &agent->metering;
	uint64_t backfilled =
		lw_meter_grown(&metering->backfilled,
			       lw_slurm_peek(slurmctld_diag_stats.backfilled_jobs));
	uint64_t started = lw_meter_grown(&metering->started,
					  lw_slurm_peek(slurmctld_diag_stats.jobs_started));

	lw_meter_add(&metering->meter, LW_METER_STARTS_SLURM,
		     (int64_t)started - (int64_t)backfilled);
	if (agent->stock.handle)
		lw_meter_add(&metering->meter, LW_METER_STARTS_STOCK,
			     (int64_t)backfilled - (int64_t)metering->ours);
	metering->ours = 0;
}

void lw_metering_round(struct lw_agent *agent)
{
	agent->metering.rounds++;
}

static void metering_note_times(struct lw_agent *agent, const struct lw_took *took)
{
	struct lw_meter *meter = metering_meter_of(agent);
	int64_t now_s = lw_clock_s();

	lw_meter_add(meter, LW_METER_READ, (int64_t)(took->read_us - took->begin_us));
	lw_meter_add(meter, LW_METER_THINK, (int64_t)(took->think_us - took->read_us));
	lw_meter_add(meter, LW_METER_APPLY, (int64_t)(took->apply_us - took->think_us));
	lw_meter_most(meter, LW_METER_CYCLE_LONGEST, now_s,
		      (int64_t)(took->apply_us - took->begin_us));
	lw_meter_add(meter, LW_METER_LOCK_READ, (int64_t)took->reading.held_us);
	lw_meter_add(meter, LW_METER_LOCK_APPLY, (int64_t)took->applying.held_us);
	lw_meter_most(meter, LW_METER_LOCK_READ_LONGEST, now_s,
		      (int64_t)took->reading.longest_us);
	lw_meter_most(meter, LW_METER_LOCK_APPLY_LONGEST, now_s,
		      (int64_t)took->applying.longest_us);
}

static bool metering_is_due(const struct lw_agent *agent)
{
	const struct lw_metering *metering = &agent->metering;

	return agent->settings.config.sched_metrics &&
	       (!metering->tried || lw_clock_s() - metering->tried_s >= WRITE_EVERY_S);
}

/* What takes a walk over all jobs is only worked out if it may be written. */
void lw_metering_cycle(struct lw_agent *agent, const struct lw_reading *reading,
		       const struct lw_applied *applied, const struct lw_took *took)
{
	struct lw_meter *meter = metering_meter_of(agent);

	lw_meter_add(meter, LW_METER_CYCLES, 1);
	lw_meter_set(meter, LW_METER_LAST_CYCLE, time(NULL));
	agent->metering.ours += applied->started;
	lw_meter_add(meter, LW_METER_STARTS_IN_TURN, applied->started - applied->backfilled);
	lw_meter_add(meter, LW_METER_STARTS_BACKFILLED, applied->backfilled);
	lw_meter_add(meter, LW_METER_REFUSALS, applied->refused);
	lw_meter_add(meter, LW_METER_GONE, applied->gone);
	lw_meter_set(meter, LW_METER_WATCHED_SOONER, (int64_t)agent->watched.sooner);
	lw_meter_set(meter, LW_METER_WATCHED_ALIKE, (int64_t)agent->watched.alike);
	lw_meter_set(meter, LW_METER_WATCHED_SECONDS, agent->watched.sooner_s);
	lw_meter_set(meter, LW_METER_SHOWN_STARTS, (int64_t)agent->firsts.judged);
	lw_meter_set(meter, LW_METER_SHOWN_EARLY, agent->firsts.early_s);
	lw_meter_set(meter, LW_METER_SHOWN_LATE, agent->firsts.late_s);
	metering_note_times(agent, took);
	if (!agent->settings.config.sched_metrics)
		return;
	lw_meter_plan(meter, &reading->snap, &agent->plan);
	lw_meter_set(meter, LW_METER_PLANNED_ESTIMATED, agent->estimate.reserved);
	lw_meter_outlook(meter, agent->outlooks ? lw_outlooks_learned(agent->outlooks) : NULL,
			 reading->snap.waiting_count, reading->snap.now_s);
}

void lw_metering_handover(struct lw_agent *agent, enum lw_meter_id reason)
{
	lw_meter_add(metering_meter_of(agent), reason, 1);
}

static int metering_print_all(struct lw_agent *agent, bool plans, struct lw_strbuf *out)
{
	const struct lw_config *config = &agent->settings.config;
	const struct lw_meter_info info = {
		.version = PACKAGE_VERSION,
		.slurm = LW_SLURM_RELEASE,
		.policy = lw_policy_kind_name((enum lw_policy_kind)config->sched_policy),
		.order = lw_order_name((enum lw_order)config->sched_order),
		.planner = plans && agent->stock.handle ? "both"
			   : plans                      ? "leeway"
			   : agent->stock.handle        ? "stock"
							: "nobody",
	};
	struct lw_meter *meter = metering_meter_of(agent);
	struct lw_promise_totals totals;

	/* what the last plan had is not so any more */
	if (!plans && !agent->watches)
		lw_meter_unset_gauges(meter);
	lw_promises_totals(agent->promises, &totals);
	lw_meter_promises(meter, &totals, lw_promises_count(agent->promises));
	lw_meter_set(meter, LW_METER_LOST_NODE_AGAIN, (int64_t)agent->recovered.again);
	lw_meter_set(meter, LW_METER_LOST_NODE_TOLD, (int64_t)agent->recovered.told);
	lw_meter_set(meter, LW_METER_LOST_NODE_LEFT, (int64_t)agent->recovered.left);
	lw_meter_set(meter, LW_METER_SUSPECT_NODES, agent->recovered.suspects);
	for (int result = 0; result < LW_STOPPED_RESULTS; result++)
		lw_meter_set(meter, (enum lw_meter_id)(LW_METER_STOPS_ASKED + result),
			     (int64_t)agent->stopped.count[result]);
	lw_meter_history(meter, agent->learn ? lw_learn_history(agent->learn) : NULL);
	lw_meter_set(meter, LW_METER_CYCLES_GIVEN_UP,
		     (int64_t)agent->metering.rounds - meter->value[LW_METER_CYCLES]);
	lw_meter_set(meter, LW_METER_INFO, 1);
	lw_meter_set(meter, LW_METER_PLANNING, plans);
	return lw_meter_print(meter, &info, out);
}

void lw_metering_write(struct lw_agent *agent)
{
	struct lw_metering *metering = &agent->metering;
	const char *path = agent->settings.config.sched_metrics;
	bool shares = lw_canary_is_set(&agent->canary);
	bool plans = !agent->off && (!agent->stock.handle || shares) && !agent->condemned;
	struct lw_strbuf text = LW_STRBUF_INIT;
	struct lw_error err;
	int rc;

	metering_count_others(agent);
	if (!metering_is_due(agent))
		return;
	metering->tried = true;
	metering->tried_s = lw_clock_s();
	(void)metering_print_all(agent, plans, &text); /* text remembers it */
	rc = lw_meter_write(path, &text, &err);
	lw_strbuf_fini(&text);
	if (rc && !metering->failed)
		lw_log_error(lw_slurm_log(), "sched.metrics: no metrics are written: %s",
			     err.text);
	else if (!rc && metering->failed)
		lw_log_info(lw_slurm_log(), "sched.metrics: metrics are written again");
	metering->failed = rc;
}
