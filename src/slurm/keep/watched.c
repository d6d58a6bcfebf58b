/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: when plans that are not applied would have started jobs, against their true starts. */

/* Includes no Slurm header, so that it can be unit-tested. */

#include "slurm/keep/watched.h"

#include <errno.h>

static void watched_judge(struct lw_watched *watched, const struct lw_running *job,
			  lw_watched_sooner_f sooner, void *arg)
{
	uint32_t plan_s;

	if (!lw_lookup_get(&watched->waits, job->job_id, &plan_s))
		return;
	if (!plan_s || job->start_s <= (int64_t)plan_s) {
		watched->alike++;
		return;
	}
	watched->sooner++;
	watched->sooner_s += job->start_s - (int64_t)plan_s;
	sooner(arg, job, plan_s);
}

static int watched_note(const struct lw_watched *watched, const struct lw_snapshot *snap,
			const struct lw_decision *decision, struct lw_lookup *next)
{
	uint32_t plan_s = 0;

	if (snap->waiting[decision->waiting].tasks != 1 || next->count >= LW_WATCHED_MAX)
		return 0;
	(void)lw_lookup_get(&watched->waits, decision->job_id, &plan_s);
	if (!plan_s && decision->verdict == LW_START)
		plan_s = (uint32_t)snap->now_s;
	return lw_lookup_put(next, decision->job_id, plan_s);
}

int lw_watched_cycle(struct lw_watched *watched, const struct lw_snapshot *snap,
		     const struct lw_plan *plan, lw_watched_sooner_f sooner, void *arg)
{
	struct lw_lookup next = { 0 };
	int rc = 0;

	for (uint32_t i = 0; i < snap->running_count; i++)
		watched_judge(watched, &snap->running[i], sooner, arg);
	for (uint32_t i = 0; i < plan->decision_count && !rc; i++)
		rc = watched_note(watched, snap, &plan->decisions[i], &next);
	lw_lookup_fini(&watched->waits);
	if (rc)
		lw_lookup_fini(&next);
	watched->waits = next;
	return rc;
}

void lw_watched_fini(struct lw_watched *watched)
{
	lw_lookup_fini(&watched->waits);
}
