/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: in which other partitions a waiting job might start. */
#ifndef LW_SLURM_ELSEWHERE_H
#define LW_SLURM_ELSEWHERE_H

struct lw_reader;

/*
 * For the jobs that the context lists: add to the reading what each would be in partitions that
 * it does not name and with limits that it keeps. Left out are partitions for which this takes
 * long or cannot be found without a line in Slurm's log: hidden ones, and those with
 * DenyAccounts, AllocNodes, or AllowGroups that Slurm has to look up. After a moment of
 * processor time all others are left out, too. Needs LW_LOCKS_ALL, and the tables of one reading
 * of the queue. 0, -ENOMEM or -EINVAL with the reader's error.
 */
int lw_read_elsewhere(struct lw_reader *reader);

#endif
