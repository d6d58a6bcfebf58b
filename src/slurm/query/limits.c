/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: do Slurm's association and QOS limits let planned jobs run? */
#include "slurm/query/limits.h"

#include "slurm/query/together.h"

static size_t limits_tres_size(void)
{
	return (size_t)slurmctld_tres_cnt * sizeof(uint64_t);
}

/* What JOB will be charged with on NODES nodes; assoc_mgr is locked. */
static void limits_count(job_record_t *job, uint32_t nodes, uint64_t *tres)
{
	const job_details_t *details = job->details;

	memcpy(tres, job->tres_req_cnt, limits_tres_size());
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

/* TRES is scratch; it holds what the job is charged with. assoc_mgr is locked. */
static bool limits_is_allowed(job_record_t *job, uint32_t nodes, uint64_t *tres)
{
	limits_count(job, nodes, tres);
	return acct_policy_job_runnable_pre_select(job, true) &&
	       acct_policy_job_runnable_post_select(job, tres, true);
}

bool lw_limits_allow(job_record_t *job, uint32_t nodes)
{
	return lw_limits_allow_together(&(struct lw_limits_part){ job, nodes, NULL }, 1);
}

bool lw_limits_allow_asked(job_record_t *job)
{
	return acct_policy_job_runnable_post_select(job, job->tres_req_cnt, false);
}

/* assoc_mgr is locked */
static bool limits_is_known(const slurmdb_assoc_rec_t *assoc, uint32_t qos_id)
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
	known = limits_is_known(job->assoc_ptr, job->qos_ptr->id);
	assoc_mgr_unlock(&locks);
	return known;
}

/* Is each of JOBS allowed alone, and beside those before it? assoc_mgr is locked. */
static bool limits_are_allowed(const struct lw_limits_part *parts, uint32_t count, uint64_t *tres)
{
	struct lw_together group = { 0 };
	bool allowed = true;

	for (uint32_t i = 0; allowed && i < count; i++) {
		struct lw_together_job job = { parts[i].job, tres, parts[i].places };

		allowed = limits_is_allowed(parts[i].job, parts[i].nodes, tres) &&
			  (count == 1 || lw_together_fits(&group, &job));
	}
	lw_together_fini(&group);
	return allowed;
}

bool lw_limits_allow_together(const struct lw_limits_part *parts, uint32_t count)
{
	/* Slurm's tests make the usage of a user under a QOS, empty, where there is none */
	assoc_mgr_lock_t locks = { .assoc = READ_LOCK, .qos = WRITE_LOCK, .tres = READ_LOCK };
	uint64_t *tres = xmalloc(limits_tres_size());
	bool allowed;

	assoc_mgr_lock(&locks);
	allowed = limits_are_allowed(parts, count, tres);
	assoc_mgr_unlock(&locks);
	xfree(tres);
	return allowed;
}
