/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what the nodes have and what is free, kept between tests of starts. */

/* Part of the select plugin: refers to nothing that only slurmctld has. */

#include "slurm/select/fleet.h"

#include "slurm/bits.h"
#include "slurm/query/amounts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define ASK UINT16_MAX
/* In the weight that Slurm gives a node for one job, the last bits say how near its GPUs are. */
#define NEARNESS_BITS 8

void lw_fleet_fini(struct lw_fleet *fleet)
{
	lw_snapshot_fini(&fleet->snap);
	lw_bitset_fini(&fleet->known);
	lw_bitset_fini(&fleet->gpu_nodes);
	lw_bitset_fini(&fleet->dirty);
	lw_grades_fini(&fleet->grades);
	lw_islands_fini(&fleet->islands);
	free(fleet->total);
	free(fleet->used);
	free(fleet->free);
	free(fleet->linked);
	free(fleet->weights);
	free(fleet->graded);
	memset(fleet, 0, sizeof(*fleet));
}

static int fleet_make(struct lw_fleet *fleet, uint32_t node_count)
{
	lw_snapshot_init(&fleet->snap, 0);
	fleet->total = calloc(node_count, sizeof(*fleet->total));
	fleet->used = calloc(node_count, sizeof(*fleet->used));
	fleet->free = calloc(node_count, sizeof(*fleet->free));
	fleet->linked = calloc(node_count, sizeof(*fleet->linked));
	fleet->weights = calloc(node_count, sizeof(*fleet->weights));
	fleet->graded = calloc(node_count, sizeof(*fleet->graded));
	if (!fleet->total || !fleet->used || !fleet->free || !fleet->linked ||
	    !fleet->weights || !fleet->graded || lw_bitset_init(&fleet->known, node_count) ||
	    lw_bitset_init(&fleet->gpu_nodes, node_count) ||
	    lw_bitset_init(&fleet->dirty, node_count))
		return -ENOMEM;
	fleet->node_count = node_count;
	return 0;
}

/* Its size, and its GPUs that jobs hold. */
static void fleet_read_node(struct lw_fleet *fleet, uint32_t index, const node_record_t *node)
{
	uint32_t cpus = fleet->used[index].cpus, mem_mib = fleet->used[index].mem_mib;

	lw_node_amounts(&fleet->snap, node, &fleet->total[index], &fleet->used[index]);
	fleet->used[index].cpus = cpus;
	fleet->used[index].mem_mib = mem_mib;
	fleet->free[index] = fleet->total[index];
	lw_res_sub(&fleet->free[index], &fleet->used[index]);
	if (lw_res_gpus(&fleet->total[index]))
		lw_bitset_set(&fleet->gpu_nodes, index);
	else
		lw_bitset_clear(&fleet->gpu_nodes, index);
	fleet->linked[index] = ASK;
}

static void fleet_read_all(struct lw_fleet *fleet)
{
	select_g_select_nodeinfo_set_all();
	lw_bitset_clear_all(&fleet->known);
	lw_bitset_clear_all(&fleet->gpu_nodes);
	lw_bitset_clear_all(&fleet->dirty);
	for (uint32_t i = 0; i < fleet->node_count; i++) {
		const node_record_t *node = node_record_table_ptr[i];
		uint64_t mem_mib = 0;
		uint16_t cpus = 0;

		fleet->weights[i] = node ? node->config_ptr->weight : 1;
		if (!node || !lw_slurm_allocated(node, &cpus, &mem_mib))
			continue;
		lw_bitset_set(&fleet->known, i);
		fleet->used[i].cpus = cpus;
		fleet->used[i].mem_mib = mem_mib < UINT32_MAX ? (uint32_t)mem_mib : UINT32_MAX;
		fleet_read_node(fleet, i, node);
	}
}

static void fleet_read_dirty(struct lw_fleet *fleet)
{
	uint32_t index;

	lw_bitset_foreach(&fleet->dirty, index) {
		const node_record_t *node = node_record_table_ptr[index];

		if (node && lw_bitset_test(&fleet->known, index))
			fleet_read_node(fleet, index, node);
	}
	lw_bitset_clear_all(&fleet->dirty);
}

int lw_fleet_prepare(struct lw_fleet *fleet, uint32_t node_count, int64_t now_s, bool *ret_new)
{
	bool is_new = fleet->node_count != node_count;

	if (is_new) {
		struct lw_islands islands = fleet->islands;

		memset(&fleet->islands, 0, sizeof(fleet->islands));
		lw_fleet_fini(fleet);
		if (fleet_make(fleet, node_count)) {
			lw_islands_fini(&islands);
			lw_fleet_fini(fleet);
			return -ENOMEM;
		}
		fleet->islands = islands;
	}
	/* a clock that is set back makes it no younger */
	if (is_new || now_s < fleet->read_s || now_s >= fleet->read_s + LW_FLEET_S) {
		fleet_read_all(fleet);
		fleet->read_s = now_s;
	} else {
		fleet_read_dirty(fleet);
	}
	*ret_new = is_new;
	return 0;
}

/* Count CPUs and memory; GPUs are read again, because Slurm says which job has which. */
static void fleet_count(struct lw_fleet *fleet, const job_record_t *job, bool begins)
{
	const job_resources_t *held = job->job_resrcs;
	uint32_t host = 0;

	if (!fleet->node_count || !held || !held->node_bitmap)
		return;
	lw_bits_foreach(held->node_bitmap, i) {
		struct lw_res some;

		if (i >= fleet->node_count)
			return;
		lw_job_holds(&fleet->snap, job, host++, &fleet->total[i], &some);
		if (begins)
			lw_res_add(&fleet->used[i], &some);
		else
			lw_res_sub(&fleet->used[i], &some);
		lw_bitset_set(&fleet->dirty, (uint32_t)i);
	}
}

void lw_fleet_began(struct lw_fleet *fleet, const job_record_t *job)
{
	fleet_count(fleet, job, true);
}

void lw_fleet_ends(struct lw_fleet *fleet, const job_record_t *job)
{
	fleet_count(fleet, job, false);
}

void lw_fleet_forget(struct lw_fleet *fleet)
{
	fleet->read_s = INT64_MAX;
}

const node_record_t *lw_fleet_candidates(struct lw_fleet *fleet, bitstr_t *nodes, bool with_gpus,
					 struct lw_bitset *candidates)
{
	const node_record_t *first = NULL;

	lw_bitset_clear_all(candidates);
	lw_bits_foreach(nodes, i) {
		const node_record_t *node;
		uint32_t index = (uint32_t)i;

		if (index >= fleet->node_count)
			break;
		node = node_record_table_ptr[i];
		if (!node || !lw_bitset_test(&fleet->known, index) ||
		    (!with_gpus && lw_bitset_test(&fleet->gpu_nodes, index)))
			continue;
		lw_bitset_set(candidates, index);
		fleet->weights[i] = node->sched_weight >> NEARNESS_BITS;
		if (!first)
			first = node;
	}
	return first;
}

/* Weights seldom change; nearly always what was made last time will do. */
const struct lw_grades *lw_fleet_grades(struct lw_fleet *fleet)
{
	size_t size = fleet->node_count * sizeof(*fleet->weights);

	if (!fleet->grades_made || memcmp(fleet->weights, fleet->graded, size)) {
		fleet->grades_made =
			!lw_grades_make(&fleet->grades, fleet->weights, fleet->node_count);
		memcpy(fleet->graded, fleet->weights, size);
	}
	return fleet->grades_made && fleet->grades.count ? &fleet->grades : NULL;
}

uint16_t lw_fleet_linked(struct lw_fleet *fleet, uint32_t node)
{
	if (fleet->linked[node] == ASK)
		fleet->linked[node] = lw_node_linked(node_record_table_ptr[node],
						     lw_islands_of(&fleet->islands, node));
	return fleet->linked[node];
}
