/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: which nodes are alike: of one size, with the same free at all times. */
#ifndef LW_PLANNER_KINDS_H
#define LW_PLANNER_KINDS_H

#include "planner/model/snapshot.h"

/*
 * What a search finds out of one node holds for all of its kind. Kinds follow from what was done:
 * nodes that were alike, and were changed by the same amounts at once, are alike. So idle nodes
 * are of one kind, and so are the nodes of a wide job. Nodes that became alike otherwise may be
 * of different kinds. A change of a node costs O(1), and there are no more kinds than nodes.
 */
struct lw_kind {
	uint32_t nodes; /* 0: none is of it */
	/* of the change by RES, with number TURN, nodes of it became of kind NEXT */
	uint64_t turn;
	uint32_t next;
	struct lw_res res;
};

struct lw_kinds {
	uint32_t *of;      /* by node */
	uint64_t *turn_of; /* by node: the change that it had last */
	struct lw_kind *kinds;
	uint32_t *unused; /* numbers of kinds that no node is of, the last first */
	uint32_t unused_count, node_count;
	uint64_t turn;
};

/* All zero is empty. */
void lw_kinds_fini(struct lw_kinds *kinds);
/* Make room for COUNT nodes; no node has a kind yet. -ENOMEM. */
int lw_kinds_size(struct lw_kinds *kinds, uint32_t count);

/* The nodes of SNAP, with what is used now; what runs is still to be given back. */
void lw_kinds_begin(struct lw_kinds *kinds, const struct lw_snapshot *snap);
/* Another change begins: what follows is of other times. */
void lw_kinds_turn(struct lw_kinds *kinds);
/* By this change RES is taken of NODE, or given back. */
void lw_kinds_change(struct lw_kinds *kinds, uint32_t node, const struct lw_res *res);

#endif
