/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of planner/time/earliest_free: how soon so much may be free for so long. */
#include "planner/time/earliest_free.h"

#include "property/prng.h"
#include "unit/unit.h"

#include <string.h>

#define NODES 200
#define NOW   100000
#define HOUR  3600
#define NEVER INT64_MAX

static void make_snapshot(struct lw_snapshot *snap, uint32_t nodes)
{
	struct lw_res total = { .cpus = 64 };

	lw_snapshot_init(snap, NOW);
	total.gpus[lw_snapshot_gpu_type(snap, "gpu")] = 8;
	for (uint32_t i = 0; i < nodes; i++)
		ck_assert_int_eq(lw_snapshot_add_node(snap, "n", &total, true, NULL), 0);
}

static struct lw_moment moment(int64_t time_s, uint32_t cpus, uint16_t gpus)
{
	return (struct lw_moment){ time_s, { .cpus = cpus, .gpus = { gpus } } };
}

/* Two CPUs now, a hole of two hours, and from hour 5 on half of the node. */
static const struct {
	uint32_t cpus, gpus;
	int64_t duration_s, earliest_free_s;
} asked[] = {
	{ 1, 0, 60, NOW },
	{ 2, 0, 60, NOW },
	{ 3, 0, 60, NOW },                  /* as one that needs any at all */
	{ 4, 0, 60, NOW + HOUR },           /* a 16th */
	{ 4, 0, HOUR, NOW + HOUR },
	{ 4, 0, 6 * HOUR, NOW + 5 * HOUR }, /* longer than the hole */
	{ 32, 0, 30 * HOUR, NOW + 5 * HOUR },
	{ 64, 0, 60, NEVER },
	{ 1, 1, 60, NOW + HOUR },           /* by GPUs */
	{ 1, 4, HOUR, NOW + HOUR },
	{ 1, 4, 7 * HOUR, NOW + 5 * HOUR },
	{ 1, 5, 60, NOW + 5 * HOUR },
	{ 1, 7, 60, NEVER },
};

TEST_EACH(holes_count_if_they_last, LW_COUNT_OF(asked))
{
	const struct lw_moment moments[] = {
		moment(NOW, 2, 0),
		moment(NOW + HOUR, 40, 4),
		moment(NOW + 3 * HOUR, 2, 0),
		moment(NOW + 5 * HOUR, 32, 6),
	};
	struct lw_earliest_free earliest_free = { 0 };
	struct lw_snapshot snap;
	struct lw_earliest_free_row row;

	make_snapshot(&snap, NODES);
	lw_earliest_free_begin(&earliest_free, &snap);
	row = lw_earliest_free_row(&earliest_free, asked[_i].cpus, asked[_i].gpus,
				   asked[_i].duration_s);
	ck_assert_ptr_nonnull(row.node_s);
	ck_assert(row.fresh);
	ck_assert_int_eq(row.node_s[70], 0);
	lw_earliest_free_fill(&earliest_free, &row, 70, moments, LW_COUNT_OF(moments));
	ck_assert_int_eq(row.node_s[70], asked[_i].earliest_free_s);
	lw_earliest_free_fini(&earliest_free);
	lw_snapshot_fini(&snap);
}

/* NODE is free from a time on. */
static void come_free(struct prng *prng, struct lw_earliest_free *earliest_free, uint32_t node,
		      const struct lw_earliest_free_row *row)
{
	int64_t free_s = NOW + prng_between(prng, 1, 1000);
	struct lw_moment moments[] = { moment(NOW, 0, 0), moment(free_s, 64, 8) };

	lw_earliest_free_set(earliest_free, node, moments, LW_COUNT_OF(moments));
	ck_assert_int_eq(row->node_s[node], free_s);
}

/* Nodes come and go; the next of them is as if each had been asked. */
TEST_EACH(nodes_are_skipped_by_blocks, 20)
{
	struct prng prng = { (uint64_t)_i + 1 };
	struct lw_earliest_free earliest_free = { 0 };
	struct lw_snapshot snap;
	struct lw_earliest_free_row row;
	struct lw_bitset nodes;

	make_snapshot(&snap, NODES);
	lw_earliest_free_begin(&earliest_free, &snap);
	ck_assert_int_eq(lw_bitset_init(&nodes, NODES), 0);
	row = lw_earliest_free_row(&earliest_free, 64, 0, 60);
	for (uint32_t i = 0; i < 3 * NODES; i++) {
		uint32_t node = i < NODES ? i : prng_between(&prng, 0, NODES - 1);

		come_free(&prng, &earliest_free, node, &row);
		if (prng_chance(&prng, 70))
			lw_bitset_set(&nodes, node);
	}
	for (uint32_t k = 0; k < 500; k++) {
		int64_t limit_s = NOW + prng_between(&prng, 0, k % 2 ? 20 : 1000);
		uint32_t from = prng_between(&prng, 0, NODES), next = from;

		come_free(&prng, &earliest_free, prng_between(&prng, 0, NODES - 1), &row);
		while (next < NODES &&
		       (!lw_bitset_test(&nodes, next) || row.node_s[next] >= limit_s))
			next++;
		ck_assert_uint_eq(lw_earliest_free_next(&row, &nodes, from, limit_s), next);
	}
	lw_bitset_fini(&nodes);
	lw_earliest_free_fini(&earliest_free);
	lw_snapshot_fini(&snap);
}

TEST(few_nodes_have_no_rows)
{
	struct lw_earliest_free earliest_free = { 0 };
	struct lw_snapshot snap;
	struct lw_bitset nodes;
	struct lw_earliest_free_row row;

	make_snapshot(&snap, 3);
	lw_earliest_free_begin(&earliest_free, &snap);
	ck_assert_int_eq(lw_bitset_init(&nodes, 3), 0);
	lw_bitset_set(&nodes, 1);
	row = lw_earliest_free_row(&earliest_free, 64, 0, 60);
	ck_assert_ptr_null(row.node_s);
	ck_assert_uint_eq(lw_earliest_free_next(&row, &nodes, 0, NOW), 1);
	ck_assert_uint_eq(lw_earliest_free_next(&row, &nodes, 2, NOW), 3);
	lw_bitset_fini(&nodes);
	lw_earliest_free_fini(&earliest_free);
	lw_snapshot_fini(&snap);
}
