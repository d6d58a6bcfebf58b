/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: gangs that wait a little for nodes nearer to each other. */
#ifndef LW_PLANNER_GANG_H
#define LW_PLANNER_GANG_H

#include "planner/cycle/cycle.h"

/*
 * A job of several nodes with GPUs that is known to talk much (lw_constraints.communicates: by
 * its tag, or by what earlier runs showed, lw_habits_communicate()) and has room only across
 * domains, although one lower domain could hold it if it were empty, may wait for that. Three
 * bounds:
 *
 *   - params->gang_wait_s after it was submitted, or after its begin time;
 *   - LW_GANG_GAIN of the run time expected of it: more than that nearness cannot win;
 *   - its promise, if it has one.
 *
 * Only a job that heads its nodes waits: the room it leaves is kept for it until then, so
 * that it starts by then. Others may use the room meanwhile.
 */

/* The share of its run time that a gang may win at best by being in one domain. */
#define LW_GANG_GAIN 0.1

/* Until when the record may wait; not above now: it may not, or no more. */
int64_t lw_gang_until(const struct lw_cycle *cycle, uint32_t index);

/*
 * lw_cycle_find_room() for a record that has, or would get, a reservation: -EAGAIN with the
 * reason when there is room, and it waits for a nearer domain.
 */
int lw_gang_find_room(struct lw_cycle *cycle, uint32_t index, const struct lw_alloc **ret_allocs,
		      uint32_t *ret_count, enum lw_reason *ret_reason);

#endif
