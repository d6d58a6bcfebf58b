/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the state of one planning cycle: what can be asked of it. */
#include "planner/cycle/cycle.h"

#include "planner/cycle/chain.h"
#include "planner/cycle/type.h"

#include <errno.h>
#include <string.h>

int64_t lw_cycle_end(const struct lw_cycle *cycle, const struct lw_waiting *job)
{
	return lw_waiting_end_s(job, cycle->snap->now_s);
}

bool lw_cycle_ready(const struct lw_cycle *cycle, uint32_t index, enum lw_reason *ret_reason)
{
	const struct lw_waiting *job = lw_cycle_job(cycle, index);

	if (job->readiness == LW_NOT_READY)
		*ret_reason = LW_REASON_WAITS_FOR_SLURM;
	else if (job->readiness == LW_REFUSED)
		*ret_reason = LW_REASON_WAITS_AFTER_REFUSAL;
	else if (lw_cycle_is_ahead(cycle, job->begin_s))
		*ret_reason = LW_REASON_WAITS_FOR_BEGIN;
	else
		return true;
	return false;
}

/* Set I of the job: its own, then those of its co-allocation; false after the last. */
static bool cycle_set_of(const struct lw_cycle *cycle, const struct lw_waiting *job, uint32_t i,
			 uint32_t *ret_set)
{
	const struct lw_coallocation *coallocation;

	if (!i) {
		*ret_set = job->set;
		return true;
	}
	if (!job->constraints.coallocation)
		return false;
	coallocation = &cycle->snap->coallocations[job->constraints.coallocation - 1];
	if (i > coallocation->need_count)
		return false;
	*ret_set = cycle->snap->needs[coallocation->first_need + i - 1].set;
	return true;
}

static bool cycle_is_claimed(const struct lw_cycle *cycle, uint32_t set)
{
	return (cycle->claimed[set] & LW_CLAIM) ||
	       lw_bitset_intersects(&cycle->usable[set], &cycle->claimed_nodes);
}

bool lw_cycle_heads_its_nodes(const struct lw_cycle *cycle, uint32_t index)
{
	const struct lw_waiting *job = lw_cycle_job(cycle, index);
	uint32_t set;

	if (lw_cycle_is_self_reserved(cycle, index))
		return !(cycle->claimed[job->set] & LW_CLAIM_SELF_RESERVED);
	for (uint32_t i = 0; cycle_set_of(cycle, job, i, &set); i++) {
		if (cycle_is_claimed(cycle, set))
			return false;
	}
	return true;
}

bool lw_cycle_is_reserved(const struct lw_cycle *cycle, uint32_t index)
{
	for (uint32_t r = 0; r < cycle->reservation_count; r++) {
		if (!cycle->reservations[r].over && cycle->reservations[r].waiting == index)
			return true;
	}
	return false;
}

bool lw_cycle_is_self_reserved(const struct lw_cycle *cycle, uint32_t index)
{
	const struct lw_constraints *constraints = &lw_cycle_job(cycle, index)->constraints;

	return constraints->self_reserved && constraints->earliest_s > cycle->snap->now_s;
}

/* Have other jobs claimed all of the job's sets? */
static bool cycle_all_claimed(const struct lw_cycle *cycle, const struct lw_waiting *job,
			      uint8_t claim)
{
	uint32_t set;

	for (uint32_t i = 0; cycle_set_of(cycle, job, i, &set); i++) {
		if (!(cycle->claimed[set] & claim))
			return false;
	}
	return true;
}

void lw_cycle_claim_nodes(struct lw_cycle *cycle, uint32_t index)
{
	const struct lw_waiting *job = lw_cycle_job(cycle, index);
	uint8_t claim =
		lw_cycle_is_self_reserved(cycle, index) ? LW_CLAIM_SELF_RESERVED : LW_CLAIM;
	uint32_t set;

	/* a job that can never run must not block the jobs behind it */
	if (job->constraints.now_only || cycle_all_claimed(cycle, job, claim) ||
	    !lw_cycle_ever_fits(cycle, index))
		return;
	for (uint32_t i = 0; cycle_set_of(cycle, job, i, &set); i++) {
		cycle->claimed[set] |= claim;
		if (claim == LW_CLAIM)
			lw_bitset_or(&cycle->claimed_nodes, &cycle->usable[set]);
	}
}

void lw_cycle_claim_nothing(struct lw_cycle *cycle)
{
	memset(cycle->claimed, 0, cycle->snap->set_count);
	lw_bitset_clear_all(&cycle->claimed_nodes);
}

void lw_cycle_note_free(struct lw_cycle *cycle, uint32_t node, const struct lw_res *before)
{
	lw_index_update(cycle->index, node, &cycle->total[node], before, &cycle->free[node]);
	lw_res_sum_sub(&cycle->all_free, before);
	lw_res_sum_add(&cycle->all_free, &cycle->free[node]);
}

int64_t lw_cycle_promise(const struct lw_cycle *cycle, uint32_t index)
{
	return cycle->taken[index] ? LW_NO_TIME : lw_cycle_job(cycle, index)->promise_s;
}

struct lw_decision lw_cycle_decision(const struct lw_cycle *cycle, uint32_t index,
				     enum lw_verdict verdict, enum lw_reason reason,
				     int64_t start_s)
{
	return (struct lw_decision){
		.choice = lw_type_choice_of(cycle, index),
		.waiting = index,
		.job_id = lw_cycle_job(cycle, index)->job_id,
		.verdict = verdict,
		.reason = reason,
		.start_s = start_s,
		.promise_s = lw_cycle_promise(cycle, index),
		.latest_s = LW_NO_TIME,
	};
}

struct lw_room lw_cycle_room(struct lw_cycle *cycle, const struct lw_waiting *job)
{
	const struct lw_outside *outside = cycle->params->outside;
	struct lw_room room = {
		.free = cycle->free,
		.total = cycle->total,
		.candidates = &cycle->usable[job->set],
		.index = cycle->index,
		.gpu_types = cycle->snap->gpu_type_count,
		.linked = cycle->knows_islands ? cycle->linked : NULL,
		.domains = &cycle->snap->domains,
		.grades = cycle->grades,
		.fragment = cycle->fragment,
		.choose = outside ? outside->choose : NULL,
	};

	if (lw_constraints_matter(&job->constraints))
		room.fit = (struct lw_fit){
			.job = job,
			.snap = cycle->snap,
			.usable = cycle->usable,
			.scratch = &cycle->fit,
			.earliest_s = lw_snapshot_earliest_s(cycle->snap, &job->constraints),
		};
	return room;
}

/* By amounts alone: the greedy placement is not asked. */
static bool cycle_has_enough(const struct lw_room *room, const struct lw_res *total,
			     const struct lw_request *req)
{
	uint64_t nodes = 0, cpus = 0, gpus = 0;
	uint32_t node;

	lw_bitset_foreach(room->candidates, node)
	{
		uint32_t gpus_here = lw_res_gpus(&total[node]);

		if (total[node].cpus < req->cpus_per_node || gpus_here < req->gpus_per_node ||
		    total[node].mem_mib < req->mem_per_node_mib)
			continue;
		nodes++;
		cpus += total[node].cpus;
		gpus += gpus_here;
	}
	return nodes >= req->nodes_min && cpus >= req->cpus_total && gpus >= req->gpus_total;
}

bool lw_cycle_is_hopeless(struct lw_cycle *cycle, uint32_t index)
{
	uint32_t class = cycle->snap->queue.class_of[index];
	const struct lw_waiting *job = lw_cycle_job(cycle, index);

	if (!cycle->class_hope[class]) {
		struct lw_room room = lw_cycle_room(cycle, job);

		cycle->class_hope[class] = LW_HOPE;
		if (!cycle_has_enough(&room, cycle->total, &job->request)) {
			room.candidates = &cycle->snap->sets[job->set].nodes;
			cycle->class_hope[class] =
				cycle_has_enough(&room, cycle->total, &job->request)
					? LW_HOPE_LATER
					: LW_NO_HOPE;
		}
	}
	if (cycle->class_hope[class] == LW_HOPE)
		return false;
	lw_cycle_fail_class(cycle, class, LW_REASON_WAITS_FOR_NODES);
	return true;
}

bool lw_cycle_ever_fits(struct lw_cycle *cycle, uint32_t index)
{
	const struct lw_waiting *job = lw_cycle_job(cycle, index);
	const struct lw_alloc *allocs;
	struct lw_room empty;
	uint32_t count;

	if (lw_cycle_is_hopeless(cycle, index))
		return false;
	empty = lw_cycle_room(cycle, job);
	empty.free = cycle->total;
	empty.index = NULL;
	return !lw_fit(cycle->placer, &empty, &job->request, LW_FIT_EVER, &allocs, &count);
}

bool lw_cycle_is_preemptible(const struct lw_cycle *cycle, const struct lw_reservation *resv,
			     uint32_t index)
{
	return lw_constraints_yield_to(&lw_cycle_job(cycle, index)->constraints,
				       &lw_cycle_job(cycle, resv->waiting)->constraints);
}

/* What a start now will release, and when. */
static struct lw_release cycle_release_of(const struct lw_cycle *cycle, uint32_t index,
					  enum lw_ends ends, uint32_t first_alloc,
					  uint32_t alloc_count)
{
	const struct lw_waiting *job = lw_cycle_job(cycle, index);
	const struct lw_class *class = lw_cycle_class(cycle, index);
	int64_t end_s = lw_cycle_end(cycle, job);

	if (ends == LW_ENDS_EXPECTED && class->expected.mean_s < end_s - cycle->snap->now_s)
		end_s = cycle->snap->now_s + class->expected.mean_s;
	return (struct lw_release){
		.end_s = end_s,
		.job_id = job->job_id,
		.first_alloc = first_alloc,
		.alloc_count = alloc_count,
		.preempt_class = job->constraints.preempt_class,
		.priority = job->priority,
		.planned = true,
	};
}

/* Hardly ever is there one, so they are not looked for one by one. */
static void cycle_drop_preempted(const struct lw_cycle *cycle, struct lw_releases *releases)
{
	const uint8_t *first = cycle->preempted, *at = first;
	const uint8_t *behind = first + cycle->snap->running_count;

	for (; (at = memchr(at, 1, (size_t)(behind - at))); at++)
		lw_releases_drop(releases, (uint32_t)(at - first));
}

int lw_cycle_need_releases(struct lw_cycle *cycle, enum lw_ends ends, int64_t until_s)
{
	struct lw_releases *releases = &cycle->releases[ends];

	if (cycle->releases_ready[ends])
		return 0;
	if (lw_releases_begin(releases, cycle->snap, ends, until_s))
		return -ENOMEM;
	cycle->releases_ready[ends] = true;
	cycle_drop_preempted(cycle, releases);
	for (uint32_t i = 0; i < cycle->plan->decision_count; i++) {
		const struct lw_decision *decision = &cycle->plan->decisions[i];
		struct lw_release release =
			cycle_release_of(cycle, decision->waiting, ends, decision->first_alloc,
					 decision->alloc_count);

		if (decision->verdict == LW_START && lw_releases_add(releases, &release))
			return -ENOMEM;
	}
	lw_chain_prolong(cycle, ends);
	return 0;
}

int lw_cycle_note_releases(struct lw_cycle *cycle, uint32_t index, uint32_t count)
{
	for (int ends = 0; ends < LW_ENDS_COUNT; ends++) {
		struct lw_release release = cycle_release_of(cycle, index, (enum lw_ends)ends,
							     cycle->plan->alloc_count, count);

		if (cycle->releases_ready[ends] &&
		    lw_releases_add(&cycle->releases[ends], &release))
			return -ENOMEM;
	}
	return 0;
}

int lw_cycle_wait(struct lw_cycle *cycle, uint32_t index, enum lw_reason reason)
{
	struct lw_decision decision;

	if (cycle->params->terse || cycle->silent)
		return 0;
	if (reason == LW_REASON_WAITS_FOR_NODES && lw_cycle_is_hopeless(cycle, index) &&
	    cycle->class_hope[cycle->snap->queue.class_of[index]] == LW_HOPE_LATER)
		reason = LW_REASON_WAITS_FOR_REPAIR;
	decision = lw_cycle_decision(cycle, index, LW_WAIT, reason, LW_NO_TIME);
	return lw_plan_add(cycle->plan, &decision, NULL, 0);
}
