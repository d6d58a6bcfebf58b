/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of policy/profile: the earliest start against a search by the second. */
#include "policy/profile.h"

#include "property/prng.h"
#include "unit/unit.h"

#define NODES 3
#define CPUS  4
#define LAST  240

/* What is free, second by second. */
static uint32_t plain[NODES][LAST];

static uint32_t nodes;

/* Every third machine is a lone node, which is kept in another way. */
static void make_machine(struct prng *prng, struct lw_snapshot *ret_snap)
{
	const struct lw_res total = { .cpus = CPUS };
	struct lw_bitset all;

	nodes = 1 + prng->state % NODES;
	lw_snapshot_init(ret_snap, 0);
	ck_assert_int_eq(lw_bitset_init(&all, nodes), 0);
	lw_bitset_set_all(&all);
	for (uint32_t node = 0; node < nodes; node++) {
		ck_assert_int_eq(lw_snapshot_add_node(ret_snap, "n", &total, true, NULL), 0);
		for (int t = 0; t < LAST; t++)
			plain[node][t] = CPUS;
	}
	ck_assert_int_eq(lw_snapshot_add_set(ret_snap, "all", &all, NULL), 0);
	lw_bitset_fini(&all);
	for (uint32_t node = 0; node < nodes; node++) {
		struct lw_alloc alloc = { .node = node,
					  .res.cpus = prng_between(prng, 1, CPUS) };
		struct lw_running job = { .job_id = node + 1,
					  .end_s = prng_between(prng, 1, 20) };

		ck_assert_int_eq(lw_snapshot_add_running(ret_snap, &job, &alloc, 1, NULL), 0);
		for (int64_t t = 0; t < job.end_s; t++)
			plain[node][t] -= alloc.res.cpus;
	}
}

static bool plainly_fits(const struct lw_request *req, int64_t start_s, int64_t limit_s)
{
	uint32_t good = 0;

	for (uint32_t node = 0; node < nodes; node++) {
		bool serves = true;

		for (int64_t t = start_s; t < start_s + limit_s && t < LAST; t++)
			serves = serves && plain[node][t] >= req->cpus_per_node;
		good += serves;
	}
	return good >= req->nodes_min;
}

static void plainly_take(const struct lw_profile_fit *fit, int64_t limit_s)
{
	for (uint32_t i = 0; i < fit->alloc_count; i++) {
		for (int64_t t = fit->start_s; t < fit->start_s + limit_s && t < LAST; t++) {
			ck_assert_uint_ge(plain[fit->allocs[i].node][t], fit->allocs[i].res.cpus);
			plain[fit->allocs[i].node][t] -= fit->allocs[i].res.cpus;
		}
	}
}

/* Jobs put in one after the other, each at the earliest second that there is. */
START_TEST(starts_are_the_earliest)
{
	struct prng prng = { (uint64_t)_i + 1 };
	struct lw_profile profile = { 0 };
	struct lw_res total[NODES], none[NODES] = { { 0 } };
	struct lw_placer *placer;
	struct lw_snapshot snap;
	struct lw_room room = { .free = none, .total = total, .gpu_types = 0 };

	make_machine(&prng, &snap);
	for (uint32_t node = 0; node < nodes; node++)
		total[node] = snap.nodes[node].total;
	room.candidates = &snap.sets[0].nodes;
	ck_assert_int_eq(lw_placer_create(nodes, &placer), 0);
	ck_assert_int_eq(lw_profile_begin(&profile, &snap), 0);
	for (int job = 0; job < 8; job++) {
		struct lw_request req = { .gpu_type = LW_GPU_ANY };
		int64_t limit_s = prng_between(&prng, 1, 12);
		int64_t from_s = prng_between(&prng, 0, 10), start_s = -1;
		struct lw_profile_fit fit;

		req.nodes_min = req.nodes_max = prng_between(&prng, 1, nodes);
		req.cpus_per_node = prng_between(&prng, 1, CPUS);
		ck_assert_int_eq(lw_profile_find(&profile, &room, &req, from_s, limit_s, placer,
						 &fit), 0);
		while (start_s < from_s || !plainly_fits(&req, start_s, limit_s))
			start_s++;
		ck_assert_msg(fit.start_s == start_s, "job %d", job);
		plainly_take(&fit, limit_s);
		ck_assert_int_eq(lw_profile_take(&profile, fit.start_s, fit.start_s + limit_s,
						 fit.allocs, fit.alloc_count), 0);
	}
	lw_placer_destroy(placer);
	lw_profile_fini(&profile);
	lw_snapshot_fini(&snap);
}
END_TEST

START_TEST(what_is_too_wide_never_fits)
{
	struct prng prng = { 1 };
	struct lw_request req = { .nodes_min = 1, .nodes_max = 1, .cpus_per_node = CPUS + 1,
				  .gpu_type = LW_GPU_ANY };
	struct lw_profile profile = { 0 };
	struct lw_res total[NODES];
	struct lw_profile_fit fit;
	struct lw_placer *placer;
	struct lw_snapshot snap;
	struct lw_room room = { .total = total };

	make_machine(&prng, &snap);
	for (uint32_t node = 0; node < nodes; node++)
		total[node] = snap.nodes[node].total;
	room.candidates = &snap.sets[0].nodes;
	ck_assert_int_eq(lw_placer_create(nodes, &placer), 0);
	ck_assert_int_eq(lw_profile_begin(&profile, &snap), 0);
	ck_assert_int_ne(lw_profile_find(&profile, &room, &req, 0, INT64_MAX, placer, &fit), 0);
	req.cpus_per_node = CPUS;
	ck_assert_int_eq(lw_profile_find(&profile, &room, &req, 0, INT64_MAX, placer, &fit), 0);
	lw_placer_destroy(placer);
	lw_profile_fini(&profile);
	lw_snapshot_fini(&snap);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("policy/profile");
	TCase *tc = tcase_create("profile");

	tcase_add_loop_test(tc, starts_are_the_earliest, 0, 200);
	tcase_add_test(tc, what_is_too_wide_never_fits);
	suite_add_tcase(suite, tc);
	return unit_run(suite);
}
