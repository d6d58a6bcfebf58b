/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: a job that waits for the end of one that runs: the next link of a chain. */
#include "planner/cycle/chain.h"

#include "planner/cycle/relax.h"
#include "planner/cycle/reserve.h"

#include <errno.h>
#include <string.h>

void lw_chain_begin(struct lw_cycle *cycle)
{
	const struct lw_queue *queue = &cycle->snap->queue;

	for (uint32_t i = 0; i < queue->active_count; i++) {
		const struct lw_class *class = &queue->classes[queue->active[i]];

		if (lw_snapshot_awaited(cycle->snap, &class->constraints))
			lw_cycle_fail_class(cycle, queue->active[i], LW_REASON_WAITS_FOR_JOB);
	}
}

bool lw_chain_follows(const struct lw_cycle *cycle, uint32_t index)
{
	uint32_t number = cycle->snap->queue.class_of[index];

	return cycle->snap->waiting[index].constraints.after &&
	       lw_cycle_class_has_failed(cycle, number) &&
	       lw_cycle_class_failure(cycle, number) == LW_REASON_WAITS_FOR_JOB;
}

/* For how much longer the nodes are held. */
static int64_t stay_s(const struct lw_cycle *cycle, uint32_t index, enum lw_ends ends)
{
	return ends == LW_ENDS_HARD ? cycle->snap->waiting[index].limit_s
				    : lw_cycle_class(cycle, index)->expected.mean_s;
}

void lw_chain_prolong(struct lw_cycle *cycle, enum lw_ends ends)
{
	for (uint32_t run = 0; run < cycle->snap->running_count; run++) {
		if (cycle->follower[run])
			lw_releases_prolong(&cycle->releases[ends], cycle->snap, run,
					    stay_s(cycle, cycle->follower[run] - 1, ends));
	}
}

/* From now on nobody counts on what it takes over. */
static void chain_follow(struct lw_cycle *cycle, uint32_t index, uint32_t run)
{
	cycle->follower[run] = index + 1;
	for (int ends = 0; ends < LW_ENDS_COUNT; ends++) {
		if (cycle->releases_ready[ends])
			lw_releases_prolong(&cycle->releases[ends], cycle->snap, run,
					    stay_s(cycle, index, (enum lw_ends)ends));
	}
}

/* Where it would be among what RUN leaves alone. */
static int fit_behind(struct lw_cycle *cycle, const struct lw_waiting *job,
		      const struct lw_running *run, const struct lw_alloc **ret_allocs,
		      uint32_t *ret_count)
{
	struct lw_room room = lw_cycle_room(cycle, job);
	const struct lw_alloc *allocs = lw_running_allocs(cycle->snap, run);

	memset(cycle->future, 0, cycle->snap->node_count * sizeof(*cycle->future));
	for (uint32_t i = 0; i < run->alloc_count; i++)
		lw_res_add(&cycle->future[allocs[i].node], &allocs[i].res);
	room.free = cycle->future;
	room.now = cycle->future;
	room.index = NULL;
	return lw_fit(cycle->placer, &room, &job->request, room.fit.earliest_s, ret_allocs,
		      ret_count);
}

static int chain_reserve(struct lw_cycle *cycle, uint32_t index, const struct lw_running *run,
			 const struct lw_alloc *allocs, uint32_t count)
{
	const struct lw_snapshot *snap = cycle->snap;
	const struct lw_waiting *job = &snap->waiting[index];
	struct lw_decision decision =
		lw_cycle_decision(cycle, index, LW_RESERVE, LW_REASON_RESERVED,
				  lw_running_end_s(run, snap->now_s, LW_ENDS_EXPECTED));

	if (decision.start_s < job->constraints.earliest_s)
		decision.start_s = job->constraints.earliest_s;
	if (decision.promise_s == LW_NO_TIME)
		decision.promise_s = lw_snapshot_earliest_s(snap, &job->constraints);
	decision.after_job = run->job_id;
	decision.latest_s = lw_relax_latest(cycle->params, snap->queue.count, job->submit_s,
					    decision.promise_s);
	if (lw_plan_add(cycle->plan, &decision, allocs, count))
		return -ENOMEM;
	chain_follow(cycle, index, (uint32_t)(run - snap->running));
	/* nothing else is kept for it than what the other job holds */
	return lw_cycle_note_reservation(cycle, &decision);
}

int lw_chain_plan(struct lw_cycle *cycle, uint32_t index)
{
	const struct lw_waiting *job = &cycle->snap->waiting[index];
	const struct lw_running *run = lw_snapshot_awaited(cycle->snap, &job->constraints);
	uint32_t place = (uint32_t)(run - cycle->snap->running), count;
	const struct lw_alloc *allocs;

	if (lw_cycle_is_reserved(cycle, index))
		return 0;
	if (lw_policy_has(cycle->params->kind, LW_IN_ORDER) || job->constraints.now_only ||
	    cycle->follower[place] || cycle->preempted[place] ||
	    !lw_cycle_heads_its_nodes(cycle, index) ||
	    fit_behind(cycle, job, run, &allocs, &count))
		return -ENOSPC;
	return chain_reserve(cycle, index, run, allocs, count);
}
