/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of predictor/scaling: made-up curves are found again. */
#include "predictor/scaling.h"

#include "unit/unit.h"

#include <errno.h>

#define SIZES_MAX 6

/* Sizes, 0 ends them, and the curve that their times are of. */
static const struct {
	uint32_t sizes[SIZES_MAX];
	double fixed_s, shared_s, growing_s;
	double near; /* of each part */
} curves[] = {
	/* perfect, nothing shared, Amdahl's */
	{ { 1, 2, 4 }, 0, 100, 0, 1e-6 },
	{ { 1, 2, 4 }, 100, 0, 0, 1e-6 },
	{ { 1, 2, 4, 8 }, 10, 90, 0, 1e-6 },
	{ { 1, 8 }, 10, 90, 0, 1e-6 },
	{ { 4, 8, 16 }, 10, 90, 0, 1e-5 },
	/* with what grows */
	{ { 1, 2, 4, 8, 16 }, 10, 90, 2, 1e-6 },
	{ { 2, 4, 8 }, 5, 1000, 1, 1e-5 },
	{ { 1, 2, 4, 8 }, 0, 60, 5, 1e-6 },
	/* times from a microsecond to months */
	{ { 1, 2, 4, 8 }, 1e-6, 9e-6, 1e-7, 1e-12 },
	{ { 1, 2, 4, 8 }, 1e6, 9e6, 1e5, 1 },
};

static uint32_t make_points(int curve, struct lw_scaling_point points[SIZES_MAX])
{
	uint32_t count = 0;

	for (; count < SIZES_MAX && curves[curve].sizes[count]; count++) {
		uint32_t n = curves[curve].sizes[count];

		points[count] =
			(struct lw_scaling_point){ n,
						   curves[curve].fixed_s +
							   curves[curve].shared_s / n +
							   curves[curve].growing_s * (n - 1),
						   1 + count };
	}
	return count;
}

TEST_EACH(a_curve_is_found_again, LW_COUNT_OF(curves))
{
	struct lw_scaling_point points[SIZES_MAX];
	uint32_t count = make_points(_i, points);
	struct lw_scaling found;

	ck_assert_int_eq(lw_scaling_fit(points, count, &found), 0);
	ck_assert_double_eq_tol(found.fixed_s, curves[_i].fixed_s, curves[_i].near);
	ck_assert_double_eq_tol(found.shared_s, curves[_i].shared_s, curves[_i].near);
	ck_assert_double_eq_tol(found.growing_s, curves[_i].growing_s, curves[_i].near);
	ck_assert_double_lt(found.error, 1e-6);
}

/* Times that no curve has: the parts stay at 0 or above, and the error says how far it is off. */
static const struct {
	struct lw_scaling_point points[3];
	uint32_t count;
	double error_least, error_most;
} odd[] = {
	/* faster than it can be: a cache that fits */
	{ { { 1, 100, 1 }, { 2, 30, 1 }, { 4, 10, 1 } }, 3, 0.2, 0.9 },
	/* slower with each GPU */
	{ { { 1, 100, 1 }, { 2, 150, 1 }, { 4, 260, 1 } }, 3, 0, 0.1 },
	{ { { 1, 100, 1 }, { 2, 150, 1 } }, 2, 0.1, 0.3 },
	/* two points of one size are drawn together, by their weights */
	{ { { 1, 100, 9 }, { 1, 200, 1 }, { 2, 55, 9 } }, 3, 0.3, 0.5 },
};

TEST_EACH(no_part_is_below_nothing, LW_COUNT_OF(odd))
{
	struct lw_scaling found;

	ck_assert_int_eq(lw_scaling_fit(odd[_i].points, odd[_i].count, &found), 0);
	ck_assert_double_ge(found.fixed_s, 0);
	ck_assert_double_ge(found.shared_s, 0);
	ck_assert_double_ge(found.growing_s, 0);
	ck_assert_double_ge(found.error, odd[_i].error_least);
	ck_assert_double_le(found.error, odd[_i].error_most);
}

TEST(one_size_tells_nothing)
{
	static const struct lw_scaling_point points[] = { { 4, 100, 3 }, { 4, 90, 1 } };
	struct lw_scaling found = { .fixed_s = 7 };

	ck_assert_int_eq(lw_scaling_fit(points, 0, &found), -ENODATA);
	ck_assert_int_eq(lw_scaling_fit(points, 1, &found), -ENODATA);
	ck_assert_int_eq(lw_scaling_fit(points, 2, &found), -ENODATA);
	ck_assert(found.fixed_s == 7);
}

/* The order of the points is none of the fit's business. */
TEST(points_in_any_order)
{
	struct lw_scaling_point points[SIZES_MAX], turned[SIZES_MAX];
	struct lw_scaling found, again;
	uint32_t count = make_points(5, points);

	for (uint32_t i = 0; i < count; i++)
		turned[i] = points[count - 1 - i];
	ck_assert_int_eq(lw_scaling_fit(points, count, &found), 0);
	ck_assert_int_eq(lw_scaling_fit(turned, count, &again), 0);
	ck_assert_double_eq_tol(found.growing_s, again.growing_s, 1e-9);
	ck_assert_double_eq_tol(found.fixed_s, again.fixed_s, 1e-9);
}

TEST(efficiency_is_beside_the_smallest)
{
	ck_assert_double_eq_tol(lw_scaling_efficiency(2, 100, 8, 40), 0.625, 1e-12);
	ck_assert_double_eq_tol(lw_scaling_efficiency(2, 100, 2, 100), 1, 1e-12);
	ck_assert_double_eq_tol(lw_scaling_speedup(100, 40), 2.5, 1e-12);
}
