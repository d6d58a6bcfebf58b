/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: measured speeds of kinds of jobs beside each other on a GPU. */
#ifndef LW_SHARE_PAIRS_H
#define LW_SHARE_PAIRS_H

#include "base/lookup.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * For every two kinds seen together, the speed of each as part of its speed alone, in
 * thousandths: the mean over the times that they were seen. The order of the two does not
 * matter. Pure. Memory: 24 bytes a pair, LW_SHARE_PAIRS_MAX of them at most; further ones are
 * not learned.
 */
#define LW_SHARE_PAIRS_MAX 65536

struct lw_share_pair {
	uint32_t rate[2]; /* of the smaller kind, and of the larger */
	uint32_t times;
};

/* Zeroed, it is empty. */
struct lw_share_pairs {
	struct lw_lookup places;
	struct lw_share_pair *pairs;
	uint32_t count, room;
};

/* Learn that A ran at RATE_A and B at RATE_B, 0 to 1000; more counts as 1000. -ENOMEM. */
int lw_share_pairs_add(struct lw_share_pairs *pairs, uint32_t a, uint32_t b, uint32_t rate_a,
		       uint32_t rate_b);
/* The rates of A and B beside each other; false: not known. */
bool lw_share_pairs_find(const struct lw_share_pairs *pairs, uint32_t a, uint32_t b,
			 uint32_t *ret_rate_a, uint32_t *ret_rate_b);
/* Free all it holds; it is empty then. */
void lw_share_pairs_fini(struct lw_share_pairs *pairs);

#endif
