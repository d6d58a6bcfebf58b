/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: jobs wait for some time before the policy leeway promises them a start. */
#ifndef LW_PLANNER_PATIENCE_H
#define LW_PLANNER_PATIENCE_H

#include "planner/cycle/cycle.h"

/*
 * A promise keeps room from all other jobs, and the first job in the queue is often long and
 * wide. So room is kept for a job once it has waited for `patience` times its time limit; until
 * then it competes for free resources like any other job. Selective reservations: Srinivasan,
 * Kettimuthu, Subramani, Sadayappan, "Selective reservation strategies for backfill job
 * scheduling", JSSPP 2002.
 *
 * The wait is at most a day: half of a limit of a week would be too long to be told nothing.
 *
 * These jobs may head their nodes at once: jobs with a promised start, jobs that have lost a
 * node, jobs that have waited for order_age_s, jobs that can meet their deadline, and jobs
 * inside an advance reservation. In the order that Slurm gives, so may all jobs ahead of the job
 * that has waited longest, because the site put them there.
 */

#define LW_PATIENCE_MOST_S 86400

/* Has the record waited long enough to head its nodes, apart from its queue position? */
bool lw_patience_is_over(const struct lw_cycle *cycle, uint32_t index);

/* Has the job lost so much time to later jobs (planner/order/lost.h) that they let it go first?
 */
bool lw_patience_is_lost(const struct lw_cycle *cycle, uint32_t index);

/*
 * In the order of the snapshot: the number of jobs ahead of the ready job that has waited
 * longest. All jobs if patience is off.
 */
uint32_t lw_patience_first(const struct lw_cycle *cycle);

#endif
