/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what the scheduler's metrics are of snapshots, plans, promises and what was learned. */
#ifndef LW_SLURM_METER_FILL_H
#define LW_SLURM_METER_FILL_H

#include "base/promise.h"
#include "planner/model/plan.h"
#include "predictor/history.h"
#include "predictor/outlook.h"
#include "slurm/keep/meter.h"

/* Who waits, runs and is planned, GPUs and gangs: of SNAP and the PLAN for it. O(jobs + nodes).
 */
void lw_meter_plan(struct lw_meter *meter, const struct lw_snapshot *snap,
		   const struct lw_plan *plan);

void lw_meter_promises(struct lw_meter *meter, const struct lw_promise_totals *totals,
		       uint32_t open);

/* Of run times; HISTORY may be NULL: nothing is learned. */
void lw_meter_history(struct lw_meter *meter, const struct lw_history *history);

/* Of waits, in queues as long as QUEUE; OUTLOOK may be NULL: nobody is told. */
void lw_meter_outlook(struct lw_meter *meter, const struct lw_outlook *outlook, uint32_t queue,
		      int64_t now_s);

#endif
