/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: room for the shortest jobs, before longer jobs take it. */
#include "planner/policies/lookahead.h"

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

static bool lookahead_yields(const struct lw_cycle *cycle, const struct lw_lookahead *lookahead,
			     uint32_t index)
{
	double late_s = lookahead_delay_s(cycle, lookahead, index);
	double own_s = (double)(lookahead->start_s - cycle->snap->now_s) + lookahead->run_s;
	struct lw_demand demand;

	if (late_s <= 0 || !lookahead_share_nodes(cycle, lookahead->waiting, index))
		return false;
	if (cycle->params->yield * late_s <= own_s * lookahead_losers(cycle, lookahead, index))
		return false;
	demand = lw_demand_of(&cycle->scale, &cycle->snap->waiting[index].request);
	return !lookahead_within(&demand, &lookahead->spare);
}

void lw_lookahead_begin(struct lw_cycle *cycle, struct lw_lookaheads *lookaheads,
			int64_t longest_s)
{
	double yield = cycle->params->yield;

	lookaheads->count = lookaheads->passed_count = lookaheads->tried = 0;
	lookaheads->until_s =
		cycle->snap->now_s + (int64_t)(yield / (1 + yield) * (double)longest_s);
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
	rc = lookahead_foresee_noted(cycle, lookaheads);
	for (uint32_t i = 0; !rc && !found && i < lookaheads->count; i++)
		found = lookahead_yields(cycle, &lookaheads->items[i], index);
	if (!rc)
		*ret_yields = found;
	return rc;
}

void lw_lookahead_started(const struct lw_cycle *cycle, struct lw_lookaheads *lookaheads,
			  uint32_t index)
{
	struct lw_demand demand =
		lw_demand_of(&cycle->scale, &cycle->snap->waiting[index].request);

	for (uint32_t i = 0; i < lookaheads->count; i++) {
		struct lw_lookahead *lookahead = &lookaheads->items[i];

		if (lookahead_delay_s(cycle, lookahead, index) > 0 &&
		    lookahead_share_nodes(cycle, lookahead->waiting, index))
			lookahead_subtract(&lookahead->spare, &demand);
	}
}
