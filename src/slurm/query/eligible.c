/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: is a record of Slurm's queue still to be planned, with which QOS and where? */
#include "slurm/query/eligible.h"

static int eligible_is_same(void *x, void *y)
{
	return x == y;
}

bool lw_list_has(list_t *list, const void *item)
{
	return list_find_first(list, eligible_is_same, (void *)(uintptr_t)item) != NULL;
}

bool lw_job_has_qos(const job_record_t *job, const slurmdb_qos_rec_t *qos)
{
	list_t *list = lw_slurm_job_qos_list(job);

	return list ? lw_list_has(list, qos) : job->qos_ptr == qos;
}

bool lw_waits_in(const job_record_t *job, slurmctld_resv_t *resv)
{
	if (!resv)
		return true;
	if (job->resv_list)
		return lw_list_has(job->resv_list, resv);
	return !job->resv_name && (resv->flags & RESERVE_FLAG_MAGNETIC);
}

bool lw_still_waits(const job_queue_rec_t *record)
{
	const job_record_t *job = record->job_ptr;

	return job->details && IS_JOB_PENDING(job) && !IS_JOB_COMPLETING(job) &&
	       !IS_JOB_REVOKED(job) && !job->preempt_in_progress && job->priority &&
	       (!record->use_prefer || lw_slurm_job_prefers(job)) &&
	       lw_job_has_qos(job, lw_slurm_queue_qos(record)) &&
	       lw_waits_in(job, record->resv_ptr);
}
