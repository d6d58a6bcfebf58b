/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: would Slurm's association and QOS limits let planned jobs run? */
#include "slurm/query/limits.h"

static size_t tres_size(void)
{
	return (size_t)slurmctld_tres_cnt * sizeof(uint64_t);
}

/* What JOB will be charged with on NODES nodes; assoc_mgr is locked. */
static void limits_count(job_record_t *job, uint32_t nodes, uint64_t *tres)
{
	const job_details_t *details = job->details;

	memcpy(tres, job->tres_req_cnt, tres_size());
	tres[TRES_ARRAY_NODE] = nodes;
	tres[TRES_ARRAY_CPU] = job->total_cpus ? job->total_cpus : details->min_cpus;
	tres[TRES_ARRAY_MEM] =
		job_get_tres_mem(job->job_resrcs, details->pn_min_memory,
				 (uint32_t)tres[TRES_ARRAY_CPU], nodes, job->part_ptr,
				 job->gres_list_req, job->bit_flags & JOB_MEM_SET,
				 job_get_sockets_per_node(job), details->num_tasks);
	gres_stepmgr_set_job_tres_cnt(job->gres_list_req, nodes, tres, true);
	tres[TRES_ARRAY_BILLING] = (uint64_t)assoc_mgr_tres_weighted(
		tres, job->part_ptr->billing_weights, slurm_conf.priority_flags, true);
}

/* TRES is scratch; it holds what the job is charged with. */
static bool is_allowed(job_record_t *job, uint32_t nodes, uint64_t *tres)
{
	assoc_mgr_lock_t locks = { .assoc = READ_LOCK, .qos = WRITE_LOCK, .tres = READ_LOCK };
	bool allowed;

	assoc_mgr_lock(&locks);
	limits_count(job, nodes, tres);
	allowed = acct_policy_job_runnable_pre_select(job, true) &&
		  acct_policy_job_runnable_post_select(job, tres, true);
	assoc_mgr_unlock(&locks);
	return allowed;
}

bool lw_limits_allow(job_record_t *job, uint32_t nodes)
{
	uint64_t *tres = xmalloc(tres_size());
	bool allowed = is_allowed(job, nodes, tres);

	xfree(tres);
	return allowed;
}

bool lw_limits_allow_asked(job_record_t *job)
{
	return acct_policy_job_runnable_post_select(job, job->tres_req_cnt, false);
}

/* assoc_mgr is locked */
static bool is_known(const slurmdb_assoc_rec_t *assoc, uint32_t qos_id)
{
	bitstr_t *known = assoc->usage ? assoc->usage->valid_qos : NULL;

	return known && qos_id < (uint32_t)bit_size(known) && bit_test(known, qos_id);
}

bool lw_limits_know_qos(const job_record_t *job)
{
	assoc_mgr_lock_t locks = { .assoc = READ_LOCK, .qos = READ_LOCK };
	bool known;

	if (!job->qos_ptr || !job->assoc_ptr || job->limit_set.qos ||
	    !(accounting_enforce & ACCOUNTING_ENFORCE_QOS))
		return true;
	assoc_mgr_lock(&locks);
	known = is_known(job->assoc_ptr, job->qos_ptr->id);
	assoc_mgr_unlock(&locks);
	return known;
}

/* What a job was charged with, where it might run, and when it was said to start. */
struct charged {
	uint64_t *tres;
	list_t *parts;
	double billable_tres; /* priority/multifactor counts it once and for all, as the job ends */
	time_t start_time;
};

/*
 * Let Slurm count JOB as running with TRES, from NOW on: it takes back no more time of a limit than
 * is left of it since the start that the record has. A job that starts is no longer submitted to
 * the other partitions of its list, and nothing would submit it there again: hide the list.
 */
static void limits_begin(job_record_t *job, uint64_t *tres, time_t now,
			 struct charged *ret_before)
{
	*ret_before = (struct charged){ job->tres_alloc_cnt, job->part_ptr_list,
					job->billable_tres, job->start_time };
	job->tres_alloc_cnt = tres;
	job->part_ptr_list = NULL;
	job->start_time = now;
	acct_policy_job_begin(job, false);
}

/*
 * Let Slurm take it back, as a job that ended when it began; but go on counting it among those
 * that gain age by waiting, for it does.
 */
static void limits_end(job_record_t *job, const struct charged *before, time_t now)
{
	time_t end_time = job->end_time, end_time_exp = job->end_time_exp;
	uint64_t ages_no_more = job->bit_flags & JOB_ACCRUE_OVER;
	uint32_t state = job->job_state;

	job->bit_flags |= JOB_ACCRUE_OVER;
	job->end_time_exp = now;
	job->end_time = job->start_time;
	/* not by job_state_set(): that publishes it to those who ask without a lock */
	job->job_state = JOB_COMPLETE | JOB_COMPLETING;
	acct_policy_job_fini(job, false);
	job->end_time = end_time;
	job->end_time_exp = end_time_exp;
	if (!ages_no_more)
		job->bit_flags &= ~JOB_ACCRUE_OVER;
	job->job_state = state;
	xfree(job->tres_alloc_cnt);
	job->tres_alloc_cnt = before->tres;
	job->part_ptr_list = before->parts;
	job->billable_tres = before->billable_tres;
	job->start_time = before->start_time;
}

bool lw_limits_allow_together(job_record_t *const *jobs, const uint32_t *nodes, uint32_t count)
{
	struct charged *before = xcalloc(count, sizeof(*before));
	uint32_t begun = 0;
	time_t now = time(NULL);

	while (begun < count) {
		uint64_t *tres = xmalloc(tres_size());

		if (!is_allowed(jobs[begun], nodes[begun], tres)) {
			xfree(tres);
			break;
		}
		limits_begin(jobs[begun], tres, now, &before[begun]);
		begun++;
	}
	for (uint32_t i = 0; i < begun; i++)
		limits_end(jobs[i], &before[i], now);
	xfree(before);
	return begun == count;
}
