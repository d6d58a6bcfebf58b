/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: a model of stock Slurm: its main loop and its backfill. */
#ifndef LW_LAB_SIM_STOCK_H
#define LW_LAB_SIM_STOCK_H

#include "lab/sim/stock/params.h"
#include "planner/model/plan.h"

/*
 * It follows Slurm 24.11: job_scheduler.c, sched/backfill and select/cons_tres. One partition has
 * all nodes, and jobs say what they want of each node.
 *
 *   main loop   after the end of a job, unless defer is set, and within batch_sched_delay after
 *               submissions: in queue order up to the first job that has no room, and no more
 *               jobs than default_queue_depth; of the whole queue each sched_interval;
 *   backfill    each bf_interval in which something has happened (fill.h).
 *
 * Jobs are batch jobs, which Slurm does not try to start at their submission.
 */
struct lw_stock;

/* What happens. */
enum lw_stock_event {
	LW_STOCK_SUBMITTED = 1, /* jobs have come into the queue */
	LW_STOCK_FREED = 2,     /* nodes have come free */
};

/* PARAMS is copied. Running records of ids from COMPLETING_ID on are nodes that take no job. */
int lw_stock_create(const struct lw_stock_params *params, uint32_t nodes, uint32_t completing_id,
		    struct lw_stock **ret_stock);
void lw_stock_destroy(struct lw_stock *stock);

/* Something has just happened at NOW_S: the sum of EVENTS. */
void lw_stock_heed(struct lw_stock *stock, int64_t now_s, unsigned events);
/* When it acts next, or INT64_MAX: not before something happens. */
int64_t lw_stock_next_s(const struct lw_stock *stock);
/*
 * It acts once, at SNAP's now, as is due: its starts into PLAN (initialised; emptied first), all
 * to be made. -ENOMEM.
 */
int lw_stock_act(struct lw_stock *stock, const struct lw_snapshot *snap, struct lw_plan *plan);

#endif
