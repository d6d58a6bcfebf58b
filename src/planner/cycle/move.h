/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: which jobs that agree to be stopped go elsewhere, so that others have room (stop.for).
 */
#ifndef LW_PLANNER_MOVE_H
#define LW_PLANNER_MOVE_H

#include "planner/cycle/cycle.h"

/* Of one cycle: so many waiting jobs are looked at, and so many jobs may move for one. */
#define LW_MOVE_TRIES 16
#define LW_MOVE_MOST  8

struct lw_lease_offer;
struct lw_lease_rules;
struct lw_lease_state;
struct lw_leases;

/* An offer on one node, as it is looked at. */
struct lw_move_victim {
	uint32_t running, node;
	const struct lw_waiting *again;
	int64_t lost_s;
	double cost, share;
};

/* A node, and the victims that would leave it: a run of them, in order of cost. */
struct lw_move_option {
	uint32_t node, first, count;
	double cost;
};

/* Memory that is used again; all zero is empty. */
struct lw_moves {
	struct lw_move_victim *victims; /* by node */
	struct lw_move_option *options;
	struct lw_res *free, *spare; /* by node: once jobs have moved */
	uint32_t victim_count, option_count;
	uint32_t victim_room, option_room, free_room, spare_room;
};

void lw_moves_fini(struct lw_moves *moves);

/*
 * After the plan of the cycle, with its starts marked as taken: LEASES->stops are the stops of
 * jobs on one node that have room on another one now, so that a waiting job has room where they
 * run. For each of these
 *
 * - there is enough free in all, and not on enough nodes; it runs for at most back_s;
 * - it has room once these have left, sooner than by the expected ends of running jobs, by more
 *   than the work that they lose together;
 * - a moved job has gain times what it loses left to run;
 * - moved jobs have at most the share of the machine, with the jobs that are out;
 * - neither it nor a moved job takes what a reservation of the plan needs;
 * - it is no array with several tasks left, no het job, and needs no licence.
 *
 * None while a deadline is guarded. -ENOMEM.
 */
int lw_move_plan(struct lw_cycle *cycle, const struct lw_lease_rules *rules,
		 const struct lw_lease_state *state, const struct lw_lease_offer *offers,
		 uint32_t count, struct lw_leases *leases);

#endif
