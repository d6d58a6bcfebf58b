/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: room for the shortest jobs, before longer jobs take it. */
#include "planner/policies/lookahead.h"

#include "planner/order/order.h"

#include <errno.h>

static bool lookahead_share_nodes(const struct lw_cycle *cycle, uint32_t index, uint32_t other)
{
	uint32_t set = cycle->snap->waiting[index].set, others = cycle->snap->waiting[other].set;

	return set == others || lw_bitset_intersects(&cycle->usable[set], &cycle->usable[others]);
}

static void lookahead_subtract(struct lw_demand *from, const struct lw_demand *what)
{
	from->cpus -= what->cpus;
	from->gpus -= what->gpus;
	from->mib -= what->mib;
}

/* Is WHAT within LIMITS in all that it asks for? */
static bool lookahead_within(const struct lw_demand *what, const struct lw_demand *limits)
{
	return what->cpus <= limits->cpus && (what->gpus <= 0 || what->gpus <= limits->gpus) &&
	       (what->mib <= 0 || what->mib <= limits->mib);
}

/* The part of what will be free that promises leave to a job that ends at END_S. */
static struct lw_demand lookahead_left_of(const struct lw_cycle *cycle, uint32_t index,
					  int64_t end_s)
{
	struct lw_demand left = { 0 };
	uint32_t node;

	lw_bitset_foreach(&cycle->usable[cycle->snap->waiting[index].set], node)
	{
		const struct lw_reservation *resv = lw_cycle_holder(cycle, node);
		struct lw_res res = cycle->future[node];

		if (resv && !resv->over && !lw_cycle_same_job(cycle, resv->waiting, index) &&
		    end_s > resv->horizon_s)
			lw_res_min(&res, &cycle->spare[node]);
		left.cpus += res.cpus;
		left.gpus += lw_res_gpus(&res);
		left.mib += (double)res.mem_mib;
	}
	return left;
}

/* Jobs favoured before it will run by then. */
static void lookahead_subtract_earlier(const struct lw_cycle *cycle,
				       const struct lw_lookaheads *lookaheads,
				       struct lw_lookahead *lookahead)
{
	for (uint32_t i = 0; i < lookaheads->count; i++) {
		const struct lw_lookahead *earlier = &lookaheads->items[i];
		struct lw_demand demand;

		if (earlier->start_s > lookahead->start_s ||
		    (double)(lookahead->start_s - earlier->start_s) >= earlier->run_s ||
		    !lookahead_share_nodes(cycle, earlier->waiting, lookahead->waiting))
			continue;
		demand = lw_demand_of(&cycle->scale,
				      &cycle->snap->waiting[earlier->waiting].request);
		lookahead_subtract(&lookahead->spare, &demand);
	}
}

/* -ENOSPC: it cannot be favoured. */
static int lookahead_foresee(struct lw_cycle *cycle, const struct lw_lookaheads *lookaheads,
			     uint32_t index, struct lw_lookahead *ret_favour)
{
	const struct lw_waiting *job = &cycle->snap->waiting[index];
	struct lw_demand demand = lw_demand_of(&cycle->scale, &job->request);
	struct lw_room room = lw_cycle_room(cycle, job);
	struct lw_lookahead lookahead = {
		.waiting = index,
		.run_s = (double)lw_cycle_class(cycle, index)->expected.mean_s,
	};
	struct lw_seek seek = lw_cycle_seek(cycle, LW_ENDS_EXPECTED, job, &room);
	struct lw_shadow shadow;
	int rc = lw_cycle_need_releases(cycle, LW_ENDS_EXPECTED, lookaheads->until_s);

	if (!rc)
		rc = lw_shadow_find(&seek, &shadow);
	if (rc)
		return rc;
	lookahead.start_s = shadow.time_s;
	lookahead.spare = lookahead_left_of(cycle, index, lw_waiting_end_s(job, shadow.time_s));
	if (!lookahead_within(&demand, &lookahead.spare) && !lw_cycle_is_reserved(cycle, index))
		return -ENOSPC;
	lookahead_subtract(&lookahead.spare, &demand);
	lookahead_subtract_earlier(cycle, lookaheads, &lookahead);
	*ret_favour = lookahead;
	return 0;
}

/* The first job of the queue that can run at all; false: there is none. */
static bool lookahead_find_first(struct lw_cycle *cycle, uint32_t *ret_index)
{
	const struct lw_queue *queue = &cycle->snap->queue;
	enum lw_reason reason;

	for (uint32_t i = 0; i < queue->count; i++) {
		const struct lw_constraints *constraints =
			&cycle->snap->waiting[queue->order[i]].constraints;

		*ret_index = queue->order[i];
		if (!constraints->now_only && !constraints->after &&
		    lw_cycle_ready(cycle, *ret_index, &reason) &&
		    lw_cycle_tasks_left(cycle, *ret_index) &&
		    lw_cycle_ever_fits(cycle, *ret_index))
			return true;
	}
	return false;
}

/* Will it have room within its own run time, and not now? */
static int lookahead_foresee_first(struct lw_cycle *cycle, struct lw_lookaheads *lookaheads)
{
	struct lw_lookahead *first = &lookaheads->first;
	int64_t now_s = cycle->snap->now_s;
	int rc;

	if (lookaheads->first_is_known)
		return 0;
	lookaheads->first_is_known = true;
	rc = lookahead_foresee(cycle, lookaheads, first->waiting, first);
	lookaheads->has_first =
		!rc && first->start_s > now_s && (double)(first->start_s - now_s) <= first->run_s;
	return rc == -ENOSPC ? 0 : rc;
}

static int lookahead_foresee_noted(struct lw_cycle *cycle, struct lw_lookaheads *lookaheads)
{
	while (lookaheads->tried < lookaheads->passed_count &&
	       lookaheads->count < LW_FAVOURS_MAX) {
		uint32_t index = lookaheads->passed[lookaheads->tried++];
		int rc = lookahead_foresee(cycle, lookaheads, index,
					   &lookaheads->items[lookaheads->count]);

		if (!rc)
			lookaheads->count++;
		else if (rc != -ENOSPC)
			return rc;
	}
	return 0;
}

/* How long the record would delay the favoured job. */
static double lookahead_delay_s(const struct lw_cycle *cycle,
				const struct lw_lookahead *lookahead, uint32_t index)
{
	double gap_s = (double)(lookahead->start_s - cycle->snap->now_s);

	return (double)lw_cycle_class(cycle, index)->expected.mean_s - gap_s;
}

/* How many of the record's class lose their room: as many as fit into the favoured job's. */
static double lookahead_losers(const struct lw_cycle *cycle, const struct lw_lookahead *lookahead,
			       uint32_t index)
{
	const struct lw_waiting *waiting = cycle->snap->waiting;
	double wide = lw_width(&cycle->scale, &waiting[lookahead->waiting].request);
	double own = lw_width(&cycle->scale, &waiting[index].request);
	double alike = (double)lw_cycle_class(cycle, index)->task_count;

	if (wide <= own)
		return 1;
	return wide / own < alike ? wide / own : alike;
}

/* Does the record take room that the favoured job needs when it starts? */
static bool lookahead_is_in_the_way(const struct lw_cycle *cycle,
				    const struct lw_lookahead *lookahead, uint32_t index)
{
	struct lw_demand demand =
		lw_demand_of(&cycle->scale, &cycle->snap->waiting[index].request);

	return lookahead_delay_s(cycle, lookahead, index) > 0 &&
	       lookahead_share_nodes(cycle, lookahead->waiting, index) &&
	       !lookahead_within(&demand, &lookahead->spare);
}

/* How long a later job may run that does not yield to the first. */
static double lookahead_short_s(const struct lw_cycle *cycle, const struct lw_lookahead *first)
{
	double own_s = LW_FIRST_LONGER * first->run_s;
	double gap_s = LW_FIRST_SOON * (double)(first->start_s - cycle->snap->now_s);

	return own_s > gap_s ? own_s : gap_s;
}

static bool lookahead_yields_to_first(const struct lw_cycle *cycle,
				      const struct lw_lookaheads *lookaheads, uint32_t index)
{
	const struct lw_lookahead *first = &lookaheads->first;
	double run_s = (double)lw_cycle_class(cycle, index)->expected.mean_s;

	return lookaheads->has_first && run_s > lookahead_short_s(cycle, first) &&
	       lw_order_since_s(&cycle->snap->waiting[index]) >
		       lw_order_since_s(&cycle->snap->waiting[first->waiting]) &&
	       lookahead_is_in_the_way(cycle, first, index);
}

static bool lookahead_yields(const struct lw_cycle *cycle, const struct lw_lookahead *lookahead,
			     uint32_t index)
{
	double late_s = lookahead_delay_s(cycle, lookahead, index);
	double own_s = (double)(lookahead->start_s - cycle->snap->now_s) + lookahead->run_s;

	return cycle->params->yield * late_s > own_s * lookahead_losers(cycle, lookahead, index) &&
	       lookahead_is_in_the_way(cycle, lookahead, index);
}

void lw_lookahead_begin(struct lw_cycle *cycle, struct lw_lookaheads *lookaheads,
			int64_t longest_s)
{
	double yield = cycle->params->yield;

	lookaheads->count = lookaheads->passed_count = lookaheads->tried = 0;
	lookaheads->until_s =
		cycle->snap->now_s + (int64_t)(yield / (1 + yield) * (double)longest_s);
	lookaheads->has_first = false;
	lookaheads->first_is_known = !lookahead_find_first(cycle, &lookaheads->first.waiting);
	cycle->releases_ready[LW_ENDS_EXPECTED] = false;
}

void lw_lookahead_note(struct lw_cycle *cycle, struct lw_lookaheads *lookaheads, uint32_t index)
{
	if (lookaheads->passed_count == LW_FAVOURS_TRIED_MAX ||
	    cycle->snap->waiting[index].constraints.now_only)
		return;
	/* a job that can never run would use up a place */
	if (lw_cycle_ever_fits(cycle, index))
		lookaheads->passed[lookaheads->passed_count++] = index;
	else
		lw_cycle_fail_class(cycle, cycle->snap->queue.class_of[index],
				    LW_REASON_WAITS_FOR_NODES);
}

int lw_lookahead_yields(struct lw_cycle *cycle, struct lw_lookaheads *lookaheads, uint32_t index,
			bool *ret_yields)
{
	bool found = false;
	int rc;

	if (lw_cycle_is_reserved(cycle, index)) {
		*ret_yields = false;
		return 0;
	}
	rc = lookahead_foresee_first(cycle, lookaheads);
	if (!rc)
		rc = lookahead_foresee_noted(cycle, lookaheads);
	if (!rc)
		found = lookahead_yields_to_first(cycle, lookaheads, index);
	for (uint32_t i = 0; !rc && !found && i < lookaheads->count; i++)
		found = lookahead_yields(cycle, &lookaheads->items[i], index);
	if (!rc)
		*ret_yields = found;
	return rc;
}

/* The record started: does the favoured job lose its room? */
static void lookahead_lose(const struct lw_cycle *cycle, struct lw_lookahead *lookahead,
			   uint32_t index)
{
	struct lw_demand demand =
		lw_demand_of(&cycle->scale, &cycle->snap->waiting[index].request);

	if (lookahead_delay_s(cycle, lookahead, index) > 0 &&
	    lookahead_share_nodes(cycle, lookahead->waiting, index))
		lookahead_subtract(&lookahead->spare, &demand);
}

void lw_lookahead_started(const struct lw_cycle *cycle, struct lw_lookaheads *lookaheads,
			  uint32_t index)
{
	for (uint32_t i = 0; i < lookaheads->count; i++)
		lookahead_lose(cycle, &lookaheads->items[i], index);
	if (lookaheads->has_first)
		lookahead_lose(cycle, &lookaheads->first, index);
}

int lw_lookahead_first(struct lw_cycle *cycle, struct lw_lookaheads *lookaheads,
		       uint32_t *ret_index, int64_t *ret_end_s)
{
	int rc;

	lw_lookahead_begin(cycle, lookaheads, INT32_MAX);
	rc = lookahead_foresee_first(cycle, lookaheads);
	if (rc || !lookaheads->has_first)
		return rc ? rc : -ENOENT;
	*ret_index = lookaheads->first.waiting;
	*ret_end_s = lw_end_after_s(cycle->snap->now_s,
				    (int64_t)lookahead_short_s(cycle, &lookaheads->first));
	return 0;
}
