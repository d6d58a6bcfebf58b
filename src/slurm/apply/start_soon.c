/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: room that the plan does not see: a start now, or soon, without preemption. */
#include "slurm/apply/start.h"

#include "slurm/apply/start_nodes.h"
#include "slurm/bits.h"
#include "slurm/query/ask.h"

static const struct lw_waiting *start_soon_waiting_of(const struct lw_apply_context *context,
						      const struct lw_decision *decision)
{
	return &context->reading->snap.waiting[decision->waiting];
}

/* The nodes that JOB may have for its features and by its partition, and that are OPEN to it. */
static bitstr_t *start_soon_usable_nodes(const struct lw_apply_context *context,
					 const struct lw_decision *decision,
					 const job_record_t *job, bitstr_t *open)
{
	const struct lw_snapshot *snap = &context->reading->snap;
	bitstr_t *nodes =
		lw_bits_of_set(&snap->sets[start_soon_waiting_of(context, decision)->set].nodes,
			       (uint32_t)node_record_count);

	bit_and(nodes, open);
	bit_and(nodes, avail_node_bitmap);
	bit_and(nodes, job->part_ptr->node_bitmap);
	if (job->details->exc_node_bitmap)
		bit_and_not(nodes, job->details->exc_node_bitmap);
	return nodes;
}

/*
 * Remove from NODES the nodes kept for jobs before JOB and the nodes of starts under way, unless
 * the plan gives them to JOB.
 */
static void start_soon_leave_promised(const struct lw_apply_context *context,
				      const struct lw_decision *decision, const job_record_t *job,
				      bitstr_t *nodes)
{
	const struct lw_plan *plan = context->plan;
	bitstr_t *planned = lw_start_nodes(context, decision, job, 0);
	bitstr_t *promised = bit_copy(context->under_way);

	for (uint32_t i = 0; &plan->decisions[i] != decision; i++) {
		if (plan->decisions[i].verdict == LW_RESERVE)
			lw_start_mark(plan, &plan->decisions[i], promised);
	}
	bit_and_not(promised, planned);
	bit_and_not(nodes, promised);
	bit_free(promised);
	bit_free(planned);
}

/* Those of NODES that are ready, if JOB has room on them, else NULL. */
static bitstr_t *start_soon_find_spare(job_record_t *job, bitstr_t *nodes)
{
	bitstr_t *ready = bit_copy(nodes), *asked;

	bit_and_not(ready, cg_node_bitmap);
	bit_and_not(ready, rs_node_bitmap);
	asked = bit_copy(ready);
	/* select_nodes() chooses among them, since it heeds weights and reboots */
	if (!lw_ask_now(job, asked))
		FREE_NULL_BITMAP(ready);
	bit_free(asked);
	return ready;
}

/* Is one of NODES being cleaned up, or coming up? */
static bool start_soon_are_to_come(bitstr_t *nodes)
{
	return bit_overlap_any(nodes, cg_node_bitmap) || bit_overlap_any(nodes, rs_node_bitmap);
}

bool lw_start_soon(const struct lw_apply_context *context, const struct lw_decision *decision,
		   job_record_t *job, bitstr_t *open, bitstr_t **ret_spare)
{
	bitstr_t *nodes;
	bool soon;

	*ret_spare = NULL;
	if (decision->reason != LW_REASON_STARTS_PREEMPTING)
		return false;
	nodes = start_soon_usable_nodes(context, decision, job, open);
	start_soon_leave_promised(context, decision, job, nodes);
	*ret_spare = start_soon_find_spare(job, nodes);
	/* lw_ask_now() leaves what JOB would get: if all of it is ready, JOB need not wait */
	soon = !*ret_spare && start_soon_are_to_come(nodes) && lw_ask_now(job, nodes) &&
	       start_soon_are_to_come(nodes);
	if (soon)
		bit_or(context->under_way, nodes);
	bit_free(nodes);
	return soon;
}

/* Remove from NODES the nodes kept for other jobs and the nodes of starts under way. */
static void start_soon_leave_others(const struct lw_apply_context *context,
				    const struct lw_decision *decision, bitstr_t *nodes)
{
	const struct lw_plan *plan = context->plan;
	bitstr_t *promised = bit_copy(context->under_way);

	for (uint32_t i = 0; i < plan->decision_count; i++) {
		if (plan->decisions[i].verdict == LW_RESERVE &&
		    plan->decisions[i].job_id != decision->job_id)
			lw_start_mark(plan, &plan->decisions[i], promised);
	}
	bit_and_not(nodes, promised);
	bit_free(promised);
}

/* Has each of NODES as many GPUs of TYPE as REQ wants of it, and all together as many as in all? */
static bool start_soon_have_gpus(const struct lw_snapshot *snap, bitstr_t *nodes, uint32_t type,
				 const struct lw_request *req)
{
	uint64_t sum = 0;

	lw_bits_foreach(nodes, i) {
		uint32_t gpus = snap->nodes[i].total.gpus[type];

		if (!gpus || gpus < req->gpus_per_node)
			return false;
		sum += gpus;
	}
	return sum >= req->gpus_total;
}

/* Then the plan, which gives GPUs of one type, has no word for them. */
static bool start_soon_are_mixed(const struct lw_snapshot *snap, bitstr_t *nodes,
				 const struct lw_request *req)
{
	for (uint32_t type = 0; type < snap->gpu_type_count; type++) {
		if (start_soon_have_gpus(snap, nodes, type, req))
			return false;
	}
	return true;
}

bitstr_t *lw_start_mixed_nodes(const struct lw_apply_context *context,
			       const struct lw_decision *decision, job_record_t *job,
			       bitstr_t *open)
{
	bitstr_t *nodes = start_soon_usable_nodes(context, decision, job, open), *asked;

	start_soon_leave_others(context, decision, nodes);
	bit_and_not(nodes, cg_node_bitmap);
	bit_and_not(nodes, rs_node_bitmap);
	asked = bit_copy(nodes);
	if (!lw_ask_now(job, asked) ||
	    !start_soon_are_mixed(&context->reading->snap, asked,
				  &start_soon_waiting_of(context, decision)->request))
		FREE_NULL_BITMAP(nodes);
	bit_free(asked);
	return nodes;
}
