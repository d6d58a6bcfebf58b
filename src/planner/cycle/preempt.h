/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: preemption: waiting jobs that may use the room of running jobs. */
#ifndef LW_PLANNER_PREEMPT_H
#define LW_PLANNER_PREEMPT_H

#include "planner/cycle/cycle.h"

/*
 * Slurm decides which running jobs a waiting job may preempt, by preemption classes (struct
 * lw_running). The planner only counts their room and chooses nodes. Slurm chooses the jobs to
 * preempt when it is offered the start.
 */

/*
 * Find room for the record now in what is free and what jobs that it may preempt hold. With
 * GUARDED set, only beside the reservations that cycle->guarded marks. If several jobs would be
 * preempted, nodes are searched where fewer would be. 0 or -ENOSPC; nothing is changed.
 */
int lw_preempt_find(struct lw_cycle *cycle, uint32_t index, bool guarded,
		    const struct lw_alloc **ret_allocs, uint32_t *ret_count);

/*
 * Are ALLOCS free for the record now, with what jobs that it may preempt hold? Jobs that start
 * in this cycle cannot be preempted yet.
 */
bool lw_preempt_has_room(struct lw_cycle *cycle, uint32_t index, const struct lw_alloc *allocs,
			 uint32_t count);

/*
 * The record is about to start on ALLOCS: take what is missing there from the youngest jobs that
 * it may preempt. They are gone for the rest of the cycle.
 */
void lw_preempt_make_room(struct lw_cycle *cycle, uint32_t index, const struct lw_alloc *allocs,
			  uint32_t count);

#endif
