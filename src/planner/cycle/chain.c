/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: a job that waits for the end of a running job: the next link of a chain. */
#include "planner/cycle/chain.h"

#include "planner/cycle/relax.h"
#include "planner/cycle/reserve.h"

#include <errno.h>
#include <string.h>

/* Shares of a machine that differ only by this are equal. */
#define ROUNDING 1e-9

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

/* How much longer the nodes are held. */
static int64_t chain_stay_s(const struct lw_cycle *cycle, uint32_t index, enum lw_ends ends)
{
	return ends == LW_ENDS_HARD ? cycle->snap->waiting[index].limit_s
				    : lw_cycle_class(cycle, index)->expected.mean_s;
}

void lw_chain_prolong(struct lw_cycle *cycle, enum lw_ends ends)
{
	for (uint32_t run = 0; cycle->followers && run < cycle->snap->running_count; run++) {
		if (cycle->follower[run])
			lw_releases_prolong(&cycle->releases[ends], run,
					    chain_stay_s(cycle, cycle->follower[run] - 1, ends));
	}
}

/* From now on what it takes over is not free at that job's end. */
static void chain_follow(struct lw_cycle *cycle, uint32_t index, uint32_t run)
{
	cycle->follower[run] = index + 1;
	cycle->followers++;
	for (int ends = 0; ends < LW_ENDS_COUNT; ends++) {
		if (cycle->releases_ready[ends])
			lw_releases_prolong(&cycle->releases[ends], run,
					    chain_stay_s(cycle, index, (enum lw_ends)ends));
	}
}

/* Its place in what RUN alone releases. */
static int chain_fit_behind(struct lw_cycle *cycle, const struct lw_waiting *job,
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
	/* no room is kept for it but what the running job holds */
	return lw_cycle_note_reservation(cycle, &decision);
}

/* Is WIDTH more than the share, and more than LEAST? */
static bool chain_exceeds(double width, double share, double all, double least)
{
	double most = (share + ROUNDING) * all;

	return share < 1 && width > most && (share <= 0 || width > least);
}

bool lw_chain_is_beyond(const struct lw_policy_params *params, const struct lw_scale *scale,
			const struct lw_snapshot *snap, int64_t limit_s,
			const struct lw_chain_widths *widths)
{
	double all = scale->cpus_per_node * snap->node_count;
	double node = snap->node_count > 1 ? (1 + ROUNDING) * scale->cpus_per_node : 0;

	return limit_s < params->chain_min_s ||
	       chain_exceeds(widths->user, params->chain_share, all, node) ||
	       chain_exceeds(widths->all, params->chain_total, all, node);
}

/* Would followers hold more than allowed? */
static bool chain_is_too_much(const struct lw_cycle *cycle, const struct lw_waiting *job)
{
	double own = lw_width(&cycle->scale, &job->request), width;
	struct lw_chain_widths widths = { own, own };

	for (uint32_t r = 0; r < cycle->reservation_count; r++) {
		uint32_t index = cycle->reservations[r].waiting;
		const struct lw_waiting *other = &cycle->snap->waiting[index];

		if (!lw_chain_follows(cycle, index))
			continue;
		width = lw_width(&cycle->scale, &other->request);
		widths.all += width;
		widths.user += other->user_id == job->user_id ? width : 0;
	}
	return lw_chain_is_beyond(cycle->params, &cycle->scale, cycle->snap, job->limit_s, &widths);
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
	    cycle->follower[place] || cycle->preempted[place] || chain_is_too_much(cycle, job) ||
	    !lw_cycle_heads_its_nodes(cycle, index) ||
	    chain_fit_behind(cycle, job, run, &allocs, &count))
		return -ENOSPC;
	return chain_reserve(cycle, index, run, allocs, count);
}
