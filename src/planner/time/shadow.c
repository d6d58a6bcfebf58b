/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the shadow time: when, by hard limits, a waiting job will have room. */
#include "planner/time/shadow.h"

#include "base/search.h"

#include <errno.h>
#include <string.h>

/*
 * Bounds that show at once that a request cannot fit, updated with each release: first the
 * amounts of all candidates together, then, once these are enough, what each of them could give.
 */
struct bounds {
	struct lw_res_sum all;
	bool by_node;   /* nodes, cpus and gpus are known */
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

/* Count all candidates, with what is free on them by now. */
static void shadow_bound_nodes(struct bounds *bounds, const struct lw_seek *seek)
{
	uint32_t node;

	bounds->by_node = true;
	lw_bitset_foreach(seek->room->candidates, node) shadow_bound_node(
		bounds, &seek->future[node], &seek->room->total[node], seek->req, 1);
}

static bool shadow_may_fit(struct bounds *bounds, const struct lw_seek *seek)
{
	const struct lw_request *req = seek->req;

	if (!bounds->by_node) {
		if (!lw_request_may_fit(req, &bounds->all))
			return false;
		shadow_bound_nodes(bounds, seek);
	}
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

/* Is it preempted before it ends: from RELEASE->yields_s on, or at once? */
static bool shadow_yields(const struct lw_releases *releases, const struct lw_release *release)
{
	return releases->seeker && release->yields_s < release->end_s &&
	       lw_constraints_preempt_running(releases->seeker, release->preempt_class,
					      release->priority);
}

/* The next time after TIME_S from which on the seeker may preempt another job; INT64_MAX: none.
 */
static int64_t shadow_next_yield(const struct lw_seek *seek, int64_t time_s)
{
	struct lw_releases *releases = seek->releases;
	const struct lw_release *release;
	int64_t next_s = INT64_MAX;

	if (!releases->seeker || !lw_constraints_preempt(releases->seeker))
		return INT64_MAX;
	for (uint32_t i = 0; (release = lw_releases_at(releases, i)); i++)
		if (shadow_yields(releases, release) && release->yields_s > time_s &&
		    release->yields_s < next_s)
			next_s = release->yields_s;
	return next_s;
}

/* What is free before any job ends. */
static void shadow_begin_future(const struct lw_seek *seek)
{
	struct lw_releases *releases = seek->releases;
	const struct lw_release *release;
	uint32_t node_count = seek->snap->node_count;

	memcpy(seek->future, seek->room->free, node_count * sizeof(*seek->future));
	if (releases->over)
		memcpy(releases->owed, releases->over, node_count * sizeof(*releases->owed));
	if (!releases->seeker || !lw_constraints_preempt(releases->seeker))
		return;
	for (uint32_t i = 0; (release = lw_releases_at(releases, i)); i++) {
		const struct lw_alloc *allocs = shadow_allocs_of(seek, release);

		for (uint32_t k = 0;
		     shadow_yields(releases, release) && release->yields_s <= seek->snap->now_s &&
		     k < release->alloc_count;
		     k++)
			shadow_give_node(seek, &allocs[k]);
	}
}

/* A candidate's node gains ALLOC. */
static void shadow_give_candidate(const struct lw_seek *seek, const struct lw_alloc *alloc,
				  struct bounds *bounds)
{
	const struct lw_res *total = &seek->snap->nodes[alloc->node].total;
	const struct lw_res *free = &seek->future[alloc->node];

	if (!bounds->by_node) {
		lw_res_sum_add(&bounds->all, &alloc->res);
		shadow_give_node(seek, alloc);
		return;
	}
	shadow_bound_node(bounds, free, total, seek->req, -1);
	shadow_give_node(seek, alloc);
	shadow_bound_node(bounds, free, total, seek->req, 1);
}

/* Returns whether a candidate node gained anything. */
static bool shadow_give_all(const struct lw_seek *seek, const struct lw_release *release,
			    struct bounds *bounds)
{
	const struct lw_alloc *allocs = shadow_allocs_of(seek, release);
	bool touched = false;

	for (uint32_t i = 0; i < release->alloc_count; i++) {
		if (lw_bitset_test(seek->room->candidates, allocs[i].node)) {
			shadow_give_candidate(seek, &allocs[i], bounds);
			touched = true;
		} else {
			shadow_give_node(seek, &allocs[i]);
		}
	}
	return touched;
}

/* The same of a job that ends, unless it was preempted before. */
static bool shadow_give_back(const struct lw_seek *seek, const struct lw_release *release,
			     struct bounds *bounds)
{
	return !shadow_yields(seek->releases, release) && shadow_give_all(seek, release, bounds);
}

/* Give back what jobs hold that can be preempted from a time on after FROM_S, up to UNTIL_S. */
static bool shadow_give_yielding(const struct lw_seek *seek, int64_t from_s, int64_t until_s,
				 struct lw_shadow *shadow, struct bounds *bounds)
{
	const struct lw_release *release;
	bool touched = false;

	for (uint32_t i = 0; (release = lw_releases_at(seek->releases, i)); i++) {
		if (!shadow_yields(seek->releases, release) || release->yields_s <= from_s ||
		    release->yields_s > until_s || !shadow_give_all(seek, release, bounds))
			continue;
		shadow->after_job = release->job_id;
		touched = true;
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

/* The next time after *TIME_S at which there may be more room, by YIELD_S; false: never. */
static bool shadow_next_event(const struct lw_seek *seek, uint32_t next, int64_t yield_s,
			      int64_t *time_s, bool *ret_opens)
{
	const struct lw_release *release = lw_releases_at(seek->releases, next);
	int64_t opens_s = lw_fit_next_opening(seek->room, *time_s);
	int64_t ends_s = release && release->end_s < yield_s ? release->end_s : yield_s;

	*time_s = opens_s < ends_s ? opens_s : ends_s;
	*ret_opens = opens_s == *time_s;
	return *time_s != INT64_MAX;
}

/* What the first releases up to NUMBER, which is there, give back, wherever that is. */
static struct lw_res_sum shadow_sum_of(const struct lw_seek *seek, uint32_t number)
{
	struct lw_releases *releases = seek->releases;

	for (; releases->summed <= number; releases->summed++) {
		const struct lw_release *release = &releases->items[releases->summed];
		const struct lw_alloc *allocs = shadow_allocs_of(seek, release);
		struct lw_res_sum sum = { 0 };

		if (releases->summed)
			sum = releases->sums[releases->summed - 1];
		for (uint32_t i = 0; i < release->alloc_count; i++)
			lw_res_sum_add(&sum, &allocs[i].res);
		releases->sums[releases->summed] = sum;
	}
	return releases->sums[number];
}

/* May the request fit with FREE and what is given back up to NUMBER? */
static bool shadow_may_fit_by(const struct lw_seek *seek, const struct lw_res_sum *free,
			      uint32_t number)
{
	struct lw_res_sum sum = shadow_sum_of(seek, number);

	sum.cpus += free->cpus;
	sum.gpus += free->gpus;
	return lw_request_may_fit(seek->req, &sum);
}

/* The first release with which there may be enough, by sums alone; NULL: there never is. */
static const struct lw_release *shadow_first(const struct lw_seek *seek,
					     const struct lw_res_sum *free)
{
	const struct lw_release *release = lw_releases_at(seek->releases, 0);
	uint32_t at;

	/* sums count only after that: it has put what was added in order */
	if (!release)
		return NULL;
	LW_SEARCH(at, seek->releases->summed, !shadow_may_fit_by(seek, free, at));
	while ((release = lw_releases_at(seek->releases, at)) &&
	       !shadow_may_fit_by(seek, free, at))
		at++;
	return release;
}

/* Give back all that ends before there may be enough. -ENOSPC: there never is. */
static int shadow_skip(const struct lw_seek *seek, struct lw_shadow *shadow,
		       struct bounds *bounds)
{
	const struct lw_release *first, *release;
	int64_t until_s;

	if (lw_request_may_fit(seek->req, &bounds->all))
		return 0;
	first = shadow_first(seek, &bounds->all);
	if (!first)
		return -ENOSPC;
	for (until_s = first->end_s; (release = lw_releases_at(seek->releases, shadow->next)) &&
				     release->end_s < until_s;
	     shadow->next++) {
		shadow->time_s = release->end_s;
		shadow_give_back(seek, release, bounds);
	}
	return 0;
}

/* All that ends at the shadow time counts together; does it make room that may matter? */
static bool shadow_give_back_at(const struct lw_seek *seek, struct lw_shadow *shadow,
				struct bounds *bounds)
{
	const struct lw_release *release;
	bool touched = false;

	shadow->after_job = 0;
	for (; (release = lw_releases_at(seek->releases, shadow->next)) &&
	       release->end_s == shadow->time_s;
	     shadow->next++) {
		if (!shadow_give_back(seek, release, bounds) && !lw_fit_needs_more(seek->room))
			continue;
		shadow->after_job = release->job_id;
		touched = true;
	}
	return touched;
}

int lw_shadow_find(const struct lw_seek *seek, struct lw_shadow *ret_shadow)
{
	struct lw_room then = shadow_room_then(seek);
	struct bounds bounds = { 0 };
	struct lw_shadow shadow = { .time_s = seek->snap->now_s };
	int64_t yield_s = shadow_next_yield(seek, seek->snap->now_s);
	bool touched = true, opens;
	uint32_t node;

	shadow_begin_future(seek);
	lw_bitset_foreach(seek->room->candidates, node)
		lw_res_sum_add(&bounds.all, &seek->future[node]);
	/* sums go by ends alone */
	if (yield_s == INT64_MAX && shadow_skip(seek, &shadow, &bounds))
		return -ENOSPC;
	for (;;) {
		if (touched && shadow_may_fit(&bounds, seek) &&
		    !lw_fit(seek->placer, &then, seek->req, shadow.time_s, &shadow.allocs,
			    &shadow.alloc_count))
			break;
		if (!shadow_next_event(seek, shadow.next, yield_s, &shadow.time_s, &opens))
			return -ENOSPC;
		touched = shadow_give_back_at(seek, &shadow, &bounds) || opens;
		if (shadow.time_s < yield_s)
			continue;
		touched |= shadow_give_yielding(seek, yield_s - 1, yield_s, &shadow, &bounds);
		yield_s = shadow_next_yield(seek, yield_s);
	}
	*ret_shadow = shadow;
	return 0;
}

int lw_shadow_extend(const struct lw_seek *seek, int64_t until_s, struct lw_shadow *shadow)
{
	struct lw_room then = shadow_room_then(seek);
	const struct lw_release *release;
	struct bounds bounds = { 0 };
	struct lw_shadow later;

	for (; (release = lw_releases_at(seek->releases, shadow->next)) &&
	       release->end_s <= until_s;
	     shadow->next++)
		shadow_give_back(seek, release, &bounds);
	if (shadow_next_yield(seek, shadow->time_s) <= until_s)
		shadow_give_yielding(seek, shadow->time_s, until_s, &later, &bounds);
	return lw_fit(seek->placer, &then, seek->req, until_s, &shadow->allocs,
		      &shadow->alloc_count);
}
