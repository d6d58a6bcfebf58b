/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the nodes that Slurm is offered for a planned start. */
#ifndef LW_SLURM_START_NODES_H
#define LW_SLURM_START_NODES_H

#include "slurm/apply/apply.h"
#include "slurm/compat/compat.h"

#include <stdint.h>

/* All need LW_LOCKS_ALL. Returned nodes are the caller's to free. */

/* The planned nodes of the job's NEED, and the nodes that its user requires. */
bitstr_t *lw_start_nodes(const struct lw_apply_context *context,
			 const struct lw_decision *decision, const job_record_t *job,
			 uint32_t need);
/* Their number, without nodes that the job only keeps from other jobs. */
uint32_t lw_start_node_count(const struct lw_apply_context *context,
			     const struct lw_decision *decision, const job_record_t *job,
			     uint32_t need);
/* Add to NODES all nodes that DECISION of PLAN gives its job. */
void lw_start_mark(const struct lw_plan *plan, const struct lw_decision *decision,
		   bitstr_t *nodes);
/* All nodes but nodes that the plan reserves or starts under way have. */
bitstr_t *lw_start_unpromised(const struct lw_apply_context *context);
/*
 * The nodes to offer first: the planned ones. Nodes that are promised to no job are added if
 * Slurm chooses by what the plan does not know: more nodes than the job needs, the least loaded
 * nodes, nodes that need no reboot, or nodes of a flexible reservation.
 */
bitstr_t *lw_start_first_nodes(const struct lw_apply_context *context,
			       const struct lw_decision *decision, job_record_t *job);
/* The nodes to offer if the first ones are refused. */
bitstr_t *lw_start_other_nodes(const struct lw_apply_context *context,
			       const struct lw_decision *decision, const job_record_t *job);
/*
 * If JOB may preempt, add to NODES the planned nodes of NEED, although another job may be
 * promised them for later: the first offer preempted no job on them if the plan saw no need.
 */
void lw_start_add_planned(const struct lw_apply_context *context,
			  const struct lw_decision *decision, const job_record_t *job,
			  uint32_t need, bitstr_t *nodes);

#endif
