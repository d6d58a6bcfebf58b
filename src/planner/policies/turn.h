/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: one job in a pass through the queue: it starts, is promised a start, or waits. */
#ifndef LW_PLANNER_TURN_H
#define LW_PLANNER_TURN_H

#include "planner/cycle/cycle.h"

/*
 * EASY's two steps for one record. Each of its tasks that has room starts. A task that does not
 * fit claims the record's nodes, and if the job is first on them, it gets a reservation. A
 * policy that calls this once for every job, in any order, needs nothing else.
 *
 * *BLOCKED becomes true when the record waits for room; under policies with LW_IN_ORDER no job
 * starts after that. Returns 0, -ENOMEM, or the result of lw_cycle_go_on().
 */
int lw_turn_take(struct lw_cycle *cycle, uint32_t index, bool *blocked);

#endif
