/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the sizes of GPU jobs that came of late, and how often each. */
#include "planner/model/mix.h"

/* A job with a total over an unknown number of nodes is assumed to want nodes of this size. */
#define USUAL_GPUS 8

static uint32_t mix_cut(uint64_t value)
{
	return value < UINT32_MAX ? (uint32_t)value : UINT32_MAX;
}

/* What a job takes of one node; for totals, an equal share. */
static struct lw_mix_size mix_size_of(const struct lw_request *req)
{
	uint32_t nodes = req->nodes_min, gpus = req->gpus_per_node, cpus = req->cpus_per_node;

	if (req->gpus_total > (uint64_t)nodes * gpus) {
		gpus = (req->gpus_total + nodes - 1) / nodes;
		if (gpus > USUAL_GPUS && nodes == 1) {
			nodes = (gpus + USUAL_GPUS - 1) / USUAL_GPUS;
			gpus = USUAL_GPUS;
		}
	}
	if (req->cpus_total > (uint64_t)nodes * cpus)
		cpus = req->cpus_total / nodes;
	return (struct lw_mix_size){
		.nodes = nodes,
		.cpus = cpus,
		.mem_mib = mix_cut((uint64_t)req->mem_per_node_mib +
				   (uint64_t)req->mem_per_cpu_mib * cpus +
				   (uint64_t)req->mem_per_gpu_mib * gpus),
		.gpus = gpus < UINT16_MAX ? (uint16_t)gpus : UINT16_MAX,
		.gpu_type = req->gpu_type,
	};
}

static void mix_forget_a_little(struct lw_mix *mix)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < mix->count; i++) {
		struct lw_mix_size size = mix->sizes[i];

		size.weight -= (size.weight + LW_MIX_MEMORY - 1) / LW_MIX_MEMORY;
		if (size.weight)
			mix->sizes[kept++] = size;
	}
	mix->count = kept;
}

/* The place of SIZE in the mix: its own, a free one, or that of the rarest size. */
static struct lw_mix_size *mix_place_of(struct lw_mix *mix, const struct lw_mix_size *size)
{
	struct lw_mix_size *rarest = &mix->sizes[0];

	for (uint32_t i = 0; i < mix->count; i++) {
		struct lw_mix_size *old = &mix->sizes[i];

		if (old->nodes == size->nodes && old->gpus == size->gpus &&
		    old->gpu_type == size->gpu_type)
			return old;
		if (old->weight < rarest->weight)
			rarest = old;
	}
	if (mix->count < LW_MIX_MAX)
		rarest = &mix->sizes[mix->count++];
	*rarest = *size;
	return rarest;
}

/* Move the mean by an eighth towards the last value. */
static uint32_t mix_drift(uint32_t mean, uint32_t last)
{
	return (uint32_t)(((uint64_t)mean * 7 + last + 4) / 8);
}

void lw_mix_note(struct lw_mix *mix, const struct lw_request *req)
{
	struct lw_mix_size size = mix_size_of(req), *place;

	if (!size.gpus)
		return;
	mix_forget_a_little(mix);
	place = mix_place_of(mix, &size);
	place->cpus = mix_drift(place->cpus, size.cpus);
	place->mem_mib = mix_drift(place->mem_mib, size.mem_mib);
	place->weight += LW_MIX_ONE / LW_MIX_MEMORY;
}
