/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: placement against trying all subsets of nodes. */
#include "lab/sim/stock/place_stock.h"
#include "planner/place/index.h"
#include "planner/place/place.h"
#include "planner/text/text.h"
#include "property/oracle.h"
#include "property/random.h"
#include "property/tap.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

static const struct random_shape small = {
	.nodes_max = 8,
	.sets_max = 1,
	.running_percent = 150,
	.waiting_max = 1,
	.strict = true,
	.plain = true,
};
static const struct random_shape large = {
	.nodes_max = 60,
	.sets_max = 1,
	.running_percent = 120,
	.waiting_max = 1,
	.strict = true,
	.plain = true,
};

/* A moment, a request, and everything lw_place() wants to know. */
struct round {
	struct lw_snapshot snap;
	struct lw_request req;
	struct lw_res *free_res;
	struct lw_res *total;
	struct lw_bitset candidates;
	struct lw_placer *placer;
	struct lw_fragment fragment;
	struct lw_room room;
	const struct lw_alloc *allocs;
	uint32_t count;
	int rc; /* of lw_place() */
};

/* The nodes of the first set; without a set, none. */
static int begin_candidates(struct round *round)
{
	return round->snap.set_count
		       ? lw_bitset_copy(&round->candidates, &round->snap.sets[0].nodes)
		       : lw_bitset_init(&round->candidates, round->snap.node_count);
}

static int begin_round(struct round *round, uint64_t seed, const struct random_shape *shape)
{
	struct prng prng = { seed };

	*round = (struct round){ 0 };
	if (random_snapshot(&prng, shape, &round->snap))
		return -1;
	random_request(&prng, &round->snap, &round->req);
	round->free_res = free_now(&round->snap);
	round->total = calloc((size_t)round->snap.node_count + 1, sizeof(*round->total));
	if (!round->free_res || !round->total ||
	    begin_candidates(round) ||
	    lw_placer_create(round->snap.node_count, &round->placer))
		return -1;
	for (uint32_t i = 0; i < round->snap.node_count; i++) {
		round->total[i] = round->snap.nodes[i].total;
		if (!round->snap.nodes[i].usable)
			lw_bitset_clear(&round->candidates, i);
	}
	round->room = (struct lw_room){ .free = round->free_res,
					.total = round->total,
					.candidates = &round->candidates,
					.domains = &round->snap.domains };
	if (lw_placer_reserve(round->placer, round->snap.domains.count))
		return -1;
	lw_fragment_init(&round->fragment, &round->snap.mix, round->snap.gpu_type_count);
	if (round->snap.mix.count)
		round->room.fragment = &round->fragment;
	round->rc =
		lw_place(round->placer, &round->room, &round->req, &round->allocs, &round->count);
	return 0;
}

/* Free all; a broken round shows the moment, the request as if it were queued. */
static int end_round(struct round *round, int rc, struct lw_strbuf *why)
{
	struct lw_waiting job = { .job_id = 9999,
				  .tasks = 1,
				  .limit_s = 1,
				  .begin_s = LW_NO_TIME,
				  .promise_s = LW_NO_TIME,
				  .request = round->req };

	if (rc && !lw_snapshot_add_waiting(&round->snap, &job, NULL))
		lw_snapshot_print(&round->snap, why);
	lw_placer_destroy(round->placer);
	lw_bitset_fini(&round->candidates);
	free(round->free_res);
	free(round->total);
	lw_snapshot_fini(&round->snap);
	return rc;
}

static int serves(uint64_t seed, struct lw_strbuf *why)
{
	struct round round;
	int rc = begin_round(&round, seed, &large);

	if (!rc && !round.rc)
		rc = oracle_serves(&round.snap, 0, &round.req, round.allocs, round.count,
				   round.free_res, why);
	return end_round(&round, rc, why);
}

/* Two totals are met greedily and may miss a fit: place.h says so. Strict domains refuse. */
static bool is_greedy(const struct round *round)
{
	return (round->req.cpus_total && round->req.gpus_total) ||
	       (round->snap.domains.strict && round->req.nodes_max > 1);
}

static int refuses_only_what_cannot_fit(uint64_t seed, struct lw_strbuf *why)
{
	struct round round;
	uint32_t fewest;
	int rc = begin_round(&round, seed, &small);

	if (rc)
		return end_round(&round, rc, why);
	fewest = oracle_fewest_nodes(&round.snap, 0, &round.req, round.free_res);
	if (round.rc && round.rc != -ENOSPC)
		rc = BROKEN(why, "returned %d\n", round.rc);
	else if (round.rc && fewest && !is_greedy(&round))
		rc = BROKEN(why, "refused, but %" PRIu32 " nodes would do\n", fewest);
	else if (!round.rc && !fewest)
		rc = BROKEN(why, "found %" PRIu32 " nodes where there is no room\n", round.count);
	return end_round(&round, rc, why);
}

static int totals_take_fewest_nodes(uint64_t seed, struct lw_strbuf *why)
{
	struct round round;
	uint32_t fewest;
	int rc = begin_round(&round, seed, &small);

	if (rc || round.rc || is_greedy(&round) ||
	    !(round.req.cpus_total || round.req.gpus_total))
		return end_round(&round, rc, why);
	fewest = oracle_fewest_nodes(&round.snap, 0, &round.req, round.free_res);
	if (round.count != fewest)
		rc = BROKEN(why, "%" PRIu32 " nodes instead of %" PRIu32 "\n", round.count,
			    fewest);
	return end_round(&round, rc, why);
}

static bool has_node(const struct round *round, uint32_t node)
{
	for (uint32_t i = 0; i < round->count; i++) {
		if (round->allocs[i].node == node)
			return true;
	}
	return false;
}

/*
 * Does node A fit better than B by place.h: no GPUs for who wants none, fewer free, fewer
 * CPUs, a lower index?
 */
static bool fits_better(const struct round *round, uint32_t a, uint32_t b, int type)
{
	const struct lw_res *x = &round->free_res[a], *y = &round->free_res[b];
	uint32_t gpus_x = type < 0 ? lw_res_gpus(x) : x->gpus[type];
	uint32_t gpus_y = type < 0 ? lw_res_gpus(y) : y->gpus[type];
	bool has_x = lw_res_gpus(&round->total[a]), has_y = lw_res_gpus(&round->total[b]);

	if (type < 0 && has_x != has_y)
		return has_y;
	if (gpus_x != gpus_y)
		return gpus_x < gpus_y;
	if (x->cpus != y->cpus)
		return x->cpus < y->cpus;
	/* with domains, of equals those that no gang misses */
	return a < b && !round->snap.domains.count;
}

/* No node left out serves and fits better than one that was taken. */
static int takes_best_fit(uint64_t seed, struct lw_strbuf *why)
{
	struct round round;
	int type = -1, rc = begin_round(&round, seed, &large);

	if (rc || round.rc || round.req.cpus_total || round.req.gpus_total ||
	    round.snap.mix.count || (round.snap.domains.count && round.req.nodes_max > 1) ||
	    (round.req.gpus_per_node && round.req.gpu_type == LW_GPU_ANY))
		return end_round(&round, rc, why);
	if (round.req.gpus_per_node)
		type = round.req.gpu_type;
	for (uint32_t node = 0; node < round.snap.node_count && !rc; node++) {
		struct lw_res res;

		if (has_node(&round, node) || !lw_bitset_test(&round.candidates, node) ||
		    !lw_place_on_node(&round.free_res[node], &round.total[node], &round.req, type,
				      &res))
			continue;
		for (uint32_t i = 0; i < round.count && !rc; i++) {
			if (fits_better(&round, node, round.allocs[i].node, type))
				rc = BROKEN(why,
					    "node %" PRIu32 " fits better than %" PRIu32 "\n",
					    node, round.allocs[i].node);
		}
		if (!rc && round.count < round.req.nodes_max)
			rc = BROKEN(why, "node %" PRIu32 " left out\n", node);
	}
	return end_round(&round, rc, why);
}

/* Did a job without GPUs get nodes without any, whatever others are near each other? */
static bool is_off_gpus(const struct round *round)
{
	for (uint32_t i = 0; i < round->count; i++) {
		if (lw_res_gpus(&round->total[round->allocs[i].node]))
			return false;
	}
	return true;
}

/*
 * How many nodes of DOMAIN, or below it, serve a request without totals? If it got nodes
 * without GPUs only those count.
 */
static uint32_t serving_in(const struct round *round, uint32_t domain, int type)
{
	bool off_gpus = is_off_gpus(round);
	uint32_t count = 0;
	struct lw_res res;

	for (uint32_t node = 0; node < round->snap.node_count; node++)
		count += lw_bitset_test(&round->candidates, node) &&
			 !(off_gpus && lw_res_gpus(&round->total[node])) &&
			 lw_domain_within(&round->snap.domains,
					  lw_domain_of(&round->snap.domains, node), domain) &&
			 lw_place_on_node(&round->free_res[node], &round->total[node],
					  &round->req, type, &res);
	return count;
}

static uint32_t common_domain(const struct round *round)
{
	const struct lw_domains *domains = &round->snap.domains;
	uint32_t common = lw_domain_of(domains, round->allocs[0].node);

	for (uint32_t i = 1; i < round->count; i++)
		common = lw_domain_common(domains, common,
					  lw_domain_of(domains, round->allocs[i].node));
	return common;
}

/* No domain holds so many nodes that is lower than the one they are in, or tighter. */
static int takes_smallest_domain(uint64_t seed, struct lw_strbuf *why)
{
	const struct lw_domain *items;
	struct round round;
	uint32_t common, held;
	int type = -1, rc = begin_round(&round, seed, &large);

	if (rc || round.rc || round.count < 2 || round.req.cpus_total || round.req.gpus_total ||
	    (round.req.gpus_per_node && round.req.gpu_type == LW_GPU_ANY))
		return end_round(&round, rc, why);
	if (round.req.gpus_per_node)
		type = round.req.gpu_type;
	items = round.snap.domains.items;
	common = common_domain(&round);
	held = common == LW_NO_DOMAIN ? 0 : serving_in(&round, common, type);
	for (uint32_t d = 0; d < round.snap.domains.count && !rc; d++) {
		uint32_t other = serving_in(&round, d, type);

		if (other < round.count)
			continue;
		if (common == LW_NO_DOMAIN || items[d].height < items[common].height ||
		    (items[d].height == items[common].height && other < held))
			rc = BROKEN(why, "%s holds %" PRIu32 " and is better\n", items[d].name,
				    other);
	}
	return end_round(&round, rc, why);
}

static uint32_t leaves_used(const struct round *round)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < round->count; i++) {
		uint32_t own = lw_domain_of(&round->snap.domains, round->allocs[i].node);
		bool seen = false;

		for (uint32_t j = 0; j < i && own != LW_NO_DOMAIN; j++)
			seen |= own == lw_domain_of(&round->snap.domains,
						    round->allocs[j].node);
		count += !seen;
	}
	return count;
}

static uint32_t split_nodes(const struct round *round, const uint16_t *linked)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < round->count; i++) {
		uint32_t node = round->allocs[i].node;

		count += linked[node] && lw_res_gpus(&round->allocs[i].res) > linked[node];
	}
	return count;
}

static uint32_t height(const struct round *round)
{
	return lw_place_height(&round->snap.domains, round->allocs, round->count);
}

/* Place it again with islands: on as many nodes, as near each other, of fewer split ones. */
static int compare_islands(struct round *round, const uint16_t *linked, struct lw_strbuf *why)
{
	bool totals = round->req.cpus_total || round->req.gpus_total;
	uint32_t nodes = round->count, high = height(round), leaves = leaves_used(round);
	uint32_t split = split_nodes(round, linked);

	round->room.linked = linked;
	if (lw_place(round->placer, &round->room, &round->req, &round->allocs, &round->count))
		return BROKEN(why, "with islands there is no room\n");
	if (round->count != nodes)
		return BROKEN(why, "%" PRIu32 " nodes instead of %" PRIu32 "\n", round->count,
			      nodes);
	if (nodes > 1 && (height(round) > high || leaves_used(round) > leaves))
		return BROKEN(why, "further from each other\n");
	/* a job with totals takes what completes it first; of several types one is chosen first */
	if (!totals && !round->req.exclusive && round->snap.gpu_type_count == 1 &&
	    split_nodes(round, linked) > split)
		return BROKEN(why, "%" PRIu32 " nodes split instead of %" PRIu32 "\n",
			      split_nodes(round, linked), split);
	return oracle_serves(&round->snap, 0, &round->req, round->allocs, round->count,
			     round->free_res, why);
}

static int islands_cost_no_nearness(uint64_t seed, struct lw_strbuf *why)
{
	uint16_t *linked;
	struct round round;
	int rc = begin_round(&round, seed, &large);

	linked = calloc(round.snap.node_count + 1, sizeof(*linked));
	if (!linked)
		rc = BROKEN(why, "no memory\n");
	for (uint32_t i = 0; !rc && i < round.snap.node_count; i++)
		linked[i] = round.snap.nodes[i].linked;
	if (!rc && !round.rc)
		rc = compare_islands(&round, linked, why);
	free(linked);
	return end_round(&round, rc, why);
}

/* What is placed under strict domains is no more spread than on an empty machine. */
static int strict_domains_are_kept(uint64_t seed, struct lw_strbuf *why)
{
	const struct lw_domains *domains;
	uint32_t common, leaf, height = 0;
	struct round round;
	int rc = begin_round(&round, seed, &large);

	domains = &round.snap.domains;
	if (rc || round.rc || round.count < 2 || !domains->strict || !domains->count)
		return end_round(&round, rc, why);
	common = common_domain(&round);
	while (lw_domains_largest(domains, height) &&
	       lw_domains_largest(domains, height) < round.req.nodes_min)
		height++;
	if (lw_domains_largest(domains, height) &&
	    (common == LW_NO_DOMAIN || domains->items[common].height > height))
		rc = BROKEN(why, "would fit at height %" PRIu32 "\n", height);
	leaf = lw_domains_largest(domains, 0);
	if (!rc && !round.req.cpus_total && !round.req.gpus_total && leaf &&
	    leaves_used(&round) > (round.count + leaf - 1) / leaf)
		rc = BROKEN(why, "%" PRIu32 " blocks\n", leaves_used(&round));
	return end_round(&round, rc, why);
}

/* What a model of Slurm's own placement starts, ours starts too; and it serves as well. */
static int refuses_nothing_that_stock_starts(uint64_t seed, struct lw_strbuf *why)
{
	const struct lw_alloc *allocs;
	struct round round;
	uint32_t count;
	int ours, rc = begin_round(&round, seed, &large);

	if (rc)
		return end_round(&round, rc, why);
	ours = round.rc;
	round.room.choose = lw_place_as_stock;
	if (!lw_place(round.placer, &round.room, &round.req, &allocs, &count)) {
		rc = oracle_serves(&round.snap, 0, &round.req, allocs, count, round.free_res,
				   why);
		if (!rc && ours)
			rc = BROKEN(why, "refused, where stock has %" PRIu32 " nodes\n", count);
	}
	return end_round(&round, rc, why);
}

/* The index only makes it fast: the answer is the same. */
static int index_changes_nothing(uint64_t seed, struct lw_strbuf *why)
{
	struct lw_alloc plain[64] = { 0 };
	struct lw_index *index = NULL;
	struct round round;
	uint32_t count;
	int plain_rc, rc = begin_round(&round, seed, &large);

	if (rc || lw_index_create(round.snap.node_count, &index))
		return end_round(&round, -1, why);
	plain_rc = round.rc;
	count = round.rc ? 0 : round.count;
	for (uint32_t i = 0; i < count; i++)
		plain[i] = round.allocs[i];
	lw_index_build(index, round.free_res, round.total, round.snap.gpu_type_count);
	round.room.index = index;
	round.room.gpu_types = round.snap.gpu_type_count;
	round.rc = lw_place(round.placer, &round.room, &round.req, &round.allocs, &round.count);
	if (round.rc != plain_rc || (!round.rc && round.count != count))
		rc = BROKEN(why, "%d without, %d with an index\n", plain_rc, round.rc);
	for (uint32_t i = 0; i < count && !rc; i++) {
		if (plain[i].node != round.allocs[i].node ||
		    !lw_res_equal(&plain[i].res, &round.allocs[i].res))
			rc = BROKEN(why, "node %" PRIu32 " without, %" PRIu32 " with an index\n",
				    plain[i].node, round.allocs[i].node);
	}
	lw_index_destroy(index);
	return end_round(&round, rc, why);
}

static const struct property properties[] = {
	{ "what is placed satisfies the request", serves, 4000 },
	{ "only what cannot fit is refused", refuses_only_what_cannot_fit, 3000 },
	{ "a total takes the fewest nodes", totals_take_fewest_nodes, 3000 },
	{ "nodes fit best", takes_best_fit, 4000 },
	{ "a gang takes the smallest domain", takes_smallest_domain, 6000 },
	{ "islands cost no nearness", islands_cost_no_nearness, 6000 },
	{ "strict domains are kept", strict_domains_are_kept, 6000 },
	{ "nothing is refused that stock starts", refuses_nothing_that_stock_starts, 10000 },
	{ "an index changes no answer", index_changes_nothing, 4000 },
};

int main(void)
{
	return run_properties(properties, sizeof(properties) / sizeof(*properties));
}
