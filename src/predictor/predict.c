/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: how long a job will run, given its history and how long it has run already. */
#include "predictor/predict.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "predictor/distribution.h"
#include "predictor/survival.h"

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
static int64_t predict_whole_s(double time_s, int64_t elapsed_s, int64_t limit_s)
{
	int64_t rounded = llround(time_s);

	if (rounded <= elapsed_s)
		rounded = elapsed_s + 1;
	return rounded < limit_s ? rounded : limit_s;
}

/* PICKED is room for the most special of its windows, and has to live as long. */
static void predict_distribution_init(struct lw_distribution *law, struct lw_window picked[2],
				      const struct lw_history *history,
				      const struct lw_history_key *key)
{
	law->count = 0;
	law->limit_s = key->limit_s < 1 ? 1 : key->limit_s;
	if (law->limit_s > LW_HISTORY_TIME_MAX_S)
		law->limit_s = LW_HISTORY_TIME_MAX_S;
	for (int level = 0; history && level < LW_HISTORY_LEVELS; level++) {
		const struct lw_window *window =
			lw_history_window(history, key, (enum lw_history_level)level);

		if (!window)
			continue;
		law->windows[law->count++] = window;
		if (level == LW_HISTORY_USER_LIMIT)
			lw_distribution_add_picked(law, window, key->width, key->now_s, picked);
	}
}

static double predict_survival(const struct lw_history *history,
			       const struct lw_distribution *law, int64_t elapsed_s,
			       int64_t until_s)
{
	double raw = lw_distribution_survival(law, elapsed_s, until_s);

	if (!history)
		return raw;
	return 1 - lw_calibration_held(lw_history_calibration(history), 1 - raw);
}

double lw_predict_survival(const struct lw_history *history, const struct lw_history_key *key,
			   int64_t elapsed_s, int64_t until_s)
{
	struct lw_window picked[2];
	struct lw_distribution law;

	predict_distribution_init(&law, picked, history, key);
	return predict_survival(history, &law, elapsed_s, until_s);
}

uint64_t lw_predict_survival_points(const struct lw_history *history,
				    const struct lw_history_key *key, int64_t elapsed_s)
{
	double chances[LW_SURVIVAL_POINTS];
	struct lw_window picked[2];
	struct lw_distribution law;

	predict_distribution_init(&law, picked, history, key);
	for (unsigned point = 0; point < LW_SURVIVAL_POINTS; point++)
		chances[point] = predict_survival(history, &law, elapsed_s,
						  elapsed_s + lw_survival_after_s(point));
	return lw_survival_pack(chances);
}

double lw_predict_excess(const struct lw_history *history, const struct lw_history_key *key,
			 int64_t elapsed_s, int64_t after_s)
{
	struct lw_window picked[2];
	struct lw_distribution law;

	predict_distribution_init(&law, picked, history, key);
	return lw_distribution_excess(&law, elapsed_s, after_s);
}

int64_t lw_predict_tail_ms(const struct lw_history *history, const struct lw_history_key *key)
{
	int64_t after_s = key->limit_s > LW_TAIL_S ? key->limit_s - LW_TAIL_S : 0;
	int64_t tail_ms = (int64_t)(1000 * lw_predict_excess(history, key, 0, after_s));

	return tail_ms < 1 ? 1 : tail_ms;
}

int64_t lw_predict_mean(const struct lw_history *history, const struct lw_history_key *key,
			int64_t elapsed_s)
{
	struct lw_window picked[2];
	struct lw_distribution law;

	predict_distribution_init(&law, picked, history, key);
	if (elapsed_s >= law.limit_s)
		return law.limit_s;
	if (elapsed_s < 0)
		elapsed_s = 0;
	return predict_whole_s((double)elapsed_s +
				       lw_distribution_excess(&law, elapsed_s, elapsed_s),
			       elapsed_s, law.limit_s);
}

int64_t lw_predict_fresh_until(const struct lw_history *history,
			       const struct lw_history_key *key)
{
	const struct lw_window *window =
		history ? lw_history_window(history, key, LW_HISTORY_USER_LIMIT) : NULL;
	int64_t until_s = INT64_MAX;
	struct lw_window recent, fresh;

	if (!window)
		return until_s;
	lw_window_recent(window, key->width, &recent);
	lw_window_fresh(&recent, key->now_s, &fresh);
	for (uint32_t i = 0; i < fresh.count; i++)
		if (fresh.samples[i].end_s + LW_WINDOW_FRESH_S < until_s)
			until_s = fresh.samples[i].end_s + LW_WINDOW_FRESH_S;
	return until_s;
}

int64_t lw_predict_rank(const struct lw_history *history, const struct lw_history_key *key,
			uint32_t alike)
{
	struct lw_window picked[2];
	struct lw_distribution law;

	predict_distribution_init(&law, picked, history, key);
	return predict_whole_s(lw_distribution_rank(&law, alike), 0, law.limit_s);
}

int64_t lw_predict_quantile(const struct lw_history *history, const struct lw_history_key *key,
			    int64_t elapsed_s, double q)
{
	struct lw_window picked[2];
	struct lw_distribution law;

	predict_distribution_init(&law, picked, history, key);
	if (history)
		q = lw_calibration_level(lw_history_calibration(history), q);
	return lw_distribution_quantile(&law, elapsed_s, q);
}

void lw_predict_estimate(const struct lw_history *history, const struct lw_history_key *key,
			 struct lw_estimate *ret_estimate)
{
	double levels[LW_CALIBRATION_BINS - 1];
	int64_t by_s[LW_CALIBRATION_BINS - 1];
	struct lw_window picked[2];
	struct lw_distribution law;

	predict_distribution_init(&law, picked, history, key);
	for (int i = 0; i < LW_CALIBRATION_BINS - 1; i++)
		levels[i] = lw_calibration_edge(i + 1);
	lw_distribution_quantiles(&law, 0, levels, LW_CALIBRATION_BINS - 1, by_s);
	for (int i = 0; i < LW_CALIBRATION_BINS - 1; i++)
		ret_estimate->by_s[i] = (uint32_t)by_s[i];
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
	uint32_t count = window ? window->count : 0;

	*ret_last_s = count > 0 ? (int64_t)lw_window_turn(window, count - 1)->run_s : -1;
	*ret_before_s = count > 1 ? (int64_t)lw_window_turn(window, count - 2)->run_s : -1;
}

int64_t lw_predict_attained(const struct lw_history *history, const struct lw_history_key *key)
{
	const struct lw_window *window =
		history ? lw_history_window(history, key, LW_HISTORY_USER) : NULL;
	int64_t sum_s = 0;

	if (!window || !window->count)
		return 0;
	for (uint32_t i = 0; i < window->count; i++)
		sum_s += window->samples[i].run_s;
	return sum_s / window->count;
}
