/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what a Slurm job asks for, as a request of the planner. */
#ifndef LW_SLURM_REQUEST_H
#define LW_SLURM_REQUEST_H

#include "base/stop.h"
#include "planner/model/snapshot.h"

#include "slurm/compat/compat.h"

/* How many nodes a job wants. */
struct lw_node_counts {
	uint32_t min, wanted, max;
};

/*
 * All run under the caller's locks (job, node and partition at least read) and keep no pointer.
 * New GPU types are added to SNAP.
 */

/*
 * On oversubscribed nodes (OverSubscribe=FORCE, or YES and --oversubscribe), CPUs that other
 * jobs have are no obstacle. Slurm bounds the number of jobs at the start.
 */
bool lw_job_may_share(const job_record_t *job, const part_record_t *part);

/* Where a job would run. */
struct lw_job_place {
	const part_record_t *part;
	const node_record_t *node; /* one that it may use, for rounding CPUs to cores */
	/*
	 * for a job that may share its CPUs, those of the largest node that it may use: the job
	 * is planned on as many nodes as it would need of that size
	 */
	uint32_t most_cpus;
	uint32_t min_nodes, max_nodes;
};

/*
 * The request of JOB in PLACE. What the planner does not know (sockets, licences, other GRES,
 * ...) is left to Slurm at the start.
 */
void lw_job_request(struct lw_snapshot *snap, const job_record_t *job,
		    const struct lw_job_place *place, struct lw_request *ret_request);

/*
 * Make REQ, which has a cap, want whole, empty nodes for a while, with no more of their memory
 * than before. If the cap is below the CPUs of the nodes, these are never whole, and REQ stays
 * as it is.
 */
void lw_request_keep_whole(struct lw_request *req);

/* Does the site want jobs of PART on the least loaded nodes (CR_LLN, LLN=YES)? */
bool lw_part_spreads(const part_record_t *part);

/* CPUs that JOB asked for at its submission, for the predictor; 0: not known. */
uint32_t lw_job_width(const job_record_t *job);
/* What JOB asks for, as its user may have changed it since. */
struct lw_stop_size lw_job_size(const job_record_t *job);

/* "For ever", in seconds. */
#define LW_YEAR_S (INT64_C(365) * 86400)

/*
 * The hard limit of JOB's run time in PART, in seconds; LW_YEAR_S without one. If a waiting job
 * has a longer one than PART allows (possible with --time-min), the limit that it gets at its
 * start.
 */
int64_t lw_job_limit_s(const job_record_t *job, const part_record_t *part);
/*
 * The limit that JOB, which waits, gets if it starts at NOW_S: as under stock, one that its
 * deadline leaves, if that is shorter. Slurm has ended the jobs that asked for more, but for
 * --time-min.
 */
int64_t lw_job_start_limit_s(const job_record_t *job, const part_record_t *part, int64_t now_s);

#endif
