/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what the files of moves share; only move.c and move_find.c include this. */
#ifndef LW_PLANNER_MOVE_PARTS_H
#define LW_PLANNER_MOVE_PARTS_H

#include "planner/cycle/lease_parts.h"

/* One look for moves. */
struct lw_move_look {
	struct lw_cycle *cycle;
	const struct lw_lease_rules *rules;
	const struct lw_lease_state *state;
	struct lw_leases *leases;
	struct lw_moves *moves;
};

/* A job that has no room, although enough is free. */
struct lw_move_wish {
	uint32_t index;
	int64_t run_s, end_s;
	uint64_t seq;
	struct lw_request each; /* on each of its nodes */
};

/* The jobs that would move, and where each would run again. */
struct lw_move_set {
	struct lw_move_victim *victims[LW_MOVE_MOST];
	struct lw_alloc places[LW_MOVE_MOST];
	uint32_t count, nodes;
	double share;
	int64_t lost_s; /* of the work of all of them */
};

/* What the victim holds, on its node. */
const struct lw_alloc *lw_move_held(const struct lw_move_look *look,
				    const struct lw_move_victim *victim);
/* Does the wish fit into look->moves->free, beside all reservations? */
bool lw_move_fits(struct lw_move_look *look, const struct lw_move_wish *wish,
		  const struct lw_alloc **ret_allocs, uint32_t *ret_count);
/*
 * List the nodes that the wish could have, and which victims would leave each, the cheapest
 * first. -ENOMEM.
 */
int lw_move_options(struct lw_move_look *look, const struct lw_move_wish *wish);
/* As many of these as it takes, with a place for each victim, to SET; false: there are not. */
bool lw_move_find(struct lw_move_look *look, const struct lw_move_wish *wish,
		  struct lw_move_set *set);

#endif
