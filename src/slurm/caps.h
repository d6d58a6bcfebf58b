/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: MaxCPUsPerNode as caps on the CPUs of nodes. */
#ifndef LW_SLURM_CAPS_H
#define LW_SLURM_CAPS_H

#include "planner/model/resource.h"

/*
 * A partition with MaxCPUsPerNode, or with MaxCPUsPerSocket for all sockets together, has a cap:
 * what its jobs may have of each of its nodes. Partitions without a common node share one of the
 * LW_CAPS_MAX numbers. Further partitions have no cap in the plan; Slurm applies it at the
 * start.
 */
struct lw_caps {
	struct lw_cap {
		const void *part; /* Slurm's record of it: compared, not looked at */
		uint16_t number;  /* 1 .. LW_CAPS_MAX */
	} *items;
	uint32_t count, room;
};

/* The cap for jobs of PART; 0: none. */
static inline uint16_t lw_caps_of(const struct lw_caps *caps, const void *part)
{
	for (uint32_t i = 0; i < caps->count; i++)
		if (caps->items[i].part == part)
			return caps->items[i].number;
	return 0;
}

/* Count what a job of PART holds of a node, HELD, against the partition's cap. */
static inline void lw_caps_hold(const struct lw_caps *caps, const void *part, struct lw_res *held)
{
	uint16_t number = lw_caps_of(caps, part);

	if (number)
		held->capped[number - 1] = held->cpus < UINT16_MAX ? (uint16_t)held->cpus
								   : UINT16_MAX;
}

#endif
