/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: which nodes Slurm is offered for a planned start. */
#ifndef LW_SLURM_START_NODES_H
#define LW_SLURM_START_NODES_H

#include "slurm/apply/apply.h"
#include "slurm/compat/compat.h"

#include <stdint.h>

/* All need LW_LOCKS_ALL. Returned nodes are the caller's to free. */

/* The planned nodes of the job's NEED, and those that the user insists on. */
bitstr_t *lw_start_nodes(const struct lw_apply_context *context,
			 const struct lw_decision *decision, const job_record_t *job,
			 uint32_t need);
/* How many these are, without those that the job only keeps from others. */
uint32_t lw_start_node_count(const struct lw_apply_context *context,
			     const struct lw_decision *decision, const job_record_t *job,
			     uint32_t need);
/* Set in NODES those that DECISION of PLAN gives its job. */
void lw_start_mark(const struct lw_plan *plan, const struct lw_decision *decision,
		   bitstr_t *nodes);
/* All nodes but those that the plan reserves, and those of starts that are under way. */
bitstr_t *lw_start_unpromised(const struct lw_apply_context *context);
/*
 * The nodes to offer first: the planned ones. Slurm is offered all that nobody was promised as well
 * where it chooses by what the plan does not heed: more nodes than the job needs, the least loaded
 * ones, those that need no reboot, and those of a flexible reservation.
 */
bitstr_t *lw_start_first_nodes(const struct lw_apply_context *context,
			       const struct lw_decision *decision, job_record_t *job);
/* The nodes to offer if the first ones will not do. */
bitstr_t *lw_start_other_nodes(const struct lw_apply_context *context,
			       const struct lw_decision *decision, const job_record_t *job);
/*
 * If JOB may preempt, add to NODES the planned ones of NEED, although another job may be promised
 * them for later: in the first offer it preempted nobody on them, if the plan saw no need to.
 */
void lw_start_add_planned(const struct lw_apply_context *context,
			  const struct lw_decision *decision, const job_record_t *job,
			  uint32_t need, bitstr_t *nodes);

#endif
