/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: jobs that agree make room for others, as a plan orders it (stop.for). */
#ifndef LW_SLURM_LEASE_H
#define LW_SLURM_LEASE_H

#include "slurm/apply/stop.h"
#include "slurm/keep/leasing.h"
#include "slurm/lock/session.h"
#include "slurm/reading.h"

#include <stdint.h>

/* Both need LW_LOCKS_ALL. */

/*
 * Note which running jobs of READING may be asked now. What it returns is of
 * lw_session_yield_step(), by which SESSION gives up the locks now and then.
 */
int lw_lease_offer(struct lw_leasing *leasing, const struct lw_stop_rules *rules,
		   struct lw_stops *stops, const struct lw_reading *reading,
		   struct lw_session *session);
/*
 * Ask the jobs that the plan has chosen, as if an administrator had ordered it: all jobs that
 * make room for one job, or none. RULES, HISTORY and STOPPED are as for lw_stop_begin().
 */
void lw_lease_order(struct lw_leasing *leasing, const struct lw_stop_rules *rules,
		    struct lw_stops *stops, const struct lw_history *history, int64_t now_s,
		    struct lw_stopped *stopped);

#endif
