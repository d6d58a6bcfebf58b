/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: offer a plan to Slurm, start by start. */

/* A refusal is remembered for the next snapshot. */

#include "slurm/apply/apply.h"

#include "slurm/apply/enter.h"
#include "slurm/apply/sdiag.h"
#include "slurm/apply/start.h"
#include "slurm/apply/start_nodes.h"
#include "slurm/bfparams.h"
#include "slurm/clock.h"
#include "slurm/keep/planned.h"
#include "slurm/log.h"
#include "slurm/query/limits.h"
#include "slurm/keep/marking.h"

#include <errno.h>
#include <string.h>

/* As many as stock plans of an array at a time (bf_max_job_array_resv). */
#define TASKS_IN_VAIN_MAX 20
/*
 * Slurm is asked which jobs have room on GPUs of several types until these questions have taken
 * this much processor time, but for at least this many jobs.
 */
#define MIXING_US 50000
#define MIXED_MIN 8

static void apply_count_start(const struct lw_apply_context *context,
			      const struct lw_decision *decision, struct lw_applied *applied)
{
	applied->started++;
	if (decision->reason != LW_REASON_STARTS_IN_ORDER)
		applied->backfilled++;
	lw_sdiag_start(context->reading->tickets[decision->waiting].part_count + 1);
}

static uint32_t apply_variant_of(const struct lw_apply_context *context,
				 const struct lw_decision *decision)
{
	return context->reading->snap.waiting[decision->waiting].variant;
}

static void apply_refused(const struct lw_apply_context *context,
			  const struct lw_decision *decision, bool for_room,
			  enum lw_log_level level, const char *why)
{
	if (lw_refusals_add(context->refusals, decision->job_id,
			    apply_variant_of(context, decision), context->cycle, for_room))
		lw_log_write(lw_slurm_log(), level, "job %u: Slurm would not start it: %s",
			     decision->job_id, why);
}

/* Was another task of its array refused in this cycle? Then this one would be, too. */
static bool apply_is_refused(const struct lw_apply_context *context,
			     const struct lw_decision *decision)
{
	return lw_refusals_holds(context->refusals, decision->job_id,
				 apply_variant_of(context, decision), context->cycle);
}

/* Note on how many nodes part NEED was to start; parts of a het job have an entry each. */
static void apply_note_nodes(const struct lw_apply_context *context,
			     const struct lw_decision *decision, uint32_t job_id, uint32_t need)
{
	const job_record_t *job = find_job_record(job_id);
	uint32_t variant = apply_variant_of(context, decision), nodes = 0;

	if (job && job->details)
		nodes = lw_start_node_count(context, decision, job, need);
	if (need)
		(void)lw_refusals_add(context->refusals, job_id, variant, context->cycle, false);
	lw_refusals_by_limit(context->refusals, job_id, variant, nodes ? nodes : 1);
}

/* A whole queue may be over a limit that is in force: logged for debugging only. */
static void apply_over_limit(const struct lw_apply_context *context,
			     const struct lw_decision *decision, const char *why)
{
	const struct lw_ticket *ticket = &context->reading->tickets[decision->waiting];

	apply_refused(context, decision, false, LW_LOG_DEBUG, why);
	lw_marking_refused(decision->job_id, LW_PAST_LIMIT);
	for (uint32_t i = 0; i <= ticket->part_count; i++)
		apply_note_nodes(context, decision,
				 lw_reading_part(context->reading, ticket, i)->job_id, i);
}

/* If memory for this runs out, the job may lose its turn under conservative. */
static void apply_still_waits(const struct lw_apply_context *context,
			      const struct lw_decision *decision, struct lw_applied *applied)
{
	(void)lw_lookup_put(&applied->wait,
			    lw_planned_key(decision->job_id, apply_variant_of(context, decision)),
			    0);
}

static void apply_preempts_nobody(const struct lw_decision *decision, struct lw_applied *applied)
{
	if (applied->preempting_id != decision->job_id)
		applied->preempting_in_vain = 0;
	applied->preempting_id = decision->job_id;
	applied->preempting_in_vain++;
}

static enum lw_outcome apply_try_start_start(const struct lw_apply_context *context,
					     const struct lw_decision *decision,
					     const struct lw_applied *applied,
					     const char **ret_why)
{
	/* for each of a thousand tasks Slurm would look at all running jobs */
	if (applied->preempting_id == decision->job_id &&
	    applied->preempting_in_vain >= TASKS_IN_VAIN_MAX)
		return LW_NONE_TO_PREEMPT;
	return context->reading->tickets[decision->waiting].part_count
		       ? lw_start_het(context, decision, ret_why)
		       : lw_start(context, decision, ret_why);
}

/* The job, or a task of that array, has started; the rest of the array loses its promise. */
static void apply_settle(const struct lw_apply_context *context,
			 const struct lw_decision *decision)
{
	lw_promises_started(context->promises, decision->job_id, time(NULL));
	if (!lw_promises_find(context->promises, decision->job_id))
		lw_marking_off_id(decision->job_id);
}

static void apply_start(const struct lw_apply_context *context,
			const struct lw_decision *decision, struct lw_applied *applied)
{
	const char *why = NULL;
	enum lw_outcome outcome = apply_try_start_start(context, decision, applied, &why);

	if (outcome == LW_NONE_TO_PREEMPT)
		apply_preempts_nobody(decision, applied);
	switch (outcome) {
	case LW_STARTED:
		lw_log_debug(lw_slurm_log(), "job %u started: %s", decision->job_id,
			     lw_reason_name(decision->reason));
		apply_settle(context, decision);
		apply_count_start(context, decision, applied);
		break;
	case LW_GONE:
		applied->gone++;
		break;
	case LW_UNDER_WAY:
	case LW_NONE_TO_PREEMPT:
		apply_still_waits(context, decision, applied);
		lw_start_mark(context->plan, decision, context->under_way);
		break;
	case LW_REFUSED_LIMIT:
		applied->refused++;
		apply_over_limit(context, decision, why);
		break;
	case LW_REFUSED_NO_ROOM:
	case LW_REFUSED_OTHER:
		applied->refused++;
		if (outcome == LW_REFUSED_NO_ROOM)
			apply_still_waits(context, decision, applied);
		apply_refused(context, decision, outcome == LW_REFUSED_NO_ROOM, LW_LOG_INFO, why);
		lw_marking_refused(decision->job_id,
				   outcome == LW_REFUSED_NO_ROOM ? LW_PAST_ROOM : LW_PAST_CAUSE);
		break;
	}
}

/* Would the limits let the job run on the nodes that are kept for it? */
static bool apply_within_limits(const struct lw_apply_context *context,
				const struct lw_decision *decision, job_record_t *job)
{
	const struct lw_ticket *ticket = &context->reading->tickets[decision->waiting];
	struct lw_entered entered;
	bool allowed;

	if (ticket->part_count)
		return lw_start_het_allowed(context, decision);
	if (!lw_enter(job, ticket, &entered))
		return true;
	allowed = lw_limits_allow(job, lw_start_node_count(context, decision, job, 0));
	lw_leave(&entered, false);
	return allowed;
}

/* How many nodes could the job use if they were free? */
static uint32_t apply_usable_nodes(const struct lw_snapshot *snap,
				   const struct lw_decision *decision)
{
	const struct lw_bitset *set = &snap->sets[snap->waiting[decision->waiting].set].nodes;
	uint32_t count = 0, node;

	lw_bitset_foreach(set, node)
		count += snap->nodes[node].usable;
	return count;
}

static void apply_reserve(const struct lw_apply_context *context,
			  const struct lw_decision *decision, struct lw_applied *applied)
{
	struct lw_promise promise = {
		.job_id = decision->job_id,
		.made_s = context->now_s,
		.start_s = decision->promise_s,
		.latest_s = decision->latest_s,
	};
	job_record_t *job = lw_enter_find(decision->job_id);

	if (decision->promise_s == LW_NO_TIME || !job ||
	    (context->overtaken && !lw_promises_find(context->promises, decision->job_id)))
		return;
	if (!apply_within_limits(context, decision, job)) {
		/* its nodes stay kept, but it is not known when it may use them */
		if (lw_bfparams_of(slurm_conf.sched_params).limits_stop)
			return;
		applied->refused++;
		apply_over_limit(context, decision, slurm_strerror(ESLURM_ACCOUNTING_POLICY));
		return;
	}
	if (promise.latest_s == LW_NO_TIME)
		promise.latest_s = promise.start_s;
	promise.nodes = apply_usable_nodes(&context->reading->snap, decision);
	/* the next plan has a new promise for it */
	if (lw_promises_lost(context->promises, promise.job_id, decision->start_s,
			     promise.nodes)) {
		lw_marking_off(job);
		return;
	}
	if (lw_promises_make(context->promises, &promise))
		lw_slurm_log_throttled(LW_LOG_ERROR, "promise", context->now_s,
				       "out of memory: a promise is not remembered");
	if (decision->reason == LW_REASON_ACCEPTED)
		lw_promises_accept(context->promises, promise.job_id, promise.latest_s);
}

/* Does the job take GPUs of any type, if there are several? Slurm is not asked for het jobs. */
static bool apply_takes_any_gpus(const struct lw_apply_context *context,
				 const struct lw_decision *decision)
{
	const struct lw_snapshot *snap = &context->reading->snap;
	const struct lw_request *req = &snap->waiting[decision->waiting].request;

	return !context->reading->tickets[decision->waiting].part_count &&
	       snap->gpu_type_count > 1 && req->gpu_type == LW_GPU_ANY &&
	       (req->gpus_per_node || req->gpus_total);
}

/*
 * Is it expected to end sooner on GPUs of the type that the plan has for it? On several types it
 * runs at the pace of the slowest. False once its promise is due.
 */
static bool apply_ends_sooner(const struct lw_apply_context *context,
			      const struct lw_decision *decision)
{
	const struct lw_waiting *waiting = &context->reading->snap.waiting[decision->waiting];
	uint32_t slowest_s = 0;

	if (!decision->choice.made ||
	    (decision->promise_s != LW_NO_TIME && decision->promise_s <= context->now_s))
		return false;
	for (int type = 0; type < LW_GPU_TYPES_MAX; type++)
		if (waiting->expected.by_type_s[type] > slowest_s)
			slowest_s = waiting->expected.by_type_s[type];
	return decision->choice.done_s < context->now_s + slowest_s;
}

/* The plan has the job wait for GPUs of one type. Could Slurm start it on several types? */
static bool apply_may_mix(const struct lw_apply_context *context,
			  const struct lw_decision *decision, const struct lw_applied *applied)
{
	const struct lw_request *req =
		&context->reading->snap.waiting[decision->waiting].request;

	return (decision->reason == LW_REASON_RESERVED ||
		decision->reason == LW_REASON_WAITS_FOR_ROOM) &&
	       apply_takes_any_gpus(context, decision) && !apply_ends_sooner(context, decision) &&
	       (req->nodes_max > 1 || context->mixed_nodes) &&
	       (applied->mixing < MIXED_MIN || applied->mixing_us < MIXING_US);
}

static bool apply_starts_mixed(const struct lw_apply_context *context,
			       const struct lw_decision *decision, struct lw_applied *applied)
{
	uint64_t since_us = lw_cpu_us();
	bool started;

	if (!apply_may_mix(context, decision, applied))
		return false;
	started = lw_start_mixed(context, decision);
	applied->mixing++;
	applied->mixing_us += lw_cpu_us() - since_us;
	if (!started)
		return false;
	lw_log_debug(lw_slurm_log(), "job %u started: on GPUs of several types",
		     decision->job_id);
	apply_settle(context, decision);
	apply_count_start(context, decision, applied);
	return true;
}

/*
 * A job that takes GPUs of any type is planned as if they all had to be of one type. If it wants
 * more than there are of any type, it counts as refused, and Slurm is asked when and where it could
 * start.
 */
static void apply_never_fits(const struct lw_apply_context *context,
			     const struct lw_decision *decision)
{
	if (apply_takes_any_gpus(context, decision))
		apply_refused(context, decision, true, LW_LOG_DEBUG,
			      lw_reason_name(decision->reason));
}

/* Is Slurm's node I the one that was read? A plan knows nodes by name only. */
static bool apply_is_same_node(const struct lw_reading *reading, uint32_t i)
{
	const node_record_t *node = node_record_table_ptr[i];

	return node && node->name && !strcmp(node->name, reading->snap.nodes[i].name);
}

/*
 * SEEN is the nodes' change mark when they were last checked. A new node takes the number of a
 * deleted one. So a number in the plan may now be a node that was promised to no job, or one
 * that is planned for a start; it may also be a node that was promised to another job under its
 * former number.
 */
static int apply_heed_changed_nodes(const struct lw_apply_context *context, uint64_t *seen)
{
	const struct lw_reading *reading = context->reading;

	if (*seen == context->session->nodes)
		return 0;
	*seen = context->session->nodes;
	if ((uint32_t)node_record_count != reading->slurm_nodes)
		return -ESTALE;
	for (uint32_t i = 0; i < reading->slurm_nodes; i++) {
		if (!apply_is_same_node(reading, i)) {
			bit_set(context->changed, i);
			bit_set(context->under_way, i);
		}
	}
	return 0;
}

/* Is one of its planned nodes another node by now? */
static bool apply_has_changed_node(const struct lw_apply_context *context,
				   const struct lw_decision *decision)
{
	const struct lw_alloc *allocs = lw_decision_allocs(context->plan, decision);

	for (uint32_t i = 0; i < decision->alloc_count; i++) {
		if (allocs[i].node < context->reading->slurm_nodes &&
		    bit_test(context->changed, allocs[i].node))
			return true;
	}
	return false;
}

static int apply_all(const struct lw_apply_context *context, struct lw_applied *applied)
{
	const struct lw_plan *plan = context->plan;
	uint64_t seen = context->reading->nodes;
	int rc = 0;

	for (uint32_t i = 0; i < plan->decision_count; i++) {
		const struct lw_decision *decision = &plan->decisions[i];

		/* all that is looked up here is looked up by number or by name */
		rc = lw_session_yield(context->session) == -ETIME ? -ETIME : 0;
		if (!rc)
			rc = apply_heed_changed_nodes(context, &seen);
		if (rc || lw_slurm_peek(slurmctld_config.shutdown_time))
			break;
		/* not asked for, not promised: its start moves with another job's end */
		if (context->reading->tickets[decision->waiting].follows ||
		    apply_has_changed_node(context, decision))
			continue;
		if (decision->verdict == LW_START && !apply_is_refused(context, decision))
			apply_start(context, decision, applied);
		else if (apply_starts_mixed(context, decision, applied))
			continue;
		else if (decision->verdict == LW_RESERVE)
			apply_reserve(context, decision, applied);
		else if (decision->reason == LW_REASON_WAITS_FOR_NODES ||
			 decision->reason == LW_REASON_WAITS_FOR_REPAIR)
			apply_never_fits(context, decision);
	}
	return rc;
}

static bool apply_has_mixed_nodes(const struct lw_snapshot *snap)
{
	for (uint32_t i = 0; i < snap->node_count; i++) {
		uint32_t types = 0;

		for (uint32_t type = 0; type < snap->gpu_type_count; type++)
			types += snap->nodes[i].total.gpus[type] > 0;
		if (types > 1)
			return true;
	}
	return false;
}

int lw_apply(const struct lw_apply_context *context, struct lw_applied *ret_applied)
{
	struct lw_apply_context marked = *context;
	struct lw_applied applied = { 0 };
	int rc;

	marked.under_way = bit_alloc(node_record_count);
	marked.changed = bit_alloc(node_record_count);
	marked.mixed_nodes = apply_has_mixed_nodes(&context->reading->snap);
	rc = apply_all(&marked, &applied);
	bit_free(marked.under_way);
	bit_free(marked.changed);
	*ret_applied = applied;
	return rc;
}
