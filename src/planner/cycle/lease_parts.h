/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what leases and moves have in common; only lease.c and move.c include this. */
#ifndef LW_PLANNER_LEASE_PARTS_H
#define LW_PLANNER_LEASE_PARTS_H

#include "planner/cycle/lease.h"

/* What RUNNING holds of the machine, as lw_width() of what a job asks for. */
double lw_lease_share_of(const struct lw_cycle *cycle, const struct lw_running *running);
/* Does all that RUNNING gives back become free? Not where more is in use than there is. */
bool lw_lease_is_clear(const struct lw_cycle *cycle, const struct lw_running *running);
/* Are jobs stopped for the record already, or is none to be? */
bool lw_lease_is_served(const struct lw_cycle *cycle, const struct lw_lease_state *state,
			uint32_t index);
/* Does it need nothing but room, and once? */
bool lw_lease_suits(const struct lw_waiting *job);
/* When it starts by the expected ends of running jobs; INT64_MAX: never. -ENOMEM. */
int lw_lease_otherwise_s(struct lw_cycle *cycle, uint32_t index, int64_t *ret_s);

#endif
