/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the nodes that Slurm is offered for a planned start. */
#include "slurm/apply/start_nodes.h"

#include "slurm/query/ask.h"
#include "slurm/query/request.h"
#include "slurm/query/tenancy.h"

bitstr_t *lw_start_nodes(const struct lw_apply_context *context,
			 const struct lw_decision *decision, const job_record_t *job,
			 uint32_t need)
{
	bitstr_t *nodes = bit_alloc(node_record_count);

	for (uint32_t i = 0; i < decision->alloc_count; i++) {
		const struct lw_alloc *alloc = &context->plan->allocs[decision->first_alloc + i];

		/* the nodes behind Slurm's are licences */
		if (alloc->need == need && alloc->node < (uint32_t)node_record_count)
			bit_set(nodes, alloc->node);
	}
	if (job->details->req_node_bitmap)
		bit_or(nodes, job->details->req_node_bitmap);
	return nodes;
}

uint32_t lw_start_node_count(const struct lw_apply_context *context,
			     const struct lw_decision *decision, const job_record_t *job,
			     uint32_t need)
{
	bitstr_t *nodes = lw_start_nodes(context, decision, job, need);
	uint32_t count = (uint32_t)bit_set_count(nodes), most = job->details->max_nodes;

	bit_free(nodes);
	/* the nodes of its blocks that a job only keeps from others do not count */
	return most && count > most ? most : count;
}

void lw_start_mark(const struct lw_plan *plan, const struct lw_decision *decision,
		   bitstr_t *nodes)
{
	for (uint32_t k = 0; k < decision->alloc_count; k++) {
		uint32_t node = plan->allocs[decision->first_alloc + k].node;

		if (node < (uint32_t)node_record_count)
			bit_set(nodes, node);
	}
}

bitstr_t *lw_start_unpromised(const struct lw_apply_context *context)
{
	const struct lw_plan *plan = context->plan;
	bitstr_t *nodes = bit_copy(context->under_way);

	for (uint32_t i = 0; i < plan->decision_count; i++) {
		if (plan->decisions[i].verdict == LW_RESERVE)
			lw_start_mark(plan, &plan->decisions[i], nodes);
	}
	bit_not(nodes);
	return nodes;
}

/*
 * Does JOB ask for a range of nodes (--nodes=1-4), and for more than PLANNED? The plan takes as few
 * as will do; stock gives as many as are free.
 */
static bool start_nodes_wants_more(job_record_t *job, uint32_t planned)
{
	struct lw_node_counts counts;

	return job->details->max_nodes > planned &&
	       lw_ask_node_counts(job, job->part_ptr, &counts) && counts.wanted > planned;
}

/* Would some of NODES be rebooted for the features that JOB wants? */
static bool start_nodes_wants_reboot(job_record_t *job, bitstr_t *nodes)
{
	bitstr_t *active = NULL;
	bool wants;

	build_active_feature_bitmap(job, nodes, &active);
	wants = active;
	FREE_NULL_BITMAP(active);
	return wants;
}

/* Is JOB in a reservation with the flag FLEX? Then it may use nodes outside of it, too. */
static bool start_nodes_is_flexible(const job_record_t *job)
{
	return job->resv_ptr && (job->resv_ptr->flags & RESERVE_FLAG_FLEX);
}

/* Does JOB share a GPU? Its best neighbours are found at the start, on all open nodes. */
static bool start_nodes_shares_gpu(const struct lw_apply_context *context,
				   const job_record_t *job)
{
	struct lw_share_newcomer newcomer;

	return context->shares && lw_tenancy_newcomer(job, 0, &newcomer);
}

/* The plan has chosen how many nodes it gets (size.mode). */
static bool start_nodes_is_sized(const struct lw_apply_context *context,
				 const struct lw_decision *decision)
{
	return context->reading->tickets[decision->waiting].sized;
}

bitstr_t *lw_start_first_nodes(const struct lw_apply_context *context,
			       const struct lw_decision *decision, job_record_t *job)
{
	bitstr_t *nodes = lw_start_nodes(context, decision, job, 0), *others;

	if (start_nodes_is_sized(context, decision))
		return nodes;
	if (!lw_part_spreads(job->part_ptr) && !start_nodes_is_flexible(job) &&
	    !start_nodes_shares_gpu(context, job) &&
	    !start_nodes_wants_more(job, (uint32_t)bit_set_count(nodes)) &&
	    !start_nodes_wants_reboot(job, nodes))
		return nodes;
	others = lw_start_unpromised(context);
	bit_or(nodes, others);
	bit_free(others);
	return nodes;
}

void lw_start_add_planned(const struct lw_apply_context *context,
			  const struct lw_decision *decision, const job_record_t *job,
			  uint32_t need, bitstr_t *nodes)
{
	const struct lw_snapshot *snap = &context->reading->snap;
	bitstr_t *planned;

	if (!lw_constraints_preempt(&snap->waiting[decision->waiting].constraints))
		return;
	planned = lw_start_nodes(context, decision, job, need);
	bit_or(nodes, planned);
	bit_free(planned);
}

bitstr_t *lw_start_other_nodes(const struct lw_apply_context *context,
			       const struct lw_decision *decision, const job_record_t *job)
{
	bitstr_t *nodes = lw_start_unpromised(context);

	lw_start_add_planned(context, decision, job, 0, nodes);
	return nodes;
}
