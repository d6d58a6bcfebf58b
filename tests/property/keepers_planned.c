/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: files that slurmctld's plugin keeps, of what comes of plans: made, and read back. */
#include "property/keepers.h"

#include "planner/policies/policy.h"
#include "planner/text/text.h"
#include "predictor/outlook.h"
#include "slurm/keep/guarded.h"
#include "slurm/keep/outlook.h"
#include "slurm/keep/planned.h"

#include <stdlib.h>

#define HEAD                                                                                     \
	"lw-snapshot 1\nnow %d\ngpu-type 0 a100\nnode 0 n0 cpus=9000 mem=90000 gpu:a100=4\n"     \
	"node 1 n1 cpus=9000 mem=90000 gpu:a100=4\nset 0 all 0-1\n"

/* ENTRIES jobs at NOW_S, each by a line FORMAT of its number, twice. */
static int make_snapshot(int now_s, const char *more, const char *word, const char *rest,
			 uint32_t entries, struct lw_snapshot *ret_snap)
{
	struct lw_strbuf text = LW_STRBUF_INIT;
	struct lw_error err;
	int rc;

	lw_strbuf_add(&text, HEAD "%s", now_s, more);
	for (uint32_t i = 1; i <= entries; i++)
		lw_strbuf_add(&text, "%s %u %s\n", word, i * 7, rest);
	rc = text.error ? text.error
			: lw_snapshot_parse(ret_snap, "text", lw_strbuf_text(&text), &err);
	lw_strbuf_fini(&text);
	return rc;
}

/* ---- nodes kept for deadlines ---- */

static int accept_all(const struct lw_snapshot *snap, struct lw_plan *plan)
{
	int rc = 0;

	for (uint32_t i = 0; !rc && i < snap->waiting_count; i++) {
		const struct lw_decision decision = { .waiting = i,
						      .job_id = snap->waiting[i].job_id,
						      .verdict = LW_RESERVE,
						      .reason = LW_REASON_ACCEPTED,
						      .start_s = KEEPER_NOW_S + i };
		const struct lw_alloc allocs[] = {
			{ .node = 0, .res = { .cpus = i, .mem_mib = 300, .gpus = { 4 } } },
			{ .node = 1, .res = { .cpus = 3, .parts = 5, .capped = { 0, 1 } } },
		};

		rc = lw_plan_add(plan, &decision, allocs, 1 + i % 2);
	}
	return rc;
}

static int save_guarded(struct lw_guarded *guarded, uint32_t entries)
{
	const struct lw_lookup wait = { 0 };
	struct lw_planned planned = { 0 };
	struct lw_snapshot snap;
	struct lw_plan plan;
	struct lw_error err;
	int rc = make_snapshot(KEEPER_NOW_S, "", "wait", "set=0 submit=0 limit=600 nodes=1",
			       entries, &snap);

	if (rc)
		return rc;
	lw_plan_init(&plan);
	rc = accept_all(&snap, &plan);
	if (!rc)
		lw_planned_keep(&planned, &plan, &snap, &wait);
	if (!rc)
		rc = lw_guarded_save(guarded, &planned, &snap, &err);
	lw_planned_fini(&planned);
	lw_plan_fini(&plan);
	lw_snapshot_fini(&snap);
	return rc;
}

int keeper_make_guarded(const char *path, uint32_t entries)
{
	struct lw_guarded *guarded;
	int rc = lw_guarded_create(path, KEEPER_NOW_S, NULL, &guarded);

	if (rc)
		return rc;
	rc = save_guarded(guarded, entries);
	lw_guarded_destroy(guarded);
	return rc;
}

int64_t keeper_load_guarded(const char *path, const struct lw_log *log)
{
	struct lw_guarded *guarded;
	uint32_t entries = 0;
	int rc = lw_guarded_create(path, KEEPER_NOW_S, log, &guarded);

	if (rc)
		return rc;
	while (lw_guarded_start(guarded, (entries + 1) * 7, 0))
		entries++;
	lw_guarded_destroy(guarded);
	return entries;
}

/* ---- waits ---- */

static int see(struct lw_outlooks *outlooks, struct lw_policy *policy, struct lw_snapshot *snap)
{
	struct lw_policy_params params;
	struct lw_outlook_cycle cycle = { .params = &params, .snap = snap };
	struct lw_plan plan;
	int rc;

	lw_plan_init(&plan);
	lw_policy_params_default(&params);
	cycle.plan = &plan;
	rc = lw_policy_cycle(policy, snap, &plan);
	if (!rc)
		rc = lw_outlooks_cycle(outlooks, &cycle);
	lw_plan_fini(&plan);
	lw_snapshot_fini(snap);
	return rc;
}

/* All wait at one moment, and run at a later one. */
static int teach(struct lw_outlooks *outlooks, uint32_t entries)
{
	struct lw_policy *policy = NULL;
	struct lw_policy_params params;
	struct lw_snapshot snap;
	int rc;

	lw_policy_params_default(&params);
	rc = lw_policy_create(&params, NULL, &policy);
	if (!rc)
		rc = make_snapshot(KEEPER_NOW_S, "run 1 start=0 end=9000000 on=0-1:cpus=9000\n",
				   "wait", "set=0 submit=999000 limit=600 nodes=1 cpus=1",
				   entries, &snap);
	if (!rc)
		rc = see(outlooks, policy, &snap);
	if (!rc)
		rc = make_snapshot(KEEPER_NOW_S + 900, "", "run",
				   "start=1000500 end=1009000 on=0:cpus=1", entries, &snap);
	if (!rc)
		rc = see(outlooks, policy, &snap);
	lw_policy_destroy(policy);
	return rc;
}

int keeper_make_outlook(const char *path, uint32_t entries)
{
	struct lw_outlooks *outlooks;
	struct lw_error err;
	uint32_t have;
	int rc = lw_outlooks_create(path, KEEPER_NOW_S, NULL, &outlooks);

	if (rc)
		return rc;
	have = (uint32_t)lw_outlooks_learned(outlooks)->learned;
	rc = entries > have ? teach(outlooks, entries - have) : 0;
	if (!rc)
		rc = lw_outlooks_save(outlooks, KEEPER_NOW_S, true, &err);
	lw_outlooks_destroy(outlooks);
	return rc;
}

int64_t keeper_load_outlook(const char *path, const struct lw_log *log)
{
	struct lw_outlooks *outlooks;
	int64_t entries;
	int rc = lw_outlooks_create(path, KEEPER_NOW_S, log, &outlooks);

	if (rc)
		return rc;
	entries = (int64_t)lw_outlooks_learned(outlooks)->learned;
	lw_outlooks_destroy(outlooks);
	return entries;
}
