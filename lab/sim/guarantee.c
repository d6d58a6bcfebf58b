/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the start that hard limits guarantee, while the planner believes in other ends. */

/*
 * A second cluster in which every job runs to its limit is asked when it would have room,
 * by the same planner: its promise to the first of the queue is the answer.
 */
#include "lab/sim/guarantee.h"

#include <errno.h>
#include <stdlib.h>

struct lw_guarantee {
	struct lw_snapshot snap;
	struct lw_policy *policy;
	struct lw_plan plan;
};

static int copy_machine(struct lw_snapshot *to, const struct lw_snapshot *from)
{
	struct lw_error err;

	for (uint32_t i = 0; i < from->gpu_type_count; i++) {
		if (lw_snapshot_gpu_type(to, from->gpu_types[i]) < 0)
			return -ENOMEM;
	}
	for (uint32_t i = 0; i < from->node_count; i++) {
		const struct lw_node *node = &from->nodes[i];

		if (lw_snapshot_add_node(to, node->name, &node->total, node->usable, &err))
			return -ENOMEM;
		lw_snapshot_weigh(to, i, node->weight);
	}
	for (uint32_t i = 0; i < from->set_count; i++) {
		if (lw_snapshot_add_set(to, from->sets[i].name, &from->sets[i].nodes, &err))
			return -ENOMEM;
	}
	return 0;
}

int lw_guarantee_create(const struct lw_snapshot *machine, struct lw_guarantee **ret_guarantee)
{
	struct lw_guarantee *guarantee = calloc(1, sizeof(*guarantee));
	struct lw_policy_params params;

	if (!guarantee)
		return -ENOMEM;
	lw_policy_params_default(&params);
	lw_snapshot_init(&guarantee->snap, 0);
	lw_plan_init(&guarantee->plan);
	if (copy_machine(&guarantee->snap, machine) ||
	    lw_policy_create(&params, NULL, &guarantee->policy)) {
		lw_guarantee_destroy(guarantee);
		return -ENOMEM;
	}
	*ret_guarantee = guarantee;
	return 0;
}

void lw_guarantee_destroy(struct lw_guarantee *guarantee)
{
	if (!guarantee)
		return;
	lw_policy_destroy(guarantee->policy);
	lw_plan_fini(&guarantee->plan);
	lw_snapshot_fini(&guarantee->snap);
	free(guarantee);
}

static int add_job(struct lw_guarantee *guarantee, uint32_t job_id, int64_t start_s,
		   int64_t limit_s, const struct lw_alloc *allocs, uint32_t count)
{
	struct lw_running job = { .job_id = job_id,
				  .start_s = start_s,
				  .end_s = start_s + limit_s };
	struct lw_error err;

	return lw_snapshot_add_running(&guarantee->snap, &job, allocs, count, &err);
}

static int copy_running(struct lw_guarantee *guarantee, const struct lw_snapshot *snap,
			const struct lw_plan *plan, const struct lw_guarantee_limits *limits)
{
	int rc = 0;

	for (uint32_t i = 0; !rc && i < snap->running_count; i++) {
		const struct lw_running *job = &snap->running[i];

		rc = add_job(guarantee, job->job_id, job->start_s,
			     limits->of(limits->arg, job->job_id), lw_running_allocs(snap, job),
			     job->alloc_count);
	}
	for (uint32_t i = 0; !rc && i < plan->decision_count; i++) {
		const struct lw_decision *decision = &plan->decisions[i];

		if (decision->verdict == LW_START &&
		    decision->reason == LW_REASON_STARTS_IN_ORDER)
			rc = add_job(guarantee, decision->job_id, snap->now_s,
				     limits->of(limits->arg, decision->job_id),
				     lw_decision_allocs(plan, decision), decision->alloc_count);
	}
	return rc;
}

int lw_guarantee_start(struct lw_guarantee *guarantee, const struct lw_snapshot *snap,
		       const struct lw_plan *plan, uint32_t index,
		       const struct lw_guarantee_limits *limits, int64_t *ret_start_s)
{
	struct lw_waiting job = snap->waiting[index];
	struct lw_error err;

	lw_snapshot_next(&guarantee->snap, snap->now_s);
	job.limit_s = limits->of(limits->arg, job.job_id);
	job.expected.mean_s = job.expected.tail_ms = 0;
	job.promise_s = LW_NO_TIME;
	if (copy_running(guarantee, snap, plan, limits) ||
	    lw_snapshot_add_waiting(&guarantee->snap, &job, &err) ||
	    lw_policy_cycle(guarantee->policy, &guarantee->snap, &guarantee->plan))
		return -ENOMEM;
	*ret_start_s = guarantee->plan.decision_count ? guarantee->plan.decisions[0].promise_s
						      : LW_NO_TIME;
	return 0;
}
