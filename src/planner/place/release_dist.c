/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: how the GPUs of broken nodes come free, and what a job there costs until then. */
#include "planner/place/release_dist.h"

#include "base/grow.h"
#include "planner/place/fragment.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void lw_release_dists_fini(struct lw_release_dists *release_dists)
{
	free(release_dists->items);
	*release_dists = (struct lw_release_dists){ 0 };
}

static bool release_dist_has_one_type(const struct lw_res *total)
{
	unsigned types = 0;

	for (int type = 0; type < LW_GPU_TYPES_MAX; type++)
		types += total->gpus[type] != 0;
	return types == 1;
}

void lw_release_dists_add(struct lw_release_dists *release_dists, const struct lw_snapshot *snap,
			  uint32_t node, uint32_t gpus, uint64_t survival)
{
	if (!gpus || !survival || !release_dist_has_one_type(&snap->nodes[node].total))
		return;
	for (unsigned point = 0; point < LW_SURVIVAL_POINTS; point++) {
		uint16_t *odds = release_dists->items[node].odds[point];
		uint32_t stay = lw_survival_at(survival, point);

		/* from above, so that none moves twice */
		for (uint32_t free = LW_DRAIN_GPUS; free-- > 0;) {
			uint32_t to = free + gpus < LW_DRAIN_GPUS ? free + gpus : LW_DRAIN_GPUS;
			uint32_t goes = odds[free] - odds[free] * stay / LW_SURVIVAL_ONE;

			odds[free] = (uint16_t)(odds[free] - goes);
			odds[to] = (uint16_t)(odds[to] + goes);
		}
	}
}

static void release_dist_begin_node(struct lw_release_dist *drain)
{
	memset(drain, 0, sizeof(*drain));
	for (unsigned point = 0; point < LW_SURVIVAL_POINTS; point++)
		drain->odds[point][0] = LW_DRAIN_ONE;
}

int lw_release_dists_begin(struct lw_release_dists *release_dists, const struct lw_snapshot *snap)
{
	if (lw_grow((void **)&release_dists->items, &release_dists->room, snap->node_count + 1,
		    sizeof(*release_dists->items)))
		return -ENOMEM;
	for (uint32_t node = 0; node < snap->node_count; node++)
		release_dist_begin_node(&release_dists->items[node]);
	for (uint32_t r = 0; r < snap->running_count; r++) {
		const struct lw_running *job = &snap->running[r];
		const struct lw_alloc *allocs = lw_running_allocs(snap, job);

		for (uint32_t i = 0; job->survival && i < job->alloc_count; i++)
			lw_release_dists_add(release_dists, snap, allocs[i].node,
					     lw_res_gpus(&allocs[i].res), job->survival);
	}
	return 0;
}

static uint32_t release_dist_bound(uint32_t gpus)
{
	return gpus < LW_FRAGMENT_GPUS ? gpus : LW_FRAGMENT_GPUS;
}

int64_t lw_release_dist_cost(const struct lw_release_dist *drain, const int64_t *plenty,
			     uint32_t have, uint32_t take, uint64_t survival)
{
	int64_t cost = 0;

	for (unsigned point = 0; point < LW_SURVIVAL_POINTS; point++) {
		uint32_t stay = lw_survival_at(survival, point);
		int64_t mean = 0;

		if (!stay)
			break;
		for (uint32_t came = 0; came <= LW_DRAIN_GPUS; came++) {
			uint32_t free = release_dist_bound(have + came),
				 left = free > take ? free - take : 0;

			mean += drain->odds[point][came] * (plenty[left] - plenty[free]);
		}
		cost += lw_survival_span(point) * stay * (mean / LW_DRAIN_ONE);
	}
	return cost;
}

bool lw_release_dist_matters(const struct lw_snapshot *snap, uint32_t index)
{
	const struct lw_running *job = &snap->running[index];
	const struct lw_alloc *allocs = lw_running_allocs(snap, job);

	for (uint32_t i = 0; i < job->alloc_count; i++) {
		uint32_t gpus = lw_res_gpus(&allocs[i].res);

		if (gpus && gpus < lw_res_gpus(&snap->nodes[allocs[i].node].total))
			return true;
	}
	return false;
}
