/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of predictor/distribution: what windows of runs make of the future. */
#include "predictor/distribution.h"

#include "predictor/predict.h"
#include "unit/draw.h"
#include "unit/unit.h"

/* Windows for distributions by hand: what each holds is in its name. */
static struct lw_window of_100_200_300, of_100_200cut, of_50, empty;

static void add(struct lw_window *window, uint32_t run_s, bool cut)
{
	const struct lw_window_sample sample = { .run_s = run_s, .cut = cut };

	lw_window_add(window, &sample);
}

static void make_windows(void)
{
	/* once a test: without forks they would go on from those of the test before */
	of_100_200_300 = of_100_200cut = of_50 = empty = (struct lw_window){ 0 };
	add(&of_100_200_300, 100, false);
	add(&of_100_200_300, 200, false);
	add(&of_100_200_300, 300, false);
	add(&of_100_200cut, 100, false);
	add(&of_100_200cut, 200, true);
	add(&of_50, 50, false);
}

/*
 * The prior for a limit of 3000 s: P(X > t) = 0.1 + 0.9 ln(3000/t) / ln(100) from 30 s on,
 * so 0.55 at 300 s, 0.685464 at 150 s, 0.629241 at 200 s, 0.593610 at 240 s.
 */
static const struct {
	const struct lw_window *windows[2];
	int count;
	int64_t limit_s, elapsed_s, at_s;
	double survival;
} survivals[] = {
	/* the prior alone */
	{ { NULL }, 0, 3000, 0, 300, 0.55 },
	{ { NULL }, 0, 3000, 0, 30, 1 },
	{ { NULL }, 0, 3000, 0, 2999, 0.100065 },
	{ { NULL }, 0, 3000, 0, 3000, 0 },
	{ { NULL }, 0, 3000, 200, 300, 0.55 / 0.629241 },
	{ { NULL }, 0, 3000, 300, 200, 1 },
	{ { NULL }, 0, 3000, -5, 300, 0.55 },
	/* a limit below where the prior begins */
	{ { NULL }, 0, 20, 0, 19, 1 },
	{ { NULL }, 0, 20, 0, 20, 0 },
	/* two of three ran longer than 150 s, the prior weighs as much as one run */
	{ { &of_100_200_300 }, 1, 3000, 0, 150, (2 + 0.685464) / 4 },
	/* at 150 s the first no longer speaks: one of two beyond 240 s */
	{ { &of_100_200_300 }, 1, 3000, 150, 240, (1 + 0.593610 / 0.685464) / 3 },
	/* everything outlived: the prior again */
	{ { &of_100_200_300 }, 1, 3000, 300, 600, 0.414537 / 0.55 },
	/* an empty window changes nothing */
	{ { &empty }, 1, 3000, 0, 300, 0.55 },
	/* the limit cuts what ran longer under another limit */
	{ { &of_100_200_300 }, 1, 150, 0, 150, 0 },
	/* the killed one ran beyond 200 s, how long the prior says: P(X > 300 | X > 200) */
	{ { &of_100_200cut }, 1, 3000, 0, 300, (0.55 / 0.629241 + 0.55) / 3 },
	{ { &of_100_200cut }, 1, 3000, 0, 150, (1 + 0.685464) / 3 },
	/* two levels: the special one is shrunk towards the general one */
	{ { &of_100_200_300, &of_50 }, 2, 3000, 0, 150, (2 + 0.685464) / 4 / 2 },
};

FIXTURE(make_windows, NULL);

TEST_EACH(survival_gives_the_vector, LW_COUNT_OF(survivals))
{
	struct lw_distribution law = { .count = survivals[_i].count,
				       .limit_s = survivals[_i].limit_s };

	for (int i = 0; i < law.count; i++)
		law.windows[i] = survivals[_i].windows[i];
	ck_assert_double_eq_tol(
		lw_distribution_survival(&law, survivals[_i].elapsed_s, survivals[_i].at_s),
		survivals[_i].survival, 2e-6);
}

static const struct {
	const struct lw_window *window;
	int64_t limit_s, elapsed_s, at_s;
	double excess;
} excesses[] = {
	/* 30 + 0.1 * 2970 + 0.9 * (2970 - 30 ln 100) / ln 100 */
	{ NULL, 3000, 0, 0, 880.4346 },
	{ NULL, 3000, 0, 3000, 0 },
	{ NULL, 20, 0, 5, 15 },
	/* (100 + 200 + 300 + 2 * prior) / 5 */
	{ &of_100_200_300, 3000, 0, 0, (600 + 880.4346) / 4 },
	/*
	 * the limit counts for all of them: 100 + 150 + 150; prior: 30 + 12 +
	 * 0.9 * (120 - 30 ln 5) / ln 5
	 */
	{ &of_100_200_300, 150, 0, 0, (400 + 82.1042) / 4 },
	/* having run 60 s for sure, and on from there */
	{ NULL, 100, 100, 40, 60 },
	{ NULL, 100, 150, 40, 60 },
};

TEST_EACH(excess_gives_the_vector, LW_COUNT_OF(excesses))
{
	struct lw_distribution law = {
		.windows = { excesses[_i].window },
		.count = excesses[_i].window ? 1 : 0,
		.limit_s = excesses[_i].limit_s,
	};

	ck_assert_double_eq_tol(
		lw_distribution_excess(&law, excesses[_i].elapsed_s, excesses[_i].at_s),
		excesses[_i].excess, 1e-3);
}

/* A law of as many windows as there may be, of random runs, some of them cut. */
static struct lw_distribution make_law(uint32_t seed, struct lw_window *windows)
{
	struct lw_distribution law = { .count = LW_DISTRIBUTION_WINDOWS_MAX };

	law.limit_s = 40 + draw(&seed) % 900;
	for (int level = 0; level < LW_DISTRIBUTION_WINDOWS_MAX; level++) {
		uint32_t runs = draw(&seed) % 9;

		windows[level] = empty;
		for (uint32_t i = 0; i < runs; i++)
			add(&windows[level], draw(&seed) % 1000, draw(&seed) % 3 == 0);
		law.windows[level] = &windows[level];
	}
	return law;
}

#define LAWS 60

TEST_EACH(excess_is_the_area_under_survival, LAWS)
{
	struct lw_window windows[LW_DISTRIBUTION_WINDOWS_MAX];
	struct lw_distribution law = make_law((uint32_t)_i + 1, windows);
	int64_t from_s = _i % 7 * 5, elapsed_s = _i % 3 ? from_s : 0;
	double area = 0;

	/* survival is smooth and convex between whole seconds: the middle is within 1 % of it */
	for (int64_t at_s = from_s; at_s < law.limit_s; at_s++) {
		double left = lw_distribution_survival(&law, elapsed_s, at_s);
		double right = at_s + 1 < law.limit_s
				       ? lw_distribution_survival(&law, elapsed_s, at_s + 1)
				       : left;
		double drop = left - right;

		/* a step at at_s + 1 belongs to the next second */
		area += drop > 0.02 ? left : (left + right) / 2;
	}
	ck_assert_double_eq_tol(lw_distribution_excess(&law, elapsed_s, from_s), area,
				0.01 * area + 1);
}

TEST_EACH(a_law_falls_with_time_and_rises_with_elapsed, LAWS)
{
	struct lw_window windows[LW_DISTRIBUTION_WINDOWS_MAX];
	struct lw_distribution law = make_law((uint32_t)_i + 1, windows);

	for (int64_t at_s = 0; at_s < law.limit_s; at_s += 3) {
		double before = 0;

		ck_assert_double_le(lw_distribution_survival(&law, 0, at_s + 1),
				    lw_distribution_survival(&law, 0, at_s) + 1e-12);
		for (int64_t elapsed_s = 0; elapsed_s <= at_s; elapsed_s += 2) {
			double now = lw_distribution_survival(&law, elapsed_s, at_s);

			ck_assert_double_ge(now, before - 1e-12);
			ck_assert(now >= 0 && now <= 1 + 1e-12);
			before = now;
		}
	}
}

TEST_EACH(a_quantile_is_the_least_time_that_suffices, LAWS)
{
	struct lw_window windows[LW_DISTRIBUTION_WINDOWS_MAX];
	struct lw_distribution law = make_law((uint32_t)_i + 1, windows);

	for (int64_t elapsed_s = 0; elapsed_s < law.limit_s; elapsed_s += 11) {
		for (int n = 1; n < 20; n++) {
			double q = n / 20.0;
			int64_t found_s = lw_distribution_quantile(&law, elapsed_s, q);

			ck_assert_int_gt(found_s, elapsed_s);
			ck_assert_int_le(found_s, law.limit_s);
			ck_assert_double_le(lw_distribution_survival(&law, elapsed_s, found_s),
					    1 - q + 1e-12);
			if (found_s > elapsed_s + 1)
				ck_assert_double_gt(
					lw_distribution_survival(&law, elapsed_s, found_s - 1),
					1 - q);
		}
	}
}

TEST_EACH(quantiles_together_are_those_alone, LAWS)
{
	struct lw_window windows[LW_DISTRIBUTION_WINDOWS_MAX];
	struct lw_distribution law = make_law((uint32_t)_i + 1, windows);
	double levels[LW_CALIBRATION_BINS + 1];
	int64_t together_s[LW_CALIBRATION_BINS + 1];

	for (int n = 0; n <= LW_CALIBRATION_BINS; n++)
		levels[n] = lw_calibration_edge(n);
	for (int64_t elapsed_s = -1; elapsed_s < law.limit_s; elapsed_s += 101) {
		lw_distribution_quantiles(&law, elapsed_s, levels, LW_CALIBRATION_BINS + 1,
					  together_s);
		for (int n = 0; n <= LW_CALIBRATION_BINS; n++)
			ck_assert_int_eq(together_s[n],
					 lw_distribution_quantile(&law, elapsed_s, levels[n]));
	}
}
