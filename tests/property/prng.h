/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the random numbers of the property tests: same seed, same numbers, anywhere. */
#ifndef LW_TESTS_PRNG_H
#define LW_TESTS_PRNG_H

#include <stdbool.h>
#include <stdint.h>

struct prng {
	uint64_t state;
};

/* SplitMix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014). */
static inline uint64_t prng_next(struct prng *prng)
{
	uint64_t z = prng->state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

/* LOW .. HIGH; the bias of the modulus does not matter here. */
static inline uint32_t prng_between(struct prng *prng, uint32_t low, uint32_t high)
{
	return low + (uint32_t)(prng_next(prng) % ((uint64_t)high - low + 1));
}

/* True in PERCENT of the cases. */
static inline bool prng_chance(struct prng *prng, unsigned percent)
{
	return prng_next(prng) % 100 < percent;
}

#endif
