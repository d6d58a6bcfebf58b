/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: how the run time of a kind of job falls with the number of GPUs that share it. */
#include "predictor/speed.h"

#include "base/search.h"
#include "predictor/scaling.h"

#include <math.h>

static bool speed_sizes_is_kind(const struct lw_speed_key *a, const struct lw_speed_key *b)
{
	return a->user == b->user && a->tag == b->tag && a->name == b->name;
}

/* The points of one type, from entry FIRST on; returns how many. */
static uint32_t speed_sizes_points(const struct lw_speeds *speeds, uint32_t first, uint32_t type,
				   struct lw_scaling_point points[LW_SCALING_POINTS_MAX])
{
	const struct lw_speed_key *key = &speeds->entries[first].key;
	uint32_t count = 0;

	for (uint32_t i = first; i < speeds->count && count < LW_SCALING_POINTS_MAX; i++) {
		const struct lw_speed *speed = &speeds->entries[i];

		if (!speed_sizes_is_kind(&speed->key, key))
			break;
		if (speed->key.gpus && speed->runs[type] >= LW_SPEED_SIZE_RUNS)
			points[count++] = (struct lw_scaling_point){
				.size = speed->key.gpus,
				.unit_s = exp((double)speed->mean[type] / LW_SPEED_ONE),
				.weight = speed->runs[type],
			};
	}
	return count;
}

/* Of MOST and FEW GPUs: the part of the time on most that these share, so that both are met. */
static uint32_t speed_sizes_part(const struct lw_scaling *scaling, uint32_t few, uint32_t most)
{
	double most_s = lw_scaling_unit_s(scaling, most), few_s = lw_scaling_unit_s(scaling, few);
	double shared = (few_s / most_s - 1) / ((double)most / few - 1);

	if (!(shared > 0))
		return 1;
	return shared < 1 ? 1 + (uint32_t)(999 * shared) : 1000;
}

uint32_t lw_speeds_shared(const struct lw_speeds *speeds, const struct lw_speed_key *key,
			  uint32_t few)
{
	struct lw_scaling_point points[LW_SCALING_POINTS_MAX];
	struct lw_scaling scaling, best;
	uint32_t first, runs = 0;

	LW_SEARCH(
		first, speeds->count,
		lw_speed_key_before(&speeds->entries[first].key,
				    &(struct lw_speed_key){ key->user, key->tag, key->name, 0 }));
	if (!few || few >= key->gpus || first == speeds->count ||
	    !speed_sizes_is_kind(&speeds->entries[first].key, key))
		return 0;
	for (uint32_t type = 0; type < speeds->type_count; type++) {
		uint32_t count = speed_sizes_points(speeds, first, type, points), sum = 0;

		for (uint32_t i = 0; i < count; i++)
			sum += points[i].weight;
		if (sum <= runs || lw_scaling_fit(points, count, &scaling))
			continue;
		runs = sum;
		best = scaling;
	}
	return runs ? speed_sizes_part(&best, few, key->gpus) : 0;
}
