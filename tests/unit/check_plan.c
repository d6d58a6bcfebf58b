/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of planner/model/plan, and of the reasons in lw-plan(5). */
#include "planner/model/plan.h"

#include "unit/manual.h"
#include "unit/unit.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static const struct {
	enum lw_verdict verdict;
	enum lw_reason reason;
	uint32_t started, backfilled, reserved; /* what one such decision counts as */
} counts[] = {
	{ LW_START, LW_REASON_STARTS_IN_ORDER, 1, 0, 0 },
	{ LW_START, LW_REASON_STARTS_BACKFILLED, 1, 1, 0 },
	{ LW_START, LW_REASON_STARTS_RELAXED, 1, 1, 0 },
	{ LW_RESERVE, LW_REASON_RESERVED, 0, 0, 1 },
	{ LW_WAIT, LW_REASON_WAITS_FOR_ROOM, 0, 0, 0 },
};

TEST_EACH(decisions_are_counted, LW_COUNT_OF(counts))
{
	struct lw_decision decision = { .verdict = counts[_i].verdict,
					.reason = counts[_i].reason };
	struct lw_plan plan;

	lw_plan_init(&plan);
	for (uint32_t n = 1; n <= 40; n++) {
		ck_assert_int_eq(lw_plan_add(&plan, &decision, NULL, 0), 0);
		ck_assert_uint_eq(plan.decision_count, n);
		ck_assert_uint_eq(plan.started, n * counts[_i].started);
		ck_assert_uint_eq(plan.backfilled, n * counts[_i].backfilled);
		ck_assert_uint_eq(plan.reserved, n * counts[_i].reserved);
	}
	lw_plan_clear(&plan);
	ck_assert_uint_eq(plan.decision_count + plan.started + plan.backfilled + plan.reserved,
			  0);
	lw_plan_fini(&plan);
}

TEST(allocs_are_copied_in_runs)
{
	struct lw_alloc allocs[] = { { .node = 3, .res = { 1, 2, { 0 } } },
				     { .node = 5, .res = { 6, 7, { 8 } } } };
	struct lw_decision decision = { .job_id = 1, .first_alloc = 99, .alloc_count = 99 };
	struct lw_plan plan;

	lw_plan_init(&plan);
	ck_assert_int_eq(lw_plan_add(&plan, &decision, allocs, 2), 0);
	ck_assert_int_eq(lw_plan_add(&plan, &decision, NULL, 0), 0);
	ck_assert_int_eq(lw_plan_add(&plan, &decision, allocs + 1, 1), 0);
	allocs[1].node = 77;
	ck_assert_uint_eq(plan.decisions[0].first_alloc, 0);
	ck_assert_uint_eq(plan.decisions[0].alloc_count, 2);
	ck_assert_uint_eq(plan.decisions[1].alloc_count, 0);
	ck_assert_uint_eq(plan.decisions[2].first_alloc, 2);
	ck_assert_uint_eq(plan.allocs[2].node, 5);
	ck_assert_uint_eq(plan.allocs[2].res.gpus[0], 8);
	lw_plan_fini(&plan);
	lw_plan_fini(&plan);
}

TEST_EACH(reasons_have_names_of_their_own, LW_REASON_COUNT)
{
	const char *name = lw_reason_name((enum lw_reason)_i);

	ck_assert_ptr_nonnull(name);
	ck_assert_uint_gt(strlen(lw_reason_sentence((enum lw_reason)_i)), 0);
	/* a word in lw-plan(5): no blank may split it */
	for (const char *p = name; *p; p++)
		ck_assert_msg(islower((unsigned char)*p) || *p == '-', "%s", name);
	for (int other = 0; other < _i; other++)
		ck_assert_str_ne(name, lw_reason_name((enum lw_reason)other));
}

TEST(unknown_numbers_have_a_name_too)
{
	ck_assert_str_eq(lw_reason_name(LW_REASON_COUNT), "unknown");
	ck_assert_str_eq(lw_reason_sentence((enum lw_reason) - 1), "unknown");
	ck_assert_str_eq(lw_verdict_name((enum lw_verdict)99), "unknown");
	ck_assert_str_eq(lw_verdict_name(LW_START), "start");
	ck_assert_str_eq(lw_verdict_name(LW_RESERVE), "reserve");
	ck_assert_str_eq(lw_verdict_name(LW_WAIT), "wait");
}

/* The table of the manual page says name and sentence of every reason. */
TEST_EACH(manual_page_knows_every_reason, LW_REASON_COUNT)
{
	char *text = manual_read("lw-plan.5"), name[80], entry[400];

	manual_escape(lw_reason_name((enum lw_reason)_i), name, sizeof(name));
	snprintf(entry, sizeof(entry), ".B %s\n%s.\n", name,
		 lw_reason_sentence((enum lw_reason)_i));
	ck_assert_msg(strstr(text, entry) != NULL, "lw-plan.5 lacks:\n%s", entry);
	free(text);
}
