/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what a Slurm job asks for, in the planner's words. */
#ifndef LW_SLURM_REQUEST_H
#define LW_SLURM_REQUEST_H

#include "policy/snapshot.h"

#include "slurm/compat/compat.h"

/* How many nodes a job wants. */
struct lw_node_counts {
	uint32_t min, wanted, max;
};

/*
 * All run under the caller's locks (job, node and partition at least read) and keep
 * no pointer. GPU types are added to SNAP as they are met.
 */

/*
 * The request of JOB in PART with MIN_NODES .. MAX_NODES nodes; NODE is one that it
 * may use and decides how CPUs are rounded to cores. What the planner has no word
 * for (sockets, licences, other GRES, ...) is left to Slurm at the start.
 */
void lw_job_request(struct lw_snapshot *snap, const job_record_t *job, const part_record_t *part,
		    const node_record_t *node, uint32_t min_nodes, uint32_t max_nodes,
		    struct lw_request *ret_request);

/* Does the site want jobs of PART on the least loaded nodes (CR_LLN, LLN=YES)? */
bool lw_part_spreads(const part_record_t *part);

/* CPUs that JOB asked for when it was submitted, for the predictor; 0: not known. */
uint32_t lw_job_width(const job_record_t *job);

/* "For ever", in seconds. */
#define LW_YEAR_S (INT64_C(365) * 86400)

/*
 * The hard limit of JOB's run time in PART, in seconds; LW_YEAR_S without one. Of a waiting job
 * with a longer one than PART has (--time-min lets it in) what it is given as it starts.
 */
int64_t lw_job_limit_s(const job_record_t *job, const part_record_t *part);

#endif
