/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of planner/order/ahead: how many jobs are ahead of one on its nodes. */
#include "planner/order/ahead.h"

#include "planner/text/text.h"
#include "unit/unit.h"

/* Two partitions that share no node, a third that shares one with each, and their queue. */
static const char snapshot[] = "lw-snapshot 1\nnow 1000\nnode 0-3 n[0-3] cpus=4\n"
			       "set 0 left 0-1\nset 1 right 2-3\nset 2 both 1-2\n"
			       "wait 20 set=0 submit=0 limit=50 nodes=1 cpus=4\n"
			       "wait 21 set=0 submit=0 limit=50 nodes=2 cpus=4\n"
			       "wait 22 set=1 submit=0 limit=50 nodes=1 cpus=3\n"
			       "wait 23 set=1 submit=0 limit=50 nodes=1 cpus=4\n"
			       "wait 24 set=2 submit=0 limit=50 nodes=1 cpus=4\n";

static const struct {
	enum lw_policy_kind kind;
	uint32_t jobs[5];
} vectors[] = {
	{ LW_POLICY_EASY, { 0, 1, 0, 1, 4 } },
	{ LW_POLICY_FCFS, { 0, 1, 0, 1, 4 } },
	{ LW_POLICY_LEEWAY, { 0, 1, 0, 1, 4 } },
};

/* Jobs before it in the queue of another partition are none of it. */
TEST_EACH(jobs_on_other_nodes_are_not_ahead, LW_COUNT_OF(vectors))
{
	struct lw_policy_params params;
	struct lw_ahead ahead = { 0 };
	struct lw_snapshot snap;
	struct lw_error err;

	ck_assert_msg(!lw_snapshot_parse(&snap, "text", snapshot, &err), "%s", err.text);
	lw_policy_params_default(&params);
	params.kind = vectors[_i].kind;
	ck_assert_int_eq(lw_ahead_make(&ahead, &snap, &params), 0);
	for (uint32_t i = 0; i < 5; i++)
		ck_assert_uint_eq(lw_ahead_jobs(&ahead, i), vectors[_i].jobs[i]);
	lw_ahead_fini(&ahead);
	lw_snapshot_fini(&snap);
}
