/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: how well run times are predicted, measured on line over a trace. */
#ifndef LW_LAB_HISTORY_ACCURACY_H
#define LW_LAB_HISTORY_ACCURACY_H

#include "base/error.h"
#include "measure/swf.h"
#include "predictor/history.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * The trace is walked in order of time. A job is learned when it ends and predicted when it
 * starts and again each time it has run one of the elapsed times, from nothing but the jobs
 * that ended by then. It starts at submit + wait, at submit where the trace has no wait.
 * Scored from the moment that enough jobs have ended. Run times count up to the limit:
 * what a job ran beyond it is the grace before the kill. Jobs without a limit are left out.
 */

#define LW_ACCURACY_WARM_UP 500

enum lw_accuracy_by {
	LW_ACCURACY_LIMIT,
	LW_ACCURACY_LAST2,
	LW_ACCURACY_MEDIAN,
	LW_ACCURACY_MEAN,
	LW_ACCURACY_Q90,
	LW_ACCURACY_PREDICTORS,
};

#define LW_ACCURACY_ELAPSED   5
#define LW_ACCURACY_QUANTILES 4

/* Elapsed times and quantiles that are scored. */
extern const int64_t lw_accuracy_elapsed_s[LW_ACCURACY_ELAPSED];
extern const double lw_accuracy_quantiles[LW_ACCURACY_QUANTILES];

struct lw_accuracy_score {
	double accuracy;   /* mean of min(p, a) / max(p, a) */
	double under;	   /* share with p < a */
	double mean_abs_s; /* mean of |p - a| */
};

struct lw_accuracy_row {
	uint32_t jobs; /* scored: they ran longer than the elapsed time */
	struct lw_accuracy_score scores[LW_ACCURACY_PREDICTORS];
	double holds[LW_ACCURACY_QUANTILES]; /* share with a <= quantile */
};

struct lw_accuracy {
	uint32_t jobs; /* with a limit and a run time */
	uint32_t left_out;
	struct lw_accuracy_row rows[LW_ACCURACY_ELAPSED];
	struct lw_history_stats history;
};

/* "limit", "last2", "median", "mean", "q90". */
const char *lw_accuracy_name(enum lw_accuracy_by by);

/*
 * KEYS_MAX as for lw_history_create(). -ENODATA when no job of the trace has a limit; -ENOMEM.
 * ERR filled.
 */
int lw_accuracy_measure(const struct lw_swf *swf, bool users_are_groups, uint32_t keys_max,
			struct lw_accuracy *ret_accuracy, struct lw_error *err);

#endif
