/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: seeded random numbers, the same on every machine. */
#include "measure/rng.h"

#include <math.h>

#include "measure/detmath.h"

static uint64_t splitmix(uint64_t *state)
{
	uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

static uint64_t rotate(uint64_t x, int by)
{
	return x << by | x >> (64 - by);
}

void lw_rng_init(struct lw_rng *rng, uint64_t seed)
{
	for (int i = 0; i < 4; i++)
		rng->state[i] = splitmix(&seed);
	rng->spare = 0;
	rng->has_spare = false;
}

uint64_t lw_rng_next(struct lw_rng *rng)
{
	uint64_t *s = rng->state;
	uint64_t result = rotate(s[1] * 5, 7) * 9, t = s[1] << 17;

	s[2] ^= s[0];
	s[3] ^= s[1];
	s[1] ^= s[2];
	s[0] ^= s[3];
	s[2] ^= t;
	s[3] = rotate(s[3], 45);
	return result;
}

double lw_rng_uniform(struct lw_rng *rng)
{
	/* the middle of one of 2^52 equal steps */
	return ((double)(lw_rng_next(rng) >> 12) + 0.5) / 4503599627370496.0;
}

double lw_rng_between(struct lw_rng *rng, double low, double high)
{
	return low + (high - low) * lw_rng_uniform(rng);
}

uint32_t lw_rng_below(struct lw_rng *rng, uint32_t n)
{
	return (uint32_t)(lw_rng_uniform(rng) * n);
}

bool lw_rng_chance(struct lw_rng *rng, double p)
{
	return lw_rng_uniform(rng) < p;
}

uint32_t lw_rng_pick(struct lw_rng *rng, const double *weights, uint32_t n)
{
	double total = 0, at;

	for (uint32_t i = 0; i < n; i++)
		total += weights[i];
	at = lw_rng_uniform(rng) * total;
	for (uint32_t i = 0; i + 1 < n; i++) {
		at -= weights[i];
		if (at < 0)
			return i;
	}
	return n - 1;
}

double lw_rng_normal(struct lw_rng *rng)
{
	double x, y, square, factor;

	if (rng->has_spare) {
		rng->has_spare = false;
		return rng->spare;
	}
	do {
		x = lw_rng_between(rng, -1, 1);
		y = lw_rng_between(rng, -1, 1);
		square = x * x + y * y;
	} while (square >= 1 || square == 0);
	factor = sqrt(-2 * lw_math_log(square) / square);
	rng->spare = y * factor;
	rng->has_spare = true;
	return x * factor;
}

double lw_rng_exponential(struct lw_rng *rng, double mean)
{
	return -mean * lw_math_log(lw_rng_uniform(rng));
}

double lw_rng_gamma(struct lw_rng *rng, double shape, double scale)
{
	double d = shape - 1.0 / 3, c = 1 / sqrt(9 * d), x, v, u;

	for (;;) {
		x = lw_rng_normal(rng);
		v = 1 + c * x;
		if (v <= 0)
			continue;
		v = v * v * v;
		u = lw_rng_uniform(rng);
		if (lw_math_log(u) < x * x / 2 + d - d * v + d * lw_math_log(v))
			return d * v * scale;
	}
}
