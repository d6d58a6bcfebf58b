/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the memory of a planner, made ready for a cycle. */
#include "planner/cycle/cycle_begin.h"

#include "base/grow.h"
#include "planner/cycle/chain.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static void cycle_begin_free_sets(struct lw_cycle *cycle)
{
	for (uint32_t i = 0; i < cycle->usable_count; i++)
		lw_bitset_fini(&cycle->usable[i]);
	free(cycle->usable);
	free(cycle->claimed);
	lw_bitset_fini(&cycle->claimed_nodes);
	cycle->usable = NULL;
	cycle->claimed = NULL;
	cycle->usable_count = 0;
}

static void cycle_begin_free_nodes(struct lw_cycle *cycle)
{
	free(cycle->free);
	free(cycle->total);
	free(cycle->linked);
	free(cycle->spare);
	free(cycle->over);
	free(cycle->future);
	free(cycle->holder);
	lw_fit_scratch_fini(&cycle->fit);
	lw_placer_destroy(cycle->placer);
	lw_index_destroy(cycle->index);
	cycle->free = cycle->total = cycle->spare = cycle->over = cycle->future = NULL;
	cycle->linked = NULL;
	cycle->holder = NULL;
	cycle->placer = NULL;
	cycle->index = NULL;
}

void lw_cycle_init(struct lw_cycle_memory *memory)
{
	for (int ends = 0; ends < LW_ENDS_COUNT; ends++)
		lw_releases_init(&memory->cycle.releases[ends]);
}

void lw_cycle_fini(struct lw_cycle_memory *memory)
{
	cycle_begin_free_sets(&memory->cycle);
	cycle_begin_free_nodes(&memory->cycle);
	for (int ends = 0; ends < LW_ENDS_COUNT; ends++)
		lw_releases_fini(&memory->cycle.releases[ends]);
	free(memory->cycle.preempted);
	free(memory->cycle.follower);
	free(memory->cycle.class_failed);
	free(memory->cycle.class_hope);
	free(memory->cycle.class_started);
	free(memory->cycle.reservations);
	free(memory->cycle.guarded);
	free(memory->cycle.held);
	free(memory->cycle.class_queue.heap);
	free(memory->cycle.class_queue.members);
	free(memory->cycle.class_queue.first);
	lw_guard_fini(&memory->guard);
	lw_type_fini(&memory->types);
	lw_release_dists_fini(&memory->release_dists);
	lw_grades_fini(&memory->grades);
	free(memory->cycle.class_next);
	free(memory->cycle.taken);
	free(memory->first_variant);
	free(memory->started_as);
	free(memory->by_job);
}

static int cycle_begin_size_nodes(struct lw_cycle_memory *memory, uint32_t count)
{
	struct lw_cycle *cycle = &memory->cycle;
	size_t room = (size_t)count + 1;

	if (cycle->index && count == memory->node_room)
		return 0;
	cycle_begin_free_nodes(cycle);
	memory->node_room = 0;
	cycle->free = calloc(room, sizeof(*cycle->free));
	cycle->total = calloc(room, sizeof(*cycle->total));
	cycle->linked = calloc(room, sizeof(*cycle->linked));
	cycle->spare = calloc(room, sizeof(*cycle->spare));
	cycle->over = calloc(room, sizeof(*cycle->over));
	cycle->future = calloc(room, sizeof(*cycle->future));
	cycle->holder = calloc(room, sizeof(*cycle->holder));
	if (!cycle->free || !cycle->total || !cycle->linked || !cycle->spare || !cycle->over ||
	    !cycle->future || !cycle->holder ||
	    lw_placer_create(count, &cycle->placer) || lw_fit_scratch_init(&cycle->fit, count) ||
	    lw_index_create(count, &cycle->index)) {
		cycle_begin_free_nodes(cycle);
		return -ENOMEM;
	}
	memory->node_room = count;
	return 0;
}

static int cycle_begin_grow_u32(uint32_t **array, uint32_t *room, uint32_t count)
{
	return lw_grow((void **)array, room, count, sizeof(**array));
}

/* taken stays all 0 between cycles, so that waiting jobs cost a cycle nothing. */
static int cycle_begin_size_taken(struct lw_cycle_memory *memory, uint32_t count)
{
	uint32_t old = memory->taken_room;

	if (cycle_begin_grow_u32(&memory->cycle.taken, &memory->taken_room, count))
		return -ENOMEM;
	if (memory->taken_room > old)
		memset(memory->cycle.taken + old, 0,
		       (memory->taken_room - old) * sizeof(*memory->cycle.taken));
	return 0;
}

/* Of a class without a job nothing is asked, and after a long time most classes have none. */
static void cycle_begin_clear_classes(struct lw_cycle *cycle, const struct lw_queue *queue)
{
	for (uint32_t i = 0; i < queue->active_count; i++) {
		uint32_t number = queue->active[i];

		cycle->class_failed[number] = cycle->class_hope[number] = 0;
		cycle->class_started[number] = false;
		cycle->class_next[number] = 0;
	}
}

static int cycle_begin_size_classes(struct lw_cycle_memory *memory, const struct lw_queue *queue)
{
	struct lw_cycle *cycle = &memory->cycle;
	uint32_t count = queue->class_count;

	if (lw_grow((void **)&cycle->class_failed, &memory->failed_room, count,
		    sizeof(*cycle->class_failed)) ||
	    lw_grow((void **)&cycle->class_hope, &memory->hope_room, count,
		    sizeof(*cycle->class_hope)) ||
	    lw_grow((void **)&cycle->class_started, &memory->started_room, count,
		    sizeof(*cycle->class_started)) ||
	    cycle_begin_grow_u32(&cycle->class_next, &memory->next_room, count))
		return -ENOMEM;
	cycle_begin_clear_classes(cycle, queue);
	return 0;
}

static int cycle_begin_size_running(struct lw_cycle_memory *memory, uint32_t count)
{
	struct lw_cycle *cycle = &memory->cycle;

	if (lw_grow((void **)&cycle->preempted, &memory->preempted_room, count + 1,
		    sizeof(*cycle->preempted)) ||
	    cycle_begin_grow_u32(&cycle->follower, &memory->follower_room, count + 1))
		return -ENOMEM;
	memset(cycle->preempted, 0, count + 1);
	memset(cycle->follower, 0, (count + 1) * sizeof(*cycle->follower));
	return 0;
}

/* What is free: the size of each usable node less what the running jobs hold. */
static void cycle_begin_fill_nodes(struct lw_cycle *cycle, const struct lw_snapshot *snap)
{
	cycle->knows_islands = false;
	cycle->all_free = (struct lw_res_sum){ 0 };
	for (uint32_t i = 0; i < snap->node_count; i++) {
		cycle->linked[i] = snap->nodes[i].linked;
		cycle->knows_islands |= cycle->linked[i] != 0;
		cycle->total[i] = snap->nodes[i].total;
		cycle->free[i] = snap->nodes[i].total;
		lw_res_sub(&cycle->free[i], &snap->used[i]);
		lw_res_sum_add(&cycle->all_free, &cycle->free[i]);
		cycle->over[i] = snap->used[i];
		lw_res_sub(&cycle->over[i], &cycle->total[i]);
	}
	lw_index_build(cycle->index, cycle->free, cycle->total, snap->gpu_type_count);
	memset(cycle->holder, 0, snap->node_count * sizeof(*cycle->holder));
}

static int cycle_begin_fill_grades(struct lw_cycle_memory *memory, const struct lw_snapshot *snap)
{
	int rc = lw_snapshot_grades(snap, &memory->grades);

	memory->cycle.grades = memory->grades.count ? &memory->grades : NULL;
	return rc;
}

static int cycle_begin_fill_sets(struct lw_cycle_memory *memory, const struct lw_snapshot *snap)
{
	struct lw_cycle *cycle = &memory->cycle;

	cycle_begin_free_sets(cycle);
	cycle->usable = calloc((size_t)snap->set_count + 1, sizeof(*cycle->usable));
	cycle->claimed = calloc((size_t)snap->set_count + 1, sizeof(*cycle->claimed));
	if (!cycle->usable || !cycle->claimed ||
	    lw_bitset_init(&cycle->claimed_nodes, snap->node_count))
		return -ENOMEM;
	for (uint32_t s = 0; s < snap->set_count; s++) {
		uint32_t node;

		if (lw_bitset_copy(&cycle->usable[s], &snap->sets[s].nodes))
			return -ENOMEM;
		cycle->usable_count = s + 1;
		lw_bitset_foreach(&snap->sets[s].nodes, node)
		{
			if (!snap->nodes[node].usable)
				lw_bitset_clear(&cycle->usable[s], node);
		}
	}
	return 0;
}

static int cycle_begin_by_job_then_index(const void *a, const void *b, void *arg)
{
	const struct lw_waiting *waiting = arg;
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	if (waiting[x].job_id != waiting[y].job_id)
		return waiting[x].job_id < waiting[y].job_id ? -1 : 1;
	return x < y ? -1 : x > y;
}

/* For each record the first one of the same job, if any job has several. */
static int cycle_begin_fill_variants(struct lw_cycle_memory *memory,
				     const struct lw_snapshot *snap)
{
	uint32_t count = snap->waiting_count;

	memory->cycle.first_variant = NULL;
	memory->cycle.started_as = NULL;
	if (!snap->variant_count)
		return 0;
	if (cycle_begin_grow_u32(&memory->first_variant, &memory->variant_room, count) ||
	    cycle_begin_grow_u32(&memory->started_as, &memory->as_room, count) ||
	    cycle_begin_grow_u32(&memory->by_job, &memory->by_job_room, count))
		return -ENOMEM;
	for (uint32_t i = 0; i < count; i++) {
		memory->first_variant[i] = i;
		memory->started_as[i] = 0;
		memory->by_job[i] = i;
	}
	qsort_r(memory->by_job, count, sizeof(*memory->by_job), cycle_begin_by_job_then_index,
		snap->waiting);
	for (uint32_t i = 1; i < count; i++) {
		uint32_t before = memory->by_job[i - 1], here = memory->by_job[i];

		if (snap->waiting[before].job_id == snap->waiting[here].job_id)
			memory->first_variant[here] = memory->first_variant[before];
	}
	memory->cycle.first_variant = memory->first_variant;
	memory->cycle.started_as = memory->started_as;
	return 0;
}

/* Only if survival functions are known; then all are, or none. */
static int cycle_begin_fill_release_dists(struct lw_cycle_memory *memory,
					  const struct lw_snapshot *snap)
{
	const struct lw_outside *outside = memory->cycle.params->outside;
	const struct lw_queue *queue = &snap->queue;
	bool known = false;

	for (uint32_t i = 0; !known && i < queue->active_count; i++)
		known = queue->classes[queue->active[i]].expected.survival != 0;
	if (!known || !memory->cycle.fragment ||
	    (outside && (outside->choose || outside->for_now)))
		return 0;
	if (lw_release_dists_begin(&memory->release_dists, snap))
		return -ENOMEM;
	memory->cycle.release_dists = &memory->release_dists;
	return 0;
}

int lw_cycle_begin(struct lw_cycle_memory *memory, const struct lw_policy_params *params,
		   const struct lw_snapshot *snap, struct lw_plan *plan)
{
	struct lw_cycle *cycle = &memory->cycle;

	if (cycle_begin_size_nodes(memory, snap->node_count) ||
	    lw_placer_reserve(cycle->placer, snap->domains.count) ||
	    cycle_begin_size_taken(memory, snap->waiting_count) ||
	    cycle_begin_size_classes(memory, &snap->queue) ||
	    cycle_begin_size_running(memory, snap->running_count) ||
	    lw_grow((void **)&cycle->guarded, &cycle->guarded_room, 1, sizeof(*cycle->guarded)) ||
	    cycle_begin_fill_variants(memory, snap) || cycle_begin_fill_sets(memory, snap) ||
	    cycle_begin_fill_grades(memory, snap))
		return -ENOMEM;
	lw_scale_init(&cycle->scale, snap);
	cycle->params = params;
	cycle->snap = snap;
	cycle->plan = plan;
	cycle->releases_ready[LW_ENDS_HARD] = cycle->releases_ready[LW_ENDS_EXPECTED] = false;
	cycle->class_queue.by_job = false;
	cycle->guard = &memory->guard;
	cycle->guard->on = false;
	cycle->types = &memory->types;
	cycle->types->on = false;
	cycle->reservation_count = 0;
	cycle->held_count = 0;
	cycle->guarded[0] = 0;
	cycle->stay_tries = 0;
	cycle->followers = 0;
	cycle->silent = false;
	cycle->fragment = NULL;
	cycle->bound.snapshot_bytes = cycle->bound.go_on_f ? lw_bound_snapshot_bytes(snap) : 0;
	cycle->bound.plan = plan;
	cycle->release_dists = NULL;
	if (snap->mix.count) {
		lw_fragment_init(&memory->fragment, &snap->mix, snap->gpu_type_count);
		cycle->fragment = &memory->fragment;
	}
	cycle_begin_fill_nodes(cycle, snap);
	lw_chain_begin(cycle);
	if (params->outside && params->outside->begin)
		params->outside->begin(params->outside->arg, snap);
	return cycle_begin_fill_release_dists(memory, snap);
}

void lw_cycle_done(struct lw_cycle_memory *memory, int rc)
{
	struct lw_cycle *cycle = &memory->cycle;

	/* after a failure the plan may lack the last start */
	if (rc && cycle->taken)
		memset(cycle->taken, 0, memory->taken_room * sizeof(*cycle->taken));
	for (uint32_t i = 0; !rc && i < cycle->plan->decision_count; i++)
		cycle->taken[cycle->plan->decisions[i].waiting] = 0;
}
