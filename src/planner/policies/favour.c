/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: room for the shortest, which is not there yet, before longer ones take it. */
#include "planner/policies/favour.h"

#include <errno.h>

static bool share_nodes(const struct lw_walk *walk, uint32_t index, uint32_t other)
{
	uint32_t set = walk->snap->waiting[index].set, others = walk->snap->waiting[other].set;

	return set == others ||
	       lw_bitset_intersects(&walk->usable[set], &walk->usable[others]);
}

static void subtract(struct lw_demand *from, const struct lw_demand *what)
{
	from->cpus -= what->cpus;
	from->gpus -= what->gpus;
	from->mib -= what->mib;
}

/* Is WHAT, where it asks for anything, within LIMITS? */
static bool within(const struct lw_demand *what, const struct lw_demand *limits)
{
	return what->cpus <= limits->cpus && (what->gpus <= 0 || what->gpus <= limits->gpus) &&
	       (what->mib <= 0 || what->mib <= limits->mib);
}

/* Of what is free at a time to come: the share that promises leave to who ends at END_S. */
static struct lw_demand left_of(const struct lw_walk *walk, uint32_t index, int64_t end_s)
{
	struct lw_demand left = { 0 };
	uint32_t node;

	lw_bitset_foreach(&walk->usable[walk->snap->waiting[index].set], node)
	{
		const struct lw_reservation *resv = lw_walk_holder(walk, node);
		struct lw_res res = walk->future[node];

		if (resv && !resv->over && !lw_walk_same_job(walk, resv->waiting, index) &&
		    end_s > resv->horizon_s)
			lw_res_min(&res, &walk->spare[node]);
		left.cpus += res.cpus;
		left.gpus += lw_res_gpus(&res);
		left.mib += (double)res.mem_mib;
	}
	return left;
}

/* Those favoured before it will run by then. */
static void subtract_earlier(const struct lw_walk *walk, const struct lw_favours *favours,
			     struct lw_favour *favour)
{
	for (uint32_t i = 0; i < favours->count; i++) {
		const struct lw_favour *earlier = &favours->items[i];
		struct lw_demand demand;

		if (earlier->start_s > favour->start_s ||
		    (double)(favour->start_s - earlier->start_s) >= earlier->run_s ||
		    !share_nodes(walk, earlier->waiting, favour->waiting))
			continue;
		demand = lw_demand_of(&walk->scale,
				      &walk->snap->waiting[earlier->waiting].request);
		subtract(&favour->spare, &demand);
	}
}

/* -ENOSPC: nothing can be done for it. */
static int foresee(struct lw_walk *walk, const struct lw_favours *favours, uint32_t index,
		   struct lw_favour *ret_favour)
{
	const struct lw_waiting *job = &walk->snap->waiting[index];
	struct lw_demand demand = lw_demand_of(&walk->scale, &job->request);
	struct lw_room room = lw_walk_room(walk, job);
	struct lw_favour favour = {
		.waiting = index,
		.run_s = (double)lw_walk_class(walk, index)->expected.mean_s,
	};
	struct lw_seek seek = lw_walk_seek(walk, LW_ENDS_EXPECTED, job, &room);
	struct lw_shadow shadow;
	int rc = lw_walk_need_releases(walk, LW_ENDS_EXPECTED, favours->until_s);

	if (!rc)
		rc = lw_shadow_find(&seek, &shadow);
	if (rc)
		return rc;
	favour.start_s = shadow.time_s;
	favour.spare = left_of(walk, index, lw_waiting_end_s(job, shadow.time_s));
	if (!within(&demand, &favour.spare) && !lw_walk_is_reserved(walk, index))
		return -ENOSPC;
	subtract(&favour.spare, &demand);
	subtract_earlier(walk, favours, &favour);
	*ret_favour = favour;
	return 0;
}

static int foresee_noted(struct lw_walk *walk, struct lw_favours *favours)
{
	while (favours->tried < favours->passed_count && favours->count < LW_FAVOURS_MAX) {
		uint32_t index = favours->passed[favours->tried++];
		int rc = foresee(walk, favours, index, &favours->items[favours->count]);

		if (!rc)
			favours->count++;
		else if (rc != -ENOSPC)
			return rc;
	}
	return 0;
}

/* How long the favoured one would have to wait for the record beyond its time. */
static double delay_s(const struct lw_walk *walk, const struct lw_favour *favour, uint32_t index)
{
	double gap_s = (double)(favour->start_s - walk->snap->now_s);

	return (double)lw_walk_class(walk, index)->expected.mean_s - gap_s;
}

/* How many of its class lose what it would: as many as have room in the other's place. */
static double losers(const struct lw_walk *walk, const struct lw_favour *favour, uint32_t index)
{
	const struct lw_waiting *waiting = walk->snap->waiting;
	double wide = lw_width(&walk->scale, &waiting[favour->waiting].request);
	double own = lw_width(&walk->scale, &waiting[index].request);
	double alike = (double)lw_walk_class(walk, index)->task_count;

	if (wide <= own)
		return 1;
	return wide / own < alike ? wide / own : alike;
}

static bool gives_way(const struct lw_walk *walk, const struct lw_favour *favour, uint32_t index)
{
	double late_s = delay_s(walk, favour, index);
	double own_s = (double)(favour->start_s - walk->snap->now_s) + favour->run_s;
	struct lw_demand demand;

	if (late_s <= 0 || !share_nodes(walk, favour->waiting, index))
		return false;
	if (walk->params->leeway.yield * late_s <= own_s * losers(walk, favour, index))
		return false;
	demand = lw_demand_of(&walk->scale, &walk->snap->waiting[index].request);
	return !within(&demand, &favour->spare);
}

void lw_favour_begin(struct lw_walk *walk, struct lw_favours *favours, int64_t longest_s)
{
	double yield = walk->params->leeway.yield;

	favours->count = favours->passed_count = favours->tried = 0;
	favours->until_s =
		walk->snap->now_s + (int64_t)(yield / (1 + yield) * (double)longest_s);
	walk->releases_ready[LW_ENDS_EXPECTED] = false;
}

void lw_favour_note(struct lw_walk *walk, struct lw_favours *favours, uint32_t index)
{
	if (favours->passed_count == LW_FAVOURS_TRIED_MAX ||
	    walk->snap->waiting[index].terms.now_only)
		return;
	/* one that could never run would use up a place */
	if (lw_walk_ever_fits(walk, index))
		favours->passed[favours->passed_count++] = index;
	else
		lw_walk_fail_class(walk, walk->snap->queue.class_of[index],
				   LW_REASON_WAITS_FOR_NODES);
}

int lw_favour_gives_way(struct lw_walk *walk, struct lw_favours *favours, uint32_t index,
			bool *ret_gives_way)
{
	bool found = false;
	int rc;

	if (lw_walk_is_reserved(walk, index)) {
		*ret_gives_way = false;
		return 0;
	}
	rc = foresee_noted(walk, favours);
	for (uint32_t i = 0; !rc && !found && i < favours->count; i++)
		found = gives_way(walk, &favours->items[i], index);
	if (!rc)
		*ret_gives_way = found;
	return rc;
}

void lw_favour_started(const struct lw_walk *walk, struct lw_favours *favours, uint32_t index)
{
	struct lw_demand demand =
		lw_demand_of(&walk->scale, &walk->snap->waiting[index].request);

	for (uint32_t i = 0; i < favours->count; i++) {
		struct lw_favour *favour = &favours->items[i];

		if (delay_s(walk, favour, index) > 0 && share_nodes(walk, favour->waiting, index))
			subtract(&favour->spare, &demand);
	}
}
