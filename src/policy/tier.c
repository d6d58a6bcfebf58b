/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: nodes by the weights that the site gave them: lower ones are used first. */
#include "policy/tier.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void lw_tiers_fini(struct lw_tiers *tiers)
{
	for (uint32_t t = 0; t < tiers->count; t++)
		lw_bitset_fini(&tiers->upto[t]);
	free(tiers->of);
	memset(tiers, 0, sizeof(*tiers));
}

static bool all_the_same(const uint32_t *weights, uint32_t count)
{
	for (uint32_t i = 1; i < count; i++) {
		if (weights[i] != weights[0])
			return false;
	}
	return true;
}

static int by_value(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return x < y ? -1 : x > y;
}

/* The least weight of each tier. */
static uint32_t find_floors(uint32_t *sorted, uint32_t count, uint32_t floors[LW_TIERS_MAX])
{
	uint32_t tiers = 0;

	qsort(sorted, count, sizeof(*sorted), by_value);
	for (uint32_t i = 0; i < count && tiers < LW_TIERS_MAX; i++) {
		if (!tiers || sorted[i] != floors[tiers - 1])
			floors[tiers++] = sorted[i];
	}
	return tiers;
}

static uint32_t tier_of(const uint32_t *floors, uint32_t tiers, uint32_t weight)
{
	uint32_t tier = tiers - 1;

	while (tier && weight < floors[tier])
		tier--;
	return tier;
}

static int fill(struct lw_tiers *tiers, const uint32_t *weights, uint32_t count,
		const uint32_t *floors, uint32_t tier_count)
{
	for (; tiers->count < tier_count; tiers->count++) {
		if (lw_bitset_init(&tiers->upto[tiers->count], count))
			return -ENOMEM;
	}
	for (uint32_t i = 0; i < count; i++) {
		tiers->of[i] = (uint8_t)tier_of(floors, tier_count, weights[i]);
		lw_bitset_set(&tiers->upto[tiers->of[i]], i);
	}
	for (uint32_t t = 1; t < tier_count; t++)
		lw_bitset_or(&tiers->upto[t], &tiers->upto[t - 1]);
	return 0;
}

int lw_tiers_make(struct lw_tiers *tiers, const uint32_t *weights, uint32_t count)
{
	uint32_t floors[LW_TIERS_MAX], *sorted;
	int rc = -ENOMEM;

	lw_tiers_fini(tiers);
	if (all_the_same(weights, count))
		return 0;
	sorted = malloc(count * sizeof(*sorted));
	tiers->of = malloc(count * sizeof(*tiers->of));
	if (sorted && tiers->of) {
		memcpy(sorted, weights, count * sizeof(*sorted));
		rc = fill(tiers, weights, count, floors, find_floors(sorted, count, floors));
	}
	free(sorted);
	if (rc)
		lw_tiers_fini(tiers);
	return rc;
}
