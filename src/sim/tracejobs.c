/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the jobs of a trace, as leeway sim runs them. */
#include "sim/tracejobs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "policy/predict/history.h"

static uint32_t known(int32_t number)
{
	return number < 0 ? LW_HISTORY_NOBODY : (uint32_t)number;
}

static bool is_wanted(const struct lw_tracejobs_options *options, uint32_t position)
{
	return position >= options->first_job &&
	       (!options->last_job || position <= options->last_job);
}

static void take(struct lw_tracejobs *jobs, const struct lw_swf_job *from, uint32_t position,
		 const struct lw_tracejobs_options *options)
{
	int32_t procs = from->requested_procs > 0 ? from->requested_procs : from->procs;
	struct lw_sim_job *job = &jobs->jobs[jobs->count];

	if (procs <= 0 || from->run_s < 0) {
		jobs->dropped_unknown++;
		return;
	}
	memset(job, 0, sizeof(*job));
	if (!lw_machine_request(&options->machine, (uint32_t)procs, &job->request)) {
		jobs->dropped_wide++;
		return;
	}
	job->id = position;
	job->user = known(options->group_as_user ? from->group : from->user);
	job->group = known(from->group);
	job->partition = known(from->partition >= 0 ? from->partition : from->queue);
	job->submit_s = from->submit_s;
	job->run_s = from->run_s;
	job->limit_s = from->requested_s > from->run_s ? from->requested_s : from->run_s;
	if (job->limit_s < 1)
		job->limit_s = 1;
	if (from->requested_s > 0 && from->requested_s < job->limit_s)
		job->asked_s = from->requested_s;
	jobs->count++;
}

int lw_tracejobs_init(struct lw_tracejobs *jobs, const struct lw_swf *swf,
		      const struct lw_tracejobs_options *options)
{
	memset(jobs, 0, sizeof(*jobs));
	jobs->jobs = calloc((size_t)swf->job_count + 1, sizeof(*jobs->jobs));
	if (!jobs->jobs)
		return -ENOMEM;
	for (uint32_t i = 0; i < swf->job_count; i++) {
		if (is_wanted(options, i + 1))
			take(jobs, &swf->jobs[i], i + 1, options);
	}
	return 0;
}

static bool fits(const struct lw_workload_job *job, const struct lw_machine *machine)
{
	return job->nodes <= machine->nodes && job->cpus_per_node <= machine->cpus_per_node &&
	       job->gpus_per_node <= machine->gpus_per_node &&
	       (!machine->mem_mib_per_node || job->mem_mib_per_node <= machine->mem_mib_per_node);
}

static void take_work(struct lw_tracejobs *jobs, const struct lw_workload_job *from,
		      uint32_t position, const struct lw_machine *machine)
{
	if (!fits(from, machine)) {
		jobs->dropped_wide++;
		return;
	}
	jobs->jobs[jobs->count++] = (struct lw_sim_job){
		.id = position,
		.user = from->user,
		.group = LW_HISTORY_NOBODY,
		.partition = LW_HISTORY_NOBODY,
		.submit_s = from->submit_s,
		.run_s = from->run_s,
		.limit_s = from->limit_s < 1 ? 1 : from->limit_s,
		.cancel_after_s = from->cancel_s == LW_WORKLOAD_NEVER ? 0
				  : from->cancel_s < 1		      ? 1
								      : from->cancel_s,
		.request = {
			.nodes_min = from->nodes,
			.nodes_max = from->nodes,
			.cpus_per_node = from->cpus_per_node,
			.gpus_per_node = (uint16_t)from->gpus_per_node,
			.gpu_type = LW_GPU_ANY,
			.mem_per_node_mib = machine->mem_mib_per_node ?
				(uint32_t)from->mem_mib_per_node : 0,
		},
	};
}

int lw_tracejobs_of_workload(struct lw_tracejobs *jobs, const struct lw_workload *workload,
			     const struct lw_tracejobs_options *options)
{
	memset(jobs, 0, sizeof(*jobs));
	jobs->jobs = calloc((size_t)workload->job_count + 1, sizeof(*jobs->jobs));
	if (!jobs->jobs)
		return -ENOMEM;
	for (uint32_t i = 0; i < workload->job_count; i++) {
		if (is_wanted(options, i + 1))
			take_work(jobs, &workload->jobs[i], i + 1, &options->machine);
	}
	return 0;
}

void lw_tracejobs_fini(struct lw_tracejobs *jobs)
{
	free(jobs->jobs);
	memset(jobs, 0, sizeof(*jobs));
}
