/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what nodes have and what jobs hold of them, in the planner's words. */
#ifndef LW_SLURM_AMOUNTS_H
#define LW_SLURM_AMOUNTS_H

#include "planner/model/snapshot.h"

#include "slurm/compat/compat.h"

/*
 * All run under the caller's locks (job and node at least read) and keep no pointer. GPU types
 * are added to SNAP as they are met.
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

#endif
