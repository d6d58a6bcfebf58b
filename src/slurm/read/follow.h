/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: followers: jobs that Slurm's queue lacks until a running job ends. */
#ifndef LW_SLURM_FOLLOW_H
#define LW_SLURM_FOLLOW_H

#include "base/lookup.h"
#include "slurm/compat/compat.h"
#include "slurm/read/link.h"

struct lw_reader;

/* Such jobs, by id. Zeroed: there are none. */
struct lw_follows {
	struct lw_follow *items;
	uint32_t count, room;
	struct lw_lookup index;
	struct lw_lookup taken; /* by running job and user: number of planned followers */
};

/*
 * Only one follower takes over from a running job. Up to this number of each user are tried, in
 * queue order, because a user may name a job of another user.
 */
#define LW_FOLLOWERS_MAX 16
/* Jobs that depend on more others are left to Slurm, because the locks are held meanwhile. */
#define LW_LINKS_MAX 256

/*
 * Find the waiting jobs that only wait for the end of running jobs or for a time to come, and
 * add them to QUEUE, which Slurm has just built after a look at all dependencies. Only one link
 * ahead: a job that waits for a waiting job is left out. So are het jobs, jobs with licences, a
 * burst buffer, several QOS or several reservations, and jobs of a federation. No job is
 * written. Needs LW_LOCKS_ALL. 0, -ENOMEM or -EBADMSG with the reader's error.
 */
int lw_follows_find(struct lw_reader *reader, list_t *queue);
/* What JOB waits for, or NULL. */
const struct lw_follow *lw_follows_of(const struct lw_follows *follows, const job_record_t *job);
/*
 * Is JOB to be planned? Called in queue order. A follower is not planned if enough other jobs
 * before it follow the same job: of a thousand followers all but a few would be read in vain.
 */
bool lw_follows_take(struct lw_follows *follows, const job_record_t *job);
void lw_follows_fini(struct lw_follows *follows);

#endif
