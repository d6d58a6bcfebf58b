/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: arrivals that follow the hours of the day. */
#ifndef LW_LAB_SIM_ARRIVAL_H
#define LW_LAB_SIM_ARRIVAL_H

#include <stdint.h>

#define LW_ARRIVAL_BUCKETS  48 /* half hours */
#define LW_ARRIVAL_BUCKET_S 1800

/*
 * How busy each half hour of the day is; the mean of the weights is 1. Between two
 * arrivals pass so many "busy seconds"; a second of the clock at weight 2 counts as two
 * of them, at weight 0.5 as half a one (the scheme of Lublin and Feitelson 2003).
 */
struct lw_arrival_cycle {
	double weights[LW_ARRIVAL_BUCKETS];
};

/*
 * The cycle of Lublin and Feitelson: the job counts of the half hours follow a gamma
 * density of SHAPE and SCALE, counted from midnight, for half hours 11 to 58.
 */
void lw_arrival_gamma_cycle(struct lw_arrival_cycle *cycle, double shape, double scale);
/* A cycle from 24 hourly counts, of any scale. */
void lw_arrival_hourly_cycle(struct lw_arrival_cycle *cycle, const double counts[24]);

/* Busy seconds from midnight to CLOCK_S seconds later. */
double lw_arrival_busy(const struct lw_arrival_cycle *cycle, double clock_s);
/* The inverse: when so many busy seconds have passed since midnight. */
double lw_arrival_clock(const struct lw_arrival_cycle *cycle, double busy_s);

#endif
