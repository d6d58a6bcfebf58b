/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: jobs that are on their way to another node, and what is kept for them meanwhile. */
#ifndef LW_SLURM_MOVING_H
#define LW_SLURM_MOVING_H

#include "planner/cycle/lease.h"
#include "planner/model/gate.h"
#include "planner/model/plan.h"

/* So many at a time; further jobs are not moved. */
#define LW_MOVING_MAX 64
/* So many users are remembered by their last move; beyond that the oldest is forgotten. */
#define LW_MOVING_USERS 256

/* Where a job is on its way; the order is that of time. */
enum lw_moving_where {
	LW_MOVING_LEAVES, /* it was asked, or gives its node back */
	LW_MOVING_GONE,   /* it waits, and cannot begin yet */
	LW_MOVING_OPEN,   /* it is in the queue */
	LW_MOVING_BACK,   /* it runs elsewhere */
};

struct lw_moving_job {
	uint32_t job_id, for_job; /* 0: that one waits no longer */
	enum lw_moving_where where;
	int64_t until_s; /* then its place is no longer kept */
	int64_t limit_s; /* so long it may run there */
	struct lw_alloc from, to;
};

/* What is free now of the room of a job for which others move. */
struct lw_moving_room {
	uint32_t for_job;
	int64_t limit_s;
	struct lw_alloc alloc;
};

/* When a move of a job of that user was ordered last. */
struct lw_moving_user {
	uint32_t user;
	int64_t at_s; /* 0: none */
};

/*
 * All zero is empty. It is in memory alone: after a restart of slurmctld a job that moves is one
 * that was stopped.
 */
struct lw_moving {
	struct lw_moving_job jobs[LW_MOVING_MAX];
	uint32_t count;
	struct lw_moving_room *rooms;
	uint32_t room_count, room_room;
	struct lw_moving_user users[LW_MOVING_USERS];
};

void lw_moving_fini(struct lw_moving *moving);

/*
 * The job of STOP, a move of a plan, was asked, and PLACES are the plan's. It has until UNTIL_S,
 * and then may run for LIMIT_S. -ENOMEM or -ENOSPC: nothing is kept for it.
 */
int lw_moving_add(struct lw_moving *moving, const struct lw_lease_stop *stop,
		  const struct lw_alloc *places, int64_t limit_s, int64_t until_s);
/* Until the next call that adds or drops one; NULL: it does not move. */
struct lw_moving_job *lw_moving_find(struct lw_moving *moving, uint32_t job_id);
/* The I-th of these is done with, and so is what was kept for it. */
void lw_moving_drop(struct lw_moving *moving, uint32_t i);
/* FOR_JOB waits no longer: nothing is kept for it. */
void lw_moving_served(struct lw_moving *moving, uint32_t for_job);
/* Nodes have other numbers now: nothing is kept. */
void lw_moving_clear(struct lw_moving *moving);

/* A move of a job of USER is ordered at NOW_S. */
void lw_moving_note(struct lw_moving *moving, uint32_t user, int64_t now_s);
/*
 * Was one ordered before NOW_S, and less than BACK_S ago? What is kept for moves does not count
 * in stop.share; so a user has it kept once in that time. The jobs of one order move together.
 */
bool lw_moving_rests(const struct lw_moving *moving, uint32_t user, int64_t now_s,
		     int64_t back_s);

/*
 * Keep in SNAP, with all nodes and running jobs: the place of each job until it is in the queue;
 * and, until the last job has left that moves for another one, what is free of its room. Each is
 * a running record without a job. What is not free is not kept. -ENOMEM.
 */
int lw_moving_hold(const struct lw_moving *moving, struct lw_snapshot *snap);
/*
 * The node to which JOB_ID goes, if it is in the queue and its place in SNAP is free; else
 * LW_NO_NODE.
 */
uint32_t lw_moving_to(const struct lw_moving *moving, const struct lw_snapshot *snap,
		      uint32_t job_id);

/*
 * Keep in GATE, of PLAN from SNAP, what lw_moving_hold() kept, and what the moves of LEASES will
 * keep once they are ordered; NULL: there are none. -ENOMEM.
 */
int lw_moving_gate(const struct lw_moving *moving, const struct lw_leases *leases,
		   const struct lw_snapshot *snap, const struct lw_plan *plan,
		   struct lw_gate *gate);

#endif
