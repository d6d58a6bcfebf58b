/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what differs between releases in the headers that Slurm's packages ship. */
#ifndef LW_SLURM_COMPAT_PUBLIC_H
#define LW_SLURM_COMPAT_PUBLIC_H

/*
 * For the job_submit and SPANK plugins, which are built without Slurm's source. Like
 * compat.h it speaks 26.05; retiring a release deletes its block.
 */

#include <slurm/slurm.h>
#include <slurm/slurm_version.h>

/* The job id in what is asked of slurmctld. */
#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(25, 11, 0)
#define lw_public_desc_id(desc) ((desc)->job_id)
#else
#define lw_public_desc_id(desc) ((desc)->step_id.job_id)
#endif

/* And in what it answers and does; lw_public_pid_job(): the job of a process on this node. */
#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(26, 5, 0)
#define lw_public_job_id(job) ((job)->job_id)
#define lw_public_load_job    slurm_load_job
#define lw_public_pid_job     slurm_pid2jobid
#define lw_public_requeue     slurm_requeue
#else
#define lw_public_job_id(job) ((job)->step_id.job_id)

static inline int lw_public_load_job(job_info_msg_t **ret_msg, uint32_t job_id, uint16_t flags)
{
	slurm_step_id_t step_id = SLURM_STEP_ID_INITIALIZER;

	step_id.job_id = job_id;
	return slurm_load_job(ret_msg, step_id, flags);
}

static inline int lw_public_pid_job(pid_t pid, uint32_t *ret_job_id)
{
	slurm_step_id_t step_id = SLURM_STEP_ID_INITIALIZER;
	int rc = slurm_pid2jobid(pid, &step_id);

	*ret_job_id = step_id.job_id;
	return rc;
}

static inline int lw_public_requeue(uint32_t job_id, uint32_t flags)
{
	slurm_step_id_t step_id = SLURM_STEP_ID_INITIALIZER;

	step_id.job_id = job_id;
	return slurm_requeue(step_id, flags);
}
#endif

/* What stands before the name of a gres in what a job asks for. */
#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(23, 11, 0)
#define LW_GRES_PREFIX "gres:"
#else
#define LW_GRES_PREFIX "gres/"
#endif

/* Does Slurm give no job as a whole a GPU of which another has parts? */
#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(23, 2, 0)
#define LW_GPUS_ARE_KEPT false
#else
#define LW_GPUS_ARE_KEPT true
#endif

/* The arguments of job_modify() after the first three. */
#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(23, 2, 0)
#define LW_JOB_MODIFY_MORE
#else
#define LW_JOB_MODIFY_MORE , __attribute__((unused)) char **err_msg
#endif

#endif
