/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the shadow time: when, by hard limits, a waiting job will have room. */
#include "planner/time/shadow.h"

#include "base/grow.h"

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
	free(releases->over);
	free(releases->owed);
	lw_releases_init(releases);
}

static int shadow_by_end(const void *a, const void *b)
{
	const struct lw_release *x = a, *y = b;

	if (x->end_s != y->end_s)
		return x->end_s < y->end_s ? -1 : 1;
	if (x->job_id != y->job_id)
		return x->job_id < y->job_id ? -1 : 1;
	if (x->planned != y->planned)
		return x->planned ? 1 : -1;
	return x->first_alloc < y->first_alloc ? -1 : x->first_alloc > y->first_alloc;
}

int lw_releases_add(struct lw_releases *releases, const struct lw_release *release)
{
	if (lw_grow((void **)&releases->items, &releases->room, releases->count + 1,
		    sizeof(*releases->items)))
		return -ENOMEM;
	/* a simulator passes running jobs in order: then there is nothing to sort */
	if (releases->count && shadow_by_end(&releases->items[releases->count - 1], release) > 0)
		releases->sorted = false;
	releases->items[releases->count++] = *release;
	return 0;
}

/* On a node that jobs share (OverSubscribe, suspended jobs) more may be in use than it has. */
static int shadow_find_over(struct lw_releases *releases, const struct lw_snapshot *snap)
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

int lw_releases_begin(struct lw_releases *releases, const struct lw_snapshot *snap,
		      enum lw_ends ends, int64_t until_s)
{
	releases->count = 0;
	releases->sorted = true;
	releases->seeker = NULL;
	if (shadow_find_over(releases, snap))
		return -ENOMEM;
	for (uint32_t i = 0; i < snap->running_count; i++) {
		const struct lw_running *job = &snap->running[i];
		struct lw_release release = {
			.end_s = lw_running_end_s(job, snap->now_s, ends),
			.job_id = job->job_id,
			.first_alloc = job->first_alloc,
			.alloc_count = job->alloc_count,
			.preempt_class = job->preempt_class,
			.priority = job->priority,
		};

		if (release.end_s <= until_s && lw_releases_add(releases, &release))
			return -ENOMEM;
	}
	return 0;
}

void lw_releases_prolong(struct lw_releases *releases, const struct lw_snapshot *snap,
			 uint32_t run, int64_t by_s)
{
	const struct lw_running *job = &snap->running[run];

	for (uint32_t i = 0; i < releases->count; i++) {
		struct lw_release *release = &releases->items[i];

		if (release->planned || release->job_id != job->job_id ||
		    release->first_alloc != job->first_alloc)
			continue;
		release->end_s = lw_end_after_s(release->end_s, by_s);
		releases->sorted = false;
	}
}

void lw_releases_drop(struct lw_releases *releases, const struct lw_snapshot *snap, uint32_t run)
{
	const struct lw_running *job = &snap->running[run];

	for (uint32_t i = 0; i < releases->count; i++) {
		struct lw_release *release = &releases->items[i];

		if (!release->planned && release->job_id == job->job_id &&
		    release->first_alloc == job->first_alloc)
			release->alloc_count = 0;
	}
	for (uint32_t i = 0; releases->over && i < job->alloc_count; i++) {
		const struct lw_alloc *alloc = &snap->allocs[job->first_alloc + i];

		lw_res_sub(&releases->over[alloc->node], &alloc->res);
	}
}

/* Bounds that show at once that a request cannot fit, updated with each release. */
struct bounds {
	uint64_t nodes; /* candidates that have the per-node amounts */
	uint64_t cpus;	/* what they could give together */
	uint64_t gpus;
};

static void shadow_bound_node(struct bounds *bounds, const struct lw_res *free,
			      const struct lw_res *total, const struct lw_request *req, int sign)
{
	int first = req->gpu_type, last = req->gpu_type;
	uint32_t cpus = 0, gpus = 0;
	bool serves = false;

	if (!req->gpus_per_node && !req->gpus_total) {
		first = last = LW_GPU_ANY;
	} else if (req->gpu_type == LW_GPU_ANY) {
		first = 0;
		last = LW_GPU_TYPES_MAX - 1;
	}
	for (int type = first; type <= last; type++) {
		struct lw_res give;

		if (!lw_place_on_node(free, total, req, type, &give))
			continue;
		serves = true;
		cpus = give.cpus > cpus ? give.cpus : cpus;
		gpus += lw_res_gpus(&give);
	}
	if (!serves)
		return;
	bounds->nodes += (uint64_t)(int64_t)sign;
	bounds->cpus += (uint64_t)((int64_t)sign * cpus);
	bounds->gpus += (uint64_t)((int64_t)sign * gpus);
}

static bool shadow_may_fit(const struct bounds *bounds, const struct lw_request *req)
{
	return bounds->nodes >= req->nodes_min && bounds->cpus >= req->cpus_total &&
	       bounds->gpus >= req->gpus_total;
}

/* Add to what is free on the node, once the amount beyond its size is given back. */
static void shadow_give_node(const struct lw_seek *seek, const struct lw_alloc *alloc)
{
	const struct lw_releases *releases = seek->releases;
	struct lw_res res = alloc->res;

	if (releases->over) {
		struct lw_res paid = releases->owed[alloc->node];

		lw_res_min(&paid, &res);
		lw_res_sub(&releases->owed[alloc->node], &paid);
		lw_res_sub(&res, &paid);
	}
	lw_res_add(&seek->future[alloc->node], &res);
	lw_res_min(&seek->future[alloc->node], &seek->snap->nodes[alloc->node].total);
}

static const struct lw_alloc *shadow_allocs_of(const struct lw_seek *seek,
					       const struct lw_release *release)
{
	const struct lw_alloc *allocs = release->planned ? seek->plan->allocs
							 : seek->snap->allocs;

	return allocs ? allocs + release->first_alloc : NULL;
}

static bool shadow_is_gone(const struct lw_releases *releases, const struct lw_release *release)
{
	return releases->seeker &&
	       lw_constraints_preempt_running(releases->seeker, release->preempt_class,
					      release->priority);
}

/* What is free before any job ends. */
static void shadow_begin_future(const struct lw_seek *seek)
{
	const struct lw_releases *releases = seek->releases;
	uint32_t node_count = seek->snap->node_count;

	memcpy(seek->future, seek->room->free, node_count * sizeof(*seek->future));
	if (releases->over)
		memcpy(releases->owed, releases->over, node_count * sizeof(*releases->owed));
	if (!releases->seeker || !lw_constraints_preempt(releases->seeker))
		return;
	for (uint32_t i = 0; i < releases->count; i++) {
		const struct lw_release *release = &releases->items[i];
		const struct lw_alloc *allocs = shadow_allocs_of(seek, release);

		for (uint32_t k = 0;
		     shadow_is_gone(releases, release) && k < release->alloc_count; k++)
			shadow_give_node(seek, &allocs[k]);
	}
}

/* Returns whether a candidate node gained anything. */
static bool shadow_give_back(const struct lw_seek *seek, const struct lw_release *release,
			     struct bounds *bounds)
{
	const struct lw_alloc *allocs = shadow_allocs_of(seek, release);
	bool touched = false;

	for (uint32_t i = 0; !shadow_is_gone(seek->releases, release) && i < release->alloc_count;
	     i++) {
		uint32_t node = allocs[i].node;
		const struct lw_res *total = &seek->snap->nodes[node].total;
		bool candidate = lw_bitset_test(seek->room->candidates, node);

		if (candidate)
			shadow_bound_node(bounds, &seek->future[node], total, seek->req, -1);
		shadow_give_node(seek, &allocs[i]);
		if (candidate)
			shadow_bound_node(bounds, &seek->future[node], total, seek->req, 1);
		touched |= candidate;
	}
	return touched;
}

/* The same nodes at another time: nothing is reserved there yet. */
static struct lw_room shadow_room_then(const struct lw_seek *seek)
{
	struct lw_room then = *seek->room;

	then.free = seek->future;
	then.now = seek->room->free;
	then.spare = NULL;
	then.guarded = NULL;
	then.index = NULL;
	return then;
}

/* The next time after TIME_S at which there may be more room; false: never. */
static bool shadow_next_event(const struct lw_seek *seek, uint32_t next, int64_t *time_s,
			      bool *ret_opens)
{
	const struct lw_releases *releases = seek->releases;
	int64_t opens_s = lw_fit_next_opening(seek->room, *time_s);
	int64_t ends_s = next < releases->count ? releases->items[next].end_s : INT64_MAX;

	*time_s = opens_s < ends_s ? opens_s : ends_s;
	*ret_opens = opens_s == *time_s;
	return *time_s != INT64_MAX;
}

/* All that ends at the shadow time counts together; does it make room that may matter? */
static bool shadow_give_back_at(const struct lw_seek *seek, struct lw_shadow *shadow,
				struct bounds *bounds)
{
	const struct lw_releases *releases = seek->releases;
	bool touched = false;

	shadow->after_job = 0;
	for (; shadow->next < releases->count &&
	       releases->items[shadow->next].end_s == shadow->time_s;
	     shadow->next++) {
		const struct lw_release *release = &releases->items[shadow->next];

		if (!shadow_give_back(seek, release, bounds) && !lw_fit_needs_more(seek->room))
			continue;
		shadow->after_job = release->job_id;
		touched = true;
	}
	return touched;
}

int lw_shadow_find(const struct lw_seek *seek, struct lw_shadow *ret_shadow)
{
	struct lw_releases *releases = seek->releases;
	struct lw_room then = shadow_room_then(seek);
	struct bounds bounds = { 0, 0, 0 };
	struct lw_shadow shadow = { .time_s = seek->snap->now_s };
	bool touched = true, opens;
	uint32_t node;

	if (!releases->sorted)
		qsort(releases->items, releases->count, sizeof(*releases->items), shadow_by_end);
	releases->sorted = true;
	shadow_begin_future(seek);
	lw_bitset_foreach(seek->room->candidates, node) shadow_bound_node(
		&bounds, &seek->future[node], &seek->room->total[node], seek->req, 1);
	for (;;) {
		if (touched && shadow_may_fit(&bounds, seek->req) &&
		    !lw_fit(seek->placer, &then, seek->req, shadow.time_s, &shadow.allocs,
			    &shadow.alloc_count))
			break;
		if (!shadow_next_event(seek, shadow.next, &shadow.time_s, &opens))
			return -ENOSPC;
		touched = shadow_give_back_at(seek, &shadow, &bounds) || opens;
	}
	*ret_shadow = shadow;
	return 0;
}

int lw_shadow_extend(const struct lw_seek *seek, int64_t until_s, struct lw_shadow *shadow)
{
	const struct lw_releases *releases = seek->releases;
	struct lw_room then = shadow_room_then(seek);
	struct bounds bounds = { 0, 0, 0 };

	for (; shadow->next < releases->count; shadow->next++) {
		const struct lw_release *release = &releases->items[shadow->next];

		if (release->end_s > until_s)
			break;
		shadow_give_back(seek, release, &bounds);
	}
	return lw_fit(seek->placer, &then, seek->req, until_s, &shadow->allocs,
		      &shadow->alloc_count);
}
