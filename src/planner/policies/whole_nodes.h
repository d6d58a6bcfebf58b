/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: whole nodes are left to those who need them, where others soon have room elsewhere. */
#ifndef LW_PLANNER_WHOLE_NODES_H
#define LW_PLANNER_WHOLE_NODES_H

#include "planner/cycle/cycle.h"

/*
 * Who goes by the shortest first gives a node that has just come free as a whole to the first
 * short job, which needs a part of it; others follow, and a job of whole nodes waits until the
 * last of them is gone, though room on a broken node would have come much sooner. So a job
 * that would break a whole node leaves it, if a job waits that needs all whole nodes that are
 * free, and
 *
 *	yield r > g
 *
 * where r is how long it is expected to stay there (predict/survival.h), and g when a broken node
 *is expected to have room for it (place/release_dist.h): what it would cost the other against
 *what it loses, the exchange of lookahead.h the other way round. Who was promised a start or
 *heads its nodes leaves nothing, nor who starts now or never, nor anybody to a lower tier, or
 *where it is not known how jobs stay. Nothing is promised by it, no promise is touched, and it
 *costs at most time: it is decided anew in every cycle.
 */

/* When part of a node comes free. */
struct lw_whole_nodes {
	uint32_t widest;       /* the most nodes that a job asks for which may want whole ones */
	uint32_t class_number; /* if any: who needs whole nodes */
	bool any;
	uint32_t set; /* of the nodes, and the type of the GPUs, that these are of */
	int type;
	bool room_known[LW_FRAGMENT_GPUS + 1]; /* by GPUs */
	double room_s[LW_FRAGMENT_GPUS + 1];
};

/* A round of turns begins. O(classes). */
void lw_whole_nodes_begin(const struct lw_cycle *cycle, struct lw_whole_nodes *whole);
/* A job starts: what broken nodes have is another. */
void lw_whole_nodes_started(struct lw_whole_nodes *whole);

/*
 * Does the record, which has room on ALLOCS[COUNT], leave it to another? O(1) if no whole node is
 * broken, or more of them are free than anybody wants; else O(classes + nodes) after each start.
 */
bool lw_whole_nodes_is_left(const struct lw_cycle *cycle, struct lw_whole_nodes *whole,
			    uint32_t index, const struct lw_alloc *allocs, uint32_t count);

#endif
