/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: a job, waiting or running. */
#ifndef LW_PLANNER_JOB_H
#define LW_PLANNER_JOB_H

#include "planner/model/field.h"
#include "planner/model/request.h"
#include "planner/model/constraints.h"

/* The fields and what they mean are in planner/model/job.def. */

#define LW_NO_TIME INT64_MIN /* "no such time": no promise yet, no begin time */

/* The whole machine, in the unit of account shares. */
#define LW_ACCOUNT_SHARE_ALL 1000000000

/* Which end of a job counts. */
enum lw_ends {
	LW_ENDS_HARD,	  /* its hard limit */
	LW_ENDS_EXPECTED, /* its expected end; doubled until it is in the future */
	LW_ENDS_COUNT,
};

enum lw_readiness {
	LW_READY,     /* may start as soon as there is room */
	LW_NOT_READY, /* waits for something that is not room: held, dependency, limit */
	LW_REFUSED,   /* Slurm refused to start it a moment ago */
};

struct lw_running {
	uint32_t job_id;
#define LW_RUNNING LW_MEMBER
#include "planner/model/job.def"
	uint32_t first_alloc; /* its run of snapshot->allocs */
	uint32_t alloc_count;
};

/* What the predictor says of a waiting job. */
struct lw_expectation {
#define LW_EXPECTED LW_MEMBER
#include "planner/model/job.def"
};

struct lw_waiting {
	uint32_t job_id;
#define LW_WAITING LW_MEMBER
#define LW_CLASS   LW_MEMBER
#include "planner/model/job.def"
	struct lw_expectation expected; /* that of the job added to the class last */
	struct lw_constraints constraints;
	struct lw_request request;
};

/* Something that a job needs besides its own request, on other nodes. */
struct lw_need {
#define LW_NEED LW_MEMBER
#include "planner/model/job.def"
	struct lw_request request;
};

/*
 * When JOB ends, seen from NOW_S; a job past its end ends in a second. Inline, since some cycles
 * ask it of every running job.
 */
static inline int64_t lw_running_end_s(const struct lw_running *job, int64_t now_s,
				       enum lw_ends ends)
{
	int64_t end_s = job->end_s > now_s ? job->end_s : now_s + 1;
	int64_t elapsed_s = now_s - job->start_s, run_s = job->expect_s;

	if (ends == LW_ENDS_HARD || run_s < 1 || elapsed_s < 0)
		return end_s;
	while (run_s <= elapsed_s && run_s <= INT64_MAX / 2)
		run_s *= 2;
	return run_s - elapsed_s < end_s - now_s ? now_s + (run_s - elapsed_s) : end_s;
}

/* Of all fields that make the class of JOB: jobs that differ in one are of different classes. */
uint64_t lw_waiting_class_hash(const struct lw_waiting *job);
/* HASH combined with the fields of one more need. */
uint64_t lw_need_hash(uint64_t hash, const struct lw_need *job);

static inline int64_t lw_waiting_expect_s(const struct lw_waiting *job)
{
	return job->expected.mean_s ? job->expected.mean_s : job->limit_s;
}

/* DURATION_S, not negative, after START_S; INT64_MAX at the latest. */
static inline int64_t lw_end_after_s(int64_t start_s, int64_t duration_s)
{
	bool beyond = start_s > 0 && duration_s > INT64_MAX - start_s;

	return beyond ? INT64_MAX : start_s + duration_s;
}

/* When JOB, started at START_S, ends by its hard limit. */
static inline int64_t lw_waiting_end_s(const struct lw_waiting *job, int64_t start_s)
{
	return lw_end_after_s(start_s, job->limit_s);
}

#endif
