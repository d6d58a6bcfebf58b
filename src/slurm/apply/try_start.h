/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what is asked of Slurm around one select_nodes(), and that call. */
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
 * Are the data and the script of the job where they are needed? The first call for a job that has
 * room begins the stage-in. As long as it is not done, the plan keeps the room, and lw_leave()
 * gives the job the start that its burst buffer expects.
 */
bool lw_try_start_is_staged(struct lw_entered *entered);
/*
 * The tests of stock backfill before a start, with the hard time limit. LW_BAR_NONE, and the
 * nodes that reservations leave open to JOB in *RET_OPEN; or what bars it, and *RET_OPEN may be
 * set all the same. It is NULL before the call, and the caller frees it.
 */
enum lw_bar lw_try_start_why_not(job_record_t *job, bitstr_t **ret_open);
/* BAR in words, for the log. */
const char *lw_bar_text(enum lw_bar bar);
/*
 * Take the lock of the federation on JOB, so that no sibling cluster starts it, too. True for
 * jobs of no federation. If it is false, the reason of JOB says that it waits for the lock.
 */
bool lw_try_start_lock(job_record_t *job);
/*
 * Offer JOB to Slurm on those of NODES that are OPEN, and on no others. Returns Slurm's code. If
 * JOB started, nobody is told yet. Frees NODES.
 */
int lw_try_start(job_record_t *job, bitstr_t *nodes, bitstr_t *open);
/*
 * The same, but only on cores that no job has, whatever OverSubscribe and PreemptMode=SUSPEND
 * allow, and preempting nobody.
 */
int lw_try_start_idle(job_record_t *job, bitstr_t *nodes, bitstr_t *open);
/*
 * The first offer of a planned start: lw_try_start() if DECISION is to preempt, else
 * lw_try_start_idle(): if the plan is wrong about NODES, other nodes may have cores that no job
 * has.
 */
int lw_try_start_planned(const struct lw_decision *decision, job_record_t *job, bitstr_t *nodes,
			 bitstr_t *open);
/*
 * Does RC, Slurm's code, mean that there is no room? "Can never run" means so, too: only some
 * nodes were offered, and those may lack a feature that others have.
 */
bool lw_try_start_lacks_room(int rc);
/* Say in Slurm's log that JOB has started, and where. */
void lw_try_start_log(const job_record_t *job);
/* Tell the job's nodes, or its srun, that it has started. */
void lw_try_start_announce(job_record_t *job);

#endif
