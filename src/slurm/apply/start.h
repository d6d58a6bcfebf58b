/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: a planned start, offered to Slurm. */
#ifndef LW_SLURM_START_H
#define LW_SLURM_START_H

#include "slurm/apply/apply.h"
#include "slurm/compat/compat.h"

enum lw_outcome {
	LW_STARTED,
	LW_GONE,	   /* started, held or cancelled while we planned */
	LW_UNDER_WAY,	   /* Slurm preempts jobs for it, or stages data in: its room is kept */
	LW_NONE_TO_PREEMPT, /* Slurm preempts for other tasks of its array, and nobody for this */
	LW_REFUSED_NO_ROOM,
	LW_REFUSED_LIMIT, /* of its account, QOS or array: others have started since the reading */
	LW_REFUSED_OTHER,
};

/* All need LW_LOCKS_ALL. */

/* Offer a planned start. *RET_WHY, Slurm's words, is set for a refusal only. */
enum lw_outcome lw_start(const struct lw_apply_context *context,
			 const struct lw_decision *decision, const char **ret_why);

/*
 * The same for a het job: all components, each on the nodes of its own need, or none. What
 * had started when one is refused is taken back as stock takes it back.
 */
enum lw_outcome lw_start_het(const struct lw_apply_context *context,
			     const struct lw_decision *decision, const char **ret_why);

/* Would the limits on amounts let the het job of DECISION start? */
bool lw_start_het_allowed(const struct lw_apply_context *context,
			  const struct lw_decision *decision);

/*
 * For a start that is planned to preempt: ask Slurm whether JOB has room on OPEN nodes without
 * preempting, which the plan may not see. If it has, *RET_SPARE (the caller's to free) are nodes
 * among which it has room, else NULL. True: not yet, but as soon as nodes are ready that are being
 * cleaned up, or come up. Then JOB waits for these nodes, as with stock, and they are added to
 * those of starts that are under way.
 */
bool lw_start_soon(const struct lw_apply_context *context, const struct lw_decision *decision,
		   job_record_t *job, bitstr_t *open, bitstr_t **ret_spare);

/*
 * For a job that takes GPUs of any type, which the plan has wait for those of one: the nodes, kept
 * for nobody else, among which JOB has room now on GPUs of several types; NULL: there is none.
 */
bitstr_t *lw_start_mixed_nodes(const struct lw_apply_context *context,
			       const struct lw_decision *decision, job_record_t *job,
			       bitstr_t *open);
/* Start such a job there, if it has room. True: it started. */
bool lw_start_mixed(const struct lw_apply_context *context, const struct lw_decision *decision);

#endif
