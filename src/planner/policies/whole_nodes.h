/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: whole nodes are left to jobs that need them, if others soon have room elsewhere. */
#ifndef LW_PLANNER_WHOLE_NODES_H
#define LW_PLANNER_WHOLE_NODES_H

#include "planner/cycle/cycle.h"

/*
 * A policy that tries the shortest job first gives a node that has just come free as a whole to
 * the first short job, which needs a part of it. Others follow, and a job that needs whole nodes
 * waits for the last of them, though the short job would soon have had room on a broken node.
 *
 * So a job that would break a whole node leaves it free if a waiting job needs as many whole
 * nodes as are free, and
 *
 *	yield r > g
 *
 * Here r is the job's expected stay on the node (predictor/survival.h): the delay to the other
 * job. g is the time until a broken node is expected to have room for the job
 * (place/release_dist.h): its own loss. This is the exchange of lookahead.h in the other
 * direction.
 *
 * Exceptions: a promised job, the first job of its nodes, and a job that starts now or never
 * take the node; so does any job of a higher tier than the other job, or without a known
 * survival function. Nothing is promised here and no promise changes. At most it costs time: it
 * is decided anew in every cycle.
 */

/* When part of a node comes free. */
struct lw_whole_nodes {
	uint32_t widest;       /* the most nodes that a job which may want whole nodes asks
				* for */
	uint32_t class_number; /* if any: the class that needs whole nodes */
	bool any;
	uint32_t set; /* set of nodes and type of GPUs of room_s */
	int type;
	bool room_known[LW_FRAGMENT_GPUS + 1]; /* by GPUs */
	double room_s[LW_FRAGMENT_GPUS + 1];
};

/* Begin a pass. O(classes). */
void lw_whole_nodes_begin(const struct lw_cycle *cycle, struct lw_whole_nodes *whole);
/* A job starts, so the rooms on broken nodes are no longer known. */
void lw_whole_nodes_started(struct lw_whole_nodes *whole);

/*
 * Does the record, which has room on ALLOCS[COUNT], leave it to another job? O(1) if it breaks
 * no whole node, or more are free than any job wants; else O(classes + nodes) after each start.
 */
bool lw_whole_nodes_is_left(const struct lw_cycle *cycle, struct lw_whole_nodes *whole,
			    uint32_t index, const struct lw_alloc *allocs, uint32_t count);

#endif
