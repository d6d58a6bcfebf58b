/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: by node, the earliest time at which amounts could be free for a duration. */
#ifndef LW_PLANNER_EARLIEST_FREE_H
#define LW_PLANNER_EARLIEST_FREE_H

#include "planner/model/snapshot.h"

/*
 * A search for the earliest start of a job asks thousands of nodes, or of kinds of nodes where
 * some are alike (planner/time/kinds.h): they are nodes here. Most of them cannot beat the best
 * start known so far, because they have too little free until later. A table tells this without a
 * look at the node. It has a row for each of a few amounts of GPUs and CPUs and a few durations.
 * A row holds, by node, the first time from which on the node has that amount for that long, and
 * the least of these for each 64 nodes, which a search counts anew where a node has become later.
 * The table only gives a lower bound.
 *
 * Rows of an amount are made when it is first asked for. A row takes 8 bytes a node; a change of
 * a node costs O(its moments) for each amount.
 */

/* What is free on a node from a time on, until its next moment. */
struct lw_moment {
	int64_t time_s;
	struct lw_res free;
};

#define LW_SOONEST_BLOCK   64
#define LW_SOONEST_AMOUNTS 8
#define LW_SOONEST_LENGTHS 8

/* The rows of one amount. */
struct lw_earliest_free_amount {
	int64_t *node_s;  /* by length and node; INT64_MAX: never */
	int64_t *block_s; /* by length and 64 nodes */
	bool *stale;      /* the same: may the least of the nodes have become later? */
	uint32_t node_room, block_room, stale_room;
	bool asked; /* since the beginning; if not, all else is left from before */
};

struct lw_earliest_free {
	struct lw_earliest_free_amount amounts[2][LW_SOONEST_AMOUNTS]; /* of CPUs, of GPUs */
	uint32_t node_count, block_count;
	uint32_t cpus[LW_SOONEST_AMOUNTS];
};

/* One row of it, or none. A search brings it up to date. */
struct lw_earliest_free_row {
	const int64_t *node_s;
	int64_t *block_s;
	bool *stale;
	uint32_t node_count;
	bool fresh; /* it was made for this; each node must be set by lw_earliest_free_fill() */
	bool gpus;
	uint32_t level;
};

/* All zero is empty. */
void lw_earliest_free_fini(struct lw_earliest_free *earliest_free);

/* Make it for the nodes of SNAP, without any row. */
void lw_earliest_free_begin(struct lw_earliest_free *earliest_free,
			    const struct lw_snapshot *snap);

/* Set NODE in all rows: ITEMS[COUNT] are its moments, in order of time. */
void lw_earliest_free_set(struct lw_earliest_free *earliest_free, uint32_t node,
			  const struct lw_moment *items, uint32_t count);

/* The same in the rows of one amount. */
void lw_earliest_free_fill(struct lw_earliest_free *earliest_free,
			   const struct lw_earliest_free_row *row, uint32_t node,
			   const struct lw_moment *items, uint32_t count);

/*
 * The row for a job that needs at least so many CPUs and GPUs of one type on a node for
 * DURATION_S; no row if these amounts are below those of the table, or there is no memory.
 */
struct lw_earliest_free_row lw_earliest_free_row(struct lw_earliest_free *earliest_free,
						 uint32_t cpus, uint32_t gpus,
						 int64_t duration_s);

/* The first of NODES from FROM on that may serve before LIMIT_S, or nodes->bits. */
uint32_t lw_earliest_free_next(const struct lw_earliest_free_row *row,
			       const struct lw_bitset *nodes, uint32_t from, int64_t limit_s);

#endif
