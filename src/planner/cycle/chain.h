/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: a job that waits for the end of a running job: the next link of a chain. */
#ifndef LW_PLANNER_CHAIN_H
#define LW_PLANNER_CHAIN_H

#include "planner/cycle/cycle.h"

/*
 * A link begins when the running job ends. On the nodes of that job it takes nothing from any
 * other job before then: the planner counts these nodes as held for longer. So a link heads no
 * nodes, and no job waits behind it that would not wait behind the running job.
 */

/* For a new cycle: the classes of jobs that follow a running job have failed. */
void lw_chain_begin(struct lw_cycle *cycle);

/* Does the record follow a running job? Then it cannot start in this cycle. */
bool lw_chain_follows(const struct lw_cycle *cycle, uint32_t index);

/*
 * Plan a link in its queue position. If no job ahead waits for its nodes, and it fits into what
 * the running job leaves, it is promised that job's hard end, and planned for its expected end.
 * 0, -ENOSPC: it waits; -ENOMEM.
 */
int lw_chain_plan(struct lw_cycle *cycle, uint32_t index);

/* The width (planner/order/width.h) of all that followers take over, with one more. */
struct lw_chain_widths {
	double user; /* those of the same user */
	double all;
};

/*
 * Is the follower with LIMIT_S not to be planned, given WIDTHS with it? Where there are several
 * nodes, a user may always have one node.
 */
bool lw_chain_is_beyond(const struct lw_policy_params *params, const struct lw_scale *scale,
			const struct lw_snapshot *snap, int64_t limit_s,
			const struct lw_chain_widths *widths);

/*
 * Count what followers take over as held by them in cycle->releases[ENDS], which was just made.
 */
void lw_chain_prolong(struct lw_cycle *cycle, enum lw_ends ends);

#endif
