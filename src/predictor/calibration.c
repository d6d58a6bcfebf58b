/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: how often predicted probabilities came true, to correct the next ones. */
#include "predictor/calibration.h"

/* A range of U no narrower than this, so that its share of a bin is a number. */
#define NARROWEST 1e-9

/*
 * The bins' edges, as 1 - U: even up to U = 0.8, then each 0.55 of the one before. The last
 * runs of a user agree so well at times that a distribution leaves one chance in thousands for
 * what comes next, so the bins narrow towards U = 1.
 */
#define EVEN 80
static const double rest[LW_CALIBRATION_BINS - EVEN] = {
	2.0e-1,	 1.1e-1,  6.05e-2, 3.33e-2, 1.83e-2, 1.01e-2, 5.54e-3, 3.04e-3, 1.67e-3, 9.21e-4,
	5.07e-4, 2.79e-4, 1.53e-4, 8.43e-5, 4.64e-5, 2.55e-5, 1.40e-5, 7.71e-6, 4.24e-6, 2.33e-6,
};

double lw_calibration_edge(int bin)
{
	if (bin < EVEN)
		return (double)bin / LW_CALIBRATION_BINS;
	return bin < LW_CALIBRATION_BINS ? 1 - rest[bin - EVEN] : 1;
}

static double calibration_width(int bin)
{
	return lw_calibration_edge(bin + 1) - lw_calibration_edge(bin);
}

void lw_estimate_range(const struct lw_estimate *estimate, int64_t run_s, double *ret_low,
		       double *ret_high)
{
	int low = 0, high;

	while (low < LW_CALIBRATION_BINS - 1 && estimate->by_s[low] < run_s)
		low++;
	/* a step of the distribution reaches over all that say the same */
	high = low;
	while (high < LW_CALIBRATION_BINS - 1 && estimate->by_s[high] <= run_s)
		high++;
	*ret_low = lw_calibration_edge(low);
	*ret_high = lw_calibration_edge(high + 1);
}

void lw_calibration_init(struct lw_calibration *calibration)
{
	int64_t given = 0;

	for (int i = 0; i < LW_CALIBRATION_BINS; i++) {
		double share = lw_calibration_edge(i + 1);
		int64_t until = (int64_t)((double)LW_CALIBRATION_WHOLE * share);

		calibration->bins[i] = until - given;
		given = until;
	}
}

static double calibration_clamp(double value, double low, double high)
{
	return value > low ? value < high ? value : high : low; /* a NaN becomes low */
}

void lw_calibration_add(struct lw_calibration *calibration, double low, double high)
{
	int64_t taken = 0, given = 0;

	low = calibration_clamp(low, 0, 1 - NARROWEST);
	high = calibration_clamp(high, low + NARROWEST, 1);
	for (int i = 0; i < LW_CALIBRATION_BINS; i++) {
		int64_t fade = calibration->bins[i] / LW_CALIBRATION_FADING;

		calibration->bins[i] -= fade;
		taken += fade;
	}
	/* by differences of the rounded sum, so that nothing is lost */
	for (int i = 0; i < LW_CALIBRATION_BINS; i++) {
		double share = calibration_clamp(
			(lw_calibration_edge(i + 1) - low) / (high - low), 0, 1);
		int64_t until = (int64_t)((double)taken * share);

		calibration->bins[i] += until - given;
		given = until;
	}
}

double lw_calibration_held(const struct lw_calibration *calibration, double level)
{
	double below = 0;
	int bin = 0;

	level = calibration_clamp(level, 0, 1);
	if (level >= 1)
		return 1;
	while (lw_calibration_edge(bin + 1) <= level)
		below += (double)calibration->bins[bin++];
	below += (level - lw_calibration_edge(bin)) / calibration_width(bin) *
		 (double)calibration->bins[bin];
	return below / (double)LW_CALIBRATION_WHOLE;
}

double lw_calibration_level(const struct lw_calibration *calibration, double q)
{
	double left = calibration_clamp(q, 0, 1) * (double)LW_CALIBRATION_WHOLE;

	for (int i = 0; i < LW_CALIBRATION_BINS; i++) {
		double bin = (double)calibration->bins[i];

		if (left < bin)
			return lw_calibration_edge(i) + left / bin * calibration_width(i);
		left -= bin;
	}
	return 1;
}
