/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: how long a job will run, given its history and how long it has run already. */
#ifndef LW_PREDICTOR_PREDICT_H
#define LW_PREDICTOR_PREDICT_H

#include "predictor/history.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * X is a job's total run time, e how long it has run, L its limit. The distribution of min(X, L)
 * given X > e is estimated level by level, from the general to the special: a prior, then the
 * windows of the limit, of the partition, of the user, of the user with this limit, and the last
 * LW_WINDOW_RECENT runs in that with the same width, and of these the last LW_WINDOW_FRESH that
 * ended within LW_WINDOW_FRESH_S. With N(t) the (redistributed) number of runs in the level's
 * window longer than t,
 *
 *	P(X > a | X > e) = (N(a) + K P'(X > a | X > e)) / (N(e) + K)
 *
 * where P' is the level above and K = LW_DISTRIBUTION_WEIGHT: the posterior mean under a
 * Dirichlet process with the level above as its base, started anew at e (Ferguson 1973; with
 * censoring, Susarla and Van Ryzin 1976). Runs shorter than e no longer count, so the longer a
 * job runs, the more the general levels count. A window with censored longest samples has no
 * information beyond them and uses the level above, conditioned on them. The prior is uniform in
 * log t up to the limit (Downey, Predicting queue times on space-sharing parallel computers,
 * IPPS 1997) with a tenth of the jobs at the limit. Survival and quantiles are then corrected by
 * how often earlier ones held (calibration.h); mean and excess are of the distribution as it is,
 * which is what an order needs. doc/dev/predictor.md has the derivation, the accuracy and the
 * calibration.
 *
 * Every result lies in (elapsed, limit], is whole seconds rounded in one place, rises with q and
 * with elapsed, and is the limit once elapsed reaches it. elapsed below 0 counts as 0. HISTORY
 * may be NULL: then the prior decides. Cost: O(n) in the samples of a key to find those of the
 * same width, O(log n) for survival and mean, and that times log2(limit) for a quantile.
 */

/* Which run time a policy plans with. */
enum lw_predictor {
	LW_PREDICT_USER,    /* the user's limit */
	LW_PREDICT_EXACT,   /* the true run time: in a simulation only */
	LW_PREDICT_LAST2,   /* mean of the user's last two, corrected when outrun */
	LW_PREDICT_HISTORY, /* the distribution above */
};

/* "user", "exact", "last2", "predicted"; never NULL. */
const char *lw_predictor_name(enum lw_predictor predictor);
/* The predictor of that name, or -EINVAL. */
int lw_predictor_parse(const char *name);

/* P(X > until_s | X > elapsed_s): 1 up to elapsed, 0 from the limit on. */
double lw_predict_survival(const struct lw_history *history, const struct lw_history_key *key,
			   int64_t elapsed_s, int64_t until_s);

/* The expected time beyond AFTER_S: the mean of max(0, min(X, L) - after) given X > elapsed. */
double lw_predict_excess(const struct lw_history *history, const struct lw_history_key *key,
			 int64_t elapsed_s, int64_t after_s);

/*
 * The tail of a job that has not started, as in struct lw_waiting: its mean run time in the last
 * LW_TAIL_S before the limit, in ms, and at least 1, since 0 means "not known" there.
 */
int64_t lw_predict_tail_ms(const struct lw_history *history, const struct lw_history_key *key);

/* The probabilities that the job is still there after the times of survival.h. */
uint64_t lw_predict_survival_points(const struct lw_history *history,
				    const struct lw_history_key *key, int64_t elapsed_s);

/* The mean of min(X, L) given X > elapsed. */
int64_t lw_predict_mean(const struct lw_history *history, const struct lw_history_key *key,
			int64_t elapsed_s);

/*
 * When the prediction changes without new lessons: when the first run that counts as fresh no
 * longer does. INT64_MAX: never.
 */
int64_t lw_predict_fresh_until(const struct lw_history *history,
			       const struct lw_history_key *key);

/*
 * The key by which the first of ALIKE such waiting jobs, none of which runs, is sorted:
 * lw_distribution_rank() of them, at most lw_predict_mean().
 */
int64_t lw_predict_rank(const struct lw_history *history, const struct lw_history_key *key,
			uint32_t alike);

/* The least time that X exceeds with probability at most 1 - q; q is held to 0 .. 1. */
int64_t lw_predict_quantile(const struct lw_history *history, const struct lw_history_key *key,
			    int64_t elapsed_s, double q);

/*
 * The estimate of a job that starts now, before any correction, for callers that tell the
 * history how it ended (struct lw_history_job).
 */
void lw_predict_estimate(const struct lw_history *history, const struct lw_history_key *key,
			 struct lw_estimate *ret_estimate);

/*
 * Last2 (Tsafrir, Etsion, Feitelson, Backfilling using system-generated predictions rather
 * than user runtime estimates, TPDS 2007): the mean of the user's last two run times,
 * LAST_S and BEFORE_S, capped by the limit, and the limit itself until there are two (a
 * negative one says there is none). Once elapsed reaches it, it becomes itself plus 1, 5, 15,
 * 30 minutes, 1, 2, 5, 10, 20, 50, 100 hours, the first that suffices, then the limit.
 */
int64_t lw_predict_last2(int64_t last_s, int64_t before_s, int64_t limit_s, int64_t elapsed_s);

/* The last two run times of KEY's user, the latest first, -1 if there is none. */
void lw_predict_recent(const struct lw_history *history, const struct lw_history_key *key,
		       int64_t *ret_last_s, int64_t *ret_before_s);

/*
 * The mean run time of the last LW_WINDOW_SAMPLES runs of KEY's user, killed or not. 0: the user
 * has none, or is not known.
 */
int64_t lw_predict_attained(const struct lw_history *history, const struct lw_history_key *key);

#endif
