/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: which job is stopped to go on on more nodes, since no job waits (size.mode). */
#ifndef LW_PLANNER_GROW_H
#define LW_PLANNER_GROW_H

#include "planner/cycle/lease.h"

/*
 * After the plan of a cycle in which no job waits, and while no stopped job is on its way:
 * LEASES->stops is the stop of the offered job that ends the most sooner, by what it loses
 * (planner/place/size.h), on its own nodes and what is free beside them. -ENOMEM.
 */
int lw_grow_plan(struct lw_cycle *cycle, const struct lw_lease_state *state,
		 const struct lw_lease_offer *offers, uint32_t count, struct lw_leases *leases);

#endif
