/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: how often predicted probabilities came true, to correct the next ones. */
#include "policy/calibration.h"

/* A range of U no narrower than this, so that its share of a bin is a number. */
#define NARROWEST 1e-6

void lw_calibration_init(struct lw_calibration *calibration)
{
	int64_t left = LW_CALIBRATION_WHOLE;

	for (int i = 0; i < LW_CALIBRATION_BINS; i++) {
		calibration->bins[i] = left / (LW_CALIBRATION_BINS - i);
		left -= calibration->bins[i];
	}
}

static double clamp(double value, double low, double high)
{
	return value > low ? value < high ? value : high : low; /* a NaN becomes low */
}

/* The share of LOW .. HIGH that lies below EDGE. */
static double share_below(double edge, double low, double high)
{
	return clamp((edge - low) / (high - low), 0, 1);
}

void lw_calibration_add(struct lw_calibration *calibration, double low, double high)
{
	int64_t taken = 0, given = 0;

	low = clamp(low, 0, 1 - NARROWEST);
	high = clamp(high, low + NARROWEST, 1);
	for (int i = 0; i < LW_CALIBRATION_BINS; i++) {
		int64_t fade = calibration->bins[i] / LW_CALIBRATION_FADING;

		calibration->bins[i] -= fade;
		taken += fade;
	}
	/* by differences of the rounded sum, so that nothing is lost */
	for (int i = 0; i < LW_CALIBRATION_BINS; i++) {
		double edge = (double)(i + 1) / LW_CALIBRATION_BINS;
		int64_t until = i + 1 < LW_CALIBRATION_BINS
					? (int64_t)((double)taken * share_below(edge, low, high))
					: taken;

		calibration->bins[i] += until - given;
		given = until;
	}
}

double lw_calibration_held(const struct lw_calibration *calibration, double level)
{
	double at = clamp(level, 0, 1) * LW_CALIBRATION_BINS;
	int whole = (int)at;
	int64_t below = 0;

	if (whole >= LW_CALIBRATION_BINS)
		return 1;
	for (int i = 0; i < whole; i++)
		below += calibration->bins[i];
	return ((double)below + (at - whole) * (double)calibration->bins[whole]) /
	       (double)LW_CALIBRATION_WHOLE;
}

double lw_calibration_level(const struct lw_calibration *calibration, double q)
{
	double left = clamp(q, 0, 1) * (double)LW_CALIBRATION_WHOLE;

	for (int i = 0; i < LW_CALIBRATION_BINS; i++) {
		double bin = (double)calibration->bins[i];

		if (left < bin)
			return (i + left / bin) / LW_CALIBRATION_BINS;
		left -= bin;
	}
	return 1;
}
