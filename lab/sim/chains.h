/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: chains of long jobs, each of which waits for the one before it. */
#ifndef LW_LAB_SIM_CHAINS_H
#define LW_LAB_SIM_CHAINS_H

#include "measure/workload.h"

#include <stdint.h>

/*
 * Jobs of 48 hours on 1 or 8 nodes, of which the second waits for the first: Ding, Zhang et al.,
 * "Mirage: towards low-interruption services on batch GPU clusters with reinforcement learning",
 * SC 2023. Here a chain has 2 to 10 links, all submitted together with afterany; some may end
 * early, or fail.
 */
#define LW_CHAINS_RUN_S	    (INT64_C(48) * 3600)
#define LW_CHAINS_WIDE	    8
#define LW_CHAINS_LINKS_MIN 2
#define LW_CHAINS_LINKS_MAX 10

struct lw_chains_options {
	uint32_t count;
	double early; /* share of the links that end early, anywhere before their limit */
	double fails; /* of the links that fail, anywhere before it */
	double compress; /* every time is divided by it; 0 is 1 */
	/* of each chain; 0: as above */
	uint32_t links, width;
	int64_t limit_s; /* which compress leaves as it is */
	uint64_t seed;
	uint32_t users;
	uint32_t nodes; /* of the machine; chains use whole nodes */
	uint32_t gpus_per_node, cpus_per_node;
	int64_t mem_mib_per_node;
};

/*
 * Add so many chains to WORKLOAD, spread over the time of its submissions, and sort it. It must
 * have no ids yet. -ENOMEM.
 */
int lw_chains_add(struct lw_workload *workload, const struct lw_chains_options *options);

#endif
