/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: how long a job will run, given its history and how long it has run already. */
#include "policy/predict.h"

#include <errno.h>
#include <math.h>
#include <string.h>

/* The prior: log-uniform from here to the limit, and so many at the limit. */
#define PRIOR_FROM_S   30.0
#define PRIOR_AT_LIMIT 0.1

/* A job's windows, the most general first. */
struct law {
	const struct lw_window *windows[LW_HISTORY_LEVELS];
	int count;
	double limit;
};

static const char *const names[] = { "user", "exact", "last2", "predicted" };

const char *lw_predictor_name(enum lw_predictor predictor)
{
	return (unsigned)predictor < sizeof(names) / sizeof(names[0]) ? names[predictor] : "?";
}

int lw_predictor_parse(const char *name)
{
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(names[i], name) == 0)
			return (int)i;
	return -EINVAL;
}

/* The only place where a time stops being a real number. */
static int64_t whole_s(double time_s, int64_t elapsed_s, int64_t limit_s)
{
	int64_t rounded = llround(time_s);

	if (rounded <= elapsed_s)
		rounded = elapsed_s + 1;
	return rounded < limit_s ? rounded : limit_s;
}

static int64_t limit_of(const struct lw_history_key *key)
{
	if (key->limit_s < 1)
		return 1;
	return key->limit_s < LW_HISTORY_TIME_MAX_S ? key->limit_s : LW_HISTORY_TIME_MAX_S;
}

static void law_init(struct law *law, const struct lw_history *history,
		     const struct lw_history_key *key)
{
	law->count = 0;
	law->limit = (double)limit_of(key);
	for (int level = 0; history && level < LW_HISTORY_LEVELS; level++) {
		const struct lw_window *window =
			lw_history_window(history, key, (enum lw_history_level)level);

		if (window)
			law->windows[law->count++] = window;
	}
}

/* The prior's P(X > at), before conditioning. */
static double prior_alive(double limit, double at)
{
	if (at <= PRIOR_FROM_S || limit <= PRIOR_FROM_S)
		return 1;
	return PRIOR_AT_LIMIT +
	       (1 - PRIOR_AT_LIMIT) * log(limit / at) / log(limit / PRIOR_FROM_S);
}

/* Its integral from AT to the limit. */
static double prior_area(double limit, double at)
{
	double below = at < PRIOR_FROM_S ? PRIOR_FROM_S - at : 0;
	double from = at + below, spread;

	if (limit <= PRIOR_FROM_S)
		return limit - at;
	spread = limit - from - from * log(limit / from);
	return below + PRIOR_AT_LIMIT * (limit - from) +
	       (1 - PRIOR_AT_LIMIT) * spread / log(limit / PRIOR_FROM_S);
}

/*
 * P(X > at | X > e) by the first LEVELS windows, for e <= at < limit. The recursion turns
 * aside once a window at most, where its tail is censored, and so ends within
 * 2^LW_HISTORY_LEVELS steps.
 */
static double survival(const struct law *law, int levels, double e, double at)
{
	const struct lw_window *window = levels ? law->windows[levels - 1] : NULL;
	double above, last, longer;

	if (!window)
		return prior_alive(law->limit, at) / prior_alive(law->limit, e);
	above = survival(law, levels - 1, e, at);
	last = lw_window_last(window);
	if (e >= last)
		return above;
	longer = lw_window_alive(window, at);
	if (at >= last && longer > 0)
		longer *= survival(law, levels - 1, last, at);
	return (longer + LW_PREDICT_WEIGHT * above) /
	       (lw_window_alive(window, e) + LW_PREDICT_WEIGHT);
}

/* The integral of survival(e, t) over t from AT to the limit. */
static double excess(const struct law *law, int levels, double e, double at)
{
	const struct lw_window *window = levels ? law->windows[levels - 1] : NULL;
	double above, last, longer, tail;

	if (!window)
		return prior_area(law->limit, at) / prior_alive(law->limit, e);
	above = excess(law, levels - 1, e, at);
	last = lw_window_last(window);
	if (e >= last)
		return above;
	longer = lw_window_area(window, at) - lw_window_area(window, law->limit);
	tail = lw_window_alive(window, last);
	if (tail > 0 && last < law->limit)
		longer += tail * excess(law, levels - 1, last, at > last ? at : last);
	return (longer + LW_PREDICT_WEIGHT * above) /
	       (lw_window_alive(window, e) + LW_PREDICT_WEIGHT);
}

double lw_predict_survival(const struct lw_history *history, const struct lw_history_key *key,
			   int64_t elapsed_s, int64_t until_s)
{
	struct law law;

	if (elapsed_s < 0)
		elapsed_s = 0;
	if (until_s >= limit_of(key))
		return 0;
	if (until_s <= elapsed_s)
		return 1;
	law_init(&law, history, key);
	return survival(&law, law.count, (double)elapsed_s, (double)until_s);
}

double lw_predict_excess(const struct lw_history *history, const struct lw_history_key *key,
			 int64_t elapsed_s, int64_t after_s)
{
	struct law law;

	if (elapsed_s < 0)
		elapsed_s = 0;
	if (after_s < elapsed_s)
		return (double)(elapsed_s - after_s) +
		       lw_predict_excess(history, key, elapsed_s, elapsed_s);
	if (after_s >= limit_of(key))
		return 0;
	law_init(&law, history, key);
	return excess(&law, law.count, (double)elapsed_s, (double)after_s);
}

int64_t lw_predict_mean(const struct lw_history *history, const struct lw_history_key *key,
			int64_t elapsed_s)
{
	int64_t limit_s = limit_of(key);

	if (elapsed_s < 0)
		elapsed_s = 0;
	if (elapsed_s >= limit_s)
		return limit_s;
	return whole_s((double)elapsed_s + lw_predict_excess(history, key, elapsed_s, elapsed_s),
		       elapsed_s, limit_s);
}

/* The times are whole, so the search is exact and needs no rounding. */
int64_t lw_predict_quantile(const struct lw_history *history, const struct lw_history_key *key,
			    int64_t elapsed_s, double q)
{
	int64_t limit_s = limit_of(key), low, high = limit_s;
	struct law law;

	if (elapsed_s < 0)
		elapsed_s = 0;
	if (elapsed_s >= limit_s)
		return limit_s;
	law_init(&law, history, key);
	low = elapsed_s; /* always too short, high always long enough */
	while (high - low > 1) {
		int64_t middle = low + (high - low) / 2;

		if (survival(&law, law.count, (double)elapsed_s, (double)middle) > 1 - q)
			low = middle;
		else
			high = middle;
	}
	return high;
}

int64_t lw_predict_last2(int64_t last_s, int64_t before_s, int64_t limit_s, int64_t elapsed_s)
{
	static const int64_t corrections_s[] = {
		60, 300, 900, 1800, 3600, 7200, 18000, 36000, 72000, 180000, 360000,
	};
	int64_t guess_s;

	if (last_s < 0 || before_s < 0)
		return limit_s;
	guess_s = (last_s + before_s) / 2;
	if (guess_s > elapsed_s)
		return guess_s < limit_s ? guess_s : limit_s;
	for (size_t i = 0; i < sizeof(corrections_s) / sizeof(corrections_s[0]); i++)
		if (guess_s + corrections_s[i] > elapsed_s && guess_s + corrections_s[i] < limit_s)
			return guess_s + corrections_s[i];
	return limit_s;
}

void lw_predict_recent(const struct lw_history *history, const struct lw_history_key *key,
		       int64_t *ret_last_s, int64_t *ret_before_s)
{
	const struct lw_window *window =
		history ? lw_history_window(history, key, LW_HISTORY_USER) : NULL;
	int64_t recent_s[2] = { -1, -1 };

	for (uint32_t i = 0; window && i < window->count; i++) {
		uint32_t age = window->turns - 1 - window->samples[i].turn;

		if (age < 2)
			recent_s[age] = window->samples[i].run_s;
	}
	*ret_last_s = recent_s[0];
	*ret_before_s = recent_s[1];
}
