/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the Gres= of a node: its GPUs by type, and their parts. */
#ifndef LW_CLI_COMMON_GRES_H
#define LW_CLI_COMMON_GRES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* More GPUs than any node has, and still safe to add up. */
#define LW_GRES_GPUS_MAX 1000000

/* One item of Gres=: "gpu:a100:4(S:0-1)" */
struct lw_gres_gpus {
	const char *type; /* where it is none, type_len is 0 */
	size_t type_len;
	uint32_t count;
};

/* The next GPUs in *GRES, which moves on; false if there are no more. */
bool lw_gres_next(const char **gres, struct lw_gres_gpus *ret_gpus);
/* GPUs in the Gres= of a node, "gpu:a100:4,gpu:2,shard:8": 6 here. */
uint32_t lw_gres_count_gpus(const char *gres);
/* How many of NAME, "shard" or "mps", are in it: 8 there. GRES may be NULL. */
uint64_t lw_gres_count_parts(const char *gres, const char *name);
/* More than any node has of them. */
#define LW_GRES_PARTS_MAX 100000000

#endif
