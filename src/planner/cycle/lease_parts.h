/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the parts of leases and moves; only lease*.c and move*.c include this. */
#ifndef LW_PLANNER_LEASE_PARTS_H
#define LW_PLANNER_LEASE_PARTS_H

#include "planner/cycle/lease.h"

/* A job that might start sooner. */
struct lw_lease_wish {
	uint32_t index;
	int64_t run_s;       /* as expected */
	int64_t finish_by_s; /* it has to start soon for that; 0: it is short */
	int64_t key_s;       /* they go by this, then by SEQ */
	uint64_t seq;
};

/* The shortest, in order, LW_LEASE_TRIES at most; their number. */
uint32_t lw_lease_shorts(const struct lw_cycle *cycle, const struct lw_lease_rules *rules,
			 const struct lw_lease_state *state, struct lw_lease_wish *wishes);
/* Likewise: jobs that miss their deadline unless they start soon, the nearest first. */
uint32_t lw_lease_dues(const struct lw_cycle *cycle, const struct lw_lease_rules *rules,
		       const struct lw_lease_state *state, struct lw_lease_wish *wishes);

/* What RUNNING holds of the machine, as lw_width() of what a job asks for. */
double lw_lease_share_of(const struct lw_cycle *cycle, const struct lw_running *running);
/* Does all that RUNNING gives back become free? Not where more is in use than there is. */
bool lw_lease_is_clear(const struct lw_cycle *cycle, const struct lw_running *running);
/* Are jobs stopped for the record already, or is none to be? */
bool lw_lease_is_served(const struct lw_cycle *cycle, const struct lw_lease_state *state,
			uint32_t index);
/* Does the job, by number, hold NODE beyond the time of the reservation there? */
bool lw_lease_outlives(const struct lw_cycle *cycle, uint32_t running, uint32_t node);
/* Does it need nothing but room, and once? */
bool lw_lease_suits(const struct lw_waiting *job);
/* When it starts by the expected ends of running jobs; INT64_MAX: never. -ENOMEM. */
int lw_lease_otherwise_s(struct lw_cycle *cycle, uint32_t index, int64_t *ret_s);

#endif
