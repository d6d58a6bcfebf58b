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

static struct lw_bitset all;
static struct lw_alloc allocs[NODES];
static struct prng prng;

/* One with nodes of some kinds, and one with each node of a kind of its own. */
static struct machine {
	struct lw_snapshot snap;
	struct lw_profile profile;
} alike, apart;

static void add_job(uint32_t id, uint32_t first, uint32_t count, uint32_t cpus)
{
	struct lw_running job = { .job_id = id, .end_s = prng_between(&prng, 1, 5) * 3600 };

	for (uint32_t i = 0; i < count; i++)
		allocs[i] = (struct lw_alloc){ .node = first + i, .res.cpus = cpus };
	ck_assert_int_eq(lw_snapshot_add_running(&alike.snap, &job, allocs, count, NULL), 0);
	ck_assert_int_eq(lw_snapshot_add_running(&apart.snap, &job, allocs, count, NULL), 0);
}

/* Their memory tells nodes apart, and no job asks for any. */
static void make_nodes(struct machine *machine, bool differ)
{
	lw_snapshot_init(&machine->snap, 0);
	for (uint32_t node = 0; node < NODES; node++) {
		struct lw_res total = { .cpus = node % 10 ? CPUS : 2 * CPUS };

		total.mem_mib = differ ? node + 1 : 1;
		ck_assert_int_eq(lw_snapshot_add_node(&machine->snap, "n", &total, true, NULL),
				 0);
	}
	ck_assert_int_eq(lw_snapshot_add_set(&machine->snap, "all", &all, NULL), 0);
}

/* Nodes of two sizes, some idle, some in wide jobs, some with a job each. */
static void make_machines(uint64_t seed)
{
	prng.state = seed;
	ck_assert_int_eq(lw_bitset_init(&all, NODES), 0);
	lw_bitset_set_all(&all);
	make_nodes(&alike, false);
	make_nodes(&apart, true);
	add_job(1, 0, 40, CPUS);
	add_job(2, 30, 30, 2);
	for (uint32_t i = 0; i < 20; i++)
		add_job(3 + i, 60 + 2 * i, 1, prng_between(&prng, 1, CPUS));
	ck_assert_int_eq(lw_profile_begin(&alike.profile, &alike.snap), 0);
	ck_assert_int_eq(lw_profile_begin(&apart.profile, &apart.snap), 0);
}

static void teardown(void)
{
	lw_profile_fini(&alike.profile);
	lw_profile_fini(&apart.profile);
	lw_snapshot_fini(&alike.snap);
	lw_snapshot_fini(&apart.snap);
	lw_bitset_fini(&all);
}

static uint32_t kinds_in_use(const struct machine *machine)
{
	return NODES - machine->profile.kinds.unused_count;
}

static const struct lw_line *line_of(const struct machine *machine, uint32_t node)
{
	return &machine->profile.lines[machine->profile.kinds.of[node]];
}

/* On each node is free what is free there where no other node is like it. */
static void check_lines(void)
{
	ck_assert_uint_eq(kinds_in_use(&apart), NODES);
	for (uint32_t node = 0; node < NODES; node++) {
		const struct lw_line *x = line_of(&alike, node), *y = line_of(&apart, node);

		ck_assert_uint_eq(x->count, y->count);
		for (uint32_t i = 0; i < x->count; i++) {
			ck_assert_int_eq(x->moments[i].time_s, y->moments[i].time_s);
			ck_assert_uint_eq(x->moments[i].free.cpus, y->moments[i].free.cpus);
		}
		ck_assert_int_eq(x->over != NULL, y->over != NULL);
		for (uint32_t i = 0; x->over && i < x->count; i++)
			ck_assert_uint_eq(x->over[i].cpus, y->over[i].cpus);
	}
}

/* The nodes of each kind are listed in order, each once. */
static void check_lists(void)
{
	const struct lw_kinds *kinds = &alike.profile.kinds;
	uint32_t kind, nodes = 0;

	lw_bitset_foreach(&kinds->used, kind)
	{
		uint32_t count = 0, before = LW_NO_NODE;

		for (uint32_t node = kinds->kinds[kind].first; node != LW_NO_NODE;
		     node = kinds->after[node]) {
			ck_assert_uint_eq(kinds->of[node], kind);
			ck_assert_uint_eq(kinds->before[node], before);
			ck_assert(before == LW_NO_NODE || before < node);
			before = node;
			count++;
		}
		ck_assert_uint_eq(kinds->kinds[kind].last, before);
		ck_assert_uint_eq(kinds->kinds[kind].nodes, count);
		nodes += count;
	}
	ck_assert_uint_eq(nodes, NODES);
}

static void change_one(struct machine *machine, int64_t start_s, int64_t end_s, uint32_t count,
		       bool give)
{
	ck_assert_int_eq(lw_profile_take(&machine->profile, start_s, end_s, allocs, count), 0);
	if (give)
		ck_assert_int_eq(
			lw_profile_give(&machine->profile, start_s, end_s, allocs, count), 0);
}

/*
 * Take CPUs of some nodes in a row, and perhaps give them back; sometimes of one of them twice,
 * or in the opposite order.
 */
static void change(void)
{
	uint32_t count = prng_between(&prng, 1, 30), first = prng_between(&prng, 0, NODES - 31);
	uint32_t most = prng_between(&prng, 1, 4);
	int64_t start_s = prng_between(&prng, 0, 12) * 3600;
	int64_t end_s = start_s + prng_between(&prng, 1, 5) * 3600;
	bool give = prng_chance(&prng, 40), backwards = prng_chance(&prng, 20);

	for (uint32_t i = 0; i < count; i++)
		allocs[i] = (struct lw_alloc){
			.node = first + (backwards ? count - 1 - i : i),
			.res.cpus = i % 7 ? most : 1,
		};
	if (prng_chance(&prng, 30))
		allocs[count / 2].node = allocs[0].node;
	change_one(&alike, start_s, end_s, count, give);
	change_one(&apart, start_s, end_s, count, give);
}

TEST_EACH(nodes_of_a_kind_are_alike, SEEDS)
{
	make_machines((uint64_t)_i + 1);
	check_lines();
	check_lists();
	/* two sizes idle, what the wide jobs hold and share, and at most one for each other job
	 */
	ck_assert_uint_le(kinds_in_use(&alike), 2 + 6 + 20);
	for (uint32_t round = 0; round < ROUNDS; round++) {
		change();
		check_lines();
		check_lists();
	}
	ck_assert_uint_lt(kinds_in_use(&alike), NODES);
	teardown();
}

/* The first start for what is asked, and on which nodes. */
static int find(struct machine *machine, const struct lw_request *request,
		const struct lw_bitset *candidates, int64_t duration_s, struct lw_placer *placer,
		struct lw_profile_fit *ret_fit)
{
	struct lw_res totals[NODES];
	struct lw_room room = { .total = totals, .candidates = candidates };

	for (uint32_t node = 0; node < NODES; node++)
		totals[node] = machine->snap.nodes[node].total;
	ret_fit->start_s = 0;
	return lw_profile_find(&machine->profile, &room, request, duration_s, placer, ret_fit);
}

/* Nodes of a number each, or CPUs in all. */
static struct lw_request draw_request(void)
{
	uint32_t least = prng_chance(&prng, 40) ? 1 : prng_between(&prng, 1, 60);
	struct lw_request request = {
		.gpu_type = LW_GPU_ANY,
		.nodes_min = least,
		.nodes_max = least + prng_between(&prng, 0, 2),
		.cpus_per_node = prng_between(&prng, 1, CPUS),
	};

	if (prng_chance(&prng, 30))
		request.cpus_total = least * CPUS;
	return request;
}

TEST_EACH(no_start_depends_on_kinds, SEEDS)
{
	struct lw_placer *placer;
	struct lw_bitset some;

	make_machines((uint64_t)_i + 100);
	ck_assert_int_eq(lw_placer_create(NODES, &placer), 0);
	ck_assert_int_eq(lw_bitset_init(&some, NODES), 0);
	for (uint32_t node = 0; node < NODES; node += 1 + prng_chance(&prng, 30))
		lw_bitset_set(&some, node);
	for (uint32_t round = 0; round < ROUNDS; round++) {
		const struct lw_bitset *candidates = prng_chance(&prng, 50) ? &all : &some;
		const struct lw_request request = draw_request();
		int64_t duration_s = prng_between(&prng, 1, 30) * 1800;
		struct lw_profile_fit fit;
		int64_t start_s;
		uint32_t count;
		int rc;

		change();
		rc = find(&alike, &request, candidates, duration_s, placer, &fit);
		start_s = fit.start_s;
		count = rc ? 0 : fit.alloc_count;
		memcpy(allocs, fit.allocs, count * sizeof(*allocs));
		ck_assert_int_eq(find(&apart, &request, candidates, duration_s, placer, &fit),
				 rc);
		ck_assert_int_eq(fit.start_s, start_s);
		ck_assert_uint_eq(rc ? 0 : fit.alloc_count, count);
		ck_assert_mem_eq(fit.allocs, allocs, count * sizeof(*allocs));
	}
	lw_bitset_fini(&some);
	lw_placer_destroy(placer);
	teardown();
}
