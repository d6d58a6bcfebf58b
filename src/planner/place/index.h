/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: nodes in order of what is free on them, so that the best fit is found first. */
#ifndef LW_PLANNER_INDEX_H
#define LW_PLANNER_INDEX_H

#include "planner/model/resource.h"

/*
 * For each GPU type the nodes that have it, and for jobs without GPUs all nodes, each
 * in order of (free GPUs, free CPUs, node). A search costs O(log n) and then only the
 * nodes it looks at; a change moves one entry in each order, O(n) words at worst.
 */
struct lw_index;

int lw_index_create(uint32_t node_count, struct lw_index **ret_index);
void lw_index_destroy(struct lw_index *index);

/* Sort all nodes anew. FREE and TOTAL have node_count entries; GPU_TYPES are in use. */
void lw_index_build(struct lw_index *index, const struct lw_res *free,
		    const struct lw_res *total, uint32_t gpu_types);

/* What is free on NODE, of size TOTAL, changed from BEFORE to AFTER. */
void lw_index_update(struct lw_index *index, uint32_t node, const struct lw_res *total,
		     const struct lw_res *before, const struct lw_res *after);

/*
 * The position of the first node with at least GPUS free and, if it has just that many, at least
 * CPUS. TYPE is LW_GPU_ANY for jobs without GPUs.
 */
uint32_t lw_index_find(const struct lw_index *index, int type, uint32_t gpus, uint32_t cpus);

/* The node at POS; false past the end. */
bool lw_index_node(const struct lw_index *index, int type, uint32_t pos, uint32_t *ret_node);

/* How many nodes there are in the order of TYPE. */
uint32_t lw_index_count(const struct lw_index *index, int type);

/* The key of that node; false past the end. */
bool lw_index_key_at(const struct lw_index *index, int type, uint32_t pos, uint64_t *ret_key);

/*
 * The order as one number: (free GPUs of TYPE; free CPUs; node). For LW_GPU_ANY the first part
 * is 0 on a node without GPUs, else 1 + its free GPUs of all types, so that jobs without GPUs
 * stay off nodes with GPUs. Larger amounts count as 2047 GPUs or 2^20 - 1 CPUs.
 */
uint64_t lw_index_key(const struct lw_res *free, const struct lw_res *total, int type,
		      uint32_t node);
/* The least key with GPUS and CPUS in the first two places, and these parts of a key. */
uint64_t lw_index_floor(uint32_t gpus, uint32_t cpus);
uint32_t lw_index_key_gpus(uint64_t key);
uint32_t lw_index_key_cpus(uint64_t key);

#endif
