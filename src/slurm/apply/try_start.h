/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: one call of select_nodes(), and what is asked of Slurm before and after it. */
#ifndef LW_SLURM_TRY_START_H
#define LW_SLURM_TRY_START_H

#include "planner/model/plan.h"
#include "slurm/apply/enter.h"
#include "slurm/compat/compat.h"

#include <stdbool.h>

/* What keeps a job from a start, as stock backfill's tests before select_nodes() find it. */
enum lw_bar {
	LW_BAR_NONE,
	LW_BAR_TASK_LIMIT, /* of its array */
	LW_BAR_PARTITION_LIMIT,
	LW_BAR_DEPENDENCY,
	LW_BAR_USE_LIMIT, /* of its account or QOS */
	LW_BAR_LICENCES,
	LW_BAR_DEADLINE,
	LW_BAR_RESERVATION,
};

/* All but lw_bar_text() and lw_try_start_lacks_room() need LW_LOCKS_ALL. */

/*
 * Are the data and the script of the job in place? The first call for a job with room begins the
 * stage-in. Until it is done, the plan keeps the room, and lw_leave() gives the job the start
 * that its burst buffer expects.
 */
bool lw_try_start_is_staged(struct lw_entered *entered);
/*
 * Stock backfill's tests before a start, with the hard time limit. LW_BAR_NONE, with the nodes
 * that reservations leave open to JOB in *RET_OPEN; or what bars it, with *RET_OPEN possibly
 * set. *RET_OPEN is NULL before the call, and the caller frees it.
 */
enum lw_bar lw_try_start_why_not(job_record_t *job, bitstr_t **ret_open);
/* BAR in words, for the log. */
const char *lw_bar_text(enum lw_bar bar);
/*
 * Take the federation's lock on JOB, so that no sibling cluster starts it too. True for jobs of
 * no federation. If false, the reason of JOB says that it waits for the lock.
 */
bool lw_try_start_lock(job_record_t *job);
/*
 * Offer JOB to Slurm on those of NODES that are OPEN, and on no others. Returns Slurm's code. If
 * JOB started, its nodes and srun are not told yet. Frees NODES.
 */
int lw_try_start(job_record_t *job, bitstr_t *nodes, bitstr_t *open);
/*
 * The same, but only on cores that no job has, whatever OverSubscribe and PreemptMode=SUSPEND
 * allow, and without preemption.
 */
int lw_try_start_idle(job_record_t *job, bitstr_t *nodes, bitstr_t *open);
/*
 * The first offer of a planned start: lw_try_start() if DECISION preempts, else
 * lw_try_start_idle(), because other nodes may have free cores if the plan is wrong about NODES.
 */
int lw_try_start_planned(const struct lw_decision *decision, job_record_t *job, bitstr_t *nodes,
			 bitstr_t *open);
/*
 * Does RC, Slurm's code, mean that there is no room? "Can never run" does, too: only some nodes
 * were offered, and these may lack a feature that other nodes have.
 */
bool lw_try_start_lacks_room(int rc);
/* Log that JOB has started, and where, in Slurm's log. */
void lw_try_start_log(const job_record_t *job);
/* Tell the job's nodes, or its srun, that it has started. */
void lw_try_start_announce(job_record_t *job);

#endif
