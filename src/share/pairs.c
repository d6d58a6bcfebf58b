/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: measured speeds of kinds of jobs beside each other on a GPU. */
#include "share/pairs.h"

#include "base/grow.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static uint64_t pairs_key_of(uint32_t a, uint32_t b)
{
	return a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
}

static uint32_t pairs_mean_with(uint32_t mean, uint32_t times, uint32_t rate)
{
	return (uint32_t)(((uint64_t)mean * times + (rate < 1000 ? rate : 1000)) / (times + 1));
}

int lw_share_pairs_add(struct lw_share_pairs *pairs, uint32_t a, uint32_t b, uint32_t rate_a,
		       uint32_t rate_b)
{
	struct lw_share_pair *pair;
	uint32_t at;

	if (!lw_lookup_get(&pairs->places, pairs_key_of(a, b), &at)) {
		if (pairs->count == LW_SHARE_PAIRS_MAX)
			return 0;
		if (lw_grow((void **)&pairs->pairs, &pairs->room, pairs->count + 1,
			    sizeof(*pairs->pairs)) ||
		    lw_lookup_put(&pairs->places, pairs_key_of(a, b), pairs->count))
			return -ENOMEM;
		at = pairs->count++;
		pairs->pairs[at] = (struct lw_share_pair){ .times = 0 };
	}
	pair = &pairs->pairs[at];
	pair->rate[0] = pairs_mean_with(pair->rate[0], pair->times, a <= b ? rate_a : rate_b);
	pair->rate[1] = pairs_mean_with(pair->rate[1], pair->times, a <= b ? rate_b : rate_a);
	pair->times += pair->times < UINT32_MAX - 1;
	return 0;
}

bool lw_share_pairs_find(const struct lw_share_pairs *pairs, uint32_t a, uint32_t b,
			 uint32_t *ret_rate_a, uint32_t *ret_rate_b)
{
	uint32_t at;

	if (!lw_lookup_get(&pairs->places, pairs_key_of(a, b), &at))
		return false;
	*ret_rate_a = pairs->pairs[at].rate[a <= b ? 0 : 1];
	*ret_rate_b = pairs->pairs[at].rate[a <= b ? 1 : 0];
	return true;
}

void lw_share_pairs_fini(struct lw_share_pairs *pairs)
{
	lw_lookup_fini(&pairs->places);
	free(pairs->pairs);
	memset(pairs, 0, sizeof(*pairs));
}
