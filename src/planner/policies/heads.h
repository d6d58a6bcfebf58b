/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: heads first, then those behind them: leeway's steps, and shortest-first filling. */
#ifndef LW_PLANNER_HEADS_H
#define LW_PLANNER_HEADS_H

#include "planner/cycle/class_queue.h"
#include "planner/policies/lookahead.h"
#include "planner/policies/whole_nodes.h"

/*
 * Again after each start of a promised job:
 *
 *   1. go through the queue in its order: who heads its nodes and was promised nothing
 *      starts if it has room; the first that has none is promised a start. A promised job
 *      that has room starts, or, where a promise is a deadline that has not passed, its
 *      room is kept for then;
 *   2. start what has room beside the reservations, or is over by their horizons, by KEY,
 *      unless it should yield to a shorter one that has no room yet (lookahead.h), or a
 *      whole node to one that needs it (whole.h); promised jobs take part.
 */
struct lw_heads {
	lw_class_queue_key_f key; /* who is tried first in step 2 */
	bool yields;              /* does anybody yield? */
	struct lw_lookaheads lookaheads;
	struct lw_whole_nodes whole;
};

/*
 * Plan the whole queue. Costs by the number of classes in it, not by its length, but for
 * saying of each job why it waits. 0 or -ENOMEM.
 */
int lw_heads_plan(struct lw_cycle *cycle, struct lw_heads *heads);

#endif
