/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: Slurm's nodes, and what keeps new jobs from some of them for a while. */
#ifndef LW_SLURM_NODES_H
#define LW_SLURM_NODES_H

struct lw_reader;

/*
 * For this long a node with a completing job is blocked: the duration of an epilog is not known.
 */
#define LW_COMPLETING_S 60

/*
 * Add Slurm's nodes to the snapshot and count them in the reading, then the nodes of licences,
 * and the domains of the topology. Needs LW_LOCKS_ALL; the session of the context yields now and
 * then. 0, -ENOMEM or -EINVAL with the reader's error, or the result of lw_session_yield().
 */
int lw_read_nodes(struct lw_reader *reader);

/*
 * Block the nodes that take no new job now, but soon will: nodes with a completing job, nodes
 * that are going up or down, silent nodes, and nodes that may not be powered up yet. A running
 * record of job 0 holds all that running jobs, which must have been read, leave of such a node.
 * Licences that are in use, but not by a running job of the snapshot, are blocked in the same
 * way. Needs LW_LOCKS_ALL. 0, or -ENOMEM or -EINVAL with the reader's error.
 */
int lw_block_nodes(struct lw_reader *reader);

#endif
