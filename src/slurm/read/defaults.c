/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: a partition's DefCpuPerGPU and DefMemPerGPU. */
#include "slurm/read/defaults.h"

#include "slurm/query/amounts.h"

static int defaults_is_of_type(void *x, void *type)
{
	const job_defaults_t *value = x;

	return value->type == *(const uint16_t *)type;
}

/* The partition's, else the cluster's; 0: none. */
static uint64_t defaults_default_of(const part_record_t *part, uint16_t type)
{
	const job_defaults_t *value = NULL;

	if (part->job_defaults_list)
		value = list_find_first(part->job_defaults_list, defaults_is_of_type, &type);
	if (!value && slurm_conf.job_defaults_list)
		value = list_find_first(slurm_conf.job_defaults_list, defaults_is_of_type, &type);
	return value ? value->value : 0;
}

struct defaults {
	uint64_t cpus, mem_mib;
};

static int defaults_note(void *x, void *arg)
{
	const gres_state_t *gres = x;
	const struct defaults *defaults = arg;

	if (lw_gres_is_gpu(gres)) {
		gres_job_state_t *state = gres->gres_data;

		state->def_cpus_per_gres = defaults->cpus;
		state->def_mem_per_gres = defaults->mem_mib;
	}
	return 0;
}

void lw_note_gpu_defaults(job_record_t *job, const part_record_t *part)
{
	struct defaults defaults = { 0 };

	if (!job->gres_list_req)
		return;
	defaults.mem_mib = defaults_default_of(part, JOB_DEF_MEM_PER_GPU);
	/* a job that sets the CPUs of a task gets these instead */
	if (job->details->orig_cpus_per_task == NO_VAL16)
		defaults.cpus = defaults_default_of(part, JOB_DEF_CPU_PER_GPU);
	list_for_each(job->gres_list_req, defaults_note, &defaults);
}
