/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of predictions made worse. */
#include "lab/sim/foresee.h"
#include "lab/sim/noise.h"

#include "predictor/survival.h"
#include "unit/unit.h"

#include <math.h>

#define KINDS 20000

static const struct lw_noise off = { 0, 1 };
static const struct lw_noise one = { 1, 1 };
static const struct lw_noise other = { 1, 2 };

static struct lw_history_key kind_of(uint32_t user)
{
	return (struct lw_history_key){ .user = user, .limit_s = 3600, .width = 4 };
}

TEST(off_it_changes_nothing)
{
	struct lw_history_key key = kind_of(7);

	ck_assert_double_eq(lw_noise_factor(&off, &key), 1);
	ck_assert_int_eq(lw_noise_time(1234, 1, 3600), 1234);
}

TEST(a_kind_keeps_its_factor)
{
	struct lw_history_key key = kind_of(7), later = key, wider = key;

	later.now_s = 99;
	wider.width = 5;
	ck_assert_double_eq(lw_noise_factor(&one, &key), lw_noise_factor(&one, &later));
	ck_assert_double_ne(lw_noise_factor(&one, &key), lw_noise_factor(&one, &wider));
	ck_assert_double_ne(lw_noise_factor(&one, &key), lw_noise_factor(&other, &key));
}

/* Of the logarithms of many factors. */
TEST(factors_are_log_normal)
{
	const double sigmas[] = { 0.1, 1, 2.5 };

	for (unsigned i = 0; i < LW_COUNT_OF(sigmas); i++) {
		const struct lw_noise noise = { sigmas[i], 3 };
		double sum = 0, squares = 0, sd;

		for (uint32_t user = 0; user < KINDS; user++) {
			struct lw_history_key key = kind_of(user);
			double factor = log(lw_noise_factor(&noise, &key));

			sum += factor;
			squares += factor * factor;
		}
		sd = sqrt(squares / KINDS);
		ck_assert_double_eq_tol(sum / KINDS, 0, 0.03 * sigmas[i]);
		ck_assert_double_eq_tol(sd, sigmas[i], 0.03 * sigmas[i]);
	}
}

TEST(times_stay_in_their_bounds)
{
	ck_assert_int_eq(lw_noise_time(100, 3, 3600), 300);
	ck_assert_int_eq(lw_noise_time(100, 0.001, 3600), 1);
	ck_assert_int_eq(lw_noise_time(100, 1e30, 3600), 3600);
	ck_assert_int_eq(lw_noise_time(100, 2, 0), 1);
}

/* Three times as long is one point later, since each point is three times the one before. */
TEST(survival_is_stretched)
{
	const double chances[LW_SURVIVAL_POINTS] = { 0.9, 0.8, 0.6, 0.6, 0.4, 0.2, 0.1, 0 };
	uint64_t survival = lw_survival_pack(chances), longer = lw_noise_survival(survival, 3);
	uint64_t shorter = lw_noise_survival(survival, 1 / 3.0);

	ck_assert_uint_eq(lw_noise_survival(0, 3), 0);
	ck_assert_uint_eq(lw_noise_survival(survival, 1), survival);
	for (unsigned point = 1; point < LW_SURVIVAL_POINTS; point++) {
		ck_assert_uint_eq(lw_survival_at(longer, point),
				  lw_survival_at(survival, point - 1));
		ck_assert_uint_eq(lw_survival_at(shorter, point - 1),
				  lw_survival_at(survival, point));
	}
	/* a third of the way from 1 to 0.9 */
	ck_assert_uint_eq(lw_survival_at(longer, 0), (unsigned)(255 * (1 - 0.1 / 3) + 0.5));
}

/* Of a run that is known: wrong by its factor, and never beyond the limit. */
TEST(run_times_are_wrong_by_the_factor)
{
	struct lw_foresee foresee = { LW_PREDICT_EXACT, one, NULL };
	struct lw_sim_job job = { .user = 7, .run_s = 1000, .limit_s = 1000000 };
	struct lw_history_key key = lw_foresee_key(&job, 0);
	double factor = lw_noise_factor(&one, &key);

	ck_assert_int_eq(lw_foresee_mean(&foresee, &job, 0), llround(1000 * factor));
	ck_assert_int_eq(lw_foresee_believe(&foresee, &job, 0, 0), llround(1000 * factor));
	/* an eighth of the time so far, and a minute, if that is more */
	ck_assert_int_eq(lw_foresee_believe(&foresee, &job, 600, 0),
			 600 + (400 * factor > 135 ? llround(400 * factor) : 135));
	ck_assert_int_eq(lw_foresee_believe(&foresee, &job, 990, 0),
			 1000 + (factor > 1 ? llround(10 * factor) - 10 : 0));
	foresee.runtime = LW_PREDICT_USER;
	ck_assert_int_eq(lw_foresee_mean(&foresee, &job, 0), 1000000);
	ck_assert_int_eq(lw_foresee_believe(&foresee, &job, 0, 0), 1000000);
	foresee = (struct lw_foresee){ LW_PREDICT_EXACT, off, NULL };
	ck_assert_int_eq(lw_foresee_mean(&foresee, &job, 0), 1000);
}
