/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: since when the age of a job counts, if Slurm does not say so. */
#ifndef LW_SLURM_SINCE_H
#define LW_SLURM_SINCE_H

#include "base/error.h"
#include "base/log.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Slurm gives a requeued job a new submission time, and forgets the begin time of a job that
 * depends on others. An entry here lasts until the job ends. It is kept across restarts of
 * slurmctld if it differs from what Slurm says (doc/dev/format-since.txt).
 */
struct lw_since;

/*
 * Further jobs are not remembered: they are as old as Slurm says. Once half of these are used,
 * each user may have an eighth, so that other users' jobs are remembered (base/quota.h).
 */
#define LW_SINCE_MAX 65536

/*
 * Read PATH if there is one; a damaged file is reported and set aside, like that of promises. 0
 * or -ENOMEM. LOG is borrowed; NOW_S is the time.
 */
int lw_since_create(const char *path, int64_t now_s, const struct lw_log *log,
		    struct lw_since **ret_since);
void lw_since_destroy(struct lw_since *since);

/* Begin and end of a reading: jobs without a call of lw_since_alive() in between are dropped. */
void lw_since_begin(struct lw_since *since);
/* This job of USER has not ended. */
void lw_since_alive(struct lw_since *since, uint32_t job_id, uint32_t user);
void lw_since_end(struct lw_since *since);

/*
 * A job of USER runs, submitted at SUBMIT_S by Slurm; REQUEUED: it has run before. If it has
 * not, an entry under its number is of another job.
 */
void lw_since_runs(struct lw_since *since, uint32_t job_id, uint32_t user, int64_t submit_s,
		   bool requeued);
/* A job of USER that also waits for other jobs must not begin before BEGIN_S. */
void lw_since_begins(struct lw_since *since, uint32_t job_id, uint32_t user, int64_t begin_s);
/* Since when the waiting job counts; SUBMIT_S if nothing else is known. SINCE may be NULL. */
int64_t lw_since_of(struct lw_since *since, uint32_t job_id, int64_t submit_s, bool requeued);

/* The number of jobs known. */
uint32_t lw_since_count(const struct lw_since *since);
/* Write the file, if it has changed. 0, or -errno with ERR. */
int lw_since_save(struct lw_since *since, struct lw_error *err);

/* How Slurm (priority/multifactor) counts age: WEIGHT at MAX_S, and a share of it before. */
struct lw_age {
	uint32_t weight, max_s;
};

/*
 * By how much the priority of a job that counts since SINCE_S exceeds Slurm's, which counts
 * since GIVEN_S; 0: it does not count yet.
 */
uint32_t lw_age_missing(const struct lw_age *age, int64_t now_s, int64_t since_s,
			int64_t given_s);

#endif
