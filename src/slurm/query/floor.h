/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the least that a job may ask for, by its partition and by QOS. */
#ifndef LW_SLURM_FLOOR_H
#define LW_SLURM_FLOOR_H

#include "slurm/compat/compat.h"

#include <stdbool.h>
#include <stdint.h>

/* In all; 0: any amount will do. */
struct lw_floor {
	uint32_t nodes, cpus, gpus, mem_mib;
	bool typed; /* some of the GPUs are to be of a type */
};

/*
 * The nodes that JOB names, MinNodes of the partition that it has in its record, MinTRESPerJob of
 * its QOS and of that partition's, and so many nodes that none has to give more than
 * MaxTRESPerNode, as in acct_policy.c. Takes assoc_mgr's locks for reading.
 */
void lw_job_floor(const job_record_t *job, struct lw_floor *ret_floor);

#endif
