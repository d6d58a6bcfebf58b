/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: MaxCPUsPerNode as caps on the CPUs of nodes. */
#ifndef LW_SLURM_CAPS_H
#define LW_SLURM_CAPS_H

#include "planner/model/resource.h"

#include "slurm/compat/compat.h"

/*
 * A partition with MaxCPUsPerNode, or with MaxCPUsPerSocket for all sockets together, has a cap:
 * what its jobs may have of each of its nodes. Partitions without a common node share one of the
 * LW_CAPS_MAX numbers. Further partitions have no cap in the plan; Slurm applies it at the
 * start.
 */
struct lw_caps {
	struct lw_cap {
		const part_record_t *part;
		uint16_t number; /* 1 .. LW_CAPS_MAX */
	} *items;
	uint32_t count, room;
};

/* Empty if zeroed. Valid for one reading; needs LW_LOCKS_ALL. -ENOMEM. */
int lw_caps_read(struct lw_caps *caps);
void lw_caps_fini(struct lw_caps *caps);

/* Set in TOTAL, the size of NODE, what the jobs of its partitions may have. */
void lw_caps_total(const struct lw_caps *caps, const node_record_t *node, struct lw_res *total);
/* The cap for jobs of PART; 0: none. */
uint16_t lw_caps_of(const struct lw_caps *caps, const part_record_t *part);
/* Count what a job of PART holds of a node, HELD, against the partition's cap. */
void lw_caps_hold(const struct lw_caps *caps, const part_record_t *part, struct lw_res *held);

#endif
