/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: how the time of one piece of work falls with the number of GPUs that share it. */
#ifndef LW_PREDICTOR_SCALING_H
#define LW_PREDICTOR_SCALING_H

#include <stdbool.h>
#include <stdint.h>

/*
 * The time of a piece of work on N GPUs is taken as
 *
 *     fixed + shared / N + growing * (N - 1)
 *
 * with no part below 0: the part that is not shared (Amdahl 1967), the part that is, and what
 * the GPUs tell each other. It is the time of a step in Optimus (Peng et al., EuroSys 2018) with
 * as many servers as workers, and that of Pollux (Qiao et al., OSDI 2021) where computing and
 * telling do not overlap. Pure; the same points in any order make the same fit.
 */

/* Below this part of what the smallest size makes of a GPU, a larger one is not good use. */
#define LW_SCALING_GOOD 0.7
/* Points beyond are left out. */
#define LW_SCALING_POINTS_MAX 64
/* Of fewer sizes nothing grows that is not shared anyway: the fit has two parts. */
#define LW_SCALING_GROWS_FROM 3

struct lw_scaling_point {
	uint32_t size;   /* above 0 */
	double unit_s;   /* of one piece of work; above 0 */
	uint32_t weight; /* how many runs tell of it; above 0 */
};

struct lw_scaling {
	double fixed_s, shared_s, growing_s;
	double error; /* of the point that is farthest off, as a part of its time */
};

/*
 * Fit COUNT points; the deviations count as parts of the time, by their weights. -ENODATA: they
 * are of fewer than two sizes.
 */
int lw_scaling_fit(const struct lw_scaling_point *points, uint32_t count,
		   struct lw_scaling *ret_scaling);
/* The time of a piece of work on SIZE GPUs. */
double lw_scaling_unit_s(const struct lw_scaling *scaling, uint32_t size);

/* How many times as fast the second is as the first. */
double lw_scaling_speedup(double base_s, double unit_s);
/* What SIZE makes of a GPU, as a part of what BASE does. */
double lw_scaling_efficiency(uint32_t base, double base_s, uint32_t size, double unit_s);

#endif
