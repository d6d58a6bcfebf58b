/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: a job whose turn it is may be held back by an inspector. */
#ifndef LW_PLANNER_HOLD_H
#define LW_PLANNER_HOLD_H

#include "planner/cycle/cycle.h"

/*
 * 1: the inspector that a simulator plugged in (planner/model/outside.h) holds the record back,
 * and with it its class, for this cycle: it neither starts nor is promised a start. The plan
 * gives it LW_REASON_WAITS_FOR_GATE. 0: it is not held. -ENOMEM.
 */
int lw_cycle_hold(struct lw_cycle *cycle, uint32_t index);

#endif
