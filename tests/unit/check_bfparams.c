/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of slurm/bfparams: what SchedulerParameters say to the planner. */
#include "slurm/bfparams.h"

#include "unit/unit.h"

static const struct {
	const char *text;
	struct lw_bfparams params;
} vectors[] = {
	{ NULL, { 0 } },
	{ "", { 0 } },
	{ "defer,bf_window=600", { 0 } },
	{ "bf_min_prio_reserve=1000", { .min_prio_reserve = 1000 } },
	{ "defer,BF_Min_Prio_Reserve=7,x", { .min_prio_reserve = 7 } },
	{ "bf_min_prio_reserve=4294967294", { .min_prio_reserve = 4294967294U } },
	{ "bf_min_prio_reserve=4294967295", { 0 } },
	{ "bf_min_prio_reserve=-1", { 0 } },
	{ "bf_min_prio_reserve=3,bf_min_prio_reserve=4", { .min_prio_reserve = 3 } },
	{ "bf_min_age_reserve=600", { .min_age_reserve_s = 600 } },
	{ "bf_min_age_reserve=2592000", { .min_age_reserve_s = 2592000 } },
	{ "bf_min_age_reserve=2592001", { 0 } },
	{ "bf_one_resv_per_job,defer", { .one_resv_per_job = true } },
	{ "bf_hetjob_prio=max", { .hetjob_first = true } },
	{ "bf_hetjob_prio=MAX", { .hetjob_first = true } },
	{ "bf_hetjob_prio=min", { 0 } },
	{ "bf_hetjob_prio=avg", { 0 } },
	{ "defer,assoc_limit_stop", { .limits_stop = true } },
	{ "defer,max_rpc_cnt=150", { .max_rpcs = 150, .few_rpcs = 20 } },
	{ "max_rpc_count=20", { .max_rpcs = 20, .few_rpcs = 20 } },
	{ "max_rpc_count=20,MAX_RPC_CNT=1000", { .max_rpcs = 1000, .few_rpcs = 100 } },
	{ "max_rpc_cnt=150,bf_yield_rpc_cnt=100", { .max_rpcs = 150, .few_rpcs = 100 } },
	{ "max_rpc_cnt=150,bf_yield_rpc_count=0", { .max_rpcs = 150, .few_rpcs = 0 } },
	{ "max_rpc_cnt=150,bf_yield_rpc_cnt=201", { .max_rpcs = 150, .few_rpcs = 20 } },
	{ "max_rpc_cnt=150,bf_yield_rpc_cnt=-2", { .max_rpcs = 150, .few_rpcs = 20 } },
	{ "bf_yield_rpc_cnt=100", { 0 } },
	{ "bf_interval=-1", { .off = true } },
	{ "bf_interval=10", { 0 } },
	{ "max_rpc_cnt=1001", { 0 } },
	{ "max_rpc_cnt=-5", { 0 } },
};

TEST_EACH(text_is_read_as_stock_reads_it, LW_COUNT_OF(vectors))
{
	struct lw_bfparams params = lw_bfparams_of(vectors[_i].text);
	const struct lw_bfparams *wanted = &vectors[_i].params;

	ck_assert_uint_eq(params.min_prio_reserve, wanted->min_prio_reserve);
	ck_assert_int_eq(params.min_age_reserve_s, wanted->min_age_reserve_s);
	ck_assert_int_eq(params.one_resv_per_job, wanted->one_resv_per_job);
	ck_assert_int_eq(params.hetjob_first, wanted->hetjob_first);
	ck_assert_int_eq(params.limits_stop, wanted->limits_stop);
	ck_assert_uint_eq(params.max_rpcs, wanted->max_rpcs);
	ck_assert_uint_eq(params.few_rpcs, wanted->few_rpcs);
	ck_assert_int_eq(params.off, wanted->off);
}
