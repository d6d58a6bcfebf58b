/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: room for the shortest, which is not there yet, before longer ones take it. */
#ifndef LW_PLANNER_LOOKAHEAD_H
#define LW_PLANNER_LOOKAHEAD_H

#include "planner/cycle/cycle.h"

/*
 * Who goes by the shortest first starts what fits, and so hands the nodes that come free
 * one by one to narrow jobs, while a shorter but wider one never finds enough of them at
 * once. So the first of those that have no room in their turn are favoured: from what is
 * expected of the running jobs the planner knows when (in g) such a job, of expected run
 * time f, will have room. A longer one, of run time r, that would then still be in its way
 * makes it wait r - g more; were it to let the favoured one pass, it would wait g + f, and
 * so would all k of its class that could run in the room of the favoured one. It starts
 * unless
 *
 *	yield (r - g) > k (g + f),   k = min(width of the favoured one / its own, tasks alike)
 *
 * (the exchange of two jobs by which the order of shortest processing time is justified:
 * Smith, "Various optimizers for single-stage production", 1956; yield 1 would weigh all
 * waits alike, less is for what stands empty meanwhile). Nothing is promised to a favoured
 * job, no promise is touched by it, and it costs at most time: it is chosen anew in every
 * cycle. What stands in the way is told by sums over the nodes, not node by node.
 */

/* How many are kept room for beside the promises, and how many are looked at for that. */
#define LW_FAVOURS_MAX       3
#define LW_FAVOURS_TRIED_MAX 8

/* A job that is to get room before longer ones take it. */
struct lw_lookahead {
	uint32_t waiting;
	double run_s;           /* expected of it */
	int64_t start_s;        /* when it is expected to have room */
	struct lw_demand spare; /* what others may hold then */
};

struct lw_lookaheads {
	struct lw_lookahead items[LW_FAVOURS_MAX];
	uint32_t count;
	uint32_t passed[LW_FAVOURS_TRIED_MAX]; /* had no room in their turn */
	uint32_t passed_count, tried;          /* tried: those of passed that were looked at */
	int64_t until_s;                       /* nobody yields to one that has room later */
};

/*
 * Nobody is favoured yet, and of those that could yield the longest is expected to run
 * LONGEST_S: so nobody will for a room that comes after yield / (1 + yield) of that.
 */
void lw_lookahead_begin(struct lw_cycle *cycle, struct lw_lookaheads *lookaheads,
			int64_t longest_s);

/*
 * The record, whose turn it was, has no room: it may be favoured over those that follow, if its
 * nodes could hold it at all.
 */
void lw_lookahead_note(struct lw_cycle *cycle, struct lw_lookaheads *lookaheads, uint32_t index);

/*
 * Does the record, whose turn it is, yield to a favoured one? None that was promised a
 * start does: it would be passed beyond its deadline. Costs a search of a shadow
 * time for each that was noted since it was asked last. -ENOMEM.
 */
int lw_lookahead_yields(struct lw_cycle *cycle, struct lw_lookaheads *lookaheads, uint32_t index,
			bool *ret_yields);

/* The record started: its room is not there for the favoured ones. */
void lw_lookahead_started(const struct lw_cycle *cycle, struct lw_lookaheads *lookaheads,
			  uint32_t index);

#endif
