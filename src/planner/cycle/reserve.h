/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: reservations: the promise of a job, and what it keeps from others. */
#ifndef LW_PLANNER_RESERVE_H
#define LW_PLANNER_RESERVE_H

#include "planner/cycle/cycle.h"

/*
 * Reserve for the record: promise it its shadow time unless it has a promise, and keep
 * its nodes. A job that could start now may be reserved too: it waits on purpose, and
 * no longer than its deadline, or, with *ret_reason WAITS_FOR_NEARER, than lw_gang_until().
 * -ENOSPC: it fits at no time (*ret_reason says why).
 */
int lw_cycle_reserve(struct lw_cycle *cycle, uint32_t index, enum lw_reason *ret_reason);

/*
 * One more of cycle->reservations, for DECISION, the last of the plan: the job is told its start,
 * and no node is held for it by the reservation itself. 0 or -ENOMEM.
 */
int lw_cycle_note_reservation(struct lw_cycle *cycle, const struct lw_decision *decision);

#endif
