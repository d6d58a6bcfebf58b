/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: a planned start that need preempt nobody, since nodes are about to be ready. */
#include "slurm/apply/start.h"

#include "slurm/read/ask.h"

static const struct lw_waiting *waiting_of(const struct lw_apply_context *context,
					   const struct lw_decision *decision)
{
	return &context->reading->snap.waiting[decision->waiting];
}

/* The nodes that JOB may have for its features and by its partition, and that are OPEN to it. */
static bitstr_t *usable_nodes(const struct lw_apply_context *context,
			      const struct lw_decision *decision, const job_record_t *job,
			      bitstr_t *open)
{
	const struct lw_snapshot *snap = &context->reading->snap;
	bitstr_t *nodes = bit_alloc(node_record_count);
	uint32_t node;

	lw_bitset_foreach(&snap->sets[waiting_of(context, decision)->set].nodes, node)
	{
		if (node < (uint32_t)node_record_count)
			bit_set(nodes, node);
	}
	bit_and(nodes, open);
	bit_and(nodes, avail_node_bitmap);
	bit_and(nodes, job->part_ptr->node_bitmap);
	if (job->details->exc_node_bitmap)
		bit_and_not(nodes, job->details->exc_node_bitmap);
	return nodes;
}

/* What is kept for those that come before it is not for JOB. */
static void leave_promised(const struct lw_apply_context *context,
			   const struct lw_decision *decision, bitstr_t *nodes)
{
	const struct lw_plan *plan = context->plan;
	bitstr_t *promised = bit_copy(context->under_way);

	for (uint32_t i = 0; &plan->decisions[i] != decision; i++) {
		if (plan->decisions[i].verdict == LW_RESERVE)
			lw_start_mark(plan, &plan->decisions[i], promised);
	}
	bit_and_not(nodes, promised);
	bit_free(promised);
}

/* NODES are those of the plan that may be used at once. */
static bool has_room_now(job_record_t *job, bitstr_t *nodes)
{
	bit_and_not(nodes, cg_node_bitmap);
	bit_and_not(nodes, rs_node_bitmap);
	return lw_ask_now(job, nodes);
}

/* NODES become those that it will have. */
static bool will_have_room(const struct lw_apply_context *context,
			   const struct lw_decision *decision, job_record_t *job, bitstr_t *nodes)
{
	bitstr_t *planned = lw_start_nodes(context, decision, job, 0);
	bool now;

	bit_and(planned, nodes);
	now = has_room_now(job, planned);
	bit_free(planned);
	leave_promised(context, decision, nodes);
	return !now && lw_ask_now(job, nodes);
}

/* Is one of NODES being cleaned up, or coming up? */
static bool are_to_come(bitstr_t *nodes)
{
	return bit_overlap_any(nodes, cg_node_bitmap) || bit_overlap_any(nodes, rs_node_bitmap);
}

bool lw_start_soon(const struct lw_apply_context *context, const struct lw_decision *decision,
		   job_record_t *job, bitstr_t *open)
{
	bitstr_t *nodes;
	bool soon;

	if (decision->reason != LW_REASON_STARTS_PREEMPTING)
		return false;
	nodes = usable_nodes(context, decision, job, open);
	/* who can do without nodes that are to come does not wait for them */
	soon = are_to_come(nodes) && will_have_room(context, decision, job, nodes) &&
	       are_to_come(nodes);
	if (soon)
		bit_or(context->under_way, nodes);
	bit_free(nodes);
	return soon;
}
