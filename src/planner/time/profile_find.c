/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the earliest start of a job among what is free on every node at every time to come. */
#include "planner/time/profile_find.h"

#include "base/heap.h"

#include <errno.h>

static bool profile_find_has_gpus(const struct lw_search *search, const struct lw_res *free)
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

/* Could the node serve the job with FREE, with GPUs of some type? */
static inline bool profile_find_serves(const struct lw_search *search, uint32_t node,
				       const struct lw_res *free)
{
	return lw_res_cpus_for(free, search->req) >= search->floor.cpus &&
	       free->mem_mib >= search->floor.mem_mib && profile_find_has_gpus(search, free) &&
	       !lw_res_lacks_parts(free, &search->room->total[node], search->floor.parts,
				   search->gpus) &&
	       (!search->req->exclusive || (lw_res_equal(free, &search->room->total[node]) &&
					    !lw_res_capped_below(free, search->req)));
}

/*
 * If the node is closed to the job at some time after a start at *start_s, move *start_s to when
 * it opens. If not, *until_s is the latest start that ends before it closes.
 */
static bool profile_find_meets_resv_window(const struct lw_search *search, uint32_t node,
					   int64_t *start_s, int64_t *until_s)
{
	const struct lw_fit *fit = &search->room->fit;
	uint64_t closed = fit->job ? fit->job->constraints.closed : 0;

	for (uint32_t i = 0; closed; i++, closed >>= 1) {
		const struct lw_resv_window *resv_window = &fit->snap->resv_windows[i];

		if (!(closed & 1) || resv_window->until_s <= *start_s ||
		    !lw_bitset_test(&resv_window->nodes, node))
			continue;
		if (lw_end_after_s(*start_s, search->duration_s) > resv_window->from_s) {
			*start_s = resv_window->until_s;
			return true;
		}
		if (resv_window->from_s - search->duration_s < *until_s)
			*until_s = resv_window->from_s - search->duration_s;
	}
	return false;
}

/* A start before LIMIT_S, not before START_S, at which the node serves until the job is over. */
static bool find_begin(const struct lw_search *search, uint32_t node, int64_t start_s,
		       int64_t limit_s, int64_t *ret_begin_s, int64_t *ret_until_s)
{
	const struct lw_line *line = &search->profile->lines[node];
	uint32_t pos = lw_line_at(line, start_s);
	int64_t end_s = lw_end_after_s(start_s, search->duration_s);

	*ret_begin_s = start_s;
	for (; pos < line->count && line->moments[pos].time_s < end_s; pos++) {
		if (profile_find_serves(search, node, &line->moments[pos].free))
			continue;
		if (pos + 1 == line->count)
			*ret_begin_s = INT64_MAX;
		else
			*ret_begin_s = line->moments[pos + 1].time_s;
		if (*ret_begin_s >= limit_s)
			return false;
		end_s = lw_end_after_s(*ret_begin_s, search->duration_s);
	}
	*ret_until_s = INT64_MAX;
	if (pos < line->count)
		*ret_until_s = line->moments[pos].time_s - search->duration_s;
	return true;
}

/* The same of the node alone. */
static void find_look(const struct lw_search *search, uint32_t node, int64_t start_s,
		      int64_t limit_s)
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
	} while (profile_find_meets_resv_window(search, node, &begin_s, &until_s));
	search->profile->begin_s[node] = begin_s;
	search->profile->until_s[node] = until_s;
}

void lw_search_look(const struct lw_search *search, uint32_t node, int64_t start_s,
		    int64_t limit_s)
{
	struct lw_profile *profile = search->profile;
	struct lw_looked *looked = &profile->looked[profile->kinds.of[node]];

	if (!search->alike || looked->search != search->number || looked->start_s != start_s ||
	    looked->limit_s < limit_s) {
		find_look(search, node, start_s, limit_s);
		looked->search = search->number;
		looked->start_s = start_s;
		looked->limit_s = limit_s;
		looked->begin_s = profile->begin_s[node];
		looked->until_s = profile->until_s[node];
		return;
	}
	/* it may have been asked for later starts, too */
	profile->begin_s[node] = looked->begin_s < limit_s ? looked->begin_s : INT64_MAX;
	profile->until_s[node] =
		looked->begin_s < limit_s || limit_s == INT64_MAX ? looked->until_s : INT64_MIN;
}

/* Does the node serve from START_S on? Knowledge of earlier starts is kept. */
static bool profile_find_serves_from(const struct lw_search *search, uint32_t node,
				     int64_t start_s)
{
	const struct lw_profile *profile = search->profile;

	if (profile->until_s[node] < start_s)
		lw_search_look(search, node, start_s, start_s + 1);
	return profile->begin_s[node] <= start_s;
}

static bool profile_find_is_later(const int64_t *a_s, const int64_t *b_s)
{
	return *a_s > *b_s;
}

LW_HEAP(starts, int64_t, profile_find_is_later)

/* Keep START_S if it is among the first ones needed. The heap's top is the last of these. */
static void profile_find_keep_start(struct lw_search *search, int64_t start_s)
{
	int64_t *heap = search->profile->starts_s;

	if (search->found < search->want)
		starts_push(heap, &search->found, start_s);
	else if (start_s < heap[0])
		starts_replace(heap, search->want, start_s);
}

/* When as many nodes as needed serve or have begun to; START_S: they all serve then. */
static int64_t profile_find_latest_of_enough(struct lw_search *search, int64_t start_s)
{
	const struct lw_profile *profile = search->profile;
	const struct lw_bitset *nodes = search->room->candidates;
	int64_t limit_s = INT64_MAX, begin_s;

	search->found = 0;
	for (uint32_t node = lw_earliest_free_next(&search->row, nodes, 0, limit_s);
	     node < nodes->bits;
	     node = lw_earliest_free_next(&search->row, nodes, node + 1, limit_s)) {
		if (profile->until_s[node] < start_s)
			lw_search_look(search, node, start_s, limit_s);
		begin_s = profile->begin_s[node];
		if (begin_s != INT64_MAX)
			profile_find_keep_start(search, begin_s > start_s ? begin_s : start_s);
		if (search->found == search->want)
			limit_s = profile->starts_s[0];
	}
	return limit_s;
}

/* The earliest start, not before START_S, from which on enough nodes serve; or INT64_MAX. */
static int64_t profile_find_find_start(struct lw_search *search, int64_t start_s)
{
	int64_t next_s = profile_find_latest_of_enough(search, start_s);

	while (next_s != start_s && next_s != INT64_MAX) {
		start_s = next_s;
		/* a single node need not wait for others */
		if (search->want > 1)
			next_s = profile_find_latest_of_enough(search, start_s);
	}
	return next_s;
}

/* The next change or opening of any node. If a placement fails, one may help. */
static int64_t profile_find_next_change(const struct lw_search *search, int64_t after_s)
{
	const struct lw_profile *profile = search->profile;
	int64_t next_s = lw_fit_next_opening(search->room, after_s);

	for (uint32_t node = 0; node < profile->node_count; node++) {
		const struct lw_line *line = &profile->lines[node];
		uint32_t pos = lw_line_at(line, after_s) + 1;

		if (pos < line->count && line->moments[pos].time_s < next_s)
			next_s = line->moments[pos].time_s;
	}
	return next_s;
}

int64_t lw_search_least(const struct lw_search *search, uint32_t node, int64_t start_s)
{
	const struct lw_line *line = &search->profile->lines[node];
	struct lw_res least;
	uint32_t pos = lw_line_at(line, start_s), first = pos;
	int64_t end_s = lw_end_after_s(start_s, search->duration_s), next_s = INT64_MAX;

	least = line->moments[pos].free;
	while (++pos < line->count && line->moments[pos].time_s < end_s)
		lw_res_min(&least, &line->moments[pos].free);
	search->profile->least[node] = least;
	if (first + 1 < line->count)
		next_s = line->moments[first + 1].time_s;
	/* from then on the job would still run when a reservation begins there */
	if (pos < line->count && line->moments[pos].time_s - search->duration_s < next_s)
		next_s = line->moments[pos].time_s - search->duration_s + 1;
	return next_s;
}

static bool profile_find_wants_totals(const struct lw_search *search)
{
	return search->req->cpus_total || search->req->gpus_total;
}

/* What this placement knows of NODE, by its kind. */
static struct lw_looked *profile_find_kind_of(struct lw_profile *profile, uint32_t node)
{
	struct lw_looked *looked = &profile->looked[profile->kinds.of[node]];

	if (looked->place != profile->places) {
		looked->place = profile->places;
		looked->node = node;
		looked->good = 0;
	}
	return looked;
}

/*
 * NODE serves from START_S on: let it be a candidate. Of nodes that are alike those with the
 * lowest numbers are taken, so no more of them are looked at than the job may have.
 */
static void profile_find_add_good(const struct lw_search *search, uint32_t node, int64_t start_s)
{
	struct lw_profile *profile = search->profile;
	struct lw_looked *looked = profile_find_kind_of(profile, node);

	if (search->few && looked->good >= search->req->nodes_max)
		return;
	lw_bitset_set(&profile->good, node);
	/* with totals this was found for the sum, and stays until that changes */
	if (profile_find_wants_totals(search))
		return;
	if (looked->good++)
		profile->least[node] = profile->least[looked->node];
	else
		lw_search_least(search, node, start_s);
}

static int profile_find_place_at(const struct lw_search *search, int64_t start_s,
				 struct lw_placer *placer, struct lw_profile_fit *ret_fit)
{
	struct lw_profile *profile = search->profile;
	const struct lw_bitset *nodes = search->room->candidates;
	struct lw_room room = *search->room;
	uint32_t node, ahead;

	lw_bitset_clear_all(&profile->good);
	profile->places++;
	for (node = lw_earliest_free_next(&search->row, nodes, 0, start_s + 1);
	     node < nodes->bits; node = ahead) {
		ahead = lw_earliest_free_next(&search->row, nodes, node + 1, start_s + 1);
		/* thousands of nodes may serve, and moments are far from each other in memory */
		if (ahead < nodes->bits)
			__builtin_prefetch(profile->lines[ahead].moments);
		if (profile_find_serves_from(search, node, start_s))
			profile_find_add_good(search, node, start_s);
	}
	/* the other needs are met on nodes of their own */
	for (node = 0; lw_fit_needs_more(search->room) && node < profile->node_count; node++)
		lw_search_least(search, node, start_s);
	room.free = profile->least;
	room.candidates = &profile->good;
	room.index = NULL;
	room.spare = NULL;
	room.guarded = NULL;
	ret_fit->start_s = start_s;
	return lw_fit(placer, &room, search->req, start_s, &ret_fit->allocs,
		      &ret_fit->alloc_count);
}

static uint32_t profile_find_divide_up(uint32_t total, uint32_t part)
{
	return part ? total / part + (total % part != 0) : UINT32_MAX;
}

/* The least number of nodes: a total is not reached by fewer than whole ones. */
static uint32_t profile_find_least_nodes(const struct lw_search *search)
{
	const struct lw_request *req = search->req;
	uint32_t want = req->nodes_min, gpus = 0;

	for (int type = search->first_type; type >= 0 && type <= search->last_type; type++)
		gpus = search->most.gpus[type] > gpus ? search->most.gpus[type] : gpus;
	if (req->cpus_total && profile_find_divide_up(req->cpus_total, search->most.cpus) > want)
		want = profile_find_divide_up(req->cpus_total, search->most.cpus);
	if (req->gpus_total && profile_find_divide_up(req->gpus_total, gpus) > want)
		want = profile_find_divide_up(req->gpus_total, gpus);
	return want;
}

static void find_most(struct lw_search *search)
{
	struct lw_res *most = &search->most;
	uint32_t node;

	lw_bitset_foreach(search->room->candidates, node)
	{
		const struct lw_res *total = &search->room->total[node];

		most->cpus = total->cpus > most->cpus ? total->cpus : most->cpus;
		for (int type = search->first_type; type >= 0 && type <= search->last_type;
		     type++) {
			if (total->gpus[type] > most->gpus[type])
				most->gpus[type] = total->gpus[type];
		}
	}
}

/* Is nothing known of nodes but what nodes of a kind have in common? */
static bool profile_find_has_few(const struct lw_search *search)
{
	const struct lw_room *room = search->room;

	return search->alike && !profile_find_wants_totals(search) && !lw_fit_needs_more(room) &&
	       !(room->domains && room->domains->count) && !room->grades && !room->linked &&
	       !room->linked_f && !room->choose && !room->now && !room->release_dists;
}

static void profile_find_begin_search(struct lw_search *search)
{
	const struct lw_request *req = search->req;
	struct lw_profile *profile = search->profile;
	const struct lw_waiting *job = search->room->fit.job;

	search->number = ++profile->searches;
	search->alike = !job || !job->constraints.closed;
	search->few = profile_find_has_few(search);
	search->first_type = search->last_type = req->gpu_type;
	if (!req->gpus_per_node && !req->gpus_total) {
		search->first_type = search->last_type = LW_GPU_ANY;
	} else if (req->gpu_type == LW_GPU_ANY) {
		search->first_type = 0;
		search->last_type = (int)search->room->gpu_types - 1;
	}
	lw_place_floor(req, search->first_type, &search->floor);
	search->gpus = lw_res_gpus(&search->floor);
	if (profile_find_wants_totals(search))
		find_most(search);
	search->want = profile_find_least_nodes(search);
	search->row =
		lw_profile_row(profile, search->floor.cpus, search->gpus, search->duration_s);
	for (uint32_t node = 0; node < profile->node_count; node++)
		profile->until_s[node] = INT64_MIN;
}

static int64_t profile_find_start_from(struct lw_search *search, int64_t start_s)
{
	return profile_find_wants_totals(search) ? lw_sum_start(search, start_s)
						 : profile_find_find_start(search, start_s);
}

/* The same for a search that has not begun. */
static int64_t profile_find_begin_from(struct lw_search *search, int64_t from_s)
{
	profile_find_begin_search(search);
	if (search->want > search->req->nodes_max || search->want > search->profile->node_count)
		return INT64_MAX;
	if (profile_find_wants_totals(search))
		lw_sum_begin(search, from_s);
	return profile_find_start_from(search, from_s);
}

static int64_t profile_find_need_from(const struct lw_search *search, const struct lw_need *need,
				      int64_t from_s)
{
	struct lw_room room = *search->room;
	struct lw_search other = { .profile = search->profile,
				   .room = &room,
				   .req = &need->request,
				   .duration_s = search->duration_s };

	room.candidates = &room.fit.usable[need->set];
	return profile_find_begin_from(&other, from_s);
}

/*
 * The same if the job has other needs: each of them has room then, taken alone. A licence may be
 * taken for long, and a placement before that is not worth a try.
 */
static int64_t profile_find_begin_from_all(struct lw_search *search, int64_t from_s)
{
	const struct lw_fit *fit = &search->room->fit;
	const struct lw_coallocation *coallocation =
		&fit->snap->coallocations[fit->job->constraints.coallocation - 1];
	int64_t before_s;

	do {
		before_s = from_s;
		for (uint32_t i = 0; i < coallocation->need_count && from_s != INT64_MAX; i++)
			from_s = profile_find_need_from(
				search, &fit->snap->needs[coallocation->first_need + i], from_s);
		if (from_s != INT64_MAX)
			from_s = profile_find_begin_from(search, from_s);
	} while (from_s != before_s);
	return from_s;
}

int lw_profile_find(struct lw_profile *profile, const struct lw_room *room,
		    const struct lw_request *req, int64_t duration_s, struct lw_placer *placer,
		    struct lw_profile_fit *fit)
{
	struct lw_search search = {
		.profile = profile, .room = room, .req = req, .duration_s = duration_s
	};
	bool needs = lw_fit_needs_more(room);
	int64_t start_s, from_s = fit->start_s;
	struct lw_profile_fit found;

	/* no node, no line that begins now: stop here */
	if (!profile->node_count)
		return -ENOSPC;
	if (from_s < profile->lines[0].moments[0].time_s)
		from_s = profile->lines[0].moments[0].time_s;
	start_s = needs ? profile_find_begin_from_all(&search, from_s)
			: profile_find_begin_from(&search, from_s);
	while (start_s != INT64_MAX) {
		if (!profile_find_place_at(&search, start_s, placer, &found)) {
			*fit = found;
			return 0;
		}
		start_s = profile_find_next_change(&search, start_s);
		start_s = needs ? profile_find_begin_from_all(&search, start_s)
				: profile_find_start_from(&search, start_s);
	}
	return -ENOSPC;
}
