/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the table of planned nodes of a model of Slurm's backfill. */
#ifndef LW_LAB_SIM_STOCK_SPACE_H
#define LW_LAB_SIM_STOCK_SPACE_H

#include "base/bitset.h"

#include <stdint.h>

/*
 * As node_space of Slurm's sched/backfill: from begin_s to end_s these nodes are in no planned
 * job. A planned job has its nodes whole, also where it wants a part of each. The first slot is
 * number 0, and a next of 0 ends the list. All slots touch each other.
 */
struct lw_stock_slot {
	int64_t begin_s, end_s;
	uint32_t next;
	struct lw_bitset avail;
};

struct lw_stock_space {
	struct lw_stock_slot *slots;
	uint32_t count, room; /* used so far, of which some may be off the list; made */
	uint32_t nodes;
	int64_t resolution_s;
};

/* Zeroed or used before: one slot of all NODES, BEGIN_S to END_S. -ENOMEM. */
int lw_stock_space_begin(struct lw_stock_space *space, uint32_t nodes, int64_t begin_s,
			 int64_t end_s, int64_t resolution_s);
/* Free all it holds; safe on a zeroed one. */
void lw_stock_space_fini(struct lw_stock_space *space);

/* TAKEN are nodes of a job planned START_S to END_S. -ENOMEM. */
int lw_stock_space_add(struct lw_stock_space *space, int64_t start_s, int64_t end_s,
		       const struct lw_bitset *taken);

/* Is any of NODES taken at a time from START_S to END_S? */
bool lw_stock_space_overlaps(const struct lw_stock_space *space, const struct lw_bitset *nodes,
			     int64_t start_s, int64_t end_s);

/*
 * Take from AVAIL what is taken at a time from START_S to END_S. Returns when it is worth another
 * look, since nodes come free: 0 for never. ALL is scratch: a set of as many nodes.
 */
int64_t lw_stock_space_reduce(const struct lw_stock_space *space, int64_t start_s, int64_t end_s,
			      struct lw_bitset *avail, struct lw_bitset *all);

#endif
