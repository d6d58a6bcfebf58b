/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: fuzz target: a plan, by every policy, of whatever moment the reader lets through. */
#include "fuzz/fuzz.h"

#include "planner/policies/policy.h"
#include "planner/text/text.h"
#include "planner/text/text_policy.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* What takes long is no finding, as long as it ends. */
#define NODES_MAX 64
#define JOBS_MAX  64
#define TASKS_MAX 256
#define STEPS_MAX 20000

struct bound {
	uint32_t steps;
};

static bool go_on(void *arg, uint64_t bytes)
{
	struct bound *bound = arg;

	(void)bytes;
	return ++bound->steps < STEPS_MAX;
}

static bool is_small(const struct lw_snapshot *snap)
{
	bool small = snap->node_count <= NODES_MAX && snap->waiting_count <= JOBS_MAX &&
		     snap->running_count <= JOBS_MAX && snap->set_count <= 16 &&
		     snap->domains.count <= 32;

	for (uint32_t i = 0; small && i < snap->waiting_count; i++)
		small = snap->waiting[i].tasks <= TASKS_MAX;
	return small;
}

static void check_plan(const struct lw_snapshot *snap, const struct lw_plan *plan)
{
	for (uint32_t i = 0; i < plan->decision_count; i++) {
		const struct lw_decision *d = &plan->decisions[i];

		fuzz_check(d->waiting < snap->waiting_count);
		fuzz_check(d->job_id == snap->waiting[d->waiting].job_id);
		fuzz_check(d->first_alloc + (uint64_t)d->alloc_count <= plan->alloc_count);
		fuzz_check(d->verdict != LW_START || d->start_s == snap->now_s);
		for (uint32_t a = 0; a < d->alloc_count; a++)
			fuzz_check(plan->allocs[d->first_alloc + a].node < snap->node_count);
		for (uint32_t a = 0; d->verdict == LW_START && a < d->alloc_count; a++)
			fuzz_check(snap->nodes[plan->allocs[d->first_alloc + a].node].usable);
	}
}

static void cycle(const struct lw_snapshot *snap, const struct lw_policy_params *params)
{
	struct lw_strbuf text = LW_STRBUF_INIT;
	struct lw_plan plan, estimate;
	struct lw_policy *policy;
	struct bound bound = { 0 };
	int rc;

	if (lw_policy_create(params, NULL, &policy))
		return;
	lw_policy_bind(policy, go_on, &bound);
	lw_plan_init(&plan);
	lw_plan_init(&estimate);
	rc = lw_policy_cycle(policy, snap, &plan);
	fuzz_check(rc == 0 || rc == -ENOMEM || rc == -ECANCELED);
	if (!rc) {
		check_plan(snap, &plan);
		lw_plan_print(&plan, snap, &text);
		lw_policy_estimate(policy, &estimate);
	}
	lw_strbuf_fini(&text);
	lw_plan_fini(&estimate);
	lw_plan_fini(&plan);
	lw_policy_destroy(policy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size);
	struct lw_policy_params params;
	struct lw_error err = { "" };
	struct lw_snapshot snap;

	lw_policy_params_default(&params);
	if (lw_snapshot_parse(&snap, "snap", text, &err)) {
		free(text);
		return 0;
	}
	lw_policy_params_parse("snap", text, &err, &params);
	free(text);
	for (int kind = 0; kind < LW_POLICY_COUNT && is_small(&snap); kind++) {
		params.kind = (enum lw_policy_kind)kind;
		cycle(&snap, &params);
	}
	lw_snapshot_fini(&snap);
	return 0;
}
