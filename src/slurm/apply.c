/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: a plan, offered to Slurm step by step. */

/*
 * The plan proposes, Slurm disposes: limits, licences, reservations and the choice of
 * cores are judged by the same functions that stock backfill calls. A refusal is
 * remembered for the next snapshot.
 */

#include "slurm/apply.h"

#include "slurm/compat/compat.h"
#include "slurm/log.h"
#include "slurm/request.h"

#include <errno.h>

/* What a try changes in a job record, to be put back when it fails. */
struct saved {
	part_record_t *part;
	slurmdb_qos_rec_t *qos;
	uint32_t priority;
	bitstr_t *excluded; /* owned */
	time_t start_time;
};

static int has_qos(void *x, void *arg)
{
	const slurmdb_qos_rec_t *qos = x;

	return qos->id == *(uint32_t *)arg;
}

static int has_resv_id(void *x, void *arg)
{
	const slurmctld_resv_t *resv = x;

	return resv->resv_id == *(uint32_t *)arg;
}

static int is_same(void *x, void *arg)
{
	return x == arg;
}

/* Is the job still allowed to start in the partition of its ticket? */
static part_record_t *find_part(const job_record_t *job, const char *name)
{
	part_record_t *part = find_part_record((char *)name);

	if (!part || !part->node_bitmap || !(part->state_up & PARTITION_SCHED))
		return NULL;
	if (job->part_ptr_list)
		return list_find_first(job->part_ptr_list, is_same, part) ? part : NULL;
	return job->part_ptr == part ? part : NULL;
}

/* The QOS of the ticket, if the job still has it; *ret_ok is false otherwise. */
static slurmdb_qos_rec_t *find_qos(const job_record_t *job, uint32_t id, bool *ret_ok)
{
	list_t *list = lw_slurm_job_qos_list(job);
	slurmdb_qos_rec_t *qos = job->qos_ptr;

	*ret_ok = true;
	if (id && list)
		qos = list_find_first(list, has_qos, &id);
	if ((qos ? qos->id : 0) != id)
		*ret_ok = false;
	return qos;
}

/* Put partition, QOS and reservation of the ticket into the record, as Slurm's tests want. */
static bool enter(job_record_t *job, const struct lw_ticket *ticket, struct saved *saved)
{
	job_queue_rec_t record = { .job_ptr = job };
	uint32_t resv_id = ticket->resv_id;
	part_record_t *part = find_part(job, ticket->part);
	slurmdb_qos_rec_t *qos;
	bool ok;

	qos = find_qos(job, ticket->qos_id, &ok);
	if (!part || !ok)
		return false;
	if (resv_id) {
		record.resv_ptr = list_find_first(resv_list, has_resv_id, &resv_id);
		if (!record.resv_ptr)
			return false;
	}
	*saved = (struct saved){ .part = job->part_ptr,
				 .qos = job->qos_ptr,
				 .priority = job->priority,
				 .start_time = job->start_time };
	if (job->resv_list)
		job_queue_rec_resv_list(&record);
	else if (!job->resv_name)
		job_queue_rec_magnetic_resv(&record);
	job->part_ptr = part;
	job->qos_ptr = qos;
	job->bit_flags |= BACKFILL_SCHED; /* scontrol: Scheduler=Backfill */
	job->details->features_use = job->details->features;
	job->details->feature_list_use = job->details->feature_list;
	return true;
}

static void leave(job_record_t *job, const struct saved *saved, bool started)
{
	if (started)
		return;
	job->part_ptr = saved->part;
	job->qos_ptr = saved->qos;
	job->start_time = saved->start_time;
	job_resv_clear_magnetic_flag(job);
}

/* The record of the next task to start under JOB_ID, or NULL when it is gone. */
static job_record_t *find_pending(uint32_t job_id)
{
	job_record_t *job = find_job_record(job_id);

	if (!job || !job->details || !IS_JOB_PENDING(job) || IS_JOB_COMPLETING(job) ||
	    IS_JOB_REVOKED(job) || !job->priority || job->preempt_in_progress)
		return NULL;
	return job;
}

/* The tests of stock backfill before a start, with the hard limit. */
static const char *why_not(job_record_t *job, int64_t now_s, bitstr_t **ret_open)
{
	resv_exc_t exceptions = { 0 };
	time_t when = (time_t)now_s;
	bool overlap = false;
	int rc;

	if ((job->array_task_id != NO_VAL || job->array_recs) && !job_array_start_test(job))
		return "array task limit";
	if (job_limits_check(&job, false) != WAIT_NO_REASON)
		return "partition limit";
	if (!job_independent(job))
		return "dependency or begin time";
	if (!acct_policy_job_runnable_pre_select(job, false))
		return "account or QOS limit";
	if (license_job_test(job, when, true))
		return "licences";
	if (job->deadline && job->deadline != NO_VAL &&
	    when + lw_job_limit_s(job, job->part_ptr) > job->deadline)
		return "deadline";
	rc = job_test_resv(job, &when, false, ret_open, &exceptions, &overlap, false);
	reservation_delete_resv_exc_parts(&exceptions);
	return rc == SLURM_SUCCESS && *ret_open ? NULL : "advance reservation";
}

/*
 * select_nodes() splits an array task off its array; the rest must not inherit our
 * exclusions (neither does stock's).
 */
static void restore_array(const job_record_t *job, bitstr_t *excluded)
{
	job_record_t *base = find_job_record(job->array_job_id);

	if (!base || base == job || !base->array_recs || !base->details)
		return;
	FREE_NULL_BITMAP(base->details->exc_node_bitmap);
	if (excluded)
		base->details->exc_node_bitmap = bit_copy(excluded);
}

/* Offer JOB to Slurm on the nodes of ALLOWED and no others. */
static int offer(job_record_t *job, bitstr_t *allowed)
{
	job_node_select_t selection = { .job_ptr = job };
	bitstr_t *excluded = job->details->exc_node_bitmap;
	bitstr_t *narrowed = bit_copy(allowed);
	bool is_array = job->array_recs != NULL;
	int rc;

	bit_not(narrowed);
	if (excluded)
		bit_or(narrowed, excluded);
	job->details->exc_node_bitmap = narrowed;
	rc = select_nodes(&selection, false, false, SLURMDB_JOB_FLAG_BACKFILL);
	if (is_array)
		restore_array(job, excluded);
	if (job->details) {
		FREE_NULL_BITMAP(job->details->exc_node_bitmap);
		job->details->exc_node_bitmap = excluded;
	} else {
		FREE_NULL_BITMAP(excluded);
	}
	return rc;
}

static void announce(job_record_t *job)
{
	last_job_update = time(NULL);
	lw_slurm_job_started(job);
	if (!job->batch_flag)
		srun_allocate(job);
	else if (!IS_JOB_CONFIGURING(job))
		launch_job(job);
	rebuild_job_part_list(job);
}

/* The planned nodes, and those that the user insists on. */
static bitstr_t *planned_nodes(const struct lw_apply_context *context,
			       const struct lw_decision *decision, const job_record_t *job)
{
	bitstr_t *nodes = bit_alloc(node_record_count);

	for (uint32_t i = 0; i < decision->alloc_count; i++)
		bit_set(nodes, context->plan->allocs[decision->first_alloc + i].node);
	if (job->details->req_node_bitmap)
		bit_or(nodes, job->details->req_node_bitmap);
	return nodes;
}

/* All nodes but those that a reservation of the plan stands on. */
static bitstr_t *unpromised_nodes(const struct lw_apply_context *context)
{
	const struct lw_plan *plan = context->plan;
	bitstr_t *nodes = bit_alloc(node_record_count);

	bit_set_all(nodes);
	for (uint32_t i = 0; i < plan->decision_count; i++) {
		const struct lw_decision *decision = &plan->decisions[i];

		if (decision->verdict != LW_RESERVE)
			continue;
		for (uint32_t k = 0; k < decision->alloc_count; k++)
			bit_clear(nodes, plan->allocs[decision->first_alloc + k].node);
	}
	return nodes;
}

static int try_nodes(job_record_t *job, bitstr_t *nodes, bitstr_t *open)
{
	int rc;

	bit_and(nodes, open);
	rc = offer(job, nodes);
	bit_free(nodes);
	return rc;
}

/* NULL when it started, or why Slurm would not; *ret_for_room: for want of room. */
static const char *start(const struct lw_apply_context *context,
			 const struct lw_decision *decision, job_record_t *job,
			 bool *ret_for_room)
{
	bitstr_t *open = NULL;
	const char *why = why_not(job, context->now_s, &open);
	int rc = SLURM_SUCCESS;

	if (!why) {
		rc = try_nodes(job, planned_nodes(context, decision, job), open);
		if (rc == ESLURM_NODES_BUSY || rc == ESLURM_NODE_NOT_AVAIL)
			rc = try_nodes(job, unpromised_nodes(context), open);
		if (rc != SLURM_SUCCESS)
			why = slurm_strerror(rc);
	}
	FREE_NULL_BITMAP(open);
	*ret_for_room = rc == ESLURM_NODES_BUSY;
	return why;
}

static void count_start(const struct lw_decision *decision, struct lw_applied *applied)
{
	applied->started++;
	if (decision->reason != LW_REASON_STARTS_IN_ORDER)
		applied->backfilled++;
	slurmctld_diag_stats.backfilled_jobs++;
	slurmctld_diag_stats.last_backfilled_jobs++;
}

static void apply_start(const struct lw_apply_context *context,
			const struct lw_decision *decision, struct lw_applied *applied)
{
	const struct lw_ticket *ticket = &context->reading->tickets[decision->waiting];
	job_record_t *job = find_pending(decision->job_id);
	struct saved saved;
	bool for_room = false;
	const char *why;

	if (!job || !enter(job, ticket, &saved)) {
		applied->gone++;
		return;
	}
	why = start(context, decision, job, &for_room);
	leave(job, &saved, !why);
	if (why) {
		applied->refused++;
		if (lw_refusals_add(context->refusals, decision->job_id, context->cycle,
				    for_room))
			lw_log_info(lw_slurm_log(), "job %u: Slurm would not start it: %s",
				    decision->job_id, why);
		return;
	}
	lw_log_debug(lw_slurm_log(), "job %u started on %s: %s", decision->job_id, job->nodes,
		     lw_reason_name(decision->reason));
	lw_promises_started(context->promises, decision->job_id, context->now_s);
	count_start(decision, applied);
	announce(job);
}

static void apply_reserve(const struct lw_apply_context *context,
			  const struct lw_decision *decision)
{
	struct lw_promise promise = {
		.job_id = decision->job_id,
		.made_s = context->now_s,
		.start_s = decision->promise_s,
		.latest_s = decision->latest_s,
	};

	if (decision->promise_s == LW_NO_TIME || !find_pending(decision->job_id))
		return;
	if (promise.latest_s == LW_NO_TIME)
		promise.latest_s = promise.start_s;
	if (lw_promises_make(context->promises, &promise))
		lw_slurm_log_throttled(LW_LOG_ERROR, "promise", context->now_s,
				       "out of memory: a promise is not remembered");
}

int lw_apply(const struct lw_apply_context *context, struct lw_applied *ret_applied)
{
	const struct lw_plan *plan = context->plan;
	struct lw_applied applied = { 0 };

	int rc = 0;

	slurmctld_diag_stats.last_backfilled_jobs = 0;
	for (uint32_t i = 0; i < plan->decision_count; i++) {
		const struct lw_decision *decision = &plan->decisions[i];

		/* all that is looked up here is looked up by number or by name */
		rc = lw_hold_breathe(context->hold) == -ETIME ? -ETIME : 0;
		if ((uint32_t)node_record_count != context->reading->snap.node_count)
			rc = -ESTALE;
		if (rc || slurmctld_config.shutdown_time)
			break;
		if (decision->verdict == LW_START)
			apply_start(context, decision, &applied);
		else if (decision->verdict == LW_RESERVE)
			apply_reserve(context, decision);
	}
	*ret_applied = applied;
	return rc;
}
