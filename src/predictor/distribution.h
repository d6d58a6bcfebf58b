/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the distribution of a job's run time from its windows, by the model of predict.h. */
#ifndef LW_PREDICTOR_DISTRIBUTION_H
#define LW_PREDICTOR_DISTRIBUTION_H

#include "predictor/window.h"

#include <stdint.h>

#define LW_DISTRIBUTION_WINDOWS_MAX 6
/* K: the weight of the more general level, in samples. */
#define LW_DISTRIBUTION_WEIGHT 1.0

/* A job's windows, the most general first, and its limit, at least 1. Borrowed. */
struct lw_distribution {
	const struct lw_window *windows[LW_DISTRIBUTION_WINDOWS_MAX];
	int count;
	int64_t limit_s;
};

/*
 * Add the user's last runs with this limit and WIDTH, and those of them that ended shortly
 * before NOW_S, picked from WINDOW of user and limit into PICKED, which is borrowed then;
 * nothing if there are none.
 */
void lw_distribution_add_picked(struct lw_distribution *law, const struct lw_window *window,
				uint32_t width, int64_t now_s, struct lw_window picked[2]);

/* P(min(X, limit) > at | X > elapsed): 1 up to elapsed, 0 from the limit on. */
double lw_distribution_survival(const struct lw_distribution *law, int64_t elapsed_s,
				int64_t at_s);
/*
 * The integral of the survival over all times from AT_S on: the mean of max(0, min(X, limit) -
 * at).
 */
double lw_distribution_excess(const struct lw_distribution *law, int64_t elapsed_s, int64_t at_s);
/*
 * The least whole time in (elapsed, limit] that X exceeds with probability at most 1 - LEVEL;
 * the limit if elapsed has reached it.
 */
int64_t lw_distribution_quantile(const struct lw_distribution *law, int64_t elapsed_s,
				 double level);
/* The same for COUNT rising levels. */
void lw_distribution_quantiles(const struct lw_distribution *law, int64_t elapsed_s,
			       const double *levels, int count, int64_t *ret_times_s);

/*
 * The Gittins index of ALIKE >= 1 jobs with the same run time, none of which has started, as the
 * time that one of them is worth: the least over t of
 *
 *	(E[X] + (m - 1) E[X; X <= t]) / (1 + (m - 1) P(X <= t)),	m = ALIKE,
 *
 * This is one start and, if that job is over by t, all others after it: work for each finished
 * job (Gittins, "Bandit processes and dynamic allocation indices", JRSS B 41(2), 1979). At most
 * E[X], the value for t = 0.
 */
double lw_distribution_rank(const struct lw_distribution *law, uint32_t alike);

#endif
