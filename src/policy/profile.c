/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what is free on every node at every time to come, by hard limits. */
#include "policy/profile.h"

#include "base/grow.h"

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
	free(profile->run);
	free(profile->bad);
	free(profile->seen);
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
	if (profile->node_count == 1)
		step->free = pos ? step[-1].free : profile->base[0];
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

static int take_alone(struct lw_profile *profile, int64_t start_s, int64_t end_s,
		      const struct lw_res *res)
{
	uint32_t from, until;

	if (step_at(profile, start_s, &from) || step_at(profile, end_s, &until))
		return -ENOMEM;
	for (uint32_t step = from; step < until; step++)
		lw_res_sub(&profile->steps[step].free, res);
	return 0;
}

int lw_profile_take(struct lw_profile *profile, int64_t start_s, int64_t end_s,
		    const struct lw_alloc *allocs, uint32_t count)
{
	if (profile->node_count == 1)
		return take_alone(profile, start_s, end_s, &allocs[0].res);
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
		    sizeof(*profile->least)) ||
	    lw_grow((void **)&profile->run, &profile->run_room, count + 1,
		    sizeof(*profile->run)) ||
	    lw_grow((void **)&profile->bad, &profile->bad_room, count + 1,
		    sizeof(*profile->bad)) ||
	    lw_grow((void **)&profile->seen, &profile->seen_room, count + 1,
		    sizeof(*profile->seen)))
		return -ENOMEM;
	return 0;
}

/* What the running jobs give back, step by step. */
static void settle_alone(struct lw_profile *profile, const struct lw_res *total)
{
	for (uint32_t i = 1; i < profile->step_count; i++) {
		struct lw_step *step = &profile->steps[i];

		step->free = step[-1].free;
		for (uint32_t c = step->first; c; c = profile->changes[c - 1].next)
			lw_res_add(&step->free, &profile->changes[c - 1].res);
		/* Slurm may count more in use than a node has; never plan beyond it */
		lw_res_min(&step->free, total);
	}
}

int lw_profile_begin(struct lw_profile *profile, const struct lw_snapshot *snap)
{
	uint32_t pos;

	profile->step_count = 0;
	profile->change_count = 0;
	if (size_nodes(profile, snap->node_count))
		return -ENOMEM;
	for (uint32_t i = 0; i < snap->node_count; i++) {
		profile->base[i] = snap->nodes[i].total;
		lw_res_sub(&profile->base[i], &snap->used[i]);
	}
	if (step_at(profile, snap->now_s, &pos))
		return -ENOMEM;
	/* steps at which nothing ends, but nodes open */
	for (uint32_t i = 0; i < snap->closure_count; i++) {
		if (snap->closures[i].until_s > snap->now_s &&
		    step_at(profile, snap->closures[i].until_s, &pos))
			return -ENOMEM;
	}
	for (uint32_t i = 0; i < snap->running_count; i++) {
		const struct lw_running *job = &snap->running[i];
		int64_t end_s = job->end_s > snap->now_s ? job->end_s : snap->now_s + 1;

		if (add_changes(profile, end_s, snap->allocs + job->first_alloc,
				job->alloc_count, true))
			return -ENOMEM;
	}
	if (profile->node_count == 1)
		settle_alone(profile, &snap->nodes[0].total);
	return 0;
}

/* A search. Its window is the job's time, from a step on: [steps[trail], end). */
struct search {
	struct lw_profile *profile;
	const struct lw_room *room;
	const struct lw_request *req;
	uint32_t trail, lead; /* at is after step trail, ahead after step lead - 1 */
	uint32_t good;        /* nodes that serve throughout the window */
	uint32_t stamp;       /* of the look through one step */
};

/* Could the node serve REQ with so much FREE, with GPUs of some type? */
static bool serves(const struct search *search, uint32_t node, const struct lw_res *free)
{
	const struct lw_request *req = search->req;
	int first = req->gpu_type, last = req->gpu_type;
	struct lw_res give;

	if (!req->gpus_per_node && !req->gpus_total) {
		first = last = LW_GPU_ANY;
	} else if (req->gpu_type == LW_GPU_ANY) {
		first = 0;
		last = (int)search->room->gpu_types - 1;
	}
	for (int type = first; type <= last; type++) {
		if (lw_place_on_node(free, &search->room->total[node], req, type, &give))
			return true;
	}
	return false;
}

static void change_node(const struct search *search, const struct lw_change *change,
			struct lw_res *free)
{
	if (!change->given) {
		lw_res_sub(free, &change->res);
		return;
	}
	lw_res_add(free, &change->res);
	/* Slurm may count more in use than a node has; never plan beyond it */
	lw_res_min(free, &search->room->total[change->node]);
}

/*
 * Let STEP happen to FREE. Gifts come first: what one job leaves another may take, and
 * amounts do not go below 0.
 */
static void pass_step(const struct search *search, uint32_t step, struct lw_res *free)
{
	const struct lw_profile *profile = search->profile;

	for (int given = 1; given >= 0; given--) {
		for (uint32_t c = profile->steps[step].first; c;
		     c = profile->changes[c - 1].next) {
			const struct lw_change *change = &profile->changes[c - 1];

			if (change->given == (bool)given)
				change_node(search, change, &free[change->node]);
		}
	}
}

/* One more moment (or less) of the window at which the node does not serve. */
static void count_bad(struct search *search, uint32_t node, bool more)
{
	uint32_t *bad = &search->profile->bad[node];

	if (!lw_bitset_test(search->room->candidates, node))
		return;
	if (more && !(*bad)++)
		search->good--;
	if (!more && !--*bad)
		search->good++;
}

/* A step may touch a node twice: true for the first time in the look that STAMP counts.
 */
static bool first_touch(const struct search *search, uint32_t node)
{
	uint32_t *seen = &search->profile->seen[node];

	if (*seen == search->stamp)
		return false;
	*seen = search->stamp;
	return true;
}

/* Take the steps before END_S into the window. */
static void extend(struct search *search, int64_t end_s)
{
	const struct lw_profile *profile = search->profile;

	for (; search->lead < profile->step_count &&
	       profile->steps[search->lead].time_s < end_s;
	     search->lead++) {
		pass_step(search, search->lead, profile->ahead);
		search->stamp++;
		for (uint32_t c = profile->steps[search->lead].first; c;
		     c = profile->changes[c - 1].next) {
			uint32_t node = profile->changes[c - 1].node;

			if (first_touch(search, node) &&
			    !serves(search, node, &profile->ahead[node]))
				count_bad(search, node, true);
		}
	}
}

/* Let the window begin with the next step, which it holds already. */
static void advance(struct search *search)
{
	const struct lw_profile *profile = search->profile;
	uint32_t step = search->trail + 1;

	search->stamp++;
	/* how a node was before the step no longer counts; how it is after it does
	 * already */
	for (uint32_t c = profile->steps[step].first; c;
	     c = profile->changes[c - 1].next) {
		uint32_t node = profile->changes[c - 1].node;

		if (first_touch(search, node) &&
		    !serves(search, node, &profile->at[node]))
			count_bad(search, node, false);
	}
	pass_step(search, step, profile->at);
	search->trail = step;
}

/* By node the least that is free in the window, and so what the job may take. */
static int place_in_window(struct search *search, struct lw_placer *placer,
			   struct lw_profile_fit *fit)
{
	const struct lw_profile *profile = search->profile;
	size_t size = profile->node_count * sizeof(*profile->at);
	struct lw_room room = *search->room;

	memcpy(profile->least, profile->at, size);
	memcpy(profile->run, profile->at, size);
	for (uint32_t step = search->trail + 1; step < search->lead; step++) {
		pass_step(search, step, profile->run);
		for (uint32_t c = profile->steps[step].first; c;
		     c = profile->changes[c - 1].next) {
			uint32_t node = profile->changes[c - 1].node;

			lw_res_min(&profile->least[node], &profile->run[node]);
		}
	}
	room.free = profile->least;
	room.index = NULL;
	room.spare = NULL;
	room.guarded = NULL;
	return lw_fit(placer, &room, search->req, fit->start_s, &fit->allocs,
		      &fit->alloc_count);
}

/* The window of the first step, of no length. */
static void begin_search(struct search *search)
{
	struct lw_profile *profile = search->profile;
	size_t size = profile->node_count * sizeof(*profile->at);
	uint32_t node;

	memcpy(profile->at, profile->base, size);
	pass_step(search, 0, profile->at);
	memcpy(profile->ahead, profile->at, size);
	memset(profile->bad, 0, profile->node_count * sizeof(*profile->bad));
	memset(profile->seen, 0, profile->node_count * sizeof(*profile->seen));
	search->lead = 1;
	lw_bitset_foreach(search->room->candidates, node)
	{
		search->good++;
		if (!serves(search, node, &profile->at[node]))
			count_bad(search, node, true);
	}
}

/* Does a lone node serve from STEP on? Most often CPUs are all that matters. */
static bool serves_alone(const struct search *search, const struct lw_step *step)
{
	const struct lw_request *req = search->req;

	if (step->free.cpus < req->cpus_per_node)
		return false;
	if (!req->gpus_per_node && !req->gpus_total && !req->exclusive &&
	    !req->mem_per_node_mib && !req->mem_per_cpu_mib)
		return true;
	return serves(search, 0, &step->free);
}

/* Place the job on the lone node, from step FROM to before step UNTIL. */
static int place_alone(struct search *search, uint32_t from, uint32_t until,
		       struct lw_placer *placer, struct lw_profile_fit *fit)
{
	struct lw_room room = *search->room;
	struct lw_res least = search->profile->steps[from].free;

	for (uint32_t i = from + 1; i < until; i++)
		lw_res_min(&least, &search->profile->steps[i].free);
	room.free = &least;
	room.index = NULL;
	room.spare = NULL;
	room.guarded = NULL;
	return lw_place(placer, &room, search->req, &fit->allocs, &fit->alloc_count);
}

/* On a lone node: from the step after one that does not serve, until the job is through. */
static int find_alone(struct search *search, int64_t from_s, int64_t duration_s,
		      struct lw_placer *placer, struct lw_profile_fit *ret_fit)
{
	const struct lw_profile *profile = search->profile;
	uint32_t from = step_pos(profile, from_s), until;

	if (from && (from == profile->step_count || profile->steps[from].time_s > from_s))
		from--;
	while (from < profile->step_count) {
		const struct lw_step *steps = profile->steps;
		int64_t start_s = steps[from].time_s > from_s ? steps[from].time_s : from_s;
		int64_t end_s =
			duration_s > INT64_MAX - start_s ? INT64_MAX : start_s + duration_s;

		for (until = from; until < profile->step_count && steps[until].time_s < end_s;
		     until++) {
			if (!serves_alone(search, &steps[until]))
				break;
		}
		if (until < profile->step_count && steps[until].time_s < end_s) {
			from = until + 1;
		} else if (!place_alone(search, from, until, placer, ret_fit)) {
			ret_fit->start_s = start_s;
			return 0;
		} else {
			from++;
		}
	}
	return -ENOSPC;
}

int lw_profile_find(struct lw_profile *profile, const struct lw_room *room,
		    const struct lw_request *req, int64_t from_s, int64_t duration_s,
		    struct lw_placer *placer, struct lw_profile_fit *ret_fit)
{
	struct search search = { .profile = profile, .room = room, .req = req };

	if (profile->node_count == 1 && lw_bitset_test(room->candidates, 0))
		return find_alone(&search, from_s, duration_s, placer, ret_fit);
	if (profile->node_count == 1)
		return -ENOSPC;
	begin_search(&search);
	for (;;) {
		const struct lw_step *step = &profile->steps[search.trail];
		bool last = search.trail + 1 == profile->step_count;
		int64_t start_s = step->time_s > from_s ? step->time_s : from_s;
		struct lw_profile_fit fit = { .start_s = start_s };

		extend(&search, duration_s > INT64_MAX - start_s ? INT64_MAX
								 : start_s + duration_s);
		if ((last || step[1].time_s > from_s) && search.good >= req->nodes_min &&
		    !place_in_window(&search, placer, &fit)) {
			*ret_fit = fit;
			return 0;
		}
		if (last)
			return -ENOSPC;
		/* a short job's window may not hold the step that it moves to */
		extend(&search, step[1].time_s + 1);
		advance(&search);
	}
}
