/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: nodes by the weights that the site gave them: lower ones are used first. */
#ifndef LW_POLICY_TIER_H
#define LW_POLICY_TIER_H

#include "base/bitset.h"

/* With more different weights the heaviest nodes share the last tier. */
#define LW_TIERS_MAX 32

/* A tier are all nodes of one weight, in order of weights. */
struct lw_tiers {
	uint32_t count; /* 0: all nodes weigh the same */
	uint8_t *of;	/* by node */
	struct lw_bitset upto[LW_TIERS_MAX]; /* by tier: its nodes and those of the tiers before */
};

/*
 * Make TIERS, zeroed or made before, of the weights of COUNT nodes. O(count) if all weigh the
 * same, else O(count log count). 0; -ENOMEM leaves it without tiers.
 */
int lw_tiers_make(struct lw_tiers *tiers, const uint32_t *weights, uint32_t count);
/* Free all it holds; safe on a zeroed one. */
void lw_tiers_fini(struct lw_tiers *tiers);

#endif
