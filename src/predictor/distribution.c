/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the distribution of a job's run time by its windows; the model is explained in
 * predict.h. */
#include "predictor/distribution.h"

#include <math.h>
#include <stddef.h>

/* The prior: log-uniform from here to the limit, and so many at the limit. */
#define PRIOR_FROM_S   30.0
#define PRIOR_AT_LIMIT 0.1

/* The prior's P(X > at), before conditioning. */
static double distribution_prior_alive(double limit, double at)
{
	if (at <= PRIOR_FROM_S || limit <= PRIOR_FROM_S)
		return 1;
	return PRIOR_AT_LIMIT +
	       (1 - PRIOR_AT_LIMIT) * log(limit / at) / log(limit / PRIOR_FROM_S);
}

/* Its integral from AT to the limit. */
static double distribution_prior_area(double limit, double at)
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
 * 2^LW_DISTRIBUTION_WINDOWS_MAX steps.
 */
static double distribution_survival(const struct lw_distribution *law, int levels, double e,
				    double at)
{
	const struct lw_window *window = levels ? law->windows[levels - 1] : NULL;
	double limit = (double)law->limit_s, above, last, longer;

	if (!window)
		return distribution_prior_alive(limit, at) / distribution_prior_alive(limit, e);
	above = distribution_survival(law, levels - 1, e, at);
	last = lw_window_last(window);
	if (e >= last)
		return above;
	longer = lw_window_alive(window, at);
	if (at >= last && longer > 0)
		longer *= distribution_survival(law, levels - 1, last, at);
	return (longer + LW_DISTRIBUTION_WEIGHT * above) /
	       (lw_window_alive(window, e) + LW_DISTRIBUTION_WEIGHT);
}

/* The integral of distribution_survival(e, t) over t from AT to the limit. */
static double distribution_excess(const struct lw_distribution *law, int levels, double e,
				  double at)
{
	const struct lw_window *window = levels ? law->windows[levels - 1] : NULL;
	double limit = (double)law->limit_s, above, last, longer, tail;

	if (!window)
		return distribution_prior_area(limit, at) / distribution_prior_alive(limit, e);
	above = distribution_excess(law, levels - 1, e, at);
	last = lw_window_last(window);
	if (e >= last)
		return above;
	longer = lw_window_area(window, at) - lw_window_area(window, limit);
	tail = lw_window_alive(window, last);
	if (tail > 0 && last < limit)
		longer +=
			tail * distribution_excess(law, levels - 1, last, at > last ? at : last);
	return (longer + LW_DISTRIBUTION_WEIGHT * above) /
	       (lw_window_alive(window, e) + LW_DISTRIBUTION_WEIGHT);
}

static void distribution_add(struct lw_distribution *law, const struct lw_window *window)
{
	if (window->count)
		law->windows[law->count++] = window;
}

void lw_distribution_add_picked(struct lw_distribution *law, const struct lw_window *window,
				uint32_t width, int64_t now_s, struct lw_window picked[2])
{
	lw_window_recent(window, width, &picked[0]);
	lw_window_fresh(&picked[0], now_s, &picked[1]);
	distribution_add(law, &picked[0]);
	distribution_add(law, &picked[1]);
}

double lw_distribution_survival(const struct lw_distribution *law, int64_t elapsed_s,
				int64_t at_s)
{
	if (elapsed_s < 0)
		elapsed_s = 0;
	if (at_s >= law->limit_s)
		return 0;
	if (at_s < elapsed_s)
		return 1;
	return distribution_survival(law, law->count, (double)elapsed_s, (double)at_s);
}

double lw_distribution_excess(const struct lw_distribution *law, int64_t elapsed_s, int64_t at_s)
{
	double certain = 0;

	if (elapsed_s < 0)
		elapsed_s = 0;
	if (at_s < elapsed_s) {
		certain = (double)(elapsed_s < law->limit_s ? elapsed_s : law->limit_s) -
			  (double)at_s;
		at_s = elapsed_s;
	}
	if (at_s >= law->limit_s)
		return certain > 0 ? certain : 0;
	return certain + distribution_excess(law, law->count, (double)elapsed_s, (double)at_s);
}

/* Rising levels, and where the times go that belong to them. */
struct quantiles {
	const double *levels;
	int64_t *times_s;
	int count;
};

/*
 * The quantiles WANTED, all of which lie in (low, high]: halved until they are found. The times
 * are whole, so the search is exact and nothing is rounded.
 */
static void distribution_search(const struct lw_distribution *law, double e, int64_t low,
				int64_t high, struct quantiles wanted)
{
	int64_t middle = low + (high - low) / 2;
	struct quantiles later = wanted;
	int early = 0;
	double longer;

	if (high - low <= 1) {
		for (int i = 0; i < wanted.count; i++)
			wanted.times_s[i] = high;
		return;
	}
	longer = distribution_survival(law, law->count, e, (double)middle);
	while (early < wanted.count && !(longer > 1 - wanted.levels[early]))
		early++;
	later.levels += early;
	later.times_s += early;
	later.count -= early;
	wanted.count = early;
	if (early)
		distribution_search(law, e, low, middle, wanted);
	if (later.count)
		distribution_search(law, e, middle, high, later);
}

void lw_distribution_quantiles(const struct lw_distribution *law, int64_t elapsed_s,
			       const double *levels, int count, int64_t *ret_times_s)
{
	int64_t low = elapsed_s > 0 ? elapsed_s : 0;

	distribution_search(law, (double)low, low, law->limit_s,
			    (struct quantiles){ levels, ret_times_s, count });
}

int64_t lw_distribution_quantile(const struct lw_distribution *law, int64_t elapsed_s,
				 double level)
{
	int64_t time_s;

	lw_distribution_quantiles(law, elapsed_s, &level, 1, &time_s);
	return time_s;
}

/* Twice as long from one to the next is near enough: the least is flat. */
static const int64_t stops_s[] = { 30,   60,   120,  300,   600,   1200,
				   2400, 3600, 7200, 14400, 28800, 57600 };

double lw_distribution_rank(const struct lw_distribution *law, uint32_t alike)
{
	double mean = lw_distribution_excess(law, 0, 0), others = (double)alike - 1, rank = mean;

	for (size_t i = 0; i < sizeof(stops_s) / sizeof(*stops_s); i++) {
		double stop_s = (double)stops_s[i], alive, over, index;

		if (stops_s[i] >= law->limit_s)
			break;
		alive = lw_distribution_survival(law, 0, stops_s[i]);
		over = mean - lw_distribution_excess(law, 0, stops_s[i]) - stop_s * alive;
		index = (mean + others * (over > 0 ? over : 0)) / (1 + others * (1 - alive));
		rank = index < rank ? index : rank;
	}
	return rank;
}
