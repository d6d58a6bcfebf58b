/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of planner/text/text: what lw-snapshot(5) and lw-plan(5) say and refuse. */
#include "planner/text/text.h"

#include "planner/text/text_fields.h"
#include "planner/text/text_names.h"
#include "planner/text/text_policy.h"
#include "unit/manual.h"
#include "unit/unit.h"

#include <errno.h>
#include <string.h>

/* Every kind of line and every field once, as they are printed. */
static const char everything[] =
	"lw-snapshot 1\n"
	"now 1700000000\n"
	"gpu-type 0 a100\n"
	"gpu-type 1 mig%3A1g\n"
	"node 0-3 n[08-11] cpus=8 mem=64000 gpu:a100=4\n"
	"node 4 login cpus=4294967295 mem=4294967295 gpu:a100=65535 gpu:mig%3A1g=1 down\n"
	"node 5 odd%20one weight=0\n"
	"set 0 all 0-5\n"
	"set 1 some%2Cof%20them 1-2,5\n"
	"set 2 none\n"
	"run 7 start=-5 end=1700003600\n"
	"run 4294967295 user=1000 start=0 end=1 on=0-1,4:cpus=2,mem=10,gpu:a100=1 on=3 "
	"on=3:cpus=1\n"
	"wait 8 set=0 submit=1699999999 limit=1 nodes=1\n"
	"wait 9 variant=1 user=1000 set=1 tasks=3 priority=77 state=not-ready submit=0 begin=1 "
	"limit=1000000000000 expect=999 rank=99 promise=-3 nodes=2-4 cpus=1 mem=2 mem-per-cpu=3 "
	"mem-per-gpu=4 gpus=5 "
	"total-cpus=6 total-gpus=7 task-cpus=2 task-gpus=3 gpu-type=mig%3A1g exclusive "
	"gpu:a100=8\n"
	"wait 10 set=2 submit=0 limit=1 nodes=1\n"
	"wait 11 set=2 state=refused submit=0 limit=1 nodes=1\n";

TEST(everything_is_read_and_printed)
{
	struct lw_strbuf out = LW_STRBUF_INIT;
	struct lw_error err = { "" };
	struct lw_snapshot snap;
	const struct lw_waiting *job;

	ck_assert_msg(!lw_snapshot_parse(&snap, "x", everything, &err), "%s", err.text);
	ck_assert_str_eq(snap.nodes[1].name, "n09");
	ck_assert_str_eq(snap.nodes[5].name, "odd one");
	ck_assert(!snap.nodes[4].usable);
	ck_assert_uint_eq(snap.nodes[4].total.gpus[1], 1);
	ck_assert_str_eq(snap.sets[1].name, "some,of them");
	ck_assert_uint_eq(lw_bitset_count(&snap.sets[1].nodes), 3);
	ck_assert_uint_eq(snap.running[1].alloc_count, 5);
	ck_assert_uint_eq(snap.allocs[2].node, 4);
	job = &snap.waiting[1];
	ck_assert_uint_eq(job->variant, 1);
	ck_assert_uint_eq(job->tasks, 3);
	ck_assert_int_eq(job->readiness, LW_NOT_READY);
	ck_assert(job->begin_s == 1 && job->promise_s == -3 && job->expected.mean_s == 999);
	ck_assert_int_eq(job->expected.rank_s, 99);
	ck_assert_uint_eq(job->request.nodes_max, 4);
	ck_assert_int_eq(job->request.gpu_type, 1);
	ck_assert_uint_eq(job->request.gpus_beside[0], 8);
	ck_assert(job->request.exclusive);
	ck_assert(snap.waiting[0].begin_s == LW_NO_TIME);
	ck_assert_int_eq(snap.waiting[0].request.gpu_type, LW_GPU_ANY);
	ck_assert_uint_eq(snap.waiting[0].tasks, 1);
	lw_snapshot_print(&snap, &out);
	ck_assert_str_eq(lw_strbuf_text(&out), everything);
	lw_strbuf_fini(&out);
	lw_snapshot_fini(&snap);
}

/* As an editor of another system writes it. */
TEST(line_ends_may_be_cr_lf)
{
	struct lw_strbuf out = LW_STRBUF_INIT, text = LW_STRBUF_INIT;
	struct lw_error err = { "" };
	struct lw_snapshot snap;

	lw_strbuf_add(&text, "# comment\r\n\r\n");
	for (const char *p = everything; *p; p++)
		lw_strbuf_add(&text, *p == '\n' ? "\r\n" : "%c", *p);
	/* the last line without its end */
	text.text[--text.len] = '\0';
	ck_assert_msg(!lw_snapshot_parse(&snap, "x", lw_strbuf_text(&text), &err), "%s", err.text);
	lw_snapshot_print(&snap, &out);
	ck_assert_str_eq(lw_strbuf_text(&out), everything);
	lw_strbuf_fini(&text);
	lw_strbuf_fini(&out);
	lw_snapshot_fini(&snap);
}

#define HEAD "lw-snapshot 1\nnow 5\n"
#define ONE  HEAD "gpu-type 0 a\nnode 0-1 n[0-1] cpus=4\nset 0 all 0-1\n"
#define WAIT "wait 1 set=0 submit=1 limit=1 nodes=1"

/* A text that is refused, and the message. */
static const struct {
	const char *text, *message;
} refused[] = {
	{ "", "x: the file is empty" },
	{ "\n", "x:1: lw-snapshot: missing" },
	{ "\n# only this\n", "x:2: lw-snapshot: missing" },
	{ "snapshot 1\n", "x:1: lw-snapshot: expected instead of 'snapshot'" },
	{ "lw-snapshot\n", "x:1: lw-snapshot: bad number 'lw-snapshot'" },
	{ "lw-snapshot 2\n", "x:1: lw-snapshot: only version 1 can be read" },
	{ "lw-snapshot 1 2\n", "x:1: line: unexpected '2'" },
	{ "lw-snapshot 1\n", "x:1: now: missing" },
	{ "lw-snapshot 1\nnow 1000000000001\n", "x:2: now: bad number '1000000000001'" },
	{ "lw-snapshot 1\nnow 99999999999999999999999\n",
	  "x:2: now: bad number '99999999999999999999999'" },
	{ "lw-snapshot 1\nnow -\n", "x:2: now: bad number '-'" },
	{ "lw-snapshot 1\nnow +5\n", "x:2: now: bad number '+5'" },
	{ "lw-snapshot 1\nnow 5\r\r\n", "x:2: now: bad number '5?'" },
	{ "lw-snapshot 1\nnow 5\xc3\xa4\x7f\n", "x:2: now: bad number '5?\?\?'" },
	{ HEAD "now 5\n", "x:3: line: unknown kind 'now'" },
	{ HEAD "gpu-type 1 a\n", "x:3: index: not the next one '1'" },
	{ HEAD "gpu-type 0 a\ngpu-type 1 a\n", "x:4: gpu-type: given twice" },
	{ HEAD "gpu-type 0 a b\n", "x:3: line: unexpected 'b'" },
	{ HEAD "node\n", "x:3: index: missing" },
	{ HEAD "node 0\n", "x:3: name: missing" },
	{ HEAD "node 1 n\n", "x:3: index: not the next one '1'" },
	{ HEAD "node 0-4294967295 n[0-4294967295]\n",
	  "x:3: index: not the next one '0-4294967295'" },
	{ HEAD "node 0-1 n\n", "x:3: name: not as many names as indices 'n'" },
	{ HEAD "node 0-1 n[0-2]\n", "x:3: name: not as many names as indices 'n[0-2]'" },
	{ HEAD "node 0-3 n[8-011]\n", "x:3: name: bad name 'n[8-011]'" },
	{ HEAD "node 0-1 n[1-0]\n", "x:3: name: bad name 'n[1-0]'" },
	{ HEAD "node 0-1 n[0-1\n", "x:3: name: bad name 'n[0-1'" },
	{ HEAD "node 0 n%2\n", "x:3: name: bad name 'n%2'" },
	{ HEAD "node 0 n%zz\n", "x:3: name: bad name 'n%zz'" },
	{ HEAD "node 0 n%00x\n", "x:3: name: bad name 'n%00x'" },
	{ HEAD "node 0 n cpus=4 cpus=4\n", "x:3: cpus: given twice" },
	{ HEAD "node 0 n cpus=0\n", "x:3: cpus: bad amount '0'" },
	{ HEAD "node 0 n cpus=4294967296\n", "x:3: cpus: bad amount '4294967296'" },
	{ HEAD "node 0 n cpus\n", "x:3: line: not an amount 'cpus'" },
	{ HEAD "node 0 n gpu:a=1\n", "x:3: gpu: unknown GPU type 'a'" },
	{ HEAD "node 0 n disk=1\n", "x:3: line: unknown amount 'disk'" },
	{ HEAD "node 0 n weight=1\n", "x:3: weight: bad weight '1'" },
	{ HEAD "node 0 n weight=2 weight=3\n", "x:3: weight: bad weight '3'" },
	{ HEAD "node 0 n weight=4294967296\n", "x:3: weight: bad weight '4294967296'" },
	{ HEAD "node 0 n down down\n", "x:3: line: not an amount 'down'" },
	{ HEAD "node 0 n\nnode 1 n\n", "x:4: node: two are called n" },
	{ ONE "node 2 n2\n", "x:6: node n2: nodes must come before domains and sets" },
	{ ONE "set 2 more 0\n", "x:6: index: not the next one '2'" },
	{ ONE "set 1 more 2\n", "x:6: nodes: no such nodes '2'" },
	{ ONE "set 1 more 1,0\n", "x:6: nodes: not in order '0'" },
	{ ONE "set 1 more 0,\n", "x:6: nodes: no such nodes ''" },
	{ ONE "set 1 more 0 1\n", "x:6: line: unexpected '1'" },
	{ HEAD "set 0 more 0\n", "x:3: nodes: no such nodes '0'" },
	{ HEAD "node 0-1 n[0-1]\ndomain 1 a 0\n", "x:4: index: not the next one '1'" },
	{ HEAD "node 0-1 n[0-1]\ndomain 0 a in=0 0\n",
	  "x:4: in: no such domain before it '0'" },
	{ HEAD "node 0-1 n[0-1]\ndomain 0 a 0\ndomain 1 b in=0 0-1\n",
	  "x:5: domain b: node 0 is in a already" },
	{ HEAD "node 0-1 n[0-1]\ndomain 0 a 2\n", "x:4: nodes: no such nodes '2'" },
	{ HEAD "node 0-1 n[0-1]\ndomain 0 a 0 1\n", "x:4: line: unexpected '1'" },
	{ HEAD "node 0 n\nset 0 s 0\ndomain 0 a 0\n",
	  "x:5: domain: must come before sets" },
	{ HEAD "node 0 n\ndomain 0 a 0\nnode 1 m\n",
	  "x:5: node m: nodes must come before domains and sets" },
	{ HEAD "mix weight=1\n", "x:3: gpus: missing" },
	{ HEAD "mix weight=0 gpus=1\n", "x:3: mix: weight 0 is not 1 to 65536" },
	{ HEAD "mix weight=1 gpus=0\n", "x:3: mix: a size without GPUs" },
	{ HEAD "mix weight=1 gpus=1 gpu-type=x\n", "x:3: gpu-type: bad value 'x'" },
	{ HEAD "topology tree\n", "x:3: topology: can only be block 'tree'" },
	{ HEAD "topology block\ntopology block\n",
	  "x:4: topology: must come once, before domains" },
	{ ONE "run x start=0 end=1\n", "x:6: job: bad job id 'x'" },
	{ ONE "run 1 start=0\n", "x:6: end: missing" },
	{ ONE "run 1 start=0 end=1 on=2\n", "x:6: nodes: no such nodes '2'" },
	{ ONE "run 1 start=0 end=1 on=0:\n", "x:6: line: not an amount ''" },
	{ ONE "run 1 start=0 end=1 on=0:gpu:a=65536\n", "x:6: gpu: bad amount '65536'" },
	{ ONE "run 1 start=2 end=1\n", "x:6: end: before its start" },
	{ ONE "run 1 start=0 end=1 on=0:cpus=99\n", "x:6: on: more than there is of the node" },
	{ ONE "run 1 start=0 end=1 limit=3\n", "x:6: line: unknown field 'limit'" },
	{ ONE "wait 1 set=0 submit=1 limit=1\n", "x:6: nodes: missing" },
	{ ONE WAIT " nodes=2\n", "x:6: nodes: given twice" },
	{ ONE WAIT " exclusive=1\n", "x:6: exclusive: takes no value" },
	{ ONE WAIT " cpus\n", "x:6: cpus: needs a value" },
	{ ONE WAIT " gpus=65536\n", "x:6: gpus: bad value '65536'" },
	{ HEAD "node 0 n linked=0\n", "x:3: line: unknown amount 'linked'" },
	{ HEAD "node 0 n gpu-parts=0\n", "x:3: line: unknown amount 'gpu-parts'" },
	{ HEAD "node 0 n gpu-parts=2 gpu-parts=2\n", "x:3: line: unknown amount 'gpu-parts'" },
	{ HEAD "node 0 n parts=4294967296\n", "x:3: parts: bad amount '4294967296'" },
	{ HEAD "node 0 n parts=1 parts=1\n", "x:3: parts: given twice" },
	{ ONE WAIT " parts=4294967296\n", "x:6: parts: bad value '4294967296'" },
	{ ONE WAIT " stays=256\n", "x:6: stays: bad value '256'" },
	{ ONE WAIT " stays=10,11\n", "x:6: stays: bad value '10,11'" },
	{ ONE WAIT " stays=10,0\n", "x:6: stays: bad value '10,0'" },
	{ ONE WAIT " stays=9,8,7,6,5,4,3,2,1\n", "x:6: stays: bad value '9,8,7,6,5,4,3,2,1'" },
	{ ONE WAIT " state=held\n", "x:6: state: bad value 'held'" },
	{ ONE WAIT " gpu-type=b\n", "x:6: gpu-type: bad value 'b'" },
	{ ONE WAIT " tasks=0\n", "x:6: waiting 1: tasks: 0 is below 1" },
	{ ONE WAIT " tasks=4000002 cpus=1\n", "x:6: tasks: more than 4000001" },
	{ ONE WAIT " tasks=4097\n", "x:6: tasks: more than 4096 that ask for nothing" },
	{ ONE WAIT " expect=2\n", "x:6: waiting 1: expect: 2 is above 1" },
	{ ONE WAIT " rank=2\n", "x:6: waiting 1: rank: 2 is above 1" },
	{ ONE WAIT " rank=-1\n", "x:6: waiting 1: rank: -1 is below 0" },
	{ ONE "wait 1 set=1 submit=1 limit=1 nodes=1\n", "x:6: waiting 1: set: 1 is above 0" },
	{ ONE "wait 1 set=0 submit=1 limit=0 nodes=1\n",
	  "x:6: waiting 1: limit: 0 is below 1" },
	{ ONE "wait 1 set=0 submit=1 limit=1 nodes=3-2\n", "x:6: nodes: bad value '3-2'" },
	{ HEAD "policy\n", "x:3: policy: missing" },
	{ HEAD "policy best\n", "x:3: policy: unknown kind 'best'" },
	{ HEAD "policy relaxed relax=2.000000001\n",
	  "x:3: relax: not a share 0 to 2 '2.000000001'" },
	{ HEAD "policy relaxed relax=.5\n", "x:3: relax: not a share 0 to 2 '.5'" },
	{ HEAD "policy relaxed cap=-1\n", "x:3: cap: bad value '-1'" },
	{ HEAD "policy easy gang-wait=-1\n", "x:3: gang-wait: bad value '-1'" },
	{ HEAD "policy leeway no-hold=1\n", "x:3: policy: unknown field 'no-hold=1'" },
	{ HEAD "policy leeway price\n", "x:3: policy: unknown field 'price'" },
	{ HEAD "policy easy order=lifo\n", "x:3: order: unknown value 'lifo'" },
	{ HEAD "policy easy backfill=\n", "x:3: backfill: unknown value ''" },
	{ HEAD "policy easy\npolicy easy\n", "x:4: policy: given twice" },
};

TEST_EACH(faults_are_named_with_their_place, LW_COUNT_OF(refused))
{
	struct lw_error err = { "" };
	struct lw_snapshot snap;

	ck_assert_int_eq(lw_snapshot_parse(&snap, "x", refused[_i].text, &err), -EINVAL);
	ck_assert_str_eq(err.text, refused[_i].message);
	ck_assert_uint_eq(snap.node_count, 0);
	ck_assert_ptr_null(snap.nodes);
	/* and nobody needs to listen */
	ck_assert_int_eq(lw_snapshot_parse(&snap, "x", refused[_i].text, NULL), -EINVAL);
}

static const struct {
	const char *text;
	double relax;
	int64_t cap_s;
	const char *printed;
} policies[] = {
	{ "policy relaxed relax=0.1 cap=60", 0.1, 60, "policy relaxed relax=0.1 cap=60\n" },
	{ "policy relaxed relax=2 cap=0", 2, 0, "policy relaxed relax=2 cap=0\n" },
	{ "policy relaxed relax=1.50 cap=1", 1.5, 1, "policy relaxed relax=1.5 cap=1\n" },
	{ "policy relaxed relax=0.000000001 cap=1", 1e-9, 1,
	  "policy relaxed relax=0.000000001 cap=1\n" },
	{ "policy relaxed relax=0 cap=1", 0, 1, "policy relaxed relax=0 cap=1\n" },
};

TEST_EACH(policy_line_is_exact, LW_COUNT_OF(policies))
{
	struct lw_strbuf out = LW_STRBUF_INIT;
	struct lw_policy_params params;
	struct lw_error err = { "" };

	lw_policy_params_default(&params);
	ck_assert_int_eq(lw_policy_params_parse("x", policies[_i].text, &err, &params), 0);
	ck_assert_int_eq(params.kind, LW_POLICY_RELAXED);
	/* the same double that the compiler makes of the same decimals */
	ck_assert(params.relax == policies[_i].relax);
	ck_assert(params.relax_cap_s == policies[_i].cap_s);
	lw_policy_params_print(&params, &out);
	ck_assert_str_eq(lw_strbuf_text(&out), policies[_i].printed);
	lw_strbuf_fini(&out);
}

/* Every field of every policy, as it is printed. */
static const char *const spelled_out[] = {
	"policy fcfs order=f1\n",
	"policy easy backfill=shortest\n",
	"policy easy gang-wait=300\n",
	"policy easy chain-share=0.5 chain-total=0.75 chain-min=0\n",
	"policy relaxed relax=0.02 cap=60 order=wfp3 backfill=shortest\n",
	"policy adaptive relax=0.1 cap=86400\n",
	"policy leeway slack=0.25 slack-cap=90 backlog=0.5 ageing=1 width=0 yield=0.5 "
	"price=0.125 risk=2 risk-cap=5 no-scout no-hold order=sjf\n",
	"policy conservative order=unicep\n",
};

TEST_EACH(policy_line_survives, LW_COUNT_OF(spelled_out))
{
	struct lw_strbuf out = LW_STRBUF_INIT;
	struct lw_policy_params params;
	struct lw_error err = { "" };

	lw_policy_params_default(&params);
	ck_assert_int_eq(lw_policy_params_parse("x", spelled_out[_i], &err, &params), 0);
	lw_policy_params_print(&params, &out);
	ck_assert_str_eq(lw_strbuf_text(&out), spelled_out[_i]);
	lw_strbuf_fini(&out);
}

TEST(no_policy_line_changes_nothing)
{
	struct lw_policy_params params = { .kind = LW_POLICY_FCFS, .relax = 1.25 };
	struct lw_error err = { "" };

	ck_assert_int_eq(lw_policy_params_parse("x", ONE, &err, &params), 0);
	ck_assert_int_eq(params.kind, LW_POLICY_FCFS);
	ck_assert_int_eq(lw_policy_params_parse("x", "policy easy relax=9", &err, &params),
			 -EINVAL);
	ck_assert_int_eq(params.kind, LW_POLICY_FCFS);
	ck_assert(params.relax == 1.25);
}

/* Names in order of a plan, and how they are folded. */
static const struct {
	const char *names[6];
	const char *folded;
} names[] = {
	{ { "n1" }, "n1" },
	{ { "n1", "n2", "n3" }, "n[1-3]" },
	{ { "n8", "n9", "n10" }, "n[8-10]" },
	{ { "n08", "n09", "n10" }, "n[08-10]" },
	{ { "n1", "n3", "n4", "m5" }, "n[1,3-4],m5" },
	{ { "n9", "n010" }, "n[9,010]" },
	{ { "login", "n1", "gpu-a", "gpu-b" }, "login,n1,gpu-a,gpu-b" },
	{ { "r1n1", "r1n2", "r2n1", "r2n2" }, "r1n[1-2],r2n[1-2]" },
	{ { "1", "2" }, "[1-2]" },
	{ { "n999999999", "n1000000000" }, "n999999999,n1000000000" },
	{ { "a b", "a,c", "a%", "", "[1]" }, "a%20b,a%2Cc,a%25,%00,%5B1%5D" },
};

/* GPUs that a start makes useless, and how they read. */
static const struct {
	int64_t useless;
	bool weighed;
	const char *text;
} places[] = {
	{ 0, false, "" },
	{ 12345678, false, "" },
	{ 0, true, " useless=+0.00" },
	{ LW_MIX_ONE / 2, true, " useless=+0.50" },
	{ -(int64_t)LW_MIX_ONE / 2, true, " useless=-0.50" },
	{ 1, true, " useless=+0.00" },
	{ -1, true, " useless=+0.00" },
	{ LW_MIX_ONE / 200 + 1, true, " useless=+0.01" },
	{ -(int64_t)(LW_MIX_ONE / 200 + 1), true, " useless=-0.01" },
	{ (int64_t)LW_MIX_ONE * 64 * 10000, true, " useless=+640000.00" },
};

TEST_EACH(plan_weighs_places, LW_COUNT_OF(places))
{
	struct lw_decision decision = { .useless = places[_i].useless,
					.weighed = places[_i].weighed };
	struct lw_strbuf out = LW_STRBUF_INIT;
	struct lw_snapshot snap;
	struct lw_plan plan;

	lw_snapshot_init(&snap, 5);
	lw_plan_init(&plan);
	lw_decision_print_place(&plan, &decision, &snap, &out);
	ck_assert_str_eq(lw_strbuf_text(&out), places[_i].text);
	lw_strbuf_fini(&out);
	lw_plan_fini(&plan);
	lw_snapshot_fini(&snap);
}

TEST_EACH(plan_folds_names, LW_COUNT_OF(names))
{
	struct lw_decision decision = {
		.job_id = 3, .start_s = 5, .promise_s = LW_NO_TIME, .latest_s = LW_NO_TIME
	};
	struct lw_strbuf out = LW_STRBUF_INIT, expected = LW_STRBUF_INIT;
	struct lw_waiting job = { .job_id = 3,
				  .tasks = 1,
				  .limit_s = 1,
				  .request = { .nodes_min = 1, .nodes_max = 1 } };
	struct lw_alloc allocs[6] = { { .node = 0 } };
	struct lw_res none = { 0 };
	struct lw_snapshot snap;
	struct lw_bitset nodes;
	struct lw_plan plan;
	uint32_t count = 0;

	lw_snapshot_init(&snap, 5);
	lw_plan_init(&plan);
	for (; count < 6 && names[_i].names[count]; count++) {
		ck_assert_int_eq(
			lw_snapshot_add_node(&snap, names[_i].names[count], &none, true, NULL),
			0);
		allocs[count].node = count;
	}
	ck_assert_int_eq(lw_bitset_init(&nodes, count), 0);
	ck_assert_int_eq(lw_snapshot_add_set(&snap, "s", &nodes, NULL), 0);
	job.request.gpu_type = LW_GPU_ANY;
	ck_assert_int_eq(lw_snapshot_add_waiting(&snap, &job, NULL), 0);
	ck_assert_int_eq(lw_plan_add(&plan, &decision, allocs, count), 0);
	lw_plan_print(&plan, &snap, &out);
	lw_strbuf_add(&expected,
		      "lw-plan 1\nnow 5\ntotal decisions=1 starts=1 backfilled=0 reserved=0\n"
		      "start 3 in-order at=5(+0) on=%s\n",
		      names[_i].folded);
	ck_assert_str_eq(lw_strbuf_text(&out), lw_strbuf_text(&expected));
	lw_strbuf_fini(&out);
	lw_strbuf_fini(&expected);
	lw_bitset_fini(&nodes);
	lw_plan_fini(&plan);
	lw_snapshot_fini(&snap);
}

TEST_RANGE(any_name_survives, 1, 256)
{
	char name[4] = { (char)_i, 'x', (char)_i, '\0' }, back[LW_TEXT_NAME_MAX];
	struct lw_strbuf out = LW_STRBUF_INIT;
	struct lw_text_word word;

	lw_text_add_name(&out, name);
	word = (struct lw_text_word){ lw_strbuf_text(&out), out.len };
	/* nothing in it that a terminal, a blank or a list could trip over */
	for (size_t i = 0; i < out.len; i++)
		ck_assert(out.text[i] > ' ' && out.text[i] < 0x7f &&
			  !strchr(",:=[]#", out.text[i]));
	ck_assert(lw_text_get_name(&word, back));
	ck_assert_str_eq(back, name);
	lw_strbuf_fini(&out);
}

TEST(overlong_name_is_refused)
{
	struct lw_strbuf text = LW_STRBUF_INIT;
	struct lw_error err = { "" };
	struct lw_snapshot snap;

	lw_strbuf_add(&text, HEAD "node 0 ");
	for (int i = 0; i < LW_TEXT_NAME_MAX; i++)
		lw_strbuf_add(&text, "n");
	ck_assert_int_eq(lw_snapshot_parse(&snap, "x", lw_strbuf_text(&text), &err), -EINVAL);
	ck_assert_ptr_nonnull(strstr(err.text, "x:3: name: bad name 'nnn"));
	ck_assert_uint_lt(strlen(err.text), 120);
	lw_strbuf_fini(&text);
}

/* What a line of a waiting job may say stands in the manual page. */
TEST_EACH(manual_page_knows_every_field, lw_text_waiting.count)
{
	const struct lw_text_field *field = &lw_text_waiting.fields[_i];
	char *text = manual_read("lw-snapshot.5"), key[80], entry[120];

	manual_escape(field->key, key, sizeof(key));
	if (field->kind == LW_TEXT_FLAG)
		snprintf(entry, sizeof(entry), "\n.B %s\n", key);
	else if (field->kind == LW_TEXT_GPUS || field->kind == LW_TEXT_TIMES)
		snprintf(entry, sizeof(entry), "\n.BI %s TYPE = ", key);
	else
		snprintf(entry, sizeof(entry), "\n.BI %s= ", key);
	ck_assert_msg(strstr(text, entry) != NULL, "lw-snapshot.5 lacks %s", field->key);
	free(text);
}

/* So does what the line "policy" may say. */
static const struct {
	const char *word;
	bool flag;
} numbers[] = {
#define LW_INNER_SHARE(member, word, usual, counts, shown)  { word, false },
#define LW_INNER_TIME(member, word, usual, counts, shown)   { word, false },
#define LW_INNER_FLAG(member, word, usual, counts)          { word, true },
#define LW_INNER_ENUM(member, word, names, counts, choices) { word, false },
#include "planner/model/params.def"
};

TEST_EACH(manual_page_knows_every_number, LW_COUNT_OF(numbers))
{
	char *text = manual_read("lw-snapshot.5"), key[80], entry[120];

	manual_escape(numbers[_i].word, key, sizeof(key));
	snprintf(entry, sizeof(entry), numbers[_i].flag ? "\n.B %s\n" : "\n.BI %s= ", key);
	ck_assert_msg(strstr(text, entry) != NULL, "lw-snapshot.5 lacks %s", numbers[_i].word);
	free(text);
}
