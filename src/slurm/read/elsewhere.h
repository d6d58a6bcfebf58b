/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: in which other partitions a waiting job might start. */
#ifndef LW_SLURM_ELSEWHERE_H
#define LW_SLURM_ELSEWHERE_H

struct lw_reader;

/*
 * For the jobs that the context asks about: what each would be in the partitions that it does not
 * name and whose limits it keeps, to the reading. Those of which that takes long to find out, or
 * cannot be without a word in Slurm's log, are left out: hidden ones, and those with DenyAccounts,
 * AllocNodes, or AllowGroups that Slurm has to look up. So are all after a moment of processor
 * time. Needs LW_LOCKS_ALL, and the tables of one reading of the queue. 0, -ENOMEM or -EINVAL
 * with the walker's error.
 */
int lw_read_elsewhere(struct lw_reader *reader);

#endif
