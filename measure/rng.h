/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: seeded random numbers, the same on every machine. */
#ifndef LW_MEASURE_RNG_H
#define LW_MEASURE_RNG_H

#include <stdbool.h>
#include <stdint.h>

/*
 * xoshiro256** (Blackman, Vigna: Scrambled linear pseudorandom number generators, ACM
 * TOMS 47(4), 2021), seeded through splitmix64 (Steele, Lea, Flood: Fast splittable
 * pseudorandom number generators, OOPSLA 2014).
 */
struct lw_rng {
	uint64_t state[4];
	double spare; /* the second normal of a pair */
	bool has_spare;
};

void lw_rng_init(struct lw_rng *rng, uint64_t seed);
uint64_t lw_rng_next(struct lw_rng *rng);

/* Uniform in the open interval (0, 1): never 0, so that its logarithm exists. */
double lw_rng_uniform(struct lw_rng *rng);
/* Uniform in [low, high). */
double lw_rng_between(struct lw_rng *rng, double low, double high);
/* A whole number in 0 .. n - 1; n > 0. */
uint32_t lw_rng_below(struct lw_rng *rng, uint32_t n);
/* True with probability P. */
bool lw_rng_chance(struct lw_rng *rng, double p);
/* An index 0 .. n - 1 with probability proportional to weights[i] >= 0. */
uint32_t lw_rng_pick(struct lw_rng *rng, const double *weights, uint32_t n);

/* Mean 0, variance 1: the polar method (Marsaglia, Bray, SIAM Review 6(3), 1964). */
double lw_rng_normal(struct lw_rng *rng);
/* Mean MEAN. */
double lw_rng_exponential(struct lw_rng *rng, double mean);
/* Mean SHAPE x SCALE, shape >= 1/3: Marsaglia, Tsang, ACM TOMS 26(3), 2000. */
double lw_rng_gamma(struct lw_rng *rng, double shape, double scale);

#endif
