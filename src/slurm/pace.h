/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: when the next planning cycle is due: at an event, or after the interval. */
#ifndef LW_SLURM_PACE_H
#define LW_SLURM_PACE_H

#include <stdbool.h>
#include <stdint.h>

/*
 * What Slurm keeps of the changes to its records. The times are whole seconds, so a
 * change in the second of our own last one leaves no trace in them; the count does not
 * miss any, but knows only submissions and ends.
 */
struct lw_pace_stamp {
	int64_t jobs_s;  /* last change of a job */
	int64_t nodes_s; /* last change of a node */
	uint64_t came;	 /* jobs submitted so far */
	uint64_t ended;	 /* and those that ended */
};

/*
 * Zeroed but for the times: nothing has happened yet. These are seconds of a clock that only goes
 * forward (lw_clock_s()): were they times of day, a clock set back would stop all planning
 * until it has caught up.
 */
struct lw_pace {
	struct lw_pace_stamp seen;
	int64_t began_s; /* the last cycle */
	int64_t earliest_s;
	int64_t delay_s; /* Slurm itself has so long for jobs that came; 0: it does not try */
	int64_t wake_s;	 /* not before, if something changed */
	bool changed;
	bool again;	  /* once more, for what the stamps of an eventful second have hidden */
	uint32_t repeats; /* cycles on end that only came again */
};

/*
 * A cycle that took TOOK_MS began at BEGAN_S, with the stamp BEFORE, and has just ended; AFTER
 * is as it left it. Where these differ it may have hidden what others changed, so there is
 * one more soon; but of those that nothing else led to not many on end.
 * The next one comes MIN_INTERVAL_S after it began or later, and not before ten times
 * as long as it took, so that a large queue does not make planning all that slurmctld does.
 */
void lw_pace_ran(struct lw_pace *pace, const struct lw_pace_stamp *before,
		 const struct lw_pace_stamp *after, int64_t began_s, int64_t took_ms,
		 int64_t min_interval_s);

/*
 * What is known at NOW_S. Room is given out at once; jobs that came or were changed are
 * left to Slurm for the delay, so that it, and those who look on, see what they see under
 * stock, and a burst is planned as one.
 */
void lw_pace_look(struct lw_pace *pace, const struct lw_pace_stamp *stamp, int64_t now_s);
/* Forget the changes since the last look: they were our own. */
void lw_pace_ours(struct lw_pace *pace, const struct lw_pace_stamp *stamp);

/* Is it time, at the latest at END_S, or the delay after what came just before? */
bool lw_pace_due(const struct lw_pace *pace, int64_t now_s, int64_t end_s);

/*
 * Do THREADS of slurmctld serve so many RPCs that scheduling is put off (max_rpc_cnt of
 * SchedulerParameters; 0: it never is)? If it WAS, then until few are left, as stock has it.
 */
bool lw_pace_is_crowded(uint32_t threads, uint32_t max_rpcs, bool was);

/*
 * May something have changed of which Slurm's stamp, a time of day, was THEN_S at SINCE_S and is
 * STAMP_S at NOW_S? These are whole seconds: a change in the second of another shows nothing.
 * A stamp of a time to come, left from before the clock was set back, is no such second.
 */
bool lw_pace_may_differ(int64_t then_s, int64_t stamp_s, int64_t since_s, int64_t now_s);

/*
 * Are locks that have been held for HELD_US to be given up: after LIMIT_US, or as soon as
 * THREADS serve RPCs, as long as there is patience (microseconds) to let these finish?
 */
bool lw_pace_gives_way(uint64_t held_us, uint64_t limit_us, uint32_t threads,
		       uint64_t patience_us);

/*
 * Is the processor to be offered to whoever is ready, PASSED_US after the last offer: a thread of
 * slurmctld that was woken for a request would else wait for the end of the slice of the one who
 * holds the locks, and nobody would know of the request. Not if AWAY_US, what the last offer
 * took, says that others have long work to do.
 */
bool lw_pace_steps_aside(uint64_t passed_us, uint64_t away_us, uint64_t patience_us);

#endif
