/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: by node, the earliest time at which amounts could be free for a duration. */
#include "planner/time/earliest_free.h"

#include "base/grow.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK LW_SOONEST_BLOCK
/* With fewer nodes, the nodes themselves are asked. */
#define NODES_MIN (2 * BLOCK)

/* An idle node has any of these; other nodes fill up and come free by the hour. */
static const int64_t lengths_s[LW_SOONEST_LENGTHS] = {
	0, 3600, 2 * 3600, 4 * 3600, 8 * 3600, 12 * 3600, 16 * 3600, 24 * 3600,
};

/* In 16ths of the CPUs of the largest node; the first means any. */
static const uint32_t shares[LW_SOONEST_AMOUNTS] = { 0, 1, 2, 4, 6, 8, 12, 16 };

void lw_earliest_free_fini(struct lw_earliest_free *earliest_free)
{
	for (uint32_t i = 0; i < 2 * LW_SOONEST_AMOUNTS; i++) {
		struct lw_earliest_free_amount *amount = &earliest_free->amounts[0][0] + i;

		free(amount->node_s);
		free(amount->block_s);
		free(amount->stale);
	}
	memset(earliest_free, 0, sizeof(*earliest_free));
}

static void earliest_free_set_shares(struct lw_earliest_free *earliest_free,
				     const struct lw_snapshot *snap)
{
	uint64_t most = 0;

	for (uint32_t node = 0; node < snap->node_count; node++)
		if (snap->nodes[node].total.cpus > most)
			most = snap->nodes[node].total.cpus;
	for (int i = 0; i < LW_SOONEST_AMOUNTS; i++) {
		uint64_t cpus = most * shares[i] / 16;

		earliest_free->cpus[i] = cpus ? (uint32_t)cpus : 1;
	}
}

void lw_earliest_free_begin(struct lw_earliest_free *earliest_free,
			    const struct lw_snapshot *snap)
{
	for (uint32_t i = 0; i < LW_SOONEST_AMOUNTS; i++)
		earliest_free->amounts[0][i].asked = earliest_free->amounts[1][i].asked = false;
	earliest_free->node_count = earliest_free->block_count = 0;
	if (snap->node_count < NODES_MIN)
		return;
	earliest_free->node_count = snap->node_count;
	earliest_free->block_count = (snap->node_count + BLOCK - 1) / BLOCK;
	earliest_free_set_shares(earliest_free, snap);
}

/* Make the rows of AMOUNT: as far as they know, each node has it at once. */
static int earliest_free_ask(const struct lw_earliest_free *earliest_free,
			     struct lw_earliest_free_amount *amount)
{
	size_t nodes = (size_t)LW_SOONEST_LENGTHS * earliest_free->node_count;
	size_t blocks = (size_t)LW_SOONEST_LENGTHS * earliest_free->block_count;

	if (lw_grow((void **)&amount->node_s, &amount->node_room, earliest_free->node_count,
		    LW_SOONEST_LENGTHS * sizeof(*amount->node_s)) ||
	    lw_grow((void **)&amount->block_s, &amount->block_room, earliest_free->block_count,
		    LW_SOONEST_LENGTHS * sizeof(*amount->block_s)) ||
	    lw_grow((void **)&amount->stale, &amount->stale_room, earliest_free->block_count,
		    LW_SOONEST_LENGTHS * sizeof(*amount->stale)))
		return -ENOMEM;
	memset(amount->node_s, 0, nodes * sizeof(*amount->node_s));
	memset(amount->block_s, 0, blocks * sizeof(*amount->block_s));
	memset(amount->stale, true, blocks * sizeof(*amount->stale));
	amount->asked = true;
	return 0;
}

/* How many of the amounts of GPUs, of one type, or of CPUs are there. */
static uint32_t earliest_free_level_of(const struct lw_earliest_free *earliest_free, bool gpus,
				       uint32_t amount)
{
	uint32_t level = 0;

	if (gpus)
		return amount < LW_SOONEST_AMOUNTS ? amount : LW_SOONEST_AMOUNTS;
	while (level < LW_SOONEST_AMOUNTS && earliest_free->cpus[level] <= amount)
		level++;
	return level;
}

static uint32_t earliest_free_most_gpus(const struct lw_res *free)
{
	uint32_t most = 0;

	for (int type = 0; type < LW_GPU_TYPES_MAX; type++)
		most = free->gpus[type] > most ? free->gpus[type] : most;
	return most;
}

/*
 * A job may take thousands of nodes, and few rows are asked before the next one does. So the
 * least of a block is counted anew only when it is asked.
 */
static void earliest_free_set_time(const struct lw_earliest_free *earliest_free,
				   const struct lw_earliest_free_amount *amount, uint32_t length,
				   uint32_t node, int64_t time_s)
{
	int64_t *node_s = amount->node_s + (size_t)length * earliest_free->node_count + node;
	size_t block = (size_t)length * earliest_free->block_count + node / BLOCK;

	if (*node_s < time_s)
		amount->stale[block] = true;
	*node_s = time_s;
	if (time_s < amount->block_s[block])
		amount->block_s[block] = time_s;
}

static bool earliest_free_has_level(const struct lw_earliest_free *earliest_free,
				    const struct lw_res *free, bool gpus, uint32_t level)
{
	return gpus ? earliest_free_most_gpus(free) >= level
		    : free->cpus >= earliest_free->cpus[level - 1];
}

/* When the node has LEVEL for each length of time. */
static void earliest_free_set_level(struct lw_earliest_free *earliest_free, uint32_t node,
				    bool gpus, uint32_t level, const struct lw_moment *items,
				    uint32_t count)
{
	const struct lw_earliest_free_amount *amount = &earliest_free->amounts[gpus][level - 1];
	uint32_t length = 0, first = 0;

	while (first < count && length < LW_SOONEST_LENGTHS) {
		uint32_t end = first;
		int64_t lasts_s;

		while (end < count &&
		       earliest_free_has_level(earliest_free, &items[end].free, gpus, level))
			end++;
		lasts_s = end < count ? items[end].time_s - items[first].time_s : INT64_MAX;
		for (; end > first && length < LW_SOONEST_LENGTHS && lengths_s[length] <= lasts_s;
		     length++)
			earliest_free_set_time(earliest_free, amount, length, node,
					       items[first].time_s);
		first = end + 1;
	}
	for (; length < LW_SOONEST_LENGTHS; length++)
		earliest_free_set_time(earliest_free, amount, length, node, INT64_MAX);
}

void lw_earliest_free_set(struct lw_earliest_free *earliest_free, uint32_t node,
			  const struct lw_moment *items, uint32_t count)
{
	if (node >= earliest_free->node_count)
		return;
	for (uint32_t level = 1; level <= LW_SOONEST_AMOUNTS; level++) {
		if (earliest_free->amounts[0][level - 1].asked)
			earliest_free_set_level(earliest_free, node, false, level, items, count);
		if (earliest_free->amounts[1][level - 1].asked)
			earliest_free_set_level(earliest_free, node, true, level, items, count);
	}
}

void lw_earliest_free_fill(struct lw_earliest_free *earliest_free,
			   const struct lw_earliest_free_row *row, uint32_t node,
			   const struct lw_moment *items, uint32_t count)
{
	earliest_free_set_level(earliest_free, node, row->gpus, row->level, items, count);
}

struct lw_earliest_free_row lw_earliest_free_row(struct lw_earliest_free *earliest_free,
						 uint32_t cpus, uint32_t gpus, int64_t duration_s)
{
	uint32_t level = earliest_free_level_of(earliest_free, gpus > 0, gpus ? gpus : cpus),
		 length = 0;
	struct lw_earliest_free_amount *amount;
	bool fresh;

	if (!earliest_free->node_count || !level)
		return (struct lw_earliest_free_row){ 0 };
	amount = &earliest_free->amounts[gpus > 0][level - 1];
	fresh = !amount->asked;
	if (fresh && earliest_free_ask(earliest_free, amount))
		return (struct lw_earliest_free_row){ 0 };
	while (length + 1 < LW_SOONEST_LENGTHS && lengths_s[length + 1] <= duration_s)
		length++;
	return (struct lw_earliest_free_row){
		.node_s = amount->node_s + (size_t)length * earliest_free->node_count,
		.block_s = amount->block_s + (size_t)length * earliest_free->block_count,
		.stale = amount->stale + (size_t)length * earliest_free->block_count,
		.node_count = earliest_free->node_count,
		.fresh = fresh,
		.gpus = gpus > 0,
		.level = level,
	};
}

/* The least of a block, up to date. */
static int64_t earliest_free_block_s(const struct lw_earliest_free_row *row, uint32_t block)
{
	uint32_t end = (block + 1) * BLOCK;
	int64_t least_s = INT64_MAX;

	if (!row->stale[block])
		return row->block_s[block];
	for (uint32_t node = block * BLOCK; node < end && node < row->node_count; node++)
		least_s = row->node_s[node] < least_s ? row->node_s[node] : least_s;
	row->block_s[block] = least_s;
	row->stale[block] = false;
	return least_s;
}

uint32_t lw_earliest_free_next(const struct lw_earliest_free_row *row,
			       const struct lw_bitset *nodes, uint32_t from, int64_t limit_s)
{
	uint32_t node = lw_bitset_next(nodes, from);

	for (; row->node_s && node < nodes->bits; node = lw_bitset_next(nodes, node + 1)) {
		/* none of its block: on with the next one */
		if (earliest_free_block_s(row, node / BLOCK) >= limit_s)
			node |= BLOCK - 1;
		else if (row->node_s[node] < limit_s)
			break;
	}
	return node < nodes->bits ? node : nodes->bits;
}
