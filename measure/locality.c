/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: how near together jobs were put, and how broken up the free GPUs were. */
#include "measure/locality.h"

#include <stdlib.h>

static struct lw_res free_on(const struct lw_snapshot *snap, uint32_t node)
{
	struct lw_res free = snap->nodes[node].total;

	lw_res_sub(&free, &snap->used[node]);
	return free;
}

/* How many times the job's share of a node fits into FREE; its GPUs are of any type. */
static uint32_t locality_fits(const struct lw_request *req, const struct lw_res *free)
{
	uint32_t times = lw_res_gpus(free) / (req->gpus_per_node ? req->gpus_per_node : 1);

	if (req->cpus_per_node && free->cpus / req->cpus_per_node < times)
		times = free->cpus / req->cpus_per_node;
	if (req->mem_per_node_mib && free->mem_mib / req->mem_per_node_mib < times)
		times = free->mem_mib / req->mem_per_node_mib;
	return times;
}

static int falling(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return x < y ? 1 : x > y ? -1 : 0;
}

/* The fewest domains that have WANT nodes for the job: the largest first. */
static uint32_t fewest_domains(const struct lw_snapshot *snap, const struct lw_request *req,
			       uint32_t want)
{
	uint32_t *serving = calloc((size_t)snap->domains.count + 1, sizeof(*serving));
	uint32_t used = 0, found = 0;

	if (!serving)
		return 0;
	for (uint32_t node = 0; node < snap->node_count; node++) {
		struct lw_res free = free_on(snap, node);
		uint32_t domain = lw_domain_of(&snap->domains, node);

		if (domain != LW_NO_DOMAIN && locality_fits(req, &free))
			serving[domain]++;
	}
	qsort(serving, snap->domains.count, sizeof(*serving), falling);
	while (used < snap->domains.count && found < want)
		found += serving[used++];
	free(serving);
	return used;
}

static uint32_t count_domains(const struct lw_snapshot *snap, const struct lw_alloc *allocs,
			      uint32_t count)
{
	uint32_t used = 0;

	for (uint32_t i = 0; i < count; i++) {
		uint32_t domain = lw_domain_of(&snap->domains, allocs[i].node);
		bool seen = false;

		for (uint32_t j = 0; j < i && !seen; j++)
			seen = lw_domain_of(&snap->domains, allocs[j].node) == domain;
		used += !seen;
	}
	return used;
}

static void note_gang(struct lw_locality *locality, const struct lw_snapshot *snap,
		      const struct lw_request *req, const struct lw_alloc *allocs,
		      uint32_t count)
{
	uint32_t used = count_domains(snap, allocs, count);
	uint32_t least = fewest_domains(snap, req, count);

	locality->gangs++;
	locality->holdable += least == 1;
	locality->held += least == 1 && used == 1;
	locality->domains += used;
	locality->domains_least += least;
}

/* Do the GPUs that it has of a node come from one island of it? */
static bool is_linked(const struct lw_snapshot *snap, const struct lw_alloc *alloc)
{
	return lw_res_gpus(&alloc->res) <= snap->nodes[alloc->node].linked;
}

static void note_islands(struct lw_locality *locality, const struct lw_snapshot *snap,
			 const struct lw_request *req, const struct lw_alloc *allocs,
			 uint32_t count)
{
	uint32_t serving = 0, held = 0;

	/* with GPUs free it is 0 only where nothing is known of islands */
	if (!snap->nodes[allocs[0].node].linked)
		return;
	for (uint32_t node = 0; node < snap->node_count; node++) {
		struct lw_res free = free_on(snap, node);

		serving += locality_fits(req, &free) &&
			   snap->nodes[node].linked >= req->gpus_per_node;
	}
	for (uint32_t i = 0; i < count; i++)
		held += is_linked(snap, &allocs[i]);
	locality->linkable += serving >= count;
	locality->linked += serving >= count && held == count;
}

static uint32_t gpus_of(const struct lw_alloc *allocs, uint32_t count)
{
	uint32_t gpus = 0;

	for (uint32_t i = 0; i < count; i++)
		gpus += lw_res_gpus(&allocs[i].res);
	return gpus;
}

void lw_locality_placed(void *arg, const struct lw_snapshot *snap, const struct lw_sim_job *job,
			const struct lw_alloc *allocs, uint32_t count)
{
	uint32_t gpus = gpus_of(allocs, count), a_node = 0, least;
	struct lw_locality *locality = arg;

	if (!gpus)
		return;
	for (uint32_t i = 0; i < count; i++) {
		uint32_t has = lw_res_gpus(&snap->nodes[allocs[i].node].total);

		a_node = has > a_node ? has : a_node;
	}
	least = (gpus + a_node - 1) / a_node;
	if (least < job->request.nodes_min)
		least = job->request.nodes_min;
	locality->gpu_jobs++;
	locality->nodes += count;
	locality->nodes_least += least;
	if (count > 1 && snap->domains.count)
		note_gang(locality, snap, &job->request, allocs, count);
	if (job->request.gpus_per_node > 1)
		note_islands(locality, snap, &job->request, allocs, count);
}

void lw_locality_rested(void *arg, const struct lw_snapshot *snap,
			const struct lw_sim_job *next, int64_t until_s)
{
	double seconds = (double)(until_s - snap->now_s);
	struct lw_locality *locality = arg;
	uint64_t all = 0, useless = 0;

	if (!next)
		return;
	for (uint32_t node = 0; node < snap->node_count; node++) {
		struct lw_res free = free_on(snap, node);
		uint32_t gpus = lw_res_gpus(&free);

		all += gpus;
		if (gpus)
			useless += gpus - locality_fits(&next->request, &free) *
						  (next->request.gpus_per_node
							   ? next->request.gpus_per_node
							   : 1);
	}
	locality->any_gpu_s += seconds * (double)all;
	locality->unusable_gpu_s += seconds * (double)useless;
	/* too few altogether is want of GPUs, not that they are broken up */
	if (all < (uint64_t)next->request.nodes_min * next->request.gpus_per_node)
		return;
	locality->free_gpu_s += seconds * (double)all;
	locality->useless_gpu_s += seconds * (double)useless;
}
