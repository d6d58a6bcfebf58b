/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: how many nodes a job gets that runs on more or fewer (size.mode). */
#ifndef LW_PLANNER_SIZE_H
#define LW_PLANNER_SIZE_H

#include <stdbool.h>
#include <stdint.h>

/*
 * The run of a job on N nodes is taken as
 *
 *     its run on most nodes * (1 - shared + shared * most / N)
 *
 * which is predictor/scaling.h without the part that grows (Amdahl 1967).
 */

/* All of it, in the unit of shares of a run. */
#define LW_SIZE_ALL 1000

/* For each job that waits so many are counted: others come while it holds its nodes. */
#define LW_SIZE_CROWD 4

/* A job that may run on LEAST to MOST nodes, both above 0. */
struct lw_size {
	uint32_t least, most;
	uint32_t shared; /* of its run on most, in thousandths: what the nodes share; 0: not known,
			  * it gets most */
};

/* What a stop costs, and what is left. */
struct lw_size_rest {
	int64_t rest_s; /* of its run, on the nodes that it has */
	int64_t cost_s; /* of a stop: to save, to wait, to start again */
};

/* How many times as long it runs on NODES as on most; 1 if nothing is known. */
double lw_size_slower(const struct lw_size *size, uint32_t nodes);

/* RUN_S on most, on NODES: at least 1, rounded up. */
int64_t lw_size_run_s(const struct lw_size *size, uint32_t nodes, int64_t run_s);

/*
 * The fewest nodes that are ever chosen: half of the most, where its user allows them, and where
 * it ends by LIMIT_S if it runs for RUN_S on most.
 */
uint32_t lw_size_floor(const struct lw_size *size, int64_t run_s, int64_t limit_s);

/*
 * The nodes that cost least, if OTHERS jobs wait for the time that it holds its nodes, each of
 * which is PART of the machine: its own run, and that of each other one by its share of the
 * machine. With no others, most; the more they are the nearer to FLOOR. Of two that cost the
 * same, more nodes.
 */
uint32_t lw_size_choose(const struct lw_size *size, uint32_t floor, double part, uint32_t others);

/*
 * How much sooner a job that has NODES ends if it is stopped, and goes on with FREE others that
 * are free. 0: it is left alone, since it would not, or have less than half as many again.
 */
int64_t lw_size_gain_s(const struct lw_size *size, uint32_t nodes, uint32_t free,
		       const struct lw_size_rest *rest);

#endif
