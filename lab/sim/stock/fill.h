/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: a cycle of a model of Slurm's backfill. */
#ifndef LW_LAB_SIM_STOCK_FILL_H
#define LW_LAB_SIM_STOCK_FILL_H

#include "lab/sim/stock/space.h"
#include "lab/sim/stock/world.h"

struct lw_stock_fill {
	struct lw_stock_space space;
	struct lw_bitset avail, all; /* of the job that is tested; scratch */
	uint32_t *user_jobs;         /* tested, by user */
	int64_t *class_from_s;       /* by class: no job of it has room before */
	uint32_t user_room, class_room;
	uint32_t tested, counted, started;
	bool full;     /* its table */
	int64_t end_s; /* of its window */
};

/*
 * _attempt_backfill() of Slurm's backfill.c, for the COUNT waiting jobs of ORDER: each starts
 * now, or is planned on nodes of its own, whole ones, if that is within the window. WORLD is as
 * seen now. FILL is all zero before its first use. -ENOMEM.
 */
int lw_stock_fill(struct lw_stock_fill *fill, struct lw_stock_world *world, const uint32_t *order,
		  uint32_t count, struct lw_plan *plan);
/* Free all it holds; safe on a zeroed one. */
void lw_stock_fill_fini(struct lw_stock_fill *fill);

/* Are the jobs at A and B of one array, as far as can be seen? */
bool lw_stock_same_array(const struct lw_snapshot *snap, uint32_t a, uint32_t b);

#endif
