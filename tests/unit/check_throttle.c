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

TEST_EACH(passed_on_seldom, LW_COUNT_OF(vectors))
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

TEST(the_first_comes_at_any_time)
{
	struct lw_throttle throttle = { 0 };
	uint32_t missed;

	ck_assert(lw_throttle_passes(&throttle, 0, &missed));
	ck_assert(!lw_throttle_passes(&throttle, 1, &missed));
}
