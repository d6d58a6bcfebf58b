/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of the metrics, against figures worked out by hand. */
#include "measure/metrics.h"

#include "unit/unit.h"

#define NONE LW_METRICS_NONE

static const struct {
	int64_t wait_s, run_s;
	double bsld;
} slowdowns[] = {
	{ 0, 100, 1.0 },    { 100, 100, 2.0 }, { 0, 0, 1.0 },  { 0, 3, 1.0 },
	{ 7, 3, 1.0 },      { 8, 3, 1.1 },     { 90, 0, 9.0 }, { 95, 5, 10.0 },
	{ 990, 10, 100.0 }, { 50, 200, 1.25 },
};

TEST_EACH(test_bsld, LW_COUNT_OF(slowdowns))
{
	ck_assert_double_eq_tol(
		lw_metrics_bsld(slowdowns[_i].wait_s, slowdowns[_i].run_s),
		slowdowns[_i].bsld, 1e-12);
}

/* Four jobs: waits 0, 10, 20 and 70; runs 100, 10, 5 and still running. */
static const struct lw_metrics_job four[] = {
	{ 1, 0, 0, 100, NONE, 4, 4, 0 },
	{ 2, 10, 20, 30, 20, 1, 1, 1 },
	{ 3, 10, 30, 35, 25, 8, 8, 8 },
	{ 4, 30, 100, NONE, 60, 2, 2, 2 },
};

TEST(test_waits)
{
	struct lw_metrics m;

	ck_assert_int_eq(lw_metrics_compute(four, 4, &m), 0);
	ck_assert_uint_eq(m.jobs, 4);
	ck_assert_double_eq_tol(m.wait_mean_s, 25.0, 1e-12);
	ck_assert_int_eq(m.wait_s[50], 10); /* nearest rank: the 2nd of 4 */
	ck_assert_int_eq(m.wait_s[99], 70);
	ck_assert_int_eq(m.wait_s[100], 70);
	ck_assert_double_eq_tol(m.wait_wide_mean_s, 20.0, 1e-12); /* job 3 */
	ck_assert_double_eq_tol(m.wait_long_mean_s, 0.0, 1e-12);  /* job 1 */
	/* 1, (10 + 10) / 10, (20 + 5) / 10 */
	ck_assert_double_eq_tol(m.bsld_mean, 5.5 / 3, 1e-12);
}

TEST(test_shown)
{
	struct lw_metrics m;

	ck_assert_int_eq(lw_metrics_compute(four, 4, &m), 0);
	ck_assert_uint_eq(m.shown, 3);
	ck_assert_uint_eq(m.later, 0); /* up to a minute after it is by it */
	ck_assert_double_eq_tol(m.violation_mean_s, (0 + 5 + 40) / 3.0, 1e-12);
	ck_assert_int_eq(m.violation_max_s, 40);
}

/* A job counts from a second after a day on, and also under one day of those over three. */
TEST(test_over)
{
	const int64_t day_s = 86400;
	const struct lw_metrics_job waits[] = {
		{ 1, 0, day_s, NONE, NONE, 1, 1, 0 },
		{ 2, 0, day_s + 1, NONE, NONE, 1, 1, 0 },
		{ 3, 0, 3 * day_s + 1, NONE, NONE, 1, 1, 0 },
	};
	struct lw_metrics m;

	ck_assert_int_eq(lw_metrics_compute(waits, 3, &m), 0);
	ck_assert_uint_eq(m.over_1_day, 2);
	ck_assert_uint_eq(m.over_3_days, 1);
}

/* An early start is no credit for a late one. */
TEST(test_early_start)
{
	static const struct lw_metrics_job jobs[] = {
		{ 1, 0, 10, 20, 500, 1, 1, 0 },
		{ 2, 0, 60, 70, 50, 1, 1, 0 },
		{ 3, 0, 111, 120, 50, 1, 1, 0 },
	};
	struct lw_metrics m;

	ck_assert_int_eq(lw_metrics_compute(jobs, 3, &m), 0);
	ck_assert_uint_eq(m.later, 1);
	ck_assert_double_eq_tol(m.violation_mean_s, (10 + 61) / 3.0, 1e-12);
}

TEST(test_none)
{
	struct lw_metrics m;

	ck_assert_int_eq(lw_metrics_compute(NULL, 0, &m), 0);
	ck_assert_uint_eq(m.jobs, 0);
	ck_assert_double_eq(m.wait_mean_s, 0);
	ck_assert_double_eq(m.bsld_mean, 0);
}

/* 1 to 100 s: the quantiles are those very numbers; a tenth of 101 jobs is 11. */
TEST(test_quantiles)
{
	struct lw_metrics_job jobs[101] = { { 0 } };
	struct lw_metrics m;

	for (int i = 0; i < 101; i++) {
		int place = i * 37 % 101; /* any order */

		jobs[place].id = (uint64_t)place;
		jobs[place].start_s = i + 1;
		jobs[place].end_s = i + 2;
		jobs[place].shown_s = NONE;
		jobs[place].width = i;
	}
	ck_assert_int_eq(lw_metrics_compute(jobs, 101, &m), 0);
	ck_assert_int_eq(m.wait_s[50], 51);
	ck_assert_int_eq(m.wait_s[99], 100);
	ck_assert_int_eq(m.wait_s[100], 101);
	ck_assert_double_eq_tol(m.wait_wide_mean_s, 96.0, 1e-12); /* 91 to 101 */
}

static const struct {
	int64_t from_s, to_s;
	double cpu_s, gpu_s;
} windows[] = {
	{ 0, 100, 4 * 100 + 10 + 8 * 5, 10 + 8 * 5 },
	{ 0, 110, 4 * 100 + 10 + 8 * 5 + 2 * 10, 10 + 8 * 5 + 2 * 10 },
	{ 25, 32, 4 * 7 + 5 + 8 * 2, 5 + 8 * 2 },
	{ 50, 50, 0, 0 },
	{ 200, 210, 2 * 10, 2 * 10 }, /* only what still runs */
};

TEST_EACH(test_used, LW_COUNT_OF(windows))
{
	double cpu_s, gpu_s;

	lw_metrics_used(four, 4, windows[_i].from_s, windows[_i].to_s, &cpu_s, &gpu_s);
	ck_assert_double_eq_tol(cpu_s, windows[_i].cpu_s, 1e-9);
	ck_assert_double_eq_tol(gpu_s, windows[_i].gpu_s, 1e-9);
}
