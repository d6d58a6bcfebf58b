/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: heads first, then the jobs behind them: the steps of leeway and of shortest-first. */
#ifndef LW_PLANNER_HEADS_H
#define LW_PLANNER_HEADS_H

#include "planner/cycle/class_queue.h"
#include "planner/policies/lookahead.h"
#include "planner/policies/whole_nodes.h"

/*
 * These steps are repeated after each start of a promised job:
 *
 *   1. Go through the queue in order. A job that heads its nodes and has no promise starts if
 *   it has room; the first such job without room is promised a start. A promised job with room
 *   starts, or, if its promise is a deadline in the future, its room is kept until then.
 *   2. By KEY, start the jobs that have room beside the reservations or end by their horizons.
 *   A job waits, though, if it should yield to a shorter job that has no room yet (lookahead.h),
 *   or leave a whole node to a job that needs one (whole_nodes.h). Promised jobs take part.
 */
struct lw_heads {
	lw_class_queue_key_f key; /* the order of step 2 */
	bool yields;              /* do jobs yield at all? */
	struct lw_lookaheads lookaheads;
	struct lw_whole_nodes whole;
};

/*
 * Plan the whole queue. The cost follows the number of classes, not the length of the queue,
 * except for the reason of each waiting job. 0 or -ENOMEM.
 */
int lw_heads_plan(struct lw_cycle *cycle, struct lw_heads *heads);

#endif
