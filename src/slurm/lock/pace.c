/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: when the next planning cycle is due: at an event, or after the interval. */

/* Includes nothing of Slurm, so that it is unit-tested. */

#include "slurm/lock/pace.h"

#define REST_FACTOR 10
/*
 * So many cycles in a row may follow only from what the one before changed. There is no end of them
 * where a plan shifts from second to second and is shown anew each time.
 */
#define REPEATS_MAX 3
/* Locks that are held for less than this are not given up to an RPC. */
#define COURTESY_US 200
/* How often the processor is offered to other threads. */
#define OFFER_US    100
/* Reading a request takes less: who was away for longer did not read one. */
#define AWAY_US     5000

void lw_pace_ran(struct lw_pace *pace, const struct lw_pace_stamp *before,
		 const struct lw_pace_stamp *after, int64_t began_s, int64_t took_ms,
		 int64_t min_interval_s)
{
	int64_t rest_s = took_ms * REST_FACTOR / 1000;
	bool moved = after->jobs_s != before->jobs_s || after->nodes_s != before->nodes_s;

	pace->repeats = pace->changed ? 0 : pace->repeats + 1;
	pace->again = pace->changed || (moved && pace->repeats < REPEATS_MAX);
	pace->changed = false;
	pace->seen = *after;
	pace->began_s = began_s;
	pace->earliest_s = began_s + (rest_s > min_interval_s ? rest_s : min_interval_s);
}

void lw_pace_look(struct lw_pace *pace, const struct lw_pace_stamp *stamp, int64_t now_s)
{
	const struct lw_pace_stamp *seen = &pace->seen;
	bool room = stamp->nodes_s != seen->nodes_s || stamp->ended != seen->ended;
	bool jobs = stamp->jobs_s != seen->jobs_s || stamp->came != seen->came;
	int64_t wake_s = room ? now_s : now_s + pace->delay_s;

	if ((room || jobs) && (!pace->changed || wake_s < pace->wake_s))
		pace->wake_s = wake_s;
	pace->changed |= room || jobs;
	pace->seen = *stamp;
}

void lw_pace_ours(struct lw_pace *pace, const struct lw_pace_stamp *stamp)
{
	pace->seen.jobs_s = stamp->jobs_s;
	pace->seen.nodes_s = stamp->nodes_s;
}

bool lw_pace_due(const struct lw_pace *pace, int64_t now_s, int64_t end_s)
{
	if (pace->changed && now_s < pace->wake_s)
		return false;
	return now_s >= end_s ||
	       ((pace->changed || pace->again) && now_s >= pace->earliest_s);
}

bool lw_pace_is_crowded(uint32_t threads, uint32_t max_rpcs)
{
	return max_rpcs && threads >= max_rpcs;
}

bool lw_pace_may_differ(int64_t then_s, int64_t stamp_s, int64_t since_s, int64_t now_s)
{
	return stamp_s != then_s || (then_s >= since_s && then_s <= now_s);
}

bool lw_pace_gives_way(uint64_t held_us, uint64_t limit_us, uint32_t threads,
		       uint64_t patience_us)
{
	return held_us >= limit_us || (threads && patience_us && held_us >= COURTESY_US);
}

bool lw_pace_steps_aside(uint64_t passed_us, uint64_t away_us, uint64_t patience_us)
{
	return passed_us >= OFFER_US && away_us <= AWAY_US && patience_us;
}
