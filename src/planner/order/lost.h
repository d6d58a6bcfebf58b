/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the time that a waiting job has lost to later jobs, and what of it is bearable. */
#ifndef LW_PLANNER_LOST_H
#define LW_PLANNER_LOST_H

#include "planner/model/params.h"
#include "planner/model/snapshot.h"

/*
 * A waiting job loses time while it, and all jobs that came before it and run or wait, would fit
 * into its nodes together: then only later jobs are in its way. The sums of CPUs, GPUs and memory
 * decide, not single nodes. Before it came the running jobs that have waited since an earlier
 * time, and the ready jobs that the queue has in front of it. A start changes none of these sums,
 * so what holds at one look is taken to hold until the next.
 *
 * That bounds by how much shortest-first may pass a job: once it has lost LOSS times its expected
 * run, it goes before later jobs (policies/heads.h). Budgets of delay: Talby and Feitelson,
 * "Supporting priorities and improving utilization of the IBM SP scheduler using slack-based
 * backfilling", IPPS 1999; there they are set beforehand, here time is counted as it is lost.
 */

/* A run shorter or longer than these counts as one of this length. */
#define LW_LOST_RUN_LEAST_S 600
#define LW_LOST_RUN_MOST_S  64800

/* It is looked again after so long: what is bearable is a multiple of that. */
#define LW_LOST_STEP_S 60

/* With more sets times jobs than that, the whole cluster counts as the nodes of each job. */
#define LW_LOST_LOOKS_MAX 20000000

struct lw_lost_job {
	uint32_t job_id;
	bool loses; /* since the last look */
	int64_t lost_s;
};

/* What is known from earlier cycles, and memory that is used again. All zero is empty. */
struct lw_lost {
	struct lw_lost_job *jobs; /* the jobs that waited at the last look, by id */
	struct lw_lost_job *next;
	int64_t *since_s; /* of the waiting jobs, sorted */
	double *before;   /* by place there: what running jobs before it hold */
	uint32_t since_count, count, jobs_room, next_room, since_room, before_room;
	int64_t at_s; /* the last look */
};

void lw_lost_fini(struct lw_lost *lost);

/*
 * Once a cycle, before it is planned: set lost_s of the waiting jobs of SNAP. A job that was not
 * there at the last look has lost nothing. O((running + waiting) log waiting) for each set of
 * nodes. -ENOMEM leaves what was known.
 */
int lw_lost_note(struct lw_lost *lost, struct lw_snapshot *snap);

/* Has a job that is expected to run for RUN_S lost so much that it goes before later jobs? */
static inline bool lw_lost_is_enough(const struct lw_policy_params *params, int64_t run_s,
				     int64_t lost_s)
{
	if (run_s < LW_LOST_RUN_LEAST_S)
		run_s = LW_LOST_RUN_LEAST_S;
	if (run_s > LW_LOST_RUN_MOST_S)
		run_s = LW_LOST_RUN_MOST_S;
	return params->loss > 0 && (double)lost_s >= params->loss * (double)run_s;
}

#endif
