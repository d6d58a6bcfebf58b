/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: how the time of one piece of work falls with the number of GPUs that share it. */
#include "predictor/scaling.h"

#include <errno.h>

#define SCALING_PARTS 3
/* Less is no pivot: two columns are alike. */
#define SCALING_TINY 1e-12

/* What each part is worth at SIZE. */
static void scaling_row(uint32_t size, double row[SCALING_PARTS])
{
	row[0] = 1;
	row[1] = 1.0 / size;
	row[2] = size - 1.0;
}

/* The equations of the least squares: A x = B. */
struct scaling_equations {
	double a[SCALING_PARTS][SCALING_PARTS], b[SCALING_PARTS];
};

/* Times in units of SCALE. */
static void scaling_add(struct scaling_equations *eq, const struct lw_scaling_point *point,
			double scale)
{
	double unit = point->unit_s / scale;
	double row[SCALING_PARTS];

	scaling_row(point->size, row);
	for (int i = 0; i < SCALING_PARTS; i++) {
		double part = row[i] / unit;

		/* each deviation as a part of its time */
		eq->b[i] += point->weight * part;
		for (int j = 0; j < SCALING_PARTS; j++)
			eq->a[i][j] += point->weight * part * row[j] / unit;
	}
}

/* Without the parts that USED, a bit each, leaves out; these are 0. False: there is no one
 * answer. */
static bool scaling_solve(const struct scaling_equations *equations, unsigned used,
			  double x[SCALING_PARTS])
{
	struct scaling_equations eq = *equations;

	for (int i = 0; i < SCALING_PARTS; i++)
		for (int j = 0; j < SCALING_PARTS; j++)
			if (!(used & 1u << i) || !(used & 1u << j))
				eq.a[i][j] = i == j;
	for (int i = 0; i < SCALING_PARTS; i++)
		eq.b[i] = used & 1u << i ? eq.b[i] : 0;
	for (int i = 0; i < SCALING_PARTS; i++) {
		if (eq.a[i][i] < SCALING_TINY)
			return false;
		for (int k = i + 1; k < SCALING_PARTS; k++) {
			double times = eq.a[k][i] / eq.a[i][i];

			for (int j = i; j < SCALING_PARTS; j++)
				eq.a[k][j] -= times * eq.a[i][j];
			eq.b[k] -= times * eq.b[i];
		}
	}
	for (int i = SCALING_PARTS - 1; i >= 0; i--) {
		x[i] = eq.b[i];
		for (int j = i + 1; j < SCALING_PARTS; j++)
			x[i] -= eq.a[i][j] * x[j];
		x[i] /= eq.a[i][i];
	}
	return true;
}

/* The weighted sum of squared deviations. */
static double scaling_misfit(const struct lw_scaling_point *points, uint32_t count,
			     const struct lw_scaling *scaling, double *ret_worst)
{
	double sum = 0;

	*ret_worst = 0;
	for (uint32_t i = 0; i < count; i++) {
		double off = lw_scaling_unit_s(scaling, points[i].size) / points[i].unit_s - 1;

		sum += points[i].weight * off * off;
		off = off < 0 ? -off : off;
		*ret_worst = off > *ret_worst ? off : *ret_worst;
	}
	return sum;
}

static uint32_t scaling_sizes(const struct lw_scaling_point *points, uint32_t count)
{
	uint32_t sizes = 0;

	for (uint32_t i = 0; i < count; i++) {
		uint32_t before = 0;

		while (before < i && points[before].size != points[i].size)
			before++;
		sizes += before == i;
	}
	return sizes;
}

/* Each choice of parts is tried: of those without a part below 0 the best fits. */
int lw_scaling_fit(const struct lw_scaling_point *points, uint32_t count,
		   struct lw_scaling *ret_scaling)
{
	struct scaling_equations eq = { .b = { 0 } };
	uint32_t sizes;
	double best = -1, scale = count ? points[0].unit_s : 0;

	count = count < LW_SCALING_POINTS_MAX ? count : LW_SCALING_POINTS_MAX;
	sizes = scaling_sizes(points, count);
	if (sizes < 2)
		return -ENODATA;
	for (uint32_t i = 1; i < count; i++)
		scale = points[i].unit_s < scale ? points[i].unit_s : scale;
	for (uint32_t i = 0; i < count; i++)
		scaling_add(&eq, &points[i], scale);
	for (unsigned used = 1; used < 1u << (sizes < LW_SCALING_GROWS_FROM ? 2 : 3); used++) {
		double x[SCALING_PARTS], misfit, worst;
		struct lw_scaling scaling;

		if (!scaling_solve(&eq, used, x) || x[0] < 0 || x[1] < 0 || x[2] < 0)
			continue;
		scaling = (struct lw_scaling){ x[0] * scale, x[1] * scale, x[2] * scale, 0 };
		misfit = scaling_misfit(points, count, &scaling, &worst);
		scaling.error = worst;
		if (best >= 0 && misfit >= best)
			continue;
		best = misfit;
		*ret_scaling = scaling;
	}
	return 0;
}

double lw_scaling_unit_s(const struct lw_scaling *scaling, uint32_t size)
{
	double row[SCALING_PARTS];

	scaling_row(size, row);
	return scaling->fixed_s * row[0] + scaling->shared_s * row[1] +
	       scaling->growing_s * row[2];
}

double lw_scaling_speedup(double base_s, double unit_s)
{
	return base_s / unit_s;
}

double lw_scaling_efficiency(uint32_t base, double base_s, uint32_t size, double unit_s)
{
	return base * base_s / (size * unit_s);
}
