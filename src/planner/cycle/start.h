/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: find room for a start, beside reservations and in place of preemptible jobs; start. */
#ifndef LW_PLANNER_START_H
#define LW_PLANNER_START_H

#include "planner/cycle/cycle.h"

/*
 * Mark in cycle->guarded each reservation of another job that begins before the record, which
 * would end at END_S, has left its nodes. Is there any?
 */
bool lw_cycle_guard(struct lw_cycle *cycle, uint32_t index, int64_t end_s);

/*
 * Find room for one start of the record: beside all reservations (but its own) with a horizon
 * that the job would outlive, or where the policy allows it to delay a reservation. -ENOSPC with
 * the reason, which then holds for its whole class: free resources only shrink in a cycle.
 */
int lw_cycle_find_room(struct lw_cycle *cycle, uint32_t index, const struct lw_alloc **ret_allocs,
		       uint32_t *ret_count, enum lw_reason *ret_reason);

/* Start one task there. This ends the reservations of its job. -ENOMEM. */
int lw_cycle_start(struct lw_cycle *cycle, uint32_t index, enum lw_reason reason,
		   const struct lw_alloc *allocs, uint32_t count);

/* The reason of a start ahead of reserved jobs: backfilled or relaxed. */
enum lw_reason lw_cycle_passing(const struct lw_cycle *cycle, uint32_t index,
				const struct lw_alloc *allocs, uint32_t count);

#endif
