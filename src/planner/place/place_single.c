/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: placement of a job on one node: the one that does the least damage. */

/*
 * Nodes with equally many free GPUs, and with plenty of CPUs and memory, do equal damage. So the
 * numbers of free GPUs are tried in order of that damage. For each number only the first few
 * nodes that differ in CPUs are looked at, and the first one that does no worse than expected
 * ends the search. O(log nodes) for each number of free GPUs, and the nodes looked at.
 */
#include "planner/place/placer.h"

#include "base/search.h"

#include <string.h>

/* How many nodes are weighed with the same number of free GPUs, and in all. */
#define LOOKS_A_BUCKET 4
#define LOOKS_MAX      24
/* The same if the stay of their jobs counts. */
#define LOOKS_A_LASTING_BUCKET 16
/* And one for nodes without GPUs, if none are wanted. */
#define BUCKETS_MAX (LW_FRAGMENT_GPUS + 2)
/* How many equal nodes are counted to find the domain with the fewest. */
#define EQUALS_MAX 1024

/* Nodes in order of fit: from an index, or sorted candidates. */
struct order {
	const struct lw_room *room;
	const struct lw_request *req;
	const struct lw_candidate *cand;
	uint32_t count;
	int type;
};

/* Nodes with one number of free GPUs, and the damage of the job there if all else is plenty. */
struct bucket {
	uint32_t gpus;
	int64_t gain;
};

struct choice {
	struct lw_candidate cand;
	int64_t gain;
	bool split; /* its GPUs would come from several islands of the node */
	bool any;
};

bool lw_place_weighs(const struct lw_room *room, const struct lw_domains *domains,
		     const struct lw_request *req)
{
	return (room->fragment || domains || lw_place_has_islands(room)) &&
	       req->nodes_max == 1 && !req->exclusive;
}

static uint32_t place_single_seek(const struct order *order, uint32_t gpus, uint32_t cpus)
{
	uint64_t key = lw_index_floor(gpus, cpus);
	uint32_t at;

	if (order->room->index)
		return lw_index_find(order->room->index, order->type, gpus, cpus);
	LW_SEARCH(at, order->count, order->cand[at].key < key);
	return at;
}

static bool place_single_key_at(const struct order *order, uint32_t pos, uint64_t *ret_key)
{
	if (order->room->index)
		return lw_index_key_at(order->room->index, order->type, pos, ret_key);
	if (pos >= order->count)
		return false;
	*ret_key = order->cand[pos].key;
	return true;
}

/* The first number of the last key. */
static uint32_t place_single_most_gpus(const struct order *order)
{
	const struct lw_index *index = order->room->index;
	uint32_t count = index ? lw_index_count(index, order->type) : order->count;
	uint64_t key;

	return count && place_single_key_at(order, count - 1, &key) ? lw_index_key_gpus(key) : 0;
}

/* The node at POS, if it serves. */
static bool place_single_serves_at(const struct order *order, uint32_t pos,
				   struct lw_candidate *ret_cand)
{
	const struct lw_room *room = order->room;
	uint32_t node;

	if (!room->index) {
		*ret_cand = order->cand[pos];
		return true;
	}
	return lw_index_node(room->index, order->type, pos, &node) &&
	       lw_bitset_test(room->candidates, node) &&
	       lw_place_candidate(room, order->req, order->type, node, ret_cand);
}

/* The damage of giving GPUS of HAVE in plenty; a job without GPUs does none then. */
static int64_t place_single_gain_in_plenty(const struct order *order, uint32_t have,
					   uint32_t gpus)
{
	const struct lw_fragment *fragment = order->room->fragment;
	const int64_t *plenty;

	if (!fragment || order->type < 0 || (uint32_t)order->type >= fragment->types)
		return 0;
	plenty = fragment->plenty[order->type];
	if (have > LW_FRAGMENT_GPUS)
		have = LW_FRAGMENT_GPUS;
	return have > gpus ? plenty[have - gpus] - plenty[have] : plenty[0] - plenty[have];
}

/* The possible numbers of free GPUs, the least damage first, then the fewest. */
static uint32_t place_single_list_buckets(const struct order *order, uint32_t gpus,
					  struct bucket buckets[BUCKETS_MAX])
{
	uint32_t most = place_single_most_gpus(order), count = 0;

	for (uint32_t have = gpus; have <= most && count < BUCKETS_MAX; have++) {
		int64_t gain = place_single_gain_in_plenty(order, have, gpus);
		uint32_t at = count++;

		for (; at && buckets[at - 1].gain > gain; at--)
			buckets[at] = buckets[at - 1];
		buckets[at] = (struct bucket){ have, gain };
	}
	return count;
}

static bool single_lasts(const struct lw_room *room, int type)
{
	return room->release_dists && room->survival && room->fragment && type >= 0 &&
	       (uint32_t)type < room->fragment->types;
}

int64_t lw_place_damage(const struct lw_room *room, int type, uint32_t node,
			const struct lw_res *give)
{
	const struct lw_res *free = &room->free[node];
	uint32_t have, take;
	const int64_t *plenty;
	int64_t now, short_of;

	if (!room->fragment)
		return 0;
	now = lw_fragment_gain(room->fragment, free, give);
	if (!single_lasts(room, type))
		return now;
	have = free->gpus[type] < LW_FRAGMENT_GPUS ? free->gpus[type] : LW_FRAGMENT_GPUS;
	take = give->gpus[type] < have ? give->gpus[type] : have;
	plenty = room->fragment->plenty[type];
	/* damage for lack of CPUs or memory, assumed to stay the same */
	short_of = now - (plenty[have - take] - plenty[have]);
	return lw_release_dist_cost(&room->release_dists->items[node], plenty, have, take,
				    room->survival) +
	       short_of * lw_survival_sum(room->survival);
}

static int64_t place_single_gain_of(const struct order *order, const struct lw_candidate *cand)
{
	return lw_place_damage(order->room, order->type, cand->node, &cand->give);
}

/* Take CAND if it is better: in one island first, then by least damage. Returns the damage. */
static int64_t single_weigh(const struct order *order, const struct lw_candidate *cand,
			    struct choice *choice)
{
	bool split = lw_place_splits(order->room, cand->node, cand->gpus);
	int64_t gain = place_single_gain_of(order, cand);

	if (!choice->any || split < choice->split ||
	    (split == choice->split && gain < choice->gain))
		*choice = (struct choice){ *cand, gain, split, true };
	return gain;
}

/* Weigh nodes of BUCKET with increasing CPUs. Returns whether the search is over. */
static bool place_single_search_bucket(const struct order *order, const struct bucket *bucket,
				       uint32_t *looks, struct choice *choice)
{
	uint32_t pos = place_single_seek(order, bucket->gpus, order->req->cpus_per_node),
		 here = 0;
	struct lw_candidate cand;
	uint64_t key;

	while (here < LOOKS_A_BUCKET && place_single_key_at(order, pos, &key) &&
	       lw_index_key_gpus(key) == bucket->gpus) {
		int64_t gain;

		if (!place_single_serves_at(order, pos, &cand)) {
			pos++;
			continue;
		}
		gain = single_weigh(order, &cand, choice);
		if (gain <= bucket->gain && !choice->split)
			return true;
		here++;
		/* free islands distinguish nodes that are otherwise alike */
		if (lw_place_splits(order->room, cand.node, cand.gpus))
			pos++;
		else
			pos = place_single_seek(order, bucket->gpus, lw_index_key_cpus(key) + 1);
	}
	*looks += here;
	return *looks >= LOOKS_MAX;
}

static bool place_single_is_whole(const struct order *order, uint32_t node)
{
	const struct lw_room *room = order->room;

	return order->type >= 0 &&
	       room->free[node].gpus[order->type] == room->total[node].gpus[order->type];
}

/* Nodes with equally many free GPUs differ in when their jobs end: weigh some of each number. */
static void place_single_search_lasting(const struct order *order, uint32_t gpus,
					struct choice *choice)
{
	uint32_t most = place_single_most_gpus(order);

	for (uint32_t have = gpus; have <= most && have < gpus + BUCKETS_MAX; have++) {
		uint32_t pos = place_single_seek(order, have, order->req->cpus_per_node),
			 here = 0;
		struct lw_candidate cand;
		uint64_t key;

		for (; here < LOOKS_A_LASTING_BUCKET && place_single_key_at(order, pos, &key) &&
		       lw_index_key_gpus(key) == have;
		     pos++) {
			if (!place_single_serves_at(order, pos, &cand))
				continue;
			single_weigh(order, &cand, choice);
			here = place_single_is_whole(order, cand.node) ? LOOKS_A_LASTING_BUCKET
								       : here + 1;
		}
	}
}

/*
 * Of idle nodes just like the chosen one, take one of the domain with the fewest of them: gangs
 * want the others.
 */
static void place_single_spare_domains(struct lw_placer *placer, const struct order *order,
				       const struct lw_domains *domains, struct choice *choice)
{
	uint32_t gpus = lw_index_key_gpus(choice->cand.key), looks = 0, best = UINT32_MAX;
	uint32_t cpus = lw_index_key_cpus(choice->cand.key),
		 first = place_single_seek(order, gpus, cpus);
	uint32_t *count = placer->near.direct;
	struct lw_candidate cand;
	uint64_t key;

	memset(count, 0, domains->count * sizeof(*count));
	for (int turn = 0; turn < 2; turn++, looks = 0) {
		for (uint32_t pos = first;
		     looks < EQUALS_MAX && place_single_key_at(order, pos, &key) &&
		     lw_index_key_gpus(key) == gpus && lw_index_key_cpus(key) == cpus;
		     pos++, looks++) {
			uint32_t domain = lw_domain_of(domains, (uint32_t)key);

			if (domain == LW_NO_DOMAIN ||
			    !place_single_serves_at(order, pos, &cand) ||
			    (!choice->split &&
			     lw_place_splits(order->room, cand.node, cand.gpus)))
				continue;
			if (!turn) {
				count[domain]++;
			} else if (count[domain] < best) {
				best = count[domain];
				choice->cand = cand;
			}
		}
	}
}

bool lw_place_single(struct lw_placer *placer, const struct lw_room *room,
		     const struct lw_request *req, int type, uint32_t count)
{
	const struct lw_domains *domains = lw_placer_domains(placer, room, req);
	struct order order = { room, req, placer->candidates, count, type };
	struct bucket buckets[BUCKETS_MAX];
	uint32_t gpus = type >= 0 ? lw_gpu_floor(req) : 0, looks = 0;
	struct choice choice = { .any = false };
	bool lasting = single_lasts(room, type);
	uint32_t bucket_count = lasting ? 0 : place_single_list_buckets(&order, gpus, buckets);

	if (lasting)
		place_single_search_lasting(&order, gpus, &choice);
	for (uint32_t i = 0; i < bucket_count; i++) {
		if (place_single_search_bucket(&order, &buckets[i], &looks, &choice))
			break;
	}
	if (!choice.any)
		return false;
	if (domains && lw_index_key_gpus(choice.cand.key) &&
	    place_single_is_whole(&order, choice.cand.node))
		place_single_spare_domains(placer, &order, domains, &choice);
	placer->allocs[0] = (struct lw_alloc){ .node = choice.cand.node, .res = choice.cand.give };
	return true;
}
