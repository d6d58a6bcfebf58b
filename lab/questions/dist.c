/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: how values are distributed: exactly, by sorting them. */
#include "lab/questions/dist.h"

#include "base/search.h"

#include <math.h>
#include <stdlib.h>

static int compare_values(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;

	return a < b ? -1 : a > b;
}

void lw_dist_sort(double *values, uint32_t count)
{
	if (count)
		qsort(values, count, sizeof(*values), compare_values);
}

double lw_dist_quantile(const double *values, uint32_t count, double q)
{
	double rank = ceil(q * count);

	if (!count)
		return NAN;
	return values[rank < 1 ? 0 : rank > count ? count - 1 : (uint32_t)rank - 1];
}

uint32_t lw_dist_rank(const double *values, uint32_t count, double limit)
{
	uint32_t at;

	LW_SEARCH(at, count, values[at] <= limit);
	return at;
}

void lw_dist_of(double *values, uint32_t count, struct lw_dist *ret_dist)
{
	double sum = 0;

	lw_dist_sort(values, count);
	for (uint32_t i = 0; i < count; i++)
		sum += values[i];
	*ret_dist = (struct lw_dist){
		.count = count,
		.sum = sum,
		.mean = count ? sum / count : NAN,
		.least = count ? values[0] : NAN,
		.p10 = lw_dist_quantile(values, count, 0.1),
		.p25 = lw_dist_quantile(values, count, 0.25),
		.median = lw_dist_quantile(values, count, 0.5),
		.p75 = lw_dist_quantile(values, count, 0.75),
		.p90 = lw_dist_quantile(values, count, 0.9),
		.p99 = lw_dist_quantile(values, count, 0.99),
		.most = count ? values[count - 1] : NAN,
	};
}

double lw_share(double part, double whole)
{
	return whole > 0 ? part / whole : NAN;
}
