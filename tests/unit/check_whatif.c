/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of planner/policies/whatif: what would let a waiting job start now. */
#include "planner/policies/whatif.h"

#include "base/strbuf.h"
#include "planner/text/text.h"
#include "unit/unit.h"

#include <stdio.h>
#include <string.h>

#define HEAD "lw-snapshot 1\nnow 1000\n"
#define TWO  "node 0-1 n[0-1] cpus=4\nset 0 all 0-1\n"
/* One node is taken for an hour, and the first in the queue wants both. */
#define HELD                                                                                     \
	TWO "run 10 start=0 end=4600 on=0:cpus=4\nwait 20 set=0 submit=0 limit=50 nodes=2 cpus=4\n"

/* The hints for job 30, as letter and value. */
static const struct {
	const char *what, *policy, *snap, *wanted;
} questions[] = {
	{ "a limit that ends before the promised start, if made in five minutes, too", "easy",
	  HELD "wait 30 set=0 submit=0 limit=36000 nodes=1 cpus=4\n", "t2700" },
	{ "the longest of them", "easy",
	  TWO "run 10 start=0 end=8300 on=0:cpus=4\n"
	      "wait 20 set=0 submit=0 limit=50 nodes=2 cpus=4\n"
	      "wait 30 set=0 submit=0 limit=36000 nodes=1 cpus=4\n",
	  "t5400" },
	{ "none is short enough, and less of all else neither", "easy",
	  TWO "run 10 start=0 end=1100 on=0:cpus=4\n"
	      "wait 20 set=0 submit=0 limit=50 nodes=2 cpus=4\n"
	      "wait 30 set=0 submit=0 limit=36000 nodes=1 cpus=4\n",
	  "" },
	{ "none with which it would end after its deadline", "easy",
	  TWO "run 10 start=0 end=8300 on=0:cpus=4\n"
	      "wait 20 set=0 submit=0 limit=50 nodes=2 cpus=4\n"
	      "wait 30 set=0 submit=0 limit=36000 finish-by=5000 nodes=1 cpus=4\n",
	  "t3600" },
	{ "fewer nodes", "easy",
	  TWO "run 10 start=0 end=4600 on=0:cpus=4\n"
	      "wait 30 set=0 submit=0 limit=36000 nodes=2 cpus=4\n",
	  "n1" },
	{ "but not fewer than its partition wants", "easy",
	  TWO "run 10 start=0 end=4600 on=0:cpus=4\n"
	      "wait 30 set=0 submit=0 limit=36000 least-nodes=2 nodes=2 cpus=4\n",
	  "" },
	{ "nor with fewer CPUs in all than its QOS wants", "easy",
	  TWO "run 10 start=0 end=4600 on=0:cpus=4\n"
	      "wait 30 set=0 submit=0 limit=36000 least-cpus=5 nodes=2 cpus=4\n",
	  "" },
	{ "fewer CPUs, as its QOS wants", "easy",
	  "node 0 n0 cpus=8\nset 0 all 0\nrun 10 start=0 end=4600 on=0:cpus=4\n"
	  "wait 30 set=0 submit=0 limit=36000 least-cpus=4 nodes=1 cpus=8\n",
	  "c4" },
	{ "not fewer GPUs than its QOS wants", "easy",
	  "gpu-type 0 a100\nnode 0 n0 cpus=8 gpu:a100=4\nset 0 all 0\n"
	  "run 10 start=0 end=4600 on=0:cpus=1,gpu:a100=2\n"
	  "wait 30 set=0 submit=0 limit=36000 least-gpus=3 nodes=1 cpus=1 gpus=4\n",
	  "" },
	{ "fewer CPUs", "easy",
	  "node 0 n0 cpus=8\nset 0 all 0\nrun 10 start=0 end=4600 on=0:cpus=4\n"
	  "wait 30 set=0 submit=0 limit=36000 nodes=1 cpus=8\n",
	  "c4" },
	{ "fewer GPUs", "easy",
	  "gpu-type 0 a100\nnode 0 n0 cpus=8 gpu:a100=4\nset 0 all 0\n"
	  "run 10 start=0 end=4600 on=0:cpus=1,gpu:a100=2\n"
	  "wait 30 set=0 submit=0 limit=36000 nodes=1 cpus=1 gpus=4\n",
	  "g2" },
	{ "another type of GPU", "easy",
	  "gpu-type 0 a100\ngpu-type 1 h100\nnode 0 n0 cpus=8 gpu:a100=1\n"
	  "node 1 n1 cpus=8 gpu:h100=1\nset 0 all 0-1\n"
	  "run 10 start=0 end=4600 on=1:cpus=1,gpu:h100=1\n"
	  "wait 30 set=0 submit=0 limit=36000 nodes=1 cpus=1 gpus=1 gpu-type=h100\n",
	  "y1" },
	{ "the same, where its QOS wants GPUs of a type", "easy",
	  "gpu-type 0 a100\ngpu-type 1 h100\nnode 0 n0 cpus=8 gpu:a100=1\n"
	  "node 1 n1 cpus=8 gpu:h100=1\nset 0 all 0-1\n"
	  "run 10 start=0 end=4600 on=1:cpus=1,gpu:h100=1\n"
	  "wait 30 set=0 submit=0 limit=36000 typed nodes=1 cpus=1 gpus=1 gpu-type=h100\n",
	  "" },
	{ "not with less memory in all than its QOS wants", "easy",
	  "node 0-1 n[0-1] cpus=4 mem=1000\nset 0 all 0-1\n"
	  "run 10 start=0 end=4600 on=0:cpus=4\n"
	  "wait 30 set=0 submit=0 limit=36000 least-mem=1500 nodes=2 cpus=4 mem=900\n",
	  "" },
	{ "with as much as that", "easy",
	  "node 0-1 n[0-1] cpus=4 mem=1000\nset 0 all 0-1\n"
	  "run 10 start=0 end=4600 on=0:cpus=4\n"
	  "wait 30 set=0 submit=0 limit=36000 least-mem=900 nodes=2 cpus=4 mem=900\n",
	  "n1" },
	{ "a node that it shares", "easy",
	  "node 0 n0 cpus=8\nset 0 all 0\nrun 10 start=0 end=4600 on=0:cpus=1\n"
	  "wait 30 set=0 submit=0 limit=36000 nodes=1 cpus=1 exclusive\n",
	  "x1" },
	{ "there is no room whatever it asks for", "easy",
	  "node 0 n0 cpus=4\nset 0 all 0\nrun 10 start=0 end=4600 on=0:cpus=4\n"
	  "wait 30 set=0 submit=0 limit=36000 nodes=1 cpus=4\n",
	  "" },
	{ "another partition, the first that has room", "easy",
	  TWO "set 1 one 0\nset 2 two 1\nrun 10 start=0 end=4600 on=0:cpus=4\n"
	      "wait 30 set=1 submit=0 limit=36000 nodes=1 cpus=4 tier=1\n",
	  "q2" },
	{ "none where it would delay a promised start", "easy",
	  HELD "set 1 one 0\nset 2 two 1\n"
	       "wait 30 set=1 submit=0 limit=36000 nodes=1 cpus=4 tier=1\n",
	  "" },
	{ "but by the limit of that partition", "easy",
	  HELD "set 1 one 0\nset 2 two 1\n"
	       "wait 30 set=1 submit=0 limit=36000 nodes=1 cpus=4 tier=1\n",
	  "q2" },
	{ "nor where others of a higher tier go first", "easy",
	  TWO "set 1 one 0\nset 2 two 1\nrun 10 start=0 end=4600 on=0:cpus=4\n"
	      "wait 30 set=1 submit=0 limit=36000 nodes=1 cpus=4 tier=1\n"
	      "wait 40 set=2 submit=0 limit=36000 nodes=1 cpus=4 tier=1\n",
	  "" },
	{ "not on what another takes at once, which would wait for it", "easy",
	  "node 0-2 n[0-2] cpus=4\nset 0 head 0,2\nset 1 left 0-1\nset 2 one 1\n"
	  "run 10 start=0 end=4600 on=2:cpus=4\n"
	  "wait 20 set=0 submit=0 limit=50 nodes=2 cpus=4\n"
	  "wait 30 set=1 submit=0 limit=36000 nodes=2 cpus=4\n"
	  "wait 40 set=2 submit=0 limit=600 nodes=1 cpus=4\n",
	  "" },
	{ "under leeway, by its own promise", "leeway",
	  HELD "wait 30 set=0 submit=0 limit=360000 nodes=1 cpus=4\n", "t3600" },
};

/* Where else job 30 may start: two partitions, of sets 1 and 2. */
static const struct {
	const char *what;
	int64_t limit_s; /* of both */
	uint16_t tier;
} elsewhere[] = {
	{ "another partition, the first that has room", 36000, 1 },
	{ "none where it would delay a promised start", 36000, 1 },
	{ "but by the limit of that partition", 600, 1 },
	{ "nor where others of a higher tier go first", 36000, 0 },
};

static const char letters[] = "?tngcxyq";

static const struct lw_decision *decision_of(const struct lw_plan *plan, uint32_t job_id)
{
	for (uint32_t i = 0; i < plan->decision_count; i++)
		if (plan->decisions[i].job_id == job_id)
			return &plan->decisions[i];
	return NULL;
}

static void offer_parts(struct lw_whatif *whatif, const struct lw_waiting *job, const char *what)
{
	static struct lw_whatif_part parts[2];

	for (size_t i = 0; i < LW_COUNT_OF(elsewhere); i++) {
		if (strcmp(elsewhere[i].what, what) != 0)
			continue;
		for (uint32_t k = 0; k < 2; k++) {
			parts[k] = (struct lw_whatif_part){ k + 1, *job };
			parts[k].job.set = k + 1;
			parts[k].job.limit_s = elsewhere[i].limit_s;
			parts[k].job.constraints.tier = elsewhere[i].tier;
		}
		whatif->parts = parts;
		whatif->part_count = 2;
	}
}

TEST_EACH(what_would_start_it_is_found, LW_COUNT_OF(questions))
{
	struct lw_strbuf text = LW_STRBUF_INIT, before = LW_STRBUF_INIT, after = LW_STRBUF_INIT;
	struct lw_strbuf found = LW_STRBUF_INIT;
	struct lw_hint hints[LW_WHY_HINTS] = { 0 };
	struct lw_policy_params params;
	struct lw_whatif whatif = { 0 };
	struct lw_policy *policy;
	struct lw_snapshot snap;
	struct lw_plan plan, again;
	struct lw_error err;
	uint32_t plans;

	lw_strbuf_add(&text, HEAD "%s", questions[_i].snap);
	ck_assert_msg(!lw_snapshot_parse(&snap, "text", lw_strbuf_text(&text), &err), "%s: %s",
		      questions[_i].what, err.text);
	lw_policy_params_default(&params);
	params.kind = (enum lw_policy_kind)lw_policy_kind_parse(questions[_i].policy);
	ck_assert_int_eq(lw_policy_create(&params, NULL, &policy), 0);
	lw_plan_init(&plan);
	lw_plan_init(&again);
	ck_assert_int_eq(lw_policy_cycle(policy, &snap, &plan), 0);
	lw_plan_print(&plan, &snap, &before);
	ck_assert_int_eq(lw_whatif_begin(&whatif, &snap, &plan), 0);
	offer_parts(&whatif, &snap.waiting[decision_of(&plan, 30)->waiting],
		    questions[_i].what);
	ck_assert_int_eq(
		lw_whatif_find(&whatif, policy, &snap, decision_of(&plan, 30), hints, &plans), 0);
	for (int i = 0; i < LW_WHY_HINTS && hints[i].kind; i++) {
		lw_strbuf_add(&found, "%s%c%u", i ? " " : "", letters[hints[i].kind],
			      hints[i].value);
		ck_assert_uint_gt(lw_bitset_count(&whatif.where[i]), 0);
	}
	ck_assert_msg(strcmp(lw_strbuf_text(&found), questions[_i].wanted) == 0, "%s: \"%s\"",
		      questions[_i].what, lw_strbuf_text(&found));
	/* and all is as it was */
	ck_assert_int_eq(lw_policy_cycle(policy, &snap, &again), 0);
	lw_plan_print(&again, &snap, &after);
	ck_assert_str_eq(lw_strbuf_text(&before), lw_strbuf_text(&after));
	lw_strbuf_fini(&text);
	lw_strbuf_fini(&found);
	lw_strbuf_fini(&before);
	lw_strbuf_fini(&after);
	lw_plan_fini(&plan);
	lw_plan_fini(&again);
	lw_whatif_fini(&whatif);
	lw_policy_destroy(policy);
	lw_snapshot_fini(&snap);
}
