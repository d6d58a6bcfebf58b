/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of stay and drain: GPUs that come free, and who waits there. */
#include "planner/place/release_dist.h"

#include "planner/place/fragment.h"
#include "planner/place/place.h"
#include "predictor/predict.h"

#include "unit/unit.h"

#define NODES 3
#define HALF  (LW_MIX_ONE / 2)

/* For certain until point N, and gone from then on. */
static uint64_t until(unsigned points)
{
	double chances[LW_SURVIVAL_POINTS] = { 0 };

	for (unsigned point = 0; point < points; point++)
		chances[point] = 1;
	return lw_survival_pack(chances);
}

TEST(chances_are_packed)
{
	const double chances[LW_SURVIVAL_POINTS] = { 1, 0.5, 0.1, -1, 0, 0, 0, 0 };
	const double none[LW_SURVIVAL_POINTS] = { 0 };
	uint64_t survival = lw_survival_pack(chances);

	ck_assert_uint_eq(lw_survival_at(survival, 0), 255);
	ck_assert_uint_eq(lw_survival_at(survival, 1), 128);
	ck_assert_uint_eq(lw_survival_at(survival, 2), 26);
	ck_assert_uint_eq(survival >> 24, 0);
	ck_assert_uint_ne(lw_survival_pack(none), 0);
	ck_assert_int_eq(lw_survival_after_s(0), 450);
	ck_assert_int_eq(lw_survival_after_s(3), 450 * 27);
	/* the spans lie side by side: up to 900, 2700, 8100 s, ... */
	ck_assert_int_eq(lw_survival_span(0), 2);
	ck_assert_int_eq(lw_survival_span(1), 4);
	ck_assert_int_eq(lw_survival_span(2), 12);
	ck_assert_int_eq(lw_survival_sum(until(3)), 18 * 255);
}

/* A machine of three nodes with 8 GPUs. */
static void make_machine(struct lw_snapshot *ret_snap, uint16_t other_gpus)
{
	struct lw_res total = { .cpus = 64, .gpus = { 8, other_gpus } };

	lw_snapshot_init(ret_snap, 0);
	ck_assert_int_eq(lw_snapshot_gpu_type(ret_snap, "a"), 0);
	for (int i = 0; i < NODES; i++)
		ck_assert_int_eq(lw_snapshot_add_node(ret_snap, "n", &total, true, NULL), 0);
}

static void run_job(struct lw_snapshot *snap, uint32_t id, uint32_t node, uint16_t gpus,
		    uint64_t survival)
{
	struct lw_running job = { .job_id = id, .end_s = 1000000, .survival = survival };
	struct lw_alloc alloc = { .node = node, .res = { .cpus = gpus, .gpus = { gpus } } };

	ck_assert_int_eq(lw_snapshot_add_running(snap, &job, &alloc, 1, NULL), 0);
}

TEST(gpus_come_free_as_jobs_end)
{
	const double half[LW_SURVIVAL_POINTS] = { 1, 0.5, 0 };
	struct lw_release_dists release_dists = { 0 };
	struct lw_snapshot snap;
	const struct lw_release_dist *drain;

	make_machine(&snap, 0);
	run_job(&snap, 1, 0, 2, lw_survival_pack(half));
	run_job(&snap, 2, 0, 3, lw_survival_pack(half));
	run_job(&snap, 3, 0, 1, 0);
	ck_assert_int_eq(lw_release_dists_begin(&release_dists, &snap), 0);
	drain = &release_dists.items[0];
	ck_assert_uint_eq(drain->odds[0][0], LW_DRAIN_ONE);
	ck_assert_uint_eq(drain->odds[2][5], LW_DRAIN_ONE);
	/* a quarter each: none, the two, the three, all five */
	for (uint32_t gpus = 0; gpus <= LW_DRAIN_GPUS; gpus++) {
		bool may = !gpus || gpus == 2 || gpus == 3 || gpus == 5;

		if (may)
			ck_assert_double_eq_tol(drain->odds[1][gpus] / (double)LW_DRAIN_ONE, 0.25,
						0.01);
		else
			ck_assert_uint_eq(drain->odds[1][gpus], 0);
	}
	ck_assert_uint_eq(release_dists.items[1].odds[7][0], LW_DRAIN_ONE);
	lw_release_dists_fini(&release_dists);
	lw_snapshot_fini(&snap);
}

TEST(no_chance_is_lost)
{
	const double chances[LW_SURVIVAL_POINTS] = { 0.9, 0.7, 0.55, 0.3, 0.21, 0.1, 0.03, 0.01 };
	struct lw_release_dists release_dists = { 0 };
	struct lw_snapshot snap;

	make_machine(&snap, 0);
	ck_assert_int_eq(lw_release_dists_begin(&release_dists, &snap), 0);
	for (uint32_t i = 0; i < 30; i++)
		lw_release_dists_add(&release_dists, &snap, 1, 1 + i % 9,
				     lw_survival_pack(chances));
	for (unsigned point = 0; point < LW_SURVIVAL_POINTS; point++) {
		uint32_t sum = 0;

		for (uint32_t gpus = 0; gpus <= LW_DRAIN_GPUS; gpus++)
			sum += release_dists.items[1].odds[point][gpus];
		ck_assert_uint_eq(sum, LW_DRAIN_ONE);
	}
	lw_release_dists_fini(&release_dists);
	lw_snapshot_fini(&snap);
}

TEST(of_nodes_with_two_types_nothing_is_known)
{
	struct lw_release_dists release_dists = { 0 };
	struct lw_snapshot snap;

	make_machine(&snap, 2);
	run_job(&snap, 1, 0, 2, until(1));
	ck_assert_int_eq(lw_release_dists_begin(&release_dists, &snap), 0);
	ck_assert_uint_eq(release_dists.items[0].odds[7][0], LW_DRAIN_ONE);
	lw_release_dists_fini(&release_dists);
	lw_snapshot_fini(&snap);
}

/* All want whole nodes: then 8 free are of use and fewer are not. */
static const int64_t whole_wanted[LW_FRAGMENT_GPUS + 1] = { 0,    1000, 2000, 3000, 4000,
							    5000, 6000, 7000, 0 };

TEST(a_job_costs_what_it_keeps_broken)
{
	struct lw_release_dists release_dists = { 0 };
	struct lw_snapshot snap;
	const struct lw_release_dist *drain;

	make_machine(&snap, 0);
	run_job(&snap, 1, 0, 4, until(2));
	ck_assert_int_eq(lw_release_dists_begin(&release_dists, &snap), 0);
	drain = &release_dists.items[0];
	/* beside a job that ends later it makes use of one GPU: for 900 s and 1800 s */
	ck_assert_int_eq(lw_release_dist_cost(drain, whole_wanted, 4, 1, until(1)),
			 -1000 * 2 * 255);
	ck_assert_int_eq(lw_release_dist_cost(drain, whole_wanted, 4, 1, until(2)),
			 -1000 * 6 * 255);
	/* once that has gone, it keeps seven from being of use */
	ck_assert_int_eq(lw_release_dist_cost(drain, whole_wanted, 4, 1, until(3)),
			 (-1000 * 6 + 7000 * 12) * 255);
	/* on a whole node it does so from the beginning */
	ck_assert_int_eq(
		lw_release_dist_cost(&release_dists.items[1], whole_wanted, 8, 1, until(3)),
		7000 * 18 * 255);
	lw_release_dists_fini(&release_dists);
	lw_snapshot_fini(&snap);
}

TEST(only_parts_of_nodes_matter)
{
	struct lw_snapshot snap;

	make_machine(&snap, 0);
	run_job(&snap, 1, 0, 8, 0);
	run_job(&snap, 2, 1, 7, 0);
	run_job(&snap, 3, 2, 0, 0);
	ck_assert(!lw_release_dist_matters(&snap, 0));
	ck_assert(lw_release_dist_matters(&snap, 1));
	ck_assert(!lw_release_dist_matters(&snap, 2));
	lw_snapshot_fini(&snap);
}

/* Nodes 0 and 1 have four GPUs and two taken, until points 2 and 6; node 2 is whole. */
static const struct {
	const char *what;
	unsigned survival;
	uint32_t node;
} survival[] = {
	{ "a job that goes as soon as its neighbour: the fewest free", 2, 0 },
	{ "one that outlasts that neighbour: beside the lasting one", 4, 1 },
	{ "beside that too, when it lasts even longer", 8, 1 },
	{ "not known: the fewest free", 0, 0 },
};

static uint32_t place(unsigned points, bool with_index)
{
	struct lw_mix mix = {
		{ { HALF, 1, 1, 0, 1, LW_GPU_ANY }, { HALF, 1, 8, 0, 8, LW_GPU_ANY } }, 2
	};
	struct lw_request req = { .nodes_min = 1,
				  .nodes_max = 1,
				  .cpus_per_node = 1,
				  .gpus_per_node = 1,
				  .gpu_type = LW_GPU_ANY };
	struct lw_res free[NODES], total[NODES];
	struct lw_release_dists release_dists = { 0 };
	struct lw_fragment fragment;
	const struct lw_alloc *allocs;
	struct lw_bitset candidates;
	struct lw_placer *placer;
	struct lw_index *index;
	struct lw_snapshot snap;
	uint32_t count, node;

	make_machine(&snap, 0);
	run_job(&snap, 1, 0, 4, until(2));
	run_job(&snap, 2, 1, 2, until(6));
	ck_assert_int_eq(lw_release_dists_begin(&release_dists, &snap), 0);
	lw_fragment_init(&fragment, &mix, 1);
	ck_assert_int_eq(lw_bitset_init(&candidates, NODES), 0);
	for (uint32_t i = 0; i < NODES; i++) {
		lw_bitset_set(&candidates, i);
		total[i] = free[i] = snap.nodes[i].total;
		lw_res_sub(&free[i], &snap.used[i]);
	}
	ck_assert_int_eq(lw_placer_create(NODES, &placer), 0);
	ck_assert_int_eq(lw_index_create(NODES, &index), 0);
	lw_index_build(index, free, total, 1);
	struct lw_room room = { .free = free,
				.total = total,
				.candidates = &candidates,
				.index = with_index ? index : NULL,
				.gpu_types = 1,
				.fragment = &fragment,
				.release_dists = &release_dists,
				.survival = points ? until(points) : 0 };

	ck_assert_int_eq(lw_place(placer, &room, &req, &allocs, &count), 0);
	ck_assert_uint_eq(count, 1);
	node = allocs[0].node;
	lw_index_destroy(index);
	lw_placer_destroy(placer);
	lw_bitset_fini(&candidates);
	lw_release_dists_fini(&release_dists);
	lw_snapshot_fini(&snap);
	return node;
}

TEST_EACH(jobs_go_to_jobs_that_last_as_long, LW_COUNT_OF(survival))
{
	ck_assert_msg(place(survival[_i].survival, true) == survival[_i].node, "%s",
		      survival[_i].what);
	ck_assert_msg(place(survival[_i].survival, false) == survival[_i].node, "%s",
		      survival[_i].what);
}

TEST(stays_follow_the_law)
{
	struct lw_history_key key = { .user = 1, .partition = 1, .limit_s = 3600 };
	struct lw_history_job job = { .user = 1, .partition = 1, .limit_s = 3600, .run_s = 500 };
	struct lw_history *history;
	uint64_t young, old;

	ck_assert_int_eq(lw_history_create(0, &history), 0);
	for (int i = 0; i < 50; i++) {
		job.end_s = i;
		ck_assert_int_eq(lw_history_add(history, &job), 0);
	}
	young = lw_predict_survival_points(history, &key, 0);
	old = lw_predict_survival_points(history, &key, 1000);
	/* nearly all run 500 s: there after 450 s, gone after 1350; from 1000 s on who knows */
	ck_assert_uint_gt(lw_survival_at(young, 0), 200);
	ck_assert_uint_lt(lw_survival_at(young, 1), 50);
	ck_assert_uint_gt(lw_survival_at(old, 1), lw_survival_at(young, 1));
	/* and none beyond its limit */
	ck_assert_uint_eq(lw_survival_at(young, 3), 0);
	ck_assert_uint_eq(lw_survival_at(old, 2), 0);
	lw_history_destroy(history);
}
