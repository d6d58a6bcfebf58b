/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what Slurm 25.11 and older lack of 26.05. Included by compat.h alone. */
#ifndef LW_SLURM_COMPAT_2511_H
#define LW_SLURM_COMPAT_2511_H

#define lw_slurm_job_id(job) ((job)->job_id)
/* 26.05 adds a lock of the select plugin */
#define LW_LOCK_SELECT_NODE

/* Every component of a batch job has a script there. */
static inline void lw_slurm_launch_leader(job_record_t *job)
{
	(void)job;
}

#ifndef HAVE_SLURM_NODEINFO
/* It is in the record of the node itself. */
static inline bool lw_slurm_allocated(const node_record_t *node, uint16_t *ret_cpus,
				      uint64_t *ret_mem_mib)
{
	*ret_cpus = node->alloc_cpus;
	*ret_mem_mib = node->alloc_memory;
	return true;
}
#endif

#endif
