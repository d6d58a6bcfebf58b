/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: exact tests of whether a place has more of something than chance gives it. */
#include "measure/exact.h"

#include <math.h>
#include <stdlib.h>

/* Above so many steps the normal approximation will do: there are thousands of trials. */
#define EXACT_STEPS_MAX 2e7

static uint32_t exact_most(const struct lw_exact_stratum *s)
{
	return s->here < s->marked ? s->here : s->marked;
}

static uint32_t exact_fewest(const struct lw_exact_stratum *s)
{
	uint32_t unmarked = s->all - s->marked;

	return s->here > unmarked ? s->here - unmarked : 0;
}

/* P(k + 1) / P(k) of the hypergeometric distribution. */
static double exact_ratio(const struct lw_exact_stratum *s, uint32_t k)
{
	double above = (double)(s->marked - k) * (s->here - k);
	double below = (k + 1.0) * ((double)s->all - s->marked - s->here + k + 1.0);

	return above / below;
}

/* The probabilities of each number from the fewest to the most into P, which sum to 1. */
static void exact_spread(const struct lw_exact_stratum *s, double *p)
{
	uint32_t low = exact_fewest(s), count = exact_most(s) - low + 1, peak = 0;
	double sum = 0;

	/* from the most likely one on, nothing grows beyond bounds */
	while (peak + 1 < count && exact_ratio(s, low + peak) > 1)
		peak++;
	p[peak] = 1;
	for (uint32_t i = peak; i + 1 < count; i++)
		p[i + 1] = p[i] * exact_ratio(s, low + i);
	for (uint32_t i = peak; i > 0; i--)
		p[i - 1] = p[i] / exact_ratio(s, low + i - 1);
	for (uint32_t i = 0; i < count; i++)
		sum += p[i];
	for (uint32_t i = 0; i < count; i++)
		p[i] /= sum;
}

/* With the half that a step of one takes. */
static double exact_normal(const struct lw_exact_stratum *strata, uint32_t count, uint64_t hits)
{
	double mean = 0, variance = 0;

	for (uint32_t i = 0; i < count; i++) {
		const struct lw_exact_stratum *s = &strata[i];
		double all = s->all, part = s->marked / all;

		mean += s->here * part;
		if (s->all > 1)
			variance += s->here * part * (1 - part) * (all - s->here) / (all - 1);
	}
	if (variance <= 0)
		return 1;
	return 0.5 * erfc(((double)hits - 0.5 - mean) / sqrt(2 * variance));
}

/* Add the numbers of one stratum to those so far, in PLACES: the last stands for HITS or more. */
static void exact_add(const struct lw_exact_stratum *s, const double *p, uint64_t hits,
		      const double *before, double *after)
{
	uint32_t low = exact_fewest(s), count = exact_most(s) - low + 1;

	for (uint64_t i = 0; i <= hits; i++)
		after[i] = 0;
	for (uint64_t i = 0; i <= hits; i++)
		for (uint32_t k = 0; k < count && before[i] > 0; k++) {
			uint64_t at = i + low + k;

			after[at < hits ? at : hits] += before[i] * p[k];
		}
}

/* P, of room for each stratum's numbers, and two arrays of places. */
static double exact_convolve(const struct lw_exact_stratum *strata, uint32_t count, uint64_t hits,
			     double *p, double *places)
{
	double *before = places, *after = places + hits + 1;

	for (uint64_t i = 0; i <= hits; i++)
		before[i] = i == 0;
	for (uint32_t i = 0; i < count; i++) {
		double *swap = before;

		exact_spread(&strata[i], p);
		exact_add(&strata[i], p, hits, before, after);
		before = after;
		after = swap;
	}
	return before[hits] < 1 ? before[hits] : 1;
}

double lw_exact_tail(const struct lw_exact_stratum *strata, uint32_t count)
{
	uint64_t hits = 0, widest = 0;
	double steps = 0, tail = 1;
	double *p, *places;

	for (uint32_t i = 0; i < count; i++) {
		uint64_t width = exact_most(&strata[i]) + 1;

		hits += strata[i].hit;
		widest = width > widest ? width : widest;
		steps += (double)width;
	}
	if (!hits)
		return 1;
	if (steps * (double)hits > EXACT_STEPS_MAX)
		return exact_normal(strata, count, hits);
	p = calloc(widest, sizeof(*p));
	places = calloc(2 * (hits + 1), sizeof(*places));
	if (p && places)
		tail = exact_convolve(strata, count, hits, p, places);
	free(p);
	free(places);
	return tail;
}

double lw_exact_least(const struct lw_exact_stratum *strata, uint32_t count)
{
	double least = 1;

	for (uint32_t i = 0; i < count; i++) {
		const struct lw_exact_stratum *s = &strata[i];
		uint32_t most = exact_most(s);

		/* the ways to choose the most, of all */
		for (uint32_t k = 0; k < most && least > 0; k++) {
			uint32_t larger = s->here > s->marked ? s->here : s->marked;

			least *= (double)(larger - k) / (s->all - k);
		}
	}
	return least;
}

double lw_exact_binomial(uint32_t trials, uint32_t hits, double share)
{
	double odds = share / (1 - share), p = 1, sum = 0, tail = 0;
	uint32_t peak = 0;

	if (!hits || share >= 1)
		return 1;
	if (hits > trials || share <= 0)
		return 0;
	/* from the most likely one on, as above */
	while (peak < trials && odds * (trials - peak) / (peak + 1.0) > 1)
		peak++;
	for (uint32_t k = peak;; k++) {
		sum += p;
		tail += k >= hits ? p : 0;
		if (k == trials)
			break;
		p *= odds * (trials - k) / (k + 1.0);
	}
	p = 1;
	for (uint32_t k = peak; k > 0; k--) {
		p /= odds * (trials - k + 1.0) / k;
		sum += p;
		tail += k - 1 >= hits ? p : 0;
	}
	return tail / sum;
}
