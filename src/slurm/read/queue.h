/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: Slurm's queue, copied into a snapshot. */
#ifndef LW_SLURM_QUEUE_H
#define LW_SLURM_QUEUE_H

struct lw_reader;

/*
 * Add the waiting jobs, in Slurm's own order, to the snapshot, which has everything else. Needs
 * LW_LOCKS_ALL; the session of the context yields now and then. 0, -ENOMEM, -EINVAL or -EBADMSG
 * with the reader's error, or the result of lw_session_yield().
 */
int lw_read_queue(struct lw_reader *reader);

#endif
