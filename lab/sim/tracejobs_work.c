/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the jobs of a workload, as leeway sim runs them, and what they wait for. */
#include "lab/sim/tracejobs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/history.h"

/* Jobs of a workload by user, name and place. */
struct namesakes {
	const struct lw_workload *workload;
	uint32_t *order;
	uint32_t *pos_of; /* by place: where it is in order */
	uint32_t *since;  /* by place: the first in order that it may have to wait for */
};

static int compare_names(const struct lw_workload_job *a, const struct lw_workload_job *b)
{
	if (a->user != b->user)
		return a->user < b->user ? -1 : 1;
	return strcmp(a->name, b->name);
}

static int by_name(const void *a, const void *b, void *arg)
{
	const struct lw_workload *workload = arg;
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	int rc = compare_names(&workload->jobs[x], &workload->jobs[y]);

	return rc ? rc : x < y ? -1 : x > y;
}

static bool is_singleton(const struct lw_workload *workload, const struct lw_workload_job *job)
{
	for (uint32_t i = 0; i < job->after_count; i++)
		if (workload->afters[job->first_after + i].kind == LW_AFTER_SINGLETON)
			return true;
	return false;
}

static void namesakes_fini(struct namesakes *namesakes)
{
	free(namesakes->order);
	free(namesakes->pos_of);
	free(namesakes->since);
}

static int namesakes_init(struct namesakes *namesakes, const struct lw_workload *workload)
{
	size_t room = (size_t)workload->job_count + 1;
	uint32_t since = 0;

	namesakes->workload = workload;
	namesakes->order = calloc(room, sizeof(uint32_t));
	namesakes->pos_of = calloc(room, sizeof(uint32_t));
	namesakes->since = calloc(room, sizeof(uint32_t));
	if (!namesakes->order || !namesakes->pos_of || !namesakes->since)
		return -ENOMEM;
	for (uint32_t i = 0; i < workload->job_count; i++)
		namesakes->order[i] = i;
	qsort_r(namesakes->order, workload->job_count, sizeof(uint32_t), by_name, (void *)workload);
	for (uint32_t pos = 0; pos < workload->job_count; pos++) {
		uint32_t place = namesakes->order[pos];
		const struct lw_workload_job *job = &workload->jobs[place];

		if (!pos || compare_names(&workload->jobs[namesakes->order[pos - 1]], job))
			since = pos;
		namesakes->pos_of[place] = pos;
		namesakes->since[place] = since;
		if (is_singleton(workload, job))
			since = pos;
	}
	return 0;
}

static int add_namesakes(struct lw_tracejobs *jobs, struct lw_sim_job *job,
			 const struct namesakes *namesakes)
{
	uint32_t place = job->id - 1;
	int rc = 0;

	for (uint32_t pos = namesakes->since[place]; !rc && pos < namesakes->pos_of[place]; pos++)
		rc = lw_tracejobs_add_after(jobs, job, LW_AFTER_SINGLETON,
					    namesakes->order[pos] + 1);
	return rc;
}

/* The task that JOB is of its array. */
static uint32_t task_of(const struct lw_workload *workload, uint32_t place)
{
	int64_t array = workload->jobs[place].array;
	uint32_t first = place;

	while (array != LW_WORKLOAD_NEVER && first && workload->jobs[first - 1].array == array)
		first--;
	return place - first;
}

static int add_named(struct lw_tracejobs *jobs, struct lw_sim_job *job,
		     const struct lw_workload *workload, const struct lw_after *after)
{
	const struct lw_workload_id *named = lw_workload_find(workload, after->job);
	int rc = 0;

	if (!named) {
		jobs->afters_lost++;
		return 0;
	}
	if (after->kind == LW_AFTER_CORR)
		return lw_tracejobs_add_after(jobs, job, after->kind,
					      named->first + task_of(workload, job->id - 1) + 1);
	for (uint32_t i = 0; !rc && i < named->tasks; i++)
		rc = lw_tracejobs_add_after(jobs, job, after->kind, named->first + i + 1);
	return rc;
}

static int add_all(struct lw_tracejobs *jobs, struct lw_sim_job *job,
		   const struct namesakes *namesakes)
{
	const struct lw_workload *workload = namesakes->workload;
	const struct lw_workload_job *from = &workload->jobs[job->id - 1];
	int rc = 0;

	for (uint32_t i = 0; !rc && i < from->after_count; i++) {
		const struct lw_after *after = &workload->afters[from->first_after + i];

		rc = after->kind == LW_AFTER_SINGLETON ? add_namesakes(jobs, job, namesakes)
						       : add_named(jobs, job, workload, after);
	}
	return rc;
}

/*
 * What the jobs wait for: for an array all tasks, or the one of the same number; for a singleton
 * all jobs of its user and name back to the last other singleton, which waited for those before.
 */
static int work_take_afters(struct lw_tracejobs *jobs, const struct lw_workload *workload)
{
	struct namesakes namesakes = { 0 };
	int rc;

	if (!workload->after_count)
		return 0;
	rc = namesakes_init(&namesakes, workload);
	for (uint32_t i = 0; !rc && i < jobs->count; i++)
		rc = add_all(jobs, &jobs->jobs[i], &namesakes);
	namesakes_fini(&namesakes);
	lw_tracejobs_point(jobs);
	return rc;
}

static bool tracejobs_fits(const struct lw_workload_job *job, const struct lw_machine *machine)
{
	const struct lw_nodes each = { .cpus = job->cpus_per_node,
				       .gpus = job->gpus_per_node,
				       .mem_mib = job->mem_mib_per_node };

	return job->nodes <= lw_machine_fitting(machine, &each);
}

static int64_t cancel_after_s(const struct lw_workload_job *from,
			      const struct lw_tracejobs_options *options)
{
	if (options->no_cancels || from->cancel_s == LW_WORKLOAD_NEVER)
		return 0;
	return from->cancel_s < 1 ? 1 : from->cancel_s;
}

static void take_work(struct lw_tracejobs *jobs, const struct lw_workload_job *from,
		      uint32_t position, const struct lw_tracejobs_options *options)
{
	const struct lw_machine *machine = &options->machine;
	const struct lw_recipes *recipes = *from->recipe ? options->recipes : NULL;

	if (!tracejobs_fits(from, machine)) {
		jobs->dropped_wide++;
		return;
	}
	jobs->jobs[jobs->count++] = (struct lw_sim_job){
		.id = position,
		.user = from->user,
		.group = LW_HISTORY_NOBODY,
		.partition = LW_HISTORY_NOBODY,
		.application = UINT32_MAX,
		.submit_s = from->submit_s,
		.run_s = from->run_s,
		.given_run_s = from->run_s,
		.recipes = recipes,
		.recipe = recipes ? lw_recipes_find(recipes, from->recipe) : NULL,
		.limit_s = from->limit_s < 1 ? 1 : from->limit_s,
		.size = { from->least_nodes, from->nodes, from->shared },
		.exit_code = from->exit_code,
		.think_s = from->think_s,
		.finish_by_s = from->deadline_s ? from->submit_s + from->deadline_s : 0,
		.weight = from->weight,
		.resumable = from->resumable,
		.save_s = from->save_s,
		.restart_s = from->restart_s,
		.array = from->at_most ? (uint32_t)from->array + 1 : 0,
		.at_most = from->at_most,
		.cancel_after_s = cancel_after_s(from, options),
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
	int rc;

	memset(jobs, 0, sizeof(*jobs));
	jobs->jobs = calloc((size_t)workload->job_count + 1, sizeof(*jobs->jobs));
	if (!jobs->jobs)
		return -ENOMEM;
	for (uint32_t i = 0; i < workload->job_count; i++) {
		if (lw_tracejobs_wants(options, i + 1))
			take_work(jobs, &workload->jobs[i], i + 1, options);
	}
	rc = work_take_afters(jobs, workload);
	if (rc)
		lw_tracejobs_fini(jobs);
	return rc;
}
