/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: a job's turn in a pass through the queue: it starts, is promised a start, or waits. */
#ifndef LW_PLANNER_TURN_H
#define LW_PLANNER_TURN_H

#include "planner/cycle/cycle.h"

/*
 * EASY's two steps for one record: as many of its tasks as have room start; where one has none it
 * claims its nodes and, if it heads them, gets a reservation. A policy that gives every job one
 * turn, in whatever order, needs nothing else. *BLOCKED becomes true when it waits for room; under
 * policies with LW_IN_ORDER nobody starts any more once that is so. 0, -ENOMEM, or what
 * lw_cycle_go_on() says.
 */
int lw_turn_take(struct lw_cycle *cycle, uint32_t index, bool *blocked);

#endif
