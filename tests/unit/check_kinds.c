/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of planner/time/kinds.h: nodes of a kind are alike, and plans do not know.
 */
#include "planner/time/profile.h"

#include "property/prng.h"
#include "unit/unit.h"

#include <string.h>

#define NODES  150
#define CPUS   8
#define ROUNDS 12
#define SEEDS  60

static struct lw_snapshot snap;
static struct lw_bitset all;
static struct lw_profile profile;
static struct lw_alloc allocs[NODES];
static struct prng prng;

static void add_job(uint32_t id, uint32_t first, uint32_t count, uint32_t cpus)
{
	struct lw_running job = { .job_id = id, .end_s = prng_between(&prng, 1, 5) * 3600 };

	for (uint32_t i = 0; i < count; i++)
		allocs[i] = (struct lw_alloc){ .node = first + i, .res.cpus = cpus };
	ck_assert_int_eq(lw_snapshot_add_running(&snap, &job, allocs, count, NULL), 0);
}

/* Nodes of two sizes, some idle, some in wide jobs, some with a job each. */
static void make_machine(uint64_t seed)
{
	prng.state = seed;
	lw_snapshot_init(&snap, 0);
	ck_assert_int_eq(lw_bitset_init(&all, NODES), 0);
	lw_bitset_set_all(&all);
	for (uint32_t node = 0; node < NODES; node++) {
		struct lw_res total = { .cpus = node % 10 ? CPUS : 2 * CPUS };

		ck_assert_int_eq(lw_snapshot_add_node(&snap, "n", &total, true, NULL), 0);
	}
	ck_assert_int_eq(lw_snapshot_add_set(&snap, "all", &all, NULL), 0);
	add_job(1, 0, 40, CPUS);
	add_job(2, 30, 30, 2);
	for (uint32_t i = 0; i < 20; i++)
		add_job(3 + i, 60 + 2 * i, 1, prng_between(&prng, 1, CPUS));
	ck_assert_int_eq(lw_profile_begin(&profile, &snap), 0);
}

static void teardown(void)
{
	lw_profile_fini(&profile);
	lw_bitset_fini(&all);
	lw_snapshot_fini(&snap);
}

static uint32_t kinds_in_use(void)
{
	return NODES - profile.kinds.unused_count;
}

static void check_alike(void)
{
	for (uint32_t a = 0; a < NODES; a++) {
		for (uint32_t b = a + 1; b < NODES; b++) {
			const struct lw_line *x = &profile.lines[a], *y = &profile.lines[b];

			if (profile.kinds.of[a] != profile.kinds.of[b])
				continue;
			ck_assert_uint_eq(snap.nodes[a].total.cpus, snap.nodes[b].total.cpus);
			ck_assert_uint_eq(x->count, y->count);
			ck_assert_mem_eq(x->moments, y->moments, x->count * sizeof(*x->moments));
		}
	}
}

/* Take CPUs of some nodes in a row, and perhaps give them back; sometimes of one of them twice.
 */
static void change(void)
{
	uint32_t count = prng_between(&prng, 1, 30), first = prng_between(&prng, 0, NODES - 31);
	uint32_t most = prng_between(&prng, 1, 4);
	int64_t start_s = prng_between(&prng, 0, 12) * 3600;
	int64_t end_s = start_s + prng_between(&prng, 1, 5) * 3600;

	for (uint32_t i = 0; i < count; i++)
		allocs[i] = (struct lw_alloc){ .node = first + i, .res.cpus = i % 7 ? most : 1 };
	if (prng_chance(&prng, 30))
		allocs[count / 2].node = first;
	ck_assert_int_eq(lw_profile_take(&profile, start_s, end_s, allocs, count), 0);
	if (prng_chance(&prng, 40))
		ck_assert_int_eq(lw_profile_give(&profile, start_s, end_s, allocs, count), 0);
}

TEST_EACH(nodes_of_a_kind_are_alike, SEEDS)
{
	make_machine((uint64_t)_i + 1);
	check_alike();
	/* two sizes idle, what the wide jobs hold and share, and at most one for each other job
	 */
	ck_assert_uint_le(kinds_in_use(), 2 + 6 + 20);
	for (uint32_t round = 0; round < ROUNDS; round++) {
		change();
		check_alike();
	}
	ck_assert_uint_lt(kinds_in_use(), NODES);
	teardown();
}

/* As if no node were like another one. */
static void part_all(void)
{
	for (uint32_t node = 0; node < NODES; node++)
		profile.kinds.of[node] = node;
}

/* The first start for what is asked, and on which nodes. */
static int find(const struct lw_request *request, int64_t duration_s, struct lw_placer *placer,
		struct lw_profile_fit *ret_fit)
{
	struct lw_res totals[NODES];
	struct lw_room room = { .total = totals, .candidates = &all };

	for (uint32_t node = 0; node < NODES; node++)
		totals[node] = snap.nodes[node].total;
	ret_fit->start_s = 0;
	return lw_profile_find(&profile, &room, request, duration_s, placer, ret_fit);
}

TEST_EACH(no_start_depends_on_kinds, SEEDS)
{
	struct lw_placer *placer;

	make_machine((uint64_t)_i + 100);
	ck_assert_int_eq(lw_placer_create(NODES, &placer), 0);
	for (uint32_t round = 0; round < ROUNDS; round++) {
		uint32_t least = prng_chance(&prng, 40) ? 1 : prng_between(&prng, 1, 60);
		const struct lw_request request = {
			.gpu_type = LW_GPU_ANY,
			.nodes_min = least,
			.nodes_max = least + prng_between(&prng, 0, 2),
			.cpus_per_node = prng_between(&prng, 1, CPUS),
		};
		int64_t duration_s = prng_between(&prng, 1, 30) * 1800;
		uint32_t of[NODES], count;
		struct lw_profile_fit fit;
		int rc;

		change();
		rc = find(&request, duration_s, placer, &fit);
		count = rc ? 0 : fit.alloc_count;
		memcpy(allocs, fit.allocs, count * sizeof(*allocs));
		memcpy(of, profile.kinds.of, sizeof(of));
		part_all();
		ck_assert_int_eq(find(&request, duration_s, placer, &fit), rc);
		ck_assert_uint_eq(rc ? 0 : fit.alloc_count, count);
		ck_assert_mem_eq(fit.allocs, allocs, count * sizeof(*allocs));
		memcpy(profile.kinds.of, of, sizeof(of));
	}
	lw_placer_destroy(placer);
	teardown();
}
