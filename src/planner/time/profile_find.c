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

/* A start before LIMIT_S, not before START_S, at which nodes of KIND serve until the job is over.
 */
static bool find_begin(const struct lw_search *search, uint32_t kind, int64_t start_s,
		       int64_t limit_s, int64_t *ret_begin_s, int64_t *ret_until_s)
{
	const struct lw_line *line = &search->profile->lines[kind];
	uint32_t node = search->profile->kinds.kinds[kind].first;
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

void lw_search_look(const struct lw_search *search, uint32_t kind, int64_t start_s,
		    int64_t limit_s)
{
	uint32_t node = search->profile->kinds.kinds[kind].first;
	int64_t begin_s = start_s, until_s;

	do {
		start_s = begin_s;
		if (start_s >= limit_s ||
		    !find_begin(search, kind, start_s, limit_s, &begin_s, &until_s)) {
			begin_s = INT64_MAX;
			until_s = limit_s < INT64_MAX ? INT64_MIN : INT64_MAX;
			break;
		}
	} while (profile_find_meets_resv_window(search, node, &begin_s, &until_s));
	search->profile->begin_s[kind] = begin_s;
	search->profile->until_s[kind] = until_s;
}

uint32_t lw_search_nodes(const struct lw_search *search, uint32_t kind)
{
	const struct lw_kinds *kinds = &search->profile->kinds;
	uint32_t count = 0;

	if (search->all)
		return kinds->kinds[kind].nodes;
	for (uint32_t node = kinds->kinds[kind].first; node != LW_NO_NODE;
	     node = kinds->after[node])
		count += lw_bitset_test(search->room->candidates, node);
	return count;
}

/* Do nodes of KIND serve from START_S on? Knowledge of earlier starts is kept. */
static bool profile_find_serves_from(const struct lw_search *search, uint32_t kind,
				     int64_t start_s)
{
	const struct lw_profile *profile = search->profile;

	if (profile->until_s[kind] < start_s)
		lw_search_look(search, kind, start_s, start_s + 1);
	return profile->begin_s[kind] <= start_s;
}

static bool profile_find_is_later(const struct lw_starts *a, const struct lw_starts *b)
{
	return a->start_s > b->start_s;
}

LW_HEAP(starts, struct lw_starts, profile_find_is_later)

/*
 * NODES nodes serve from START_S on: keep that if they are among the first ones needed. The
 * heap's top is the last of these.
 */
static void profile_find_keep_start(struct lw_search *search, int64_t start_s, uint32_t nodes)
{
	struct lw_starts *heap = search->profile->starts;

	if (!nodes || (search->found >= search->want && start_s >= heap[0].start_s))
		return;
	starts_push(heap, &search->start_count, (struct lw_starts){ start_s, nodes });
	search->found += nodes;
	while (search->found - heap[0].nodes >= search->want)
		search->found -= starts_pop(heap, &search->start_count).nodes;
}

/* When as many nodes as needed serve or have begun to; START_S: they all serve then. */
static int64_t profile_find_latest_of_enough(struct lw_search *search, int64_t start_s)
{
	const struct lw_profile *profile = search->profile;
	const struct lw_bitset *kinds = &profile->kinds.used;
	int64_t limit_s = INT64_MAX, begin_s;

	search->found = search->start_count = 0;
	for (uint32_t kind = lw_earliest_free_next(&search->row, kinds, 0, limit_s);
	     kind < kinds->bits;
	     kind = lw_earliest_free_next(&search->row, kinds, kind + 1, limit_s)) {
		if (profile->until_s[kind] < start_s)
			lw_search_look(search, kind, start_s, limit_s);
		begin_s = profile->begin_s[kind];
		if (begin_s != INT64_MAX)
			profile_find_keep_start(search, begin_s > start_s ? begin_s : start_s,
						lw_search_nodes(search, kind));
		if (search->found >= search->want)
			limit_s = profile->starts[0].start_s;
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
	uint32_t kind;

	lw_bitset_foreach(&profile->kinds.used, kind)
	{
		const struct lw_line *line = &profile->lines[kind];
		uint32_t pos = lw_line_at(line, after_s) + 1;

		if (pos < line->count && line->moments[pos].time_s < next_s)
			next_s = line->moments[pos].time_s;
	}
	return next_s;
}

int64_t lw_search_least(const struct lw_search *search, uint32_t kind, int64_t start_s)
{
	const struct lw_line *line = &search->profile->lines[kind];
	struct lw_res least;
	uint32_t pos = lw_line_at(line, start_s), first = pos;
	int64_t end_s = lw_end_after_s(start_s, search->duration_s), next_s = INT64_MAX;

	least = line->moments[pos].free;
	while (++pos < line->count && line->moments[pos].time_s < end_s)
		lw_res_min(&least, &line->moments[pos].free);
	search->profile->least[kind] = least;
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

/* Let the nodes of KIND be candidates; those with the lowest numbers if few will do. */
static void profile_find_add_good(const struct lw_search *search, uint32_t kind)
{
	struct lw_profile *profile = search->profile;
	const struct lw_kinds *kinds = &profile->kinds;
	uint32_t most = search->few ? search->req->nodes_max : UINT32_MAX;

	for (uint32_t node = kinds->kinds[kind].first; node != LW_NO_NODE && most;
	     node = kinds->after[node]) {
		if (!search->all && !lw_bitset_test(search->room->candidates, node))
			continue;
		lw_bitset_set(&profile->good, node);
		profile->least_of[node] = profile->least[kind];
		most--;
	}
}

/* The other needs are met on nodes of their own. */
static void profile_find_look_at_all(const struct lw_search *search, int64_t start_s)
{
	struct lw_profile *profile = search->profile;
	uint32_t kind;

	lw_bitset_foreach(&profile->kinds.used, kind) lw_search_least(search, kind, start_s);
	for (uint32_t node = 0; node < profile->node_count; node++)
		profile->least_of[node] = profile->least[profile->kinds.of[node]];
}

static int profile_find_place_at(const struct lw_search *search, int64_t start_s,
				 struct lw_placer *placer, struct lw_profile_fit *ret_fit)
{
	struct lw_profile *profile = search->profile;
	const struct lw_bitset *kinds = &profile->kinds.used;
	struct lw_room room = *search->room;
	uint32_t kind, ahead;

	lw_bitset_clear_all(&profile->good);
	for (kind = lw_earliest_free_next(&search->row, kinds, 0, start_s + 1);
	     kind < kinds->bits; kind = ahead) {
		ahead = lw_earliest_free_next(&search->row, kinds, kind + 1, start_s + 1);
		/* there may be thousands, and moments are far from each other in memory */
		if (ahead < kinds->bits)
			__builtin_prefetch(profile->lines[ahead].moments);
		if (!profile_find_serves_from(search, kind, start_s))
			continue;
		/* with totals this was found for the sum, and stays until that changes */
		if (!profile_find_wants_totals(search))
			lw_search_least(search, kind, start_s);
		profile_find_add_good(search, kind);
	}
	if (lw_fit_needs_more(search->room))
		profile_find_look_at_all(search, start_s);
	room.free = profile->least_of;
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

	return !(room->fit.job && room->fit.job->constraints.closed) &&
	       !profile_find_wants_totals(search) && !lw_fit_needs_more(room) &&
	       !(room->domains && room->domains->count) && !room->grades && !room->linked &&
	       !room->linked_f && !room->choose && !room->now && !room->release_dists;
}

static void profile_find_begin_search(struct lw_search *search)
{
	const struct lw_request *req = search->req;
	struct lw_profile *profile = search->profile;

	search->all = lw_bitset_count(search->room->candidates) == profile->node_count;
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
	for (uint32_t kind = 0; kind < profile->node_count; kind++)
		profile->until_s[kind] = INT64_MIN;
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
	if (lw_profile_size_scratch(profile))
		return -ENOMEM;
	if (from_s < lw_profile_line(profile, 0)->moments[0].time_s)
		from_s = lw_profile_line(profile, 0)->moments[0].time_s;
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
