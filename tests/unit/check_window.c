/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of predictor/window and predictor/calibration. */
#include "predictor/window.h"

#include "unit/unit.h"

#include "predictor/calibration.h"

#define NEAR 1e-9

/* Samples in the order of learning, each "run" or "run, censored". */
static const struct {
	struct {
		uint32_t run_s;
		bool cut;
	} samples[4];
	uint32_t count;
	double at;    /* asked: how many count as longer, and the area from here */
	double alive; /* worked out by hand */
	double area;
} windows[] = {
	{ { { 10, false } }, 1, 0, 1, 10 },
	{ { { 10, false } }, 1, 9.5, 1, 0.5 },
	{ { { 10, false } }, 1, 10, 0, 0 },
	{ { { 30, false }, { 10, false }, { 20, false } }, 3, 0, 3, 10 * 3 + 10 * 2 + 10 },
	{ { { 30, false }, { 10, false }, { 20, false } }, 3, 10, 2, 10 * 2 + 10 },
	{ { { 30, false }, { 10, false }, { 20, false } }, 3, 25, 1, 5 },
	/* two at risk above the censored one share its weight: 3/2 each */
	{ { { 40, false }, { 20, true }, { 30, false }, { 10, false } }, 4, 0, 4, 115 },
	{ { { 40, false }, { 20, true }, { 30, false }, { 10, false } }, 4, 20, 3, 45 },
	{ { { 40, false }, { 20, true }, { 30, false }, { 10, false } }, 4, 30, 1.5, 15 },
	/* the last one is censored: its weight stays above everything */
	{ { { 10, false }, { 20, true } }, 2, 20, 1, 0 },
	{ { { 10, false }, { 20, true } }, 2, 1000, 1, 0 },
	{ { { 10, true }, { 20, true } }, 2, 15, 2, 10 },
	{ { { 10, true }, { 20, true } }, 2, 20, 2, 0 },
	/* at the same time the event comes before the censoring */
	{ { { 10, true }, { 10, false } }, 2, 10, 1, 0 },
};

TEST_EACH(window_gives_the_vector, LW_COUNT_OF(windows))
{
	struct lw_window window = { 0 };

	for (uint32_t i = 0; i < windows[_i].count; i++) {
		const struct lw_window_sample sample = {
			.run_s = windows[_i].samples[i].run_s,
			.cut = windows[_i].samples[i].cut,
		};

		lw_window_add(&window, &sample);
	}
	ck_assert_double_eq_tol(lw_window_alive(&window, windows[_i].at), windows[_i].alive, NEAR);
	ck_assert_double_eq_tol(lw_window_area(&window, windows[_i].at), windows[_i].area, NEAR);
}

TEST(a_full_window_lets_the_oldest_go)
{
	struct lw_window window = { 0 };

	for (uint32_t i = 0; i < LW_WINDOW_SAMPLES + 2; i++) {
		/* falling run times: the oldest is the longest */
		const struct lw_window_sample sample = { .run_s = 1000 - i, .end_s = i };

		lw_window_add(&window, &sample);
		ck_assert_uint_le(window.count, LW_WINDOW_SAMPLES);
	}
	ck_assert_uint_eq(window.count, LW_WINDOW_SAMPLES);
	ck_assert_double_eq(lw_window_last(&window), 998);
	ck_assert_uint_eq(lw_window_turn(&window, 0)->run_s, 998);
	ck_assert_uint_eq(lw_window_turn(&window, LW_WINDOW_SAMPLES - 1)->run_s,
			  1000 - LW_WINDOW_SAMPLES - 1);
	ck_assert_ptr_null(lw_window_turn(&window, LW_WINDOW_SAMPLES));
}

TEST(a_window_of_the_past_holds_what_had_ended)
{
	struct lw_window window = { 0 }, then = { 0 };

	for (uint32_t i = 1; i <= 5; i++) {
		const struct lw_window_sample sample = { .run_s = i * 10, .end_s = i * 100 };

		lw_window_add(&window, &sample);
	}
	lw_window_at(&window, 300, &then);
	ck_assert_uint_eq(then.count, 3);
	ck_assert_double_eq(lw_window_last(&then), 30);
	ck_assert_double_eq(lw_window_alive(&then, 15), 2);
	ck_assert_double_eq(lw_window_area(&then, 0), 60);
	lw_window_at(&window, 99, &then);
	ck_assert_uint_eq(then.count, 0);
	ck_assert_double_eq(lw_window_last(&then), 0);
}

static int64_t sum_of(const struct lw_calibration *calibration)
{
	int64_t sum = 0;

	for (int i = 0; i < LW_CALIBRATION_BINS; i++) {
		ck_assert_int_gt(calibration->bins[i], 0);
		sum += calibration->bins[i];
	}
	return sum;
}

TEST(calibration_starts_without_a_correction)
{
	struct lw_calibration calibration;

	lw_calibration_init(&calibration);
	ck_assert_int_eq(sum_of(&calibration), LW_CALIBRATION_WHOLE);
	for (int i = 0; i <= 20; i++) {
		ck_assert_double_eq_tol(lw_calibration_level(&calibration, i / 20.0), i / 20.0,
					1e-6);
		ck_assert_double_eq_tol(lw_calibration_held(&calibration, i / 20.0), i / 20.0,
					1e-6);
	}
	ck_assert_double_eq(lw_calibration_held(&calibration, 0), 0);
	ck_assert_double_eq(lw_calibration_held(&calibration, 1), 1);
	ck_assert_double_eq(lw_calibration_level(&calibration, -1), 0);
	ck_assert_double_eq(lw_calibration_level(&calibration, 2), 1);
}

/* Two in five beyond 0.8, where one in five should be: 60 % must map to 0.8. */
TEST(calibration_learns_the_level_that_holds)
{
	struct lw_calibration calibration;

	lw_calibration_init(&calibration);
	for (int i = 0; i < 20 * LW_CALIBRATION_FADING; i++)
		lw_calibration_add(&calibration, i % 5 < 3 ? 0 : 0.8, i % 5 < 3 ? 0.8 : 1);
	ck_assert_int_eq(sum_of(&calibration), LW_CALIBRATION_WHOLE);
	ck_assert_double_eq_tol(lw_calibration_held(&calibration, 0.8), 0.6, 0.01);
	ck_assert_double_eq_tol(lw_calibration_level(&calibration, 0.6), 0.8, 0.01);
	ck_assert_double_gt(lw_calibration_level(&calibration, 0.8), 0.85);
	for (int i = 1; i <= 100; i++) {
		double q = i / 100.0, level = lw_calibration_level(&calibration, q);

		ck_assert_double_gt(level, lw_calibration_level(&calibration, q - 0.01));
		ck_assert_double_eq_tol(lw_calibration_held(&calibration, level), q, 1e-9);
	}
}

TEST(calibration_takes_points_and_wild_numbers)
{
	static const double wild[][2] = {
		{ 0, 0 }, { 1, 1 }, { 0.5, 0.5 }, { -3, 7 }, { 0.8, 0.2 }, { 2, 3 },
	};
	struct lw_calibration calibration;

	lw_calibration_init(&calibration);
	for (size_t i = 0; i < 1000 * LW_COUNT_OF(wild); i++)
		lw_calibration_add(&calibration, wild[i % LW_COUNT_OF(wild)][0],
				   wild[i % LW_COUNT_OF(wild)][1]);
	ck_assert_int_eq(sum_of(&calibration), LW_CALIBRATION_WHOLE);
}

static const struct {
	uint32_t width;
	uint32_t runs[LW_WINDOW_RECENT]; /* sorted, ended by 0 */
} recents[] = {
	{ 0, { 0 } },
	{ 1, { 107, 110, 113, 116, 119, 122 } },
	{ 2, { 0 } },
	{ 3, { 101, 104 } },
};

/* Of 23 runs of 100, 101, ... s every third is 1 wide, but that the first two of them are 3. */
TEST_EACH(the_recent_ones_are_the_last_of_a_width, LW_COUNT_OF(recents))
{
	struct lw_window window = { 0 }, recent;
	uint32_t count = 0;

	for (uint32_t i = 0; i < 23; i++) {
		const struct lw_window_sample sample = {
			.run_s = 100 + i,
			.width = i == 1 || i == 4 ? 3 : i % 3 == 1 ? 1 : 0,
		};

		lw_window_add(&window, &sample);
	}
	lw_window_recent(&window, recents[_i].width, &recent);
	while (count < LW_WINDOW_RECENT && recents[_i].runs[count])
		count++;
	ck_assert_uint_eq(recent.count, count);
	for (uint32_t i = 0; i < count; i++)
		ck_assert_uint_eq(recent.samples[i].run_s, recents[_i].runs[i]);
	ck_assert_double_eq_tol(lw_window_alive(&recent, 0), count, NEAR);
	ck_assert_double_eq_tol(lw_window_last(&recent), count ? recents[_i].runs[count - 1] : 0,
				NEAR);
}

TEST(a_full_window_gives_the_recent_ones)
{
	struct lw_window window = { 0 }, recent;

	for (uint32_t i = 0; i < 3 * LW_WINDOW_SAMPLES + 5; i++) {
		const struct lw_window_sample sample = {
			.run_s = 1000 - i, /* the newest are the shortest */
			.width = 1 + i % 2,
		};

		lw_window_add(&window, &sample);
	}
	lw_window_recent(&window, 1, &recent);
	ck_assert_uint_eq(recent.count, LW_WINDOW_RECENT);
	ck_assert_uint_eq(recent.samples[0].run_s, 1000 - 3 * LW_WINDOW_SAMPLES - 4);
	ck_assert_uint_eq(recent.samples[LW_WINDOW_RECENT - 1].run_s,
			  1000 - 3 * LW_WINDOW_SAMPLES - 4 + 2 * (LW_WINDOW_RECENT - 1));
}
