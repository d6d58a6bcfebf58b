/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: cores with several CPUs: what a job takes of them. */

/* Also part of the select plugin: refers to nothing that only slurmctld has. */

#include "slurm/query/cores.h"

uint32_t lw_cores_unit(const part_record_t *part, const node_record_t *node)
{
	uint16_t type = part->cr_type ? part->cr_type : slurm_conf.select_type_param;
	uint32_t threads = node->tpc ? node->tpc : 1;

	if (type & SELECT_SOCKET)
		return threads * (node->cores ? node->cores : 1);
	return type & SELECT_CORE ? threads : 1;
}

/* So many CPUs that a job asks for take so many of a node. */
struct rate {
	uint32_t cpus, taken;
};

/* Tasks on a core, or 0: no matter how many. */
static uint32_t cores_tasks_on_core(const multi_core_data_t *cores)
{
	if (cores && cores->ntasks_per_core && cores->ntasks_per_core != INFINITE16)
		return cores->ntasks_per_core;
	return slurm_conf.select_type_param & SELECT_ONE_TASK_PER_CORE ? 1 : 0;
}

/* Of a core's threads JOB may use some only, and a task have cores of its own. */
static struct rate cores_rate_of(const job_record_t *job, const node_record_t *node)
{
	const multi_core_data_t *cores = job->details->mc_ptr;
	uint32_t per_task = job->details->cpus_per_task ? job->details->cpus_per_task : 1;
	uint32_t threads = node->tpc ? node->tpc : 1, usable = threads;
	uint32_t tasks = cores_tasks_on_core(cores);

	if (tasks && tasks * per_task < usable)
		usable = tasks * per_task;
	if (cores && cores->threads_per_core && cores->threads_per_core < usable)
		usable = cores->threads_per_core;
	if (tasks != 1)
		return (struct rate){ usable, threads };
	return (struct rate){ per_task, (per_task + usable - 1) / usable * threads };
}

uint64_t lw_cores_take(const job_record_t *job, const node_record_t *node, uint64_t cpus)
{
	struct rate rate = cores_rate_of(job, node);

	return (cpus * rate.taken + rate.cpus - 1) / rate.cpus;
}

uint64_t lw_cores_mem(const job_record_t *job, const node_record_t *node, uint16_t type,
		      uint64_t mem_mib)
{
	const multi_core_data_t *cores = job->details->mc_ptr;

	if (!(type & (SELECT_CORE | SELECT_SOCKET)) || !cores || !cores->threads_per_core ||
	    cores->threads_per_core >= node->tpc)
		return mem_mib;
	return (mem_mib * cores->threads_per_core + node->tpc - 1) / node->tpc;
}

