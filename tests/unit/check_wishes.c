/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of slurm/wishes: the GPUs and numbers of nodes that jobs wait for. */
#include "slurm/apply/wish.h"

#include "unit/unit.h"

#include <string.h>

#define NOW  1000
#define MOST 300

enum { K80, V100 };

static struct lw_snapshot snap, theirs;
static struct lw_plan plan;
static struct lw_wishes wishes;

/* SNAP numbers two types, THEIRS the other way round, with one more between them. */
static void setup(void)
{
	lw_snapshot_init(&snap, NOW);
	lw_snapshot_init(&theirs, NOW);
	ck_assert_int_eq(lw_snapshot_gpu_type(&snap, "k80"), K80);
	ck_assert_int_eq(lw_snapshot_gpu_type(&snap, "v100"), V100);
	ck_assert_int_eq(lw_snapshot_gpu_type(&theirs, "v100"), 0);
	ck_assert_int_eq(lw_snapshot_gpu_type(&theirs, "gpu"), 1);
	ck_assert_int_eq(lw_snapshot_gpu_type(&theirs, "k80"), 2);
	lw_plan_init(&plan);
	memset(&wishes, 0, sizeof(wishes));
}

static void teardown(void)
{
	lw_plan_fini(&plan);
	lw_snapshot_fini(&snap);
	lw_snapshot_fini(&theirs);
	lw_wishes_fini(&wishes);
}

static void decide(uint32_t job_id, enum lw_reason reason, uint32_t types, int64_t promise_s)
{
	const struct lw_decision decision = {
		.job_id = job_id,
		.verdict = reason == LW_REASON_STARTS_IN_ORDER ? LW_START : LW_WAIT,
		.reason = reason,
		.promise_s = promise_s,
		.choice = { .made = true, .types = types },
	};

	ck_assert_int_eq(lw_plan_add(&plan, &decision, NULL, 0), 0);
}

static void make_all(void)
{
	ck_assert_int_eq(lw_wish_plan(&plan, &snap, MOST, &wishes), 0);
}

static uint32_t waits(uint32_t job_id, int64_t now_s)
{
	return lw_wishes_waits(&wishes, job_id, now_s, &theirs);
}

FIXTURE(setup, teardown);

TEST(who_waits_by_choice_is_held)
{
	decide(9, LW_REASON_WAITS_FOR_TYPE, 1 << V100, LW_NO_TIME);
	decide(3, LW_REASON_WAITS_FOR_TYPE, 1 << K80, NOW + 50);
	decide(5, LW_REASON_WAITS_FOR_ROOM, 1 << V100, LW_NO_TIME);
	make_all();
	ck_assert_uint_eq(waits(9, NOW), 1 << 0);
	ck_assert_uint_eq(waits(3, NOW), 1 << 2);
	ck_assert_uint_eq(waits(5, NOW), 0);
	ck_assert_uint_eq(waits(7, NOW), 0);
}

/* Until the start that it was promised, or the plan is old: then it takes what stock gives it. */
TEST(nobody_is_held_for_long)
{
	decide(3, LW_REASON_WAITS_FOR_TYPE, 1 << K80, NOW + 50);
	decide(9, LW_REASON_WAITS_FOR_TYPE, 1 << V100, LW_NO_TIME);
	make_all();
	ck_assert_uint_ne(waits(3, NOW + 49), 0);
	ck_assert_uint_eq(waits(3, NOW + 50), 0);
	ck_assert_uint_ne(waits(9, NOW + MOST - 1), 0);
	ck_assert_uint_eq(waits(9, NOW + MOST), 0);
}

TEST(types_that_are_not_there_hold_nobody)
{
	ck_assert_int_eq(lw_snapshot_gpu_type(&snap, "t4"), 2);
	decide(3, LW_REASON_WAITS_FOR_TYPE, 1 << 2, LW_NO_TIME);
	decide(4, LW_REASON_WAITS_FOR_TYPE, 0, LW_NO_TIME);
	make_all();
	ck_assert_uint_eq(waits(3, NOW), 0);
	ck_assert_uint_eq(waits(4, NOW), 0);
}

TEST(records_of_a_job_have_one_wish)
{
	decide(3, LW_REASON_WAITS_FOR_ROOM, 1 << V100, LW_NO_TIME);
	decide(3, LW_REASON_WAITS_FOR_TYPE, 1 << K80, LW_NO_TIME);
	decide(4, LW_REASON_STARTS_IN_ORDER, 1 << K80, LW_NO_TIME);
	make_all();
	ck_assert_uint_eq(wishes.count, 1);
	ck_assert_uint_eq(waits(3, NOW), 1 << 0 | 1 << 2);
}

TEST_EACH(its_own_types_are_tried_first, 2)
{
	uint32_t tries[LW_WISH_TRIES_MAX];

	decide(5, LW_REASON_WAITS_FOR_ROOM, 1 << K80, LW_NO_TIME);
	make_all();
	wishes.order[0] = V100;
	wishes.order[1] = K80;
	wishes.order_count = _i ? 2 : 0;
	ck_assert_uint_eq(lw_wishes_tries(&wishes, 5, &theirs, tries), 2);
	ck_assert_uint_eq(tries[0], 1 << 2);
	ck_assert_uint_eq(tries[1], 0);
	/* of who is not known the fastest, where they differ */
	ck_assert_uint_eq(lw_wishes_tries(&wishes, 6, &theirs, tries), _i ? 3 : 1);
	ck_assert_uint_eq(tries[0], _i ? 1 << 0 : 0);
}

TEST(a_copy_stands_alone)
{
	struct lw_wishes copy = { 0 };
	const struct lw_wishes none = { 0 };

	decide(9, LW_REASON_WAITS_FOR_TYPE, 1 << V100, LW_NO_TIME);
	make_all();
	ck_assert_int_eq(lw_wishes_copy(&copy, &wishes), 0);
	lw_wishes_fini(&wishes);
	ck_assert_uint_eq(lw_wishes_waits(&copy, 9, NOW, &theirs), 1 << 0);
	ck_assert_int_eq(lw_wishes_copy(&copy, &none), 0);
	ck_assert_uint_eq(lw_wishes_waits(&copy, 9, NOW, &theirs), 0);
	lw_wishes_fini(&copy);
}

/* ---- numbers of nodes ---- */

static struct lw_ticket tickets[8];
static struct lw_waiting waiting[8];
static struct lw_wish_sizes sizes;

/* A record of JOB_ID that asks for LEAST to MOST nodes. */
static void record(uint32_t i, uint32_t job_id, bool sized, uint32_t least, uint32_t most)
{
	tickets[i] = (struct lw_ticket){ .job_id = job_id, .sized = sized };
	waiting[i] = (struct lw_waiting){ .request = { .nodes_min = least, .nodes_max = most } };
}

static void choose(uint32_t count)
{
	const struct lw_reading reading = {
		.snap = { .now_s = NOW, .waiting = waiting, .waiting_count = count },
		.tickets = tickets,
	};

	memset(&sizes, 0, sizeof(sizes));
	ck_assert_int_eq(lw_wish_sizes(&reading, MOST, &sizes), 0);
}

/* The numbers of "least wanted most" that are left to JOB_ID of LEAST, WANTED and MOST. */
static uint32_t left(uint32_t job_id, int64_t now_s, uint32_t least, uint32_t wanted,
		     uint32_t most)
{
	(void)lw_wish_sizes_hold(&sizes, job_id, now_s, &least, &wanted, &most);
	return least * 100 + wanted * 10 + most;
}

TEST(a_chosen_number_of_nodes_holds)
{
	record(0, 9, true, 2, 2);
	record(1, 3, true, 2, 3);
	record(2, 5, false, 1, 4);
	choose(3);
	ck_assert_uint_eq(left(9, NOW, 1, 4, 4), 222);
	ck_assert_uint_eq(left(3, NOW, 1, 4, 4), 233);
	ck_assert_uint_eq(left(3, NOW, 1, 1, 4), 223);
	ck_assert_uint_eq(left(5, NOW, 1, 4, 4), 144);
	ck_assert_uint_eq(left(7, NOW, 1, 4, 4), 144);
	lw_wish_sizes_fini(&sizes);
	ck_assert_uint_eq(left(9, NOW, 1, 4, 4), 144);
}

/* Its user may have changed the request since. */
TEST(a_start_without_a_chosen_number_is_left_alone)
{
	record(0, 9, true, 2, 3);
	choose(1);
	ck_assert_uint_eq(left(9, NOW, 1, 1, 1), 111);
	ck_assert_uint_eq(left(9, NOW, 4, 4, 6), 446);
	ck_assert_uint_eq(left(9, NOW, 3, 4, 6), 333);
	ck_assert_uint_eq(left(9, NOW, 1, 2, 2), 222);
	lw_wish_sizes_fini(&sizes);
}

TEST(an_old_choice_of_nodes_is_void)
{
	record(0, 9, true, 2, 2);
	choose(1);
	ck_assert_uint_eq(left(9, NOW + MOST - 1, 1, 4, 4), 222);
	ck_assert_uint_eq(left(9, NOW + MOST, 1, 4, 4), 144);
	lw_wish_sizes_fini(&sizes);
}

TEST(records_of_a_job_have_one_range)
{
	record(0, 9, true, 3, 3);
	record(1, 4, true, 3, 3);
	record(2, 9, true, 2, 2);
	record(3, 4, false, 1, 2);
	record(4, 2, false, 1, 2);
	choose(5);
	ck_assert_uint_eq(sizes.count, 2);
	ck_assert_uint_eq(left(9, NOW, 1, 4, 4), 233);
	ck_assert_uint_eq(left(4, NOW, 1, 4, 4), 133);
	lw_wish_sizes_fini(&sizes);
}

TEST(a_copy_of_the_sizes_stands_alone)
{
	struct lw_wish_sizes copy = { 0 };
	const struct lw_wish_sizes none = { 0 };

	record(0, 9, true, 2, 2);
	choose(1);
	ck_assert_int_eq(lw_wish_sizes_copy(&copy, &sizes), 0);
	lw_wish_sizes_fini(&sizes);
	sizes = copy;
	ck_assert_uint_eq(left(9, NOW, 1, 4, 4), 222);
	ck_assert_int_eq(lw_wish_sizes_copy(&copy, &none), 0);
	sizes = copy;
	ck_assert_uint_eq(left(9, NOW, 1, 4, 4), 144);
	lw_wish_sizes_fini(&copy);
}
