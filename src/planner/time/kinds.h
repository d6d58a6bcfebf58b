/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: which nodes are alike: of one size, closed at the same times, with the same free. */
#ifndef LW_PLANNER_KINDS_H
#define LW_PLANNER_KINDS_H

#include "planner/model/snapshot.h"

/*
 * What is free is kept, changed and searched once for all nodes of a kind. Kinds follow from what
 * was done: nodes that were alike, and were changed by the same amounts at once, are alike. So
 * idle nodes are of one kind, and so are the nodes of a wide job. Nodes that became alike
 * otherwise may be of different kinds. A change of a node costs O(1), and there are no more kinds
 * than nodes.
 */
#define LW_NO_NODE UINT32_MAX

struct lw_kind {
	uint32_t nodes; /* 0: none is of it */
	uint32_t first, last; /* of its nodes, in order of their numbers; or LW_NO_NODE */
	/* of the change by RES, with number TURN, nodes of it became of kind NEXT */
	uint64_t turn;
	uint32_t next;
	struct lw_res res;
};

struct lw_kinds {
	uint32_t *of;             /* by node */
	uint32_t *before, *after; /* by node: the next ones of its kind, or LW_NO_NODE */
	uint64_t *turn_of;        /* by node: the change that it had last */
	struct lw_kind *kinds;
	struct lw_bitset used; /* numbers of kinds that a node is of */
	uint32_t *unused;      /* numbers of the others, the last first */
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
/*
 * By this change RES is taken of NODE, or given back. True: what is free on nodes of *RET_KIND is
 * what is free on those of *RET_FROM, if that is another, and then it is to be changed. False:
 * that was done for a node before.
 */
bool lw_kinds_change(struct lw_kinds *kinds, uint32_t node, const struct lw_res *res,
		     uint32_t *ret_from, uint32_t *ret_kind);

#endif
