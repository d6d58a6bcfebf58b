/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: why each waiting job waits (leeway why), as the agent tells its user. */

/* keep/outlook.c knows no Slurm; what it has to be told of Slurm is here. */

#include "slurm/agent/outlook.h"

#include "base/grow.h"
#include "slurm/clock.h"
#include "slurm/compat/compat.h"
#include "slurm/keep/marking.h"
#include "slurm/keep/refusal.h"
#include "slurm/log.h"
#include "slurm/stock.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define OUTLOOK_FILE "leeway_outlook"
/* Processor time of one cycle for plans of what would be. */
#define HINTS_US 50000

static void outlook_tell_begin(struct lw_agent *agent)
{
	char path[LW_STOCK_PATH_MAX];
	int rc = -ENAMETOOLONG;

	if (*agent->state_dir && snprintf(path, sizeof(path), "%s/" OUTLOOK_FILE,
					  agent->state_dir) < (int)sizeof(path))
		rc = lw_outlooks_create(path, time(NULL), lw_slurm_log(), &agent->outlooks);
	if (rc)
		lw_log_error(lw_slurm_log(), "nobody is told why jobs wait: %s", strerror(-rc));
}

void lw_tell_use(struct lw_agent *agent)
{
	bool wanted = agent->settings.config.sched_outlook &&
		      !lw_settings_watch(&agent->settings);

	if (wanted && !agent->outlooks)
		outlook_tell_begin(agent);
	agent->tells = wanted;
}

struct telling {
	const struct lw_agent *agent;
	const struct lw_reading *reading;
};

static const struct lw_statement *outlook_shown(void *arg, uint32_t job_id)
{
	const struct telling *telling = arg;

	return lw_publish_said(&telling->agent->show, job_id);
}

static void outlook_ask(void *arg, struct lw_statement_case *about)
{
	const struct telling *telling = arg;

	lw_publish_ask(&telling->agent->show, telling->agent->promises, about);
	about->limit = telling->reading->tickets[about->decision->waiting].never;
	about->sized = telling->reading->tickets[about->decision->waiting].sized;
}

struct hints_bound {
	struct lw_agent *agent;
	uint64_t until_us;
};

static bool outlook_may_ask_on(void *arg, uint64_t bytes)
{
	const struct hints_bound *bound = arg;

	(void)bytes;
	return lw_cpu_us() < bound->until_us && !lw_agent_must_stop(bound->agent);
}

/* What was read of other partitions, with the numbers that hints have of them. */
static int outlook_take_parts(struct lw_agent *agent, const struct lw_reading *reading)
{
	struct lw_whatif *whatif = &agent->whatif;

	whatif->part_count = 0;
	if (lw_grow((void **)&agent->parts, &agent->part_room, reading->elsewhere_count + 1,
		    sizeof(*agent->parts)))
		return -ENOMEM;
	whatif->parts = agent->parts;
	for (uint32_t i = 0; i < reading->elsewhere_count; i++) {
		const struct lw_elsewhere *other = &reading->elsewhere[i];
		uint32_t name = lw_outlooks_part(agent->outlooks, other->part);

		if (name)
			agent->parts[whatif->part_count++] =
				(struct lw_whatif_part){ name, other->waiting };
	}
	return 0;
}

/* What would let the job of DECISION start now; none if HINTS stay as they are. 0 or -errno. */
static int outlook_find_hint(struct lw_agent *agent, struct lw_reading *reading,
			     const struct lw_decision *decision,
			     struct lw_hint hints[LW_WHY_HINTS])
{
	uint32_t plans;

	/* none can tell whether a change would help it */
	if (lw_agent_cannot_place(agent, reading, decision->waiting))
		return 0;
	return lw_whatif_find(&agent->whatif, agent->policy, &reading->snap, decision, hints,
			      &plans);
}

/* The plans for it are none of the cycle's: its budget is not for them. */
static void outlook_find_hints(struct lw_agent *agent, struct lw_reading *reading)
{
	struct lw_snapshot *snap = &reading->snap;
	uint64_t began_us = lw_cpu_us();
	struct hints_bound bound = { agent, began_us + HINTS_US };
	const struct lw_decision *decision;
	int rc = lw_whatif_begin(&agent->whatif, snap, &agent->plan);

	if (!rc)
		rc = outlook_take_parts(agent, reading);
	lw_remedies_begin(&agent->remedies, reading->nodes);
	lw_policy_bind(agent->policy, outlook_may_ask_on, &bound);
	while (!rc && outlook_may_ask_on(&bound, 0) &&
	       (decision = lw_outlooks_ask(agent->outlooks, &agent->plan, snap->now_s))) {
		struct lw_hint hints[LW_WHY_HINTS] = { 0 };

		rc = outlook_find_hint(agent, reading, decision, hints);
		if (rc)
			break;
		lw_outlooks_hint(agent->outlooks, decision->job_id, hints, snap->now_s);
		lw_remedies_add(&agent->remedies, decision->job_id, hints, &agent->whatif);
	}
	lw_policy_bind(agent->policy, NULL, NULL);
	agent->ask_count =
		lw_outlooks_next(agent->outlooks, &agent->plan, agent->ask, LW_ASK_NEXT);
	lw_budget_move(&agent->budget, began_us, lw_cpu_us());
}

/* The zone in which slurmctld tells times, in minutes east of UTC. */
static int16_t outlook_zone_min(time_t at_s)
{
	struct tm at = { 0 };

	localtime_r(&at_s, &at);
	return (int16_t)(at.tm_gmtoff / 60);
}

void lw_tell_think(struct lw_agent *agent, struct lw_reading *reading)
{
	struct telling telling = { agent, reading };
	struct lw_policy_params params;
	struct lw_outlook_cycle cycle = {
		.params = &params,
		.snap = &reading->snap,
		.plan = &agent->plan,
		.guards = agent->settings.config.sched_deadlines == LW_DEADLINES_GUARD,
		.hide_others = agent->hide_others,
		.zoned = true,
		.zone_min = outlook_zone_min((time_t)reading->snap.now_s),
		.shown = outlook_shown,
		.ask = outlook_ask,
		.arg = &telling,
	};

	agent->ask_count = 0;
	if (!agent->outlooks || !agent->tells)
		return;
	lw_settings_policy(&agent->settings, &params);
	lw_slips_see(&agent->slips, &reading->snap);
	outlook_find_hints(agent, reading);
	if (lw_outlooks_cycle(agent->outlooks, &cycle))
		lw_slurm_log_throttled(LW_LOG_ERROR, "outlook", reading->snap.now_s,
				       "out of memory: not all are told why jobs wait");
}

/* What the words of one cycle are written with. */
struct writing {
	struct lw_session *session; /* NULL: they are removed */
	struct lw_slips *slips;
	const struct lw_remedies *remedies;
};

static bool outlook_write_word(void *arg, uint32_t job_id, const char *word)
{
	struct writing *writing = arg;
	char stripped[LW_WHY_MAX];
	job_record_t *job;

	/* first: a record may be gone after it */
	if (writing->session)
		(void)lw_session_yield(writing->session);
	job = find_job_record(job_id);
	if (!job)
		return false;
	if (writing->remedies)
		word = lw_remedies_strip(writing->remedies, job_id, word, stripped);
	/* a job that has started since, or is held, has no such word */
	if (IS_JOB_PENDING(job))
		lw_marking_why(job, job->priority ? word : NULL, writing->slips);
	else
		lw_marking_end(job);
	return true;
}

void lw_tell_write(struct lw_agent *agent, struct lw_session *session)
{
	struct lw_meter *meter = &agent->metering.meter;
	struct writing writing = { session, &agent->slips, &agent->remedies };
	uint64_t began_us = lw_cpu_us();

	if (!agent->outlooks)
		return;
	if (agent->tells) {
		lw_remedies_ask(&agent->remedies, agent->outlooks, session);
		lw_meter_add(meter, LW_METER_TOLD,
			     lw_outlooks_write(agent->outlooks, outlook_write_word, &writing));
	} else {
		lw_tell_clear(agent);
	}
	lw_meter_add(meter, LW_METER_TELL, (int64_t)(lw_cpu_us() - began_us));
}

void lw_tell_clear(struct lw_agent *agent)
{
	if (agent->outlooks)
		lw_outlooks_clear(agent->outlooks, outlook_write_word, &(struct writing){ 0 });
}

void lw_tell_save(struct lw_agent *agent, int64_t now_s, bool at_once)
{
	struct lw_error err;

	if (agent->outlooks && lw_outlooks_save(agent->outlooks, now_s, at_once, &err))
		lw_slurm_log_throttled(LW_LOG_ERROR, "outlook-save", now_s,
				       "cannot save what was learned of waits: %s", err.text);
}

void lw_tell_end(struct lw_agent *agent)
{
	lw_outlooks_destroy(agent->outlooks);
	agent->outlooks = NULL;
	lw_remedies_begin(&agent->remedies, 0);
	lw_whatif_fini(&agent->whatif);
	lw_slips_fini(&agent->slips);
	free(agent->parts);
	agent->parts = NULL;
	agent->part_room = 0;
}
