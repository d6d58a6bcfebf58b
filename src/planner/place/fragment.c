/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: how many of a node's free GPUs the jobs of the mix could not use. */
#include "planner/place/fragment.h"

#include <string.h>

static bool fragment_is_for(const struct lw_mix_size *size, uint32_t type)
{
	return size->gpu_type == LW_GPU_ANY || size->gpu_type == (int)type;
}

/* The free GPUs that jobs of SIZE would leave idle. */
static uint32_t fragment_idle(const struct lw_mix_size *size, uint32_t gpus, uint32_t cpus,
			      uint32_t mem_mib)
{
	uint32_t jobs = gpus / size->gpus;

	if (size->cpus && cpus / size->cpus < jobs)
		jobs = cpus / size->cpus;
	if (size->mem_mib && mem_mib / size->mem_mib < jobs)
		jobs = mem_mib / size->mem_mib;
	return gpus - jobs * size->gpus;
}

static int64_t fragment_measure(const struct lw_fragment *fragment, uint32_t type, uint32_t gpus,
				uint32_t cpus, uint32_t mem_mib)
{
	int64_t sum = 0;

	for (uint32_t i = 0; i < fragment->mix.count; i++) {
		const struct lw_mix_size *size = &fragment->mix.sizes[i];

		if (fragment_is_for(size, type))
			sum += (int64_t)size->weight * fragment_idle(size, gpus, cpus, mem_mib);
	}
	return sum;
}

static uint32_t fragment_divide_up(uint32_t a, uint32_t b)
{
	return a / b + (a % b != 0);
}

static void fragment_learn_plenty(struct lw_fragment *fragment, uint32_t type)
{
	for (uint32_t i = 0; i < fragment->mix.count; i++) {
		const struct lw_mix_size *size = &fragment->mix.sizes[i];
		uint32_t cpus = fragment_divide_up(size->cpus, size->gpus);
		uint32_t mem_mib = fragment_divide_up(size->mem_mib, size->gpus);

		if (!fragment_is_for(size, type))
			continue;
		if (size->gpu_type != LW_GPU_ANY)
			fragment->named[type] += size->weight;
		if (cpus > fragment->cpus_a_gpu[type])
			fragment->cpus_a_gpu[type] = cpus;
		if (mem_mib > fragment->mem_a_gpu_mib[type])
			fragment->mem_a_gpu_mib[type] = mem_mib;
	}
	for (uint32_t gpus = 0; gpus <= LW_FRAGMENT_GPUS; gpus++)
		fragment->plenty[type][gpus] =
			fragment_measure(fragment, type, gpus, UINT32_MAX, UINT32_MAX);
}

/* A young mix does not have its full weight yet. */
static void fragment_scale_weights(struct lw_mix *mix)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < mix->count; i++)
		sum += mix->sizes[i].weight;
	for (uint32_t i = 0; i < mix->count; i++)
		mix->sizes[i].weight =
			(uint32_t)((uint64_t)mix->sizes[i].weight * LW_MIX_ONE / sum);
}

void lw_fragment_init(struct lw_fragment *fragment, const struct lw_mix *mix, uint32_t types)
{
	memset(fragment, 0, sizeof(*fragment));
	fragment->mix = *mix;
	fragment->types = types < LW_GPU_TYPES_MAX ? types : LW_GPU_TYPES_MAX;
	fragment_scale_weights(&fragment->mix);
	for (uint32_t type = 0; type < fragment->types; type++)
		fragment_learn_plenty(fragment, type);
}

int64_t lw_fragment_of(const struct lw_fragment *fragment, const struct lw_res *free)
{
	int64_t sum = 0;

	for (uint32_t type = 0; type < fragment->types; type++) {
		uint32_t gpus = free->gpus[type];

		if (!gpus)
			continue;
		if (gpus > LW_FRAGMENT_GPUS)
			gpus = LW_FRAGMENT_GPUS;
		if (free->cpus >= (uint64_t)gpus * fragment->cpus_a_gpu[type] &&
		    free->mem_mib >= (uint64_t)gpus * fragment->mem_a_gpu_mib[type])
			sum += fragment->plenty[type][gpus];
		else
			sum += fragment_measure(fragment, type, gpus, free->cpus, free->mem_mib);
	}
	return sum;
}

int64_t lw_fragment_gain(const struct lw_fragment *fragment, const struct lw_res *free,
			 const struct lw_res *give)
{
	struct lw_res after = *free;

	lw_res_sub(&after, give);
	return lw_fragment_of(fragment, &after) - lw_fragment_of(fragment, free);
}
