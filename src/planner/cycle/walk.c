/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the state of one planning cycle: what can be asked of it. */
#include "planner/cycle/walk.h"

#include <errno.h>

static const struct lw_waiting *job_at(const struct lw_walk *walk, uint32_t index)
{
	return &walk->snap->waiting[index];
}

int64_t lw_walk_end(const struct lw_walk *walk, const struct lw_waiting *job)
{
	return lw_waiting_end_s(job, walk->snap->now_s);
}

bool lw_walk_ready(const struct lw_walk *walk, uint32_t index, enum lw_reason *ret_reason)
{
	const struct lw_waiting *job = job_at(walk, index);

	if (job->readiness == LW_NOT_READY)
		*ret_reason = LW_REASON_WAITS_FOR_SLURM;
	else if (job->readiness == LW_REFUSED)
		*ret_reason = LW_REASON_WAITS_AFTER_REFUSAL;
	else if (lw_walk_is_ahead(walk, job->begin_s))
		*ret_reason = LW_REASON_WAITS_FOR_BEGIN;
	else
		return true;
	return false;
}

uint32_t lw_walk_tasks_left(const struct lw_walk *walk, uint32_t index)
{
	if (walk->first_variant) {
		uint32_t started_as = walk->started_as[walk->first_variant[index]];

		if (started_as && started_as != index + 1)
			return 0;
	}
	return job_at(walk, index)->tasks - walk->taken[index];
}

/* Set I of the job: its own, then those of its bundle; false after the last. */
static bool set_of(const struct lw_walk *walk, const struct lw_waiting *job, uint32_t i,
		   uint32_t *ret_set)
{
	const struct lw_bundle *bundle;

	if (!i) {
		*ret_set = job->set;
		return true;
	}
	if (!job->terms.bundle)
		return false;
	bundle = &walk->snap->bundles[job->terms.bundle - 1];
	if (i > bundle->need_count)
		return false;
	*ret_set = walk->snap->needs[bundle->first_need + i - 1].set;
	return true;
}

static bool is_claimed(const struct lw_walk *walk, uint32_t set)
{
	if (walk->claimed[set] & LW_CLAIM)
		return true;
	for (uint32_t other = 0; other < walk->snap->set_count; other++) {
		if ((walk->claimed[other] & LW_CLAIM) &&
		    lw_bitset_intersects(&walk->usable[set], &walk->usable[other]))
			return true;
	}
	return false;
}

bool lw_walk_heads_its_nodes(const struct lw_walk *walk, uint32_t index)
{
	const struct lw_waiting *job = job_at(walk, index);
	uint32_t set;

	if (lw_walk_is_sheltered(walk, index))
		return !(walk->claimed[job->set] & LW_CLAIM_SHELTERED);
	for (uint32_t i = 0; set_of(walk, job, i, &set); i++) {
		if (is_claimed(walk, set))
			return false;
	}
	return true;
}

bool lw_walk_is_reserved(const struct lw_walk *walk, uint32_t index)
{
	for (uint32_t r = 0; r < walk->reservation_count; r++) {
		if (!walk->reservations[r].over && walk->reservations[r].waiting == index)
			return true;
	}
	return false;
}

bool lw_walk_is_sheltered(const struct lw_walk *walk, uint32_t index)
{
	const struct lw_terms *terms = &job_at(walk, index)->terms;

	return terms->sheltered && terms->earliest_s > walk->snap->now_s;
}

/* Have others claimed all of the job's sets? */
static bool all_claimed(const struct lw_walk *walk, const struct lw_waiting *job, uint8_t claim)
{
	uint32_t set;

	for (uint32_t i = 0; set_of(walk, job, i, &set); i++) {
		if (!(walk->claimed[set] & claim))
			return false;
	}
	return true;
}

void lw_walk_claim_nodes(struct lw_walk *walk, uint32_t index)
{
	const struct lw_waiting *job = job_at(walk, index);
	uint8_t claim = lw_walk_is_sheltered(walk, index) ? LW_CLAIM_SHELTERED : LW_CLAIM;
	uint32_t set;

	/* a job that could never run must not stand in the way of those behind it */
	if (job->terms.now_only || all_claimed(walk, job, claim) ||
	    !lw_walk_ever_fits(walk, index))
		return;
	for (uint32_t i = 0; set_of(walk, job, i, &set); i++)
		walk->claimed[set] |= claim;
}

int64_t lw_walk_promise(const struct lw_walk *walk, uint32_t index)
{
	return walk->taken[index] ? LW_NO_TIME : job_at(walk, index)->promise_s;
}

struct lw_decision lw_walk_decision(const struct lw_walk *walk, uint32_t index,
				    enum lw_verdict verdict, enum lw_reason reason,
				    int64_t start_s)
{
	return (struct lw_decision){
		.waiting = index,
		.job_id = job_at(walk, index)->job_id,
		.verdict = verdict,
		.reason = reason,
		.start_s = start_s,
		.promise_s = lw_walk_promise(walk, index),
		.latest_s = LW_NO_TIME,
	};
}

struct lw_room lw_walk_room(struct lw_walk *walk, const struct lw_waiting *job)
{
	struct lw_room room = {
		.free = walk->free,
		.total = walk->total,
		.candidates = &walk->usable[job->set],
		.index = walk->index,
		.gpu_types = walk->snap->gpu_type_count,
		.linked = walk->knows_islands ? walk->linked : NULL,
		.domains = &walk->snap->domains,
		.grades = walk->grades,
		.fragment = walk->fragment,
		.as_stock = walk->params->stock_placement,
	};

	if (lw_terms_matter(&job->terms))
		room.fit = (struct lw_fit){
			.job = job,
			.snap = walk->snap,
			.usable = walk->usable,
			.scratch = &walk->fit,
		};
	return room;
}

/* By amounts alone: placement, which is greedy, is not asked. */
static bool has_enough(const struct lw_room *room, const struct lw_res *total,
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

bool lw_walk_is_hopeless(struct lw_walk *walk, uint32_t index)
{
	uint32_t class = walk->snap->queue.class_of[index];
	const struct lw_waiting *job = job_at(walk, index);

	if (!walk->class_hope[class]) {
		struct lw_room room = lw_walk_room(walk, job);

		walk->class_hope[class] =
			has_enough(&room, walk->total, &job->request) ? LW_HOPE : LW_NO_HOPE;
	}
	if (walk->class_hope[class] == LW_HOPE)
		return false;
	lw_walk_fail_class(walk, class, LW_REASON_WAITS_FOR_NODES);
	return true;
}

bool lw_walk_ever_fits(struct lw_walk *walk, uint32_t index)
{
	const struct lw_waiting *job = job_at(walk, index);
	const struct lw_alloc *allocs;
	struct lw_room empty;
	uint32_t count;

	if (lw_walk_is_hopeless(walk, index))
		return false;
	empty = lw_walk_room(walk, job);
	empty.free = walk->total;
	empty.index = NULL;
	return !lw_fit(walk->placer, &empty, &job->request, LW_FIT_EVER, &allocs, &count);
}

bool lw_walk_gives_way(const struct lw_walk *walk, const struct lw_reservation *resv,
		       uint32_t index)
{
	return lw_terms_gives_way(&job_at(walk, index)->terms,
				  &job_at(walk, resv->waiting)->terms);
}

/* What a start at this moment gives back, and when. */
static struct lw_release release_of(const struct lw_walk *walk, uint32_t index, enum lw_ends ends,
				    uint32_t first_alloc, uint32_t alloc_count)
{
	const struct lw_waiting *job = job_at(walk, index);
	const struct lw_class *class = lw_walk_class(walk, index);
	int64_t end_s = lw_walk_end(walk, job);

	if (ends == LW_ENDS_EXPECTED && class->expected.mean_s < end_s - walk->snap->now_s)
		end_s = walk->snap->now_s + class->expected.mean_s;
	return (struct lw_release){
		.end_s = end_s,
		.job_id = job->job_id,
		.first_alloc = first_alloc,
		.alloc_count = alloc_count,
		.kind = job->terms.kind,
		.priority = job->priority,
		.planned = true,
	};
}

int lw_walk_need_releases(struct lw_walk *walk, enum lw_ends ends, int64_t until_s)
{
	struct lw_releases *releases = &walk->releases[ends];

	if (walk->releases_ready[ends])
		return 0;
	if (lw_releases_begin(releases, walk->snap, ends, until_s))
		return -ENOMEM;
	walk->releases_ready[ends] = true;
	for (uint32_t r = 0; r < walk->snap->running_count; r++) {
		if (walk->preempted[r])
			lw_releases_drop(releases, walk->snap, r);
	}
	for (uint32_t i = 0; i < walk->plan->decision_count; i++) {
		const struct lw_decision *decision = &walk->plan->decisions[i];
		struct lw_release release =
			release_of(walk, decision->waiting, ends, decision->first_alloc,
				   decision->alloc_count);

		if (decision->verdict == LW_START && lw_releases_add(releases, &release))
			return -ENOMEM;
	}
	return 0;
}

int lw_walk_note_releases(struct lw_walk *walk, uint32_t index, uint32_t count)
{
	for (int ends = 0; ends < LW_ENDS_COUNT; ends++) {
		struct lw_release release = release_of(walk, index, (enum lw_ends)ends,
						       walk->plan->alloc_count, count);

		if (walk->releases_ready[ends] &&
		    lw_releases_add(&walk->releases[ends], &release))
			return -ENOMEM;
	}
	return 0;
}

int lw_walk_wait(struct lw_walk *walk, uint32_t index, enum lw_reason reason)
{
	struct lw_decision decision;

	if (walk->params->terse || walk->silent)
		return 0;
	decision = lw_walk_decision(walk, index, LW_WAIT, reason, LW_NO_TIME);
	return lw_plan_add(walk->plan, &decision, NULL, 0);
}
