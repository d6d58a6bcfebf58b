/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: jobs that have whole blocks of Slurm's topology for themselves. */
#include "slurm/read/blocks.h"

#include <errno.h>
#include <stdlib.h>

void lw_blocks_fini(struct lw_blocks *blocks)
{
	free(blocks->items);
	blocks->items = NULL;
}

bool lw_blocks_matter(const struct lw_snapshot *snap, const job_record_t *job)
{
	return snap->domains.strict && job->details && IS_JOB_WHOLE_TOPO(job);
}

int lw_blocks_of(const struct lw_snapshot *snap, bitstr_t *nodes, struct lw_bitset *ret_all)
{
	struct lw_bitset touched;

	if (lw_bitset_init(&touched, snap->domains.count))
		return -ENOMEM;
	if (lw_bitset_init(ret_all, snap->node_count)) {
		lw_bitset_fini(&touched);
		return -ENOMEM;
	}
	for (bitoff_t i = 0; (i = bit_ffs_from_bit(nodes, i)) >= 0; i++) {
		uint32_t domain = lw_domain_of(&snap->domains, (uint32_t)i);

		if (domain != LW_NO_DOMAIN)
			lw_bitset_set(&touched, domain);
		if (i < snap->node_count)
			lw_bitset_set(ret_all, (uint32_t)i);
	}
	for (uint32_t i = 0; i < snap->domains.of_count; i++) {
		uint32_t domain = lw_domain_of(&snap->domains, i);

		if (domain != LW_NO_DOMAIN && lw_bitset_test(&touched, domain))
			lw_bitset_set(ret_all, i);
	}
	lw_bitset_fini(&touched);
	return 0;
}

/* The block of NODE, or NULL. */
static struct lw_block *block_of(const struct lw_blocks *blocks, const struct lw_snapshot *snap,
				 uint32_t node)
{
	uint32_t domain = lw_domain_of(&snap->domains, node);

	return domain == LW_NO_DOMAIN ? NULL : &blocks->items[domain];
}

static int begin(struct lw_blocks *blocks, const struct lw_snapshot *snap)
{
	if (blocks->items)
		return 0;
	blocks->items = calloc((size_t)snap->domains.count + 1, sizeof(*blocks->items));
	if (!blocks->items)
		return -ENOMEM;
	for (uint32_t r = 0; r < snap->running_count; r++) {
		const struct lw_running *job = &snap->running[r];

		for (uint32_t a = 0; a < job->alloc_count; a++) {
			uint32_t node = snap->allocs[job->first_alloc + a].node;
			struct lw_block *block = block_of(blocks, snap, node);

			if (block && block->free_s < job->end_s)
				block->free_s = job->end_s;
		}
	}
	return 0;
}

/* What a job that may use NODES could have of each block. */
static void count(const struct lw_blocks *blocks, const struct lw_snapshot *snap,
		  const struct lw_bitset *nodes)
{
	uint32_t node;

	for (uint32_t d = 0; d < snap->domains.count; d++) {
		struct lw_block *block = &blocks->items[d];

		block->nodes = 0;
		block->cpus = block->gpus = 0;
		block->chosen = false;
	}
	lw_bitset_foreach(nodes, node)
	{
		struct lw_block *block = block_of(blocks, snap, node);

		if (!block || !snap->nodes[node].usable)
			continue;
		block->nodes++;
		block->cpus += snap->nodes[node].total.cpus;
		block->gpus += lw_res_gpus(&snap->nodes[node].total);
	}
}

/* The next block to take, or NULL: one that nobody takes before, then one that is soon empty. */
static struct lw_block *next_block(const struct lw_blocks *blocks, uint32_t block_count)
{
	struct lw_block *best = NULL;

	for (uint32_t d = 0; d < block_count; d++) {
		struct lw_block *block = &blocks->items[d];

		if (!block->nodes || block->chosen)
			continue;
		if (!best || block->taken < best->taken ||
		    (block->taken == best->taken && block->free_s < best->free_s))
			best = block;
	}
	return best;
}

/* As many blocks as REQ needs; false if all are not enough. */
static bool choose(const struct lw_blocks *blocks, uint32_t block_count,
		   const struct lw_request *req)
{
	uint64_t nodes = 0, cpus = 0, gpus = 0;

	while (nodes < req->nodes_min || cpus < req->cpus_total || gpus < req->gpus_total) {
		struct lw_block *block = next_block(blocks, block_count);

		if (!block)
			return false;
		block->chosen = true;
		nodes += block->nodes;
		cpus += block->cpus;
		gpus += block->gpus;
	}
	return true;
}

/* All nodes of the chosen blocks, also those that others only may use. */
static int bind_to(const struct lw_blocks *blocks, struct lw_snapshot *snap,
		   struct lw_waiting *waiting, struct lw_error *err)
{
	struct lw_bitset nodes;
	uint32_t wanted;
	int rc;

	if (lw_bitset_init(&nodes, snap->node_count))
		return lw_error_set(err, -ENOMEM, "out of memory");
	for (uint32_t i = 0; i < snap->domains.of_count; i++) {
		struct lw_block *block = block_of(blocks, snap, i);

		if (!block || !block->chosen || !snap->nodes[i].usable)
			continue;
		block->taken = true;
		lw_bitset_set(&nodes, i);
	}
	wanted = lw_bitset_count(&nodes);
	rc = lw_snapshot_add_set(snap, snap->sets[waiting->set].name, &nodes, err);
	lw_bitset_fini(&nodes);
	if (rc)
		return rc;
	waiting->set = snap->set_count - 1;
	waiting->request = (struct lw_request){ .nodes_min = wanted,
						.nodes_max = wanted,
						.gpu_type = LW_GPU_ANY,
						.exclusive = true };
	return 0;
}

int lw_blocks_widen(struct lw_blocks *blocks, struct lw_snapshot *snap,
		    struct lw_waiting *waiting, struct lw_error *err)
{
	if (begin(blocks, snap))
		return lw_error_set(err, -ENOMEM, "out of memory");
	count(blocks, snap, &snap->sets[waiting->set].nodes);
	return choose(blocks, snap->domains.count, &waiting->request)
		       ? bind_to(blocks, snap, waiting, err)
		       : 0;
}
