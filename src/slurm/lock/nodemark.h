/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: are Slurm's nodes the ones that they were? */
#ifndef LW_SLURM_NODEMARK_H
#define LW_SLURM_NODEMARK_H

#include <stdint.h>

/*
 * A number that is another when a node was made or deleted, has the place of another in Slurm's
 * table, or has another record or line of configuration. Slurm keeps no such number: a node that
 * is made takes the place of one that was deleted, and the table is as long as before. Needs
 * Slurm's lock of nodes, and at 10,000 nodes 0.2 ms.
 */
uint64_t lw_nodemark(void);

#endif
