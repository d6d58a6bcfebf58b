/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: placement of equal nodes near each other: in the smallest domain that holds them. */

/*
 * Of the domains that hold the job the lowest is used; of equally low ones, the one with the
 * fewest nodes to choose from, so that the others stay whole. Inside it, if a part of the tree
 * holds all that is still wanted, the tightest such part is used alone. If there is none, the
 * largest part is used up first, which needs the fewest parts. O(candidates + domains + domains
 * used * siblings).
 */
#include "planner/place/placer.h"

#include <errno.h>
#include <string.h>

const struct lw_domains *lw_placer_domains(const struct lw_placer *placer,
					   const struct lw_room *room,
					   const struct lw_request *req)
{
	const struct lw_domains *domains = room->domains;
	bool known = domains && domains->count && domains->count <= placer->domain_room;

	return known && !(domains->strict && req->spread) ? domains : NULL;
}

uint32_t lw_place_height(const struct lw_domains *domains, const struct lw_alloc *allocs,
			 uint32_t count)
{
	uint32_t domain = lw_domain_of(domains, allocs[0].node);

	for (uint32_t i = 1; i < count; i++)
		domain = lw_domain_common(domains, domain, lw_domain_of(domains, allocs[i].node));
	return domain == LW_NO_DOMAIN ? LW_NO_HEIGHT : domains->items[domain].height;
}

void lw_near_count(struct lw_placer *placer, const struct lw_domains *domains, uint32_t count)
{
	struct lw_nearness *near = &placer->near;
	size_t size = domains->count * sizeof(*near->held);

	memset(near->direct, 0, size);
	memset(near->quota, 0, size);
	near->loose = 0;
	for (uint32_t i = 0; i < count; i++) {
		uint32_t domain = lw_domain_of(domains, placer->candidates[i].node);

		if (domain == LW_NO_DOMAIN)
			near->loose++;
		else
			near->direct[domain]++;
	}
	memcpy(near->held, near->direct, size);
	/* children come after their parents */
	for (uint32_t d = domains->count; d-- > 0;) {
		uint32_t parent = domains->items[d].parent;

		if (parent != LW_NO_DOMAIN)
			near->held[parent] += near->held[d];
	}
}

uint32_t lw_near_ceiling(const struct lw_domains *domains, uint32_t want)
{
	uint32_t most;

	for (uint32_t height = 0; domains->strict; height++) {
		most = lw_domains_largest(domains, height);
		if (!most)
			break;
		if (most >= want)
			return height;
	}
	return UINT32_MAX;
}

/* The lowest, then tightest, then first domain that holds WANT, or LW_NO_DOMAIN. */
static uint32_t place_near_smallest_that_holds(const struct lw_nearness *near,
					       const struct lw_domains *domains, uint32_t want)
{
	uint32_t best = LW_NO_DOMAIN;

	for (uint32_t d = 0; d < domains->count; d++) {
		const struct lw_domain *domain = &domains->items[d];

		if (near->held[d] < want)
			continue;
		if (best == LW_NO_DOMAIN || domain->height < domains->items[best].height ||
		    (domain->height == domains->items[best].height &&
		     near->held[d] < near->held[best]))
			best = d;
	}
	return best;
}

/* Is a part with HAVE nodes better than one with BEST for a job that still wants WANT? */
static bool place_near_suits_better(uint32_t have, uint32_t best, uint32_t want)
{
	if ((have >= want) != (best >= want))
		return have >= want;
	return have >= want ? have < best : have > best;
}

/*
 * Distribute WANT nodes among the children from FIRST_CHILD on and OWN nodes beside them. Sets
 * the children's quotas; returns how many of the own ones.
 */
static uint32_t place_near_share_out(struct lw_nearness *near, const struct lw_domains *domains,
				     uint32_t first_child, uint32_t own, uint32_t want)
{
	uint32_t own_quota = 0;

	while (want) {
		uint32_t best = LW_NO_DOMAIN, have = own_quota ? 0 : own, give;

		for (uint32_t d = first_child; d != LW_NO_DOMAIN;
		     d = domains->items[d].next_sibling) {
			if (near->quota[d] || !place_near_suits_better(near->held[d], have, want))
				continue;
			best = d;
			have = near->held[d];
		}
		give = have < want ? have : want;
		if (!give)
			break;
		if (best == LW_NO_DOMAIN)
			own_quota = give;
		else
			near->quota[best] = give;
		want -= give;
	}
	return own_quota;
}

/* Set, by domain, how many of the nodes directly in it are taken. */
static void place_near_set_quotas(struct lw_nearness *near, const struct lw_domains *domains,
				  uint32_t best, uint32_t want)
{
	near->loose_quota = 0;
	if (best == LW_NO_DOMAIN)
		near->loose_quota = place_near_share_out(near, domains, domains->first_root,
							 near->loose, want);
	else
		near->quota[best] = want;
	near->leaves = near->loose_quota;
	for (uint32_t d = best == LW_NO_DOMAIN ? 0 : best; d < domains->count; d++) {
		if (!near->quota[d])
			continue;
		near->quota[d] =
			place_near_share_out(near, domains, domains->items[d].first_child,
					     near->direct[d], near->quota[d]);
		near->leaves += near->quota[d] > 0;
	}
}

static void place_near_take_quotas(struct lw_placer *placer, const struct lw_domains *domains,
				   uint32_t count)
{
	struct lw_nearness *near = &placer->near;
	uint32_t taken = 0;

	for (uint32_t i = 0; i < count; i++) {
		const struct lw_candidate *cand = &placer->candidates[i];
		uint32_t domain = lw_domain_of(domains, cand->node);
		uint32_t *quota = domain == LW_NO_DOMAIN ? &near->loose_quota
							 : &near->quota[domain];

		if (!*quota)
			continue;
		--*quota;
		placer->allocs[taken++] = (struct lw_alloc){
			.node = cand->node, .res = cand->give
		};
	}
}

/* Slurm's topology/block spreads no job further than necessary on an idle machine. */
static bool place_near_is_allowed(const struct lw_nearness *near,
				  const struct lw_domains *domains, uint32_t best, uint32_t want)
{
	uint32_t ceiling = lw_near_ceiling(domains, want), leaf;

	if (!domains->strict)
		return true;
	if (ceiling != UINT32_MAX &&
	    (best == LW_NO_DOMAIN || domains->items[best].height > ceiling))
		return false;
	leaf = lw_domains_largest(domains, 0);
	return !leaf || near->leaves <= (want + leaf - 1) / leaf;
}

/*
 * Take WANT nodes of TOP (LW_NO_DOMAIN: of all) from the fewest domains, at any level below it:
 * the largest domain first; the rest from the tightest domain that holds it.
 */
static void place_near_set_flat_quotas(struct lw_nearness *near, const struct lw_domains *domains,
				       uint32_t top, uint32_t want)
{
	memset(near->quota, 0, domains->count * sizeof(*near->quota));
	near->loose_quota = near->leaves = 0;
	while (want) {
		uint32_t best = LW_NO_DOMAIN, have = 0;

		for (uint32_t d = 0; d < domains->count; d++) {
			if (near->quota[d] ||
			    !place_near_suits_better(near->direct[d], have, want) ||
			    (top != LW_NO_DOMAIN && !lw_domain_within(domains, d, top)))
				continue;
			best = d;
			have = near->direct[d];
		}
		if (best == LW_NO_DOMAIN)
			break;
		near->quota[best] = have < want ? have : want;
		want -= near->quota[best];
		near->leaves++;
	}
	/* nodes without a domain are each as far away as a domain of their own */
	near->loose_quota = want;
	near->leaves += want;
}

/* Strict domains may allow a placement other than the tightest of the lowest domains. */
static int place_near_find_allowed(struct lw_nearness *near, const struct lw_domains *domains,
				   uint32_t want)
{
	for (uint32_t d = 0; d <= domains->count; d++) {
		uint32_t top = d < domains->count ? d : LW_NO_DOMAIN;

		if (top != LW_NO_DOMAIN && near->held[top] < want)
			continue;
		place_near_set_flat_quotas(near, domains, top, want);
		if (near->loose_quota <= near->loose &&
		    place_near_is_allowed(near, domains, top, want))
			return 0;
	}
	return -ENOSPC;
}

int lw_place_near(struct lw_placer *placer, const struct lw_domains *domains, uint32_t count,
		  uint32_t want)
{
	uint32_t best;

	lw_near_count(placer, domains, count);
	best = place_near_smallest_that_holds(&placer->near, domains, want);
	place_near_set_quotas(&placer->near, domains, best, want);
	if (!place_near_is_allowed(&placer->near, domains, best, want) &&
	    place_near_find_allowed(&placer->near, domains, want))
		return -ENOSPC;
	place_near_take_quotas(placer, domains, count);
	return 0;
}
