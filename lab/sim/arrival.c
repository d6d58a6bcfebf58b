/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: arrivals that follow the hours of the day. */
#include "lab/sim/arrival.h"

#include <math.h>
#include <string.h>

#include "measure/detmath.h"

#define DAY_S (LW_ARRIVAL_BUCKETS * LW_ARRIVAL_BUCKET_S)
/* the paper lets the day begin at half hour 11, where nights are quietest */
#define CYCLE_FIRST 11
#define STEPS       16

static void normalise(struct lw_arrival_cycle *cycle)
{
	double sum = 0;

	for (int i = 0; i < LW_ARRIVAL_BUCKETS; i++)
		sum += cycle->weights[i];
	for (int i = 0; i < LW_ARRIVAL_BUCKETS; i++)
		cycle->weights[i] *= LW_ARRIVAL_BUCKETS / sum;
}

/* The gamma density up to its constant factor, which normalising removes. */
static double density(double x, double shape, double scale)
{
	return lw_math_exp((shape - 1) * lw_math_log(x) - x / scale);
}

void lw_arrival_gamma_cycle(struct lw_arrival_cycle *cycle, double shape, double scale)
{
	memset(cycle, 0, sizeof(*cycle));
	for (int i = CYCLE_FIRST; i < CYCLE_FIRST + LW_ARRIVAL_BUCKETS; i++) {
		double sum = 0;

		/* the half hour ends at i: midpoint rule over its STEPS parts */
		for (int k = 0; k < STEPS; k++)
			sum += density(i - 0.5 + (k + 0.5) / STEPS, shape, scale);
		cycle->weights[(i - 1) % LW_ARRIVAL_BUCKETS] = sum;
	}
	normalise(cycle);
}

void lw_arrival_hourly_cycle(struct lw_arrival_cycle *cycle, const double counts[24])
{
	for (int i = 0; i < LW_ARRIVAL_BUCKETS; i++)
		cycle->weights[i] = counts[i / 2];
	normalise(cycle);
}

double lw_arrival_busy(const struct lw_arrival_cycle *cycle, double clock_s)
{
	double days = floor(clock_s / DAY_S), rest = clock_s - days * DAY_S;
	double busy = days * DAY_S;
	int i;

	for (i = 0; i < LW_ARRIVAL_BUCKETS - 1 && rest > LW_ARRIVAL_BUCKET_S; i++) {
		busy += cycle->weights[i] * LW_ARRIVAL_BUCKET_S;
		rest -= LW_ARRIVAL_BUCKET_S;
	}
	return busy + cycle->weights[i] * rest;
}

double lw_arrival_clock(const struct lw_arrival_cycle *cycle, double busy_s)
{
	double days = floor(busy_s / DAY_S), rest = busy_s - days * DAY_S;
	double clock = days * DAY_S, whole;
	int i;

	for (i = 0; i < LW_ARRIVAL_BUCKETS - 1; i++) {
		whole = cycle->weights[i] * LW_ARRIVAL_BUCKET_S;
		if (rest <= whole)
			break;
		rest -= whole;
		clock += LW_ARRIVAL_BUCKET_S;
	}
	return clock + rest / cycle->weights[i];
}
