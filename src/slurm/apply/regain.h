/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: regain idle nodes that Slurm keeps for a job which gave them back. */
#ifndef LW_SLURM_REGAIN_H
#define LW_SLURM_REGAIN_H

#include <stdint.h>

/*
 * A node counts its running jobs, and of these the jobs that share it with none. When a job shrinks
 * ("scontrol update NumNodes=") Slurm forgets the second count, in every release, also under stock.
 * So after the next such job the node is idle, and no job may start there until it answers Slurm
 * again, a ping for example. Here a node without jobs gets the count 0, and may be shared. Returns
 * how many nodes had another. Needs the lock of nodes for writing.
 */
uint32_t lw_regain_nodes(void);

#endif
