/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: which processors, by number, each job of a simulation had. */
#include "lab/sim/procmap.h"

#include "base/grow.h"
#include "base/search.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static uint32_t procs_of(const struct lw_res *res, bool by_gpus)
{
	uint32_t gpus = 0;

	for (size_t t = 0; t < sizeof(res->gpus) / sizeof(res->gpus[0]); t++)
		gpus += res->gpus[t];
	return by_gpus ? gpus : res->cpus;
}

int lw_procmap_init(struct lw_procmap *map, const struct lw_snapshot *snap, bool by_gpus,
		    uint32_t job_count)
{
	uint32_t all = 0;

	*map = (struct lw_procmap){ .by_gpus = by_gpus, .job_count = job_count };
	map->first = calloc((size_t)snap->node_count + 1, sizeof(*map->first));
	map->jobs = calloc((size_t)job_count + 1, sizeof(*map->jobs));
	map->free = calloc(1, sizeof(*map->free));
	if (!map->first || !map->jobs || !map->free) {
		lw_procmap_fini(map);
		return -ENOMEM;
	}
	for (uint32_t n = 0; n < snap->node_count; n++) {
		map->first[n] = all;
		all += procs_of(&snap->nodes[n].total, by_gpus);
	}
	map->first[snap->node_count] = all;
	map->free_room = 1;
	map->free_count = all > 0;
	map->free[0] = (struct lw_procrun){ 0, all - 1 };
	return 0;
}

void lw_procmap_fini(struct lw_procmap *map)
{
	for (uint32_t i = 0; map->jobs && i < map->job_count; i++)
		free(map->jobs[i].runs);
	free(map->jobs);
	free(map->first);
	free(map->free);
	memset(map, 0, sizeof(*map));
}

/* The first free run that ends at AT or behind it. */
static uint32_t find_free(const struct lw_procmap *map, uint32_t at)
{
	uint32_t place;

	LW_SEARCH(place, map->free_count, map->free[place].last < at);
	return place;
}

static int insert_free(struct lw_procmap *map, uint32_t place, struct lw_procrun run)
{
	if (lw_grow((void **)&map->free, &map->free_room, map->free_count + 1,
		    sizeof(*map->free)))
		return -ENOMEM;
	memmove(&map->free[place + 1], &map->free[place],
		(map->free_count - place) * sizeof(run));
	map->free[place] = run;
	map->free_count++;
	return 0;
}

static void remove_free(struct lw_procmap *map, uint32_t place)
{
	map->free_count--;
	memmove(&map->free[place], &map->free[place + 1],
		(map->free_count - place) * sizeof(*map->free));
}

/* Take RUN out of the free run at PLACE, which holds it. */
static int cut_free(struct lw_procmap *map, uint32_t place, struct lw_procrun run)
{
	struct lw_procrun *whole = &map->free[place];
	struct lw_procrun rest = { run.last + 1, whole->last };

	if (whole->first == run.first && whole->last == run.last) {
		remove_free(map, place);
		return 0;
	}
	if (whole->first == run.first) {
		whole->first = run.last + 1;
		return 0;
	}
	whole->last = run.first - 1;
	return rest.first <= rest.last ? insert_free(map, place + 1, rest) : 0;
}

/* What JOB has goes on with RUN. */
static int add_run(struct lw_procjob *job, struct lw_procrun run)
{
	void *bigger;

	if (job->count && job->runs[job->count - 1].last + 1 == run.first) {
		job->runs[job->count - 1].last = run.last;
		return 0;
	}
	bigger = realloc(job->runs, (job->count + 1) * sizeof(*job->runs));
	if (!bigger)
		return -ENOMEM;
	job->runs = bigger;
	job->runs[job->count++] = run;
	return 0;
}

static int take_on(struct lw_procmap *map, struct lw_procjob *job, const struct lw_alloc *alloc)
{
	uint32_t wanted = procs_of(&alloc->res, map->by_gpus);
	uint32_t begin = map->first[alloc->node], end = map->first[alloc->node + 1];
	int rc = 0;

	while (!rc && wanted) {
		uint32_t place = find_free(map, begin);
		struct lw_procrun run;

		if (place == map->free_count || map->free[place].first >= end)
			break;
		run = map->free[place];
		run.first = run.first < begin ? begin : run.first;
		run.last = run.last >= end ? end - 1 : run.last;
		if (run.last - run.first >= wanted)
			run.last = run.first + wanted - 1;
		wanted -= run.last - run.first + 1;
		rc = cut_free(map, place, run);
		if (!rc)
			rc = add_run(job, run);
	}
	return rc;
}

/* So that what a job has is in order, too. */
static int compare_allocs(const void *a, const void *b)
{
	const struct lw_alloc *x = a, *y = b;

	return (x->node > y->node) - (x->node < y->node);
}

void lw_procmap_take(struct lw_procmap *map, uint32_t job, const struct lw_alloc *allocs,
		     uint32_t count)
{
	struct lw_alloc *sorted = malloc((size_t)count * sizeof(*sorted) + 1);
	int rc = sorted ? 0 : -ENOMEM;

	map->jobs[job].count = 0;
	map->jobs[job].guest = false;
	if (!rc && count) {
		memcpy(sorted, allocs, (size_t)count * sizeof(*sorted));
		qsort(sorted, count, sizeof(*sorted), compare_allocs);
	}
	for (uint32_t i = 0; !rc && i < count; i++)
		rc = take_on(map, &map->jobs[job], &sorted[i]);
	if (rc)
		map->error = rc;
	free(sorted);
}

void lw_procmap_join(struct lw_procmap *map, uint32_t job, uint32_t holder)
{
	const struct lw_procjob *from = &map->jobs[holder];
	struct lw_procjob *to = &map->jobs[job];

	to->count = 0;
	to->guest = true;
	for (uint32_t i = 0; i < from->count; i++)
		if (add_run(to, from->runs[i]))
			map->error = -ENOMEM;
}

void lw_procmap_pass(struct lw_procmap *map, uint32_t holder, uint32_t heir)
{
	map->jobs[holder].guest = true;
	map->jobs[heir].guest = false;
}

static int give_run(struct lw_procmap *map, struct lw_procrun run)
{
	uint32_t place = find_free(map, run.first);
	struct lw_procrun *before = place ? &map->free[place - 1] : NULL;
	struct lw_procrun *behind = place < map->free_count ? &map->free[place] : NULL;
	bool joins_before = before && before->last + 1 == run.first;
	bool joins_behind = behind && run.last + 1 == behind->first;

	if (joins_before && joins_behind) {
		before->last = behind->last;
		remove_free(map, place);
	} else if (joins_before) {
		before->last = run.last;
	} else if (joins_behind) {
		behind->first = run.first;
	} else {
		return insert_free(map, place, run);
	}
	return 0;
}

void lw_procmap_give(struct lw_procmap *map, uint32_t job)
{
	for (uint32_t i = 0; !map->jobs[job].guest && i < map->jobs[job].count; i++)
		if (give_run(map, map->jobs[job].runs[i]))
			map->error = -ENOMEM;
}

void lw_procmap_print(const struct lw_procmap *map, uint32_t job, struct lw_strbuf *sb)
{
	const struct lw_procjob *had = job < map->job_count ? &map->jobs[job] : NULL;

	for (uint32_t i = 0; had && i < had->count; i++) {
		lw_strbuf_add(sb, "%s%" PRIu32, i ? " " : "", had->runs[i].first);
		if (had->runs[i].last > had->runs[i].first)
			lw_strbuf_add(sb, "-%" PRIu32, had->runs[i].last);
	}
}

int lw_procmap_write(const struct lw_procmap *map, FILE *file)
{
	bool well = fwrite(&map->job_count, sizeof(map->job_count), 1, file) == 1;

	for (uint32_t i = 0; well && i < map->job_count; i++) {
		const struct lw_procjob *job = &map->jobs[i];

		/* a job that had none has no room for them either */
		well = fwrite(&job->count, sizeof(job->count), 1, file) == 1 &&
		       (!job->count ||
			fwrite(job->runs, sizeof(*job->runs), job->count, file) == job->count);
	}
	return well && !fflush(file) ? 0 : -EIO;
}

static int read_procjob(struct lw_procjob *job, FILE *file)
{
	if (fread(&job->count, sizeof(job->count), 1, file) != 1)
		return -EIO;
	job->runs = calloc((size_t)job->count + 1, sizeof(*job->runs));
	if (!job->runs)
		return -ENOMEM;
	return fread(job->runs, sizeof(*job->runs), job->count, file) == job->count ? 0 : -EIO;
}

int lw_procmap_read(struct lw_procmap *map, FILE *file)
{
	uint32_t count;
	int rc = 0;

	if (fread(&count, sizeof(count), 1, file) != 1)
		return -EIO;
	map->jobs = calloc((size_t)count + 1, sizeof(*map->jobs));
	if (!map->jobs)
		return -ENOMEM;
	for (map->job_count = count; !rc && count-- > 0;)
		rc = read_procjob(&map->jobs[map->job_count - 1 - count], file);
	return rc;
}
