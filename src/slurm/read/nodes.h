/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: Slurm's nodes, and what keeps some of them from new jobs for a while. */
#ifndef LW_SLURM_NODES_H
#define LW_SLURM_NODES_H

struct lw_reader;

/* A node with a completing job is blocked for so long: nobody knows how long an epilog takes. */
#define LW_COMPLETING_S 60

/*
 * Add to the snapshot Slurm's nodes, which are counted in the reading, then the nodes that stand
 * for licences, and the domains of the topology. Needs LW_LOCKS_ALL, which the hold of the
 * context gives up now and then. 0, -ENOMEM or -EINVAL with the walker's error, or what
 * lw_session_yield() says.
 */
int lw_read_nodes(struct lw_reader *reader);

/*
 * Block the nodes that take no new job now, but soon will: nodes with a completing job, nodes that
 * are on their way up or down, silent ones, and those that may not be powered up yet. A running
 * record of job 0 holds all that running jobs, which were read before, leave of such a node. The
 * same is done for licences that are in use, but by no running job of the snapshot. Needs
 * LW_LOCKS_ALL. 0, or -ENOMEM or -EINVAL with the walker's error.
 */
int lw_block_nodes(struct lw_reader *reader);

#endif
