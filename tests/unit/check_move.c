/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of moves: jobs that go elsewhere so that another one has room. */
#include "planner/policies/policy.h"
#include "unit/unit.h"

#include <stdio.h>
#include <string.h>

#define NODES     3
#define GPUS      8
#define JOBS_MAX  4
#define NOW_S     INT64_C(100000)
#define FIRST_ID  100
#define FIRST_NEW 200

/* A job that runs on one node, so long yet, and whether it agrees. */
struct runs {
	uint16_t gpus;
	uint32_t node;
	int64_t rest_s;
	bool agrees;
};

/* A job that waits for so many GPUs on each of its nodes. */
struct waits {
	uint16_t gpus;
	uint32_t nodes;
	int64_t run_s;
	bool barred;
};

static const struct {
	const char *what;
	struct runs runs[JOBS_MAX];
	struct waits waits[2];
	double share, gain;
	int64_t back_s;
	const char *moves; /* "JOB>NODE+GPUS", and what else is kept as "+NODE:GPUS" */
} cases[] = {
	{ "one of two broken nodes becomes whole",
	  { { 4, 0, 90000, true }, { 4, 1, 90000, false }, { 8, 2, 90000, false } },
	  { { 8, 1, 600, false } },
	  1,
	  10,
	  14400,
	  "100>1:4 +0:4" },
	{ "it does not agree",
	  { { 4, 0, 90000, false }, { 4, 1, 90000, false }, { 8, 2, 90000, false } },
	  { { 8, 1, 600, false } },
	  1,
	  10,
	  14400,
	  "" },
	{ "a node is free",
	  { { 4, 0, 90000, true }, { 4, 1, 90000, true } },
	  { { 8, 1, 600, false } },
	  1,
	  10,
	  14400,
	  "" },
	{ "too little is free",
	  { { 4, 0, 90000, true }, { 5, 1, 90000, true }, { 8, 2, 90000, false } },
	  { { 8, 1, 600, false } },
	  1,
	  10,
	  14400,
	  "" },
	{ "enough is free, and a victim has no place for it all",
	  { { 5, 0, 90000, true }, { 4, 1, 90000, true }, { 7, 2, 90000, false } },
	  { { 8, 1, 600, false } },
	  1,
	  10,
	  14400,
	  "" },
	{ "it has not much more left than it loses",
	  { { 4, 0, 800, true }, { 4, 1, 90000, false }, { 8, 2, 90000, false } },
	  { { 8, 1, 600, false } },
	  1,
	  10,
	  14400,
	  "" },
	{ "it ends nearly as soon",
	  { { 4, 0, 150, true }, { 4, 1, 90000, false }, { 8, 2, 90000, false } },
	  { { 8, 1, 600, false } },
	  1,
	  1,
	  14400,
	  "" },
	{ "it holds too much of what may be out",
	  { { 4, 0, 90000, true }, { 4, 1, 90000, false }, { 8, 2, 90000, false } },
	  { { 8, 1, 600, false } },
	  0.1,
	  10,
	  14400,
	  "" },
	{ "the other one runs for long",
	  { { 4, 0, 90000, true }, { 4, 1, 90000, false }, { 8, 2, 90000, false } },
	  { { 8, 1, 600, false } },
	  1,
	  10,
	  500,
	  "" },
	{ "it is barred",
	  { { 4, 0, 90000, true }, { 4, 1, 90000, false }, { 8, 2, 90000, false } },
	  { { 8, 1, 600, true } },
	  1,
	  10,
	  14400,
	  "" },
	{ "the cheaper one moves",
	  { { 3, 0, 90000, true }, { 2, 1, 90000, true }, { 8, 2, 90000, false } },
	  { { 8, 1, 600, false } },
	  1,
	  10,
	  14400,
	  "101>0:2 +1:6" },
	{ "two leave one node",
	  { { 2, 0, 90000, true },
	    { 1, 0, 90000, true },
	    { 4, 1, 90000, false },
	    { 8, 2, 90000, false } },
	  { { 8, 1, 600, false } },
	  1,
	  10,
	  14400,
	  "101>1:1 100>1:2 +0:5" },
	{ "one of two is enough",
	  { { 2, 0, 90000, true },
	    { 1, 0, 90000, true },
	    { 4, 1, 90000, false },
	    { 8, 2, 90000, false } },
	  { { 6, 1, 600, false } },
	  1,
	  10,
	  14400,
	  "101>1:1 +0:5" },
	{ "two nodes are cleared",
	  { { 2, 0, 90000, true }, { 2, 1, 90000, true }, { 4, 2, 90000, false } },
	  { { 8, 2, 600, false } },
	  1,
	  10,
	  14400,
	  "100>2:2 101>2:2 +0:6 +1:6" },
	{ "one of them is free",
	  { { 2, 1, 90000, true }, { 4, 2, 90000, false } },
	  { { 8, 2, 600, false } },
	  1,
	  10,
	  14400,
	  "100>2:2 +0:8 +1:6" },
	{ "a promised start would be delayed",
	  { { 4, 0, 90000, true }, { 4, 1, 2000, false }, { 8, 2, 90000, false } },
	  { { 8, 1, 50000, true }, { 8, 1, 600, false } },
	  1,
	  10,
	  14400,
	  "" },
};

static void make_snapshot(struct lw_snapshot *ret_snap, const struct runs *runs,
			  const struct waits *waits)
{
	const struct lw_res total = { .cpus = 2 * GPUS, .gpus = { GPUS } };
	struct lw_bitset all;
	char name[16];

	lw_snapshot_init(ret_snap, NOW_S);
	ck_assert_int_eq(lw_snapshot_gpu_type(ret_snap, "gpu"), 0);
	ck_assert_int_eq(lw_bitset_init(&all, NODES), 0);
	for (uint32_t i = 0; i < NODES; i++) {
		snprintf(name, sizeof(name), "n%u", i);
		lw_bitset_set(&all, i);
		ck_assert_int_eq(lw_snapshot_add_node(ret_snap, name, &total, true, NULL), 0);
	}
	ck_assert_int_eq(lw_snapshot_add_set(ret_snap, "all", &all, NULL), 0);
	lw_bitset_fini(&all);
	for (uint32_t i = 0; i < JOBS_MAX && runs[i].gpus; i++) {
		const struct lw_running job = { .job_id = FIRST_ID + i,
						.start_s = NOW_S - 7200,
						.end_s = NOW_S + runs[i].rest_s };
		const struct lw_alloc alloc = { .node = runs[i].node,
						.res = { .cpus = runs[i].gpus,
							 .gpus = { runs[i].gpus } } };

		ck_assert_int_eq(lw_snapshot_add_running(ret_snap, &job, &alloc, 1, NULL), 0);
	}
	for (uint32_t i = 0; i < 2 && waits[i].gpus; i++) {
		const struct lw_waiting job = {
			.job_id = FIRST_NEW + i,
			.user_id = i,
			.tasks = 1,
			.begin_s = LW_NO_TIME,
			.promise_s = LW_NO_TIME,
			.submit_s = NOW_S - 100 + i,
			.limit_s = waits[i].run_s,
			.request = { .nodes_min = waits[i].nodes,
				     .nodes_max = waits[i].nodes,
				     .cpus_per_node = waits[i].gpus,
				     .gpus_per_node = waits[i].gpus,
				     .gpu_type = LW_GPU_ANY },
		};

		ck_assert_int_eq(lw_snapshot_add_waiting(ret_snap, &job, NULL), 0);
	}
}

/* By job, as it would wait: what it holds now, on any node. */
static uint32_t make_offers(const struct lw_snapshot *snap, const struct runs *runs,
			    struct lw_waiting *agains, struct lw_lease_offer *offers)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < snap->running_count; i++) {
		const struct lw_running *running = &snap->running[i];
		const struct runs *job = &runs[running->job_id - FIRST_ID];

		if (!job->agrees)
			continue;
		agains[count] = (struct lw_waiting){
			.job_id = running->job_id,
			.tasks = 1,
			.begin_s = LW_NO_TIME,
			.promise_s = LW_NO_TIME,
			.limit_s = running->end_s - running->start_s,
			.request = { .nodes_min = 1,
				     .nodes_max = 1,
				     .cpus_per_node = job->gpus,
				     .gpus_per_node = job->gpus,
				     .gpu_type = LW_GPU_ANY },
		};
		offers[count] = (struct lw_lease_offer){ .running = i,
							   .lost_s = 90,
							   .again = &agains[count] };
		count++;
	}
	return count;
}

/* Places in order: the first of each stop is where its job goes. */
static void print_moves(const struct lw_leases *leases, char *ret_text, size_t size)
{
	size_t used = 0;

	*ret_text = '\0';
	for (uint32_t i = 0; i < leases->count; i++) {
		const struct lw_lease_stop *stop = &leases->stops[i];

		ck_assert(stop->moves);
		for (uint32_t p = 0; p < stop->place_count; p++) {
			const struct lw_alloc *place = &leases->places[stop->first_place + p];
			char job[16] = "+";

			if (!p)
				snprintf(job, sizeof(job), "%u>", stop->job_id);
			used += (size_t)snprintf(ret_text + used, size - used, "%s%s%u:%u",
						 used ? " " : "", job, place->node,
						 lw_res_gpus(&place->res));
		}
	}
}

TEST_EACH(test_move, LW_COUNT_OF(cases))
{
	const struct lw_lease_rules rules = { .gangs = true,
					      .gain = cases[_i].gain,
					      .share = cases[_i].share,
					      .widest = 0.25,
					      .leave_s = 60,
					      .back_s = cases[_i].back_s };
	const uint8_t barred[2] = { cases[_i].waits[0].barred, cases[_i].waits[1].barred };
	const struct lw_lease_state state = { .barred = barred };
	struct lw_waiting agains[JOBS_MAX];
	struct lw_lease_offer offers[JOBS_MAX];
	struct lw_leases leases = { 0 };
	struct lw_policy_params params;
	struct lw_policy *policy;
	struct lw_snapshot snap;
	struct lw_plan plan;
	char text[256];
	uint32_t count;

	make_snapshot(&snap, cases[_i].runs, cases[_i].waits);
	count = make_offers(&snap, cases[_i].runs, agains, offers);
	lw_policy_params_default(&params);
	params.kind = LW_POLICY_LEEWAY;
	lw_plan_init(&plan);
	ck_assert_int_eq(lw_policy_create(&params, NULL, &policy), 0);
	ck_assert_int_eq(lw_policy_cycle(policy, &snap, &plan), 0);
	ck_assert_int_eq(lw_policy_lease(policy, &rules, &state, offers, count, &leases), 0);
	print_moves(&leases, text, sizeof(text));
	ck_assert_msg(!strcmp(text, cases[_i].moves), "%s: %s", cases[_i].what, text);
	lw_leases_fini(&leases);
	lw_policy_destroy(policy);
	lw_plan_fini(&plan);
	lw_snapshot_fini(&snap);
}
