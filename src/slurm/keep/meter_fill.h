/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the scheduler's metrics from snapshots, plans, promises and history. */
#ifndef LW_SLURM_METER_FILL_H
#define LW_SLURM_METER_FILL_H

#include "base/promise.h"
#include "planner/model/plan.h"
#include "predictor/history.h"
#include "predictor/outlook.h"
#include "slurm/keep/meter.h"

/* Waiting, running and planned jobs, GPUs and gangs: from SNAP and its PLAN. O(jobs + nodes). */
void lw_meter_plan(struct lw_meter *meter, const struct lw_snapshot *snap,
		   const struct lw_plan *plan);

void lw_meter_promises(struct lw_meter *meter, const struct lw_promise_totals *totals,
		       uint32_t open);

/* Run times; HISTORY may be NULL: nothing is learned. */
void lw_meter_history(struct lw_meter *meter, const struct lw_history *history);

/* Waits, in a queue of QUEUE jobs; OUTLOOK may be NULL: users are not told. */
void lw_meter_outlook(struct lw_meter *meter, const struct lw_outlook *outlook, uint32_t queue,
		      int64_t now_s);

#endif
