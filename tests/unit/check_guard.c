/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of base/sharemark, record/guard and record/neighbours: who leaves a GPU. */
#include "record/guard.h"

#include "record/neighbours.h"
#include "unit/unit.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define START 1700000000

/* ---- the word ---- */

#define GPU .was = "gres/gpu:1"

static const struct {
	const char *comment;
	struct lw_sharemark mark;
} marks[] = {
	{ "leeway:share=shard:4,was:gres/gpu:1", { .gres = "shard", .parts = 4, GPU } },
	{ "a note leeway:share=mps:34,was:gres:gpu:a100:1,limit:900/970/100 more",
	  { .gres = "mps",
	    .parts = 34,
	    .was = "gres:gpu:a100:1",
	    .mem_warn = 900,
	    .mem_hard = 970,
	    .of = 100 } },
	{ "leeway:share=none,was:shard:4,left:memory", { .was = "shard:4", .left = "memory" } },
	{ "leeway:dl=training leeway:share=shard:4,was:gres/gpu:1,util:20.5,sm:5,mem:1000M "
	  "leeway:gpu=n:1",
	  { .gres = "shard", .parts = 4, GPU, .use = { true, true, true, 205, 50, 1000 } } },
	{ "leeway:share=shard:4,was:gres/gpu:1,util:100,limit:900/950/10",
	  { .gres = "shard",
	    .parts = 4,
	    GPU,
	    .use = { .has_util = true, .util = 1000 },
	    .mem_warn = 900,
	    .mem_hard = 950,
	    .of = 10 } },
	{ "leeway:share=shard:9,was:gres/gpu:1,lend:600",
	  { .gres = "shard", .parts = 9, GPU, .lend_s = 600 } },
	{ "leeway:share=shard:9,was:gres/gpu:1,mem:1000M,lend:600,idle:yes",
	  { .gres = "shard",
	    .parts = 9,
	    GPU,
	    .use = { .has_mem = true, .mem_mib = 1000 },
	    .lend_s = 600,
	    .idle = true } },
	{ "leeway:share=shard:1,was:gres/gpu:1,limit:900/950/10,guest:yes",
	  { .gres = "shard",
	    .parts = 1,
	    GPU,
	    .mem_warn = 900,
	    .mem_hard = 950,
	    .of = 10,
	    .guest = true } },
	{ "leeway:share=shard:4,was:gpu,later:1", { .gres = "shard", .parts = 4, .was = "gpu" } },
};

TEST_EACH(mark_is_read_as_it_is_written, LW_COUNT_OF(marks))
{
	const struct lw_sharemark *want = &marks[_i].mark;
	struct lw_sharemark mark = { .gres = "untouched" };
	char word[LW_SHAREMARK_MAX];

	ck_assert_int_eq(lw_sharemark_read(marks[_i].comment, &mark), 0);
	ck_assert_str_eq(mark.gres, want->gres);
	ck_assert_uint_eq(mark.parts, want->parts);
	ck_assert_str_eq(mark.was, want->was);
	ck_assert_str_eq(mark.left, want->left);
	ck_assert_uint_eq(mark.use.has_util, want->use.has_util);
	ck_assert_uint_eq(mark.use.has_sm, want->use.has_sm);
	ck_assert_uint_eq(mark.use.has_mem, want->use.has_mem);
	ck_assert_uint_eq(mark.use.util, want->use.util);
	ck_assert_uint_eq(mark.use.sm, want->use.sm);
	ck_assert_uint_eq(mark.use.mem_mib, want->use.mem_mib);
	ck_assert_uint_eq(mark.mem_warn, want->mem_warn);
	ck_assert_uint_eq(mark.mem_hard, want->mem_hard);
	ck_assert_uint_eq(mark.of, want->of);
	ck_assert_uint_eq(mark.lend_s, want->lend_s);
	ck_assert_int_eq(mark.idle, want->idle);
	ck_assert_int_eq(mark.guest, want->guest);
	ck_assert_int_eq(lw_sharemark_print(&mark, word, sizeof(word)), 0);
	if (!strstr(marks[_i].comment, "later"))
		ck_assert_ptr_nonnull(strstr(marks[_i].comment, word));
	ck_assert_int_eq(lw_sharemark_print(&mark, word, 20), -ENOSPC);
}

TEST(bad_marks_are_refused)
{
	static const char *const bad[] = {
		"shard:4",
		",was:gpu",
		"shard,was:gpu",
		"shard:,was:gpu",
		"shard:0,was:gpu",
		"shard:4x,was:gpu",
		":4,was:gpu",
		"0123456789abcdef:4,was:gpu",
		"shard:4,,was:gpu",
		"shard:4,was:",
		"shard:4,was:gpu,limit:900/970",
		"shard:4,was:gpu,limit:900/1001/10",
		"shard:4,was:gpu,limit:9/9/9/9",
		"shard:4,was:gpu,limit:99999999999/9/9",
		"shard:4,was:gpu,util:101",
		"shard:4,was:gpu,util:100.1",
		"shard:4,was:gpu,util:",
		"shard:4,was:gpu,util:5.55",
		"shard:4,was:gpu,mem:5",
		"shard:4,was:gpu,mem:99999999M",
		"shard:4,was:gpu,sm:-1",
		"shard:4,was:gpu,left:0123456789abcdef",
		"shard:9,was:gpu,lend:",
		"shard:9,was:gpu,lend:0",
		"shard:9,was:gpu,lend:9,idle:no",
		"shard:1,was:gpu,guest:1",
	};
	struct lw_sharemark mark = { .gres = "untouched" };
	char comment[128];

	for (size_t i = 0; i < LW_COUNT_OF(bad); i++) {
		snprintf(comment, sizeof(comment), LW_SHAREMARK_PREFIX "%s", bad[i]);
		ck_assert_msg(lw_sharemark_read(comment, &mark) == -EINVAL, "%s", comment);
	}
	ck_assert_int_eq(lw_sharemark_read(NULL, &mark), -ENOENT);
	ck_assert_int_eq(lw_sharemark_read("", &mark), -ENOENT);
	ck_assert_int_eq(lw_sharemark_read("leeway:shared=shard:4,was:gpu", &mark), -ENOENT);
	ck_assert_int_eq(lw_sharemark_read("xleeway:share=shard:4,was:gpu", &mark), -ENOENT);
	ck_assert_str_eq(mark.gres, "untouched");
}

TEST(who_leaves_has_none)
{
	struct lw_sharemark mark = lw_sharemark_leaving(&marks[1].mark, "memory");
	char word[LW_SHAREMARK_MAX], all[LW_SHAREMARK_GRES];

	lw_sharemark_all_parts(&marks[1].mark, all);
	ck_assert_str_eq(all, "mps:100");
	ck_assert_int_eq(lw_sharemark_print(&mark, word, sizeof(word)), 0);
	ck_assert_str_eq(word, "leeway:share=none,was:mps:34,left:memory");
}

/* ---- who must leave ---- */

static const struct {
	struct lw_guard_view view;
	enum lw_guard_act want;
} guards[] = {
	{ { true, 35999, 40000, 1, true }, LW_GUARD_NOTHING },
	{ { true, 36000, 40000, 1, true }, LW_GUARD_WARN },
	{ { true, 37999, 40000, 1, true }, LW_GUARD_WARN },
	{ { true, 38000, 40000, 1, true }, LW_GUARD_LEAVE },
	{ { true, 40000, 40000, 1, false }, LW_GUARD_NOTHING },
	{ { true, 40000, 40000, 0, true }, LW_GUARD_NOTHING },
	{ { false, 40000, 40000, 1, true }, LW_GUARD_NOTHING },
	{ { true, 40000, 0, 1, true }, LW_GUARD_NOTHING },
	{ { true, UINT32_MAX, UINT32_MAX, 3, true }, LW_GUARD_LEAVE },
};

TEST_EACH(only_who_came_last_leaves, LW_COUNT_OF(guards))
{
	const struct lw_sharemark mark = { .mem_warn = 900, .mem_hard = 950 },
				  off = { .parts = 4 };

	ck_assert_int_eq(lw_guard_judge(&mark, &guards[_i].view), guards[_i].want);
	ck_assert_int_eq(lw_guard_judge(&off, &guards[_i].view), LW_GUARD_NOTHING);
}

static const struct {
	int64_t since_s;
	uint32_t job_id;
	bool newest;
} orders[] = {
	{ START - 1, 99, true },
	{ START, 76, true },
	{ START, 78, false },
	{ START + 1, 5, false },
};

TEST_EACH(of_one_second_the_higher_id_is_newer, LW_COUNT_OF(orders))
{
	const struct lw_record_head head = { .job_id = 77, .run_s = START, .start_s = START + 9 };
	struct lw_neighbours there = { 2, { { 3, START - 100, true }, { 0 } } };

	there.one[1] = (struct lw_neighbour){ orders[_i].job_id, orders[_i].since_s, true };
	ck_assert_int_eq(lw_neighbours_is_newest(&there, &head), orders[_i].newest);
}
