/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of planner/model/outside.h: what a simulator plugs into the planner. */
#include "planner/model/outside.h"

#include "planner/order/order.h"
#include "planner/policies/policy.h"
#include "planner/text/text.h"
#include "planner/text/text_policy.h"
#include "unit/unit.h"

#include <string.h>

/*
 * Job 21 would end just by the promise, 2000, and job 22 after it on what is spare; job 23 ends a
 * second before.
 */
static const char moment[] = "lw-snapshot 1\n"
			     "now 1000\n"
			     "policy relaxed relax=0 cap=0\n"
			     "node 0 pool cpus=10\n"
			     "set 0 all 0\n"
			     "run 10 start=0 end=2000 on=0:cpus=4\n"
			     "wait 20 set=0 submit=0 limit=5000 nodes=1 cpus=8\n"
			     "wait 21 user=1 set=0 submit=10 limit=1000 nodes=1 cpus=1\n"
			     "wait 22 user=2 set=0 submit=20 limit=2000 nodes=1 cpus=1\n"
			     "wait 23 user=3 set=0 submit=20 limit=999 nodes=1 cpus=1\n";

static uint32_t begun;

static void begin(void *arg, const struct lw_snapshot *snap)
{
	(void)arg;
	begun += snap->now_s == 1000;
}

static bool holds_long_ones(void *arg, const struct lw_order_view *view)
{
	(void)arg;
	return view->class->limit_s > 1500;
}

static double last_first(void *arg, const struct lw_order_view *view)
{
	(void)arg;
	return -(double)view->job->job_id;
}

static const struct {
	struct lw_outside outside;
	enum lw_order order;
	const char *plan; /* behind the line of the time */
} vectors[] = {
	{ { .begin = NULL },
	  LW_ORDER_GIVEN,
	  "total decisions=4 starts=3 backfilled=3 reserved=1\n"
	  "reserve 20 reserved at=2000(+1000) promise=2000(+1000) latest=2000(+1000) after=10 "
	  "on=pool:cpus=8\n"
	  "start 21 backfilled at=1000(+0) on=pool:cpus=1\n"
	  "start 22 backfilled at=1000(+0) on=pool:cpus=1\n"
	  "start 23 backfilled at=1000(+0) on=pool:cpus=1\n" },
	{ { .begin = begin, .ends_before = true },
	  LW_ORDER_GIVEN,
	  "total decisions=4 starts=1 backfilled=1 reserved=1\n"
	  "reserve 20 reserved at=2000(+1000) promise=2000(+1000) latest=2000(+1000) after=10 "
	  "on=pool:cpus=8\n"
	  "wait 21 would-delay\n"
	  "wait 22 would-delay\n"
	  "start 23 backfilled at=1000(+0) on=pool:cpus=1\n" },
	{ { .begin = begin, .holds = holds_long_ones },
	  LW_ORDER_GIVEN,
	  "total decisions=4 starts=2 backfilled=0 reserved=0\n"
	  "wait 20 inspector\n"
	  "start 21 in-order at=1000(+0) on=pool:cpus=1\n"
	  "wait 22 inspector\n"
	  "start 23 in-order at=1000(+0) on=pool:cpus=1\n" },
	{ { .begin = begin, .key = last_first },
	  LW_ORDER_OUTSIDE,
	  "total decisions=4 starts=3 backfilled=0 reserved=1\n"
	  "start 23 in-order at=1000(+0) on=pool:cpus=1\n"
	  "start 22 in-order at=1000(+0) on=pool:cpus=1\n"
	  "start 21 in-order at=1000(+0) on=pool:cpus=1\n"
	  "reserve 20 reserved at=2000(+1000) promise=2000(+1000) latest=2000(+1000) after=21 "
	  "on=pool:cpus=8\n" },
};

TEST_EACH(the_plan_is_with_what_was_plugged_in, LW_COUNT_OF(vectors))
{
	struct lw_strbuf out = LW_STRBUF_INIT;
	struct lw_policy_params params;
	struct lw_policy *policy;
	struct lw_snapshot snap;
	struct lw_error err;
	struct lw_plan plan;
	uint32_t before = begun;

	ck_assert_int_eq(lw_snapshot_parse(&snap, "moment", moment, &err), 0);
	lw_policy_params_default(&params);
	ck_assert_int_eq(lw_policy_params_parse("moment", moment, &err, &params), 0);
	params.outside = &vectors[_i].outside;
	params.order = vectors[_i].order;
	lw_plan_init(&plan);
	ck_assert_int_eq(lw_policy_create(&params, NULL, &policy), 0);
	ck_assert_int_eq(lw_policy_cycle(policy, &snap, &plan), 0);
	lw_plan_print(&plan, &snap, &out);
	ck_assert_str_eq(strstr(lw_strbuf_text(&out), "total"), vectors[_i].plan);
	ck_assert_uint_eq(begun - before, vectors[_i].outside.begin ? 1 : 0);
	lw_strbuf_fini(&out);
	lw_plan_fini(&plan);
	lw_policy_destroy(policy);
	lw_snapshot_fini(&snap);
}
