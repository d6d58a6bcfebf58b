/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what is free on every node at every time to come, by hard limits. */
#include "policy/profile.h"

#include "base/grow.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* As many moments are gone through before they are searched by halves. */
#define SOON 8

static void free_scratch(struct lw_profile *profile)
{
	free(profile->begin_s);
	free(profile->until_s);
	free(profile->least);
	free(profile->starts_s);
	lw_bitset_fini(&profile->good);
}

void lw_profile_fini(struct lw_profile *profile)
{
	for (uint32_t node = 0; node < profile->line_room; node++)
		free(profile->lines[node].moments);
	free(profile->lines);
	free_scratch(profile);
	lw_soonest_fini(&profile->soonest);
	memset(profile, 0, sizeof(*profile));
}

/* The first moment not before TIME_S. Most that are asked for are at the end. */
static uint32_t moment_from(const struct lw_line *line, int64_t time_s)
{
	uint32_t low = 0, high = line->count;

	if (high && line->moments[high - 1].time_s < time_s)
		return high;
	while (low < high) {
		uint32_t mid = low + (high - low) / 2;

		if (line->moments[mid].time_s < time_s)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/*
 * The moment that says what is free at TIME_S, which is not before the first. Most nodes have
 * few moments, and most that is asked for is soon.
 */
static inline uint32_t moment_at(const struct lw_line *line, int64_t time_s)
{
	uint32_t pos = 0;

	while (pos + 1 < line->count && line->moments[pos + 1].time_s <= time_s) {
		if (++pos == SOON)
			return moment_from(line, time_s + 1) - 1;
	}
	return pos;
}

/* The moment of TIME_S, made if there is none: nothing changes then so far. */
static int make_moment(struct lw_profile *profile, uint32_t node, int64_t time_s,
		       uint32_t *ret_pos)
{
	struct lw_line *line = &profile->lines[node];
	uint32_t pos = moment_from(line, time_s), room = line->room;
	struct lw_moment *moment;

	*ret_pos = pos;
	if (pos < line->count && line->moments[pos].time_s == time_s)
		return 0;
	if (lw_grow((void **)&line->moments, &line->room, line->count + 1, sizeof(*moment)))
		return -ENOMEM;
	profile->bytes += (uint64_t)(line->room - room) * sizeof(*moment);
	moment = &line->moments[pos];
	memmove(moment + 1, moment, (line->count - pos) * sizeof(*moment));
	if (pos)
		moment->free = moment[-1].free;
	moment->time_s = time_s;
	line->count++;
	return 0;
}

static void set_soonest(struct lw_profile *profile, uint32_t node)
{
	const struct lw_line *line = &profile->lines[node];

	lw_soonest_set(&profile->soonest, node, line->moments, line->count);
}

int lw_profile_take(struct lw_profile *profile, int64_t start_s, int64_t end_s,
		    const struct lw_alloc *allocs, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		uint32_t node = allocs[i].node, from, until;

		if (make_moment(profile, node, start_s, &from) ||
		    make_moment(profile, node, end_s, &until))
			return -ENOMEM;
		for (uint32_t pos = from; pos < until; pos++)
			lw_res_sub(&profile->lines[node].moments[pos].free, &allocs[i].res);
		set_soonest(profile, node);
	}
	return 0;
}

/* Who is past its end ends in a second. */
static int64_t end_of(const struct lw_snapshot *snap, const struct lw_running *job)
{
	return job->end_s > snap->now_s ? job->end_s : snap->now_s + 1;
}

/* RES is free again on NODE from moment FROM to before moment UNTIL. */
static void give(struct lw_profile *profile, const struct lw_snapshot *snap, uint32_t node,
		 const struct lw_res *res, uint32_t from, uint32_t until)
{
	for (uint32_t pos = from; pos < until; pos++) {
		struct lw_res *free = &profile->lines[node].moments[pos].free;

		lw_res_add(free, res);
		/* Slurm may count more in use than a node has; never plan beyond it */
		lw_res_min(free, &snap->nodes[node].total);
	}
}

int lw_profile_give(struct lw_profile *profile, const struct lw_snapshot *snap,
		    const struct lw_running *job)
{
	for (uint32_t i = 0; i < job->alloc_count; i++) {
		const struct lw_alloc *alloc = &snap->allocs[job->first_alloc + i];
		uint32_t until;

		if (make_moment(profile, alloc->node, end_of(snap, job), &until))
			return -ENOMEM;
		give(profile, snap, alloc->node, &alloc->res, 0, until);
		set_soonest(profile, alloc->node);
	}
	return 0;
}

static int size_scratch(struct lw_profile *profile, uint32_t count)
{
	size_t room = (size_t)count + 1;

	free_scratch(profile);
	profile->begin_s = calloc(room, sizeof(*profile->begin_s));
	profile->until_s = calloc(room, sizeof(*profile->until_s));
	profile->least = calloc(room, sizeof(*profile->least));
	profile->starts_s = calloc(room, sizeof(*profile->starts_s));
	if (lw_bitset_init(&profile->good, count) || !profile->begin_s || !profile->until_s ||
	    !profile->least || !profile->starts_s)
		return -ENOMEM;
	profile->node_count = count;
	return 0;
}

static int size_nodes(struct lw_profile *profile, uint32_t count)
{
	uint32_t old = profile->line_room;

	if (lw_grow((void **)&profile->lines, &profile->line_room, count + 1,
		    sizeof(*profile->lines)))
		return -ENOMEM;
	if (profile->line_room > old)
		memset(profile->lines + old, 0,
		       (profile->line_room - old) * sizeof(*profile->lines));
	if (profile->starts_s && profile->node_count == count)
		return 0;
	profile->node_count = 0;
	return size_scratch(profile, count);
}

/* What JOB holds is free from its end on. */
static int end_job(struct lw_profile *profile, const struct lw_snapshot *snap,
		   const struct lw_running *job)
{
	for (uint32_t i = 0; i < job->alloc_count; i++) {
		const struct lw_alloc *alloc = &snap->allocs[job->first_alloc + i];
		uint32_t from;

		if (make_moment(profile, alloc->node, end_of(snap, job), &from))
			return -ENOMEM;
		give(profile, snap, alloc->node, &alloc->res, from,
		     profile->lines[alloc->node].count);
	}
	return 0;
}

int lw_profile_begin(struct lw_profile *profile, const struct lw_snapshot *snap)
{
	uint32_t pos;

	if (size_nodes(profile, snap->node_count) || lw_soonest_begin(&profile->soonest, snap))
		return -ENOMEM;
	for (uint32_t node = 0; node < snap->node_count; node++) {
		struct lw_line *line = &profile->lines[node];

		line->count = 0;
		if (make_moment(profile, node, snap->now_s, &pos))
			return -ENOMEM;
		line->moments[0].free = snap->nodes[node].total;
		lw_res_sub(&line->moments[0].free, &snap->used[node]);
	}
	for (uint32_t i = 0; i < snap->running_count; i++) {
		if (end_job(profile, snap, &snap->running[i]))
			return -ENOMEM;
	}
	for (uint32_t node = 0; node < snap->node_count; node++)
		set_soonest(profile, node);
	return 0;
}

/* A search for the earliest start from which on WANT nodes serve. */
struct search {
	struct lw_profile *profile;
	const struct lw_room *room;
	const struct lw_request *req;
	int64_t duration_s;
	uint32_t want;
	int first_type, last_type; /* of GPUs; LW_GPU_ANY: none are wanted */
	struct lw_res floor;	   /* GPUs of the first type stand for all */
	struct lw_soonest_row row; /* no start of a node is before what it says */
	uint32_t found;		   /* starts in profile->starts_s */
};

static bool has_gpus(const struct search *search, const struct lw_res *free)
{
	int type = search->first_type;

	if (type < 0)
		return true;
	for (; type <= search->last_type; type++) {
		if (free->gpus[type] >= search->floor.gpus[search->first_type])
			return true;
	}
	return false;
}

/* Could the node serve the job with so much FREE, with GPUs of some type? */
static inline bool serves(const struct search *search, uint32_t node, const struct lw_res *free)
{
	return free->cpus >= search->floor.cpus && free->mem_mib >= search->floor.mem_mib &&
	       has_gpus(search, free) &&
	       (!search->req->exclusive || lw_res_equal(free, &search->room->total[node]));
}

static int64_t end_after(const struct search *search, int64_t start_s)
{
	return search->duration_s > INT64_MAX - start_s ? INT64_MAX
							: start_s + search->duration_s;
}

/*
 * If the node is closed to the job at some time after a start at *start_s, move that to where
 * it opens. If not, *until_s is the latest start that is still over when it closes.
 */
static bool meets_closure(const struct search *search, uint32_t node, int64_t *start_s,
			  int64_t *until_s)
{
	const struct lw_fit *fit = &search->room->fit;
	uint64_t closed = fit->job ? fit->job->terms.closed : 0;

	for (uint32_t i = 0; closed; i++, closed >>= 1) {
		const struct lw_closure *closure = &fit->snap->closures[i];

		if (!(closed & 1) || closure->until_s <= *start_s ||
		    !lw_bitset_test(&closure->nodes, node))
			continue;
		if (end_after(search, *start_s) > closure->from_s) {
			*start_s = closure->until_s;
			return true;
		}
		if (closure->from_s - search->duration_s < *until_s)
			*until_s = closure->from_s - search->duration_s;
	}
	return false;
}

/* A start before LIMIT_S, not before START_S, at which the node serves until the job is over. */
static bool find_begin(const struct search *search, uint32_t node, int64_t start_s,
		       int64_t limit_s, int64_t *ret_begin_s, int64_t *ret_until_s)
{
	const struct lw_line *line = &search->profile->lines[node];
	uint32_t pos = moment_at(line, start_s);
	int64_t end_s = end_after(search, start_s);

	*ret_begin_s = start_s;
	for (; pos < line->count && line->moments[pos].time_s < end_s; pos++) {
		if (serves(search, node, &line->moments[pos].free))
			continue;
		if (pos + 1 == line->count)
			*ret_begin_s = INT64_MAX;
		else
			*ret_begin_s = line->moments[pos + 1].time_s;
		if (*ret_begin_s >= limit_s)
			return false;
		end_s = end_after(search, *ret_begin_s);
	}
	*ret_until_s = INT64_MAX;
	if (pos < line->count)
		*ret_until_s = line->moments[pos].time_s - search->duration_s;
	return true;
}

/*
 * Learn from when on the node serves, at START_S or later, and note it by node. What is
 * not before LIMIT_S does not matter: it has to be asked again.
 */
static void look(const struct search *search, uint32_t node, int64_t start_s, int64_t limit_s)
{
	int64_t begin_s = start_s, until_s;

	do {
		start_s = begin_s;
		if (start_s >= limit_s ||
		    !find_begin(search, node, start_s, limit_s, &begin_s, &until_s)) {
			begin_s = INT64_MAX;
			until_s = limit_s < INT64_MAX ? INT64_MIN : INT64_MAX;
			break;
		}
	} while (meets_closure(search, node, &begin_s, &until_s));
	search->profile->begin_s[node] = begin_s;
	search->profile->until_s[node] = until_s;
}

/* Does the node serve from START_S on? What is known of earlier starts stays known. */
static bool serves_from(const struct search *search, uint32_t node, int64_t start_s)
{
	const struct lw_profile *profile = search->profile;

	if (profile->until_s[node] < start_s)
		look(search, node, start_s, start_s + 1);
	return profile->begin_s[node] <= start_s;
}

/* Keep START_S if it is among the first that it takes. The heap's top is the last of these. */
static void keep_start(struct search *search, int64_t start_s)
{
	int64_t *heap = search->profile->starts_s;
	uint32_t at, child;

	if (search->found < search->want) {
		for (at = search->found++; at && heap[(at - 1) / 2] < start_s; at = (at - 1) / 2)
			heap[at] = heap[(at - 1) / 2];
		heap[at] = start_s;
		return;
	}
	if (start_s >= heap[0])
		return;
	for (at = 0; (child = 2 * at + 1) < search->want; at = child) {
		if (child + 1 < search->want && heap[child + 1] > heap[child])
			child++;
		if (heap[child] <= start_s)
			break;
		heap[at] = heap[child];
	}
	heap[at] = start_s;
}

/* By when as many nodes as it takes have served or begun to; START_S: they all serve then. */
static int64_t latest_of_enough(struct search *search, int64_t start_s)
{
	const struct lw_profile *profile = search->profile;
	const struct lw_bitset *nodes = search->room->candidates;
	int64_t limit_s = INT64_MAX, begin_s;

	search->found = 0;
	for (uint32_t node = lw_soonest_next(&search->row, nodes, 0, limit_s); node < nodes->bits;
	     node = lw_soonest_next(&search->row, nodes, node + 1, limit_s)) {
		if (profile->until_s[node] < start_s)
			look(search, node, start_s, limit_s);
		begin_s = profile->begin_s[node];
		if (begin_s != INT64_MAX)
			keep_start(search, begin_s > start_s ? begin_s : start_s);
		if (search->found == search->want)
			limit_s = profile->starts_s[0];
	}
	return limit_s;
}

/* The earliest start, not before START_S, from which on enough nodes serve; or INT64_MAX. */
static int64_t find_start(struct search *search, int64_t start_s)
{
	int64_t next_s = latest_of_enough(search, start_s);

	while (next_s != start_s && next_s != INT64_MAX) {
		start_s = next_s;
		/* one alone need not wait for others */
		if (search->want > 1)
			next_s = latest_of_enough(search, start_s);
	}
	return next_s;
}

/* The next change on any node or opening of one. Where a placement fails, one may help. */
static int64_t next_change(const struct search *search, int64_t after_s)
{
	const struct lw_profile *profile = search->profile;
	int64_t next_s = lw_fit_next_opening(search->room, after_s);

	for (uint32_t node = 0; node < profile->node_count; node++) {
		const struct lw_line *line = &profile->lines[node];
		uint32_t pos = moment_at(line, after_s) + 1;

		if (pos < line->count && line->moments[pos].time_s < next_s)
			next_s = line->moments[pos].time_s;
	}
	return next_s;
}

/* The least that is free on the node from START_S until the job is over. */
static void find_least(const struct search *search, uint32_t node, int64_t start_s)
{
	const struct lw_line *line = &search->profile->lines[node];
	struct lw_res least;
	uint32_t pos = moment_at(line, start_s);
	int64_t end_s = end_after(search, start_s);

	least = line->moments[pos].free;
	while (++pos < line->count && line->moments[pos].time_s < end_s)
		lw_res_min(&least, &line->moments[pos].free);
	search->profile->least[node] = least;
}

static int place_at(const struct search *search, int64_t start_s, struct lw_placer *placer,
		    struct lw_profile_fit *ret_fit)
{
	struct lw_profile *profile = search->profile;
	const struct lw_bitset *nodes = search->room->candidates;
	struct lw_room room = *search->room;
	uint32_t node;

	lw_bitset_clear_all(&profile->good);
	for (node = lw_soonest_next(&search->row, nodes, 0, start_s + 1); node < nodes->bits;
	     node = lw_soonest_next(&search->row, nodes, node + 1, start_s + 1)) {
		if (!serves_from(search, node, start_s))
			continue;
		lw_bitset_set(&profile->good, node);
		find_least(search, node, start_s);
	}
	/* the other needs are met on nodes of their own */
	for (node = 0; lw_fit_needs_more(search->room) && node < profile->node_count; node++)
		find_least(search, node, start_s);
	room.free = profile->least;
	room.candidates = &profile->good;
	room.index = NULL;
	room.spare = NULL;
	room.guarded = NULL;
	ret_fit->start_s = start_s;
	return lw_fit(placer, &room, search->req, start_s, &ret_fit->allocs,
		      &ret_fit->alloc_count);
}

static uint32_t divide_up(uint32_t total, uint32_t part)
{
	return part ? total / part + (total % part != 0) : UINT32_MAX;
}

/* How many nodes it takes at the least: a total is not reached by fewer than whole ones. */
static uint32_t least_nodes(const struct search *search)
{
	const struct lw_request *req = search->req;
	uint32_t want = req->nodes_min, cpus = 0, gpus = 0, node;

	if (!req->cpus_total && !req->gpus_total)
		return want;
	lw_bitset_foreach(search->room->candidates, node)
	{
		const struct lw_res *total = &search->room->total[node];

		cpus = total->cpus > cpus ? total->cpus : cpus;
		for (int type = search->first_type; type <= search->last_type; type++) {
			if (type >= 0 && total->gpus[type] > gpus)
				gpus = total->gpus[type];
		}
	}
	if (req->cpus_total && divide_up(req->cpus_total, cpus) > want)
		want = divide_up(req->cpus_total, cpus);
	if (req->gpus_total && divide_up(req->gpus_total, gpus) > want)
		want = divide_up(req->gpus_total, gpus);
	return want;
}

static void begin_search(struct search *search)
{
	const struct lw_request *req = search->req;
	struct lw_profile *profile = search->profile;

	search->first_type = search->last_type = req->gpu_type;
	if (!req->gpus_per_node && !req->gpus_total) {
		search->first_type = search->last_type = LW_GPU_ANY;
	} else if (req->gpu_type == LW_GPU_ANY) {
		search->first_type = 0;
		search->last_type = (int)search->room->gpu_types - 1;
	}
	lw_place_floor(req, search->first_type, &search->floor);
	search->want = least_nodes(search);
	search->row = lw_soonest_row(&profile->soonest, search->floor.cpus,
				     lw_res_gpus(&search->floor), search->duration_s);
	for (uint32_t node = 0; node < profile->node_count; node++)
		profile->until_s[node] = INT64_MIN;
}

int lw_profile_find(struct lw_profile *profile, const struct lw_room *room,
		    const struct lw_request *req, int64_t from_s, int64_t duration_s,
		    struct lw_placer *placer, struct lw_profile_fit *ret_fit)
{
	struct search search = {
		.profile = profile, .room = room, .req = req, .duration_s = duration_s
	};
	struct lw_profile_fit fit;
	int64_t start_s;

	begin_search(&search);
	if (search.want > req->nodes_max || search.want > profile->node_count)
		return -ENOSPC;
	if (from_s < profile->lines[0].moments[0].time_s)
		from_s = profile->lines[0].moments[0].time_s;
	for (start_s = find_start(&search, from_s); start_s != INT64_MAX;
	     start_s = find_start(&search, next_change(&search, start_s))) {
		if (place_at(&search, start_s, placer, &fit))
			continue;
		*ret_fit = fit;
		return 0;
	}
	return -ENOSPC;
}
