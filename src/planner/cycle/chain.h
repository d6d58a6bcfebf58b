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

/* How wide (planner/order/width.h) all is that followers take over, with one more. */
struct lw_chain_widths {
	double user; /* those of its user */
	double all;
};

/*
 * Is a follower with that limit not to be planned, with which WIDTHS are taken over? Where there
 * are several nodes, one of them is not too much for a user.
 */
bool lw_chain_is_beyond(const struct lw_policy_params *params, const struct lw_scale *scale,
			const struct lw_snapshot *snap, int64_t limit_s,
			const struct lw_chain_widths *widths);

/* Count what followers take over as held by them, in cycle->releases[ENDS], just made. */
void lw_chain_prolong(struct lw_cycle *cycle, enum lw_ends ends);

#endif
