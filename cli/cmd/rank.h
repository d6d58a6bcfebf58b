/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the places a job could have, the best first, and what speaks for each. */
#ifndef LW_CLI_RANK_H
#define LW_CLI_RANK_H

#include "planner/place/place.h"

#define LW_RANK_MAX 64

/* One place. */
struct lw_ranked {
	struct lw_alloc *allocs; /* in node order; of the ranking */
	uint32_t count;
	uint32_t domain;    /* the smallest that holds it, or LW_NO_DOMAIN */
	uint32_t domains;   /* how many domains its nodes are directly in; nodes in none count
			     * as one */
	/* nodes of DOMAIN with room for its smallest share; 0 without one or for a single node */
	uint32_t domain_room;
	uint32_t broken;    /* nodes that had all their GPUs free and keep some of them */
	uint32_t split;	    /* nodes on which its GPUs come from several islands */
	uint32_t gpus_left; /* free on its nodes afterwards, all types */
	/* GPUs that it makes useless, in 1 / LW_MIX_ONE; below 0: it uses up useless GPUs */
	int64_t fragment;
};

struct lw_ranking {
	struct lw_ranked places[LW_RANK_MAX];
	uint32_t count;
};

/*
 * The first place is that of lw_place() for REQ in ROOM. Each further place is found without the
 * nodes of the places before, and for a job of several nodes without their domains. At most MOST
 * places; none if there is no room. After -ENOMEM there is nothing to free.
 */
int lw_rank(struct lw_placer *placer, const struct lw_room *room, const struct lw_request *req,
	    uint32_t most, struct lw_ranking *ret_ranking);
void lw_ranking_fini(struct lw_ranking *ranking);

#endif
