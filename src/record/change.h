/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: change a job's admin_comment, which others write as well. */
#ifndef LW_RECORD_CHANGE_H
#define LW_RECORD_CHANGE_H

#include "record/comment.h"

/*
 * Slurm takes a comment as a whole, and does not say whether it has changed since it was read.
 * So it is read again after each write: if another writer has put its own text there, made from
 * an older one, our words are put into that text. What another writes between our reading and
 * our write, which follows at once, is lost.
 */
#define LW_CHANGE_TRIES 4

/* The job's comment at slurmctld. Both return 0 or -errno. */
struct lw_change_calls {
	/* The current comment; -ENOSPC: it is longer than BUF. */
	int (*read)(void *arg, char buf[LW_COMMENT_MAX]);
	int (*write)(void *arg, const char *comment);
	void *arg;
};

/* Make the new comment from OLD; from its own result it makes the same. 0 or -errno. */
typedef int (*lw_change_f)(void *arg, const char *old, char buf[LW_COMMENT_MAX]);

/*
 * Write the result of MAKE until it stays. -EAGAIN: another writer replaces it each time; else
 * the result of the first call that failed, except for a job that is gone after it was written.
 */
int lw_change(const struct lw_change_calls *calls, lw_change_f make, void *arg);

#endif
