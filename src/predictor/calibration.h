/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: how often predicted probabilities came true, to correct the next ones. */
#ifndef LW_PREDICTOR_CALIBRATION_H
#define LW_PREDICTOR_CALIBRATION_H

#include <stdint.h>

/*
 * If a job has run X and the distribution said P(run time <= X) = U, then U is uniform if the
 * distributions are right (Dawid, Statistical theory: the prequential approach, JRSS A 1984).
 * Users submit in batches and change their habits, so late U crowd together near 1, and a 90 %
 * quantile holds less often than 90 %. So the distribution of U is kept, with fading, and used:
 * a caller that asks for Q gets the level that held with frequency Q (recalibration: Kuleshov,
 * Fenner, Ermon, ICML 2018; online, as in Gibbs, Candes, Adaptive conformal inference under
 * distribution shift, NeurIPS 2021). The map is strictly increasing, so a distribution stays
 * monotone.
 *
 * Whole numbers, so that the sum never drifts and a saved one is restored exactly. Memory: under
 * 1 KiB.
 */

#define LW_CALIBRATION_BINS   100
#define LW_CALIBRATION_WHOLE  (INT64_C(1) << 40) /* the sum of all bins */
#define LW_CALIBRATION_FADING 1024 /* jobs after which 1/e is left of a job's share */

struct lw_calibration {
	int64_t bins[LW_CALIBRATION_BINS]; /* each above 0 */
};

/*
 * What a distribution said of a job at its start: by_s[i] is the least time by which it would be
 * over with at least the probability lw_calibration_edge(i + 1). 400 bytes.
 */
struct lw_estimate {
	uint32_t by_s[LW_CALIBRATION_BINS - 1];
};

/* The lower edge of bin BIN: 0 for the first, 1 for one beyond the last. */
double lw_calibration_edge(int bin);
/* The range, to a bin, of the U of a job with ESTIMATE that ran RUN_S. */
void lw_estimate_range(const struct lw_estimate *estimate, int64_t run_s, double *ret_low,
		       double *ret_high);

/* No correction. */
void lw_calibration_init(struct lw_calibration *calibration);
/*
 * Learn that a job's U lies in LOW .. HIGH: a distribution with steps gives a range, counted
 * evenly. O(bins).
 */
void lw_calibration_add(struct lw_calibration *calibration, double low, double high);
/* The frequency with which U was at most LEVEL, both 0 .. 1. O(bins). */
double lw_calibration_held(const struct lw_calibration *calibration, double level);
/* The level that held with frequency Q: the inverse of lw_calibration_held(). O(bins). */
double lw_calibration_level(const struct lw_calibration *calibration, double q);

#endif
