/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: how likely a job is still there after a while, in one number. */
#ifndef LW_PREDICTOR_STAY_H
#define LW_PREDICTOR_STAY_H

#include <stdint.h>

/* How long before its limit the tail of a job begins: at 0 for shorter ones. */
#define LW_TAIL_S INT64_C(1800)

/*
 * A run time is known as a law, not as a length (predict.h), and most jobs are short while most
 * GPUs are held by long ones: where a job is put should follow the law. Here it is cut down to
 * LW_STAY_POINTS times from now on, each three times the one before, from 7.5 minutes to
 * eleven days. Byte P of the number is the chance, in 255ths, that the job is still there
 * lw_stay_after_s(P) from now, and speaks for the time around that. 0 as a whole: not known.
 */

#define LW_STAY_POINTS 8
#define LW_STAY_ONE    255u
#define LW_STAY_UNIT_S INT64_C(450)

int64_t lw_stay_after_s(unsigned point);

/* For how long POINT speaks, in LW_STAY_UNIT_S. */
int64_t lw_stay_span(unsigned point);

/* The chance at POINT, 0 .. LW_STAY_ONE. */
static inline uint32_t lw_stay_at(uint64_t stays, unsigned point)
{
	return (uint32_t)(stays >> (8 * point)) & 0xff;
}

/* The number for these chances, each 0 .. 1 and none above the one before; never 0. */
uint64_t lw_stay_pack(const double chances[LW_STAY_POINTS]);

/* How long it is there, in LW_STAY_UNIT_S / LW_STAY_ONE, as far as the points tell. */
int64_t lw_stay_sum(uint64_t stays);

#endif
