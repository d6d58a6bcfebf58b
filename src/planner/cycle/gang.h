/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: gangs that wait a bounded time for nodes nearer to each other. */
#ifndef LW_PLANNER_GANG_H
#define LW_PLANNER_GANG_H

#include "planner/cycle/cycle.h"

/*
 * A gang with GPUs that is known to be communication-intensive (lw_constraints.communicates:
 * from its tag, or from earlier runs, lw_habits_communicate()) may have room only across
 * domains, although one lower domain could hold it if it were empty. It may wait for that
 * domain. Three bounds:
 *
 * - params->gang_wait_s after its submission or begin time;
 * - LW_GANG_GAIN of its expected run time: nearer nodes cannot save more than that;
 * - its promise, if it has one.
 *
 * Only a job that heads its nodes waits. The room that it leaves is kept for it until that
 * bound, so that it starts by then. Other jobs may use the room meanwhile.
 */

/* The largest share of its run time that a gang may save by running in one domain. */
#define LW_GANG_GAIN 0.1

/* Until when the record may wait; not later than now: it may not. */
int64_t lw_gang_until(const struct lw_cycle *cycle, uint32_t index);

/*
 * lw_cycle_find_room() for a record that has, or would get, a reservation. -EAGAIN with the
 * reason if there is room but the record waits for a nearer domain.
 */
int lw_gang_find_room(struct lw_cycle *cycle, uint32_t index, const struct lw_alloc **ret_allocs,
		      uint32_t *ret_count, enum lw_reason *ret_reason);

#endif
