/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: placement of gangs on nodes on which one island holds their GPUs. */

/*
 * An island is the smallest domain, but no reason for more nodes, or for nodes further apart. So
 * the gang is placed as usual, with nodes on which it is in one island first within its domains.
 * If that is not enough, it is placed on such nodes alone, and the better placement is used.
 * O(nodes that serve) in addition to the placement itself.
 */
#include "planner/place/placer.h"

#include <string.h>

/* How spread a placement is. */
struct spread {
	uint32_t nodes;
	uint32_t height; /* of the smallest domain that holds it */
	uint32_t leaves; /* domains that its nodes are directly in */
};

bool lw_place_minds_islands(const struct lw_room *room, const struct lw_request *req, int type)
{
	/* links are known only for now, and a whole node has all its islands anyway */
	return lw_place_has_islands(room) && !room->choose && !room->now && !req->exclusive &&
	       type >= 0 && req->nodes_max > 1 && req->gpus_per_node > 1;
}

void lw_place_mark_islands(struct lw_placer *placer, const struct lw_room *room,
			   const struct lw_request *req, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		placer->candidates[i].split = lw_place_splits(
			room, placer->candidates[i].node, req->gpus_per_node);
}

bool lw_place_is_split(const struct lw_placer *placer, const struct lw_room *room,
		       const struct lw_request *req, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		if (lw_place_splits(room, placer->allocs[i].node, req->gpus_per_node))
			return true;
	}
	return false;
}

static struct spread islands_measure(const struct lw_placer *placer,
				     const struct lw_domains *domains, uint32_t count)
{
	struct spread spread = { count, LW_NO_HEIGHT, 0 };
	uint32_t *seen = placer->near.direct;

	if (!domains)
		return spread;
	memset(seen, 0, domains->count * sizeof(*seen));
	for (uint32_t i = 0; i < count; i++) {
		uint32_t own = lw_domain_of(domains, placer->allocs[i].node);

		spread.leaves += own == LW_NO_DOMAIN || !seen[own]++;
	}
	spread.height = lw_place_height(domains, placer->allocs, count);
	return spread;
}

/* Move the candidates that would not be split to the front; returns their number. */
static uint32_t place_islands_part_whole(struct lw_placer *placer, uint32_t count)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < count; i++) {
		struct lw_candidate cand = placer->candidates[i];

		if (cand.split)
			continue;
		placer->candidates[i] = placer->candidates[kept];
		placer->candidates[kept++] = cand;
	}
	return kept;
}

bool lw_place_in_islands(struct lw_placer *placer, const struct lw_room *room,
			 const struct lw_request *req, int type, uint32_t count,
			 uint32_t *ret_count)
{
	const struct lw_domains *domains = lw_placer_domains(placer, room, req);
	struct spread before = islands_measure(placer, domains, *ret_count), after;
	uint32_t kept = place_islands_part_whole(placer, count), got;

	/* restore their order */
	lw_place_sort(placer, kept);
	if (kept < before.nodes || lw_place_among(placer, room, req, type, kept, &got))
		return false;
	after = islands_measure(placer, domains, got);
	if (after.nodes != before.nodes || after.height > before.height ||
	    after.leaves > before.leaves)
		return false;
	*ret_count = got;
	return true;
}
