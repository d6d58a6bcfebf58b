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

void lw_walk_fini(struct lw_policy *policy)
{
	free_sets(&policy->walk);
	free_nodes(&policy->walk);
	for (int ends = 0; ends < LW_ENDS_COUNT; ends++)
		lw_releases_fini(&policy->walk.releases[ends]);
	free(policy->walk.preempted);
	free(policy->walk.class_failed);
	free(policy->walk.class_hope);
	free(policy->walk.class_started);
	free(policy->walk.reservations);
	free(policy->walk.held);
	free(policy->walk.turns.heap);
	free(policy->backlog);
	lw_drains_fini(&policy->drains);
	lw_conserve_fini(&policy->conserve);
	lw_outlook_fini(&policy->outlook);
	lw_grades_fini(&policy->grades);
	free(policy->walk.class_next);
	free(policy->walk.taken);
	free(policy->first_variant);
	free(policy->started_as);
	free(policy->by_job);
}

static int size_nodes(struct lw_policy *policy, uint32_t count)
{
	struct lw_walk *walk = &policy->walk;
	size_t room = (size_t)count + 1;

	if (walk->index && count == policy->node_room)
		return 0;
	free_nodes(walk);
	policy->node_room = 0;
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
	policy->node_room = count;
	return 0;
}

static int grow_u32(uint32_t **array, uint32_t *room, uint32_t count)
{
	return lw_grow((void **)array, room, count, sizeof(**array));
}

/* taken stays all 0 between cycles, so that a cycle costs nothing for jobs that wait. */
static int size_taken(struct lw_policy *policy, uint32_t count)
{
	uint32_t old = policy->taken_room;

	if (grow_u32(&policy->walk.taken, &policy->taken_room, count))
		return -ENOMEM;
	if (policy->taken_room > old)
		memset(policy->walk.taken + old, 0,
		       (policy->taken_room - old) * sizeof(*policy->walk.taken));
	return 0;
}

static int size_classes(struct lw_policy *policy, uint32_t count)
{
	struct lw_walk *walk = &policy->walk;

	if (lw_grow((void **)&walk->class_failed, &policy->failed_room, count,
		    sizeof(*walk->class_failed)) ||
	    lw_grow((void **)&walk->class_hope, &policy->hope_room, count,
		    sizeof(*walk->class_hope)) ||
	    lw_grow((void **)&walk->class_started, &policy->started_room, count,
		    sizeof(*walk->class_started)) ||
	    grow_u32(&walk->class_next, &policy->next_room, count))
		return -ENOMEM;
	if (count) {
		memset(walk->class_failed, 0, count * sizeof(*walk->class_failed));
		memset(walk->class_hope, 0, count * sizeof(*walk->class_hope));
		memset(walk->class_started, 0, count * sizeof(*walk->class_started));
		memset(walk->class_next, 0, count * sizeof(*walk->class_next));
	}
	return 0;
}

static int size_running(struct lw_policy *policy, uint32_t count)
{
	struct lw_walk *walk = &policy->walk;

	if (lw_grow((void **)&walk->preempted, &policy->preempted_room, count + 1,
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

/* By set: the width of all that waits for it, but for jobs whose begin time is to come. */
static int fill_backlog(struct lw_policy *policy, const struct lw_snapshot *snap)
{
	const struct lw_queue *queue = &snap->queue;

	policy->walk.backlog = NULL;
	if (policy->params.kind != LW_POLICY_LEEWAY)
		return 0;
	if (lw_grow((void **)&policy->backlog, &policy->backlog_room, snap->set_count,
		    sizeof(*policy->backlog)))
		return -ENOMEM;
	policy->walk.backlog = policy->backlog;
	for (uint32_t s = 0; s < snap->set_count; s++)
		policy->backlog[s] = 0;
	for (uint32_t i = 0; i < queue->active_count; i++) {
		const struct lw_class *class = &queue->classes[queue->active[i]];

		if (lw_walk_is_ahead(&policy->walk, class->begin_s))
			continue;
		policy->backlog[class->set] += (double)class->task_count *
					       lw_width(&policy->walk.scale, &class->request);
	}
	return 0;
}

static int fill_grades(struct lw_policy *policy, const struct lw_snapshot *snap)
{
	int rc = lw_snapshot_grades(snap, &policy->grades);

	policy->walk.grades = policy->grades.count ? &policy->grades : NULL;
	return rc;
}

static int fill_sets(struct lw_policy *policy, const struct lw_snapshot *snap)
{
	struct lw_walk *walk = &policy->walk;

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
static int fill_variants(struct lw_policy *policy, const struct lw_snapshot *snap)
{
	uint32_t count = snap->waiting_count;

	policy->walk.first_variant = NULL;
	policy->walk.started_as = NULL;
	if (!snap->variant_count)
		return 0;
	if (grow_u32(&policy->first_variant, &policy->variant_room, count) ||
	    grow_u32(&policy->started_as, &policy->as_room, count) ||
	    grow_u32(&policy->by_job, &policy->by_job_room, count))
		return -ENOMEM;
	for (uint32_t i = 0; i < count; i++) {
		policy->first_variant[i] = i;
		policy->started_as[i] = 0;
		policy->by_job[i] = i;
	}
	qsort_r(policy->by_job, count, sizeof(*policy->by_job), by_job_then_index, snap->waiting);
	for (uint32_t i = 1; i < count; i++) {
		uint32_t before = policy->by_job[i - 1], here = policy->by_job[i];

		if (snap->waiting[before].job_id == snap->waiting[here].job_id)
			policy->first_variant[here] = policy->first_variant[before];
	}
	policy->walk.first_variant = policy->first_variant;
	policy->walk.started_as = policy->started_as;
	return 0;
}

/* Only where stays are known, which is all of them or none. */
static int fill_drains(struct lw_policy *policy, const struct lw_snapshot *snap)
{
	const struct lw_queue *queue = &snap->queue;
	bool known = false;

	for (uint32_t i = 0; !known && i < queue->active_count; i++)
		known = queue->classes[queue->active[i]].stays != 0;
	if (!known || !policy->walk.fragment || policy->params.stock_placement ||
	    policy->params.place_for_now)
		return 0;
	if (lw_drains_begin(&policy->drains, snap))
		return -ENOMEM;
	policy->walk.drains = &policy->drains;
	return 0;
}

int lw_walk_begin(struct lw_policy *policy, const struct lw_snapshot *snap, struct lw_plan *plan)
{
	struct lw_walk *walk = &policy->walk;

	if (size_nodes(policy, snap->node_count) ||
	    lw_placer_reserve(walk->placer, snap->domains.count) ||
	    size_taken(policy, snap->waiting_count) ||
	    size_classes(policy, snap->queue.class_count) ||
	    size_running(policy, snap->running_count) || fill_variants(policy, snap) ||
	    fill_sets(policy, snap) || fill_grades(policy, snap))
		return -ENOMEM;
	lw_scale_init(&walk->scale, snap);
	walk->params = &policy->params;
	walk->snap = snap;
	walk->plan = plan;
	if (fill_backlog(policy, snap))
		return -ENOMEM;
	walk->releases_ready[LW_ENDS_HARD] = walk->releases_ready[LW_ENDS_EXPECTED] = false;
	walk->favours = (struct lw_favours){ 0 };
	walk->reservation_count = 0;
	walk->held_count = 0;
	walk->stay_tries = 0;
	walk->queue_blocked = false;
	walk->silent = false;
	walk->fragment = NULL;
	walk->bound.snapshot_bytes = walk->bound.go_on_f ? lw_bound_snapshot_bytes(snap) : 0;
	walk->bound.plan = plan;
	walk->bound.profile = &policy->conserve.profile;
	walk->bound.views = &policy->conserve.views;
	walk->drains = NULL;
	if (snap->mix.count) {
		lw_fragment_init(&policy->fragment, &snap->mix, snap->gpu_type_count);
		walk->fragment = &policy->fragment;
	}
	fill_nodes(walk, snap);
	return fill_drains(policy, snap);
}

void lw_walk_done(struct lw_policy *policy, int rc)
{
	struct lw_walk *walk = &policy->walk;

	/* after a failure the plan may lack what was taken last */
	if (rc && walk->taken)
		memset(walk->taken, 0, policy->taken_room * sizeof(*walk->taken));
	for (uint32_t i = 0; !rc && i < walk->plan->decision_count; i++)
		walk->taken[walk->plan->decisions[i].waiting] = 0;
}
