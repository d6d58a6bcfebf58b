/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of planner/order/order: widths, and the orders by their formulas. */
#include "planner/order/order.h"
#include "planner/model/outside.h"
#include "predictor/survival.h"

#include "unit/unit.h"

#include <string.h>

#define NOW_S 2000

/* Two nodes: 24 CPUs, 8 GPUs, 4800 MiB, so a GPU is worth 3 CPUs and 200 MiB one. */
static void make_cluster(struct lw_snapshot *ret_snap)
{
	const struct lw_res plain = { .cpus = 8, .mem_mib = 800 };
	const struct lw_res gpus = { .cpus = 16, .mem_mib = 4000, .gpus = { 6, 2 } };
	struct lw_bitset nodes;

	lw_snapshot_init(ret_snap, NOW_S);
	ck_assert_int_eq(lw_snapshot_add_node(ret_snap, "a", &plain, true, NULL), 0);
	ck_assert_int_eq(lw_snapshot_add_node(ret_snap, "b", &gpus, true, NULL), 0);
	ck_assert_int_eq(lw_bitset_init(&nodes, 2), 0);
	lw_bitset_set(&nodes, 0);
	ck_assert_int_eq(lw_snapshot_add_set(ret_snap, "plain", &nodes, NULL), 0);
	lw_bitset_set_all(&nodes);
	ck_assert_int_eq(lw_snapshot_add_set(ret_snap, "all", &nodes, NULL), 0);
	lw_bitset_fini(&nodes);
}

static const struct {
	struct lw_request req;
	double width;
} widths[] = {
	{ { .nodes_min = 1 }, 1 },
	{ { .nodes_min = 1, .cpus_per_node = 8 }, 8 },
	{ { .nodes_min = 2, .cpus_per_node = 8 }, 16 },
	{ { .nodes_min = 2, .cpus_per_node = 1, .cpus_total = 9 }, 9 },
	/* the share of GPUs, or of memory, where it is more */
	{ { .nodes_min = 1, .cpus_per_node = 2, .gpus_per_node = 2 }, 6 },
	{ { .nodes_min = 1, .cpus_per_node = 7, .gpus_per_node = 2 }, 7 },
	{ { .nodes_min = 1, .gpus_total = 8 }, 24 },
	{ { .nodes_min = 1, .cpus_per_node = 1, .mem_per_node_mib = 2000 }, 10 },
	{ { .nodes_min = 2, .cpus_per_node = 2, .mem_per_cpu_mib = 400 }, 8 },
	{ { .nodes_min = 1, .gpus_per_node = 1, .mem_per_gpu_mib = 1000 }, 5 },
	/* whole nodes: as many CPUs as nodes have on average */
	{ { .nodes_min = 1, .cpus_per_node = 1, .exclusive = true }, 12 },
};

TEST_EACH(a_width_is_a_dominant_share, LW_COUNT_OF(widths))
{
	struct lw_snapshot snap;
	struct lw_scale scale;

	make_cluster(&snap);
	lw_scale_init(&scale, &snap);
	ck_assert_double_eq_tol(lw_width(&scale, &widths[_i].req), widths[_i].width, 1e-9);
	lw_snapshot_fini(&snap);
}

TEST(sets_have_widths_too)
{
	struct lw_snapshot snap;
	struct lw_scale scale;

	make_cluster(&snap);
	lw_scale_init(&scale, &snap);
	ck_assert_double_eq_tol(lw_width_of_set(&scale, &snap, 0), 8, 1e-9);
	ck_assert_double_eq_tol(lw_width_of_set(&scale, &snap, 1), 24, 1e-9);
	snap.nodes[0].usable = false;
	/* what is left has all the GPUs */
	ck_assert_double_eq_tol(lw_width_of_set(&scale, &snap, 1), 24, 1e-9);
	ck_assert_double_eq_tol(lw_width_of_set(&scale, &snap, 0), 1, 1e-9);
	lw_snapshot_fini(&snap);
}

/* order; submitted, limit, expected, CPUs; key */
static const struct {
	enum lw_order order;
	int64_t submit_s, limit_s, expect_s;
	uint32_t cpus;
	double key;
} keys[] = {
	{ LW_ORDER_GIVEN, 1000, 500, 30, 4, 0 },
	{ LW_ORDER_FCFS, 1000, 500, 30, 4, 1000 },
	{ LW_ORDER_SJF, 1000, 500, 30, 4, 30 },
	{ LW_ORDER_WFP3, 1000, 500, 30, 4, -32 },
	{ LW_ORDER_WFP3, NOW_S, 500, 30, 4, 0 },
	{ LW_ORDER_WFP3, NOW_S + 1, 500, 30, 4, 0 },
	{ LW_ORDER_UNICEP, 1000, 500, 30, 4, -1 },
	{ LW_ORDER_UNICEP, 1000, 500, 30, 2, -2 },
	{ LW_ORDER_UNICEP, 1000, 500, 30, 1, -2 },
	{ LW_ORDER_F1, 1000, 100, 30, 4, 2 * 4 + 870 * 3 },
	{ LW_ORDER_F1, 0, 10, 30, 4, 4 },
	{ LW_ORDER_SAF, 1000, 100, 30, 4, 400 },
	/* of weight 1: nothing is said; more is in a table of its own */
	{ LW_ORDER_WSPT, 1000, 100, 30, 4, 30 },
	/* nothing is known of the user's runs; more is in a table of its own */
	{ LW_ORDER_LAS2D, 1000, 100, 30, 4, 1000 },
	{ LW_ORDER_QSSF, 1000, 100, 30, 4, 120 },
	/* how it stays is not known, nor how large the cluster is: in tables of their own */
	{ LW_ORDER_GITTINS, 1000, 100, 30, 4, 120 },
	{ LW_ORDER_FTF, NOW_S - 60, 100, 30, 4, -3 },
	/* no deadline; more is in a table of its own */
	{ LW_ORDER_EDF, 1000, 100, 30, 4, 0x1p50 },
	/* nothing is plugged in; check_net.c plugs in a net */
	{ LW_ORDER_OUTSIDE, 1000, 100, 30, 4, 0 },
};

TEST_EACH(orders_are_their_formulas, LW_COUNT_OF(keys))
{
	const struct lw_policy_params params = { .las_threshold_s = 3200 };
	struct lw_class class = { .limit_s = keys[_i].limit_s,
				  .expected.mean_s = keys[_i].expect_s };
	struct lw_waiting job = { .submit_s = keys[_i].submit_s };
	struct lw_scale scale = { 0 };
	struct lw_order_view view = { &scale, NOW_S, &class, &job, &params };

	class.request.nodes_min = 1;
	class.request.cpus_per_node = keys[_i].cpus;
	ck_assert_double_eq_tol(lw_order_key(keys[_i].order, &view), keys[_i].key, 1e-9);
}

/* order, age; submitted, begin time; rank */
static const struct {
	enum lw_order order;
	int64_t age_s, submit_s, begin_s;
	struct lw_rank rank;
} ranks[] = {
	{ LW_ORDER_SJF, 0, 0, LW_NO_TIME, { LW_RANK_FRESH, 30 } },
	{ LW_ORDER_SJF, 500, 1501, LW_NO_TIME, { LW_RANK_FRESH, 30 } },
	{ LW_ORDER_SJF, 500, 1500, LW_NO_TIME, { LW_RANK_AGED, 1500 } },
	{ LW_ORDER_WFP3, 500, 1200, LW_NO_TIME, { LW_RANK_AGED, 1200 } },
	/* no time before the begin time counts */
	{ LW_ORDER_SJF, 500, 0, 1501, { LW_RANK_FRESH, 30 } },
	{ LW_ORDER_SJF, 500, 0, 1500, { LW_RANK_AGED, 1500 } },
	/* the order given is Slurm's to age */
	{ LW_ORDER_GIVEN, 500, 0, LW_NO_TIME, { LW_RANK_FRESH, 0 } },
};

TEST_EACH(who_has_waited_long_goes_first, LW_COUNT_OF(ranks))
{
	const struct lw_policy_params params = { .order = ranks[_i].order,
						 .order_age_s = ranks[_i].age_s };
	struct lw_class class = { .limit_s = 500, .expected.mean_s = 30 };
	struct lw_waiting job = { .submit_s = ranks[_i].submit_s, .begin_s = ranks[_i].begin_s };
	struct lw_scale scale = { 0 };
	struct lw_order_view view = { &scale, NOW_S, &class, &job, &params };
	struct lw_rank rank = lw_order_rank(&view);

	ck_assert_int_eq(rank.group, ranks[_i].rank.group);
	ck_assert_double_eq_tol(rank.key, ranks[_i].rank.key, 1e-9);
}

/* An order from outside, by which the longest wait is last. */
static double by_wait(void *arg, const struct lw_order_view *view)
{
	(void)arg;
	return lw_order_waited_s(view);
}

static const struct lw_outside outside = { .key = by_wait };

/*
 * The bound: from the moment on at which a job has waited for order_age_s, no job that is submitted
 * after it is before it, whatever the order.
 */
TEST_RANGE(nobody_submitted_later_is_before_who_has_aged, 1, LW_ORDER_COUNT + 1)
{
	const struct lw_policy_params params = { .order = (enum lw_order)_i,
						 .order_age_s = 600,
						 .outside = &outside };
	struct lw_class worst = { .limit_s = 1000000, .expected.mean_s = 1000000 };
	struct lw_class best = { .limit_s = 1, .expected.mean_s = 1 };
	struct lw_waiting old = { .submit_s = 1000, .begin_s = LW_NO_TIME };
	struct lw_scale scale = { 0 };

	worst.request.nodes_min = best.request.nodes_min = 1;
	worst.request.cpus_per_node = 1000000;
	for (int64_t now_s = 1600; now_s < 4000; now_s += 100) {
		struct lw_order_view late = { &scale, now_s, &worst, &old, &params };

		for (int64_t submit_s = 1001; submit_s <= now_s; submit_s += 57) {
			struct lw_waiting job = { .submit_s = submit_s, .begin_s = LW_NO_TIME };
			struct lw_order_view view = { &scale, now_s, &best, &job, &params };

			ck_assert_int_lt(lw_rank_compare(lw_order_rank(&late),
							 lw_order_rank(&view)),
					 0);
		}
	}
}

/* An order that says it needs only what a class has in common is told nothing else. */
TEST_EACH(orders_say_what_they_need, LW_ORDER_COUNT + 1)
{
	enum lw_order order = (enum lw_order)_i;
	struct lw_policy_params params;
	struct lw_class class = { .limit_s = 5000, .expected.mean_s = 4000 };
	struct lw_waiting old = { .submit_s = 100, .finish_by_s = NOW_S + 1000 }, new;
	struct lw_scale scale = { 0 };
	struct lw_order_view old_view = { &scale, NOW_S, &class, &old, &params };
	struct lw_order_view new_view = { &scale, NOW_S, &class, &new, &params };
	double key, expect_key, attained_key, stays_key;

	lw_policy_params_default(&params);
	params.outside = &outside;
	class.request.nodes_min = 1;
	class.request.cpus_per_node = 4;
	/* other in all that a job has for itself */
	memset(&new, 1, sizeof(new));
	key = lw_order_key(order, &old_view);
	ck_assert_int_eq(key < lw_order_key(order, &new_view) ||
				 key > lw_order_key(order, &new_view),
			 lw_order_needs(order, LW_NEEDS_JOBS));
	/* over before the first point of survival.h */
	class.expected.survival = lw_survival_pack((double[LW_SURVIVAL_POINTS]){ 0 });
	stays_key = lw_order_key(order, &old_view);
	ck_assert_int_eq(key < stays_key || key > stays_key,
			 lw_order_needs(order, LW_NEEDS_SURVIVAL));
	class.expected.survival = 0;
	class.expected.mean_s = 40;
	expect_key = lw_order_key(order, &old_view);
	ck_assert_int_eq(key < expect_key || key > expect_key,
			 lw_order_needs(order, LW_NEEDS_EXPECT));
	class.expected.attained_s = 1000000;
	attained_key = lw_order_key(order, &old_view);
	ck_assert_int_eq(attained_key < expect_key || attained_key > expect_key,
			 lw_order_needs(order, LW_NEEDS_ATTAINED));
}

/* deadline, expected; what becomes of it, key of edf; rank of who goes by 7, with deadlines */
static const struct {
	int64_t finish_by_s, expect_s;
	enum lw_deadline deadline;
	double key;
	struct lw_rank rank;
} dues[] = {
	{ 0, 30, LW_DEADLINE_NONE, 0x1p50, { LW_RANK_FRESH, 7 } },
	{ NOW_S + 30, 30, LW_DEADLINE_IN_TIME, NOW_S + 30, { LW_RANK_IN_TIME, NOW_S + 30 } },
	{ NOW_S + 29, 30, LW_DEADLINE_TOO_LATE, 0x1p51, { LW_RANK_TOO_LATE, 7 } },
	{ NOW_S - 1, 30, LW_DEADLINE_TOO_LATE, 0x1p51, { LW_RANK_TOO_LATE, 7 } },
	{ INT64_MAX, INT64_MAX, LW_DEADLINE_IN_TIME, 0x1p63, { LW_RANK_IN_TIME, 0x1p63 } },
};

TEST_EACH(who_is_in_time_goes_first_and_who_is_not_goes_last, LW_COUNT_OF(dues))
{
	struct lw_policy_params params = { .deadlines = LW_DEADLINES_OFF };
	struct lw_class class = { .limit_s = INT64_MAX, .expected.mean_s = dues[_i].expect_s };
	struct lw_waiting job = { .finish_by_s = dues[_i].finish_by_s,
				  .begin_s = LW_NO_TIME,
				  .promise_s = LW_NO_TIME };
	struct lw_scale scale = { 0 };
	struct lw_order_view view = { &scale, NOW_S, &class, &job, &params };
	struct lw_rank off = lw_order_by(&view, 7), on;

	ck_assert_int_eq(lw_order_deadline(&view), dues[_i].deadline);
	ck_assert_double_eq_tol(lw_order_key_edf(&view), dues[_i].key, 1e-9);
	ck_assert_int_eq(off.group, LW_RANK_FRESH);
	ck_assert_double_eq_tol(off.key, 7, 1e-9);
	params.deadlines = LW_DEADLINES_ORDER;
	on = lw_order_by(&view, 7);
	ck_assert_int_eq(on.group, dues[_i].rank.group);
	ck_assert_double_eq_tol(on.key, dues[_i].rank.key, 1e-9);
	/* in front of the order that Slurm gives, too; behind those who have waited long */
	ck_assert_int_eq(lw_order_rank(&view).group, dues[_i].rank.group);
	params.order = LW_ORDER_FCFS;
	params.order_age_s = 1;
	ck_assert_int_eq(lw_order_rank(&view).group, LW_RANK_AGED);
	/* where some are accepted no promise is broken for a deadline */
	job.promise_s = NOW_S;
	ck_assert_int_eq(lw_order_rank(&view).group, LW_RANK_AGED);
	params.deadlines = LW_DEADLINES_GUARD;
	ck_assert_int_eq(lw_order_rank(&view).group, LW_RANK_PROMISED);
	ck_assert_int_eq(lw_order_by(&view, 7).group, dues[_i].rank.group);
}

/* CPUs for each GPU of the cluster; mean of the user's last runs; GPUs, CPUs asked for; queue */
static const struct {
	double cpus_per_gpu;
	int64_t attained_s;
	uint16_t gpus;
	uint32_t cpus;
	bool second;
} services[] = {
	{ 4, 0, 8, 8, false },
	{ 4, 999, 1, 1, false },
	{ 4, 1000, 1, 1, true },
	{ 4, 249, 4, 1, false },
	{ 4, 250, 4, 1, true },
	/* CPUs of a job with GPUs do not count, those of one without are a share of GPUs */
	{ 4, 999, 1, 64, false },
	{ 4, 3999, 0, 1, false },
	{ 4, 4000, 0, 1, true },
	{ 4, 500, 0, 8, true },
	/* no GPU far and wide */
	{ 0, 499, 0, 2, false },
	{ 0, 500, 0, 2, true },
};

/* The first is the latest of the one queue, and still goes before the earliest of the other. */
TEST_EACH(las2d_has_two_queues_by_submission, LW_COUNT_OF(services))
{
	const struct lw_policy_params params = { .las_threshold_s = 1000 };
	struct lw_class class = { .expected.attained_s = services[_i].attained_s }, new = class;
	struct lw_waiting jobs[] = { { .submit_s = NOW_S }, { .submit_s = 5 }, { .submit_s = 4 } };
	struct lw_scale scale = { .cpus_per_gpu = services[_i].cpus_per_gpu };
	struct lw_order_view first = { &scale, NOW_S, &new, &jobs[0], &params };
	struct lw_order_view late = { &scale, NOW_S, &class, &jobs[1], &params };
	struct lw_order_view early = { &scale, NOW_S, &class, &jobs[2], &params };

	class.request.nodes_min = new.request.nodes_min = 1;
	class.request.cpus_per_node = services[_i].cpus;
	class.request.gpus_per_node = services[_i].gpus;
	new.expected.attained_s = 0;
	ck_assert_int_eq(lw_order_key_las2d(&first) < lw_order_key_las2d(&early),
			 services[_i].second);
	ck_assert_double_lt(lw_order_key_las2d(&early), lw_order_key_las2d(&late));
}

/* limit, mean; chances at 450, 1350 s and later; index */
static const struct {
	int64_t limit_s, mean_s;
	double chances[LW_SURVIVAL_POINTS];
	double index_s;
} gittins[] = {
	/* over by 450 s for sure: half of that is spent */
	{ 86400, 40000, { 0 }, 225 },
	/* 337.5 s are spent for every other end */
	{ 86400, 40000, { 128 / 255.0, 128 / 255.0, 1e-9 }, 225 * 383 / 127.0 },
	/* nobody ends before 1350 s, and half of them then: 450 s, and 900 of all and of half */
	{ 86400, 40000, { 1, 0.6, 0.6, 0.6 }, (450 + 900 * 0.8) / 0.4 },
	/* the mean is less than any of these */
	{ 86400, 500, { 1, 0.6, 0.6, 0.6 }, 500 },
	/* who may run for 1000 s is not asked about 1350 */
	{ 1000, 900, { 1, 0 }, 900 },
};

TEST_EACH(gittins_weighs_ends_against_time, LW_COUNT_OF(gittins))
{
	const struct lw_policy_params params = { .order = LW_ORDER_GITTINS };
	struct lw_class class = { .limit_s = gittins[_i].limit_s,
				  .expected.mean_s = gittins[_i].mean_s };
	struct lw_waiting job = { .submit_s = 1000 };
	struct lw_scale scale = { 0 };
	struct lw_order_view view = { &scale, NOW_S, &class, &job, &params };

	class.request.nodes_min = 1;
	class.request.cpus_per_node = 4;
	class.expected.survival = lw_survival_pack(gittins[_i].chances);
	ck_assert_double_eq_tol(lw_order_key(LW_ORDER_GITTINS, &view), 4 * gittins[_i].index_s,
				0.04 * gittins[_i].index_s);
}

/* jobs in a cluster of 100 CPUs; waited, expected, CPUs; rho */
static const struct {
	double jobs;
	int64_t waited_s, expect_s;
	uint32_t cpus;
	double rho;
} shares[] = {
	/* no more than its share: its time against its run */
	{ 10, 0, 100, 10, 1 },
	{ 10, 300, 100, 10, 4 },
	/* of a tenth of the cluster a job of 40 CPUs would run four times as long */
	{ 10, 300, 100, 40, 1 },
	{ 20, 300, 100, 40, 0.5 },
	{ 1, 50, 50, 100, 2 },
};

TEST_EACH(ftf_goes_by_finish_time_fairness, LW_COUNT_OF(shares))
{
	const struct lw_policy_params params = { .order = LW_ORDER_FTF };
	struct lw_class class = { .limit_s = 5000, .expected.mean_s = shares[_i].expect_s };
	struct lw_waiting job = { .submit_s = NOW_S - shares[_i].waited_s };
	struct lw_scale scale = { .cpus = 100, .jobs = shares[_i].jobs };
	struct lw_order_view view = { &scale, NOW_S, &class, &job, &params };

	class.request.nodes_min = 1;
	class.request.cpus_per_node = shares[_i].cpus;
	ck_assert_double_eq_tol(lw_order_key(LW_ORDER_FTF, &view), -shares[_i].rho, 1e-9);
}

/* ageing, width; submitted, expected, CPUs; key */
static const struct {
	double ageing, width;
	int64_t submit_s, expect_s;
	uint32_t cpus;
	double key;
} ours[] = {
	{ 0, 0, 1000, 900, 16, 900 },
	{ 0, 0.5, 1000, 900, 16, 225 },
	{ 0.9, 0, 1000, 900, 16, 450 },
	/* ageing is against no less than 600 s */
	{ 0.6, 0, 1000, 100, 16, 50 },
	{ 0.6, 0.5, 1000, 400, 16, 50 },
	{ 0.6, 0, NOW_S, 100, 16, 100 },
	{ 0.6, 0, NOW_S + 500, 100, 16, 100 },
};

TEST_EACH(leeway_counts_waiting_and_width, LW_COUNT_OF(ours))
{
	const struct lw_policy_params params = { .ageing = ours[_i].ageing,
						 .width = ours[_i].width };
	struct lw_class class = { .expected.mean_s = ours[_i].expect_s };
	struct lw_waiting job = { .submit_s = ours[_i].submit_s };
	struct lw_scale scale = { 0 };
	struct lw_order_view view = { &scale, NOW_S, &class, &job, &params };

	class.request.nodes_min = 1;
	class.request.cpus_per_node = ours[_i].cpus;
	ck_assert_double_eq_tol(lw_order_leeway(&view, class.expected.mean_s, false),
				ours[_i].key, 1e-9);
}
