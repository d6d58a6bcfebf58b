/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of config/starters: who starts jobs besides the scheduler plugin. */
#include "config/starters.h"

#include "unit/unit.h"

static const struct {
	const char *params;
	bool main_loop, submit;
	int64_t delay_s;
} starters[] = {
	{ NULL, true, true, 3 },
	{ "", true, true, 3 },
	{ "bf_interval=60,defer", true, false, 3 },
	{ "sched_interval=-1", false, true, 3 },
	{ "sched_interval=-1,defer", false, false, 0 },
	{ "Defer,SCHED_INTERVAL=-1", false, false, 0 },
	{ "defer,sched_interval=60", true, false, 3 },
	{ "sched_interval=-1,defer_batch", false, true, 3 },
	{ "sched_min_interval=-1,defer", true, false, 3 },
	{ "sched_interval=-10,defer", true, false, 3 },
	{ "batch_sched_delay=20", true, true, 20 },
	{ "defer,Batch_Sched_Delay=0", true, false, 0 },
	{ "batch_sched_delay=-1", true, true, 3 },
	{ "sched_interval=-1,defer,batch_sched_delay=20", false, false, 0 },
};

TEST_EACH(who_else_starts_jobs, LW_COUNT_OF(starters))
{
	struct lw_starters found = lw_starters_of(starters[_i].params);

	ck_assert_int_eq(found.main_loop, starters[_i].main_loop);
	ck_assert_int_eq(found.submit, starters[_i].submit);
	ck_assert_int_eq(found.delay_s, starters[_i].delay_s);
}
