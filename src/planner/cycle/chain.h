/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: a job that waits for the end of one that runs: the next link of a chain. */
#ifndef LW_PLANNER_CHAIN_H
#define LW_PLANNER_CHAIN_H

#include "planner/cycle/cycle.h"

/*
 * Such a job begins when the other one ends. On the nodes that it leaves this takes nothing from
 * anybody before that: the planner only counts them as held for so much longer. So it heads no
 * nodes, and nobody has to wait behind it who would not wait behind the job that runs.
 */

/* For a new cycle: those that follow a running job have failed for that. */
void lw_chain_begin(struct lw_cycle *cycle);

/* Does the record follow a job that runs? Then it cannot start in this cycle. */
bool lw_chain_follows(const struct lw_cycle *cycle, uint32_t index);

/*
 * Its turn in the order of the queue. If nobody before it waits for its nodes, and it fits into
 * what the other job leaves, it is promised the hard end of that one, and planned for the expected
 * one. 0, -ENOSPC: it waits; -ENOMEM.
 */
int lw_chain_plan(struct lw_cycle *cycle, uint32_t index);

/* Count what followers take over as held by them, in cycle->releases[ENDS], just made. */
void lw_chain_prolong(struct lw_cycle *cycle, enum lw_ends ends);

#endif
