/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: for which waiting jobs others may be stopped (stop.for). */
#include "planner/cycle/lease_parts.h"

#include "planner/cycle/guard.h"

bool lw_lease_is_served(const struct lw_cycle *cycle, const struct lw_lease_state *state,
			uint32_t index)
{
	uint32_t job_id = lw_cycle_job(cycle, index)->job_id;

	if (state->barred && state->barred[index])
		return true;
	for (uint32_t i = 0; i < state->served_count; i++)
		if (state->served[i] == job_id)
			return true;
	return false;
}

/*
 * What else it needs is on no node that a stopped job leaves. Of an array the next task would
 * take the room, too.
 */
bool lw_lease_suits(const struct lw_waiting *job)
{
	const struct lw_constraints *needs = &job->constraints;

	return job->tasks == 1 && !needs->now_only && !needs->after && !needs->coallocation &&
	       !lw_constraints_preempt(needs);
}

/* The plan leaves it waiting, and no job is stopped for it so far. */
static bool lease_wish_is_open(const struct lw_cycle *cycle, const struct lw_lease_state *state,
			       uint32_t index)
{
	return lw_cycle_tasks_left(cycle, index) && !lw_lease_is_served(cycle, state, index);
}

/* Is room all that it lacks? */
static bool lease_wish_may_start(const struct lw_cycle *cycle, uint32_t index)
{
	enum lw_reason reason;

	return lw_cycle_ready(cycle, index, &reason) && !lw_guard_holds(cycle, index) &&
	       lw_lease_suits(lw_cycle_job(cycle, index));
}

/* Of COUNT wishes in order, at most LW_LEASE_TRIES, the new one takes its place; the new count.
 */
static uint32_t lease_wish_insert(struct lw_lease_wish *wishes, uint32_t count,
				  const struct lw_lease_wish *wish)
{
	uint32_t at = count;

	while (at > 0 && (wish->key_s != wishes[at - 1].key_s ? wish->key_s < wishes[at - 1].key_s
							      : wish->seq < wishes[at - 1].seq))
		at--;
	if (at == LW_LEASE_TRIES)
		return count;
	count += count < LW_LEASE_TRIES;
	for (uint32_t i = count - 1; i > at; i--)
		wishes[i] = wishes[i - 1];
	wishes[at] = *wish;
	return count;
}

static struct lw_lease_wish lease_wish_of(const struct lw_cycle *cycle, uint32_t index)
{
	const struct lw_queue *queue = &cycle->snap->queue;
	int64_t run_s = queue->classes[queue->class_of[index]].expected.mean_s;

	return (struct lw_lease_wish){
		.index = index, .run_s = run_s, .key_s = run_s, .seq = queue->seq[index]
	};
}

/* The first of its class that the plan leaves waiting; false: it gains nothing by room. */
static bool lease_wish_short(const struct lw_cycle *cycle, const struct lw_lease_rules *rules,
			     const struct lw_lease_state *state, uint32_t number,
			     struct lw_lease_wish *ret_wish)
{
	const struct lw_class *class = &cycle->snap->queue.classes[number];

	for (uint32_t i = 0; i < class->member_count; i++) {
		if (!lease_wish_is_open(cycle, state, class->members[i]))
			continue;
		*ret_wish = lease_wish_of(cycle, class->members[i]);
		return ret_wish->run_s <= rules->back_s &&
		       lease_wish_may_start(cycle, ret_wish->index);
	}
	return false;
}

uint32_t lw_lease_shorts(const struct lw_cycle *cycle, const struct lw_lease_rules *rules,
			 const struct lw_lease_state *state, struct lw_lease_wish *wishes)
{
	const struct lw_queue *queue = &cycle->snap->queue;
	struct lw_lease_wish wish;
	uint32_t count = 0;

	for (uint32_t i = 0; i < queue->active_count; i++)
		if (lease_wish_short(cycle, rules, state, queue->active[i], &wish))
			count = lease_wish_insert(wishes, count, &wish);
	return count;
}

/* It is in time only if it starts soon: not much later than stopped jobs would be gone. */
static bool lease_wish_is_due(const struct lw_cycle *cycle, const struct lw_lease_rules *rules,
			      const struct lw_lease_wish *wish)
{
	int64_t spare_s = lw_cycle_job(cycle, wish->index)->finish_by_s - wish->run_s -
			  rules->leave_s - cycle->snap->now_s;

	return spare_s >= 0 && spare_s < LW_LEASE_DUE_S;
}

uint32_t lw_lease_dues(const struct lw_cycle *cycle, const struct lw_lease_rules *rules,
		       const struct lw_lease_state *state, struct lw_lease_wish *wishes)
{
	const struct lw_queue *queue = &cycle->snap->queue;
	uint32_t count = 0;

	for (uint32_t i = 0; i < queue->count; i++) {
		uint32_t index = queue->order[i];
		struct lw_lease_wish wish;

		if (!lw_cycle_job(cycle, index)->finish_by_s ||
		    !lease_wish_is_open(cycle, state, index))
			continue;
		wish = lease_wish_of(cycle, index);
		wish.key_s = wish.finish_by_s = lw_cycle_job(cycle, index)->finish_by_s;
		if (lease_wish_is_due(cycle, rules, &wish) && lease_wish_may_start(cycle, index))
			count = lease_wish_insert(wishes, count, &wish);
	}
	return count;
}
