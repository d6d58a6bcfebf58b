/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: which free GPUs of a node are near each other, as slurmctld knows it. */
#ifndef LW_SLURM_ISLANDS_H
#define LW_SLURM_ISLANDS_H

#include <stdint.h>

#include "slurm/compat/compat.h"

/* What leeway.yaml says of islands, by node: the GPUs of one, in order of their numbers, or 0. */
struct lw_islands {
	uint16_t *gpus;
	uint32_t count;
};

/* Free all it holds; safe on a zeroed one. */
void lw_islands_fini(struct lw_islands *islands);
/* Make TO (not initialised) a copy of FROM. -ENOMEM leaves it empty. */
int lw_islands_copy(struct lw_islands *to, const struct lw_islands *from);

static inline uint16_t lw_islands_of(const struct lw_islands *islands, uint32_t node)
{
	return node < islands->count ? islands->gpus[node] : 0;
}

/*
 * How many free GPUs of NODE are in one island, at the most: linked to each other by Links of
 * gres.conf, or of AutoDetect. Where no link is known, of islands of OURS GPUs; then those of
 * the island that Slurm takes from first, which goes by numbers. With OURS 0, those with the
 * same Cores. 0: nothing is known. Under the caller's locks.
 */
uint16_t lw_node_linked(const node_record_t *node, uint16_t ours);

#endif
