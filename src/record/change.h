/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: a change of a job's admin_comment, where others write as well. */
#ifndef LW_RECORD_CHANGE_H
#define LW_RECORD_CHANGE_H

#include "record/comment.h"

/*
 * Slurm takes a comment as a whole, and does not say if it has changed since it was read. So
 * it is read again after each write: if another writer has put its own text there, made of one
 * that it read before, ours is put into that text. What another writes between a reading and our
 * write, which follows at once, is lost all the same.
 */
#define LW_CHANGE_TRIES 4

/* The job's comment at slurmctld. Both return 0 or -errno. */
struct lw_change_calls {
	/* The comment as it is now; -ENOSPC: it is longer than that. */
	int (*read)(void *arg, char buf[LW_COMMENT_MAX]);
	int (*write)(void *arg, const char *comment);
	void *arg;
};

/* Make of OLD what is to stand there; of its own result the same. 0 or -errno. */
typedef int (*lw_change_f)(void *arg, const char *old, char buf[LW_COMMENT_MAX]);

/*
 * Write what MAKE makes until it stands there. -EAGAIN: another writer takes it away each time;
 * else what the first call that failed said, but for a job that is gone once it was written.
 */
int lw_change(const struct lw_change_calls *calls, lw_change_f make, void *arg);

#endif
