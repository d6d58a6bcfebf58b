/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what a Slurm job asks for, in the planner's words. */
#ifndef LW_SLURM_REQUEST_H
#define LW_SLURM_REQUEST_H

#include "planner/model/snapshot.h"

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
 * On oversubscribed nodes (OverSubscribe=FORCE, or YES and --oversubscribe) CPUs that others
 * have are no obstacle; how many may have them Slurm says at the start.
 */
bool lw_job_may_share(const job_record_t *job, const part_record_t *part);

/* Where a job is to run. */
struct lw_job_place {
	const part_record_t *part;
	const node_record_t *node; /* one that it may use: how CPUs are rounded to cores */
	/* of a job that may share its CPUs what the largest node that it may use has: it is
	 * planned on no more nodes than of these */
	uint32_t most_cpus;
	uint32_t min_nodes, max_nodes;
};

/*
 * The request of JOB in PLACE. What the planner has no word for (sockets, licences, other GRES,
 * ...) is left to Slurm at the start.
 */
void lw_job_request(struct lw_snapshot *snap, const job_record_t *job,
		    const struct lw_job_place *place, struct lw_request *ret_request);

/*
 * Let REQ, whose cap is set, want whole, empty nodes for a while, and no more of their memory than
 * before. Nodes of which nobody gets all CPUs are never whole: there it stays as it is.
 */
void lw_request_keep_whole(struct lw_request *req);

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
