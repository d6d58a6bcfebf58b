/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the nodes that failed under jobs within a day, and which of them are suspect. */
#ifndef LW_SLURM_SUSPECTS_H
#define LW_SLURM_SUSPECTS_H

#include "base/log.h"
#include "base/suspect.h"

/*
 * One node is one entry, so that a user cannot fill the table. It is kept across restarts of
 * slurmctld (doc/dev/format-suspects.txt).
 */
struct lw_suspects;

/* Failures of further nodes are not noted until others are forgotten. */
#define LW_SUSPECTS_MAX 16384
/* A node that fails takes all its jobs along: what is noted within this time is one failure. */
#define LW_SUSPECT_APART_S 300

/*
 * Read PATH if there is one; a damaged file is reported and set aside, like that of promises. 0
 * or -ENOMEM. LOG is borrowed; NOW_S is the time.
 */
int lw_suspects_create(const char *path, int64_t now_s, const struct lw_log *log,
		       struct lw_suspects **ret_suspects);
void lw_suspects_destroy(struct lw_suspects *suspects);

/*
 * NAME failed under JOB_ID at FAILED_S. The entry, if the node has become suspect by that, until
 * the next call; else NULL.
 */
const struct lw_suspect *lw_suspects_note(struct lw_suspects *suspects, const char *name,
					  uint32_t job_id, int64_t failed_s);
/* Forget nodes that last failed more than a day before NOW_S. */
void lw_suspects_expire(struct lw_suspects *suspects, int64_t now_s);
void lw_suspects_clear(struct lw_suspects *suspects);

/* Is the node of that name suspect? Also of NULL SUSPECTS. O(log n). */
bool lw_suspects_has(const struct lw_suspects *suspects, const char *name);
/* How many are? */
uint32_t lw_suspects_count(const struct lw_suspects *suspects);

/* Write the file, if it has changed. 0, or -errno with ERR. */
int lw_suspects_save(struct lw_suspects *suspects, struct lw_error *err);

#endif
