/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of planner/model/gate: starts that a plan lets through, one node at a time. */
#include "planner/policies/policy.h"

#include "planner/text/text.h"
#include "unit/unit.h"

#include <stdio.h>

#define HEAD "lw-snapshot 1\nnow 1000\n"

/* Job 21 is planned at 3000, when both licences are free. */
#define LICENCE                                                                                  \
	"node 0-1 n[0-1] cpus=8\nnode 2 licence/tool mem=2\nset 0 all 0-1\n"                     \
	"set 1 licence/tool 2\nneed 1 set=1 nodes=1 mem=2\n"                                     \
	"run 20 start=0 end=3000 on=0:cpus=8 on=2:mem=1\n"                                       \
	"wait 21 set=0 submit=100 limit=600 with=1 nodes=1 cpus=4\n"

/* The second component of job 21 may use node 1 only. */
#define HET                                                                                      \
	"node 0-1 n[0-1] cpus=4\nset 0 first 0\nset 1 second 1\nneed 1 set=1 nodes=1 cpus=4\n"   \
	"run 10 start=0 end=3000 on=0:cpus=4\nrun 11 start=0 end=2000 on=1:cpus=4\n"             \
	"wait 21 set=0 submit=100 limit=600 with=1 nodes=1 cpus=4\n"

/* Jobs under the cap may have two CPUs of the node, and job 20 has one. */
#define CAPPED                                                                                   \
	"node 0 n0 cpus=8 cap:1=2\nset 0 all 0\nrun 20 start=0 end=3000 on=0:cpus=1,cap:1=1\n"   \
	"wait 21 set=0 submit=100 limit=600 nodes=1 cpus=2 cap=1\n"

static const struct {
	const char *what, *snap;
	uint32_t places; /* nodes that are no licences */
	uint32_t node;	 /* of the start */
	struct lw_res held;
	int64_t end_s;
	bool freed; /* something came free on the node since the plan */
	bool harms;
} starts[] = {
	{ "a licence that is promised", LICENCE, 2, 2, { .mem_mib = 1 }, 20000, false, true },
	{ "a licence that is back in time", LICENCE, 2, 2, { .mem_mib = 1 }, 2900, false, false },
	{ "CPUs beside", LICENCE, 2, 0, { .cpus = 4 }, 20000, false, false },
	{ "a licence that came free has its turn", LICENCE, 2, 2, { .mem_mib = 1 }, 2900, true,
	  true },
	{ "the node of a later component", HET, 2, 1, { .cpus = 4 }, 20000, false, true },
	{ "it is back in time", HET, 2, 1, { .cpus = 4 }, 2900, false, false },
	{ "but it came free, and has its turn", HET, 2, 1, { .cpus = 4 }, 2900, true, true },
	{ "a CPU under the cap", CAPPED, 1, 0, { .cpus = 1, .capped = { 1 } }, 20000, false,
	  true },
	{ "a CPU that is not under the cap", CAPPED, 1, 0, { .cpus = 1 }, 20000, false, false },
};

TEST_EACH(what_is_kept_of_a_node, LW_COUNT_OF(starts))
{
	struct lw_gate_start start = { .job_id = 99, .end_s = starts[_i].end_s, .by_turn = true };
	struct lw_policy_params params;
	struct lw_gate gate = { 0 };
	struct lw_policy *policy;
	struct lw_snapshot snap;
	struct lw_plan plan;
	struct lw_error err;
	char text[1000];

	snprintf(text, sizeof(text), HEAD "%s", starts[_i].snap);
	lw_policy_params_default(&params);
	lw_plan_init(&plan);
	ck_assert_msg(!lw_snapshot_parse(&snap, "text", text, &err), "%s", err.text);
	ck_assert_int_eq(lw_policy_create(&params, NULL, &policy), 0);
	ck_assert_int_eq(lw_policy_cycle(policy, &snap, &plan), 0);
	ck_assert_int_eq(lw_policy_gate(policy, starts[_i].places, &gate), 0);
	ck_assert_uint_eq(lw_gate_places(&gate), starts[_i].places);
	if (starts[_i].freed)
		lw_gate_ended(&gate, starts[_i].node);
	ck_assert_msg(lw_gate_harms(&gate, &start, starts[_i].node, &starts[_i].held) ==
			      starts[_i].harms,
		      "%s", starts[_i].what);
	lw_policy_destroy(policy);
	lw_gate_fini(&gate);
	lw_plan_fini(&plan);
	lw_snapshot_fini(&snap);
}

