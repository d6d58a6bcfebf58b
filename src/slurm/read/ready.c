/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: does a waiting job wait for room, or for something else? */

/* What stock asks of each job of its queue before it looks for room, in its order. */

#include "slurm/read/ready.h"

#include "slurm/query/limits.h"
#include "slurm/query/never.h"
#include "slurm/query/request.h"

/* Slurm's reason, where nothing says yet why the job waits. */
static void ready_give_reason(job_record_t *job, enum job_state_reason reason)
{
	if (job->state_reason != WAIT_NO_REASON && job->state_reason != WAIT_PRIORITY &&
	    job->state_reason != WAIT_RESOURCES)
		return;
	xfree(job->state_desc);
	job->state_reason = reason;
	last_job_update = time(NULL);
}

/*
 * Licences that others hold are waited for like room; too many are never there: what Slurm says of
 * that in its log, it says once.
 */
static bool ready_may_have_licences(job_record_t *job, const struct lw_licences *licences)
{
	int rc;

	if (job->state_reason == WAIT_LICENSES && lw_licences_exceed(licences, job))
		return false;
	rc = license_job_test(job, time(NULL), true);
	if (rc)
		ready_give_reason(job, WAIT_LICENSES);
	return rc == SLURM_SUCCESS ||
	       (rc == EAGAIN && !job->resv_name && lw_licences_can_plan(job));
}

/* Until its data is on its way nothing is kept for the job; then its room is, if it has some. */
static bool ready_is_staged(job_record_t *job)
{
	if (!job->burst_buffer)
		return true;
	if (bb_g_job_test_stage_in(job, true) != -1) {
		if (job->state_reason == WAIT_BURST_BUFFER_RESOURCE)
			job->state_reason = WAIT_NO_REASON;
		return true;
	}
	ready_give_reason(job, WAIT_BURST_BUFFER_RESOURCE);
	job->start_time = bb_g_job_get_est_start(job);
	return false;
}

/* Slurm ends a job that cannot; on 22.05 it does so only when a scheduler asks. */
static bool ready_can_meet_deadline(job_record_t *job)
{
	return !job->deadline || job->deadline == NO_VAL || deadline_ok(job, "backfill");
}

/*
 * A job that may not use its QOS any more loses it until it may again; Slurm remembers its
 * number.
 */
static bool ready_keeps_qos(job_record_t *job)
{
	if (!lw_limits_know_qos(job)) {
		job_fail_qos(job, "backfill", false);
		last_job_update = time(NULL);
		return false;
	}
	if (job->qos_ptr && job->state_reason == FAIL_QOS) {
		xfree(job->state_desc);
		job->state_reason = WAIT_NO_REASON;
		last_job_update = time(NULL);
	}
	return true;
}

/*
 * By --time-min a partition takes a job with a longer limit than its own. Slurm then gives it the
 * partition's, DefaultTime if there is one, which may be less than the user can do with.
 */
static bool ready_has_time(job_record_t *job, const part_record_t *part)
{
	if (!job->time_min || job->time_min == INFINITE ||
	    lw_job_limit_s(job, part) >= (int64_t)job->time_min * 60)
		return true;
	ready_give_reason(job, WAIT_PART_TIME_LIMIT);
	return false;
}

static bool ready_has(bitstr_t *bits, const slurmdb_qos_rec_t *qos)
{
	return qos && qos->id < (uint32_t)bit_size(bits) && bit_test(bits, qos->id);
}

static bool ready_shuts_out(const part_record_t *part, const slurmdb_qos_rec_t *qos)
{
	if (part->allow_qos_bitstr)
		return !ready_has(part->allow_qos_bitstr, qos);
	return part->deny_qos_bitstr && ready_has(part->deny_qos_bitstr, qos);
}

bool lw_part_shuts_out(const part_record_t *part, const job_record_t *job)
{
	assoc_mgr_lock_t locks = { .qos = READ_LOCK };
	bool out;

	assoc_mgr_lock(&locks);
	out = ready_shuts_out(part, job->qos_ptr);
	assoc_mgr_unlock(&locks);
	return out;
}

static int ready_takes_qos(void *x, void *arg)
{
	return !ready_shuts_out(arg, x);
}

static int ready_takes_job(void *x, void *arg)
{
	const job_record_t *job = arg;
	list_t *several = lw_slurm_job_qos_list(job);

	if (several)
		return list_find_first(several, ready_takes_qos, x) != NULL;
	return !ready_shuts_out(x, job->qos_ptr);
}

/* Is there a partition of JOB that takes one of its QOS? */
static bool ready_is_taken_somewhere(job_record_t *job)
{
	if (job->part_ptr_list)
		return list_find_first(job->part_ptr_list, ready_takes_job, job) != NULL;
	return ready_takes_job(job->part_ptr, job);
}

/* A partition that excludes a job which may start in another is not the reason of its wait. */
static void ready_forget_qos(job_record_t *job)
{
	if (job->state_reason != WAIT_QOS)
		return;
	xfree(job->state_desc);
	job->state_reason = WAIT_NO_REASON;
	last_job_update = time(NULL);
}

/*
 * Sets the job's state reason if not, unless it may start elsewhere. Slurm writes that to its log
 * whenever it is asked, which of a whole queue would fill the disk: of a job that waits for it
 * already, or that may start elsewhere, it is not asked.
 */
static bool ready_is_taken_by(part_record_t *part, job_record_t *job)
{
	assoc_mgr_lock_t locks = { .qos = READ_LOCK };
	bool taken = false;

	assoc_mgr_lock(&locks);
	if (ready_shuts_out(part, job->qos_ptr) && ready_is_taken_somewhere(job))
		ready_forget_qos(job);
	else if (!ready_shuts_out(part, job->qos_ptr) || job->state_reason != WAIT_QOS)
		taken = part_policy_valid_qos(part, job->qos_ptr, job->user_id, job) ==
			SLURM_SUCCESS;
	assoc_mgr_unlock(&locks);
	return taken;
}

static bool is_ready(job_record_t *job, part_record_t *part, const struct lw_licences *licences)
{
	if (!ready_keeps_qos(job) || !ready_is_taken_by(part, job) ||
	    !ready_can_meet_deadline(job))
		return false;
	if (!(part->state_up & PARTITION_SCHED) || !part->node_bitmap)
		return false;
	if ((job->array_task_id != NO_VAL || job->array_recs) && !job_array_start_test(job))
		return false;
	if (job_limits_check(&job, true) != WAIT_NO_REASON || !ready_has_time(job, part))
		return false;
	return ready_may_have_licences(job, licences);
}

bool lw_may_follow_in(job_record_t *job, part_record_t *part)
{
	return !lw_part_shuts_out(part, job) && lw_limits_know_qos(job) &&
	       (part->state_up & PARTITION_SCHED) && part->node_bitmap &&
	       job_limits_check(&job, true) == WAIT_NO_REASON;
}

/* Is REASON one? Slurm would say so only once it has found nodes for JOB. */
static bool ready_is_kept_by(job_record_t *job, uint32_t reason)
{
	if (reason == WAIT_NO_REASON)
		return false;
	if (job->state_reason != reason) {
		xfree(job->state_desc);
		job->state_reason = reason;
		last_job_update = time(NULL);
	}
	return true;
}

enum lw_standing lw_standing_of(job_record_t *job, part_record_t *part,
				const struct lw_licences *licences)
{
	bool never;

	if (!is_ready(job, part, licences))
		return LW_WAITS_FOR_OTHER;
	if (ready_is_kept_by(job, lw_limit_against(job, &never)))
		return never ? LW_NEVER_ALLOWED : LW_OVER_LIMIT;
	if (!acct_policy_job_runnable_pre_select(job, false))
		return LW_OVER_LIMIT;
	return ready_is_staged(job) ? LW_WAITS_FOR_ROOM : LW_WAITS_FOR_OTHER;
}
