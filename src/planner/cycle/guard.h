/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: deadlines that are accepted, and the room that is kept for them. */
#ifndef LW_PLANNER_GUARD_H
#define LW_PLANNER_GUARD_H

#include "planner/time/profile.h"

struct lw_cycle;

/*
 * Under deadlines=guard a job is accepted if by hard limits there is room for it by which it
 * meets its deadline, beside all that run, all that were accepted before, and all that were
 * promised a start. From then on its room is kept: nothing starts that would be in its way, and
 * nothing else is accepted that would be.
 *
 * Each has the earliest room there is in its turn. The nearest deadline has the first turn, be
 * it accepted or not, before those promised a start if these still have it in time. If
 * somebody who was accepted is late so, those promised have their turns before; else those
 * accepted have theirs before the ones that ask; else all those accepted, in the order of the
 * starts that the last plan had for them, as under the policy conservative, where on one pool
 * no start gets later. Over nodes one that moves forward may take other nodes, and another may
 * then be late; if so all are where the last plan had them. That room is still there, unless a
 * node is gone: who then cannot meet its deadline is at risk.
 *
 * Who preempts others is not bound to that.
 */

/* A job that is looked at; what is found for it. */
struct lw_guard_turn {
	uint32_t index;
	uint8_t who;   /* guard.c */
	uint8_t phase; /* in which its turn is ... */
	uint16_t tier;
	int64_t key_s; /* ... and where among those */
	bool found;
	int64_t start_s;
	uint32_t first_alloc, alloc_count; /* of the guard's allocs */
};

/* Memory that is used again; all zero is empty. */
struct lw_guard {
	bool on;    /* somebody has a deadline: PROFILE is that of this cycle */
	bool knows; /* the starts of now are in it already */
	struct lw_profile profile;
	struct lw_res *least; /* by node: scratch */
	uint8_t *holds;       /* by record: it has a reservation here */
	struct lw_guard_turn *turns;
	struct lw_alloc *allocs;
	uint32_t least_room, holds_room, turn_count, turn_room, alloc_count, alloc_room;
};

void lw_guard_fini(struct lw_guard *guard);

/*
 * Keep the room of those that were accepted, and accept others; who of them has room now starts.
 * The first thing that a policy does which has them start. 0, -ENOMEM, or what lw_cycle_go_on()
 * says.
 */
int lw_guard_plan(struct lw_cycle *cycle);

/* Has the record a reservation by which it meets its deadline? Then it has had its turn. */
bool lw_guard_holds(const struct lw_cycle *cycle, uint32_t index);

/* What a job may take that starts now and lasts until END_S; by node, until the next call. */
const struct lw_res *lw_guard_free(struct lw_cycle *cycle, int64_t end_s);

/* The record starts now on ALLOCS. -ENOMEM. */
int lw_guard_started(struct lw_cycle *cycle, uint32_t index, const struct lw_alloc *allocs,
		     uint32_t count);

/*
 * The record is to be promised START_S, which knows nothing of those accepted. If they want it
 * later, it is promised that, and its room kept as theirs is: 1. 0: they do not; -ENOMEM.
 */
int lw_guard_promise(struct lw_cycle *cycle, uint32_t index, int64_t start_s);

#endif
