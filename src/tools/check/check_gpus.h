/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway check: how many GPUs a node has, by slurm.conf and by gres.conf. */
#ifndef LW_TOOLS_CHECK_CHECK_GPUS_H
#define LW_TOOLS_CHECK_CHECK_GPUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct lw_check;

/* One item of Gres=: "gpu:a100:4(S:0-1)" */
struct lw_check_gpus {
	const char *type; /* where it is none, type_len is 0 */
	size_t type_len;
	uint32_t count;
};

/* The next GPUs in *GRES, which moves on; false if there are no more. */
bool lw_check_next_gpus(const char **gres, struct lw_check_gpus *ret_gpus);
/* GPUs in the Gres= of a node, "gpu:a100:4,gpu:2,shard:8": 6 here. */
uint32_t lw_check_count_gpus(const char *gres);
/* How many of NAME, "shard" or "mps", are in it: 8 there. GRES may be NULL. */
uint64_t lw_check_count_parts(const char *gres, const char *name);
/* More than any node has of them. */
#define LW_CHECK_PARTS_MAX 100000000
/* Has the Gres= of any node GPUs of TYPE, or GPUs of which it does not say the type? */
bool lw_check_has_type(const struct lw_check *check, const char *type);

#endif
