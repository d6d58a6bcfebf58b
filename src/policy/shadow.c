/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the shadow time: when, by hard limits, a job that waits will have room. */
#include "policy/shadow.h"

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
	lw_releases_init(releases);
}

static int by_end(const void *a, const void *b)
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
	/* a simulator hands running jobs over in order: then there is nothing to sort */
	if (releases->count && by_end(&releases->items[releases->count - 1], release) > 0)
		releases->sorted = false;
	releases->items[releases->count++] = *release;
	return 0;
}

int lw_releases_begin(struct lw_releases *releases, const struct lw_snapshot *snap)
{
	releases->count = 0;
	releases->sorted = true;
	for (uint32_t i = 0; i < snap->running_count; i++) {
		const struct lw_running *job = &snap->running[i];
		struct lw_release release = {
			.end_s = job->end_s > snap->now_s ? job->end_s : snap->now_s + 1,
			.job_id = job->job_id,
			.first_alloc = job->first_alloc,
			.alloc_count = job->alloc_count,
		};

		if (lw_releases_add(releases, &release))
			return -ENOMEM;
	}
	return 0;
}

/* Bounds that tell at once that a request cannot fit, kept up release by release. */
struct bounds {
	uint64_t nodes; /* candidates that have the per-node amounts */
	uint64_t cpus;	/* what they could give together */
	uint64_t gpus;
};

static void bound_node(struct bounds *bounds, const struct lw_res *free,
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

static bool may_fit(const struct bounds *bounds, const struct lw_request *req)
{
	return bounds->nodes >= req->nodes_min && bounds->cpus >= req->cpus_total &&
	       bounds->gpus >= req->gpus_total;
}

/* Returns whether a candidate node gained anything. */
static bool give_back(const struct lw_snapshot *snap, const struct lw_plan *plan,
		      const struct lw_release *release, const struct lw_bitset *candidates,
		      const struct lw_request *req, struct lw_res *future,
		      struct bounds *bounds)
{
	const struct lw_alloc *allocs = release->planned ? plan->allocs : snap->allocs;
	bool touched = false;

	for (uint32_t i = 0; i < release->alloc_count; i++) {
		const struct lw_alloc *alloc = &allocs[release->first_alloc + i];
		const struct lw_res *total = &snap->nodes[alloc->node].total;
		bool candidate = lw_bitset_test(candidates, alloc->node);

		if (candidate)
			bound_node(bounds, &future[alloc->node], total, req, -1);
		lw_res_add(&future[alloc->node], &alloc->res);
		/* Slurm may count more in use than a node has; never plan beyond it */
		lw_res_min(&future[alloc->node], total);
		if (candidate)
			bound_node(bounds, &future[alloc->node], total, req, 1);
		touched |= candidate;
	}
	return touched;
}

/* The same nodes at another time: nothing is reserved there yet. */
static struct lw_room room_of(const struct lw_room *room, const struct lw_res *future)
{
	struct lw_room then = *room;

	then.free = future;
	then.spare = NULL;
	then.guarded = NULL;
	then.index = NULL;
	return then;
}

int lw_shadow_find(const struct lw_snapshot *snap, const struct lw_plan *plan,
		   struct lw_releases *releases, const struct lw_room *room,
		   const struct lw_request *req, struct lw_placer *placer,
		   struct lw_res *future, struct lw_shadow *ret_shadow)
{
	struct lw_room then = room_of(room, future);
	struct bounds bounds = { 0, 0, 0 };
	uint32_t i = 0, node;

	if (!releases->sorted)
		qsort(releases->items, releases->count, sizeof(*releases->items), by_end);
	releases->sorted = true;
	memcpy(future, room->free, snap->node_count * sizeof(*future));
	lw_bitset_foreach(room->candidates, node)
		bound_node(&bounds, &future[node], &room->total[node], req, 1);
	*ret_shadow = (struct lw_shadow){ .time_s = snap->now_s };
	if (may_fit(&bounds, req) &&
	    !lw_place(placer, &then, req, &ret_shadow->allocs, &ret_shadow->alloc_count))
		return 0;
	while (i < releases->count) {
		int64_t time_s = releases->items[i].end_s;
		uint32_t after_job = 0;
		bool touched = false;

		/* all that ends in the same second counts at once */
		for (; i < releases->count && releases->items[i].end_s == time_s; i++) {
			if (!give_back(snap, plan, &releases->items[i], room->candidates, req,
				       future, &bounds))
				continue;
			after_job = releases->items[i].job_id;
			touched = true;
		}
		if (!touched || !may_fit(&bounds, req) ||
		    lw_place(placer, &then, req, &ret_shadow->allocs, &ret_shadow->alloc_count))
			continue;
		ret_shadow->next = i;
		ret_shadow->time_s = time_s;
		ret_shadow->after_job = after_job;
		return 0;
	}
	return -ENOSPC;
}

int lw_shadow_extend(const struct lw_snapshot *snap, const struct lw_plan *plan,
		     const struct lw_releases *releases, const struct lw_room *room,
		     const struct lw_request *req, struct lw_placer *placer, int64_t until_s,
		     struct lw_res *future, struct lw_shadow *shadow)
{
	struct lw_room then = room_of(room, future);
	struct bounds bounds = { 0, 0, 0 };

	for (; shadow->next < releases->count; shadow->next++) {
		const struct lw_release *release = &releases->items[shadow->next];

		if (release->end_s > until_s)
			break;
		give_back(snap, plan, release, room->candidates, req, future, &bounds);
	}
	return lw_place(placer, &then, req, &shadow->allocs, &shadow->alloc_count);
}
