/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of policy, relax and shadow; and of no memory. */
#include "planner/policies/policy.h"

#include "planner/cycle/relax.h"
#include "planner/time/shadow.h"
#include "planner/text/text.h"
#include "unit/failing_alloc.h"
#include "unit/unit.h"

#include <errno.h>
#include <limits.h>
#include <string.h>

/* kind, relax, cap; jobs in the queue; submitted, promised; slack */
static const struct {
	enum lw_policy_kind kind;
	double relax;
	int64_t cap_s;
	uint32_t queued;
	int64_t submit_s, promise_s, slack_s;
} slacks[] = {
	{ LW_POLICY_RELAXED, 0.1, 86400, 7, 0, 2000, 200 },
	{ LW_POLICY_RELAXED, 0.1, 199, 7, 0, 2000, 199 },
	{ LW_POLICY_RELAXED, 0.1, 86400, 7, 1000, 2000, 100 },
	/* rounded down: the factor is a bound */
	{ LW_POLICY_RELAXED, 0.1, 86400, 7, 0, 1999, 199 },
	{ LW_POLICY_RELAXED, 0.1, 86400, 7, 0, 9, 0 },
	{ LW_POLICY_RELAXED, 0, 86400, 7, 0, 2000, 0 },
	{ LW_POLICY_RELAXED, 2, 86400, 7, 0, 2000, 4000 },
	{ LW_POLICY_RELAXED, 0.1, 0, 7, 0, 2000, 0 },
	/* promised the moment it came, or (a clock stepped) before */
	{ LW_POLICY_RELAXED, 0.1, 86400, 7, 2000, 2000, 0 },
	{ LW_POLICY_RELAXED, 0.1, 86400, 7, 2001, 2000, 0 },
	{ LW_POLICY_EASY, 0.1, 86400, 7, 0, 2000, 0 },
	{ LW_POLICY_FCFS, 0.1, 86400, 7, 0, 2000, 0 },
	{ LW_POLICY_CONSERVATIVE, 0.1, 86400, 7, 0, 2000, 0 },
	/* leeway has a share and a cap of its own */
	{ LW_POLICY_LEEWAY, 0.1, 86400, 7, 0, 2000, 200 },
	{ LW_POLICY_LEEWAY, 0.1, 199, 7, 0, 2000, 199 },
	/* adaptive: by the length of the queue, up to a bound */
	{ LW_POLICY_ADAPTIVE, 0.1, 86400, LW_RELAX_QUEUE_FULL, 0, 2000, 200 },
	{ LW_POLICY_ADAPTIVE, 0.1, 86400, LW_RELAX_QUEUE_FULL / 2, 0, 2000, 100 },
	{ LW_POLICY_ADAPTIVE, 0.1, 86400, 10 * LW_RELAX_QUEUE_FULL, 0, 2000, 200 },
	{ LW_POLICY_ADAPTIVE, 0.1, 86400, 0, 0, 2000, 0 },
};

TEST_EACH(slack_is_a_capped_share, LW_COUNT_OF(slacks))
{
	struct lw_policy_params params = { .kind = slacks[_i].kind };

	if (slacks[_i].kind == LW_POLICY_LEEWAY) {
		params.slack = slacks[_i].relax;
		params.slack_cap_s = slacks[_i].cap_s;
	} else {
		params.relax = slacks[_i].relax;
		params.relax_cap_s = slacks[_i].cap_s;
	}

	ck_assert(lw_relax_slack(&params, slacks[_i].queued, slacks[_i].submit_s,
				 slacks[_i].promise_s) ==
		  slacks[_i].slack_s);
}

/* The latest start is the promise, the slack, and what a risk may add where there is one. */
TEST(a_risk_adds_its_cap)
{
	struct lw_policy_params params = { .kind = LW_POLICY_LEEWAY };

	params.slack = 0.1;
	params.slack_cap_s = 1800;
	params.risk_cap_s = 600;
	ck_assert(lw_relax_latest(&params, 7, 0, 2000) == 2200);
	params.price = 0.02;
	ck_assert(lw_relax_latest(&params, 7, 0, 2000) == 2800);
	params.kind = LW_POLICY_EASY;
	ck_assert(lw_relax_latest(&params, 7, 0, 2000) == 2000);
}

TEST(default_is_easy)
{
	struct lw_policy_params params;

	lw_policy_params_default(&params);
	ck_assert_int_eq(params.kind, LW_POLICY_EASY);
	ck_assert(params.relax >= 0 && params.relax <= 2);
	ck_assert(params.relax_cap_s >= 0);
}

TEST(kinds_have_names)
{
	for (int kind = 0; kind < LW_POLICY_COUNT; kind++)
		ck_assert_int_eq(lw_policy_kind_parse(
					 lw_policy_kind_name((enum lw_policy_kind)kind)),
				 kind);
	for (int order = 0; order < LW_ORDER_COUNT; order++)
		ck_assert_int_eq(lw_order_parse(lw_order_name((enum lw_order)order)), order);
	ck_assert_int_eq(lw_order_parse("priority"), -EINVAL);
	ck_assert_int_eq(lw_policy_kind_parse("EASY"), -EINVAL);
	ck_assert_int_eq(lw_policy_kind_parse(""), -EINVAL);
	ck_assert_str_eq(lw_policy_kind_name((enum lw_policy_kind)99), "unknown");
}

/* ends and ids as added; the order in which they are given back */
static const struct {
	int64_t ends[4];
	uint32_t ids[4], order[4];
} ends[] = {
	{ { 40, 30, 20, 10 }, { 1, 2, 3, 4 }, { 4, 3, 2, 1 } },
	{ { 20, 20, 20, 20 }, { 3, 1, 4, 2 }, { 1, 2, 3, 4 } },
	{ { 20, 10, 20, 10 }, { 1, 4, 2, 3 }, { 3, 4, 1, 2 } },
	/* past its end: in a second, so after nothing that ends later */
	{ { 7, 6, 5, 4 }, { 1, 2, 3, 4 }, { 2, 3, 4, 1 } },
};

TEST_EACH(releases_come_by_end_then_id, LW_COUNT_OF(ends))
{
	struct lw_res one = { .cpus = 1 }, total[4], future[4], free_res[4] = { { 0 } };
	struct lw_releases releases;
	struct lw_snapshot snap;
	struct lw_bitset all;
	struct lw_room room = { .free = free_res, .total = total, .candidates = &all };
	struct lw_placer *placer;
	struct lw_shadow shadow;
	struct lw_plan plan;

	lw_snapshot_init(&snap, 5);
	lw_plan_init(&plan);
	lw_releases_init(&releases);
	for (uint32_t i = 0; i < 4; i++) {
		total[i] = one;
		ck_assert_int_eq(lw_snapshot_add_node(&snap, "n", &one, true, NULL), 0);
	}
	for (uint32_t i = 0; i < 4; i++) {
		struct lw_running job = { .job_id = ends[_i].ids[i], .end_s = ends[_i].ends[i] };
		struct lw_alloc alloc = { .node = i, .res = one };

		ck_assert_int_eq(lw_snapshot_add_running(&snap, &job, &alloc, 1, NULL), 0);
	}
	ck_assert_int_eq(lw_bitset_init(&all, 4), 0);
	lw_bitset_set_all(&all);
	ck_assert_int_eq(lw_placer_create(4, &placer), 0);
	ck_assert_int_eq(lw_releases_begin(&releases, &snap, LW_ENDS_HARD, INT64_MAX), 0);
	/* room for k nodes is made by the k-th end, or by a later one in the same second */
	for (uint32_t k = 1; k <= 4; k++) {
		struct lw_request req = { .nodes_min = k, .nodes_max = k, .cpus_per_node = 1,
					  .gpu_type = LW_GPU_ANY };

		struct lw_seek seek = { &snap, &plan, &releases, &room, &req, placer, future };

		ck_assert_int_eq(lw_shadow_find(&seek, &shadow), 0);
		ck_assert_uint_eq(releases.items[k - 1].job_id, ends[_i].order[k - 1]);
		ck_assert(shadow.time_s == releases.items[k - 1].end_s);
		ck_assert(shadow.time_s > snap.now_s);
		ck_assert_uint_eq(shadow.alloc_count, k);
	}
	lw_placer_destroy(placer);
	lw_bitset_fini(&all);
	lw_releases_fini(&releases);
	lw_plan_fini(&plan);
	lw_snapshot_fini(&snap);
}

/* One that started at 0, with what is expected of it, and when it is then expected to end. */
static const struct {
	int64_t expect_s, end_s, until_s, ends_s;
} expected[] = {
	{ 0, 9000, 9000, 9000 },	 /* nothing: its limit */
	{ 1500, 9000, 9000, 1500 },
	{ 9500, 9000, 9000, 9000 },	 /* never beyond its limit */
	{ 600, 9000, 9000, 1200 },	 /* outrun once */
	{ 500, 9000, 9000, 2000 },	 /* now is not to come */
	{ 100, 1100, 9000, 1100 },	 /* 1600 would be beyond its limit */
	{ 300, 900, 9000, 1001 },	 /* past its limit */
	{ 1500, 9000, 1500, 1500 },
	{ 1501, 9000, 1500, LW_NO_TIME }, /* later than asked for */
};

TEST_EACH(expected_ends, LW_COUNT_OF(expected))
{
	const struct lw_res one = { .cpus = 1 };
	struct lw_alloc alloc = { .res = one };
	struct lw_running job = { .job_id = 1, .end_s = expected[_i].end_s,
				  .expect_s = expected[_i].expect_s };
	const struct lw_release *release;
	struct lw_releases releases;
	struct lw_snapshot snap;

	lw_snapshot_init(&snap, 1000);
	lw_releases_init(&releases);
	ck_assert_int_eq(lw_snapshot_add_node(&snap, "n", &one, true, NULL), 0);
	ck_assert_int_eq(lw_snapshot_add_running(&snap, &job, &alloc, 1, NULL), 0);
	ck_assert_int_eq(lw_releases_begin(&releases, &snap, LW_ENDS_EXPECTED,
					   expected[_i].until_s), 0);
	release = lw_releases_at(&releases, 0);
	ck_assert_int_eq(release != NULL, expected[_i].ends_s != LW_NO_TIME);
	if (release)
		ck_assert_int_eq(release->end_s, expected[_i].ends_s);
	lw_releases_fini(&releases);
	lw_snapshot_fini(&snap);
}

static void count_lines(void *arg, enum lw_log_level level, const char *line)
{
	ck_assert_int_eq(level, LW_LOG_DEBUG);
	ck_assert_ptr_null(strchr(line, '\n'));
	(*(int *)arg)++;
}

TEST(one_cycle_logs_one_line)
{
	int lines = 0;
	struct lw_log log = { count_lines, &lines, LW_LOG_DEBUG };
	struct lw_policy_params params;
	struct lw_policy *policy;
	struct lw_snapshot snap;
	struct lw_plan plan;

	lw_policy_params_default(&params);
	lw_snapshot_init(&snap, 0);
	lw_plan_init(&plan);
	ck_assert_int_eq(lw_policy_create(&params, &log, &policy), 0);
	ck_assert_int_eq(lw_policy_cycle(policy, &snap, &plan), 0);
	ck_assert_int_eq(lw_policy_cycle(policy, &snap, &plan), 0);
	ck_assert_int_eq(lines, 2);
	lw_policy_destroy(policy);
	lw_policy_destroy(NULL);
	lw_plan_fini(&plan);
	lw_snapshot_fini(&snap);
}

/* Something of everything: types, folded and odd names, two sets, tasks, variants, a head. */
static const char moment[] = "lw-snapshot 1\nnow 1000\n"
			     "gpu-type 0 a\ngpu-type 1 b\n"
			     "node 0-19 n[00-19] cpus=8 mem=8000 gpu:a=4\n"
			     "node 20 odd%20one cpus=8 gpu:b=1\n"
			     "set 0 all 0-20\nset 1 some 3,7-20\n"
			     "run 1 start=0 end=2000 on=0-17:cpus=8\n"
			     "run 2 start=0 end=1500 on=18:cpus=8\n"
			     "wait 3 set=0 submit=0 limit=60 nodes=10 cpus=8\n"
			     "wait 4 set=1 tasks=3 submit=0 limit=60 nodes=1 cpus=1 gpus=1\n"
			     "wait 5 set=0 submit=0 limit=9 nodes=1-3 total-gpus=5\n"
			     "wait 5 variant=1 set=1 submit=0 limit=9 nodes=1-3 total-gpus=5\n";

/*
 * Read, plan, print: everything that allocates. 0 or -ENOMEM, or -EBADE for a failed
 * cycle with half a plan. No assertion inside: check allocates in them too.
 */
static int whole_way(struct lw_strbuf *out)
{
	struct lw_policy_params params = { .kind = LW_POLICY_RELAXED, .relax = 0.1,
					   .relax_cap_s = 60 };
	struct lw_policy *policy = NULL;
	struct lw_snapshot snap;
	struct lw_plan plan;
	int rc;

	lw_plan_init(&plan);
	rc = lw_snapshot_parse(&snap, "moment", moment, NULL);
	if (!rc)
		rc = lw_policy_create(&params, NULL, &policy);
	if (!rc)
		rc = lw_policy_cycle(policy, &snap, &plan);
	if (rc && (plan.decision_count || plan.started))
		rc = -EBADE;
	if (!rc)
		lw_plan_print(&plan, &snap, out);
	if (!rc)
		lw_snapshot_print(&snap, out);
	lw_plan_fini(&plan);
	lw_policy_destroy(policy);
	if (snap.nodes)
		lw_snapshot_fini(&snap);
	return rc ? rc : out->error;
}

TEST(no_memory_is_an_error_and_no_more)
{
	struct lw_strbuf want = LW_STRBUF_INIT, got = LW_STRBUF_INIT;
	unsigned n = 0;
	int rc, failed;

	ck_assert_int_eq(whole_way(&want), 0);
	do {
		failing_alloc_arm(++n);
		rc = whole_way(&got);
		failed = failing_alloc_disarm();
		ck_assert_msg(rc == (failed ? -ENOMEM : 0), "allocation %u: %d", n, rc);
		if (!rc)
			ck_assert_str_eq(lw_strbuf_text(&got), lw_strbuf_text(&want));
		lw_strbuf_fini(&got);
	} while (failed);
	/* the sweep went through all of it, not through nothing */
	ck_assert_uint_gt(n, 60);
	lw_strbuf_fini(&want);
}

/* A cycle that ran out of memory leaves the policy fit for the next one. */
TEST(a_policy_outlives_a_failed_cycle)
{
	struct lw_strbuf want = LW_STRBUF_INIT, got = LW_STRBUF_INIT;
	struct lw_policy_params params = { .kind = LW_POLICY_RELAXED, .relax = 0.1,
					   .relax_cap_s = 60 };
	struct lw_policy *policy;
	struct lw_snapshot snap;
	struct lw_plan plan;
	unsigned n = 0;
	int rc, failed;

	ck_assert_int_eq(lw_snapshot_parse(&snap, "moment", moment, NULL), 0);
	lw_plan_init(&plan);
	do {
		ck_assert_int_eq(lw_policy_create(&params, NULL, &policy), 0);
		failing_alloc_arm(++n);
		rc = lw_policy_cycle(policy, &snap, &plan);
		failed = failing_alloc_disarm();
		ck_assert_int_eq(rc, failed ? -ENOMEM : 0);
		ck_assert_int_eq(lw_policy_cycle(policy, &snap, &plan), 0);
		lw_plan_print(&plan, &snap, &got);
		if (n == 1)
			lw_plan_print(&plan, &snap, &want);
		ck_assert_str_eq(lw_strbuf_text(&got), lw_strbuf_text(&want));
		lw_strbuf_fini(&got);
		lw_plan_fini(&plan);
		lw_policy_destroy(policy);
	} while (failed);
	ck_assert_uint_gt(n, 10);
	lw_strbuf_fini(&want);
	lw_snapshot_fini(&snap);
}

/* How often it was asked, and when it says no. */
struct patience {
	unsigned asked, limit;
	uint64_t bytes;
};

static bool is_patient(void *arg, uint64_t bytes)
{
	struct patience *patience = arg;

	patience->bytes = bytes;
	return ++patience->asked < patience->limit;
}

/* Every policy asks, stops wherever it is told to, and plans as before afterwards. */
TEST_EACH(a_cycle_stops_when_it_may_not_go_on, LW_POLICY_COUNT)
{
	struct lw_strbuf want = LW_STRBUF_INIT, got = LW_STRBUF_INIT;
	struct patience patience = { .limit = UINT_MAX };
	struct lw_policy_params params;
	struct lw_policy *policy;
	struct lw_snapshot snap;
	struct lw_plan plan;
	unsigned asked;

	lw_policy_params_default(&params);
	params.kind = (enum lw_policy_kind)_i;
	ck_assert_int_eq(lw_snapshot_parse(&snap, "moment", moment, NULL), 0);
	ck_assert_int_eq(lw_policy_create(&params, NULL, &policy), 0);
	lw_plan_init(&plan);
	lw_policy_bind(policy, is_patient, &patience);
	ck_assert_int_eq(lw_policy_cycle(policy, &snap, &plan), 0);
	lw_plan_print(&plan, &snap, &want);
	asked = patience.asked;
	ck_assert_uint_gt(asked, 1);
	ck_assert_uint_gt(patience.bytes, snap.node_count * sizeof(*snap.nodes));
	for (unsigned limit = 1; limit <= asked; limit++) {
		patience = (struct patience){ .limit = limit };
		ck_assert_int_eq(lw_policy_cycle(policy, &snap, &plan), -ECANCELED);
		ck_assert_uint_eq(plan.decision_count, 0);
		ck_assert_uint_eq(patience.asked, limit);
	}
	lw_policy_bind(policy, NULL, NULL);
	ck_assert_int_eq(lw_policy_cycle(policy, &snap, &plan), 0);
	lw_plan_print(&plan, &snap, &got);
	ck_assert_str_eq(lw_strbuf_text(&got), lw_strbuf_text(&want));
	lw_strbuf_fini(&got);
	lw_strbuf_fini(&want);
	lw_plan_fini(&plan);
	lw_policy_destroy(policy);
	lw_snapshot_fini(&snap);
}
