/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what a simulator plugs into the planner, to compare it with other schedulers. */
#ifndef LW_PLANNER_OUTSIDE_H
#define LW_PLANNER_OUTSIDE_H

#include <stdbool.h>
#include <stdint.h>

struct lw_order_view;
struct lw_placer;
struct lw_request;
struct lw_room;
struct lw_snapshot;

/*
 * Chooses nodes for REQ as another scheduler would, from the COUNT candidates in PLACER, which
 * are in node order. The result goes to allocs of PLACER (planner/place/placer.h). -ENOSPC:
 * none.
 */
typedef int (*lw_choose_f)(struct lw_placer *placer, const struct lw_room *room,
			   const struct lw_request *req, uint32_t count, uint32_t *ret_count);

/* slurmctld plugs in nothing. A member that is NULL or false changes nothing. */
struct lw_outside {
	/* called with the snapshot at the start of each cycle, before the functions below */
	void (*begin)(void *arg, const struct lw_snapshot *snap);
	/* the key of LW_ORDER_OUTSIDE (planner/order/order.h) */
	double (*key)(void *arg, const struct lw_order_view *view);
	/*
	 * an inspector: shall a job that could start be held back for now?
	 * (planner/cycle/hold.h)
	 */
	bool (*holds)(void *arg, const struct lw_order_view *view);
	void *arg;
	lw_choose_f choose;
	/*
	 * A published rule: a start on reserved nodes must end before the reservation begins,
	 * even with room to spare (a pool of processors is one node).
	 */
	bool ends_before;
	/* choose nodes without regard to how long jobs stay, as Slurm's main loop does */
	bool for_now;
};

#endif
