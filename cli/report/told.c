/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: chains and deadlines in one replay: which jobs waited for which, and the outcome. */
#include "cli/report/told.h"

#include "base/search.h"

#include <stdlib.h>
#include <string.h>

#include "measure/workload.h"

#define NO_TASK (-1L)

/* A job, by the number of its submission, and its task there. */
struct place {
	unsigned long id;
	long task;
	uint32_t job;
};

/* Some places, side by side. */
struct run_of {
	const struct place *first;
	uint32_t count;
};

struct finder {
	const struct lw_run *run;
	struct lw_told_job *jobs;
	struct place *places;
	int64_t *times; /* of one array */
};

static int compare_places(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	if (x->id != y->id)
		return x->id < y->id ? -1 : 1;
	if (x->task != y->task)
		return x->task < y->task ? -1 : 1;
	return (x->job > y->job) - (x->job < y->job);
}

static struct place place_of(const struct lw_run_job *job, uint32_t at)
{
	struct place place = { .task = NO_TASK, .job = at };
	char *end;

	place.id = strtoul(job->id, &end, 10);
	if (*end == '_' && end[1] >= '0' && end[1] <= '9')
		place.task = strtol(end + 1, NULL, 10);
	return place;
}

/* All that was submitted as ID. */
static struct run_of find_places(const struct finder *finder, unsigned long id)
{
	uint32_t at;
	struct run_of found = { finder->places, 0 };

	LW_SEARCH(at, finder->run->job_count, finder->places[at].id < id);
	found.first += at;
	while (at + found.count < finder->run->job_count && found.first[found.count].id == id)
		found.count++;
	return found;
}

static void wait_for(const struct finder *finder, uint32_t job, uint32_t before)
{
	struct lw_told_job *told = &finder->jobs[job];
	int64_t end_s = finder->run->jobs[before].end_s;

	finder->jobs[before].leads = true;
	if (end_s == LW_RUN_NONE || end_s <= told->awaited_s)
		return;
	told->awaited_s = end_s;
	told->before = before;
}

static void wait_for_places(const struct finder *finder, const struct place *place,
			    struct run_of others, bool by_task)
{
	for (uint32_t i = 0; i < others.count; i++)
		if (!by_task || others.first[i].task == place->task)
			wait_for(finder, place->job, others.first[i].job);
}

static void wait_for_name(const struct finder *finder, const struct place *place)
{
	const struct lw_run_job *jobs = finder->run->jobs, *job = &jobs[place->job];

	for (uint32_t i = 0; i < finder->run->job_count; i++) {
		const struct place *other = &finder->places[i];
		const struct lw_run_job *that = &jobs[other->job];

		if (other->id < place->id && strcmp(that->name, job->name) == 0 &&
		    strcmp(that->user, job->user) == 0)
			wait_for(finder, place->job, other->job);
	}
}

/* "afterok:7:9,singleton" */
static void wait_as_told(const struct finder *finder, const struct place *place, const char *after)
{
	const char *corr = lw_workload_after_name(LW_AFTER_CORR);
	const char *singleton = lw_workload_after_name(LW_AFTER_SINGLETON);

	while (*after) {
		size_t clause = strcspn(after, ","), name = strcspn(after, ":,");
		bool by_task = strncmp(after, corr, strlen(corr)) == 0;
		const char *at = after + name, *end = after + clause;

		if (strncmp(after, singleton, strlen(singleton)) == 0)
			wait_for_name(finder, place);
		while (at < end && *at == ':') {
			unsigned long id = strtoul(at + 1, (char **)&at, 10);

			wait_for_places(finder, place, find_places(finder, id), by_task);
		}
		after = *end ? end + 1 : end;
	}
}

static int compare_times(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

/* The job of PLACES that ended at END_S. */
static uint32_t who_ended(const struct finder *finder, struct run_of places, int64_t end_s)
{
	for (uint32_t i = 0; i < places.count; i++)
		if (finder->run->jobs[places.first[i].job].end_s == end_s)
			return places.first[i].job;
	return places.first[0].job;
}

/* The task that starts as number N + 1 of its array waited for the end that was number N - K + 1.
 */
static void wait_in_array(const struct finder *finder, struct run_of tasks, uint32_t at_most)
{
	int64_t *starts = finder->times, *ends = finder->times + tasks.count;
	uint32_t started = 0, ended = 0;

	for (uint32_t i = 0; i < tasks.count; i++) {
		const struct lw_run_job *job = &finder->run->jobs[tasks.first[i].job];

		if (job->start_s == LW_RUN_NONE)
			continue;
		starts[started++] = job->start_s;
		if (job->end_s != LW_RUN_NONE)
			ends[ended++] = job->end_s;
	}
	qsort(starts, started, sizeof(starts[0]), compare_times);
	qsort(ends, ended, sizeof(ends[0]), compare_times);
	for (uint32_t i = 0; i < tasks.count; i++) {
		uint32_t job = tasks.first[i].job, rank = 0;

		while (rank < started && starts[rank] < finder->run->jobs[job].start_s)
			rank++;
		if (rank >= at_most && rank - at_most < ended)
			wait_for(finder, job, who_ended(finder, tasks, ends[rank - at_most]));
	}
}

static void find_awaited(const struct finder *finder, const struct lw_run_told *told)
{
	struct run_of places = find_places(finder, told->id);

	for (uint32_t i = 0; i < places.count; i++) {
		finder->jobs[places.first[i].job].told = told;
		wait_as_told(finder, &places.first[i], told->after);
	}
	if (told->at_most)
		wait_in_array(finder, places, told->at_most);
}

struct lw_told_job *lw_told_jobs(const struct lw_run *run)
{
	size_t n = (size_t)run->job_count + 1;
	struct finder finder = {
		.run = run,
		.jobs = calloc(n, sizeof(*finder.jobs)),
		.places = calloc(n, sizeof(*finder.places)),
		.times = calloc(2 * n, sizeof(*finder.times)),
	};

	if (finder.jobs && finder.places && finder.times) {
		for (uint32_t i = 0; i < run->job_count; i++) {
			finder.places[i] = place_of(&run->jobs[i], i);
			finder.jobs[i].awaited_s = LW_RUN_NONE;
		}
		qsort(finder.places, run->job_count, sizeof(*finder.places), compare_places);
		for (uint32_t i = 0; i < run->told_count; i++)
			if (run->told[i].id)
				find_awaited(&finder, &run->told[i]);
	} else {
		free(finder.jobs);
		finder.jobs = NULL;
	}
	free(finder.places);
	free(finder.times);
	return finder.jobs;
}
