/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what Slurm 25.05 and older lack of 25.11. Included by compat.h alone. */
#ifndef LW_SLURM_COMPAT_2505_H
#define LW_SLURM_COMPAT_2505_H

#define SELECT_SOCKET            CR_SOCKET
#define SELECT_CORE              CR_CORE
#define SELECT_MEMORY            CR_MEMORY
#define SELECT_ONE_TASK_PER_CORE CR_ONE_TASK_PER_CORE
#define SELECT_LLN               CR_LLN

/* The number is that of the QOS only once it starts; stock leaves it so. */
static inline void lw_slurm_use_qos(job_record_t *job, slurmdb_qos_rec_t *qos)
{
	job->qos_ptr = qos;
}

#endif
