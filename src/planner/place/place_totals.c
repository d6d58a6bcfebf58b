/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: placement of a job with totals instead of amounts for each node. */
#include "planner/place/placer.h"

#include <errno.h>
#include <string.h>

/* A domain that seems to hold the job but does not is rare: give up after this many. */
#define TRIES_MAX 32

/* What is still missing of the totals. */
struct missing {
	uint32_t cpus;
	uint32_t gpus;
	uint32_t nodes; /* to reach nodes_min */
};

static uint32_t totals_cut(uint32_t have, uint32_t missing)
{
	return have < missing ? have : missing;
}

static bool place_totals_completes(const struct missing *missing, const struct lw_candidate *cand)
{
	return missing->nodes <= 1 && cand->cpus >= missing->cpus &&
	       cand->gpus >= missing->gpus;
}

static bool place_totals_fits_better(const struct lw_candidate *a, const struct lw_candidate *b)
{
	if (a->grade != b->grade)
		return a->grade < b->grade;
	if (a->near != b->near)
		return a->near < b->near;
	return a->split != b->split ? b->split : a->key < b->key;
}

/*
 * The next node: one that completes the job if there is any, the best fitting of these; else the
 * one that gives most of what is missing. That needs the fewest nodes for one total and is a
 * good guess for two.
 */
static uint32_t place_totals_pick_next(const struct lw_candidate *cand, uint32_t count,
				       const struct missing *missing)
{
	uint32_t best = count;
	bool best_completes = false;
	uint64_t best_gain = 0;

	for (uint32_t i = 0; i < count; i++) {
		bool done = place_totals_completes(missing, &cand[i]);
		uint64_t gain = (uint64_t)totals_cut(cand[i].gpus, missing->gpus) << 32 |
				totals_cut(cand[i].cpus, missing->cpus);
		bool better;

		if (best == count)
			better = true;
		else if (done != best_completes)
			better = done;
		else if (!done && gain != best_gain)
			better = gain > best_gain;
		else
			better = place_totals_fits_better(&cand[i], &cand[best]);
		if (better) {
			best = i;
			best_completes = done;
			best_gain = gain;
		}
	}
	return best;
}

/* Take from a node what is missing, but leave the floor of the nodes still to come. */
static void totals_take(struct lw_alloc *alloc, const struct lw_candidate *cand,
			const struct lw_request *req, int type, struct missing *missing)
{
	uint32_t later = missing->nodes > 1 ? missing->nodes - 1 : 0;
	uint32_t floor_gpus = type >= 0 ? lw_gpu_floor(req) : 0;
	uint32_t cpus = req->cpus_per_node, gpus = floor_gpus;

	if (missing->cpus > later * req->cpus_per_node)
		cpus = totals_cut(cand->cpus, missing->cpus - later * req->cpus_per_node);
	if (missing->gpus > later * floor_gpus)
		gpus = totals_cut(cand->gpus, missing->gpus - later * floor_gpus);
	if (cpus < req->cpus_per_node)
		cpus = req->cpus_per_node;
	if (gpus < floor_gpus)
		gpus = floor_gpus;
	alloc->node = cand->node;
	alloc->need = 0;
	if (req->exclusive) {
		alloc->res = cand->give;
	} else {
		lw_place_amounts(&alloc->res, req, type, cpus, gpus);
		if (cand->give.gpu_parts)
			lw_place_whole_parts(&alloc->res, &cand->give);
	}
	missing->cpus -= totals_cut(cpus, missing->cpus);
	missing->gpus -= totals_cut(gpus, missing->gpus);
	missing->nodes = later;
}

/* The choice: a request, with GPUs of one type, on a bounded number of nodes. */
struct choice {
	const struct lw_request *req;
	int type;
	uint32_t nodes_max;
};

/* Choose among CAND[COUNT]; the order of these is lost. */
static int totals_choose(struct lw_placer *placer, struct lw_candidate *cand, uint32_t count,
			 const struct choice *choice, uint32_t *ret_count)
{
	const struct lw_request *req = choice->req;
	struct missing missing = { req->cpus_total, choice->type >= 0 ? req->gpus_total : 0,
				   req->nodes_min };
	uint32_t taken = 0;

	while (missing.nodes || missing.cpus || missing.gpus) {
		struct lw_candidate swap;
		uint32_t i;

		if (taken == choice->nodes_max || taken == count)
			return -ENOSPC;
		i = taken + place_totals_pick_next(cand + taken, count - taken, &missing);
		totals_take(&placer->allocs[taken], &cand[i], req, choice->type, &missing);
		swap = cand[i];
		cand[i] = cand[taken];
		cand[taken] = swap;
		taken++;
	}
	*ret_count = taken;
	return 0;
}

/*
 * Gather the candidates in DOMAIN. Of equally good nodes, those of the domain with the most
 * candidates are taken, so that few domains are needed.
 */
static uint32_t place_totals_gather_domain(struct lw_placer *placer,
					   const struct lw_domains *domains, uint32_t domain,
					   uint32_t count)
{
	uint32_t found = 0;

	for (uint32_t i = 0; i < count; i++) {
		const struct lw_candidate *cand = &placer->candidates[i];
		uint32_t own = lw_domain_of(domains, cand->node);

		if (!lw_domain_within(domains, own, domain))
			continue;
		placer->near_candidates[found] = *cand;
		placer->near_candidates[found++].near = UINT32_MAX - placer->near.direct[own];
	}
	return found;
}

/* The next domain to try: the lowest, then tightest, then first that was not tried yet. */
static uint32_t place_totals_next_domain(struct lw_nearness *near,
					 const struct lw_domains *domains, uint32_t want,
					 uint32_t ceiling)
{
	uint32_t best = LW_NO_DOMAIN;

	for (uint32_t d = 0; d < domains->count; d++) {
		const struct lw_domain *domain = &domains->items[d];

		if (near->quota[d] || near->held[d] < want || domain->height > ceiling)
			continue;
		if (best == LW_NO_DOMAIN || domain->height < domains->items[best].height ||
		    (domain->height == domains->items[best].height &&
		     near->held[d] < near->held[best]))
			best = d;
	}
	if (best != LW_NO_DOMAIN)
		near->quota[best] = 1;
	return best;
}

/* In one domain. */
static int place_totals_choose_near(struct lw_placer *placer, const struct lw_domains *domains,
				    const struct choice *choice, uint32_t count,
				    uint32_t *ret_count)
{
	uint32_t nodes_min = choice->req->nodes_min;
	uint32_t ceiling = lw_near_ceiling(domains, nodes_min);

	lw_near_count(placer, domains, count);
	for (uint32_t tries = 0; tries < TRIES_MAX; tries++) {
		uint32_t domain =
			place_totals_next_domain(&placer->near, domains, nodes_min, ceiling);
		uint32_t found;

		if (domain == LW_NO_DOMAIN)
			break;
		found = place_totals_gather_domain(placer, domains, domain, count);
		if (!totals_choose(placer, placer->near_candidates, found, choice, ret_count))
			return 0;
	}
	return -ENOSPC;
}

/* Of the nodes that complete the job alone, the one with the least damage, else the best fit. */
static void place_totals_choose_single(struct lw_placer *placer, const struct lw_room *room,
				       const struct lw_request *req, int type, uint32_t count)
{
	int64_t best_gain = INT64_MAX;
	bool best_split = true;
	uint64_t best_key = UINT64_MAX;

	for (uint32_t i = 0; i < count; i++) {
		struct missing missing = { req->cpus_total, type >= 0 ? req->gpus_total : 0, 1 };
		const struct lw_candidate *cand = &placer->candidates[i];
		struct lw_alloc alloc;
		bool split, does_less;
		int64_t gain;

		if (!place_totals_completes(&missing, cand))
			continue;
		totals_take(&alloc, cand, req, type, &missing);
		gain = lw_place_damage(room, type, cand->node, &alloc.res);
		does_less = gain < best_gain || (gain == best_gain && cand->key < best_key);
		/* look at the islands only if they decide */
		if (!best_split && !does_less)
			continue;
		split = type >= 0 &&
			lw_place_splits(room, cand->node, alloc.res.gpus[type]);
		if (split > best_split || (split == best_split && !does_less))
			continue;
		best_split = split;
		best_gain = gain;
		best_key = cand->key;
		placer->allocs[0] = alloc;
	}
}

/* Do all candidates together have enough? Most failures are found here, at little cost. */
static bool place_totals_have_enough(const struct lw_placer *placer, const struct lw_request *req,
				     int type, uint32_t count)
{
	uint64_t cpus = 0, gpus = 0;

	for (uint32_t i = 0; i < count; i++) {
		cpus += placer->candidates[i].cpus;
		gpus += placer->candidates[i].gpus;
	}
	return cpus >= req->cpus_total && (type < 0 || gpus >= req->gpus_total);
}

int lw_place_totals(struct lw_placer *placer, const struct lw_room *room,
		    const struct lw_request *req, int type, uint32_t count, uint32_t *ret_count)
{
	const struct lw_domains *domains = lw_placer_domains(placer, room, req);
	struct choice widest = { req, type, req->nodes_max }, few = widest;
	int rc;

	if (!place_totals_have_enough(placer, req, type, count))
		return -ENOSPC;
	rc = totals_choose(placer, placer->candidates, count, &widest, ret_count);
	few.nodes_max = *ret_count;
	if (!rc && few.nodes_max == 1 && (room->fragment || lw_place_has_islands(room)))
		place_totals_choose_single(placer, room, req, type, count);
	if (rc || !domains || few.nodes_max == 1)
		return rc;
	if (!place_totals_choose_near(placer, domains, &few, count, ret_count))
		return 0;
	if (domains->strict)
		return place_totals_choose_near(placer, domains, &widest, count, ret_count);
	return totals_choose(placer, placer->candidates, count, &widest, ret_count);
}
