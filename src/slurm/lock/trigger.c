/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: when the next planning cycle is due: at an event, or after the interval. */

/* Includes nothing of Slurm, so that it is unit-tested. */

#include "slurm/lock/trigger.h"

#define REST_FACTOR 10
/*
 * So many cycles in a row may follow only from what the one before changed. There is no end of
 * them where a plan shifts from second to second and is shown anew each time.
 */
#define REPEATS_MAX 3
/* Locks that are held for less than this are not given up to an RPC. */
#define COURTESY_US 200
/* How often the processor is offered to other threads. */
#define OFFER_US 100
/* Reading a request takes less: a thread that took longer did other work. */
#define AWAY_US 5000

void lw_trigger_ran(struct lw_trigger *trigger, const struct lw_trigger_stamp *before,
		    const struct lw_trigger_stamp *after, int64_t began_s, int64_t took_ms,
		    int64_t min_interval_s)
{
	int64_t rest_s = took_ms * REST_FACTOR / 1000;
	bool moved = after->jobs_s != before->jobs_s || after->nodes_s != before->nodes_s;

	trigger->repeats = trigger->changed ? 0 : trigger->repeats + 1;
	trigger->again = trigger->changed || (moved && trigger->repeats < REPEATS_MAX);
	trigger->changed = false;
	trigger->seen = *after;
	trigger->began_s = began_s;
	trigger->earliest_s = began_s + (rest_s > min_interval_s ? rest_s : min_interval_s);
}

void lw_trigger_look(struct lw_trigger *trigger, const struct lw_trigger_stamp *stamp,
		     int64_t now_s)
{
	const struct lw_trigger_stamp *seen = &trigger->seen;
	bool room = stamp->nodes_s != seen->nodes_s || stamp->ended != seen->ended;
	bool jobs = stamp->jobs_s != seen->jobs_s || stamp->came != seen->came;
	int64_t wake_s = room ? now_s : now_s + trigger->delay_s;

	if ((room || jobs) && (!trigger->changed || wake_s < trigger->wake_s))
		trigger->wake_s = wake_s;
	trigger->changed |= room || jobs;
	trigger->seen = *stamp;
}

void lw_trigger_again(struct lw_trigger *trigger)
{
	trigger->changed = true;
}

void lw_trigger_ours(struct lw_trigger *trigger, const struct lw_trigger_stamp *stamp)
{
	trigger->seen.jobs_s = stamp->jobs_s;
	trigger->seen.nodes_s = stamp->nodes_s;
}

bool lw_trigger_due(const struct lw_trigger *trigger, int64_t now_s, int64_t end_s)
{
	if (trigger->changed && now_s < trigger->wake_s)
		return false;
	return now_s >= end_s ||
	       ((trigger->changed || trigger->again) && now_s >= trigger->earliest_s);
}

bool lw_trigger_is_crowded(uint32_t threads, uint32_t max_rpcs)
{
	return max_rpcs && threads >= max_rpcs;
}

bool lw_trigger_may_differ(int64_t then_s, int64_t stamp_s, int64_t since_s, int64_t now_s)
{
	return stamp_s != then_s || (then_s >= since_s && then_s <= now_s);
}

bool lw_trigger_yields(uint64_t held_us, uint64_t limit_us, uint32_t threads,
		       uint64_t patience_us)
{
	return held_us >= limit_us || (threads && patience_us && held_us >= COURTESY_US);
}

bool lw_trigger_offers_cpu(uint64_t passed_us, uint64_t away_us, uint64_t patience_us)
{
	return passed_us >= OFFER_US && away_us <= AWAY_US && patience_us;
}
