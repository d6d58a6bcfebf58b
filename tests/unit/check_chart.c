/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of tools/chart: what is drawn, and, however far off. */
#include "tools/chart/chart.h"

#include "unit/unit.h"

#include <math.h>

#define STRETCHES 4

/* Of stretches of 10 s. */
static const struct {
	double from_s, to_s, wanted[STRETCHES];
} spreads[] = {
	{ 0, 10, { 10, 0, 0, 0 } },
	{ 5, 25, { 5, 10, 5, 0 } },
	{ -100, 3, { 3, 0, 0, 0 } },
	{ 35, 1e300, { 0, 0, 0, 5 } },
	{ 40, 50, { 0 } },
	{ 1e12, 2e12, { 0 } }, /* beyond what a number of a stretch goes to */
	{ 1e300, 2e300, { 0 } },
	{ NAN, 50, { 10, 10, 10, 10 } }, /* from no time on: from the first */
	{ 10, 5, { 0 } },
};

START_TEST(values_are_spread)
{
	double found[STRETCHES] = { 0 };

	lw_chart_spread(found, STRETCHES, 10, spreads[_i].from_s, spreads[_i].to_s, 1);
	for (int k = 0; k < STRETCHES; k++)
		ck_assert_double_eq(found[k], spreads[_i].wanted[k]);
}
END_TEST

/* Stretches of no length: nothing lies on any. */
START_TEST(nothing_is_spread_over_nothing)
{
	double found[STRETCHES] = { 0 };

	lw_chart_spread(found, STRETCHES, 0, 5, 25, 1);
	lw_chart_spread(found, 0, 10, 5, 25, 1);
	for (int k = 0; k < STRETCHES; k++)
		ck_assert_double_eq(found[k], 0);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("chart");
	TCase *tc = tcase_create("curves");

	tcase_add_loop_test(tc, values_are_spread, 0, (int)LW_COUNT_OF(spreads));
	tcase_add_test(tc, nothing_is_spread_over_nothing);
	suite_add_tcase(suite, tc);
	return unit_run(suite);
}
