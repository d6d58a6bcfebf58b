/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: a plan, offered to Slurm step by step. */
#ifndef LW_SLURM_APPLY_H
#define LW_SLURM_APPLY_H

#include "base/lookup.h"
#include "planner/model/plan.h"
#include "slurm/compat/compat.h"
#include "slurm/lock/session.h"
#include "slurm/keep/promise.h"
#include "slurm/keep/refusal.h"
#include "slurm/reading.h"

#include <stdint.h>

struct lw_applied {
	uint32_t started;
	uint32_t backfilled; /* of the started: passed a job that waits */
	uint32_t refused;
	uint32_t gone; /* started, held or cancelled while we planned */
	/* the last array of which tasks found nobody more to preempt, and how many did */
	uint32_t preempting_id, preempting_in_vain;
	uint64_t mixing_us; /* processor time of asking for GPUs of several types */
	uint32_t mixing;    /* jobs that Slurm was asked about for them */
	/* keys of lw_planned: offered a start, and still waiting for its room; the caller's */
	struct lw_lookup wait;
};

struct lw_apply_context {
	const struct lw_reading *reading;
	const struct lw_plan *plan;
	struct lw_promises *promises;
	struct lw_refusals *refusals;
	struct lw_session *session; /* the locks are held by it, and given up now and then */
	/* made and freed by lw_apply(): nodes of starts under way, the changed ones among them;
	 * and nodes that are not the ones of the reading any more */
	bitstr_t *under_way, *changed;
	bool shares;	      /* some jobs share GPUs */
	bool mixed_nodes;     /* some have GPUs of several types; set by lw_apply() */
	uint64_t cycle;
	int64_t now_s;
};

/*
 * Start the jobs of the plan, in its order, on exactly the planned nodes; a job that
 * Slurm refuses there gets one try on other nodes that nobody was promised. Every
 * condition is tested again, since the locks were free meanwhile. A node that was made or
 * deleted since the reading, or has the place of another, is not used: a job with such a node
 * in the plan waits for the next one. New promises are remembered. Never changes a time limit.
 * -ESTALE: the node table is longer, -ETIME: the budget is overrun, and nothing more was done;
 * *ret_applied counts what was.
 */
int lw_apply(const struct lw_apply_context *context, struct lw_applied *ret_applied);

#endif
