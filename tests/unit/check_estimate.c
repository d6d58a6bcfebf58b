/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of planner/policies/estimate: what is said of jobs that a plan leaves. */
#include "planner/policies/policy.h"

#include "base/strbuf.h"
#include "planner/text/text.h"
#include "unit/unit.h"

#include <stdio.h>
#include <string.h>

#define HEAD "lw-snapshot 1\nnow 1000\n"

/* "JOB@START ..." of the start-time estimate, behind the plan that the policy makes. */
static const struct {
	const char *what, *policy, *snap, *wanted;
} estimates[] = {
	{ "nobody waits", "easy", "node 0 n0 cpus=4\nset 0 all 0\n", "" },
	{ "the reserved one is in the plan, the others come behind it", "easy",
	  "node 0 n0 cpus=4\nset 0 all 0\n"
	  "run 10 start=0 end=1100 on=0:cpus=4\n"
	  "wait 20 set=0 submit=0 limit=50 nodes=1 cpus=4\n"
	  "wait 21 set=0 submit=0 limit=30 nodes=1 cpus=4\n"
	  "wait 22 set=0 submit=0 limit=200 nodes=1 cpus=2\n"
	  "wait 23 set=0 submit=0 limit=10 nodes=1 cpus=2\n",
	  "21@1150 22@1180 23@1180" },
	{ "so they do under leeway", "leeway",
	  "node 0 n0 cpus=4\nset 0 all 0\n"
	  "run 10 start=0 end=1100 on=0:cpus=4\n"
	  "wait 20 set=0 submit=0 limit=50 nodes=1 cpus=4\n"
	  "wait 21 set=0 submit=0 limit=30 nodes=1 cpus=4\n",
	  "21@1150" },
	{ "who starts now holds his room", "easy",
	  "node 0 n0 cpus=4\nset 0 all 0\n"
	  "wait 20 set=0 submit=0 limit=70 nodes=1 cpus=4\n"
	  "wait 21 set=0 submit=0 limit=50 nodes=1 cpus=4\n"
	  "wait 22 set=0 submit=0 limit=30 nodes=1 cpus=4\n",
	  "22@1120" },
	{ "who fits now and has to wait in order is left out, and holds his room", "fcfs",
	  "node 0-1 n[0-1] cpus=4\nset 0 all 0-1\n"
	  "run 10 start=0 end=1100 on=0:cpus=4\n"
	  "wait 20 set=0 submit=0 limit=50 nodes=2 cpus=4\n"
	  "wait 21 set=0 submit=0 limit=50 nodes=2 cpus=4\n"
	  "wait 22 set=0 submit=0 limit=100 nodes=1 cpus=4\n"
	  "wait 23 set=0 submit=0 limit=101 nodes=1 cpus=4\n",
	  "20@1100 21@1150 23@1200" },
	{ "who may not start is left out, and so is who never can", "easy",
	  "node 0 n0 cpus=4\nset 0 all 0\n"
	  "run 10 start=0 end=1100 on=0:cpus=4\n"
	  "wait 20 set=0 submit=0 limit=50 nodes=1 cpus=4\n"
	  "wait 21 set=0 submit=0 limit=30 state=not-ready nodes=1 cpus=4\n"
	  "wait 22 set=0 submit=0 limit=30 nodes=1 cpus=5\n"
	  "wait 23 set=0 submit=0 limit=30 now-only nodes=1 cpus=4\n"
	  "wait 24 set=0 submit=0 limit=30 nodes=1 cpus=4\n",
	  "24@1150" },
	{ "conservative says it all itself", "conservative",
	  "node 0 n0 cpus=4\nset 0 all 0\n"
	  "run 10 start=0 end=1100 on=0:cpus=4\n"
	  "wait 20 set=0 submit=0 limit=50 nodes=1 cpus=4\n"
	  "wait 21 set=0 submit=0 limit=30 nodes=1 cpus=4\n",
	  "" },
};

/* Machines on which nobody will ever start. */
static const char *const empty_machines[] = {
	"",
	"set 0 all\n",
	"set 0 all\nwait 20 set=0 submit=0 limit=50 nodes=1\n"
	"wait 21 set=0 submit=0 limit=50 nodes=2 cpus=4\n"
	"wait 22 set=0 submit=0 limit=50 nodes=1-4 total-cpus=8\n",
	"node 0 n0\nset 0 none\nwait 20 set=0 submit=0 limit=50 nodes=1\n"
	"wait 21 set=0 submit=0 limit=50 nodes=1 cpus=1\n",
	"node 0 n0 cpus=4 down\nset 0 all 0\nwait 20 set=0 submit=0 limit=50 nodes=1\n",
};

static void print(const struct lw_plan *plan, char *text, size_t size)
{
	size_t at = 0;

	text[0] = '\0';
	for (uint32_t i = 0; i < plan->decision_count && at < size; i++) {
		const struct lw_decision *decision = &plan->decisions[i];

		ck_assert_int_eq(decision->verdict, LW_RESERVE);
		ck_assert_uint_gt(decision->alloc_count, 0);
		at += (size_t)snprintf(text + at, size - at, "%s%u@%lld", i ? " " : "",
				       decision->job_id, (long long)decision->start_s);
	}
}

/* A policy, its plan of a snapshot, and the estimate behind that. */
struct made {
	struct lw_snapshot snap;
	struct lw_policy *policy;
	struct lw_plan plan, estimate;
};

static void look(struct made *made)
{
	ck_assert_int_eq(lw_policy_cycle(made->policy, &made->snap, &made->plan), 0);
	ck_assert_int_eq(lw_policy_estimate(made->policy, &made->estimate), 0);
}

static void make(struct made *made, const char *text, int kind)
{
	struct lw_policy_params params;
	struct lw_error err;

	lw_policy_params_default(&params);
	if (kind >= 0)
		params.kind = (enum lw_policy_kind)kind;
	lw_plan_init(&made->plan);
	lw_plan_init(&made->estimate);
	ck_assert_msg(!lw_snapshot_parse(&made->snap, "text", text, &err), "%s", err.text);
	ck_assert_int_eq(lw_policy_create(&params, NULL, &made->policy), 0);
	look(made);
}

static void unmake(struct made *made)
{
	lw_policy_destroy(made->policy);
	lw_plan_fini(&made->estimate);
	lw_plan_fini(&made->plan);
	lw_snapshot_fini(&made->snap);
}

TEST_EACH(behind_the_plan_by_hard_limits, LW_COUNT_OF(estimates))
{
	char text[1000], found[200];
	struct made made;

	snprintf(text, sizeof(text), HEAD "%s", estimates[_i].snap);
	make(&made, text, lw_policy_kind_parse(estimates[_i].policy));
	/* twice: nothing of the first look is left in the second */
	for (int k = 0; k < 2; k++) {
		print(&made.estimate, found, sizeof(found));
		ck_assert_msg(!strcmp(found, estimates[_i].wanted), "%s: '%s', not '%s'",
			      estimates[_i].what, found, estimates[_i].wanted);
		look(&made);
	}
	unmake(&made);
}

/* A cluster may be made before its nodes: no policy stumbles, and none tells a start. */
TEST_EACH(nothing_is_said_of_empty_machines, LW_POLICY_COUNT * (int)LW_COUNT_OF(empty_machines))
{
	unsigned machines = sizeof(empty_machines) / sizeof(*empty_machines);
	struct made made;
	char text[1000];

	snprintf(text, sizeof(text), HEAD "%s", empty_machines[(unsigned)_i % machines]);
	make(&made, text, (int)((unsigned)_i / machines));
	ck_assert_uint_eq(made.plan.started + made.plan.reserved + made.estimate.decision_count,
			  0);
	unmake(&made);
}

/* More that start or may not start than it looks at: those behind them are not lost. */
TEST_EACH(only_who_is_looked_for_counts, 2)
{
	const char *state = _i ? "state=not-ready " : "";
	struct lw_strbuf text = LW_STRBUF_INIT;
	struct made made;
	char found[200];

	lw_strbuf_add(&text, HEAD "node 0-99 n[0-99] cpus=15\nset 0 all 0-99\n");
	for (int job = 0; job < 1500; job++)
		lw_strbuf_add(&text, "wait %d set=0 submit=0 limit=50 %snodes=1 cpus=1\n",
			      100 + job, state);
	lw_strbuf_add(&text, "wait 20 set=0 submit=0 limit=50 nodes=100 cpus=15\n"
			     "wait 21 set=0 submit=0 limit=50 nodes=100 cpus=15\n"
			     "wait 22 set=0 submit=0 limit=50 nodes=100 cpus=15\n");
	make(&made, lw_strbuf_text(&text), -1);
	print(&made.estimate, found, sizeof(found));
	/* where they may not start, job 20 does */
	ck_assert_str_eq(found, _i ? "22@1100" : "21@1100 22@1150");
	unmake(&made);
	lw_strbuf_fini(&text);
}

/* Each of them makes moments on all nodes: to look for all would take as long as many plans. */
TEST(wide_jobs_are_estimated_for_fewer)
{
	struct lw_strbuf text = LW_STRBUF_INIT;
	struct made made;

	lw_strbuf_add(&text, HEAD "node 0-255 n[0-255] cpus=15\nset 0 all 0-255\n"
				  "run 10 start=0 end=2000 on=0:cpus=1\n");
	for (int job = 0; job < 300; job++)
		lw_strbuf_add(&text, "wait %d set=0 submit=0 limit=50 nodes=256 cpus=1%d\n",
			      100 + job, job % 2);
	make(&made, lw_strbuf_text(&text), LW_POLICY_EASY);
	ck_assert_uint_gt(made.estimate.decision_count, 50);
	ck_assert_uint_lt(made.estimate.decision_count, 100);
	unmake(&made);
	lw_strbuf_fini(&text);
}
