/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what is free on every node at every time to come, by hard limits. */
#include "policy/profile.h"

#include "base/grow.h"
#include "policy/bounds.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void lw_profile_fini(struct lw_profile *profile)
{
	free(profile->steps);
	free(profile->changes);
	free(profile->base);
	free(profile->at);
	free(profile->ahead);
	free(profile->least);
	memset(profile, 0, sizeof(*profile));
}

/* The first step not before TIME_S. */
static uint32_t step_pos(const struct lw_profile *profile, int64_t time_s)
{
	uint32_t low = 0, high = profile->step_count;

	while (low < high) {
		uint32_t mid = low + (high - low) / 2;

		if (profile->steps[mid].time_s < time_s)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/* The step of TIME_S, made if there is none. */
static int step_at(struct lw_profile *profile, int64_t time_s, uint32_t *ret_pos)
{
	uint32_t pos = step_pos(profile, time_s);
	struct lw_step *step;

	*ret_pos = pos;
	if (pos < profile->step_count && profile->steps[pos].time_s == time_s)
		return 0;
	if (lw_grow((void **)&profile->steps, &profile->step_room,
		    profile->step_count + 1, sizeof(*profile->steps)))
		return -ENOMEM;
	step = &profile->steps[pos];
	memmove(step + 1, step, (profile->step_count - pos) * sizeof(*step));
	*step = (struct lw_step){ .time_s = time_s };
	profile->step_count++;
	return 0;
}

static int add_changes(struct lw_profile *profile, int64_t time_s,
		       const struct lw_alloc *allocs, uint32_t count, bool given)
{
	uint32_t pos;

	if (lw_grow((void **)&profile->changes, &profile->change_room,
		    profile->change_count + count, sizeof(*profile->changes)) ||
	    step_at(profile, time_s, &pos))
		return -ENOMEM;
	for (uint32_t i = 0; i < count; i++) {
		profile->changes[profile->change_count++] = (struct lw_change){
			.node = allocs[i].node,
			.res = allocs[i].res,
			.next = profile->steps[pos].first,
			.given = given,
		};
		profile->steps[pos].first = profile->change_count;
	}
	return 0;
}

int lw_profile_take(struct lw_profile *profile, int64_t start_s, int64_t end_s,
		    const struct lw_alloc *allocs, uint32_t count)
{
	if (add_changes(profile, start_s, allocs, count, false))
		return -ENOMEM;
	return add_changes(profile, end_s, allocs, count, true);
}

static int size_nodes(struct lw_profile *profile, uint32_t count)
{
	profile->node_count = count;
	if (lw_grow((void **)&profile->base, &profile->base_room, count + 1,
		    sizeof(*profile->base)) ||
	    lw_grow((void **)&profile->at, &profile->at_room, count + 1,
		    sizeof(*profile->at)) ||
	    lw_grow((void **)&profile->ahead, &profile->ahead_room, count + 1,
		    sizeof(*profile->ahead)) ||
	    lw_grow((void **)&profile->least, &profile->least_room, count + 1,
		    sizeof(*profile->least)))
		return -ENOMEM;
	return 0;
}

int lw_profile_begin(struct lw_profile *profile, const struct lw_snapshot *snap)
{
	uint32_t pos;

	profile->step_count = 0;
	profile->change_count = 0;
	if (size_nodes(profile, snap->node_count) || step_at(profile, snap->now_s, &pos))
		return -ENOMEM;
	for (uint32_t i = 0; i < snap->node_count; i++) {
		profile->base[i] = snap->nodes[i].total;
		lw_res_sub(&profile->base[i], &snap->used[i]);
	}
	for (uint32_t i = 0; i < snap->running_count; i++) {
		const struct lw_running *job = &snap->running[i];
		int64_t end_s = job->end_s > snap->now_s ? job->end_s : snap->now_s + 1;

		if (add_changes(profile, end_s, snap->allocs + job->first_alloc,
				job->alloc_count, true))
			return -ENOMEM;
	}
	return 0;
}

/* A search: what it is for, and the bounds of what is free at one time. */
struct search {
	struct lw_profile *profile;
	const struct lw_room *room;
	const struct lw_request *req;
	struct lw_bounds at, ahead;
};

static void change_node(const struct search *search, const struct lw_change *change,
			struct lw_res *free, struct lw_bounds *bounds)
{
	const struct lw_res *total = &search->room->total[change->node];
	bool counts = lw_bitset_test(search->room->candidates, change->node);

	if (counts)
		lw_bounds_add(bounds, free, total, search->req, -1);
	if (change->given) {
		lw_res_add(free, &change->res);
		/* Slurm may count more in use than a node has; never plan beyond it */
		lw_res_min(free, total);
	} else {
		lw_res_sub(free, &change->res);
	}
	if (counts)
		lw_bounds_add(bounds, free, total, search->req, 1);
}

/*
 * Let STEP happen to FREE. Gifts come first: what one job leaves another may take, and
 * amounts do not go below 0.
 */
static void pass_step(const struct search *search, uint32_t step, struct lw_res *free,
		      struct lw_bounds *bounds, struct lw_res *least)
{
	const struct lw_profile *profile = search->profile;

	for (int given = 1; given >= 0; given--) {
		for (uint32_t c = profile->steps[step].first; c;
		     c = profile->changes[c - 1].next) {
			const struct lw_change *change = &profile->changes[c - 1];

			if (change->given == (bool)given)
				change_node(search, change, &free[change->node], bounds);
		}
	}
	for (uint32_t c = profile->steps[step].first; least && c;
	     c = profile->changes[c - 1].next)
		lw_res_min(&least[profile->changes[c - 1].node],
			   &free[profile->changes[c - 1].node]);
}

static int try_place(const struct search *search, const struct lw_res *free,
		     struct lw_placer *placer, struct lw_profile_fit *fit)
{
	struct lw_room room = *search->room;

	room.free = free;
	room.index = NULL;
	room.spare = NULL;
	room.guarded = NULL;
	return lw_place(placer, &room, search->req, &fit->allocs, &fit->alloc_count);
}

/*
 * Can the job be there from step FROM on? If not, *ret_next is the first step that is
 * worth another try.
 */
static bool fits_from(struct search *search, uint32_t from, int64_t end_s,
		      struct lw_placer *placer, struct lw_profile_fit *fit,
		      uint32_t *ret_next)
{
	struct lw_profile *profile = search->profile;
	size_t size = profile->node_count * sizeof(*profile->at);

	*ret_next = from + 1;
	if (!lw_bounds_may_fit(&search->at, search->req) ||
	    try_place(search, profile->at, placer, fit))
		return false;
	memcpy(profile->ahead, profile->at, size);
	memcpy(profile->least, profile->at, size);
	search->ahead = search->at;
	for (uint32_t step = from + 1;
	     step < profile->step_count && profile->steps[step].time_s < end_s; step++) {
		pass_step(search, step, profile->ahead, &search->ahead, profile->least);
		if (!lw_bounds_may_fit(&search->ahead, search->req)) {
			*ret_next = step + 1;
			return false;
		}
	}
	return !try_place(search, profile->least, placer, fit);
}

int lw_profile_find(struct lw_profile *profile, const struct lw_room *room,
		    const struct lw_request *req, int64_t from_s, int64_t duration_s,
		    struct lw_placer *placer, struct lw_profile_fit *ret_fit)
{
	struct search search = { .profile = profile, .room = room, .req = req };
	uint32_t step = 0, next = 0, node;

	memcpy(profile->at, profile->base, profile->node_count * sizeof(*profile->at));
	lw_bitset_foreach(room->candidates, node)
		lw_bounds_add(&search.at, &profile->at[node], &room->total[node], req, 1);
	while (next < profile->step_count && profile->steps[next].time_s < from_s)
		next++;
	for (;;) {
		int64_t time_s;

		for (; step <= next && step < profile->step_count; step++)
			pass_step(&search, step, profile->at, &search.at, NULL);
		if (next >= profile->step_count)
			return -ENOSPC;
		time_s = profile->steps[next].time_s;
		if (fits_from(&search, next,
			      duration_s > INT64_MAX - time_s ? INT64_MAX
							      : time_s + duration_s,
			      placer, ret_fit, &next)) {
			ret_fit->start_s = time_s;
			return 0;
		}
	}
}
