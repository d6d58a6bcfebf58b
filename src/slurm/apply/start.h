/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: offer a planned start to Slurm. */
#ifndef LW_SLURM_START_H
#define LW_SLURM_START_H

#include "slurm/apply/apply.h"
#include "slurm/compat/compat.h"

enum lw_outcome {
	LW_STARTED,
	LW_GONE,	   /* started, held or cancelled while the plan was made */
	LW_UNDER_WAY,	   /* Slurm preempts jobs for it, or stages data in: its room is kept */
	LW_NONE_TO_PREEMPT, /* Slurm preempts for other tasks of its array, and no job is left
			     * for this task */
	LW_REFUSED_NO_ROOM,
	LW_REFUSED_LIMIT, /* of its account, QOS or array: other jobs have started since the
			   * reading */
	LW_REFUSED_OTHER,
};

/* All need LW_LOCKS_ALL. */

/* Offer a planned start. *RET_WHY, Slurm's words, is set only for a refusal. */
enum lw_outcome lw_start(const struct lw_apply_context *context,
			 const struct lw_decision *decision, const char **ret_why);

/*
 * The same for a het job: all components start, each on the nodes of its own need, or none. If
 * one is refused, the components already started are taken back as stock does it.
 */
enum lw_outcome lw_start_het(const struct lw_apply_context *context,
			     const struct lw_decision *decision, const char **ret_why);

/* Do the limits on amounts let the het job of DECISION start? */
bool lw_start_het_allowed(const struct lw_apply_context *context,
			  const struct lw_decision *decision);

/*
 * For a start that is planned to preempt: ask Slurm whether JOB has room on OPEN nodes without
 * preempting, which the plan may not see. If it has, *RET_SPARE (the caller's to free) are nodes
 * with room for it, else NULL. True: it will have room as soon as nodes are ready that are being
 * cleaned up, or come up. JOB then waits for these nodes, as with stock, and they count as nodes
 * of starts under way.
 */
bool lw_start_soon(const struct lw_apply_context *context, const struct lw_decision *decision,
		   job_record_t *job, bitstr_t *open, bitstr_t **ret_spare);

/*
 * For a job that takes GPUs of any type and that the plan has wait for one type: the nodes, kept
 * for no other job, on which JOB has room now with GPUs of several types; NULL: none.
 */
bitstr_t *lw_start_mixed_nodes(const struct lw_apply_context *context,
			       const struct lw_decision *decision, job_record_t *job,
			       bitstr_t *open);
/* Start such a job there, if it has room. True: it started. */
bool lw_start_mixed(const struct lw_apply_context *context, const struct lw_decision *decision);

#endif
