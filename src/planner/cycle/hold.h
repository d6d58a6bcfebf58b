/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: a job whose turn it is may be held back by the gate. */
#ifndef LW_PLANNER_HOLD_H
#define LW_PLANNER_HOLD_H

#include "planner/cycle/cycle.h"

/*
 * 1: the gate (planner/order/gate.h) holds the record back, and with it its class, for this cycle:
 * it neither starts nor is promised a start. 0: it does not. -ENOMEM. Whoever keeps the snapshot
 * finds the record in the plan, with LW_REASON_WAITS_FOR_GATE, and sets its gated_s.
 */
int lw_cycle_hold(struct lw_cycle *cycle, uint32_t index);

#endif
