/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the jobs of a log, as the analysis of a workload takes them. */
#ifndef LW_LAB_QUESTIONS_JOBLOG_H
#define LW_LAB_QUESTIONS_JOBLOG_H

#include <stdbool.h>
#include <stdint.h>

/* In place of a user, an account, a name or a partition: the log does not say. */
#define LW_JOBLOG_NOBODY  UINT32_MAX
#define LW_JOBLOG_UNKNOWN INT64_C(-1)
/* In place of an hour or a weekday. */
#define LW_JOBLOG_NO_CLOCK UINT8_MAX

enum lw_outcome {
	LW_OUTCOME_COMPLETED,
	LW_OUTCOME_FAILED,
	LW_OUTCOME_CANCELLED, /* by its user, or killed by others */
	LW_OUTCOME_TIMEOUT,   /* killed at its limit; many logs count that as cancelled */
	LW_OUTCOME_UNKNOWN,
	LW_OUTCOMES,
};

/* What a tag says of a job. */
enum lw_joblog_kind {
	LW_JOBLOG_DEEP,  /* deep learning */
	LW_JOBLOG_OTHER, /* something else */
	LW_JOBLOG_UNTAGGED,
	LW_JOBLOG_KINDS,
};

/* What sizes are counted in. */
enum lw_joblog_unit {
	LW_JOBLOG_CORES,
	LW_JOBLOG_GPUS,
	LW_JOBLOG_NODES,
};

/* A job that ran. */
struct lw_joblog_job {
	int64_t submit_s; /* from the start of the log */
	int64_t wait_s;   /* UNKNOWN */
	int64_t run_s;
	int64_t limit_s; /* what its user asked for; UNKNOWN */
	uint32_t size;   /* in the log's unit; 0: it holds none of these */
	uint32_t user, account, name, partition; /* numbers in this log, or unknown */
	uint8_t hour, weekday; /* of its submission where the machine stands; Monday is 0 */
	uint8_t outcome;       /* enum lw_outcome */
	uint8_t kind;          /* enum lw_joblog_kind */
	uint8_t util_percent;  /* mean of its GPUs, at most 100; UINT8_MAX: not recorded */
	uint16_t gpu_milli;    /* how much of each GPU it asked for; 0: not said */
};

/* Jobs in order of submission. */
struct lw_joblog {
	struct lw_joblog_job *jobs;
	uint32_t count;
	enum lw_joblog_unit unit;
	uint64_t machine; /* total number of units; 0: not given */
};

/* "core", "GPU" or "node". */
const char *lw_joblog_unit_name(enum lw_joblog_unit unit);
/* "completed", "failed", "cancelled", "timeout" or "unknown". */
const char *lw_outcome_name(enum lw_outcome outcome);

/* Unit-seconds that it held. */
static inline double lw_joblog_area_s(const struct lw_joblog_job *job)
{
	return (double)job->size * (double)job->run_s;
}

#endif
