/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what running jobs give back, and when, in order of time. */
#include "planner/time/releases.h"

#include "base/grow.h"
#include "base/heap.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void lw_releases_init(struct lw_releases *releases)
{
	memset(releases, 0, sizeof(*releases));
}

void lw_releases_fini(struct lw_releases *releases)
{
	free(releases->items);
	free(releases->heap);
	free(releases->added);
	free(releases->sums);
	free(releases->over);
	free(releases->owed);
	lw_releases_init(releases);
}

static bool releases_before(const struct lw_release *a, const struct lw_release *b)
{
	if (a->end_s != b->end_s)
		return a->end_s < b->end_s;
	if (a->job_id != b->job_id)
		return a->job_id < b->job_id;
	if (a->planned != b->planned)
		return b->planned;
	return a->first_alloc < b->first_alloc;
}

LW_HEAP(releases, struct lw_release, releases_before)

static int releases_compare(const void *a, const void *b)
{
	return releases_before(a, b) ? -1 : releases_before(b, a);
}

/* Running jobs that are neither in items nor in the heap. */
static uint32_t releases_runs_left(const struct lw_releases *releases)
{
	return releases->snap->running_count - releases->next_run;
}

/* Make room for all that are there, and one more, wherever they come to be. -ENOMEM. */
static int releases_make_room(struct lw_releases *releases)
{
	uint32_t all = releases->count + releases->heap_count + releases->added_count +
		       releases_runs_left(releases) + 1;

	if (lw_grow((void **)&releases->items, &releases->room, all, sizeof(*releases->items)) ||
	    lw_grow((void **)&releases->heap, &releases->heap_room, all,
		    sizeof(*releases->heap)) ||
	    lw_grow((void **)&releases->sums, &releases->sum_room, all, sizeof(*releases->sums)))
		return -ENOMEM;
	return 0;
}

/* On a node that jobs share (OverSubscribe, suspended jobs) more may be in use than it has. */
static int releases_find_over(struct lw_releases *releases, const struct lw_snapshot *snap)
{
	uint32_t node = 0;

	free(releases->over);
	free(releases->owed);
	releases->over = releases->owed = NULL;
	while (node < snap->node_count &&
	       lw_res_within(&snap->used[node], &snap->nodes[node].total))
		node++;
	if (node == snap->node_count)
		return 0;
	releases->over = calloc(snap->node_count, sizeof(*releases->over));
	releases->owed = calloc(snap->node_count, sizeof(*releases->owed));
	if (!releases->over || !releases->owed)
		return -ENOMEM;
	for (; node < snap->node_count; node++) {
		releases->over[node] = snap->used[node];
		lw_res_sub(&releases->over[node], &snap->nodes[node].total);
	}
	return 0;
}

static struct lw_release releases_of(const struct lw_running *job, int64_t end_s)
{
	return (struct lw_release){
		.end_s = end_s,
		.job_id = job->job_id,
		.first_alloc = job->first_alloc,
		.alloc_count = job->alloc_count,
		.preempt_class = job->preempt_class,
		.yields_s = job->yields_s,
		.priority = job->priority,
	};
}

/* Hard ends of sorted jobs are in order, except those of jobs past their end. */
static void releases_begin_sorted(struct lw_releases *releases)
{
	const struct lw_snapshot *snap = releases->snap;

	for (; releases_runs_left(releases); releases->next_run++) {
		const struct lw_running *job = &snap->running[releases->next_run];

		if (job->end_s > snap->now_s + 1)
			break;
		releases_push(releases->heap, &releases->heap_count,
			      releases_of(job, snap->now_s + 1));
	}
}

static void releases_begin_unsorted(struct lw_releases *releases, enum lw_ends ends,
				    int64_t until_s)
{
	const struct lw_snapshot *snap = releases->snap;

	for (; releases_runs_left(releases); releases->next_run++) {
		const struct lw_running *job = &snap->running[releases->next_run];
		int64_t end_s = lw_running_end_s(job, snap->now_s, ends);

		if (end_s <= until_s)
			releases->heap[releases->heap_count++] = releases_of(job, end_s);
	}
	releases_make(releases->heap, releases->heap_count);
}

int lw_releases_begin(struct lw_releases *releases, const struct lw_snapshot *snap,
		      enum lw_ends ends, int64_t until_s)
{
	releases->snap = snap;
	releases->count = releases->heap_count = releases->summed = 0;
	releases->next_run = releases->added_count = 0;
	releases->seeker = NULL;
	if (releases_find_over(releases, snap) || releases_make_room(releases))
		return -ENOMEM;
	if (ends == LW_ENDS_HARD && snap->running_sorted && until_s == INT64_MAX)
		releases_begin_sorted(releases);
	else
		releases_begin_unsorted(releases, ends, until_s);
	return 0;
}

int lw_releases_add(struct lw_releases *releases, const struct lw_release *release)
{
	if (releases_make_room(releases) ||
	    lw_grow((void **)&releases->added, &releases->added_room, releases->added_count + 1,
		    sizeof(*releases->added)))
		return -ENOMEM;
	releases->added[releases->added_count++] = *release;
	return 0;
}

/* Merge the first COUNT of those added, which come before the last item, into items. */
static void releases_merge(struct lw_releases *releases, uint32_t count)
{
	struct lw_release *items = releases->items, *added = releases->added;
	uint32_t at = releases->count, to = at + count;

	qsort(added, count, sizeof(*added), releases_compare);
	releases->count = to;
	while (count) {
		if (at && releases_before(&added[count - 1], &items[at - 1]))
			items[--to] = items[--at];
		else
			items[--to] = added[--count];
	}
	if (releases->summed > at)
		releases->summed = at;
}

/* Put those added where they belong: a plan may start thousands before the next search. */
static void releases_settle(struct lw_releases *releases)
{
	uint32_t early = 0;

	for (uint32_t i = 0; i < releases->added_count; i++) {
		struct lw_release release = releases->added[i];

		if (releases->count &&
		    releases_before(&release, &releases->items[releases->count - 1]))
			releases->added[early++] = release;
		else
			releases_push(releases->heap, &releases->heap_count, release);
	}
	if (early)
		releases_merge(releases, early);
	releases->added_count = 0;
}

/* Move the first of the later ones into items. */
static void releases_take(struct lw_releases *releases)
{
	struct lw_release *next = &releases->items[releases->count++];

	if (releases_runs_left(releases)) {
		const struct lw_running *job = &releases->snap->running[releases->next_run];

		*next = releases_of(job, job->end_s);
		if (!releases->heap_count || releases_before(next, &releases->heap[0])) {
			releases->next_run++;
			return;
		}
	}
	*next = releases_pop(releases->heap, &releases->heap_count);
}

const struct lw_release *lw_releases_at(struct lw_releases *releases, uint32_t number)
{
	if (releases->added_count)
		releases_settle(releases);
	while (releases->count <= number &&
	       (releases->heap_count || releases_runs_left(releases)))
		releases_take(releases);
	return number < releases->count ? &releases->items[number] : NULL;
}

/* Put all into the heap, and find the one of running job RUN there; NULL: it is not there. */
static struct lw_release *releases_find(struct lw_releases *releases, uint32_t run)
{
	const struct lw_running *job = &releases->snap->running[run];

	releases_settle(releases);
	for (uint32_t i = 0; i < releases->count; i++)
		releases->heap[releases->heap_count++] = releases->items[i];
	releases->count = releases->summed = 0;
	for (; releases_runs_left(releases); releases->next_run++) {
		const struct lw_running *later = &releases->snap->running[releases->next_run];

		releases->heap[releases->heap_count++] = releases_of(later, later->end_s);
	}
	for (uint32_t i = 0; i < releases->heap_count; i++) {
		struct lw_release *release = &releases->heap[i];

		if (!release->planned && release->job_id == job->job_id &&
		    release->first_alloc == job->first_alloc)
			return release;
	}
	return NULL;
}

void lw_releases_prolong(struct lw_releases *releases, uint32_t run, int64_t by_s)
{
	struct lw_release *release = releases_find(releases, run);

	if (release)
		release->end_s = lw_end_after_s(release->end_s, by_s);
	releases_make(releases->heap, releases->heap_count);
}

void lw_releases_drop(struct lw_releases *releases, uint32_t run)
{
	const struct lw_running *job = &releases->snap->running[run];
	struct lw_release *release = releases_find(releases, run);

	if (release)
		release->alloc_count = 0;
	releases_make(releases->heap, releases->heap_count);
	for (uint32_t i = 0; releases->over && i < job->alloc_count; i++) {
		const struct lw_alloc *alloc = &releases->snap->allocs[job->first_alloc + i];

		lw_res_sub(&releases->over[alloc->node], &alloc->res);
	}
}
