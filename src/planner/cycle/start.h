/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: room for a start, beside reservations and in place of who is preempted; the start. */
#ifndef LW_PLANNER_START_H
#define LW_PLANNER_START_H

#include "planner/cycle/cycle.h"

/*
 * Find room for one start of the record: beside every reservation whose horizon the
 * job would outlive, but for its own; or
 * where the policy lets a reservation wait. -ENOSPC with the reason, which then holds for
 * its whole class: free resources only shrink in a cycle.
 */
int lw_cycle_find_room(struct lw_cycle *cycle, uint32_t index, const struct lw_alloc **ret_allocs,
		       uint32_t *ret_count, enum lw_reason *ret_reason);

/* Start one task there. The reservations of its job, if any, are over. -ENOMEM. */
int lw_cycle_start(struct lw_cycle *cycle, uint32_t index, enum lw_reason reason,
		   const struct lw_alloc *allocs, uint32_t count);

/* Why a start that passes reserved jobs is no harm: backfilled, or relaxed. */
enum lw_reason lw_cycle_passing(const struct lw_cycle *cycle, uint32_t index,
				const struct lw_alloc *allocs, uint32_t count);

#endif
