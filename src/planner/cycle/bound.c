/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: a bound on the cost of a planning cycle, set by the caller. */
#include "planner/cycle/bound.h"

#include <errno.h>

static uint64_t bound_queue_bytes(const struct lw_queue *queue)
{
	uint64_t members = 0;

	for (uint32_t i = 0; i < queue->class_count; i++)
		members += queue->classes[i].member_room;
	return (members + queue->order_room + queue->active_room + queue->slot_count +
		queue->class_of_room) *
		       sizeof(uint32_t) +
	       queue->seq_room * sizeof(*queue->seq) +
	       queue->class_room * sizeof(*queue->classes);
}

uint64_t lw_bound_snapshot_bytes(const struct lw_snapshot *snap)
{
	uint64_t set_bytes = snap->node_count / 8 + sizeof(*snap->sets);

	return bound_queue_bytes(&snap->queue) + snap->node_room * sizeof(*snap->nodes) +
	       snap->used_room * sizeof(*snap->used) + snap->set_count * set_bytes +
	       snap->running_room * sizeof(*snap->running) +
	       snap->alloc_room * sizeof(*snap->allocs) +
	       snap->waiting_room * sizeof(*snap->waiting);
}

int lw_bound_check(const struct lw_bound *bound)
{
	const struct lw_plan *plan = bound->plan;
	uint64_t bytes;

	if (!bound->go_on_f)
		return 0;
	bytes = bound->snapshot_bytes + plan->decision_room * sizeof(*plan->decisions) +
		plan->alloc_room * sizeof(*plan->allocs);
	if (bound->profile)
		bytes += bound->profile->bytes + lw_preempt_views_bytes(bound->views);
	return bound->go_on_f(bound->arg, bytes) ? 0 : -ECANCELED;
}
