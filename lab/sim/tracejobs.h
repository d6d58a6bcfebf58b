/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the jobs of a trace, as leeway sim runs them. */
#ifndef LW_LAB_SIM_TRACEJOBS_H
#define LW_LAB_SIM_TRACEJOBS_H

#include "measure/job.h"
#include "measure/machine.h"
#include "measure/swf.h"
#include "measure/workload.h"

struct lw_tracejobs_options {
	struct lw_machine machine;
	bool group_as_user;           /* for traces that know projects but no users */
	bool no_cancels;              /* no user of a workload cancels a job */
	uint32_t first_job, last_job; /* positions in the trace from 1; 0: no bound */
	const struct lw_recipes *recipes; /* NULL, or the recipes that a workload names */
	int64_t default_limit_s; /* of jobs that ask for no time; 0: see lw_tracejobs_init() */
};

struct lw_tracejobs {
	struct lw_sim_job *jobs; /* in order of submission; id is the position in the trace */
	uint32_t count;
	uint32_t dropped_wide;    /* more than the machine, or than a node of it */
	uint32_t dropped_unknown; /* neither processors nor a run time */
	uint32_t limits_made;     /* of jobs that asked for no time */
	uint32_t afters_lost;     /* dependencies on what is not there, or is later */
	struct lw_after *afters;  /* the jobs' */
	uint32_t after_count, after_room;
};

/*
 * The processors are those requested, or else those allocated. The limit is the requested time,
 * or the run time where that is longer, so that no job is cut short. A job that requested none
 * is taken to have requested the longest time that any of its partition did, but for the topmost
 * hundredth, as Slurm holds it to its partition's limit; if none of them did, that any job did;
 * if no job did, its run time. Unknown users are UINT32_MAX, as for a history. Fields 17 and 18
 * say what a job waits for (job.h). -ENOMEM.
 */
int lw_tracejobs_init(struct lw_tracejobs *jobs, const struct lw_swf *swf,
		      const struct lw_tracejobs_options *options);
void lw_tracejobs_fini(struct lw_tracejobs *jobs);

/*
 * The jobs of a workload, each task of an array as a job, on a machine with nodes. Memory
 * counts if the machine has any. The id is the position in the workload, from 1; there are
 * no groups and partitions. -ENOMEM.
 */
int lw_tracejobs_of_workload(struct lw_tracejobs *jobs, const struct lw_workload *workload,
			     const struct lw_tracejobs_options *options);

/* For the two above. Is the job at POSITION one of those asked for? */
bool lw_tracejobs_wants(const struct lw_tracejobs_options *options, uint32_t position);
/* JOB waits for that of ID, unless it is missing; then it is counted. -ENOMEM. */
int lw_tracejobs_add_after(struct lw_tracejobs *jobs, struct lw_sim_job *job,
			   enum lw_after_kind kind, uint32_t id);
/* The last was added: have the jobs point to what they wait for. */
void lw_tracejobs_point(struct lw_tracejobs *jobs);

#endif
