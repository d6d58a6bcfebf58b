/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: counts by user. */
#include "base/tally.h"

#include "base/grow.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int lw_tally_add(struct lw_tally *tally, uint32_t user, uint32_t count)
{
	uint32_t at;

	if (!lw_lookup_get(&tally->index, user, &at)) {
		if (lw_grow((void **)&tally->counts, &tally->room, tally->count + 1,
			    sizeof(*tally->counts)) ||
		    lw_lookup_put(&tally->index, user, tally->count))
			return -ENOMEM;
		at = tally->count++;
		tally->counts[at] = 0;
	}
	tally->counts[at] += count;
	return 0;
}

void lw_tally_take(struct lw_tally *tally, uint32_t user, uint32_t count)
{
	uint32_t at;

	if (lw_lookup_get(&tally->index, user, &at))
		tally->counts[at] -= count;
}

uint32_t lw_tally_of(const struct lw_tally *tally, uint32_t user)
{
	uint32_t at;

	return lw_lookup_get(&tally->index, user, &at) ? tally->counts[at] : 0;
}

static int tally_by_count(const void *a, const void *b)
{
	const uint32_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

/* The user with the least has all of it; the rest is divided alike among the other users. */
int lw_tally_level(const struct lw_tally *tally, uint32_t most, uint32_t *ret_level)
{
	uint32_t *counts = calloc(tally->count + 1, sizeof(*counts)), i = 0;

	if (!counts)
		return -ENOMEM;
	if (tally->count) {
		memcpy(counts, tally->counts, tally->count * sizeof(*counts));
		qsort(counts, tally->count, sizeof(*counts), tally_by_count);
	}
	for (; i < tally->count && counts[i] <= most / (tally->count - i); i++)
		most -= counts[i];
	*ret_level = i < tally->count ? most / (tally->count - i) : UINT32_MAX;
	free(counts);
	return 0;
}

void lw_tally_fini(struct lw_tally *tally)
{
	lw_lookup_fini(&tally->index);
	free(tally->counts);
	memset(tally, 0, sizeof(*tally));
}
