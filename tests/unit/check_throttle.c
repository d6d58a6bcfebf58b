/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of slurm/throttle: which of many like messages are passed on. */
#include "slurm/throttle.h"

#include "unit/unit.h"

#define NOW_S INT64_C(1795356000)

/* After one message at NOW_S and one that was held back a second later. */
static const struct {
	const char *what;
	int64_t now_s;
	bool passes;
} vectors[] = {
	{ "soon", NOW_S + 2, false },
	{ "just before the time is up", NOW_S + LW_THROTTLE_S - 1, false },
	{ "when the time is up", NOW_S + LW_THROTTLE_S, true },
	{ "the clock was set back a second", NOW_S - 1, true },
	{ "the clock was set back by hours", NOW_S - 6 * 3600, true },
};

START_TEST(passed_on_seldom)
{
	struct lw_throttle throttle = { 0 };
	uint32_t missed = 7;

	ck_assert(lw_throttle_passes(&throttle, NOW_S, &missed));
	ck_assert_uint_eq(missed, 0);
	ck_assert(!lw_throttle_passes(&throttle, NOW_S + 1, &missed));
	missed = 7;
	ck_assert_msg(lw_throttle_passes(&throttle, vectors[_i].now_s, &missed) ==
			      vectors[_i].passes, "%s", vectors[_i].what);
	ck_assert_uint_eq(missed, vectors[_i].passes ? 1 : 7);
	ck_assert(!lw_throttle_passes(&throttle, vectors[_i].now_s, &missed));
}
END_TEST

START_TEST(the_first_comes_at_any_time)
{
	struct lw_throttle throttle = { 0 };
	uint32_t missed;

	ck_assert(lw_throttle_passes(&throttle, 0, &missed));
	ck_assert(!lw_throttle_passes(&throttle, 1, &missed));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("slurm/throttle");
	TCase *tc = tcase_create("throttle");

	tcase_add_loop_test(tc, passed_on_seldom, 0, LW_COUNT_OF(vectors));
	tcase_add_test(tc, the_first_comes_at_any_time);
	suite_add_tcase(suite, tc);
	return unit_run(suite);
}
