/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the probability that a job is still there after some times, in one number. */
#ifndef LW_PREDICTOR_SURVIVAL_H
#define LW_PREDICTOR_SURVIVAL_H

#include <stdint.h>

/* How long before its limit the tail of a job begins; at 0 for shorter limits. */
#define LW_TAIL_S INT64_C(1800)

/*
 * A run time is a distribution, not a length (predict.h). Most jobs are short, while most GPUs
 * are held by long jobs, so the placement of a job should follow the distribution. Here it is
 * reduced to LW_SURVIVAL_POINTS times from now on, each three times the one before, from 7.5
 * minutes to eleven days. Byte P of the number is the probability, in 255ths, that the job is
 * still there lw_survival_after_s(P) from now, and stands for the time around that. 0 as a
 * whole: not known.
 */

#define LW_SURVIVAL_POINTS 8
#define LW_SURVIVAL_ONE    255u
#define LW_SURVIVAL_UNIT_S INT64_C(450)

int64_t lw_survival_after_s(unsigned point);

/* The time that POINT stands for, in LW_SURVIVAL_UNIT_S. */
int64_t lw_survival_span(unsigned point);

/* The probability at POINT, 0 .. LW_SURVIVAL_ONE. */
static inline uint32_t lw_survival_at(uint64_t survival, unsigned point)
{
	return (uint32_t)(survival >> (8 * point)) & 0xff;
}

/* The number for these probabilities, each 0 .. 1 and none above the one before; never 0. */
uint64_t lw_survival_pack(const double chances[LW_SURVIVAL_POINTS]);

/* The expected stay, in LW_SURVIVAL_UNIT_S / LW_SURVIVAL_ONE, as far as the points reach. */
int64_t lw_survival_sum(uint64_t survival);

#endif
