/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: when the next planning cycle is due: at an event, or after the interval. */
#ifndef LW_SLURM_TRIGGER_H
#define LW_SLURM_TRIGGER_H

#include <stdbool.h>
#include <stdint.h>

/*
 * What Slurm notes of changes to its records. The times are whole seconds: changes in the same
 * second as Leeway's last own change do not show. The counts miss nothing, but count only
 * submissions and ends.
 */
struct lw_trigger_stamp {
	int64_t jobs_s;  /* last change of a job */
	int64_t nodes_s; /* last change of a node */
	uint64_t came;   /* jobs submitted so far */
	uint64_t ended;  /* jobs that ended so far */
};

/*
 * Zeroed but for the times: nothing has happened yet. The times are of a clock that never goes
 * back (lw_clock_s()). With times of day, a clock that is set back would stop all planning until
 * it has caught up.
 */
struct lw_trigger {
	struct lw_trigger_stamp seen;
	int64_t began_s; /* the last cycle */
	int64_t earliest_s;
	int64_t delay_s; /* how long new jobs are left to Slurm itself; 0: it does not try */
	int64_t wake_s;  /* if something changed: the next cycle is not before that */
	bool changed;
	bool again;       /* another cycle, for changes that a busy second may hide */
	uint32_t repeats; /* cycles in a row caused only by the one before */
};

/*
 * A cycle that began at BEGAN_S, with the stamp BEFORE, has just ended after TOOK_MS, with the
 * stamp AFTER. If the stamps differ, its changes may hide others, so another cycle follows soon;
 * but only a few in a row follow for this reason alone. The next cycle begins at least
 * MIN_INTERVAL_S, and ten times TOOK_MS, after this one began, so that a large queue leaves
 * slurmctld time for other work.
 */
void lw_trigger_ran(struct lw_trigger *trigger, const struct lw_trigger_stamp *before,
		    const struct lw_trigger_stamp *after, int64_t began_s, int64_t took_ms,
		    int64_t min_interval_s);

/*
 * STAMP is what Slurm notes at NOW_S. New room is used at once. New and changed jobs are left to
 * Slurm for the delay: users see the same as under stock, and a burst of jobs is planned in one
 * cycle.
 */
void lw_trigger_look(struct lw_trigger *trigger, const struct lw_trigger_stamp *stamp,
		     int64_t now_s);
/* Another cycle is to follow this one, as if something had changed. */
void lw_trigger_again(struct lw_trigger *trigger);
/* Forget the changes since the last look: they were Leeway's own. */
void lw_trigger_ours(struct lw_trigger *trigger, const struct lw_trigger_stamp *stamp);

/*
 * Is a cycle due at NOW_S, because something changed or because the interval ends at END_S? Jobs
 * submitted just before END_S still have their delay.
 */
bool lw_trigger_due(const struct lw_trigger *trigger, int64_t now_s, int64_t end_s);

/*
 * Do THREADS of slurmctld serve so many RPCs that scheduling is postponed (max_rpc_cnt of
 * SchedulerParameters; 0: never)?
 */
bool lw_trigger_is_crowded(uint32_t threads, uint32_t max_rpcs);

/*
 * Slurm's stamp of a table, a time of day, was THEN_S when it was read at SINCE_S, and is
 * STAMP_S at NOW_S. May the table have changed meanwhile? Stamps are whole seconds: a second
 * change in the same second does not show. That does not apply to a stamp later than NOW_S,
 * which is from before the clock was set back.
 */
bool lw_trigger_may_differ(int64_t then_s, int64_t stamp_s, int64_t since_s, int64_t now_s);

/*
 * Must locks that have been held for HELD_US be given up: after LIMIT_US, or as soon as THREADS
 * serve RPCs while PATIENCE_US is left to let these finish?
 */
bool lw_trigger_yields(uint64_t held_us, uint64_t limit_us, uint32_t threads,
		       uint64_t patience_us);

/*
 * Offer the processor to other threads, PASSED_US after the last offer? Otherwise a thread of
 * slurmctld that was woken for a request might wait for the end of the time slice of the thread
 * that holds the locks, and the request would not be noticed. Not if the last offer took so
 * long, AWAY_US, that other threads must have long work.
 */
bool lw_trigger_offers_cpu(uint64_t passed_us, uint64_t away_us, uint64_t patience_us);

#endif
