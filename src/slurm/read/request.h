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

/* What NODE offers to jobs: CPUs and memory without Slurm's specialized share, parts of GPUs. */
void lw_node_total(struct lw_snapshot *snap, const node_record_t *node, struct lw_res *ret_total);

/* Is it of GPUs? */
bool lw_gres_is_gpu(const gres_state_t *gres);
/* The first in LIST that is; LIST may be NULL, and so may the answer. */
const gres_state_t *lw_gres_find_gpus(list_t *list);
/* Is it of GRES that are parts of GPUs (shard, mps)? */
bool lw_gres_is_part(const gres_state_t *gres);
/* And GRES is of a node: its GPUs of which jobs hold parts, or OTHERS if it does not say. */
bitstr_t *lw_gres_taken(const gres_state_t *gres, bitstr_t *others);

/*
 * The same but for the parts, and the GPUs of NODE that jobs hold, as a whole or in part; CPUs
 * and memory of *ret_used are left 0.
 */
void lw_node_amounts(struct lw_snapshot *snap, const node_record_t *node,
		     struct lw_res *ret_total, struct lw_res *ret_used);

/* Add to *res the GPU of NODE, whose size is TOTAL, that has this number there. */
void lw_add_gpu(struct lw_snapshot *snap, const node_record_t *node, const struct lw_res *total,
		uint32_t gpu, struct lw_res *res);

/*
 * What JOB holds on the node that is number HOST of its own nodes; TOTAL is that node's size.
 * Of GPUs those it has as a whole; of their parts these and its shares of others.
 */
void lw_job_holds(struct lw_snapshot *snap, const job_record_t *job, uint32_t host,
		  const struct lw_res *total, struct lw_res *ret_held);

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
