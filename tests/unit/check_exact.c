/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of exact tests: by counts worked out by hand, and against all ways. */
#include "measure/exact.h"

#include "unit/unit.h"

#include <math.h>

#define STRATA_MAX 3

static const struct {
	struct lw_exact_stratum strata[STRATA_MAX];
	uint32_t count;
	double tail, least;
} vectors[] = {
	/* the lady tasting tea: 4 of 8 cups, all or all but one of them found */
	{ { { 8, 4, 4, 4 } }, 1, 1 / 70.0, 1 / 70.0 },
	{ { { 8, 4, 4, 3 } }, 1, 17 / 70.0, 1 / 70.0 },
	{ { { 8, 4, 4, 0 } }, 1, 1, 1 / 70.0 },
	/* one failure among ten places is no news, and cannot be */
	{ { { 10, 1, 1, 1 } }, 1, 0.1, 0.1 },
	/* three of them, at the same place each time, are; two of three less so */
	{ { { 10, 1, 1, 1 }, { 10, 1, 1, 1 }, { 10, 1, 1, 1 } }, 3, 0.001, 0.001 },
	{ { { 10, 1, 1, 1 }, { 10, 1, 1, 1 }, { 10, 1, 1, 0 } }, 3, 0.028, 0.001 },
	/* more trials there than unmarked ones: some must hit */
	{ { { 5, 4, 3, 2 } }, 1, 1, 0.4 },
	{ { { 5, 4, 3, 3 } }, 1, 0.4, 0.4 },
	/* where all failed, or none, nothing is told */
	{ { { 6, 6, 2, 2 } }, 1, 1, 1 },
	{ { { 6, 0, 2, 0 } }, 1, 1, 1 },
	{ { { 0, 0, 0, 0 } }, 0, 1, 1 },
};

TEST_EACH(strata_are_what_was_counted, LW_COUNT_OF(vectors))
{
	const double near = 1e-12;

	ck_assert_double_eq_tol(lw_exact_tail(vectors[_i].strata, vectors[_i].count),
				vectors[_i].tail, near);
	ck_assert_double_eq_tol(lw_exact_least(vectors[_i].strata, vectors[_i].count),
				vectors[_i].least, near);
}

/* The tails of all numbers that one stratum may hit fall from 1, by what each has. */
TEST(tails_of_one_stratum_sum_up)
{
	for (uint32_t all = 1; all <= 12; all++)
		for (uint32_t cell = 0; cell < (all + 1) * (all + 1); cell++) {
			uint32_t marked = cell / (all + 1), here = cell % (all + 1);
			uint32_t most = marked < here ? marked : here;
			double mean = 0;

			/* a mean is the sum of its tails */
			for (uint32_t hit = 1; hit <= most; hit++) {
				const struct lw_exact_stratum s = { all, marked, here, hit };

				mean += lw_exact_tail(&s, 1);
			}
			ck_assert_double_eq_tol(mean, (double)here * marked / all, 1e-9);
		}
}

/* Far more trials than can be gone through: near what the exact test says of a part of them. */
TEST(many_trials_are_near_the_normal)
{
	const struct lw_exact_stratum few[] = { { 2000, 200, 200, 33 } };
	const struct lw_exact_stratum many[] = { { 200000, 20000, 20000, 2134 } };

	/* 2000: mean 20, deviation 4.03; 200000: 2000, 40.3 */
	ck_assert_double_eq_tol(lw_exact_tail(few, 1), 0.0018, 0.0006);
	ck_assert_double_eq_tol(lw_exact_tail(many, 1), 0.5 * erfc(133.5 / 40.25 / sqrt(2)),
				1e-4);
}

static const struct {
	uint32_t trials, hits;
	double share, wanted;
} tosses[] = {
	{ 3, 3, 0.5, 0.125 }, { 3, 2, 0.5, 0.5 },    { 3, 0, 0.5, 1 },     { 2, 3, 0.5, 0 },
	{ 5, 2, 0, 0 },       { 5, 2, 1, 1 },        { 2, 2, 0.01, 1e-4 }, { 4, 1, 0.1, 0.3439 },
	{ 0, 0, 0.5, 1 },     { 1000, 0, 0.001, 1 },
};

TEST_EACH(tosses_are_binomial, LW_COUNT_OF(tosses))
{
	ck_assert_double_eq_tol(
		lw_exact_binomial(tosses[_i].trials, tosses[_i].hits, tosses[_i].share),
		tosses[_i].wanted, 1e-12);
}

/* Nothing overflows on the way. */
TEST(many_tosses)
{
	ck_assert_double_eq_tol(lw_exact_binomial(1000000, 500000, 0.5), 0.5004, 1e-3);
	ck_assert_double_lt(lw_exact_binomial(1000000, 900000, 0.5), 1e-300);
}
