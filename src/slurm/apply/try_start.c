/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: one call of select_nodes(), and what is asked of Slurm before and after it. */

/*
 * The plan proposes, Slurm disposes: limits, licences, reservations and the choice of
 * cores are judged by the same functions that stock backfill calls.
 */

#include "slurm/apply/try_start.h"

#include "slurm/log.h"
#include "slurm/query/limits.h"
#include "slurm/query/request.h"
#include "slurm/select/select_link.h"

#include <limits.h>
#include <stdio.h>
#include <unistd.h>

const char *lw_bar_text(enum lw_bar bar)
{
	static const char *const texts[] = {
		[LW_BAR_NONE] = "nothing",
		[LW_BAR_TASK_LIMIT] = "array task limit",
		[LW_BAR_PARTITION_LIMIT] = "partition limit",
		[LW_BAR_DEPENDENCY] = "dependency or begin time",
		[LW_BAR_USE_LIMIT] = "account or QOS limit",
		[LW_BAR_LICENCES] = "licences",
		[LW_BAR_DEADLINE] = "deadline",
		[LW_BAR_RESERVATION] = "advance reservation",
	};

	return texts[bar];
}

enum lw_bar lw_try_start_why_not(job_record_t *job, bitstr_t **ret_open)
{
	resv_exc_t exceptions = { 0 };
	time_t when = time(NULL); /* not the time of the reading: a cycle may take long */
	bool overlap = false;
	int rc;

	if ((job->array_task_id != NO_VAL || job->array_recs) && !job_array_start_test(job))
		return LW_BAR_TASK_LIMIT;
	if (job_limits_check(&job, true) != WAIT_NO_REASON)
		return LW_BAR_PARTITION_LIMIT;
	if (!job_independent(job))
		return LW_BAR_DEPENDENCY;
	if (!lw_limits_know_qos(job) || !acct_policy_job_runnable_pre_select(job, false))
		return LW_BAR_USE_LIMIT;
	if (license_job_test(job, when, true))
		return LW_BAR_LICENCES;
	if (job->deadline && job->deadline != NO_VAL &&
	    when + lw_job_start_limit_s(job, job->part_ptr, when) > job->deadline)
		return LW_BAR_DEADLINE;
	rc = job_test_resv(job, &when, false, ret_open, &exceptions, &overlap, false);
	reservation_delete_resv_exc_parts(&exceptions);
	return rc == SLURM_SUCCESS && *ret_open ? LW_BAR_NONE : LW_BAR_RESERVATION;
}

/*
 * select_nodes() splits the task that starts off its array, and the rest inherits its excluded
 * nodes and its limit. Give the rest only the nodes that the user EXCLUDED, as stock does, and the
 * LIMIT that was asked for, since it may start later.
 */
static void try_start_restore_array(const job_record_t *job, bitstr_t *excluded, uint32_t limit)
{
	job_record_t *base = find_job_record(job->array_job_id);

	if (!base || base == job || !base->array_recs || !base->details)
		return;
	base->time_limit = limit;
	FREE_NULL_BITMAP(base->details->exc_node_bitmap);
	if (excluded)
		base->details->exc_node_bitmap = bit_copy(excluded);
}

bool lw_try_start_lacks_room(int rc)
{
	return rc == ESLURM_NODES_BUSY || rc == ESLURM_NODE_NOT_AVAIL ||
	       rc == ESLURM_REQUESTED_NODE_CONFIG_UNAVAILABLE;
}

bool lw_try_start_lock(job_record_t *job)
{
	if (fed_mgr_job_lock(job) == SLURM_SUCCESS)
		return true;
	xfree(job->state_desc);
	job->state_reason = WAIT_FED_JOB_LOCK;
	last_job_update = time(NULL);
	return false;
}

static const bool yes = true, no = false;

/* As under stock: give JOB, which is to start, the limit that its deadline leaves, if shorter. */
static void try_start_cut_limit(job_record_t *job)
{
	int64_t limit_s = lw_job_start_limit_s(job, job->part_ptr, time(NULL));

	if (limit_s < lw_job_limit_s(job, job->part_ptr))
		job->time_limit = (uint32_t)(limit_s / 60);
}

/* Call select_nodes() with all nodes excluded but the ALLOWED ones. */
static int try_start_select_on(job_record_t *job, bitstr_t *allowed)
{
	job_node_select_t selection = { .job_ptr = job };
	bitstr_t *excluded = job->details->exc_node_bitmap;
	bitstr_t *narrowed = bit_copy(allowed);
	bool is_array = job->array_recs != NULL;
	uint32_t limit = job->time_limit;
	int rc;

	bit_not(narrowed);
	if (excluded)
		bit_or(narrowed, excluded);
	job->details->exc_node_bitmap = narrowed;
	try_start_cut_limit(job);
	lw_select_link_tell(&(struct lw_select_news){ .ours = &yes });
	rc = select_nodes(&selection, false, false, SLURMDB_JOB_FLAG_BACKFILL);
	lw_select_link_tell(&(struct lw_select_news){ .ours = &no });
	if (rc != SLURM_SUCCESS)
		job->time_limit = limit;
	if (is_array)
		try_start_restore_array(job, excluded, limit);
	if (job->details) {
		FREE_NULL_BITMAP(job->details->exc_node_bitmap);
		job->details->exc_node_bitmap = excluded;
	} else {
		FREE_NULL_BITMAP(excluded);
	}
	return rc;
}

/* In stock's words: people search the log for them. */
void lw_try_start_log(const job_record_t *job)
{
	info("leeway: started %pJ in %s on %s", job, job->part_ptr->name, job->nodes);
}

void lw_try_start_announce(job_record_t *job)
{
	last_job_update = time(NULL);
	lw_slurm_job_started(job);
	if (!job->batch_flag) {
		srun_allocate(job);
		lw_slurm_launch_leader(job);
	} else if (!IS_JOB_CONFIGURING(job))
		launch_job(job);
	rebuild_job_part_list(job);
}

/*
 * Slurm takes the nodes that it is offered for all there are: of some of them only it cannot know
 * that JOB will never run. REASON is why the job waited before.
 */
static void try_start_restore_reason(job_record_t *job, bitstr_t *nodes, uint32_t reason)
{
	if (job->state_reason == FAIL_BAD_CONSTRAINTS && reason != FAIL_BAD_CONSTRAINTS &&
	    !bit_super_set(job->part_ptr->node_bitmap, nodes))
		job->state_reason = WAIT_RESOURCES;
}

/* Offered no node of its partition, Slurm would call the request one that can never run. */
int lw_try_start(job_record_t *job, bitstr_t *nodes, bitstr_t *open)
{
	uint32_t reason = job->state_reason;
	int rc = ESLURM_NODES_BUSY;

	bit_and(nodes, open);
	if (bit_overlap_any(nodes, job->part_ptr->node_bitmap))
		rc = try_start_select_on(job, nodes);
	else if (job->state_reason == WAIT_NO_REASON)
		job->state_reason = WAIT_RESOURCES;
	if (rc == ESLURM_REQUESTED_NODE_CONFIG_UNAVAILABLE)
		try_start_restore_reason(job, nodes, reason);
	bit_free(nodes);
	return rc;
}

int lw_try_start_idle(job_record_t *job, bitstr_t *nodes, bitstr_t *open)
{
	int rc;

	lw_select_link_tell(&(struct lw_select_news){ .idle_only = &yes });
	rc = lw_try_start(job, nodes, open);
	lw_select_link_tell(&(struct lw_select_news){ .idle_only = &no });
	return rc;
}

int lw_try_start_planned(const struct lw_decision *decision, job_record_t *job, bitstr_t *nodes,
			 bitstr_t *open)
{
	return decision->reason == LW_REASON_STARTS_PREEMPTING
		       ? lw_try_start(job, nodes, open)
		       : lw_try_start_idle(job, nodes, open);
}

/*
 * slurmctld ends itself where it cannot read the script of a job that it launches, as while the
 * folder of its state is away. Its file of jobs is asked for as well: a Slurm to come may have its
 * scripts elsewhere.
 */
static bool try_start_has_script(const job_record_t *job)
{
	uint32_t id = job->array_job_id ? job->array_job_id : job->job_id;
	const char *dir = slurm_conf.state_save_location;
	char path[PATH_MAX];
	int len;

	if (!job->batch_flag)
		return true;
	len = snprintf(path, sizeof(path), "%s/hash.%u/job.%u/script", dir, id % 10, id);
	if (len >= (int)sizeof(path) || !access(path, R_OK))
		return true;
	snprintf(path, sizeof(path), "%s/job_state", dir);
	return !access(path, R_OK);
}

static bool try_start_is_launchable(const job_record_t *job)
{
	if (try_start_has_script(job))
		return true;
	lw_slurm_log_throttled(LW_LOG_ERROR, "scripts", time(NULL),
			       "starts no job whose script cannot be read: StateSaveLocation=%s "
			       "is away; bring it back",
			       slurm_conf.state_save_location);
	return false;
}

bool lw_try_start_is_staged(struct lw_entered *entered)
{
	job_record_t *job = entered->job;
	int rc = job->burst_buffer ? bb_g_job_test_stage_in(job, true) : 1;

	if (rc == 1 && !try_start_is_launchable(job))
		return false;
	if (rc == 1)
		return true;
	xfree(job->state_desc);
	job->state_reason = rc ? WAIT_BURST_BUFFER_RESOURCE : WAIT_BURST_BUFFER_STAGING;
	entered->start_time = rc ? bb_g_job_get_est_start(job) : time(NULL) + 1;
	last_job_update = time(NULL);
	return false;
}
