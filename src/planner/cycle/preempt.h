/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: preemption: running jobs that do not stand in the way of some that wait. */
#ifndef LW_PLANNER_PREEMPT_H
#define LW_PLANNER_PREEMPT_H

#include "planner/cycle/cycle.h"

/*
 * Which running jobs a waiting one may preempt is Slurm's to say, by kinds
 * (struct lw_running). The planner only takes their room into account: it chooses nodes,
 * never the jobs to preempt, which Slurm does when the start is offered.
 */

/*
 * Find room for the record now among what is free and what jobs hold that it may preempt.
 * With GUARDED set only beside the reservations that cycle->guarded marks. Where several jobs
 * would have to go, other nodes are looked for where fewer do. 0, or -ENOSPC; nothing is changed.
 */
int lw_preempt_find(struct lw_cycle *cycle, uint32_t index, bool guarded,
		    const struct lw_alloc **ret_allocs, uint32_t *ret_count);

/*
 * Are ALLOCS free for the record now, with what those hold that it may preempt? What starts in
 * this cycle cannot be preempted yet.
 */
bool lw_preempt_has_room(struct lw_cycle *cycle, uint32_t index, const struct lw_alloc *allocs,
			 uint32_t count);

/*
 * The record is about to start on ALLOCS: let the youngest jobs that it may preempt give
 * back what is missing there. They are gone for the rest of the cycle.
 */
void lw_preempt_make_room(struct lw_cycle *cycle, uint32_t index, const struct lw_alloc *allocs,
			  uint32_t count);

#endif
