/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: jobs that Slurm's queue lacks since they wait for the end of one that runs. */
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
	struct lw_lookup taken; /* by running job and user: how many followers are planned */
};

/*
 * One follower takes over from another. So many of each user are tried, in the order of the
 * queue: a user may name a job of other users.
 */
#define LW_FOLLOWERS_MAX 16
/* Jobs that depend on more others are left to Slurm: locks are held meanwhile. */
#define LW_LINKS_MAX 256

/*
 * Find the waiting jobs of which all that is unmet is the end of jobs that run, or a time to come,
 * and add them to QUEUE, which Slurm has just built: it has looked at all dependencies then. One
 * link ahead only: who waits for a job that waits is left out. So are het jobs, those with licences
 * or a burst buffer, with several QOS or reservations, and those of a federation. Nothing is
 * written to any job. Needs LW_LOCKS_ALL. 0, -ENOMEM or -EBADMSG with the walker's error.
 */
int lw_follows_find(struct lw_reader *reader, list_t *queue);
/* Of a job: for whom it waits, or NULL. */
const struct lw_follow *lw_follows_of(const struct lw_follows *follows, const job_record_t *job);
/*
 * In the order of the queue: is JOB to be planned? One that follows another is not if enough others
 * follow that one before it: of a thousand that wait for one job all but a few would be read in
 * vain.
 */
bool lw_follows_take(struct lw_follows *follows, const job_record_t *job);
void lw_follows_fini(struct lw_follows *follows);

#endif
