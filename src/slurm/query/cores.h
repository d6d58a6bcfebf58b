/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: cores with several CPUs: what a job takes of them. */
#ifndef LW_SLURM_CORES_H
#define LW_SLURM_CORES_H

#include "slurm/compat/compat.h"

/* All run under the caller's locks (job, node and partition at least read). */

/* The CPUs that a request in PART cannot split on NODE: those of a core or of a socket. */
uint32_t lw_cores_unit(const part_record_t *part, const node_record_t *node);

/*
 * How many CPUs of NODE a request of JOB for CPUS takes: it may use only some threads of a core,
 * and each task may have cores of its own.
 */
uint64_t lw_cores_take(const job_record_t *job, const node_record_t *node, uint64_t cpus);

/*
 * The memory that Slurm counts for each CPU of NODE that JOB takes, if it asks for MEM_MIB for
 * each. Of cores of which it uses only some threads, only these count. TYPE: what is allocated
 * (SELECT_CORE and so on).
 */
uint64_t lw_cores_mem(const job_record_t *job, const node_record_t *node, uint16_t type,
		      uint64_t mem_mib);

#endif
