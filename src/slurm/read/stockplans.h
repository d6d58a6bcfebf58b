/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what stock's backfill has planned for jobs of its own, as reservation windows. */
#ifndef LW_SLURM_STOCKPLANS_H
#define LW_SLURM_STOCKPLANS_H

#include "base/error.h"
#include "planner/model/snapshot.h"
#include "slurm/canary.h"
#include "slurm/compat/compat.h"
#include "slurm/keep/promise.h"

#include <stdint.h>

/*
 * Where Leeway plans only some jobs (slurm/query/canary.h), stock's backfill gives the first of
 * the other waiting jobs a start and nodes. These nodes are closed for the time of that job, as
 * stock closes them as a whole to its own later jobs, but only to jobs of Leeway's that come after
 * it in Slurm's queue: by tier, priority, number. The first LW_STOCKPLANS_MAX of the queue count.
 *
 * Stock forgets all starts as its cycle begins, and finds none for a job while a node that it
 * needs is being cleaned up. So what a job had last holds for LW_STOCKPLANS_KEEP_S more.
 *
 * Stock plans some jobs for now in each cycle, and cannot start them: components of a het job that
 * never fit together, or a job that the gate refuses. Such a start holds for as long. Then nothing
 * is closed for the job until stock has a later start for it.
 */
#define LW_STOCKPLANS_MAX    24
#define LW_STOCKPLANS_KEEP_S 300

struct lw_stockplan {
	uint32_t job_id, priority;
	uint16_t tier;
	int64_t start_s, limit_s;
	int64_t until_s; /* it is over, by its limit */
	int64_t seen_s; /* stock had this start then */
	char *nodes;
};

/* A job that could have started since then, as stock has it. */
struct lw_stocklate {
	uint32_t job_id;
	int64_t due_s;
};

/* Kept from one reading to the next. Zeroed: there are none. */
struct lw_stockplans {
	struct lw_stockplan items[LW_STOCKPLANS_MAX]; /* by window, from first on */
	struct lw_stocklate lates[LW_STOCKPLANS_MAX];
	uint32_t first, count, late_count;
};

/*
 * Add to SNAP, behind its reservations, what stock has planned for jobs that are not of CANARY;
 * nothing if all are. Needs LW_LOCKS_ALL. 0, or -ENOMEM with ERR.
 */
int lw_stockplans_read(struct lw_stockplans *plans, const struct lw_canary *canary,
		       struct lw_snapshot *snap, struct lw_error *err);

/*
 * The windows of jobs that come before RECORD, a job of Leeway's, in the queue, as bits. If it has
 * a PROMISE (else NULL), only windows that are over by then: what was promised before holds.
 */
uint64_t lw_stockplans_for(const struct lw_stockplans *plans, const job_queue_rec_t *record,
			   const struct lw_promise *promise);

/* Forget all. */
void lw_stockplans_fini(struct lw_stockplans *plans);

#endif
