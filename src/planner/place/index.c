/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: nodes in order of what is free on them, so that the best fit is found first. */
#include "planner/place/index.h"

#include "base/search.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define ORDERS (LW_GPU_TYPES_MAX + 1)
#define GPUS_MAX 0x7ffu
#define CPUS_MAX 0xfffffu

struct order {
	uint64_t *keys; /* ascending; the low half is the node */
	uint32_t count;
};

struct lw_index {
	struct order orders[ORDERS]; /* by type + 1: LW_GPU_ANY comes first */
	uint32_t node_count;
	uint32_t gpu_types;
};

int lw_index_create(uint32_t node_count, struct lw_index **ret_index)
{
	struct lw_index *index = calloc(1, sizeof(*index));

	if (!index)
		return -ENOMEM;
	index->node_count = node_count;
	for (int i = 0; i < ORDERS; i++) {
		index->orders[i].keys = calloc((size_t)node_count + 1, sizeof(uint64_t));
		if (!index->orders[i].keys) {
			lw_index_destroy(index);
			return -ENOMEM;
		}
	}
	*ret_index = index;
	return 0;
}

void lw_index_destroy(struct lw_index *index)
{
	if (!index)
		return;
	for (int i = 0; i < ORDERS; i++)
		free(index->orders[i].keys);
	free(index);
}

static uint64_t index_pack(uint32_t gpus, uint32_t cpus, uint32_t node)
{
	uint64_t g = gpus < GPUS_MAX ? gpus : GPUS_MAX, c = cpus < CPUS_MAX ? cpus : CPUS_MAX;

	return g << 52 | c << 32 | node;
}

uint64_t lw_index_key(const struct lw_res *free, const struct lw_res *total, int type,
		      uint32_t node)
{
	uint32_t gpus;

	if (type >= 0)
		gpus = free->gpus[type];
	else
		gpus = lw_res_gpus(total) ? 1 + lw_res_gpus(free) : 0;
	return index_pack(gpus, free->cpus, node);
}

uint64_t lw_index_floor(uint32_t gpus, uint32_t cpus)
{
	return index_pack(gpus, cpus, 0);
}

uint32_t lw_index_key_gpus(uint64_t key)
{
	return (uint32_t)(key >> 52) & GPUS_MAX;
}

uint32_t lw_index_key_cpus(uint64_t key)
{
	return (uint32_t)(key >> 32) & CPUS_MAX;
}

static bool index_listed(const struct lw_res *total, int type)
{
	return type < 0 || total->gpus[type];
}

static int index_ascending(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

void lw_index_build(struct lw_index *index, const struct lw_res *free,
		    const struct lw_res *total, uint32_t gpu_types)
{
	index->gpu_types = gpu_types < LW_GPU_TYPES_MAX ? gpu_types : LW_GPU_TYPES_MAX;
	for (int type = LW_GPU_ANY; type < (int)index->gpu_types; type++) {
		struct order *order = &index->orders[type + 1];

		order->count = 0;
		for (uint32_t node = 0; node < index->node_count; node++) {
			if (index_listed(&total[node], type))
				order->keys[order->count++] =
					lw_index_key(&free[node], &total[node], type, node);
		}
		qsort(order->keys, order->count, sizeof(*order->keys), index_ascending);
	}
}

/* The first position with a key not below KEY. */
static uint32_t index_lower_bound(const struct order *order, uint64_t key)
{
	uint32_t at;

	LW_SEARCH(at, order->count, order->keys[at] < key);
	return at;
}

static void index_move_key(struct order *order, uint64_t before, uint64_t after)
{
	uint32_t from = index_lower_bound(order, before), to = index_lower_bound(order, after);
	uint64_t *keys = order->keys;

	if (from == order->count || keys[from] != before)
		return;
	if (to > from) {
		to--;
		memmove(keys + from, keys + from + 1, (to - from) * sizeof(*keys));
	} else {
		memmove(keys + to + 1, keys + to, (from - to) * sizeof(*keys));
	}
	keys[to] = after;
}

void lw_index_update(struct lw_index *index, uint32_t node, const struct lw_res *total,
		     const struct lw_res *before, const struct lw_res *after)
{
	for (int type = LW_GPU_ANY; type < (int)index->gpu_types; type++) {
		if (index_listed(total, type))
			index_move_key(&index->orders[type + 1],
				       lw_index_key(before, total, type, node),
				       lw_index_key(after, total, type, node));
	}
}

uint32_t lw_index_find(const struct lw_index *index, int type, uint32_t gpus, uint32_t cpus)
{
	return index_lower_bound(&index->orders[type + 1], index_pack(gpus, cpus, 0));
}

bool lw_index_node(const struct lw_index *index, int type, uint32_t pos, uint32_t *ret_node)
{
	const struct order *order = &index->orders[type + 1];

	if (pos >= order->count)
		return false;
	*ret_node = (uint32_t)order->keys[pos];
	return true;
}

uint32_t lw_index_count(const struct lw_index *index, int type)
{
	return index->orders[type + 1].count;
}

bool lw_index_key_at(const struct lw_index *index, int type, uint32_t pos, uint64_t *ret_key)
{
	const struct order *order = &index->orders[type + 1];

	if (pos >= order->count)
		return false;
	*ret_key = order->keys[pos];
	return true;
}
