/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: accepted deadlines, and the room kept for them. */
#ifndef LW_PLANNER_GUARD_H
#define LW_PLANNER_GUARD_H

#include "planner/time/profile.h"

struct lw_cycle;

/*
 * Under deadlines=guard a job is accepted if, by hard limits, it has room in time for its
 * deadline beside all running, accepted and promised jobs. From then on its room is kept: no job
 * starts, and no other deadline is accepted, that would take it.
 *
 * In each cycle accepted jobs, jobs with a promise and jobs that ask to be accepted take turns,
 * and each gets the earliest room left. Five orders are tried, until one makes no accepted job
 * late:
 *
 * - the nearest deadline first, accepted or not, then promised jobs, if their promises hold;
 * - promised jobs first, then the nearest deadline first;
 * - promised jobs, then accepted jobs, then jobs that ask;
 * - accepted jobs by the start that the last plan gave them, then promised jobs, then jobs that
 *   ask. As under the policy conservative, no start on one pool gets later. Over nodes, a job
 *   that moves forward may take other nodes, and another, or a promised job, may then be late;
 * - the same, with accepted jobs where the last plan had them. This room is still there unless a
 *   node is gone. A job that then cannot meet its deadline is at risk.
 *
 * Preemptors are not bound by this.
 */

/* A job with a turn, and the room found for it. */
struct lw_guard_turn {
	uint32_t index;
	uint8_t who;   /* an enum of guard.c */
	uint8_t phase; /* turns go by phase, tier ... */
	uint16_t tier;
	int64_t key_s; /* ... and this key */
	bool found;
	int64_t start_s;
	uint32_t first_alloc, alloc_count; /* of the guard's allocs */
};

/* Memory that is used again; all zero is empty. */
struct lw_guard {
	bool on;    /* a job has a deadline, and profile is of this cycle */
	bool knows; /* the profile already has the starts of this cycle */
	struct lw_profile profile;
	struct lw_res *least; /* by node: scratch */
	uint8_t *holds;       /* by record: has a reservation here */
	struct lw_guard_turn *turns;
	struct lw_alloc *allocs;
	uint32_t least_room, holds_room, turn_count, turn_room, alloc_count, alloc_room;
};

void lw_guard_fini(struct lw_guard *guard);

/*
 * Keep the room of accepted jobs and accept further jobs; start the ones with room now. A policy
 * must call it before it starts any job. Returns 0, -ENOMEM, or the result of lw_cycle_go_on().
 */
int lw_guard_plan(struct lw_cycle *cycle);

/* Does the record have a reservation with which it meets its deadline? Then it is planned. */
bool lw_guard_holds(const struct lw_cycle *cycle, uint32_t index);

/* By node, what a job that starts now and ends at END_S may take; valid until the next call. */
const struct lw_res *lw_guard_free(struct lw_cycle *cycle, int64_t end_s);

/* The record starts now on ALLOCS. -ENOMEM. */
int lw_guard_started(struct lw_cycle *cycle, uint32_t index, const struct lw_alloc *allocs,
		     uint32_t count);

/*
 * The record is to be promised START_S, found without regard to accepted jobs. If these need it
 * to start later, promise the later start, keep its room like theirs and return 1. Else 0;
 * -ENOMEM.
 */
int lw_guard_promise(struct lw_cycle *cycle, uint32_t index, int64_t start_s);

#endif
