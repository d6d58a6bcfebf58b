/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: since when the age of a job counts, where Slurm does not say so. */
#ifndef LW_SLURM_SINCE_H
#define LW_SLURM_SINCE_H

#include "base/error.h"
#include "base/log.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Slurm gives a job that is requeued a new submission, and forgets the begin time of one that
 * depends on others. What is known here is dropped when the job ends, and is kept across restarts
 * of slurmctld where it differs from what Slurm says (doc/dev/format-since.txt).
 */
struct lw_since;

/*
 * More jobs than these are not remembered: they are as old as Slurm says. From half of them on a
 * user has an eighth at most, so that others' jobs are remembered (base/quota.h).
 */
#define LW_SINCE_MAX 65536

/*
 * Read PATH if there is one; a damaged file is reported and set aside, as promises are. 0 or
 * -ENOMEM. LOG is borrowed, and the time is of now.
 */
int lw_since_create(const char *path, int64_t now_s, const struct lw_log *log,
		    struct lw_since **ret_since);
void lw_since_destroy(struct lw_since *since);

/* Around a reading; all of which lw_since_alive() is not told in between are dropped. */
void lw_since_begin(struct lw_since *since);
/* That job of USER has not ended. */
void lw_since_alive(struct lw_since *since, uint32_t job_id, uint32_t user);
void lw_since_end(struct lw_since *since);

/*
 * A job of USER runs, by Slurm submitted at SUBMIT_S; REQUEUED: it has run before. What was known
 * of a job with that number that has not run before is of another job.
 */
void lw_since_runs(struct lw_since *since, uint32_t job_id, uint32_t user, int64_t submit_s,
		   bool requeued);
/* A job of USER that waits for others as well is not to begin before BEGIN_S. */
void lw_since_begins(struct lw_since *since, uint32_t job_id, uint32_t user, int64_t begin_s);
/* Since when the waiting job counts; SUBMIT_S where nothing else is known. SINCE may be NULL. */
int64_t lw_since_of(struct lw_since *since, uint32_t job_id, int64_t submit_s, bool requeued);

/* How many jobs are known. */
uint32_t lw_since_count(const struct lw_since *since);
/* Write the file, if it is to be another. 0, or -errno with ERR. */
int lw_since_save(struct lw_since *since, struct lw_error *err);

/* How Slurm (priority/multifactor) counts age: WEIGHT at MAX_S, and a share of that before. */
struct lw_age {
	uint32_t weight, max_s;
};

/*
 * What a job that has counted since SINCE_S would have more of priority than Slurm gives it, which
 * counts since GIVEN_S; 0: it does not count yet.
 */
uint32_t lw_age_missing(const struct lw_age *age, int64_t now_s, int64_t since_s,
			int64_t given_s);

#endif
