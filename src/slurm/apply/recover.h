/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: a job that lost a node runs again at once (recover.mode). */
#ifndef LW_SLURM_RECOVER_H
#define LW_SLURM_RECOVER_H

#include "slurm/keep/failures.h"
#include "slurm/keep/suspects.h"

#include <stdint.h>

/*
 * Slurm requeues a batch job when a node of it fails, and then lets it wait for two minutes or
 * more (AuthInfo=cred_expire), at the end of the queue. The wait is for the old credential, which
 * is two seconds old at most once its nodes are clean, so the begin time is set to now. Nothing
 * else of the job's record changes.
 */
enum lw_recover_mode {
	LW_RECOVER_OFF,
	LW_RECOVER_TELL, /* in the log only */
	LW_RECOVER_ON,
};

struct lw_recover_rules {
	enum lw_recover_mode mode;
	double share;   /* of the nodes: for so many these jobs go first */
	uint32_t tries; /* failures of a job in a day */
};

/* What became of jobs that lost a node, since the scheduler began. */
struct lw_recovered {
	uint64_t again, told, left;
	uint32_t suspects; /* nodes that failed under two jobs within a day, now */
	bool soon; /* one of them begins within moments: another cycle is to follow */
};

/*
 * With the locks of LW_LOCKS_ALL, before Slurm's queue is built: take the failures that the
 * select plugin noted, let these jobs begin, and choose the jobs that go first.
 */
void lw_recover_begin(struct lw_failures *failures, struct lw_suspects *suspects,
		      const struct lw_recover_rules *rules, int64_t now_s,
		      struct lw_recovered *recovered);
/* With the same locks, when the queue has been read: say which nodes are avoided. */
void lw_recover_end(struct lw_failures *failures);

#endif
