/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what a model of Slurm sees of the cluster in one pass, and where jobs fit. */
#ifndef LW_LAB_SIM_STOCK_WORLD_H
#define LW_LAB_SIM_STOCK_WORLD_H

#include "lab/sim/stock/params.h"
#include "planner/model/plan.h"
#include "planner/place/place.h"

/* A job that runs, or was started in this pass. */
struct lw_stock_run {
	int64_t end_s; /* by its limit */
	uint32_t job_id;
	uint32_t first, count; /* of the world's allocs */
};

struct lw_stock_world {
	struct lw_stock_params params;
	const struct lw_snapshot *snap;
	uint32_t completing_id;
	struct lw_placer *placer;
	struct lw_res *total, *free, *future; /* by node; future is scratch */
	struct lw_bitset open;                /* nodes that are up */
	struct lw_bitset completing;          /* and take no job for a while */
	struct lw_bitset chosen;              /* of the last job that fits */
	struct lw_stock_run *runs;            /* in order of their ends */
	struct lw_alloc *allocs;
	uint32_t run_count, run_room, alloc_count, alloc_room, node_count;
};

/* By PARAMS, for a machine of so many NODES. -ENOMEM; in any case free it with
 * lw_stock_world_fini(). */
int lw_stock_world_init(struct lw_stock_world *world, const struct lw_stock_params *params,
			uint32_t nodes, uint32_t completing_id);
void lw_stock_world_fini(struct lw_stock_world *world);
/* See SNAP. -ENOMEM. */
int lw_stock_world_see(struct lw_stock_world *world, const struct lw_snapshot *snap);

/* In whole minutes, as Slurm has time limits. */
int64_t lw_stock_limit_s(const struct lw_waiting *job);

/*
 * Does JOB fit on FREE of NODES? The answer, and where, to *RET_ALLOCS until the next call, and
 * to world->chosen.
 */
bool lw_stock_fits(struct lw_stock_world *world, const struct lw_waiting *job,
		   const struct lw_res *free, const struct lw_bitset *nodes,
		   const struct lw_alloc **ret_allocs, uint32_t *ret_count);

/* Start the job at INDEX there, now: into PLAN as well, for REASON. -ENOMEM. */
int lw_stock_start(struct lw_stock_world *world, uint32_t index, enum lw_reason reason,
		   const struct lw_alloc *allocs, uint32_t count, struct lw_plan *plan);

/*
 * When JOB fits on NODES, as Slurm's select plugin finds it: from START_S on, and not later than
 * the end of the last job that ends by UNTIL_S (0: whenever). It looks only at the ends of runs,
 * of which it takes more and more together, so the answer may be late. False: never. The nodes
 * are world->chosen.
 */
bool lw_stock_when(struct lw_stock_world *world, const struct lw_waiting *job,
		   const struct lw_bitset *nodes, int64_t start_s, int64_t until_s,
		   int64_t *ret_s);

#endif
