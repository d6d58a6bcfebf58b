/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: which sizes of GPU jobs were submitted of late, told by Slurm's job list. */
#ifndef LW_SLURM_SIZES_H
#define LW_SLURM_SIZES_H

#include "policy/snapshot.h"

struct lw_sizes {
	struct lw_mix mix;
	int64_t until_s; /* jobs submitted up to then were noted; 0: none */
};

/*
 * Note the jobs that were submitted since the last call, and give SNAP, whose nodes are read,
 * the mix. After a start that is all that Slurm still knows of. Needs LW_LOCKS_ALL.
 */
void lw_sizes_read(struct lw_sizes *sizes, struct lw_snapshot *snap);

#endif
