/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: an inspector may hold back the next job. */
#ifndef LW_PLANNER_HOLD_H
#define LW_PLANNER_HOLD_H

#include "planner/cycle/cycle.h"

/*
 * Returns 1 if the inspector that a simulator plugged in (planner/model/outside.h) holds the
 * record back. Its class is then held for this cycle: it neither starts nor is promised a start,
 * and the plan gives LW_REASON_WAITS_FOR_GATE. 0: it is not held. -ENOMEM.
 */
int lw_cycle_hold(struct lw_cycle *cycle, uint32_t index);

#endif
