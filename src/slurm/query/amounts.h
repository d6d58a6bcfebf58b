/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what nodes have and what jobs hold of them, as amounts of the planner. */
#ifndef LW_SLURM_AMOUNTS_H
#define LW_SLURM_AMOUNTS_H

#include "planner/model/snapshot.h"

#include "slurm/compat/compat.h"

/*
 * All run under the caller's locks (job and node at least read) and keep no pointer. New GPU
 * types are added to SNAP.
 */

/* What NODE offers to jobs: CPUs and memory without Slurm's specialized share, parts of GPUs. */
void lw_node_total(struct lw_snapshot *snap, const node_record_t *node, struct lw_res *ret_total);

/* Is it GPUs? */
bool lw_gres_is_gpu(const gres_state_t *gres);
/* The first GPU record in LIST; NULL if there is none, or LIST is NULL. */
const gres_state_t *lw_gres_find_gpus(list_t *list);
/* Is it GRES that are parts of GPUs (shard, mps)? */
bool lw_gres_is_part(const gres_state_t *gres);
/* For GRES of a node: its GPUs with parts that jobs hold, or OTHERS if it does not say. */
bitstr_t *lw_gres_taken(const gres_state_t *gres, bitstr_t *others);

/*
 * The same without parts of GPUs, and the GPUs of NODE that jobs hold, as a whole or in part;
 * CPUs and memory of *ret_used stay 0.
 */
void lw_node_amounts(struct lw_snapshot *snap, const node_record_t *node,
		     struct lw_res *ret_total, struct lw_res *ret_used);

/* Add to *res the GPU with number GPU on NODE, of size TOTAL. */
void lw_add_gpu(struct lw_snapshot *snap, const node_record_t *node, const struct lw_res *total,
		uint32_t gpu, struct lw_res *res);

/*
 * What JOB holds on its own node number HOST, of size TOTAL. GPUs: those it has as a whole.
 * Parts: those of these GPUs, and its shares of others.
 */
void lw_job_holds(struct lw_snapshot *snap, const job_record_t *job, uint32_t host,
		  const struct lw_res *total, struct lw_res *ret_held);

/*
 * The same of a JOB that Slurm's test has just placed: its GRES are chosen, but not allocated yet.
 * NODE is the number of the node in Slurm's table.
 */
void lw_job_is_given(struct lw_snapshot *snap, const job_record_t *job, uint32_t host,
		     uint32_t node, const struct lw_res *total, struct lw_res *ret_given);

#endif
