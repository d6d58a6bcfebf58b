/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway analyse: the jobs of a workload, which say what they are, and never waited. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "lab/analyse/input.h"
#include "lab/sim/workload_sum.h"
#include "measure/workload.h"

static uint64_t sum_of(const struct lw_workload *workload, enum lw_joblog_unit unit)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < workload->type_count; i++) {
		const struct lw_nodes *type = &workload->types[i];

		sum += (uint64_t)type->count * (unit == LW_JOBLOG_GPUS    ? type->gpus
						: unit == LW_JOBLOG_CORES ? type->cpus
									  : 1);
	}
	return sum;
}

static uint32_t size_of(const struct lw_workload_job *job, enum lw_joblog_unit unit)
{
	uint64_t size = (uint64_t)job->nodes * (unit == LW_JOBLOG_GPUS    ? job->gpus_per_node
						: unit == LW_JOBLOG_CORES ? job->cpus_per_node
									  : 1);

	return size < UINT32_MAX ? (uint32_t)size : UINT32_MAX - 1;
}

static enum lw_outcome outcome_of(const struct lw_workload_job *job)
{
	return job->cancel_s != LW_WORKLOAD_NEVER ? LW_OUTCOME_CANCELLED
	       : job->run_s > job->limit_s        ? LW_OUTCOME_TIMEOUT
	       : job->exit_code                   ? LW_OUTCOME_FAILED
						  : LW_OUTCOME_COMPLETED;
}

static int workload_take(struct lw_ana_input *input, const struct lw_workload_job *from)
{
	struct lw_joblog_job job = { .submit_s = from->submit_s,
				     .wait_s = LW_JOBLOG_UNKNOWN,
				     .run_s = lw_workload_held_s(from),
				     .limit_s = from->limit_s,
				     .size = size_of(from, input->log.unit),
				     .account = LW_JOBLOG_NOBODY,
				     .partition = LW_JOBLOG_NOBODY,
				     .hour = (uint8_t)(from->submit_s / 3600 % 24),
				     .weekday = LW_JOBLOG_NO_CLOCK,
				     .outcome = (uint8_t)outcome_of(from),
				     .kind = from->kind == LW_WORKLOAD_HPC ? LW_JOBLOG_OTHER
									   : LW_JOBLOG_DEEP,
				     .util_percent = UINT8_MAX };
	char user[16];
	int rc;

	snprintf(user, sizeof(user), "%" PRIu32, from->user);
	rc = lw_ana_input_number(input, LW_BY_USER, user, &job.user);
	if (!rc)
		rc = lw_ana_input_number(input, LW_BY_NAME, from->name, &job.name);
	return rc ? rc : lw_ana_input_add(input, &job);
}

int lw_ana_read_workload(struct lw_ana_input *input, struct lw_lines *lines,
			 const struct lw_ana_options *options, struct lw_error *err)
{
	struct lw_workload workload;
	uint32_t with_gpus = 0;
	int rc = lw_workload_parse(&workload, lines, input->path, err);

	if (rc)
		return rc;
	input->form = ANA_WORKLOAD;
	for (uint32_t i = 0; i < workload.job_count; i++)
		with_gpus += workload.jobs[i].gpus_per_node > 0;
	input->log.unit = options->has_unit                    ? options->unit
			  : with_gpus > workload.job_count / 2 ? LW_JOBLOG_GPUS
							       : LW_JOBLOG_CORES;
	input->log.machine = sum_of(&workload, input->log.unit);
	for (uint32_t i = 0; !rc && i < workload.job_count; i++)
		if (i + 1 >= options->first_job && (!options->last_job || i < options->last_job))
			rc = workload_take(input, &workload.jobs[i]);
	lw_workload_fini(&workload);
	return rc ? lw_error_set(err, rc, "out of memory") : 0;
}
