/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: exact tests of whether a place has more of something than chance gives it. */
#ifndef LW_MEASURE_EXACT_H
#define LW_MEASURE_EXACT_H

#include <stdint.h>

/*
 * Trials that are alike but for where they were: of ALL, MARKED turned out badly; HERE were at
 * the place, and HIT of these turned out badly. HIT is at most HERE and MARKED; these are at most
 * ALL.
 */
struct lw_exact_stratum {
	uint32_t all, marked, here, hit;
};

/*
 * The probability that chance alone puts as many marked trials at the place as there were, or
 * more, where in each of the COUNT strata any HERE of the trials are as likely to be there: the
 * exact conditional test of strata (Mantel and Haenszel 1959, Birch 1964), one-sided. Beyond
 * some ten million steps it is the normal approximation of it. 1 without strata or memory.
 */
double lw_exact_tail(const struct lw_exact_stratum *strata, uint32_t count);
/* The least that it could have been, had all marked trials that fit been at the place. */
double lw_exact_least(const struct lw_exact_stratum *strata, uint32_t count);

/* The probability of HITS or more of TRIALS, each of which hits with the probability SHARE. */
double lw_exact_binomial(uint32_t trials, uint32_t hits, double share);

#endif
