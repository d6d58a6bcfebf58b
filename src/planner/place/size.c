/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: how many nodes a job gets that runs on more or fewer (size.mode). */
#include "planner/place/size.h"

#include <math.h>

/* A job of so many nodes more is looked at in steps, so that a choice costs the same. */
#define SIZE_LOOKS 256

double lw_size_slower(const struct lw_size *size, uint32_t nodes)
{
	double shared = (double)size->shared / LW_SIZE_ALL;

	if (!nodes || nodes >= size->most)
		return 1;
	return 1 - shared + shared * size->most / nodes;
}

int64_t lw_size_run_s(const struct lw_size *size, uint32_t nodes, int64_t run_s)
{
	double slower = lw_size_slower(size, nodes), there_s = (double)run_s * slower;

	if (slower <= 1)
		return run_s;
	return there_s < 0x1p62 ? (int64_t)ceil(there_s) : INT64_MAX;
}

uint32_t lw_size_floor(const struct lw_size *size, int64_t run_s, int64_t limit_s)
{
	uint32_t half = (size->most + 1) / 2;
	uint32_t floor = size->least > half ? size->least : half;
	uint32_t step = (size->most - floor) / SIZE_LOOKS + 1;

	if (!size->shared || floor > size->most)
		return size->most;
	while (floor < size->most && lw_size_run_s(size, floor, run_s) > limit_s)
		floor = size->most - floor > step ? floor + step : size->most;
	return floor;
}

uint32_t lw_size_choose(const struct lw_size *size, uint32_t floor, double part, uint32_t others)
{
	uint32_t step = (size->most - floor) / SIZE_LOOKS + 1, best = size->most;
	double each = (double)LW_SIZE_CROWD * others * part;
	double least = 1 + each * size->most;

	for (uint32_t nodes = size->most; nodes - floor >= step;) {
		double cost;

		nodes -= step;
		cost = lw_size_slower(size, nodes) * (1 + each * nodes);
		if (cost < least) {
			least = cost;
			best = nodes;
		}
	}
	return best;
}

int64_t lw_size_gain_s(const struct lw_size *size, uint32_t nodes, uint32_t free,
		       const struct lw_size_rest *rest)
{
	uint32_t grown = size->most;
	double part, gain_s;

	if (nodes >= size->most || !size->shared)
		return 0;
	if (size->most - nodes > free)
		grown = nodes + free;
	if (grown < nodes + (nodes + 1) / 2)
		return 0;
	part = lw_size_slower(size, grown) / lw_size_slower(size, nodes);
	gain_s = (double)rest->rest_s * (1 - part) - (double)rest->cost_s;
	return gain_s > 0 ? (int64_t)gain_s : 0;
}
