/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the most free GPUs of a node in one island, as slurmctld knows it. */
#ifndef LW_SLURM_ISLANDS_H
#define LW_SLURM_ISLANDS_H

#include <stdint.h>

#include "slurm/compat/compat.h"

/* The islands of leeway.yaml, by node: the GPUs of one, in order of their numbers, or 0. */
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
 * The most free GPUs of NODE in one island. GPUs are linked by Links of gres.conf or of
 * AutoDetect. Without links, islands have OURS GPUs, by number, and the answer is for the island
 * from which Slurm takes first. With OURS 0, GPUs with the same Cores are an island. 0: not
 * known. Under the caller's locks.
 */
uint16_t lw_node_linked(const node_record_t *node, uint16_t ours);

#endif
