/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the lines of slurmctld's log on one planning cycle. */
#include "slurm/agent/report.h"

#include "base/strbuf.h"
#include "base/when.h"
#include "planner/text/text.h"
#include "slurm/log.h"

#include <inttypes.h>
#include <stdio.h>

/* The first job that waits, and its planned start. */
static void report_describe_head(const struct lw_plan *plan, int64_t now_s, char *text,
				 size_t size)
{
	const struct lw_decision *head = NULL;
	char when[LW_WHEN_MAX];

	for (uint32_t i = 0; i < plan->decision_count && !head; i++) {
		if (plan->decisions[i].verdict == LW_RESERVE)
			head = &plan->decisions[i];
	}
	if (!head) {
		snprintf(text, size, "nobody waits for room");
		return;
	}
	lw_when_tell(head->start_s, now_s, when);
	snprintf(text, size, "head job %u at %s", head->job_id, when);
}

/* At debug only if no job waits or started, because most lines would be this one. */
static void report_outcome(const struct lw_agent *agent, const struct lw_reading *reading,
			   const struct lw_applied *applied, const struct lw_took *took)
{
	bool idle = !reading->snap.waiting_count && !applied->started;
	char head[80];

	report_describe_head(&agent->plan, reading->snap.now_s, head, sizeof(head));
	lw_log_write(lw_slurm_log(), idle ? LW_LOG_DEBUG : LW_LOG_INFO,
		     "cycle %" PRIu64 ": %u waiting, %u started (%u backfilled), %s, %" PRIu64
		     " ms",
		     agent->cycle, reading->snap.waiting_count, applied->started,
		     applied->backfilled, head, (took->apply_us - took->begin_us) / 1000);
}

static void report_cost(const struct lw_agent *agent, const struct lw_applied *applied,
			const struct lw_took *took)
{
	lw_log_debug(lw_slurm_log(),
		     "cycle %" PRIu64 ": read %" PRIu64 " us, locks held %" PRIu64
		     " us, at most %" PRIu64 " us at a time; thought %" PRIu64
		     " us; applied %" PRIu64 " us, locks held %" PRIu64 " us, at most %" PRIu64
		     " us; %u refused, %u gone, %u promised",
		     agent->cycle, took->read_us - took->begin_us, took->reading.held_us,
		     took->reading.longest_us, took->think_us - took->read_us,
		     took->apply_us - took->think_us, took->applying.held_us,
		     took->applying.longest_us, applied->refused, applied->gone,
		     lw_promises_count(agent->promises));
}

static void report_decisions(const struct lw_plan *plan, const struct lw_snapshot *snap)
{
	if (lw_slurm_log()->level < LW_LOG_DEBUG)
		return;
	for (uint32_t i = 0; i < plan->decision_count; i++) {
		const struct lw_decision *decision = &plan->decisions[i];
		struct lw_strbuf place = LW_STRBUF_INIT;

		lw_decision_print_place(plan, decision, snap, &place);
		lw_log_debug(lw_slurm_log(), "job %u: %s: %s%s%s", decision->job_id,
			     lw_verdict_name(decision->verdict),
			     lw_reason_sentence(decision->reason), place.len ? ";" : "",
			     lw_strbuf_text(&place));
		lw_strbuf_fini(&place);
	}
}

void lw_report_cycle(const struct lw_agent *agent, const struct lw_reading *reading,
		     const struct lw_applied *applied, const struct lw_took *took)
{
	report_outcome(agent, reading, applied, took);
	report_cost(agent, applied, took);
	report_decisions(&agent->plan, &reading->snap);
}
