/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: which GPUs of a simulated node are taken, by number, and what islands are left. */
#include "lab/sim/gpumap.h"

#include <errno.h>
#include <stdlib.h>

#define NO_GPU UINT32_MAX

static uint32_t count_bits(uint64_t bits)
{
	return (uint32_t)__builtin_popcountll(bits);
}

static uint64_t lowest_bits(uint32_t count)
{
	return count < 64 ? (UINT64_C(1) << count) - 1 : UINT64_MAX;
}

/* The free GPUs of the island of NODE that begins with GPU FIRST. */
static uint64_t island_of(const struct lw_gpumap *map, uint32_t node, uint32_t first)
{
	return map->free[node] & lowest_bits(map->island) << first;
}

static void gpumap_tell(const struct lw_gpumap *map, uint32_t node)
{
	uint32_t most = 0;

	for (uint32_t first = 0; first < map->gpus; first += map->island) {
		uint32_t free = count_bits(island_of(map, node, first));

		most = free > most ? free : most;
	}
	lw_snapshot_set_linked(map->snap, node, (uint16_t)most);
}

int lw_gpumap_init(struct lw_gpumap *map, struct lw_snapshot *snap, uint32_t gpus,
		   uint32_t island, uint32_t job_count)
{
	size_t nodes = snap->node_count;

	*map = (struct lw_gpumap){ .snap = snap, .gpus = gpus, .island = island };
	map->free = calloc(nodes + 1, sizeof(*map->free));
	map->first = calloc((size_t)job_count + 1, sizeof(*map->first));
	map->next = calloc(nodes * gpus + 1, sizeof(*map->next));
	if (!map->free || !map->first || !map->next) {
		lw_gpumap_fini(map);
		return -ENOMEM;
	}
	for (uint32_t job = 0; job < job_count; job++)
		map->first[job] = NO_GPU;
	for (uint32_t node = 0; node < nodes; node++) {
		map->free[node] = lowest_bits(gpus);
		gpumap_tell(map, node);
	}
	return 0;
}

void lw_gpumap_fini(struct lw_gpumap *map)
{
	free(map->free);
	free(map->first);
	free(map->next);
	*map = (struct lw_gpumap){ 0 };
}

/* The free GPUs to take COUNT from, the lowest first. */
static uint64_t gpumap_choose(const struct lw_gpumap *map, uint32_t node, uint32_t count)
{
	for (uint32_t first = 0; first < map->gpus; first += map->island) {
		if (count_bits(island_of(map, node, first)) >= count)
			return island_of(map, node, first);
	}
	return map->free[node];
}

void lw_gpumap_take(struct lw_gpumap *map, uint32_t job, const struct lw_alloc *allocs,
		    uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		uint32_t node = allocs[i].node, want = lw_res_gpus(&allocs[i].res);
		uint64_t from = gpumap_choose(map, node, want);

		for (; want && from; want--, from &= from - 1) {
			uint32_t gpu = count_bits((from & -from) - 1);

			map->free[node] &= ~(from & -from);
			map->next[node * map->gpus + gpu] = map->first[job];
			map->first[job] = node * map->gpus + gpu;
		}
		gpumap_tell(map, node);
	}
}

void lw_gpumap_pass(struct lw_gpumap *map, uint32_t holder, uint32_t heir)
{
	map->first[heir] = map->first[holder];
	map->first[holder] = NO_GPU;
}

void lw_gpumap_give(struct lw_gpumap *map, uint32_t job)
{
	while (map->first[job] != NO_GPU) {
		uint32_t node = map->first[job] / map->gpus, gpu = map->first[job] % map->gpus;

		map->free[node] |= UINT64_C(1) << gpu;
		map->first[job] = map->next[map->first[job]];
		gpumap_tell(map, node);
	}
}
