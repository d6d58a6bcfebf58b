/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of slurm/keep/outlook where one user has more jobs than it has room for. */
#include "slurm/keep/outlook.h"

#include "base/tally.h"
#include "planner/policies/policy.h"
#include "predictor/outlook.h"
#include "unit/scratch.h"
#include "unit/unit.h"

#include <stdio.h>
#include <time.h>

#define MANY  (LW_OUTLOOK_JOBS_MAX + 1000)
#define NODES 2000

static struct lw_outlooks *outlooks;
static struct lw_policy *policy;
static struct lw_policy_params params;
static struct lw_plan plan;
static struct lw_snapshot snap;

static void setup(void)
{
	static const struct lw_log quiet = { 0 };

	scratch_setup();
	lw_policy_params_default(&params);
	params.kind = LW_POLICY_LEEWAY;
	ck_assert_int_eq(lw_policy_create(&params, NULL, &policy), 0);
	ck_assert_int_eq(lw_outlooks_create(scratch_path("outlook"), 0, &quiet, &outlooks), 0);
	lw_plan_init(&plan);
}

static void teardown(void)
{
	lw_plan_fini(&plan);
	lw_outlooks_destroy(outlooks);
	lw_policy_destroy(policy);
	scratch_teardown();
}

/* NODES full nodes; SETS of them, each of two nodes, or one of all. */
static void make_cluster(int64_t now_s, bool sets)
{
	const struct lw_res total = { .cpus = 4 };
	struct lw_bitset nodes;

	lw_snapshot_init(&snap, now_s);
	for (uint32_t i = 0; i < NODES; i++)
		ck_assert_int_eq(lw_snapshot_add_node(&snap, "n", &total, true, NULL), 0);
	ck_assert_int_eq(lw_bitset_init(&nodes, NODES), 0);
	for (uint32_t i = 0; i < NODES; i++) {
		lw_bitset_clear_all(&nodes);
		lw_bitset_set(&nodes, i);
		lw_bitset_set(&nodes, (i + 1) % NODES);
		if (!sets)
			lw_bitset_set_all(&nodes);
		if (sets || !i)
			ck_assert_int_eq(lw_snapshot_add_set(&snap, "set", &nodes, NULL), 0);
	}
	lw_bitset_fini(&nodes);
}

static void add_running(uint32_t job_id, uint32_t user, uint32_t node)
{
	const struct lw_running run = {
		.job_id = job_id, .user_id = user, .start_s = snap.now_s - 1, .end_s = 900000
	};
	const struct lw_alloc alloc = { .node = node, .res = { .cpus = 4 } };

	ck_assert_int_eq(lw_snapshot_add_running(&snap, &run, &alloc, 1, NULL), 0);
}

static void add_waiting(uint32_t job_id, uint32_t user, uint32_t set, int64_t limit_s)
{
	const struct lw_waiting job = {
		.job_id = job_id,
		.user_id = user,
		.set = set,
		.tasks = 1,
		.limit_s = limit_s,
		.begin_s = LW_NO_TIME,
		.promise_s = LW_NO_TIME,
		.submit_s = snap.now_s - 10,
		.request = { .nodes_min = 1,
			     .nodes_max = 1,
			     .cpus_per_node = 4,
			     .gpu_type = LW_GPU_ANY },
	};

	ck_assert_int_eq(lw_snapshot_add_waiting(&snap, &job, NULL), 0);
}

static bool write_word(void *arg, uint32_t job_id, const char *word)
{
	(void)arg;
	(void)job_id;
	(void)word;
	return true;
}

/* Processor time of it, but for that of the plan. */
static double run_cycle(void)
{
	struct lw_outlook_cycle cycle = { .params = &params, .plan = &plan, .snap = &snap };
	clock_t begin;
	double took_s;

	ck_assert_int_eq(lw_policy_cycle(policy, &snap, &plan), 0);
	begin = clock();
	ck_assert_int_eq(lw_outlooks_cycle(outlooks, &cycle), 0);
	took_s = (double)(clock() - begin) / CLOCKS_PER_SEC;
	lw_outlooks_write(outlooks, write_word, NULL);
	lw_snapshot_fini(&snap);
	return took_s;
}

FIXTURE(setup, teardown);

/* One user fills the table; then another comes, and what becomes of his jobs is learned. */
TEST(one_user_does_not_take_all_places)
{
	for (int64_t now_s = 1000; now_s < 1004; now_s++) {
		make_cluster(now_s, false);
		for (uint32_t i = 0; i < NODES; i++)
			add_running(1 + i, 1, i);
		for (uint32_t i = 0; i < MANY; i++)
			add_waiting(100000 + i, 1, 0, 600);
		for (uint32_t i = 0; now_s > 1000 && i < 10; i++)
			add_waiting(200000 + i, 2, 0, 600);
		run_cycle();
		ck_assert_uint_le(lw_outlooks_count(outlooks), LW_OUTLOOK_JOBS_MAX);
	}
	make_cluster(1005, false);
	for (uint32_t i = 0; i < 10; i++)
		add_running(200000 + i, 2, i);
	for (uint32_t i = 0; i < MANY; i++)
		add_waiting(100000 + i, 1, 0, 600);
	run_cycle();
	ck_assert_uint_eq(lw_outlooks_learned(outlooks)->learned, 10);
}

/* All have places as long as there are enough. */
TEST(one_user_alone_has_them_all)
{
	make_cluster(1000, false);
	for (uint32_t i = 0; i < NODES; i++)
		add_running(1 + i, 1, i);
	for (uint32_t i = 0; i < MANY; i++)
		add_waiting(100000 + i, 1, 0, 600);
	run_cycle();
	ck_assert_uint_eq(lw_outlooks_count(outlooks), LW_OUTLOOK_JOBS_MAX);
}

/* Each job has a limit of its own; SETS: and nodes of its own, of a set with others. */
static double time_cycle(bool sets)
{
	double best_s = 0;

	for (int turn = 0; turn < 2; turn++) {
		double took_s;

		make_cluster(1000, sets);
		for (uint32_t i = 0; i < NODES; i++)
			add_running(1 + i, 1, i);
		for (uint32_t i = 0; i < 8000; i++)
			add_waiting(100000 + i, 1, sets ? i % NODES : 0, 600 + i);
		took_s = run_cycle();
		best_s = turn && best_s < took_s ? best_s : took_s;
	}
	return best_s;
}

TEST(sets_of_ones_own_cost_little)
{
	double one_s = time_cycle(false), own_s = time_cycle(true);

	ck_assert_msg(own_s < 20 * one_s, "%g s, %g s with one set", own_s, one_s);
}

TEST(a_level_is_fair)
{
	struct lw_tally tally = { 0 };
	uint32_t level;

	ck_assert_int_eq(lw_tally_level(&tally, 10, &level), 0);
	ck_assert_uint_eq(level, UINT32_MAX);
	for (uint32_t user = 0; user < 4; user++)
		ck_assert_int_eq(lw_tally_add(&tally, user, 1 + user * user * 10), 0);
	ck_assert_uint_eq(lw_tally_of(&tally, 3), 91);
	ck_assert_uint_eq(lw_tally_of(&tally, 4), 0);
	ck_assert_int_eq(lw_tally_level(&tally, 144, &level), 0);
	ck_assert_uint_eq(level, UINT32_MAX);
	ck_assert_int_eq(lw_tally_level(&tally, 143, &level), 0);
	ck_assert_uint_eq(level, 90);
	ck_assert_int_eq(lw_tally_level(&tally, 40, &level), 0);
	ck_assert_uint_eq(level, 14); /* 1 + 11 + 14 + 14 */
	ck_assert_int_eq(lw_tally_level(&tally, 3, &level), 0);
	ck_assert_uint_eq(level, 0);
	lw_tally_fini(&tally);
}
