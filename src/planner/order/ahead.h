/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: how much work is ahead of a waiting job. */
#ifndef LW_PLANNER_AHEAD_H
#define LW_PLANNER_AHEAD_H

#include "planner/model/params.h"
#include "planner/model/snapshot.h"

/* A class of the queue, or a job if jobs of a class have different keys. */
struct lw_ahead_turn {
	double key;
	uint32_t number; /* of the class, or the job's record */
};

/* Memory that is used again. All zero is empty. */
struct lw_ahead {
	struct lw_ahead_turn *turns; /* in order */
	double *before_s;            /* by record: the work ahead */
	uint32_t *jobs;              /* by record: the jobs ahead */
	bool *shares;                /* by set: does it share nodes with one? */
	uint32_t turn_count, turn_room, before_room, jobs_room, shares_room;
	double running_s;  /* all running jobs */
	double cpus, gpus; /* of all usable nodes */
};

void lw_ahead_fini(struct lw_ahead *ahead);

/*
 * Find for each waiting job of SNAP how long the whole machine would take for the work ahead of
 * it: the jobs ahead that share nodes with it, and the rest of the running jobs, by expected run
 * times. The jobs ahead are those before it in the order in which PARAMS start jobs: by shortest
 * expected run under a policy that does so, else by the queue. The figure is rough on purpose:
 * the predictor learns what it means (predictor/outlook.h). O(sets * jobs); beyond
 * LW_AHEAD_LOOKS_MAX of that O(jobs), without regard to which jobs share nodes. -ENOMEM.
 */
#define LW_AHEAD_LOOKS_MAX 20000000
int lw_ahead_make(struct lw_ahead *ahead, const struct lw_snapshot *snap,
		  const struct lw_policy_params *params);
/* The work ahead of job INDEX of the snapshot, in seconds. */
int64_t lw_ahead_before_s(const struct lw_ahead *ahead, uint32_t index);
/* The number of jobs ahead of it on its nodes; 0 if they are not counted. An array counts once.
 */
uint32_t lw_ahead_jobs(const struct lw_ahead *ahead, uint32_t index);
/* The share of the machine that REQ asks for: of CPUs or GPUs, the larger. */
double lw_ahead_share(const struct lw_ahead *ahead, const struct lw_request *req);

#endif
