/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of planner/model/job: job.def has every field, and what they allow. */
#include "planner/model/snapshot_step.h"

#include "unit/unit.h"

#include <errno.h>
#include <string.h>

/*
 * Whoever gives a struct a field that job.def does not have sees it here: initialisers by place,
 * one for each line, then do not fill the struct, and that is an error.
 */
#pragma GCC diagnostic error "-Wmissing-field-initializers"
#define ZERO_U32	    0,
#define ZERO_U16	    0,
#define ZERO_TIME	    0,
#define ZERO_SPAN	    0,
#define ZERO_HIGH	    0,
#define ZERO_FLAG	    false,
#define ZERO_STATE	    LW_READY,
#define ZERO_TYPE	    0,
#define ZERO_GPUS	    { 0 },
#define ZERO_TIMES	    { 0 },
#define ZERO_MASK	    0,
#define ZERO_STAYS	    0,
#define ZERO(type, ...)	    ZERO_##type

static const struct lw_request request = {
#define LW_REQUEST ZERO
#include "planner/model/job.def"
};

static const struct lw_constraints constraints = {
#define LW_CONSTRAINTS ZERO
#include "planner/model/job.def"
};

static const struct lw_expectation expectation = {
#define LW_EXPECTED ZERO
#include "planner/model/job.def"
};

static const struct lw_running running = {
	0, /* job_id */
#define LW_RUNNING ZERO
#include "planner/model/job.def"
	0, 0 /* what it holds */
};

static const struct lw_waiting waiting = {
	0, /* job_id */
#define LW_WAITING ZERO
#define LW_CLASS   ZERO
#include "planner/model/job.def"
	{ 0 }, { 0 }, { 0 } /* expected, terms, request */
};

TEST(all_zero_is_a_job_that_asks_for_nothing)
{
	static const struct lw_waiting zero;

	ck_assert(lw_request_equal(&request, &zero.request));
	ck_assert(lw_constraints_equal(&constraints, &zero.constraints));
	ck_assert(!memcmp(&expectation, &zero.expected, sizeof(expectation)));
	ck_assert_uint_eq(lw_waiting_class_hash(&waiting), lw_waiting_class_hash(&zero));
	ck_assert_int_eq(running.end_s, 0);
}

/* Two ready jobs of one class, and one of another. */
static void add_three(struct lw_snapshot *snap)
{
	struct lw_waiting job = { .job_id = 1, .tasks = 1, .limit_s = 60,
				  .begin_s = LW_NO_TIME, .promise_s = LW_NO_TIME };
	struct lw_bitset none = { 0 };

	lw_snapshot_init(snap, 0);
	ck_assert_int_eq(lw_snapshot_add_set(snap, "none", &none, NULL), 0);
	job.request.nodes_min = job.request.nodes_max = 1;
	job.request.gpu_type = LW_GPU_ANY;
	for (int i = 0; i < 3; i++) {
		job.user_id = i == 2;
		ck_assert_int_eq(lw_snapshot_add_waiting(snap, &job, NULL), 0);
	}
	ck_assert_uint_eq(snap->queue.class_count, 2);
}

TEST(a_class_is_expected_to_run_up_to_its_limit)
{
	struct lw_expectation expected = { .tail_ms = 5, .survival = 9 };
	struct lw_snapshot snap;

	add_three(&snap);
	ck_assert_int_eq(snap.queue.classes[0].expected.mean_s, 60);
	expected.mean_s = 40;
	lw_snapshot_expect(&snap, 0, &expected);
	ck_assert_int_eq(snap.queue.classes[0].expected.mean_s, 40);
	ck_assert_int_eq(snap.queue.classes[0].expected.tail_ms, 5);
	ck_assert_int_eq(snap.queue.classes[1].expected.mean_s, 60);
	ck_assert_int_eq(snap.waiting[0].expected.mean_s, 0);
	expected.mean_s = 0;
	lw_snapshot_expect(&snap, 0, &expected);
	ck_assert_int_eq(snap.queue.classes[0].expected.mean_s, 60);
	lw_snapshot_fini(&snap);
}

TEST(all_jobs_of_a_class_are_told)
{
	struct lw_expectation expected = { .rank_s = 3, .survival = 9 };
	struct lw_snapshot snap;

	add_three(&snap);
	lw_snapshot_expect_jobs(&snap, 0, &expected);
	for (int i = 0; i < 3; i++) {
		ck_assert_int_eq(snap.waiting[i].expected.mean_s, 0);
		ck_assert_int_eq(snap.waiting[i].expected.rank_s, i < 2 ? 3 : 0);
		ck_assert_uint_eq(snap.waiting[i].expected.survival, i < 2 ? 9 : 0);
	}
	ck_assert_int_eq(snap.queue.classes[0].expected.mean_s, 60);
	ck_assert_int_eq(snap.queue.classes[0].expected.rank_s, 3);
	lw_snapshot_fini(&snap);
}
