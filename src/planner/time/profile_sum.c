/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: from when on all nodes together have a job's totals. */

/*
 * A job with totals (sbatch -n) may have a little of each of many nodes, and for most possible
 * starts these amounts do not add up. So the sum of what all nodes would give is kept while the
 * start moves from one time at which a node gives another amount to the next. Nodes that give
 * nothing until later cost nothing until then. While the sum is not enough, no placement is
 * tried. O(such times up to the start, each with the moments of its node during the job).
 */
#include "planner/time/profile_find.h"

#include "base/heap.h"

#include <string.h>

#define BLOCK LW_SOONEST_BLOCK

static bool profile_sum_comes_before(const struct lw_sum_event *a, const struct lw_sum_event *b)
{
	return a->time_s != b->time_s ? a->time_s < b->time_s : a->item < b->item;
}

LW_HEAP(events, struct lw_sum_event, profile_sum_comes_before)

static void profile_sum_wait_for(struct lw_sum *sum, uint32_t item, int64_t time_s)
{
	if (time_s != INT64_MAX)
		events_push(sum->events, &sum->event_count,
			    (struct lw_sum_event){ .time_s = time_s, .item = item });
}

/* GPUs of one type if the job has a total of them, else CPUs. */
static uint32_t profile_sum_main_amount(const struct lw_search *search, const struct lw_res *res)
{
	uint32_t most = 0;

	if (!search->req->gpus_total)
		return res->cpus;
	for (int type = search->first_type; type <= search->last_type; type++)
		most = res->gpus[type] > most ? res->gpus[type] : most;
	return most;
}

/* The amounts that count as one level, if nodes have many. */
static uint32_t profile_sum_step_of(const struct lw_search *search)
{
	return profile_sum_main_amount(search, &search->most) / LW_SUM_LEVELS + 1;
}

static uint32_t profile_sum_level_of(const struct lw_search *search, const struct lw_res *give)
{
	uint32_t level = profile_sum_main_amount(search, give) / profile_sum_step_of(search);

	return level < LW_SUM_LEVELS ? level : LW_SUM_LEVELS - 1;
}

/* Count GIVE in (BY 1) or out (BY -1). */
static void sum_count(const struct lw_search *search, const struct lw_sum_give *give, int64_t by)
{
	struct lw_sum *sum = &search->profile->sum;

	by *= (int64_t)give->nodes;
	if (!by)
		return;
	sum->nodes += (uint32_t)by;
	sum->cpus += (uint64_t)(by * (int64_t)give->res.cpus);
	for (int type = search->first_type; type >= 0 && type <= search->last_type; type++)
		sum->gpus[type] += (uint64_t)(by * (int64_t)give->res.gpus[type]);
	sum->by_level[profile_sum_level_of(search, &give->res)] += (uint32_t)by;
}

/* The most that nodes of KIND give out of their least. */
static struct lw_sum_give profile_sum_give_of(const struct lw_search *search, uint32_t kind)
{
	const struct lw_res *least = &search->profile->least[kind];
	uint32_t node = search->profile->kinds.kinds[kind].first;
	struct lw_sum_give give = { 0 };
	bool serves = false;

	for (int type = search->first_type; type <= search->last_type; type++) {
		struct lw_res res;

		if (!lw_place_on_node(least, &search->room->total[node], search->req, type, &res))
			continue;
		serves = true;
		give.res.cpus = res.cpus > give.res.cpus ? res.cpus : give.res.cpus;
		if (type >= 0)
			give.res.gpus[type] = res.gpus[type];
	}
	give.nodes = serves ? lw_search_nodes(search, kind) : 0;
	return give;
}

/* Was the kind asked in this search? */
static bool profile_sum_is_known(const struct lw_profile *profile, uint32_t kind)
{
	return profile->until_s[kind] != INT64_MIN;
}

/* What nodes of KIND give for a start at START_S, and when that changes. */
static void profile_sum_review(const struct lw_search *search, uint32_t kind, int64_t start_s)
{
	struct lw_profile *profile = search->profile;
	struct lw_sum_give give = { 0 };
	int64_t next_s;

	if (profile_sum_is_known(profile, kind))
		sum_count(search, &profile->sum.gives[kind], -1);
	if (profile->until_s[kind] < start_s)
		lw_search_look(search, kind, start_s, INT64_MAX);
	next_s = profile->begin_s[kind];
	if (next_s <= start_s) {
		next_s = lw_search_least(search, kind, start_s);
		if (profile->until_s[kind] < next_s)
			next_s = profile->until_s[kind] + 1;
		give = profile_sum_give_of(search, kind);
	}
	profile->sum.gives[kind] = give;
	sum_count(search, &give, 1);
	profile_sum_wait_for(&profile->sum, kind, next_s);
}

/* Ask the kinds of a block that may serve from START_S on, and wait for the others. */
static void profile_sum_open_block(const struct lw_search *search, uint32_t block,
				   int64_t start_s)
{
	const struct lw_profile *profile = search->profile;
	const struct lw_bitset *kinds = &profile->kinds.used;
	uint32_t end = (block + 1) * BLOCK;
	int64_t next_s = INT64_MAX;

	for (uint32_t kind = lw_bitset_next(kinds, block * BLOCK);
	     kind < end && kind < kinds->bits; kind = lw_bitset_next(kinds, kind + 1)) {
		int64_t earliest_free_s = search->row.node_s[kind];

		if (profile_sum_is_known(profile, kind))
			continue;
		if (earliest_free_s <= start_s)
			profile_sum_review(search, kind, start_s);
		else if (earliest_free_s < next_s)
			next_s = earliest_free_s;
	}
	profile_sum_wait_for(&search->profile->sum, profile->node_count + block, next_s);
}

void lw_sum_begin(const struct lw_search *search, int64_t from_s)
{
	struct lw_profile *profile = search->profile;
	struct lw_sum *sum = &profile->sum;
	uint32_t kind;

	sum->event_count = sum->nodes = 0;
	sum->cpus = 0;
	memset(sum->gpus, 0, sizeof(sum->gpus));
	memset(sum->by_level, 0, sizeof(sum->by_level));
	for (uint32_t block = 0; search->row.node_s && block * BLOCK < profile->node_count;
	     block++)
		profile_sum_wait_for(sum, profile->node_count + block,
				     search->row.block_s[block]);
	if (search->row.node_s)
		return;
	lw_bitset_foreach(&profile->kinds.used, kind) profile_sum_review(search, kind, from_s);
}

/* Put all that nodes give from START_S on into the sum. */
static void profile_sum_advance(const struct lw_search *search, int64_t start_s)
{
	struct lw_profile *profile = search->profile;
	struct lw_sum *sum = &profile->sum;

	while (sum->event_count && sum->events[0].time_s <= start_s) {
		uint32_t item = events_pop(sum->events, &sum->event_count).item;

		if (item < profile->node_count)
			profile_sum_review(search, item, start_s);
		else
			profile_sum_open_block(search, item - profile->node_count, start_s);
	}
}

/* The COUNT nodes that give most have at most this much of the amount that matters. */
static uint64_t profile_sum_most_of(const struct lw_search *search, uint32_t count)
{
	const struct lw_sum *sum = &search->profile->sum;
	uint32_t step = profile_sum_step_of(search);
	uint64_t most = 0;

	for (uint32_t level = LW_SUM_LEVELS; level-- > 0 && count;) {
		uint32_t some = sum->by_level[level] < count ? sum->by_level[level] : count;

		most += (uint64_t)some * ((uint64_t)level * step + step - 1);
		count -= some;
	}
	return most;
}

static bool profile_sum_has_totals(const struct lw_search *search)
{
	const struct lw_sum *sum = &search->profile->sum;
	const struct lw_request *req = search->req;
	uint64_t gpus = 0;

	for (int type = search->first_type; type >= 0 && type <= search->last_type; type++)
		gpus = sum->gpus[type] > gpus ? sum->gpus[type] : gpus;
	if (sum->nodes < search->want || sum->cpus < req->cpus_total || gpus < req->gpus_total)
		return false;
	return sum->nodes <= req->nodes_max ||
	       profile_sum_most_of(search, req->nodes_max) >=
		       (req->gpus_total ? req->gpus_total : req->cpus_total);
}

int64_t lw_sum_start(const struct lw_search *search, int64_t from_s)
{
	const struct lw_sum *sum = &search->profile->sum;

	if (from_s == INT64_MAX)
		return from_s;
	profile_sum_advance(search, from_s);
	while (!profile_sum_has_totals(search)) {
		if (!sum->event_count)
			return INT64_MAX;
		from_s = sum->events[0].time_s;
		profile_sum_advance(search, from_s);
	}
	return from_s;
}
