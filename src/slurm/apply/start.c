/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: a planned start of an ordinary job, offered to Slurm. */
#include "slurm/apply/start.h"

#include "slurm/apply/enter.h"
#include "slurm/apply/try_start.h"
#include "slurm/apply/start_nodes.h"
#include "slurm/query/limits.h"
#include "slurm/keep/marking.h"

/*
 * Other nodes may help although Slurm named a limit: node limits count a node once for all jobs of
 * a user, and Slurm also reports a limit, wrongly, for a job that finds no room.
 */
static bool start_has_other_nodes(job_record_t *job, int rc)
{
	return rc == ESLURM_ACCOUNTING_POLICY &&
	       (job->state_reason == WAIT_QOS_GRP_NODE ||
		job->state_reason == WAIT_ASSOC_GRP_NODE ||
		job->state_reason == WAIT_QOS_MAX_NODE_PER_USER ||
		job->state_reason == WAIT_QOS_MAX_NODE_PER_ACCT || lw_limits_allow_asked(job));
}

/*
 * select_nodes() preempts no job for a job that already waits for preempted jobs to end. Pending
 * tasks of an array share one record, so hide that state while the next task is offered. Returns
 * when the preemption began, or 0 if there was nothing to hide.
 */
static time_t start_put_away_preemption(job_record_t *job)
{
	time_t began = job->preempt_in_progress ? job->details->preempt_start_time : 0;

	if (began) {
		job->details->preempt_start_time = 0;
		job->preempt_in_progress = false;
	}
	return began;
}

/*
 * Put back what was hidden. False if there was nothing, or if the task that was offered preempts
 * as well: then the record has the state of that task. If that task started, the rest of its array
 * has a new record.
 */
static bool start_put_back_preemption(job_record_t *job, time_t began)
{
	job_record_t *rest = began ? find_job_record(job->array_job_id) : NULL;

	if (!rest || !IS_JOB_PENDING(rest) || rest->details->preempt_start_time)
		return false;
	rest->details->preempt_start_time = began;
	rest->preempt_in_progress = true;
	return true;
}

/*
 * Offer JOB under the lock of the federation: on the SPARE nodes if there are any, else on the
 * planned ones, and then on other nodes. *RET_STILL: the array still waits for jobs that other
 * tasks of it preempted.
 */
static int try_start_locked(const struct lw_apply_context *context,
			    const struct lw_decision *decision, job_record_t *job,
			    bitstr_t *spare, bitstr_t *open, bool *ret_still)
{
	time_t began;
	int rc;

	if (!lw_try_start_lock(job))
		return ESLURM_FED_JOB_LOCK;
	began = start_put_away_preemption(job);
	rc = spare ? lw_try_start_idle(job, bit_copy(spare), open)
		   : lw_try_start_planned(decision, job,
					  lw_start_first_nodes(context, decision, job), open);
	if ((lw_try_start_lacks_room(rc) || start_has_other_nodes(job, rc)) &&
	    !job->preempt_in_progress)
		rc = lw_try_start(job, lw_start_other_nodes(context, decision, job), open);
	*ret_still = start_put_back_preemption(job, began);
	if (rc == SLURM_SUCCESS)
		fed_mgr_job_start(job, job->start_time);
	else
		fed_mgr_job_unlock(job);
	return rc;
}

/*
 * May the jobs that JOB preempted still be ending? As long as they may, select_nodes() preempts no
 * others.
 */
static bool start_is_preempting(const job_record_t *job)
{
	time_t began = job->details ? job->details->preempt_start_time : 0;

	return job->preempt_in_progress ||
	       (began && began > time(NULL) - slurm_conf.kill_wait - slurm_conf.msg_timeout);
}

/*
 * Was JOB refused for want of room? A job with demands on the Extra field of its nodes may have
 * been refused for these. It is not known when a node will meet them, so no room is kept for
 * such a job.
 */
static bool start_wants_room(const job_record_t *job, int rc)
{
	return lw_try_start_lacks_room(rc) &&
	       !(rc == ESLURM_REQUESTED_NODE_CONFIG_UNAVAILABLE && lw_slurm_job_has_extra(job));
}

/*
 * Slurm named a limit. If no limit keeps JOB from its planned nodes, Slurm had another reason, and
 * would have it again.
 */
static bool start_is_over_limit(const struct lw_apply_context *context,
				const struct lw_decision *decision, job_record_t *job)
{
	return !lw_limits_allow(job, lw_start_node_count(context, decision, job, 0));
}

/*
 * The reading tested these too. A job that fails them now was overtaken by a start made since, so
 * it counts as refused by a limit.
 */
static bool start_is_limit(enum lw_bar bar)
{
	return bar == LW_BAR_TASK_LIMIT || bar == LW_BAR_USE_LIMIT;
}

/* What Slurm's answer RC means. STILL is that of offer_locked(). */
static enum lw_outcome start_outcome_of(const struct lw_apply_context *context,
					const struct lw_decision *decision, job_record_t *job,
					int rc, bool still)
{
	if (rc == SLURM_SUCCESS)
		return LW_STARTED;
	if (rc == ESLURM_ACCOUNTING_POLICY && start_is_over_limit(context, decision, job))
		return LW_REFUSED_LIMIT;
	if (!start_wants_room(job, rc))
		return job->preempt_in_progress ? LW_UNDER_WAY : LW_REFUSED_OTHER;
	if (still)
		return LW_NONE_TO_PREEMPT;
	return start_is_preempting(job) ? LW_UNDER_WAY : LW_REFUSED_NO_ROOM;
}

static enum lw_outcome try_start(const struct lw_apply_context *context,
				 const struct lw_decision *decision, job_record_t *job,
				 const char **ret_why)
{
	bitstr_t *open = NULL, *spare = NULL;
	enum lw_bar bar = lw_try_start_why_not(job, &open);
	enum lw_outcome outcome = LW_UNDER_WAY;

	if (bar) {
		*ret_why = lw_bar_text(bar);
		outcome = start_is_limit(bar) ? LW_REFUSED_LIMIT : LW_REFUSED_OTHER;
	} else if (!lw_start_soon(context, decision, job, open, &spare)) {
		bool still = false;
		int rc = try_start_locked(context, decision, job, spare, open, &still);

		if (rc != SLURM_SUCCESS)
			*ret_why = slurm_strerror(rc);
		outcome = start_outcome_of(context, decision, job, rc, still);
	}
	FREE_NULL_BITMAP(spare);
	FREE_NULL_BITMAP(open);
	return outcome;
}

static void start_leave(const struct lw_entered *entered, bool started)
{
	lw_leave(entered, started);
	if (!started)
		return;
	lw_try_start_log(entered->job);
	lw_try_start_announce(entered->job);
}

enum lw_outcome lw_start(const struct lw_apply_context *context,
			 const struct lw_decision *decision, const char **ret_why)
{
	const struct lw_ticket *ticket = &context->reading->tickets[decision->waiting];
	job_record_t *job = lw_enter_find(decision->job_id);
	struct lw_entered entered;
	enum lw_outcome outcome;

	if (!job || !lw_enter(job, ticket, &entered))
		return LW_GONE;
	if (!lw_try_start_is_staged(&entered)) {
		lw_leave(&entered, false);
		return LW_UNDER_WAY;
	}
	outcome = try_start(context, decision, job, ret_why);
	if (outcome == LW_STARTED)
		lw_marking_end(job);
	start_leave(&entered, outcome == LW_STARTED);
	return outcome;
}

static bool start_try_mixed(const struct lw_apply_context *context,
			    const struct lw_decision *decision, job_record_t *job)
{
	bitstr_t *open = NULL, *nodes = NULL;
	bool still, started = false;

	if (!lw_try_start_why_not(job, &open))
		nodes = lw_start_mixed_nodes(context, decision, job, open);
	if (nodes)
		started = try_start_locked(context, decision, job, nodes, open, &still) ==
			  SLURM_SUCCESS;
	FREE_NULL_BITMAP(nodes);
	FREE_NULL_BITMAP(open);
	return started;
}

bool lw_start_mixed(const struct lw_apply_context *context, const struct lw_decision *decision)
{
	job_record_t *job = lw_enter_find(decision->job_id);
	struct lw_entered entered;
	bool started;

	/* its licences may be kept for another, its data be expected for the planned start */
	if (!job || job->license_list || job->burst_buffer || job->preempt_in_progress ||
	    !lw_enter(job, &context->reading->tickets[decision->waiting], &entered))
		return false;
	started = lw_try_start_is_staged(&entered) && start_try_mixed(context, decision, job);
	if (started)
		lw_marking_end(job);
	start_leave(&entered, started);
	return started;
}
