/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: how much work is before a job that waits. */
#ifndef LW_PLANNER_AHEAD_H
#define LW_PLANNER_AHEAD_H

#include "planner/model/params.h"
#include "planner/model/snapshot.h"

/* One class of the queue, or one job where classes have no turn of their own. */
struct lw_ahead_turn {
	double key;
	uint32_t number; /* of the class, or the job's record */
};

/* Memory that is used again. All zero is empty. */
struct lw_ahead {
	struct lw_ahead_turn *turns; /* in order */
	double *before_s;            /* by record */
	uint32_t *jobs;              /* by record: how many are before it */
	uint32_t turn_count, turn_room, before_room, jobs_room;
	double running_s;  /* of all that runs */
	double cpus, gpus; /* of all nodes that may be used */
};

void lw_ahead_fini(struct lw_ahead *ahead);

/*
 * Find for each job that waits in SNAP how long the whole machine would take for what is before
 * it, as far as that shares nodes with it, and for the rest of what runs, by expected run times.
 * Before it are those that PARAMS would have start first: the shortest expected runs under a
 * policy that goes by these, else the queue's order. Rough on purpose: what it is worth is
 * learned (predictor/outlook.h). O(sets * jobs), and beyond LW_AHEAD_LOOKS_MAX of that O(jobs):
 * then it does not count which jobs share nodes. -ENOMEM.
 */
#define LW_AHEAD_LOOKS_MAX 20000000
int lw_ahead_make(struct lw_ahead *ahead, const struct lw_snapshot *snap,
		  const struct lw_policy_params *params);
/* The work before job INDEX of the snapshot, in seconds. */
int64_t lw_ahead_before_s(const struct lw_ahead *ahead, uint32_t index);
/* How many jobs are before it there; an array counts once. */
uint32_t lw_ahead_jobs(const struct lw_ahead *ahead, uint32_t index);
/* Which share of the machine REQ asks for, of CPUs or GPUs, whichever is more. */
double lw_ahead_share(const struct lw_ahead *ahead, const struct lw_request *req);

#endif
