/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: offer a plan to Slurm, start by start. */
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
	uint32_t backfilled; /* of the started: passed a waiting job */
	uint32_t refused;
	uint32_t gone; /* started, held or cancelled while the plan was made */
	/* the last array with tasks that had no more jobs to preempt, and how many tasks */
	uint32_t preempting_id, preempting_in_vain;
	uint64_t mixing_us; /* processor time of asking for GPUs of several types */
	uint32_t mixing;    /* jobs for which Slurm was asked about them */
	/* keys of lw_planned: offered a start, and still waiting for its room; the caller's */
	struct lw_lookup wait;
};

struct lw_apply_context {
	const struct lw_reading *reading;
	const struct lw_plan *plan;
	struct lw_promises *promises;
	bool overtaken; /* by a start of Slurm's own: no new promise is made */
	struct lw_refusals *refusals;
	struct lw_session *session; /* holds the locks, and yields now and then */
	/*
	 * made and freed by lw_apply(): nodes of starts under way, with the changed ones; and
	 * nodes that are no longer those of the reading
	 */
	bitstr_t *under_way, *changed;
	bool shares;	      /* some jobs share GPUs */
	bool mixed_nodes;     /* some nodes have GPUs of several types; set by lw_apply() */
	uint64_t cycle;
	int64_t now_s;
};

/*
 * Start the jobs of the plan, in its order, on exactly the planned nodes. If Slurm refuses a job
 * there, it gets one try on other nodes that are promised to no job. Every condition is tested
 * again, because the locks were free meanwhile. A node that was made, deleted or moved in the
 * table since the reading is not used: a job with such a node in the plan waits for the next
 * plan. New promises are remembered. A time limit changes only as under stock: at its start a job
 * gets one that its deadline leaves. -ESTALE: the node table is longer; -ETIME: the budget is
 * overrun; the rest of the plan is dropped, and *ret_applied counts what was done.
 */
int lw_apply(const struct lw_apply_context *context, struct lw_applied *ret_applied);

#endif
