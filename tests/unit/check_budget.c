/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of slurm/lock/budget: what is overrun, when, and what is said of it. */
#include "slurm/lock/budget.h"

#include "unit/unit.h"

/* 5 ms and 2 KiB, from 1000 us on: a moment, bytes held, what is over, what is said */
static const struct {
	uint64_t now_us, bytes;
	enum lw_overrun over;
	const char *text;
} moments[] = {
	{ 1000, 0, LW_WITHIN_BUDGET, "" },
	{ 6000, 2048, LW_WITHIN_BUDGET, "" },
	{ 999, 2048, LW_WITHIN_BUDGET, "" },
	{ 6001, 0, LW_OVER_TIME, "5 ms of processor time, sched.budget_ms is 5" },
	{ 18999, 2049, LW_OVER_TIME, "17 ms of processor time, sched.budget_ms is 5" },
	{ 6000, 2049, LW_OVER_MEMORY, "2 KiB of memory, sched.budget_kib is 2" },
	{ 1000, 9 * 1024, LW_OVER_MEMORY, "9 KiB of memory, sched.budget_kib is 2" },
};

TEST_EACH(says_what_is_overrun, LW_COUNT_OF(moments))
{
	struct lw_budget budget;
	char text[80];

	lw_budget_begin(&budget, 1000, 5, 2);
	ck_assert(lw_budget_allows(&budget, moments[_i].now_us, moments[_i].bytes) ==
		  (moments[_i].over == LW_WITHIN_BUDGET));
	ck_assert_int_eq(budget.over, moments[_i].over);
	lw_budget_explain(&budget, text, sizeof(text));
	ck_assert_str_eq(text, moments[_i].text);
}

TEST(the_first_overrun_stays)
{
	struct lw_budget budget;

	lw_budget_begin(&budget, 0, 5, 2);
	ck_assert(!lw_budget_allows(&budget, 10, 4096));
	ck_assert(!lw_budget_allows(&budget, 10, 0));
	ck_assert(!lw_budget_allows(&budget, 1000000, 0));
	ck_assert_int_eq(budget.over, LW_OVER_MEMORY);
	ck_assert_uint_eq(budget.spent, 4096);
}

TEST(goes_on_by_the_clock_of_another_thread)
{
	struct lw_budget budget;

	lw_budget_begin(&budget, 1000, 5, 2);
	lw_budget_move(&budget, 3000, 70); /* 2 ms so far; its own clock has hardly begun */
	ck_assert(lw_budget_allows(&budget, 3070, 0));
	lw_budget_move(&budget, 3070, 3010); /* and back */
	ck_assert(lw_budget_allows(&budget, 3010, 0));
	ck_assert(!lw_budget_allows(&budget, 3011, 0));
	ck_assert_int_eq(budget.over, LW_OVER_TIME);
	ck_assert_uint_eq(budget.spent, 5001);
}
