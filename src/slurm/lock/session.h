/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: lock sessions: Slurm's locks, held for a moment at a time. */
#ifndef LW_SLURM_SESSION_H
#define LW_SLURM_SESSION_H

#include "slurm/lock/budget.h"

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

/*
 * LW_LOCKS_ALL for work that may take long. The work calls lw_session_yield() now and then.
 * After the time of one session, or soon after an RPC arrives, it gives up the locks until no
 * RPC is being served. It also offers the processor to other threads often, so that an RPC is
 * noticed soon.
 *
 * Waiting for RPCs costs a cycle at most half a second per phase; after that, locks are still
 * given up after each full session, for 2 ms. There is no such bound, as with stock, only if
 * there are too many RPCs (max_rpc_cnt).
 *
 * Job records seen before the locks were given up stay valid, as in the yields of stock
 * backfill: slurmctld purges none until lw_session_end(). They may have changed, though.
 */
struct lw_session {
	struct lw_budget *budget; /* of the cycle, or NULL */
	uint64_t limit_us;        /* of one session */
	uint64_t taken_us, since_us;  /* the locks were taken, and the work went on */
	uint64_t offered_us, away_us; /* the last offer of the processor: when, and how long
				       * it took */
	uint64_t patience_us;         /* how long RPCs may still be waited for */
	uint64_t longest_us,
		held_us; /* of the sessions that have ended: the longest; all together */
	uint32_t count;
	bool whole; /* begun beside stock: the locks are not given up before the end */
	uint32_t max_rpcs; /* SchedulerParameters=max_rpc_cnt, 0: any number ... */
	uint32_t few_rpcs; /* ... and down to how many RPCs to wait then */
	time_t stamped_s, parts_s, conf_s, resvs_s;
	int resv_count;
	uint64_t nodes; /* lw_nodemark() when the locks were last taken */
};

/*
 * Does stock's agent run beside us, from the next session on? One flag of Slurm's says whether a
 * scheduler looks at records, so that none may be purged. With two schedulers the one that ends
 * first would take it from the other. So it is left to stock then, and a session keeps the locks
 * to its end, as it needs no flag if it does. For the agent's thread.
 */
void lw_session_beside_stock(bool runs);

/*
 * Take the locks, for at most about LIMIT_MS (above 0) at a time. BUDGET, which may be NULL, is
 * borrowed until the end.
 */
void lw_session_begin(struct lw_session *session, uint32_t limit_ms, struct lw_budget *budget);

/* Just after begin: do not give up the locks before the end. */
void lw_session_no_yield(struct lw_session *session);

/*
 * For work without locks that may take long. At each call of lw_session_pause() the work pauses
 * while RPCs are served, so that it does not share a processor or its caches with them. Often it
 * also offers the processor to other threads, so that an RPC is noticed soon. Both take at most
 * half a second in all. Neither takes locks: SESSION only holds what is left of that time.
 */
void lw_session_unlocked(struct lw_session *session);
void lw_session_pause(struct lw_session *session);

/* Are so many RPCs under way that no session should begin (max_rpc_cnt)? Needs no lock. */
bool lw_session_is_crowded(uint32_t max_rpcs);

/*
 * Must no job start now because an ended job still has nodes (CompleteWait)? Takes the locks
 * that it needs.
 */
bool lw_session_is_completing(void);

/*
 * If the session has been long enough, or too many RPCs are under way, let other threads pass.
 * 0; -ESTALE if meanwhile the configuration or the tables of nodes, partitions or reservations
 * changed, so that no pointer to these may be trusted; -ECANCELED if slurmctld is to stop;
 * -ETIME if the budget is overrun. The locks are held again in all cases.
 */
int lw_session_yield(struct lw_session *session);
/*
 * The same between many short steps, of which number STEP is next: the clock is read before step
 * 0 and then once in a while.
 */
int lw_session_yield_step(struct lw_session *session, uint32_t step);
/*
 * The same before a step that may be long and cannot be divided: it gives up the locks after a
 * tenth of a session, so that the step has nearly a whole session.
 */
int lw_session_yield_early(struct lw_session *session);

/* Give up the locks. */
void lw_session_end(struct lw_session *session);

#endif
