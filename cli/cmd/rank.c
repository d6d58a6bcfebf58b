/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the places a job could have, the best first, and what speaks for each. */
#include "cli/cmd/rank.h"

#include "planner/place/placer.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void lw_ranking_fini(struct lw_ranking *ranking)
{
	for (uint32_t i = 0; i < ranking->count; i++)
		free(ranking->places[i].allocs);
	ranking->count = 0;
}

static uint32_t domain_of(const struct lw_room *room, const struct lw_alloc *alloc)
{
	return room->domains ? lw_domain_of(room->domains, alloc->node) : LW_NO_DOMAIN;
}

static void find_domains(const struct lw_room *room, struct lw_ranked *place)
{
	place->domain = domain_of(room, &place->allocs[0]);
	place->domains = 0;
	for (uint32_t i = 0; i < place->count; i++) {
		uint32_t own = domain_of(room, &place->allocs[i]);
		bool seen = false;

		if (room->domains)
			place->domain = lw_domain_common(room->domains, place->domain, own);
		for (uint32_t j = 0; j < i && !seen; j++)
			seen = domain_of(room, &place->allocs[j]) == own;
		place->domains += !seen;
	}
}

/* Of equally low domains the tightest is chosen: how many nodes could this one offer? */
static void count_room(const struct lw_room *room, struct lw_ranked *place)
{
	const struct lw_res *share = &place->allocs[0].res;

	if (place->count < 2 || place->domain == LW_NO_DOMAIN)
		return;
	for (uint32_t i = 1; i < place->count; i++) {
		if (lw_res_gpus(&place->allocs[i].res) < lw_res_gpus(share))
			share = &place->allocs[i].res;
	}
	for (uint32_t node = 0; node < room->candidates->bits; node++) {
		uint32_t own = lw_domain_of(room->domains, node);

		place->domain_room += lw_bitset_test(room->candidates, node) &&
				      own != LW_NO_DOMAIN &&
				      lw_domain_within(room->domains, own, place->domain) &&
				      lw_res_within(share, &room->free[node]);
	}
}

static void rank_weigh(const struct lw_room *room, struct lw_ranked *place)
{
	find_domains(room, place);
	count_room(room, place);
	for (uint32_t i = 0; i < place->count; i++) {
		const struct lw_alloc *alloc = &place->allocs[i];
		const struct lw_res *free = &room->free[alloc->node];
		uint32_t all = lw_res_gpus(&room->total[alloc->node]);
		uint32_t had = lw_res_gpus(free), gives = lw_res_gpus(&alloc->res);

		place->broken += all && had == all && gives < had;
		place->split += lw_place_splits(room, alloc->node, gives);
		place->gpus_left += had - gives;
		if (room->fragment)
			place->fragment += lw_fragment_gain(room->fragment, free, &alloc->res);
	}
}

static int rank_add(struct lw_ranking *ranking, const struct lw_room *room,
		    const struct lw_alloc *allocs, uint32_t count)
{
	struct lw_ranked *place = &ranking->places[ranking->count];

	memset(place, 0, sizeof(*place));
	place->allocs = malloc(count * sizeof(*allocs));
	if (!place->allocs)
		return -ENOMEM;
	memcpy(place->allocs, allocs, count * sizeof(*allocs));
	place->count = count;
	rank_weigh(room, place);
	ranking->count++;
	return 0;
}

/* Remove what the next place must not use. */
static void take_away(const struct lw_room *room, const struct lw_ranked *place,
		      struct lw_bitset *left)
{
	for (uint32_t i = 0; i < place->count; i++) {
		uint32_t own = domain_of(room, &place->allocs[i]);

		lw_bitset_clear(left, place->allocs[i].node);
		for (uint32_t node = 0; place->count > 1 && own != LW_NO_DOMAIN &&
					node < left->bits; node++) {
			if (lw_domain_of(room->domains, node) == own)
				lw_bitset_clear(left, node);
		}
	}
}

int lw_rank(struct lw_placer *placer, const struct lw_room *room, const struct lw_request *req,
	    uint32_t most, struct lw_ranking *ret_ranking)
{
	struct lw_room here = *room;
	const struct lw_alloc *allocs;
	struct lw_bitset left;
	uint32_t count;
	int rc = 0;

	ret_ranking->count = 0;
	if (lw_bitset_copy(&left, room->candidates))
		return -ENOMEM;
	here.candidates = &left;
	most = most < LW_RANK_MAX ? most : LW_RANK_MAX;
	while (!rc && ret_ranking->count < most &&
	       !lw_place(placer, &here, req, &allocs, &count)) {
		rc = rank_add(ret_ranking, room, allocs, count);
		if (!rc)
			take_away(room, &ret_ranking->places[ret_ranking->count - 1], &left);
	}
	lw_bitset_fini(&left);
	if (rc)
		lw_ranking_fini(ret_ranking);
	return rc;
}
