/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: Slurm's locks, held for a moment at a time. */
#ifndef LW_SLURM_HOLD_H
#define LW_SLURM_HOLD_H

#include "slurm/budget.h"

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

/* Of a long row of short steps so many are done between two looks at the clock. */
#define LW_HOLD_STEPS 32

/*
 * LW_LOCKS_ALL for a piece of work that may take long: whoever does it asks now and then
 * whether to breathe. After the time of one hold, or soon when an RPC comes, the locks are
 * given up until no RPC is served any more; so that an RPC is seen soon, the processor is
 * offered to other threads time and again. Where there is no end of them half a second is spent
 * so, and then only the moments between holds of full length. Job records seen before stay
 * valid, as for stock backfill's yields: they are not purged until the end. They may have
 * changed, though.
 */
struct lw_hold {
	struct lw_budget *budget; /* of the cycle, or NULL */
	uint64_t limit_us; /* of one hold */
	uint64_t since_us;
	uint64_t offered_us, away_us; /* when others were last offered the processor, how long */
	uint64_t patience_us; /* so long RPCs may still be waited for in pauses */
	uint64_t longest_us, held_us; /* of all holds so far; with the locks given up */
	uint32_t count;
	uint32_t max_rpcs; /* SchedulerParameters=max_rpc_cnt, 0: any number */
	time_t stamped_s, parts_s, conf_s, resvs_s;
	int node_count;
};

/*
 * Take the locks, for at most about LIMIT_MS (above 0) at a time. Not while stock's agent runs:
 * both would say in one flag whether records may be purged. BUDGET, which may be NULL, is
 * borrowed to the end.
 */
void lw_hold_begin(struct lw_hold *hold, uint32_t limit_ms, struct lw_budget *budget);

/* Just begun: do not give the locks up before the end, come what may. */
void lw_hold_firmly(struct lw_hold *hold);

/*
 * For work without locks that may take long: HOLD is only the patience of one, and at each call of
 * lw_hold_off() as much of it is spent as RPCs are being served, so that they do not share a
 * processor, or its caches, with that work. Takes no locks.
 */
void lw_hold_no_locks(struct lw_hold *hold);
void lw_hold_off(struct lw_hold *hold);

/* Are so many RPCs under way that no hold should begin (max_rpc_cnt)? Needs no lock. */
bool lw_hold_is_crowded(uint32_t max_rpcs);

/*
 * Does a job that ended still have nodes, and should nobody start for so long (CompleteWait)?
 * Takes the locks that it needs.
 */
bool lw_hold_is_completing(void);

/*
 * Has the hold been long enough, or are too many RPCs under way? Then let others pass. 0;
 * -ESTALE if meanwhile the configuration or the tables of nodes, partitions or reservations
 * changed, so that no pointer to those may be trusted; -ECANCELED if slurmctld is to stop;
 * -ETIME if the budget is overrun. The locks are held again in all cases.
 */
int lw_hold_breathe(struct lw_hold *hold);
/* The same before a step that may be long and cannot be divided: unless the hold is young. */
int lw_hold_anew(struct lw_hold *hold);

/* Give the locks up. */
void lw_hold_end(struct lw_hold *hold);

#endif
