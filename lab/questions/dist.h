/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: how values are distributed: exactly, by sorting them. */
#ifndef LW_LAB_QUESTIONS_DIST_H
#define LW_LAB_QUESTIONS_DIST_H

#include <stdint.h>

/* Of no value, all but count and sum are NAN. Quantiles are those of the nearest rank. */
struct lw_dist {
	uint32_t count;
	double sum, mean, least, p10, p25, median, p75, p90, p99, most;
};

/* Sort COUNT VALUES, and say how they are distributed. */
void lw_dist_of(double *values, uint32_t count, struct lw_dist *ret_dist);
/* The value that a share Q (0 .. 1) of COUNT rising VALUES does not pass; NAN for none. */
double lw_dist_quantile(const double *values, uint32_t count, double q);
/* How many of COUNT rising VALUES are at most LIMIT. */
uint32_t lw_dist_rank(const double *values, uint32_t count, double limit);
/* Sort COUNT VALUES. */
void lw_dist_sort(double *values, uint32_t count);

/* PART of WHOLE, or NAN of nothing. */
double lw_share(double part, double whole);

#endif
