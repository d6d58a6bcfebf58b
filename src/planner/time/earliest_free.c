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
static const int64_t lengths_s[LW_SOONEST_LENGTHS] = { 0, 3600, 6 * 3600, 24 * 3600 };

/* In 16ths of the CPUs of the largest node; the first means any. */
static const uint32_t shares[LW_SOONEST_AMOUNTS] = { 0, 1, 2, 4, 6, 8, 12, 16 };

void lw_earliest_free_fini(struct lw_earliest_free *earliest_free)
{
	free(earliest_free->node_s);
	free(earliest_free->block_s);
	free(earliest_free->stale);
	memset(earliest_free, 0, sizeof(*earliest_free));
}

static void earliest_free_set_shares(struct lw_earliest_free *earliest_free,
				     const struct lw_snapshot *snap)
{
	uint64_t most = 0;

	earliest_free->gpus = false;
	for (uint32_t node = 0; node < snap->node_count; node++) {
		if (snap->nodes[node].total.cpus > most)
			most = snap->nodes[node].total.cpus;
		earliest_free->gpus |= lw_res_gpus(&snap->nodes[node].total) > 0;
	}
	for (int i = 0; i < LW_SOONEST_AMOUNTS; i++) {
		uint64_t cpus = most * shares[i] / 16;

		earliest_free->cpus[i] = cpus ? (uint32_t)cpus : 1;
	}
}

int lw_earliest_free_begin(struct lw_earliest_free *earliest_free, const struct lw_snapshot *snap)
{
	uint32_t blocks = (snap->node_count + BLOCK - 1) / BLOCK;

	earliest_free->node_count = earliest_free->block_count = 0;
	if (snap->node_count < NODES_MIN)
		return 0;
	if (lw_grow((void **)&earliest_free->node_s, &earliest_free->node_room, snap->node_count,
		    LW_SOONEST_ROWS * sizeof(*earliest_free->node_s)) ||
	    lw_grow((void **)&earliest_free->block_s, &earliest_free->block_room, blocks,
		    LW_SOONEST_ROWS * sizeof(*earliest_free->block_s)) ||
	    lw_grow((void **)&earliest_free->stale, &earliest_free->stale_room, blocks,
		    LW_SOONEST_ROWS * sizeof(*earliest_free->stale)))
		return -ENOMEM;
	earliest_free->node_count = snap->node_count;
	earliest_free->block_count = blocks;
	memset(earliest_free->node_s, 0,
	       (size_t)LW_SOONEST_ROWS * snap->node_count * sizeof(int64_t));
	memset(earliest_free->block_s, 0, (size_t)LW_SOONEST_ROWS * blocks * sizeof(int64_t));
	memset(earliest_free->stale, true, (size_t)LW_SOONEST_ROWS * blocks);
	earliest_free_set_shares(earliest_free, snap);
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

/* The row of LEVEL, which is 1 or more. */
static uint32_t earliest_free_row_of(bool gpus, uint32_t level, uint32_t length)
{
	return ((gpus ? LW_SOONEST_AMOUNTS : 0) + level - 1) * LW_SOONEST_LENGTHS + length;
}

/*
 * A job may take thousands of nodes, and few rows are asked before the next one does. So the
 * least of a block is counted anew only when it is asked.
 */
static void earliest_free_set_time(struct lw_earliest_free *earliest_free, uint32_t row,
				   uint32_t node, int64_t time_s)
{
	int64_t *node_s = earliest_free->node_s + (size_t)row * earliest_free->node_count + node;
	size_t block = (size_t)row * earliest_free->block_count + node / BLOCK;

	if (*node_s < time_s)
		earliest_free->stale[block] = true;
	*node_s = time_s;
	if (time_s < earliest_free->block_s[block])
		earliest_free->block_s[block] = time_s;
}

static bool earliest_free_has_level(const struct lw_earliest_free *earliest_free,
				    const struct lw_res *free, bool gpus, uint32_t level)
{
	return gpus ? earliest_free_most_gpus(free) >= level
		    : free->cpus >= earliest_free->cpus[level - 1];
}

/* Of several levels of equally many CPUs the last one is asked. */
static bool earliest_free_is_asked(const struct lw_earliest_free *earliest_free, uint32_t level)
{
	return level == LW_SOONEST_AMOUNTS ||
	       earliest_free->cpus[level - 1] < earliest_free->cpus[level];
}

/* When the node has LEVEL for each length of time. */
static void earliest_free_set_level(struct lw_earliest_free *earliest_free, uint32_t node,
				    bool gpus, uint32_t level, const struct lw_moment *items,
				    uint32_t count)
{
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
			earliest_free_set_time(earliest_free,
					       earliest_free_row_of(gpus, level, length), node,
					       items[first].time_s);
		first = end + 1;
	}
	for (; length < LW_SOONEST_LENGTHS; length++)
		earliest_free_set_time(earliest_free, earliest_free_row_of(gpus, level, length),
				       node, INT64_MAX);
}

void lw_earliest_free_set(struct lw_earliest_free *earliest_free, uint32_t node,
			  const struct lw_moment *items, uint32_t count)
{
	if (node >= earliest_free->node_count)
		return;
	for (uint32_t level = 1; level <= LW_SOONEST_AMOUNTS; level++) {
		if (earliest_free_is_asked(earliest_free, level))
			earliest_free_set_level(earliest_free, node, false, level, items, count);
		if (earliest_free->gpus)
			earliest_free_set_level(earliest_free, node, true, level, items, count);
	}
}

struct lw_earliest_free_row lw_earliest_free_row(const struct lw_earliest_free *earliest_free,
						 uint32_t cpus, uint32_t gpus, int64_t duration_s)
{
	uint32_t level = earliest_free_level_of(earliest_free, gpus > 0, gpus ? gpus : cpus),
		 length = 0, row;

	if (!earliest_free->node_count || !level)
		return (struct lw_earliest_free_row){ 0 };
	while (length + 1 < LW_SOONEST_LENGTHS && lengths_s[length + 1] <= duration_s)
		length++;
	row = earliest_free_row_of(gpus > 0, level, length);
	return (struct lw_earliest_free_row){
		.node_s = earliest_free->node_s + (size_t)row * earliest_free->node_count,
		.block_s = earliest_free->block_s + (size_t)row * earliest_free->block_count,
		.stale = earliest_free->stale + (size_t)row * earliest_free->block_count,
		.node_count = earliest_free->node_count,
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
