/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the memory of a planner, made ready for a cycle. */
#include "planner/cycle/walk_begin.h"

#include "base/grow.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static void free_sets(struct lw_walk *walk)
{
	for (uint32_t i = 0; i < walk->usable_count; i++)
		lw_bitset_fini(&walk->usable[i]);
	free(walk->usable);
	free(walk->claimed);
	walk->usable = NULL;
	walk->claimed = NULL;
	walk->usable_count = 0;
}

static void free_nodes(struct lw_walk *walk)
{
	free(walk->free);
	free(walk->total);
	free(walk->linked);
	free(walk->spare);
	free(walk->over);
	free(walk->future);
	free(walk->holder);
	free(walk->guarded);
	lw_fit_scratch_fini(&walk->fit);
	lw_placer_destroy(walk->placer);
	lw_index_destroy(walk->index);
	walk->free = walk->total = walk->spare = walk->over = walk->future = NULL;
	walk->linked = NULL;
	walk->holder = NULL;
	walk->guarded = NULL;
	walk->placer = NULL;
	walk->index = NULL;
}

void lw_walk_init(struct lw_walk_memory *memory)
{
	for (int ends = 0; ends < LW_ENDS_COUNT; ends++)
		lw_releases_init(&memory->walk.releases[ends]);
}

void lw_walk_fini(struct lw_walk_memory *memory)
{
	free_sets(&memory->walk);
	free_nodes(&memory->walk);
	for (int ends = 0; ends < LW_ENDS_COUNT; ends++)
		lw_releases_fini(&memory->walk.releases[ends]);
	free(memory->walk.preempted);
	free(memory->walk.class_failed);
	free(memory->walk.class_hope);
	free(memory->walk.class_started);
	free(memory->walk.reservations);
	free(memory->walk.held);
	free(memory->walk.turns.heap);
	free(memory->walk.turns.members);
	free(memory->walk.turns.first);
	lw_drains_fini(&memory->drains);
	lw_grades_fini(&memory->grades);
	free(memory->walk.class_next);
	free(memory->walk.taken);
	free(memory->first_variant);
	free(memory->started_as);
	free(memory->by_job);
}

static int size_nodes(struct lw_walk_memory *memory, uint32_t count)
{
	struct lw_walk *walk = &memory->walk;
	size_t room = (size_t)count + 1;

	if (walk->index && count == memory->node_room)
		return 0;
	free_nodes(walk);
	memory->node_room = 0;
	walk->free = calloc(room, sizeof(*walk->free));
	walk->total = calloc(room, sizeof(*walk->total));
	walk->linked = calloc(room, sizeof(*walk->linked));
	walk->spare = calloc(room, sizeof(*walk->spare));
	walk->over = calloc(room, sizeof(*walk->over));
	walk->future = calloc(room, sizeof(*walk->future));
	walk->holder = calloc(room, sizeof(*walk->holder));
	walk->guarded = calloc(room, sizeof(*walk->guarded));
	if (!walk->free || !walk->total || !walk->linked || !walk->spare || !walk->over ||
	    !walk->future || !walk->holder || !walk->guarded ||
	    lw_placer_create(count, &walk->placer) ||
	    lw_fit_scratch_init(&walk->fit, count) ||
	    lw_index_create(count, &walk->index)) {
		free_nodes(walk);
		return -ENOMEM;
	}
	memory->node_room = count;
	return 0;
}

static int grow_u32(uint32_t **array, uint32_t *room, uint32_t count)
{
	return lw_grow((void **)array, room, count, sizeof(**array));
}

/* taken stays all 0 between cycles, so that a cycle costs nothing for jobs that wait. */
static int size_taken(struct lw_walk_memory *memory, uint32_t count)
{
	uint32_t old = memory->taken_room;

	if (grow_u32(&memory->walk.taken, &memory->taken_room, count))
		return -ENOMEM;
	if (memory->taken_room > old)
		memset(memory->walk.taken + old, 0,
		       (memory->taken_room - old) * sizeof(*memory->walk.taken));
	return 0;
}

static int size_classes(struct lw_walk_memory *memory, uint32_t count)
{
	struct lw_walk *walk = &memory->walk;

	if (lw_grow((void **)&walk->class_failed, &memory->failed_room, count,
		    sizeof(*walk->class_failed)) ||
	    lw_grow((void **)&walk->class_hope, &memory->hope_room, count,
		    sizeof(*walk->class_hope)) ||
	    lw_grow((void **)&walk->class_started, &memory->started_room, count,
		    sizeof(*walk->class_started)) ||
	    grow_u32(&walk->class_next, &memory->next_room, count))
		return -ENOMEM;
	if (count) {
		memset(walk->class_failed, 0, count * sizeof(*walk->class_failed));
		memset(walk->class_hope, 0, count * sizeof(*walk->class_hope));
		memset(walk->class_started, 0, count * sizeof(*walk->class_started));
		memset(walk->class_next, 0, count * sizeof(*walk->class_next));
	}
	return 0;
}

static int size_running(struct lw_walk_memory *memory, uint32_t count)
{
	struct lw_walk *walk = &memory->walk;

	if (lw_grow((void **)&walk->preempted, &memory->preempted_room, count + 1,
		    sizeof(*walk->preempted)))
		return -ENOMEM;
	memset(walk->preempted, 0, count + 1);
	return 0;
}

/* What is free: of each usable node its size less what the running jobs hold. */
static void fill_nodes(struct lw_walk *walk, const struct lw_snapshot *snap)
{
	walk->knows_islands = false;
	for (uint32_t i = 0; i < snap->node_count; i++) {
		walk->linked[i] = snap->nodes[i].linked;
		walk->knows_islands |= walk->linked[i] != 0;
		walk->total[i] = snap->nodes[i].total;
		walk->free[i] = snap->nodes[i].total;
		lw_res_sub(&walk->free[i], &snap->used[i]);
		walk->over[i] = snap->used[i];
		lw_res_sub(&walk->over[i], &walk->total[i]);
	}
	lw_index_build(walk->index, walk->free, walk->total, snap->gpu_type_count);
	memset(walk->holder, 0, snap->node_count * sizeof(*walk->holder));
	memset(walk->guarded, 0, snap->node_count * sizeof(*walk->guarded));
}

static int fill_grades(struct lw_walk_memory *memory, const struct lw_snapshot *snap)
{
	int rc = lw_snapshot_grades(snap, &memory->grades);

	memory->walk.grades = memory->grades.count ? &memory->grades : NULL;
	return rc;
}

static int fill_sets(struct lw_walk_memory *memory, const struct lw_snapshot *snap)
{
	struct lw_walk *walk = &memory->walk;

	free_sets(walk);
	walk->usable = calloc((size_t)snap->set_count + 1, sizeof(*walk->usable));
	walk->claimed = calloc((size_t)snap->set_count + 1, sizeof(*walk->claimed));
	if (!walk->usable || !walk->claimed)
		return -ENOMEM;
	for (uint32_t s = 0; s < snap->set_count; s++) {
		uint32_t node;

		if (lw_bitset_copy(&walk->usable[s], &snap->sets[s].nodes))
			return -ENOMEM;
		walk->usable_count = s + 1;
		lw_bitset_foreach(&snap->sets[s].nodes, node)
		{
			if (!snap->nodes[node].usable)
				lw_bitset_clear(&walk->usable[s], node);
		}
	}
	return 0;
}

static int by_job_then_index(const void *a, const void *b, void *arg)
{
	const struct lw_waiting *waiting = arg;
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	if (waiting[x].job_id != waiting[y].job_id)
		return waiting[x].job_id < waiting[y].job_id ? -1 : 1;
	return x < y ? -1 : x > y;
}

/* For each record the first one of the same job, if any job has several. */
static int fill_variants(struct lw_walk_memory *memory, const struct lw_snapshot *snap)
{
	uint32_t count = snap->waiting_count;

	memory->walk.first_variant = NULL;
	memory->walk.started_as = NULL;
	if (!snap->variant_count)
		return 0;
	if (grow_u32(&memory->first_variant, &memory->variant_room, count) ||
	    grow_u32(&memory->started_as, &memory->as_room, count) ||
	    grow_u32(&memory->by_job, &memory->by_job_room, count))
		return -ENOMEM;
	for (uint32_t i = 0; i < count; i++) {
		memory->first_variant[i] = i;
		memory->started_as[i] = 0;
		memory->by_job[i] = i;
	}
	qsort_r(memory->by_job, count, sizeof(*memory->by_job), by_job_then_index, snap->waiting);
	for (uint32_t i = 1; i < count; i++) {
		uint32_t before = memory->by_job[i - 1], here = memory->by_job[i];

		if (snap->waiting[before].job_id == snap->waiting[here].job_id)
			memory->first_variant[here] = memory->first_variant[before];
	}
	memory->walk.first_variant = memory->first_variant;
	memory->walk.started_as = memory->started_as;
	return 0;
}

/* Only where stays are known, which is all of them or none. */
static int fill_drains(struct lw_walk_memory *memory, const struct lw_snapshot *snap)
{
	const struct lw_queue *queue = &snap->queue;
	bool known = false;

	for (uint32_t i = 0; !known && i < queue->active_count; i++)
		known = queue->classes[queue->active[i]].expected.stays != 0;
	if (!known || !memory->walk.fragment || memory->walk.params->stock_placement ||
	    memory->walk.params->place_for_now)
		return 0;
	if (lw_drains_begin(&memory->drains, snap))
		return -ENOMEM;
	memory->walk.drains = &memory->drains;
	return 0;
}

int lw_walk_begin(struct lw_walk_memory *memory, const struct lw_policy_params *params,
		  const struct lw_snapshot *snap, struct lw_plan *plan)
{
	struct lw_walk *walk = &memory->walk;

	if (size_nodes(memory, snap->node_count) ||
	    lw_placer_reserve(walk->placer, snap->domains.count) ||
	    size_taken(memory, snap->waiting_count) ||
	    size_classes(memory, snap->queue.class_count) ||
	    size_running(memory, snap->running_count) || fill_variants(memory, snap) ||
	    fill_sets(memory, snap) || fill_grades(memory, snap))
		return -ENOMEM;
	lw_scale_init(&walk->scale, snap);
	walk->params = params;
	walk->snap = snap;
	walk->plan = plan;
	walk->releases_ready[LW_ENDS_HARD] = walk->releases_ready[LW_ENDS_EXPECTED] = false;
	walk->turns.by_job = false;
	walk->reservation_count = 0;
	walk->held_count = 0;
	walk->stay_tries = 0;
	walk->silent = false;
	walk->fragment = NULL;
	walk->bound.snapshot_bytes = walk->bound.go_on_f ? lw_bound_snapshot_bytes(snap) : 0;
	walk->bound.plan = plan;
	walk->drains = NULL;
	if (snap->mix.count) {
		lw_fragment_init(&memory->fragment, &snap->mix, snap->gpu_type_count);
		walk->fragment = &memory->fragment;
	}
	fill_nodes(walk, snap);
	return fill_drains(memory, snap);
}

void lw_walk_done(struct lw_walk_memory *memory, int rc)
{
	struct lw_walk *walk = &memory->walk;

	/* after a failure the plan may lack what was taken last */
	if (rc && walk->taken)
		memset(walk->taken, 0, memory->taken_room * sizeof(*walk->taken));
	for (uint32_t i = 0; !rc && i < walk->plan->decision_count; i++)
		walk->taken[walk->plan->decisions[i].waiting] = 0;
}
