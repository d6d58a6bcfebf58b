/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: who may head its nodes yet: jobs wait before the policy leeway promises a start. */
#ifndef LW_PLANNER_PATIENCE_H
#define LW_PLANNER_PATIENCE_H

#include "planner/cycle/cycle.h"

/*
 * A promise keeps room from all others, and the first job in the queue is often long and wide. So
 * room is kept for a job once it has waited for `patience` times its limit; until then it competes
 * for what is free like any other. Selective reservations: Srinivasan, Kettimuthu, Subramani,
 * Sadayappan, "Selective reservation strategies for backfill job scheduling", JSSPP 2002.
 *
 * A day is the most: with a limit of a week half of it would be no time to be told nothing.
 *
 * At once heads its nodes who was promised a start already, who has waited for order_age_s, whose
 * deadline is to be met, and who holds a reservation of Slurm's. In the order that Slurm gives so
 * does, too, whoever is before the job that waits longest: the site has put it there.
 */

#define LW_PATIENCE_MOST_S 86400

/* Has the record waited long enough to head its nodes, where nobody put it before others? */
bool lw_patience_is_over(const struct lw_cycle *cycle, uint32_t index);

/*
 * In the order of the snapshot: how many jobs are before the one that waits longest of those that
 * may start. All of them, if patience counts for nothing.
 */
uint32_t lw_patience_first(const struct lw_cycle *cycle);

#endif
