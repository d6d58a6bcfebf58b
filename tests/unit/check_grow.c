/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of growing: a job is stopped to go on on more nodes, since no job waits. */
#include "planner/policies/policy.h"
#include "unit/unit.h"

#include <stdio.h>

#define NODES    8
#define GPUS     4
#define JOBS_MAX 3
#define NOW_S    INT64_C(100000)

/* A job that runs on whole nodes, and may on up to MOST; 0: it has no sizes. */
struct runs {
	uint32_t nodes, most;
	int64_t rest_s;
};

static const struct {
	const char *what;
	struct runs runs[JOBS_MAX];
	bool waits;    /* another job does, though it cannot start */
	uint32_t down; /* nodes, the last ones */
	uint32_t served;
	uint32_t stopped; /* 0: none is */
} cases[] = {
	{ "it goes on on all", { { 2, 8, 7200 } }, false, 0, 0, 1 },
	{ "it has all", { { 8, 8, 7200 } }, false, 0, 0, 0 },
	{ "it has no sizes", { { 2, 0, 7200 } }, false, 0, 0, 0 },
	{ "others hold them", { { 2, 8, 7200 }, { 6, 0, 7200 } }, false, 0, 0, 0 },
	{ "less than half as many again are free",
	  { { 4, 8, 7200 }, { 3, 0, 7200 } },
	  false,
	  0,
	  0,
	  0 },
	{ "they are down", { { 2, 8, 7200 } }, false, 6, 0, 0 },
	{ "it ends soon", { { 2, 8, 100 } }, false, 0, 0, 0 },
	{ "another job waits", { { 2, 8, 7200 } }, true, 0, 0, 0 },
	{ "a stopped job is on its way", { { 2, 8, 7200 } }, false, 0, 1, 0 },
	{ "the one that gains most", { { 2, 4, 3600 }, { 2, 4, 7200 } }, false, 0, 0, 2 },
	{ "of two alike the first", { { 2, 4, 7200 }, { 2, 4, 7200 } }, false, 0, 0, 1 },
};

static void add_running(struct lw_snapshot *snap, const struct runs *runs, uint32_t number,
			uint32_t first)
{
	const struct lw_running job = { .job_id = number,
					.start_s = NOW_S - 7200,
					.end_s = NOW_S + runs->rest_s };
	struct lw_alloc allocs[NODES];

	for (uint32_t i = 0; i < runs->nodes; i++)
		allocs[i] = (struct lw_alloc){ .node = first + i,
					       .res = { .cpus = GPUS, .gpus = { GPUS } } };
	ck_assert_int_eq(lw_snapshot_add_running(snap, &job, allocs, runs->nodes, NULL), 0);
}

static struct lw_waiting job_of(uint32_t job_id, uint32_t least, uint32_t most)
{
	return (struct lw_waiting){
		.job_id = job_id,
		.tasks = 1,
		.begin_s = LW_NO_TIME,
		.promise_s = LW_NO_TIME,
		.submit_s = NOW_S,
		.limit_s = 7200,
		.request = { .nodes_min = least,
			     .nodes_max = most,
			     .cpus_per_node = GPUS,
			     .gpus_per_node = GPUS,
			     .gpu_type = LW_GPU_ANY },
	};
}

static void make_snapshot(struct lw_snapshot *ret_snap, const struct runs *runs, bool waits,
			  uint32_t down)
{
	const struct lw_waiting other = job_of(50, NODES, NODES);
	const struct lw_res total = { .cpus = GPUS, .gpus = { GPUS } };
	struct lw_bitset all = { 0 };
	uint32_t first = 0;

	lw_snapshot_init(ret_snap, NOW_S);
	ck_assert_int_eq(lw_snapshot_gpu_type(ret_snap, "a100"), 0);
	for (uint32_t i = 0; i < NODES; i++) {
		char name[8];

		snprintf(name, sizeof(name), "n%u", i);
		ck_assert_int_eq(
			lw_snapshot_add_node(ret_snap, name, &total, i < NODES - down, NULL), 0);
	}
	ck_assert_int_eq(lw_bitset_init(&all, NODES), 0);
	lw_bitset_set_all(&all);
	ck_assert_int_eq(lw_snapshot_add_set(ret_snap, "all", &all, NULL), 0);
	lw_bitset_fini(&all);
	for (uint32_t i = 0; i < JOBS_MAX && runs[i].nodes; i++) {
		add_running(ret_snap, &runs[i], i + 1, first);
		first += runs[i].nodes;
	}
	if (waits)
		ck_assert_int_eq(lw_snapshot_add_waiting(ret_snap, &other, NULL), 0);
}

static uint32_t make_offers(const struct lw_snapshot *snap, const struct runs *runs,
			    struct lw_waiting *larger, struct lw_lease_offer *offers)
{
	for (uint32_t i = 0; i < snap->running_count; i++) {
		larger[i] = job_of(snap->running[i].job_id, runs[i].nodes, runs[i].most);
		offers[i] = (struct lw_lease_offer){
			.running = i,
			.lost_s = 90,
			.larger = runs[i].most ? &larger[i] : NULL,
			.nodes = runs[i].nodes,
			.size = { runs[i].nodes, runs[i].most, 900 },
		};
	}
	return snap->running_count;
}

TEST_EACH(test_grow, LW_COUNT_OF(cases))
{
	const struct lw_lease_rules rules = { .grows = true, .share = 1, .back_s = 14400 };
	const struct lw_lease_state state = { .served = (const uint32_t[]){ 7 },
					      .served_count = cases[_i].served };
	struct lw_lease_offer offers[JOBS_MAX];
	struct lw_waiting larger[JOBS_MAX];
	struct lw_leases leases = { 0 };
	struct lw_policy_params params;
	struct lw_policy *policy;
	struct lw_snapshot snap;
	struct lw_plan plan;
	uint32_t count;

	make_snapshot(&snap, cases[_i].runs, cases[_i].waits, cases[_i].down);
	count = make_offers(&snap, cases[_i].runs, larger, offers);
	lw_policy_params_default(&params);
	params.kind = LW_POLICY_LEEWAY;
	lw_plan_init(&plan);
	ck_assert_int_eq(lw_policy_create(&params, NULL, &policy), 0);
	ck_assert_int_eq(lw_policy_cycle(policy, &snap, &plan), 0);
	ck_assert_int_eq(lw_policy_lease(policy, &rules, &state, offers, count, &leases), 0);
	ck_assert_msg((leases.count ? leases.stops[0].job_id : 0) == cases[_i].stopped,
		      "%s: %u stopped, the first is %u", cases[_i].what, leases.count,
		      leases.count ? leases.stops[0].job_id : 0);
	if (leases.count)
		ck_assert_uint_eq(leases.stops[0].for_job, 0);
	lw_leases_fini(&leases);
	lw_policy_destroy(policy);
	lw_plan_fini(&plan);
	lw_snapshot_fini(&snap);
}
