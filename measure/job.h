/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: a job of a trace as leeway sim runs it, and what becomes of it. */
#ifndef LW_MEASURE_JOB_H
#define LW_MEASURE_JOB_H

#include "config/recipes.h"
#include "measure/after.h"
#include "planner/model/snapshot.h"
#include "planner/place/size.h"

#include <stdbool.h>
#include <stdint.h>

/* Half a million at a time: fields of a byte stand together, so that they take no eight. */
struct lw_sim_job {
	/* given */
	uint32_t id; /* unique, above 0 */
	uint32_t user;
	uint32_t group;
	uint32_t account_share; /* what its group, or without one its user, is to have; 0: as 1 */
	uint32_t partition;
	uint32_t application; /* what kind of job it is, or UINT32_MAX: not known */
	int64_t submit_s;
	int64_t run_s;          /* what it really takes; ends at the limit if that is shorter */
	int64_t limit_s;        /* at least 1 */
	int64_t asked_s;        /* what its user asked for, if that was less; 0: limit_s */
	int64_t cancel_after_s; /* its user takes it back so long after submission; 0: never */
	const struct lw_after *afters; /* what it waits for, by ids; NULL: nothing */
	uint32_t after_count;
	uint32_t array;    /* the array that it is a task of, by number; 0: none with a bound */
	uint32_t at_most;  /* so many tasks of it run at a time; 0: all */
	int64_t think_s;   /* and it is submitted so long after that, at least */
	int64_t finish_by_s;       /* it should have ended by then; 0: whenever */
	uint32_t weight;           /* what a second after that costs; 0: as 1 */
	uint8_t exit_code;         /* 0: its program ends well */
	struct lw_size size;       /* shared 0: it runs on the nodes that it asks for */
	bool resumable;            /* it can be stopped, and goes on from there */
	int64_t save_s, restart_s; /* that stopping it, and starting it again, costs */
	struct lw_request request;
	const struct lw_recipe *recipe; /* what it does; NULL: not known, run_s is all there is */
	const struct lw_recipes *recipes; /* the recipes that it is from */
	int64_t given_run_s; /* with a recipe: run_s on the reference type */
	/* the simulator's own */
	int64_t held_s;        /* the limit that the planner counts with */
	uint32_t class_number; /* of the snapshot's queue */
	bool leads;            /* another job waits for it */
	bool unplanned;        /* a link that its user has too many of to be planned */
	int64_t stays_due_s;   /* when it is to be asked again how it stays */
	int64_t done_s;        /* of its run, when it was preempted last */
	uint32_t nodes;        /* that it started on last, if it may run on fewer */
	double slower;       /* than on the reference type, where it has started; 0: the same */
	int64_t share_s; /* its run on an equal share of each type (reciperun.h); 0: as it ran */
	/* found */
	int64_t awaited_s; /* the last end that it waited for, or LW_NO_TIME */
	int64_t ready_s;   /* when nothing but room was missing: submitted, and awaited */
	int64_t ends_s;    /* of one that shares its GPU, as it looks; 0: by start and run */
	int64_t guest_s;   /* of its time since start_s it was on the GPU of another one */
	int64_t start_s;   /* the last, or LW_NO_TIME: it never fits */
	int64_t first_start_s; /* of one that was preempted */
	int64_t spent_s;       /* it had run for before, in pieces */
	uint32_t stops;        /* how often it was preempted */
	int64_t lost_s;        /* of its work, by stops for others */
	uint32_t late;         /* how often it ran again later than promised */
	bool agrees;           /* it could be stopped for others */
	bool accepted;         /* the planner has accepted what it is to finish by */
	bool shared;           /* it had a GPU together with another one */
	int64_t promise_s; /* the first, or LW_NO_TIME */
	int64_t latest_s;  /* how far that promise might slip when it was made */
};

static inline bool lw_sim_job_wants_gpus(const struct lw_sim_job *job)
{
	return job->request.gpus_per_node || job->request.gpus_total;
}

/* A job that was preempted goes on: of its run or its limit, WHOLE_S, so much is left. */
static inline int64_t lw_sim_job_left_s(const struct lw_sim_job *job, int64_t whole_s)
{
	return whole_s - job->done_s + (job->stops ? job->restart_s : 0);
}

/* May it have to wait for other jobs? */
static inline bool lw_sim_job_waits(const struct lw_sim_job *job)
{
	return job->after_count || job->at_most;
}

/* A run of WHOLE_S on the nodes that it asks for, on the nodes that it has. */
static inline int64_t lw_sim_job_there_s(const struct lw_sim_job *job, int64_t whole_s)
{
	return job->size.shared ? lw_size_run_s(&job->size, job->nodes, whole_s) : whole_s;
}

/* Since when only room was missing to a job that has started. */
static inline int64_t lw_sim_job_since_s(const struct lw_sim_job *job)
{
	return lw_sim_job_waits(job) ? job->ready_s : job->submit_s;
}

/*
 * Since when what a started job holds counts as its own; it does so until its end. What another
 * job holds on the same GPU is counted there. A job that was preempted had run in one piece.
 */
static inline int64_t lw_sim_job_holds_since_s(const struct lw_sim_job *job)
{
	/* a job that shares is preempted only as a guest */
	return job->shared ? job->start_s + job->guest_s : job->start_s - job->spent_s;
}

/* The limit that a history knows the job by. */
int64_t lw_sim_job_asked_s(const struct lw_sim_job *job);

/* When a job that has started ends: as it would by itself, at its limit, or cancelled. */
int64_t lw_sim_job_end_s(const struct lw_sim_job *job);

static inline uint32_t lw_sim_largest_id(const struct lw_sim_job *jobs, uint32_t count)
{
	uint32_t largest = 0;

	for (uint32_t i = 0; i < count; i++)
		largest = jobs[i].id > largest ? jobs[i].id : largest;
	return largest;
}

#endif
