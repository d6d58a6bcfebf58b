/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: a planned start, offered to Slurm: the steps that all kinds of jobs share. */

/*
 * The plan proposes, Slurm disposes: limits, licences, reservations and the choice of
 * cores are judged by the same functions that stock backfill calls.
 */

#include "slurm/apply/start.h"

#include "slurm/read/ask.h"
#include "slurm/read/limits.h"
#include "slurm/read/request.h"
#include "slurm/read/waiting.h"
#include "slurm/select/select_link.h"

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

/* Is the job still allowed to start in the partition of its ticket? */
static part_record_t *find_part(const job_record_t *job, const char *name)
{
	part_record_t *part = find_part_record((char *)name);

	if (!part || !part->node_bitmap || !(part->state_up & PARTITION_SCHED))
		return NULL;
	if (job->part_ptr_list)
		return lw_list_has(job->part_ptr_list, part) ? part : NULL;
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

/* The limit that JOB has in PART by QOS, which may have its say. */
static int64_t limit_with(job_record_t *job, const part_record_t *part, slurmdb_qos_rec_t *qos)
{
	slurmdb_qos_rec_t *was = job->qos_ptr;
	int64_t limit_s;

	job->qos_ptr = qos;
	limit_s = lw_job_limit_s(job, part);
	job->qos_ptr = was;
	return limit_s;
}

/* One for each partition and QOS; of others the record has the newest. */
static bool has_priorities(const job_record_t *job)
{
	return job->part_ptr_list || lw_slurm_job_qos_list(job);
}

bool lw_start_enter(job_record_t *job, const struct lw_ticket *ticket,
		    struct lw_entered *ret_entered)
{
	job_queue_rec_t record = { .job_ptr = job };
	uint32_t resv_id = ticket->resv_id;
	part_record_t *part = find_part(job, ticket->part);
	slurmdb_qos_rec_t *qos;
	bool ok;

	qos = find_qos(job, ticket->qos_id, &ok);
	if (!part || !ok || (ticket->prefer && !lw_slurm_job_prefers(job)) ||
	    limit_with(job, part, qos) > ticket->limit_s)
		return false;
	if (resv_id) {
		record.resv_ptr = list_find_first(resv_list, has_resv_id, &resv_id);
		if (!record.resv_ptr || !lw_waits_in(job, record.resv_ptr))
			return false;
	}
	*ret_entered = (struct lw_entered){ .job = job,
					    .part = job->part_ptr,
					    .qos = job->qos_ptr,
					    .priority = job->priority,
					    .is_array = job->array_recs != NULL,
					    .start_time = job->start_time };
	if (job->resv_list)
		job_queue_rec_resv_list(&record);
	else
		job_queue_rec_magnetic_resv(&record);
	job->part_ptr = part;
	job->qos_ptr = qos;
	if (ticket->priority && has_priorities(job))
		job->priority = ticket->priority;
	job->bit_flags |= BACKFILL_SCHED; /* scontrol: Scheduler=Backfill */
	lw_slurm_use_features(job, ticket->prefer);
	return true;
}

/* Who was held since stays so. */
static void restore_priority(const struct lw_entered *entered, job_record_t *job)
{
	if (job->priority)
		job->priority = entered->priority;
}

/*
 * What is left of an array copied priority and magnetic reservation of the task that left it. A
 * task with a record of its own left it before, and has its own.
 */
static void free_rest(const struct lw_entered *entered)
{
	const job_record_t *task = entered->job;
	job_record_t *rest = entered->is_array ? find_job_record(task->array_job_id) : NULL;

	if (!rest || rest == task)
		return;
	restore_priority(entered, rest);
	job_resv_clear_magnetic_flag(rest);
}

void lw_start_leave(const struct lw_entered *entered, bool started)
{
	job_record_t *job = entered->job;

	free_rest(entered);
	if (started)
		return;
	job->part_ptr = entered->part;
	job->qos_ptr = entered->qos;
	restore_priority(entered, job);
	job->start_time = entered->start_time;
	job_resv_clear_magnetic_flag(job);
}

/*
 * Does JOB wait for those that it preempts? Of an array as many tasks may do so as it has, and as
 * may run at a time.
 */
static bool has_preempted(const job_record_t *job)
{
	const job_array_struct_t *array = job->array_recs;

	if (!job->preempt_in_progress || !array || job->array_task_id != NO_VAL)
		return job->preempt_in_progress;
	return array->pend_run_tasks >= array->task_cnt ||
	       (array->max_run_tasks &&
		array->pend_run_tasks + array->tot_run_tasks >= array->max_run_tasks);
}

job_record_t *lw_start_find(uint32_t job_id)
{
	job_record_t *job = find_job_record(job_id);

	if (!job || !job->details || !IS_JOB_PENDING(job) || IS_JOB_COMPLETING(job) ||
	    IS_JOB_REVOKED(job) || !job->priority || has_preempted(job))
		return NULL;
	return job;
}

/* What the reading asked, too: that it is so now is the work of a start since then. */
static const char task_limit[] = "array task limit", use_limit[] = "account or QOS limit";

const char *lw_start_why_not(job_record_t *job, bitstr_t **ret_open)
{
	resv_exc_t exceptions = { 0 };
	time_t when = time(NULL); /* a long cycle was read at another */
	bool overlap = false;
	int rc;

	if ((job->array_task_id != NO_VAL || job->array_recs) && !job_array_start_test(job))
		return task_limit;
	if (job_limits_check(&job, true) != WAIT_NO_REASON)
		return "partition limit";
	if (!job_independent(job))
		return "dependency or begin time";
	if (!lw_limits_know_qos(job) || !acct_policy_job_runnable_pre_select(job, false))
		return use_limit;
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

bool lw_start_lacks_room(int rc)
{
	return rc == ESLURM_NODES_BUSY || rc == ESLURM_NODE_NOT_AVAIL ||
	       rc == ESLURM_REQUESTED_NODE_CONFIG_UNAVAILABLE;
}

bool lw_start_lock(job_record_t *job)
{
	if (fed_mgr_job_lock(job) == SLURM_SUCCESS)
		return true;
	xfree(job->state_desc);
	job->state_reason = WAIT_FED_JOB_LOCK;
	last_job_update = time(NULL);
	return false;
}

/* Its code; the job is told to nobody yet. */
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

/* As stock says it, for those who look in the log for what became of a job. */
void lw_start_log(const job_record_t *job)
{
	info("leeway: started %pJ in %s on %s", job, job->part_ptr->name, job->nodes);
}

void lw_start_announce(job_record_t *job)
{
	last_job_update = time(NULL);
	lw_slurm_job_started(job);
	if (!job->batch_flag)
		srun_allocate(job);
	else if (!IS_JOB_CONFIGURING(job))
		launch_job(job);
	rebuild_job_part_list(job);
}

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
 * Of a range of nodes (--nodes=1-4) stock gives a job as many as are free, and the plan takes as
 * few as will do.
 */
static bool wants_more(job_record_t *job, uint32_t planned)
{
	struct lw_node_counts counts;

	return job->details->max_nodes > planned &&
	       lw_ask_node_counts(job, job->part_ptr, &counts) && counts.wanted > planned;
}

/* Would some of NODES be rebooted for the features that JOB wants? */
static bool wants_reboot(job_record_t *job, bitstr_t *nodes)
{
	bitstr_t *active = NULL;
	bool wants;

	build_active_feature_bitmap(job, nodes, &active);
	wants = active;
	FREE_NULL_BITMAP(active);
	return wants;
}

/* Is it in a reservation that it may run outside of, where that has no room? */
static bool is_flexible(const job_record_t *job)
{
	return job->resv_ptr && (job->resv_ptr->flags & RESERVE_FLAG_FLEX);
}

/*
 * The nodes to offer first. On more nodes than it takes, on the least loaded ones, on those that
 * need no reboot, and on those of a flexible reservation the plan sets no store: who wants these
 * lets Slurm find them among all that nobody was promised.
 */
static bitstr_t *first_nodes(const struct lw_apply_context *context,
			     const struct lw_decision *decision, job_record_t *job)
{
	bitstr_t *nodes = lw_start_nodes(context, decision, job, 0), *others;

	if (!lw_part_spreads(job->part_ptr) && !is_flexible(job) &&
	    !wants_more(job, (uint32_t)bit_set_count(nodes)) && !wants_reboot(job, nodes))
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

	if (!lw_terms_preempt(&snap->waiting[decision->waiting].terms))
		return;
	planned = lw_start_nodes(context, decision, job, need);
	bit_or(nodes, planned);
	bit_free(planned);
}

/* The nodes to offer when the first will not do. */
static bitstr_t *other_nodes(const struct lw_apply_context *context,
			     const struct lw_decision *decision, const job_record_t *job)
{
	bitstr_t *nodes = lw_start_unpromised(context);

	lw_start_add_planned(context, decision, job, 0, nodes);
	return nodes;
}

int lw_start_try(job_record_t *job, bitstr_t *nodes, bitstr_t *open)
{
	int rc;

	bit_and(nodes, open);
	rc = offer(job, nodes);
	bit_free(nodes);
	return rc;
}

int lw_start_try_idle(job_record_t *job, bitstr_t *nodes, bitstr_t *open)
{
	static const bool yes = true, no = false;
	int rc;

	lw_select_link_tell(&yes, &(struct lw_select_news){ .idle_only = &yes });
	rc = lw_start_try(job, nodes, open);
	lw_select_link_tell(&yes, &(struct lw_select_news){ .idle_only = &no });
	return rc;
}

int lw_start_try_planned(const struct lw_decision *decision, job_record_t *job, bitstr_t *nodes,
			 bitstr_t *open)
{
	return decision->reason == LW_REASON_STARTS_PREEMPTING
		       ? lw_start_try(job, nodes, open)
		       : lw_start_try_idle(job, nodes, open);
}

bool lw_start_is_staged(struct lw_entered *entered)
{
	job_record_t *job = entered->job;
	int rc = job->burst_buffer ? bb_g_job_test_stage_in(job, true) : 1;

	if (rc == 1)
		return true;
	xfree(job->state_desc);
	job->state_reason = rc ? WAIT_BURST_BUFFER_RESOURCE : WAIT_BURST_BUFFER_STAGING;
	entered->start_time = rc ? bb_g_job_get_est_start(job) : time(NULL) + 1;
	last_job_update = time(NULL);
	return false;
}

/*
 * Might a limit that says no allow it on others than the nodes of the plan? One on nodes counts a
 * node once for all its jobs, and Slurm looks for nodes that they have already, if it is offered
 * these. And Slurm also says so of a job that has no room on those nodes, by mistake.
 */
static bool has_other_nodes(job_record_t *job, int rc)
{
	return rc == ESLURM_ACCOUNTING_POLICY &&
	       (job->state_reason == WAIT_QOS_GRP_NODE ||
		job->state_reason == WAIT_ASSOC_GRP_NODE ||
		job->state_reason == WAIT_QOS_MAX_NODE_PER_USER ||
		job->state_reason == WAIT_QOS_MAX_NODE_PER_ACCT || lw_limits_allow_asked(job));
}

/*
 * select_nodes() preempts nobody for a job that waits for others to make room. What it has to know
 * of a task of an array that does is kept away from it while it looks at the next one.
 */
static time_t put_away_preemption(job_record_t *job)
{
	time_t began = job->preempt_in_progress ? job->details->preempt_start_time : 0;

	if (began) {
		job->details->preempt_start_time = 0;
		job->preempt_in_progress = false;
	}
	return began;
}

/*
 * Unless the task preempts, too: then it is false. If it has started, what is left of its array has
 * a record anew.
 */
static bool put_back_preemption(job_record_t *job, time_t began)
{
	job_record_t *rest = began ? find_job_record(job->array_job_id) : NULL;

	if (!rest || !IS_JOB_PENDING(rest) || rest->details->preempt_start_time)
		return false;
	rest->details->preempt_start_time = began;
	rest->preempt_in_progress = true;
	return true;
}

/* On the SPARE nodes first, if there are any. */
static int try_locked(const struct lw_apply_context *context, const struct lw_decision *decision,
		      job_record_t *job, bitstr_t *spare, bitstr_t *open, bool *ret_still)
{
	time_t began;
	int rc;

	if (!lw_start_lock(job))
		return ESLURM_FED_JOB_LOCK;
	began = put_away_preemption(job);
	rc = spare ? lw_start_try_idle(job, bit_copy(spare), open)
		   : lw_start_try_planned(decision, job, first_nodes(context, decision, job), open);
	if ((lw_start_lacks_room(rc) || has_other_nodes(job, rc)) && !job->preempt_in_progress)
		rc = lw_start_try(job, other_nodes(context, decision, job), open);
	*ret_still = put_back_preemption(job, began);
	if (rc == SLURM_SUCCESS)
		fed_mgr_job_start(job, job->start_time);
	else
		fed_mgr_job_unlock(job);
	return rc;
}

/* May those that it preempted still be at their end? So long select_nodes() preempts no others. */
static bool is_preempting(const job_record_t *job)
{
	time_t began = job->details ? job->details->preempt_start_time : 0;

	return job->preempt_in_progress ||
	       (began && began > time(NULL) - slurm_conf.kill_wait - slurm_conf.msg_timeout);
}

/*
 * Is room what it was refused for? When a node meets what JOB demands of its Extra field nobody
 * knows, and nothing is kept for it.
 */
static bool wants_room(const job_record_t *job, int rc)
{
	return lw_start_lacks_room(rc) && !(rc == ESLURM_REQUESTED_NODE_CONFIG_UNAVAILABLE &&
					    lw_slurm_job_has_extra(job));
}

uint32_t lw_start_node_count(const struct lw_apply_context *context,
			     const struct lw_decision *decision, const job_record_t *job,
			     uint32_t need)
{
	bitstr_t *nodes = lw_start_nodes(context, decision, job, need);
	uint32_t count = (uint32_t)bit_set_count(nodes), most = job->details->max_nodes;

	bit_free(nodes);
	/* those of its blocks that it only keeps from others do not count */
	return most && count > most ? most : count;
}

/* Where a limit does not say no, Slurm had another reason, and would have it again. */
static bool is_over_limit(const struct lw_apply_context *context,
			  const struct lw_decision *decision, job_record_t *job)
{
	return !lw_limits_allow(job, lw_start_node_count(context, decision, job, 0));
}

static enum lw_outcome try_start(const struct lw_apply_context *context,
				 const struct lw_decision *decision, job_record_t *job,
				 const char **ret_why)
{
	bitstr_t *open = NULL, *spare = NULL;
	enum lw_outcome outcome = LW_REFUSED_OTHER;
	bool still = false; /* does the array wait for those that other tasks preempted? */
	int rc = SLURM_SUCCESS;

	*ret_why = lw_start_why_not(job, &open);
	if (!*ret_why && lw_start_soon(context, decision, job, open, &spare)) {
		bit_free(open);
		return LW_UNDER_WAY;
	}
	if (!*ret_why) {
		rc = try_locked(context, decision, job, spare, open, &still);
		outcome = LW_STARTED;
	}
	FREE_NULL_BITMAP(spare);
	FREE_NULL_BITMAP(open);
	if (*ret_why == task_limit || *ret_why == use_limit)
		return LW_REFUSED_LIMIT;
	if (rc == SLURM_SUCCESS)
		return outcome;
	*ret_why = slurm_strerror(rc);
	if (rc == ESLURM_ACCOUNTING_POLICY && is_over_limit(context, decision, job))
		return LW_REFUSED_LIMIT;
	if (still && wants_room(job, rc))
		return LW_NONE_TO_PREEMPT;
	if (!wants_room(job, rc))
		return job->preempt_in_progress ? LW_UNDER_WAY : LW_REFUSED_OTHER;
	return is_preempting(job) ? LW_UNDER_WAY : LW_REFUSED_NO_ROOM;
}

enum lw_outcome lw_start(const struct lw_apply_context *context,
			 const struct lw_decision *decision, const char **ret_why)
{
	const struct lw_ticket *ticket = &context->reading->tickets[decision->waiting];
	job_record_t *job = lw_start_find(decision->job_id);
	struct lw_entered entered;
	enum lw_outcome outcome;

	if (!job || !lw_start_enter(job, ticket, &entered))
		return LW_GONE;
	if (!lw_start_is_staged(&entered)) {
		lw_start_leave(&entered, false);
		return LW_UNDER_WAY;
	}
	outcome = try_start(context, decision, job, ret_why);
	lw_start_leave(&entered, outcome == LW_STARTED);
	if (outcome == LW_STARTED) {
		lw_start_log(job);
		lw_start_announce(job);
	}
	return outcome;
}
