/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of what plans cost where much waits that cannot start soon, or ever. */
#include "planner/policies/policy.h"
#include "unit/unit.h"

#include <stdio.h>
#include <time.h>

#define NODES	200
#define RUNNING 2000

/* A busy cluster: something ends every minute, on one node after the other. */
static void fill_cluster(struct lw_snapshot *snap)
{
	struct lw_res total = { .cpus = 16, .mem_mib = 16000 }, licences = { .cpus = 4 };
	struct lw_bitset nodes;
	char name[16];

	lw_snapshot_init(snap, 100000);
	for (uint32_t i = 0; i < NODES; i++) {
		snprintf(name, sizeof(name), "n%u", i);
		ck_assert_int_eq(lw_snapshot_add_node(snap, name, &total, true, NULL), 0);
	}
	ck_assert_int_eq(lw_snapshot_add_node(snap, "licences", &licences, true, NULL), 0);
	ck_assert_int_eq(lw_bitset_init(&nodes, NODES + 1), 0);
	for (uint32_t set = 0; set < 2; set++) {
		for (uint32_t i = 0; !set && i < NODES; i++)
			lw_bitset_set(&nodes, i);
		ck_assert_int_eq(lw_snapshot_add_set(snap, "nodes", &nodes, NULL), 0);
		lw_bitset_clear_all(&nodes);
		lw_bitset_set(&nodes, NODES);
	}
	lw_bitset_fini(&nodes);
	for (uint32_t i = 0; i < RUNNING; i++) {
		struct lw_running job = { .job_id = 1 + i, .start_s = 99000,
					  .end_s = 100060 + 60 * (int64_t)i };
		struct lw_alloc alloc = { .node = i % NODES, .res = { .cpus = 1 } };

		ck_assert_int_eq(lw_snapshot_add_running(snap, &job, &alloc, 1, NULL), 0);
	}
}

static struct lw_waiting job_of(uint32_t number, uint32_t cpus)
{
	return (struct lw_waiting){
		.job_id = 100000 + number,
		.user_id = number,
		.tasks = 1,
		.begin_s = LW_NO_TIME,
		.promise_s = LW_NO_TIME,
		.submit_s = 90000,
		.limit_s = 3600,
		.request = { .nodes_min = 1, .nodes_max = 1, .cpus_per_node = cpus,
			     .gpu_type = LW_GPU_ANY },
	};
}

/* Processor time of a plan: the best of three. */
static double time_plan(const struct lw_snapshot *snap, enum lw_policy_kind kind)
{
	struct lw_policy_params params;
	struct lw_policy *policy;
	struct lw_plan plan;
	double best_s = 0;

	lw_policy_params_default(&params);
	params.kind = kind;
	lw_plan_init(&plan);
	ck_assert_int_eq(lw_policy_create(&params, NULL, &policy), 0);
	for (int i = 0; i < 3; i++) {
		clock_t begin = clock();
		double took_s;

		ck_assert_int_eq(lw_policy_cycle(policy, snap, &plan), 0);
		took_s = (double)(clock() - begin) / CLOCKS_PER_SEC;
		best_s = i && best_s < took_s ? best_s : took_s;
	}
	lw_policy_destroy(policy);
	lw_plan_fini(&plan);
	return best_s;
}

/* Thousands of jobs that want so many CPUs of a node, and one that waits for room. */
static double time_thousands(enum lw_policy_kind kind, uint32_t cpus)
{
	struct lw_snapshot snap;
	struct lw_waiting job;
	double took_s;

	fill_cluster(&snap);
	for (uint32_t i = 0; i <= 4000; i++) {
		job = job_of(i, i < 4000 ? cpus : 8);
		ck_assert_int_eq(lw_snapshot_add_waiting(&snap, &job, NULL), 0);
	}
	took_s = time_plan(&snap, kind);
	lw_snapshot_fini(&snap);
	return took_s;
}

/* No node can hold them, as when theirs are down: no search for room is made for each of them. */
TEST_EACH(who_never_fits_costs_little, 2)
{
	static const enum lw_policy_kind kinds[] = { LW_POLICY_EASY, LW_POLICY_LEEWAY };
	double waiting_s = time_thousands(kinds[_i], 8);
	double never_s = time_thousands(kinds[_i], 17);

	/* a tenfold is usual; with a search for each it was some 600 */
	ck_assert_msg(never_s < 60 * waiting_s, "%g s, %g s for who waits", never_s, waiting_s);
}

/* COUNT jobs for which a node has room soon; LICENCES: but all they need are taken for long. */
static double time_licences(uint32_t count, bool licences)
{
	struct lw_running holder = { .job_id = 90000, .start_s = 99000, .end_s = 300000 };
	struct lw_alloc held = { .node = NODES, .res = { .cpus = 4 } };
	struct lw_need need = { .set = 1, .request = { .nodes_min = 1, .nodes_max = 1,
						       .cpus_per_node = 1,
						       .gpu_type = LW_GPU_ANY } };
	struct lw_snapshot snap;
	struct lw_waiting job;
	double took_s;

	fill_cluster(&snap);
	ck_assert_int_eq(lw_snapshot_add_running(&snap, &holder, &held, 1, NULL), 0);
	for (uint32_t i = 0; i < count; i++) {
		job = job_of(i, 8);
		if (licences)
			ck_assert_int_eq(
				lw_snapshot_add_coallocation(&snap, &need, 1,
							     &job.constraints.coallocation, NULL),
				0);
		ck_assert_int_eq(lw_snapshot_add_waiting(&snap, &job, NULL), 0);
	}
	took_s = time_plan(&snap, LW_POLICY_CONSERVATIVE);
	lw_snapshot_fini(&snap);
	return took_s;
}

/* No room is looked for on nodes at each change of any until a licence comes free. */
TEST(scarce_licences_cost_little)
{
	double without_s = time_licences(100, false), with_s = time_licences(100, true);

	ck_assert_msg(with_s < 60 * without_s, "%g s, %g s without", with_s, without_s);
}

#define WIDE 4000

/* A job for each node of a full cluster; OWN: each on that node and the next, by --nodelist. */
static double time_sets(enum lw_policy_kind kind, bool own)
{
	struct lw_res total = { .cpus = 16 };
	struct lw_snapshot snap;
	struct lw_bitset nodes;
	struct lw_waiting job;
	double took_s;

	lw_snapshot_init(&snap, 100000);
	for (uint32_t i = 0; i < WIDE; i++)
		ck_assert_int_eq(lw_snapshot_add_node(&snap, "n", &total, true, NULL), 0);
	ck_assert_int_eq(lw_bitset_init(&nodes, WIDE), 0);
	for (uint32_t i = 0; i < WIDE; i++) {
		struct lw_running run = { .job_id = 1 + i, .start_s = 99000, .end_s = 200000 };
		struct lw_alloc alloc = { .node = i, .res = total };

		ck_assert_int_eq(lw_snapshot_add_running(&snap, &run, &alloc, 1, NULL), 0);
		lw_bitset_clear_all(&nodes);
		lw_bitset_set(&nodes, i);
		lw_bitset_set(&nodes, (i + 1) % WIDE);
		ck_assert_int_eq(lw_snapshot_add_set(&snap, "pair", &nodes, NULL), 0);
		job = job_of(i, 16);
		job.set = own ? i : 0;
		ck_assert_int_eq(lw_snapshot_add_waiting(&snap, &job, NULL), 0);
	}
	lw_bitset_fini(&nodes);
	took_s = time_plan(&snap, kind);
	lw_snapshot_fini(&snap);
	return took_s;
}

/* Whether somebody waits for the nodes of one is not asked of the sets of all others. */
TEST_EACH(who_names_nodes_costs_little, 2)
{
	static const enum lw_policy_kind kinds[] = { LW_POLICY_EASY, LW_POLICY_LEEWAY };
	double one_s = time_sets(kinds[_i], false), own_s = time_sets(kinds[_i], true);

	ck_assert_msg(own_s < 8 * one_s, "%g s, %g s where all name the same", own_s, one_s);
}

/* Het jobs of many components, each like all others but for the last. */
static double time_het(uint32_t count)
{
	struct lw_need needs[100];
	struct lw_snapshot snap;
	uint32_t number;
	clock_t begin;

	fill_cluster(&snap);
	for (uint32_t i = 0; i < 100; i++)
		needs[i] = (struct lw_need){ .request = { .nodes_min = 1,
							  .nodes_max = 1,
							  .cpus_per_node = 1,
							  .gpu_type = LW_GPU_ANY } };
	begin = clock();
	for (uint32_t i = 0; i < count; i++) {
		needs[99].request.mem_per_node_mib = i % (count / 2);
		ck_assert_int_eq(lw_snapshot_add_coallocation(&snap, needs, 100, &number, NULL),
				 0);
		ck_assert_uint_eq(number, i % (count / 2) + 1);
	}
	lw_snapshot_fini(&snap);
	return (double)(clock() - begin) / CLOCKS_PER_SEC;
}

/* The needs of a new one are not held against those of all others. */
TEST(what_jobs_need_together_costs_little)
{
	double few_s = time_het(400), many_s = time_het(4000);

	ck_assert_msg(many_s < 40 * few_s, "%g s, %g s for a tenth", many_s, few_s);
}
