/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: jobs that have whole blocks of Slurm's topology to themselves. */
#include "slurm/read/blocks.h"

#include "slurm/bits.h"

#include <errno.h>
#include <stdlib.h>

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
	lw_bits_foreach(nodes, i) {
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

/* What a job could have of a block. */
struct block {
	uint32_t nodes;
	uint64_t cpus, gpus; /* of these */
	uint32_t width;	     /* all of its nodes, also nodes that only other jobs may use */
	bool serves;
};

/* The block of NODE, or NULL: it is in none, or not in use. */
static struct block *blocks_block_of(struct block *blocks, const struct lw_snapshot *snap,
				     uint32_t node)
{
	uint32_t domain = lw_domain_of(&snap->domains, node);

	return domain == LW_NO_DOMAIN || !snap->nodes[node].usable ? NULL : &blocks[domain];
}

/* Which blocks would do by themselves for a job that wants REQ of NODES. */
static void blocks_judge(struct block *blocks, const struct lw_snapshot *snap,
			 const struct lw_bitset *nodes, const struct lw_request *req)
{
	for (uint32_t i = 0; i < snap->domains.of_count; i++) {
		struct block *block = blocks_block_of(blocks, snap, i);

		if (!block)
			continue;
		block->width++;
		if (!lw_bitset_test(nodes, i))
			continue;
		block->nodes++;
		block->cpus += snap->nodes[i].total.cpus;
		block->gpus += lw_res_gpus(&snap->nodes[i].total);
	}
	for (uint32_t d = 0; d < snap->domains.count; d++) {
		struct block *block = &blocks[d];

		block->serves = block->nodes && block->nodes >= req->nodes_min &&
				block->cpus >= req->cpus_total && block->gpus >= req->gpus_total;
	}
}

/*
 * The most frequent width of the blocks that serve, of equally frequent ones the least; 0: none
 * serves. ALIKE, zeroed, is for widths up to all nodes.
 */
static uint32_t blocks_usual_width(const struct block *blocks, uint32_t block_count,
				   uint32_t *alike)
{
	uint32_t best = 0;

	for (uint32_t d = 0; d < block_count; d++) {
		uint32_t width = blocks[d].width;

		if (!blocks[d].serves)
			continue;
		alike[width]++;
		if (alike[width] > alike[best] || (alike[width] == alike[best] && width < best))
			best = width;
	}
	return best;
}

/* All nodes of one of the blocks that are so wide: strict placement gives those of one. */
static int blocks_want_one(struct block *blocks, uint32_t width, struct lw_nodesets *sets,
			   const struct lw_snapshot *snap, struct lw_waiting *waiting,
			   struct lw_error *err)
{
	struct lw_bitset nodes;
	int rc;

	if (lw_bitset_init(&nodes, snap->node_count))
		return lw_error_set(err, -ENOMEM, "out of memory");
	for (uint32_t i = 0; i < snap->domains.of_count; i++) {
		const struct block *block = blocks_block_of(blocks, snap, i);

		if (block && block->serves && block->width == width)
			lw_bitset_set(&nodes, i);
	}
	rc = lw_nodeset_exactly(sets, &nodes, &waiting->set, err);
	lw_bitset_fini(&nodes);
	waiting->request = (struct lw_request){ .nodes_min = width,
						.nodes_max = width,
						.gpu_type = LW_GPU_ANY,
						.exclusive = true };
	return rc;
}

int lw_blocks_widen(struct lw_nodesets *sets, const struct lw_snapshot *snap,
		    struct lw_waiting *waiting, struct lw_error *err)
{
	struct block *blocks = calloc((size_t)snap->domains.count + 1, sizeof(*blocks));
	uint32_t *alike = calloc((size_t)snap->node_count + 1, sizeof(*alike));
	uint32_t width;
	int rc = 0;

	if (!blocks || !alike) {
		rc = lw_error_set(err, -ENOMEM, "out of memory");
	} else {
		blocks_judge(blocks, snap, &snap->sets[waiting->set].nodes, &waiting->request);
		width = blocks_usual_width(blocks, snap->domains.count, alike);
		if (width)
			rc = blocks_want_one(blocks, width, sets, snap, waiting, err);
	}
	free(blocks);
	free(alike);
	return rc;
}
