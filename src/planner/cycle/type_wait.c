/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: how long a job may wait for another type of GPU than it could have. */
#include "planner/cycle/type.h"

#include <errno.h>

/* How often a cycle may search for the start of a job on its type. */
#define SEARCHES_MAX 100

int64_t lw_type_until(const struct lw_cycle *cycle, uint32_t index)
{
	const struct lw_type_class *class = lw_type_class_at(cycle, index);
	int64_t promise_s = lw_cycle_promise(cycle, index);

	if (promise_s != LW_NO_TIME)
		return promise_s;
	return class ? class->until_s : cycle->snap->now_s;
}

uint32_t lw_type_slowest(const struct lw_cycle *cycle, uint32_t index, uint32_t tried)
{
	const struct lw_type_class *class = lw_type_class_at(cycle, index);
	uint32_t most_s = 0, best = 0;

	for (int type = 0; class && type < LW_GPU_TYPES_MAX; type++) {
		uint32_t time_s = lw_type_time_s(lw_cycle_class(cycle, index), type);

		if (!(class->types & ~tried & UINT32_C(1) << type) || time_s <= most_s)
			continue;
		most_s = time_s;
		best = UINT32_C(1) << type;
	}
	return best;
}

/* The expected start of the record on the types of its mask; LW_NO_TIME: not known. */
static int type_wait_find_start(struct lw_cycle *cycle, uint32_t index, int64_t *ret_start_s)
{
	const struct lw_waiting *job = &cycle->snap->waiting[index];
	struct lw_bitset unguarded;
	struct lw_room room = lw_cycle_room(cycle, job);
	struct lw_seek seek = lw_cycle_seek(cycle, LW_ENDS_EXPECTED, job, &room);
	struct lw_shadow shadow;
	int rc;

	*ret_start_s = LW_NO_TIME;
	if (cycle->types->searches++ >= SEARCHES_MAX)
		return 0;
	if (lw_bitset_copy(&unguarded, room.candidates))
		return -ENOMEM;
	/* guarded nodes do not count: they are kept from it for an unknown time */
	for (uint32_t node = 0; node < cycle->snap->node_count; node++)
		if (cycle->guarded[cycle->holder[node]])
			lw_bitset_clear(&unguarded, node);
	room.candidates = &unguarded;
	room.type_mask = lw_type_mask(cycle, index);
	rc = lw_cycle_need_releases(cycle, LW_ENDS_EXPECTED, INT64_MAX);
	if (!rc)
		rc = lw_shadow_find(&seek, &shadow);
	if (!rc)
		*ret_start_s = shadow.time_s;
	lw_bitset_fini(&unguarded);
	return rc == -ENOSPC ? 0 : rc;
}

/* The run time on the type that is fastest for the record, of the types that it may have now. */
static uint32_t type_wait_least_time_s(const struct lw_cycle *cycle, uint32_t index)
{
	uint32_t mask = lw_type_mask(cycle, index), least_s = UINT32_MAX;

	for (int type = 0; type < LW_GPU_TYPES_MAX; type++) {
		uint32_t time_s = lw_type_time_s(lw_cycle_class(cycle, index), type);

		if ((mask >> type & 1) && time_s < least_s)
			least_s = time_s;
	}
	return least_s;
}

/*
 * The division knows no nodes. Is the job's type really free as soon as it assumes, or at least
 * so soon that waiting pays? A single GPU that comes free does so on some node. *RET_UNTIL_S:
 * when waiting begins to cost, or the type is free; now: waiting does not pay.
 */
static int type_wait_find_until(struct lw_cycle *cycle, uint32_t index,
				const struct lw_type_class *class, int64_t other_done_s,
				int64_t *ret_until_s)
{
	const struct lw_class *of = lw_cycle_class(cycle, index);
	int64_t now_s = cycle->snap->now_s, done_s = other_done_s, start_s = now_s;
	int64_t gains_s = other_done_s - type_wait_least_time_s(cycle, index);
	int rc = 0;

	if (class->choice.made) {
		done_s = class->choice.done_s;
		start_s = done_s - lw_type_time_s(of, class->choice.type);
	}
	if (lw_type_gpus(&of->request) > 1 || start_s <= now_s)
		rc = type_wait_find_start(cycle, index, &start_s);
	*ret_until_s = now_s;
	/* it has no room now, whatever the amounts say */
	if (!rc && start_s > now_s &&
	    (start_s <= gains_s || start_s + type_wait_least_time_s(cycle, index) <= done_s))
		*ret_until_s = gains_s > start_s ? gains_s : start_s;
	return rc;
}

int lw_type_declines(struct lw_cycle *cycle, uint32_t index, const struct lw_alloc *allocs,
		     uint32_t count, bool *ret_declines)
{
	struct lw_type_class *class = lw_type_class_at(cycle, index);
	const struct lw_class *of = lw_cycle_class(cycle, index);
	int type = lw_type_of(cycle, allocs, count);
	int64_t done_s;
	bool cramped;
	int rc;

	*ret_declines = false;
	if (!class || type == LW_GPU_ANY)
		return 0;
	cramped = of->expected.cramped >> type & 1;
	if (cycle->params->types == LW_TYPES_ANY && !cramped)
		return 0;
	/* if memory is short, a run may fail at any time up to its limit, without a result */
	done_s = cycle->snap->now_s + (cramped ? of->limit_s : lw_type_time_s(of, type));
	rc = type_wait_find_until(cycle, index, class, done_s, &class->until_s);
	*ret_declines = !rc && class->until_s > cycle->snap->now_s;
	if (!*ret_declines || !class->choice.made)
		return rc;
	class->choice.other = (int8_t)type;
	class->choice.cramped = cramped;
	class->choice.other_done_s = done_s;
	return rc;
}
