/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: reservations: a promised start, and the room kept for it. */
#ifndef LW_PLANNER_RESERVE_H
#define LW_PLANNER_RESERVE_H

#include "planner/cycle/cycle.h"

/*
 * Reserve for the record: promise it its shadow time unless it has a promise, and keep its
 * nodes. A job that could start now may be reserved too: it waits by choice, until its deadline
 * at most, or, with *ret_reason WAITS_FOR_NEARER, until lw_gang_until(). -ENOSPC: it never fits,
 * and *ret_reason says why.
 */
int lw_cycle_reserve(struct lw_cycle *cycle, uint32_t index, enum lw_reason *ret_reason);

/*
 * Add DECISION, the last of the plan, to cycle->reservations. The job is told its start; the
 * reservation itself holds no nodes. 0 or -ENOMEM.
 */
int lw_cycle_note_reservation(struct lw_cycle *cycle, const struct lw_decision *decision);

#endif
