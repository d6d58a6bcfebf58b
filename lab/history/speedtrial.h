/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: how well run times by GPU type are learned, on jobs made from recipes. */
#ifndef LW_LAB_HISTORY_SPEEDTRIAL_H
#define LW_LAB_HISTORY_SPEEDTRIAL_H

#include "config/recipes.h"

#include <stdbool.h>
#include <stdint.h>

/* How many runs of each kind on each type. */
#define LW_SPEEDTRIAL_ROWS 6
extern const uint32_t lw_speedtrial_runs[LW_SPEEDTRIAL_ROWS];

/* Over all pairs of types of all recipes: how far the ratio of two run times was off, as a share.
 */
struct lw_speedtrial_row {
	double mean, p90, worst;
	uint32_t pairs;
};

/*
 * Each recipe is a kind of job, of USERS users in turn, that ran so many times on each type on
 * which it can, a run off by NOISE: a share, normal in logarithms. What was learned is asked for
 * the ratio of each pair of types, and held against the recipe's. PUBLISHED: the mean speed of
 * each type over all recipes is known beforehand. 0, or -ENOMEM.
 */
struct lw_speedtrial {
	uint64_t seed;
	double noise;
	uint32_t users;
	bool published;
};
int lw_speedtrial_run(const struct lw_speedtrial *trial, const struct lw_recipes *recipes,
		      struct lw_speedtrial_row rows[LW_SPEEDTRIAL_ROWS]);

#endif
