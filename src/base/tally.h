/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: counts by user. */
#ifndef LW_BASE_TALLY_H
#define LW_BASE_TALLY_H

#include "base/lookup.h"

#include <stdint.h>

/* Empty if zeroed. */
struct lw_tally {
	struct lw_lookup index;
	uint32_t *counts; /* by place in index */
	uint32_t count, room;
};

/* USER has COUNT more. -ENOMEM leaves all unchanged. */
int lw_tally_add(struct lw_tally *tally, uint32_t user, uint32_t count);
/* USER has COUNT fewer; it must have that many. */
void lw_tally_take(struct lw_tally *tally, uint32_t user, uint32_t count);
uint32_t lw_tally_of(const struct lw_tally *tally, uint32_t user);
/*
 * The most that each user may have so that all together have MOST, or what they have. -ENOMEM.
 */
int lw_tally_level(const struct lw_tally *tally, uint32_t most, uint32_t *ret_level);
/* Forget all, and free it; safe on a zeroed one. */
void lw_tally_fini(struct lw_tally *tally);

#endif
