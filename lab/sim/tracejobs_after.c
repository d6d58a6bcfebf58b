/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what the jobs of a trace wait for. */
#include "lab/sim/tracejobs_after.h"

#include "base/grow.h"
#include "base/search.h"
#include "lab/sim/swf_numbers.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Jobs of a workload by user, name and place. */
struct namesakes {
	const struct lw_workload *workload;
	uint32_t *order;
	uint32_t *pos_of; /* by place: where it is in order */
	uint32_t *since;  /* by place: the first in order that it may have to wait for */
};

static bool is_there(const struct lw_tracejobs *jobs, uint32_t id)
{
	uint32_t at;

	LW_SEARCH(at, jobs->count, jobs->jobs[at].id < id);
	return at < jobs->count && jobs->jobs[at].id == id;
}

static int add(struct lw_tracejobs *jobs, struct lw_sim_job *job, enum lw_after_kind kind,
	       uint32_t id)
{
	if (!is_there(jobs, id)) {
		jobs->afters_lost++;
		return 0;
	}
	if (lw_grow((void **)&jobs->afters, &jobs->after_room, jobs->after_count + 1,
		    sizeof(*jobs->afters)))
		return -ENOMEM;
	jobs->afters[jobs->after_count++] = (struct lw_after){ kind, id };
	job->after_count++;
	return 0;
}

/* The list moves no more. */
static void point(struct lw_tracejobs *jobs)
{
	uint32_t first = 0;

	for (uint32_t i = 0; i < jobs->count; i++) {
		struct lw_sim_job *job = &jobs->jobs[i];

		job->afters = job->after_count ? jobs->afters + first : NULL;
		first += job->after_count;
	}
}

int lw_tracejobs_after_swf(struct lw_tracejobs *jobs, const struct lw_swf *swf)
{
	struct lw_swf_numbers numbers;
	int rc = lw_swf_numbers_init(&numbers, swf);

	for (uint32_t i = 0; !rc && numbers.count && i < jobs->count; i++) {
		struct lw_sim_job *job = &jobs->jobs[i];
		const struct lw_swf_job *from = &swf->jobs[job->id - 1];
		uint32_t before;

		if (from->preceding < 1)
			continue;
		before = lw_swf_numbers_before(&numbers, from->preceding, job->id - 1);
		if (before == LW_SWF_NOWHERE)
			jobs->afters_lost++;
		else
			rc = add(jobs, job, LW_AFTER_ANY, before + 1);
		if (job->after_count && from->think_s > 0)
			job->think_s = from->think_s;
	}
	lw_swf_numbers_fini(&numbers);
	point(jobs);
	return rc;
}

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
		rc = add(jobs, job, LW_AFTER_SINGLETON, namesakes->order[pos] + 1);
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
		return add(jobs, job, after->kind,
			   named->first + task_of(workload, job->id - 1) + 1);
	for (uint32_t i = 0; !rc && i < named->tasks; i++)
		rc = add(jobs, job, after->kind, named->first + i + 1);
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

int lw_tracejobs_after_workload(struct lw_tracejobs *jobs, const struct lw_workload *workload)
{
	struct namesakes namesakes = { 0 };
	int rc;

	if (!workload->after_count)
		return 0;
	rc = namesakes_init(&namesakes, workload);
	for (uint32_t i = 0; !rc && i < jobs->count; i++)
		rc = add_all(jobs, &jobs->jobs[i], &namesakes);
	namesakes_fini(&namesakes);
	point(jobs);
	return rc;
}
