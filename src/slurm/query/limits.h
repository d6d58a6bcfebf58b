/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: do Slurm's association and QOS limits let planned jobs run? */
#ifndef LW_SLURM_LIMITS_H
#define LW_SLURM_LIMITS_H

#include "slurm/compat/compat.h"

/*
 * Limits on what runs at the same time (GrpTRES and others) count nodes and memory, which are
 * known only with a plan. The functions need LW_LOCKS_ALL; the jobs' records have the partition
 * and QOS.
 */

/* May JOB run on NODES nodes beside all running jobs? Sets its state reason if not. */
bool lw_limits_allow(job_record_t *job, uint32_t nodes);

/*
 * May it, by what it asked for? After a test that found no room, Slurm uses what the tests left
 * in the record of JOB, which may be more. Sets its state reason if not.
 */
bool lw_limits_allow_asked(job_record_t *job);

/* One of several jobs that start together, in the order of their starts. */
struct lw_limits_part {
	job_record_t *job;
	uint32_t nodes;         /* on this number of nodes */
	const bitstr_t *places; /* these nodes; NULL: not known */
};

/* May all of PARTS[COUNT] start now? Sets the state reason of the first that may not. */
bool lw_limits_allow_together(const struct lw_limits_part *parts, uint32_t count);

/*
 * May JOB's association still use its QOS? An administrator may have changed that since the
 * submission, and select_nodes() does not check.
 */
bool lw_limits_know_qos(const job_record_t *job);
#endif
