/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of predictor/predict. */
#include "predictor/predict.h"

#include "predictor/distribution.h"
#include "unit/draw.h"
#include "unit/unit.h"

#include <errno.h>

static struct lw_history *history;

static void make_history(void)
{
	uint32_t state = 5;

	ck_assert_int_eq(lw_history_create(0, &history), 0);
	for (int64_t i = 0; i < 4000; i++) {
		struct lw_history_job job = {
			.user = draw(&state) % 6,
			.partition = draw(&state) % 2,
			.limit_s = 600 << draw(&state) % 3,
			.end_s = 100 * i,
		};

		/* users differ; some jobs run into their limits */
		job.run_s = draw(&state) % (300 * (int64_t)(job.user + 1));
		job.killed_at_limit = job.run_s >= job.limit_s;
		if (job.killed_at_limit)
			job.run_s = job.limit_s;
		ck_assert_int_eq(lw_history_add(history, &job), 0);
	}
}

static void drop_history(void)
{
	lw_history_destroy(history);
	history = NULL;
}

static const struct lw_history_key keys[] = {
	{ 0, 0, 600, 0, 0 },
	{ 3, 1, 1200, 0, 0 },
	{ 5, 0, 2400, 0, 0 },
	{ 5, 0, 777, 0, 0 },		/* a limit never seen */
	{ 99, 1, 600, 0, 0 },		/* a user never seen */
	{ LW_HISTORY_NOBODY, LW_HISTORY_NOBODY, 600, 0, 0 },
	{ 1, 1, 1, 0, 0 },
	{ 1, 1, 0, 0, 0 },		/* counts as 1 */
	{ 1, 1, INT64_MAX, 0, 0 },
};

static int64_t limit_of(const struct lw_history_key *key)
{
	return key->limit_s < 1 ? 1
				: key->limit_s < LW_HISTORY_TIME_MAX_S ? key->limit_s
								       : LW_HISTORY_TIME_MAX_S;
}

FIXTURE(make_history, drop_history);

TEST_EACH(predictions_lie_between_elapsed_and_limit, LW_COUNT_OF(keys))
{
	const struct lw_history_key *key = &keys[_i];
	int64_t limit_s = limit_of(key);

	for (int64_t elapsed_s = -1; elapsed_s < 3000; elapsed_s += 13) {
		int64_t least_s = elapsed_s < 0 ? 1 : elapsed_s + 1;
		int64_t mean_s = lw_predict_mean(history, key, elapsed_s);

		if (least_s > limit_s)
			least_s = limit_s;
		ck_assert_int_ge(mean_s, least_s);
		ck_assert_int_le(mean_s, limit_s);
		for (double q = 0; q <= 1; q += 0.25) {
			int64_t found_s = lw_predict_quantile(history, key, elapsed_s, q);

			ck_assert_int_ge(found_s, least_s);
			ck_assert_int_le(found_s, limit_s);
		}
	}
	ck_assert_int_eq(lw_predict_quantile(history, key, limit_s, 0.5), limit_s);
	ck_assert_int_eq(lw_predict_mean(history, key, limit_s + 1), limit_s);
	ck_assert_int_eq(lw_predict_mean(history, key, INT64_MAX), limit_s);
	ck_assert_double_eq(lw_predict_survival(history, key, 0, limit_s), 0);
	ck_assert_double_eq(lw_predict_survival(history, key, 5, 5 < limit_s ? 5 : 0), 1);
}

TEST_EACH(predictions_rise_with_q_and_elapsed, LW_COUNT_OF(keys))
{
	const struct lw_history_key *key = &keys[_i];

	for (int n = 1; n < 20; n++) {
		int64_t before_s = 0;

		for (int64_t elapsed_s = 0; elapsed_s < 2500; elapsed_s += 7) {
			int64_t found_s = lw_predict_quantile(history, key, elapsed_s, n / 20.0);

			ck_assert_int_ge(found_s, before_s);
			ck_assert_int_ge(lw_predict_quantile(history, key, elapsed_s,
							     (n + 1) / 20.0),
					 found_s);
			before_s = found_s;
		}
	}
}

TEST_EACH(survival_and_quantile_agree, LW_COUNT_OF(keys))
{
	const struct lw_history_key *key = &keys[_i];
	int64_t limit_s = limit_of(key);

	for (int n = 1; n < 20; n++) {
		double q = n / 20.0;
		int64_t found_s = lw_predict_quantile(history, key, 60, q);

		if (found_s <= 61 || found_s >= limit_s)
			continue;
		ck_assert_double_le(lw_predict_survival(history, key, 60, found_s), 1 - q + 1e-9);
		ck_assert_double_ge(lw_predict_survival(history, key, 60, found_s - 1),
				    1 - q - 1e-9);
	}
}

/* P(X <= at_s) as the distribution has it, without the correction. */
static double said(const struct lw_history_key *key, int64_t at_s)
{
	return lw_calibration_level(lw_history_calibration(history),
				    1 - lw_predict_survival(history, key, 0, at_s));
}

/* The range of U from an start-time estimate holds that of the distribution, and is wider by two
 * bins at most. */
TEST_EACH(an_outlook_says_what_the_law_said, LW_COUNT_OF(keys))
{
	const struct lw_history_key *key = &keys[_i];
	struct lw_estimate estimate;

	lw_predict_estimate(history, key, &estimate);
	for (int64_t run_s = 1; run_s <= limit_of(key) && run_s < 3000; run_s += 17) {
		double low, high, before = said(key, run_s - 1), after = said(key, run_s);

		lw_estimate_range(&estimate, run_s, &low, &high);
		ck_assert_double_le(low, before + 1e-9);
		ck_assert_double_ge(high, after - 1e-9);
		ck_assert_double_le(high - low, after - before + (high < 0.8 ? 0.02 : 0.15));
	}
}

TEST(users_are_told_apart)
{
	const struct lw_history_key quick = { 0, 0, 2400, 0, 0 }, slow = { 5, 0, 2400, 0, 0 };

	/* uniform up to 300 s and up to 1800 s: the middles are 150 s and 900 s */
	ck_assert_int_lt(lw_predict_quantile(history, &quick, 0, 0.5), 300);
	ck_assert_int_gt(lw_predict_quantile(history, &slow, 0, 0.5), 600);
	ck_assert_int_lt(lw_predict_mean(history, &quick, 0), 300);
	ck_assert_int_gt(lw_predict_mean(history, &slow, 0), 600);
}

/* One user, one limit: the wide jobs run long, the narrow ones not; the last was a narrow one. */
TEST(widths_are_told_apart)
{
	struct lw_history_job job = { .user = 1, .partition = 1, .limit_s = 7200 };
	struct lw_history_key wide = { 1, 1, 7200, 64, 0 }, narrow = { 1, 1, 7200, 2, 0 };
	const struct lw_history_key unknown = { 1, 1, 7200, 0, 0 }, other = { 1, 1, 7200, 3, 0 };
	struct lw_history *mixed;

	ck_assert_int_eq(lw_history_create(0, &mixed), 0);
	for (int i = 0; i < 40; i++) {
		job.width = i % 4 ? narrow.width : wide.width;
		job.run_s = i % 4 ? 300 : 6000;
		job.end_s = 10000 * i;
		ck_assert_int_eq(lw_history_add(mixed, &job), 0);
	}
	ck_assert_int_gt(lw_predict_mean(mixed, &wide, 0), 4000);
	ck_assert_int_lt(lw_predict_mean(mixed, &narrow, 0), 800);
	ck_assert_int_gt(lw_predict_quantile(mixed, &wide, 0, 0.5), 5000);
	ck_assert_int_le(lw_predict_quantile(mixed, &narrow, 0, 0.5), 300);
	/* a width never seen, or not known, is predicted from all of them */
	ck_assert_int_eq(lw_predict_mean(mixed, &other, 0), lw_predict_mean(mixed, &unknown, 0));
	ck_assert_int_gt(lw_predict_mean(mixed, &unknown, 0), 800);
	ck_assert_int_lt(lw_predict_mean(mixed, &unknown, 0), 4000);
	/* the widest count as one width, in what is learned and what is asked */
	job.width = UINT32_MAX;
	job.run_s = 50;
	for (int i = 0; i < LW_WINDOW_RECENT; i++)
		ck_assert_int_eq(lw_history_add(mixed, &job), 0);
	wide.width = LW_WINDOW_WIDTH_MAX;
	narrow.width = LW_WINDOW_WIDTH_MAX + 1;
	ck_assert_int_lt(lw_predict_mean(mixed, &wide, 0), 400);
	ck_assert_int_eq(lw_predict_mean(mixed, &wide, 0), lw_predict_mean(mixed, &narrow, 0));
	lw_history_destroy(mixed);
}

TEST(without_a_history_the_prior_decides)
{
	const struct lw_history_key key = { 1, 1, 3000, 0, 0 };
	struct lw_history *none;

	ck_assert_int_eq(lw_history_create(0, &none), 0);
	ck_assert_double_eq_tol(lw_predict_survival(NULL, &key, 0, 300), 0.55, 1e-9);
	ck_assert_double_eq_tol(lw_predict_survival(none, &key, 0, 300), 0.55, 1e-6);
	ck_assert_int_eq(lw_predict_mean(NULL, &key, 0), 880);
	ck_assert_int_eq(lw_predict_mean(none, &key, 0), 880);
	ck_assert_int_eq(lw_predict_quantile(NULL, &key, 0, 0.4501), 301);
	ck_assert_int_eq(lw_predict_quantile(NULL, &key, 0, 1), 3000);
	lw_history_destroy(none);
}

/*
 * A user who submits batches of alike jobs, all before the first of them has ended: the last 64
 * runs are three or four values, and a plain 90 % quantile fails whenever the next batch is
 * longer than all of them. How often it failed must be learned. A batch also pushes what was
 * known when it started out of the window: that is mended in full only with start-time estimates.
 */
static const struct {
	int size;
	bool estimates;
	double held_min, held_max;
} batches_of[] = {
	{ 20, false, 0.80, 0.84 },
	{ 20, true, 0.83, 0.92 },
	{ 80, false, 0.50, 0.70 },
	{ 80, true, 0.83, 0.99 },
};

TEST_EACH(batches_are_corrected_for, LW_COUNT_OF(batches_of))
{
	const struct lw_history_key key = { 1, LW_HISTORY_NOBODY, 100000, 0, 0 };
	uint32_t state = 3, asked = 0, held = 0, plain_held = 0;
	struct lw_history *batches;
	int64_t now_s = 0;

	ck_assert_int_eq(lw_history_create(0, &batches), 0);
	for (int batch = 0; batch < 600; batch++) {
		double exponent = (draw(&state) % 10000) / 10000.0;
		int64_t run_s = (int64_t)(60 * pow(1000, exponent));
		struct lw_distribution law = { .limit_s = key.limit_s };
		struct lw_history_job job = { .user = 1,
					      .partition = LW_HISTORY_NOBODY,
					      .limit_s = key.limit_s,
					      .run_s = run_s };
		struct lw_estimate estimate;

		lw_predict_estimate(batches, &key, &estimate);
		job.estimate = batches_of[_i].estimates ? &estimate : NULL;
		for (int level = 0; level < LW_HISTORY_LEVELS; level++) {
			law.windows[law.count] = lw_history_window(batches, &key, level);
			law.count += law.windows[law.count] != NULL;
		}
		if (batch >= 100) {
			asked++;
			held += run_s <= lw_predict_quantile(batches, &key, 0, 0.9);
			plain_held += run_s <= lw_distribution_quantile(&law, 0, 0.9);
		}
		now_s += run_s;
		for (int i = 0; i < batches_of[_i].size; i++) {
			job.end_s = now_s;
			ck_assert_int_eq(lw_history_add(batches, &job), 0);
		}
		now_s++;
	}
	ck_assert_double_lt((double)plain_held / asked, 0.78);
	ck_assert_double_gt((double)held / asked, batches_of[_i].held_min);
	ck_assert_double_lt((double)held / asked, batches_of[_i].held_max);
	lw_history_destroy(batches);
}

static const struct {
	int64_t last_s, before_s, limit_s, elapsed_s, guess_s;
} last2s[] = {
	{ -1, -1, 3600, 0, 3600 },
	{ 100, -1, 3600, 0, 3600 },
	{ 100, 300, 3600, 0, 200 },
	{ 100, 300, 150, 0, 150 },
	{ 100, 300, 3600, 199, 200 },
	{ 100, 300, 3600, 200, 260 },
	{ 100, 300, 3600, 259, 260 },
	{ 100, 300, 3600, 260, 500 },
	{ 100, 300, 3600, 500, 1100 },
	{ 100, 300, 3600, 1100, 2000 },
	{ 100, 300, 36000, 2000, 3800 },
	{ 100, 300, 36000, 3800, 7400 },
	{ 100, 300, 36000, 7400, 18200 },
	{ 100, 300, 36000, 18200, 36000 },
	{ 100, 300, 1000000, 18200, 36200 },
	{ 100, 300, 1000000, 36200, 72200 },
	{ 100, 300, 1000000, 72200, 180200 },
	{ 100, 300, 1000000, 180200, 360200 },
	{ 100, 300, 1000000, 360200, 1000000 },
	{ 100, 300, 3600, 9999, 3600 },
	{ 0, 0, 3600, 0, 60 },
};

TEST_EACH(last2_gives_the_vector, LW_COUNT_OF(last2s))
{
	ck_assert_int_eq(lw_predict_last2(last2s[_i].last_s, last2s[_i].before_s,
					  last2s[_i].limit_s, last2s[_i].elapsed_s),
			 last2s[_i].guess_s);
}

TEST(recent_runs_are_those_that_ended_last)
{
	const struct lw_history_key key = { 1, LW_HISTORY_NOBODY, 600, 0, 0 };
	struct lw_history_job job = { .user = 1, .partition = LW_HISTORY_NOBODY,
				      .limit_s = 600, .run_s = 50, .end_s = 100 };
	struct lw_history *few;
	int64_t last_s = 0, before_s = 0;

	ck_assert_int_eq(lw_history_create(0, &few), 0);
	lw_predict_recent(NULL, &key, &last_s, &before_s);
	ck_assert_int_eq(last_s, -1);
	lw_predict_recent(few, &key, &last_s, &before_s);
	ck_assert_int_eq(last_s, -1);
	ck_assert_int_eq(lw_history_add(few, &job), 0);
	lw_predict_recent(few, &key, &last_s, &before_s);
	ck_assert_int_eq(last_s, 50);
	ck_assert_int_eq(before_s, -1);
	for (job.run_s = 100; job.run_s > 20; job.run_s--)
		ck_assert_int_eq(lw_history_add(few, &job), 0);
	lw_predict_recent(few, &key, &last_s, &before_s);
	ck_assert_int_eq(last_s, 21);
	ck_assert_int_eq(before_s, 22);
	lw_history_destroy(few);
}

TEST(predictors_have_names)
{
	for (int i = LW_PREDICT_USER; i <= LW_PREDICT_HISTORY; i++)
		ck_assert_int_eq(lw_predictor_parse(lw_predictor_name(i)), i);
	ck_assert_str_eq(lw_predictor_name(LW_PREDICT_HISTORY), "predicted");
	ck_assert_str_eq(lw_predictor_name(LW_PREDICT_HISTORY + 1), "?");
	ck_assert_int_eq(lw_predictor_parse("oracle"), -EINVAL);
}
