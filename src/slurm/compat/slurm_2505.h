/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what Slurm 25.05 and older lack of 25.11. Included by compat.h alone. */
#ifndef LW_SLURM_COMPAT_2505_H
#define LW_SLURM_COMPAT_2505_H

#define SELECT_SOCKET            CR_SOCKET
#define SELECT_CORE              CR_CORE
#define SELECT_MEMORY            CR_MEMORY
#define SELECT_ONE_TASK_PER_CORE CR_ONE_TASK_PER_CORE
#define SELECT_LLN               CR_LLN

/* No job may ask for a requeue that goes before all others. */
#define EXPEDITED_REQUEUE 0

/* Does a requeue lose the licences of the job? Older releases say that it does not. */
#ifndef LW_REQUEUE_LOSES_LICENCES
#define LW_REQUEUE_LOSES_LICENCES true
#endif

static inline int job_requeue_internal(uid_t uid, job_record_t *job, bool preempt, uint32_t flags)
{
	return job_requeue(uid, job->job_id, NULL, preempt, flags);
}

/* The number is that of the QOS only once it starts; stock leaves it so. */
static inline void lw_slurm_use_qos(job_record_t *job, slurmdb_qos_rec_t *qos)
{
	job->qos_ptr = qos;
}

#endif
