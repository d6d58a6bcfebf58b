/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: jobs that share GPUs in leeway sim: which may join which. */
#include "measure/sharing.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A pair that was seen, or is in a table, is good if neither is slower than this. */
#define RATE_LEAST 800u
/* Utilisations below these are light and medium. */
#define LIGHT_BELOW  250u
#define MEDIUM_BELOW 700u
#define SCORE_MAX    2u

static const char way_names[] = "rule learned table horus any trial lucid";

const char *lw_sharing_way_names(void)
{
	return way_names;
}

int lw_sharing_way_parse(const char *name)
{
	const char *at = way_names;
	size_t len = strlen(name);

	for (int way = 0; way < LW_SHARING_WAYS; way++) {
		size_t own = strcspn(at, " ");

		if (own == len && !memcmp(at, name, len))
			return way;
		at += own + 1;
	}
	return -EINVAL;
}

bool lw_sharing_wants_one(const struct lw_request *request)
{
	return request->nodes_min == 1 &&
	       (request->gpus_per_node == 1 ||
		(!request->gpus_per_node && request->gpus_total == 1));
}

static int by_number(const void *a, const void *b)
{
	const struct lw_sharing_kind *x = a, *y = b;

	return x->number < y->number ? -1 : x->number > y->number;
}

const struct lw_sharing_kind *lw_sharing_find(const struct lw_sharing_table *table,
					      uint32_t number)
{
	const struct lw_sharing_kind key = { .number = number };

	if (!table || !table->count)
		return NULL;
	return bsearch(&key, table->kinds, table->count, sizeof(key), by_number);
}

void lw_sharing_rates(const struct lw_sharing *sharing, const struct lw_sharing_kind *a,
		      const struct lw_sharing_kind *b, uint32_t *ret_a, uint32_t *ret_b)
{
	const struct lw_share_use uses[] = { a->use, b->use };

	if (lw_share_pairs_find(&sharing->table->pairs, a->number, b->number, ret_a, ret_b))
		return;
	*ret_a = 1000000 / lw_share_slowdown(sharing->rule.mode, uses, 2, 0);
	*ret_b = 1000000 / lw_share_slowdown(sharing->rule.mode, uses, 2, 1);
}

static bool fit_in(uint32_t mem_mib, const struct lw_share_use *a, const struct lw_share_use *b)
{
	return !mem_mib || !a->has_mem || !b->has_mem ||
	       (uint64_t)a->mem_mib + b->mem_mib <= mem_mib;
}

bool lw_sharing_has_memory(const struct lw_sharing *sharing, const struct lw_sharing_kind *a,
			   const struct lw_sharing_kind *b)
{
	uint32_t rate_a, rate_b;

	if (lw_share_pairs_find(&sharing->table->pairs, a->number, b->number, &rate_a, &rate_b))
		return rate_a && rate_b;
	return fit_in(sharing->table->mem_mib, &a->use, &b->use);
}

static bool by_rule(const struct lw_sharing *sharing, const struct lw_share_use uses[2],
		    uint32_t *ret_cost)
{
	return lw_share_fits(&sharing->rule, uses, 2, sharing->table->mem_mib, ret_cost) ==
	       LW_SHARE_FITS;
}

/* The slower one counts. */
static bool by_rates(uint32_t rate_a, uint32_t rate_b, uint32_t *ret_cost)
{
	uint32_t slower = rate_a < rate_b ? rate_a : rate_b;

	*ret_cost = 1000 - slower;
	return slower >= RATE_LEAST;
}

static bool by_utilisation(const struct lw_sharing *sharing, const struct lw_share_use uses[2],
			   uint32_t *ret_cost)
{
	uint32_t sum = uses[0].util + uses[1].util;

	*ret_cost = sum <= 1000 ? 1000 - sum : 0;
	return uses[0].has_util && uses[1].has_util && sum <= 1000 &&
	       fit_in(sharing->table->mem_mib, &uses[0], &uses[1]);
}

static uint32_t score_of(const struct lw_share_use *use)
{
	return use->util < LIGHT_BELOW ? 0 : use->util < MEDIUM_BELOW ? 1 : SCORE_MAX;
}

static bool by_scores(const struct lw_sharing *sharing, const struct lw_share_use uses[2],
		      uint32_t *ret_cost)
{
	*ret_cost = uses[0].util + uses[1].util;
	return uses[0].has_util && uses[1].has_util &&
	       score_of(&uses[0]) + score_of(&uses[1]) <= SCORE_MAX &&
	       fit_in(sharing->table->mem_mib, &uses[0], &uses[1]);
}

/* A job that was parted from such a one is not put there again. */
static bool was_too_slow(const struct lw_sharing *sharing, const struct lw_share_pairs *seen,
			 const struct lw_sharing_kind *a, const struct lw_sharing_kind *b)
{
	uint32_t rate_a, rate_b;

	if (!lw_share_pairs_find(seen, a->number, b->number, &rate_a, &rate_b))
		return false;
	return rate_a < sharing->part_below || rate_b < sharing->part_below ||
	       (sharing->way == LW_SHARING_TRIAL && rate_a + rate_b < 1000);
}

bool lw_sharing_may_join(const struct lw_sharing *sharing, const struct lw_share_pairs *seen,
			 const struct lw_sharing_kind *elder,
			 const struct lw_sharing_kind *newcomer, uint32_t *ret_cost)
{
	const struct lw_share_use uses[] = { elder->known, newcomer->known };
	uint32_t a, b;

	if (was_too_slow(sharing, seen, elder, newcomer))
		return false;
	switch (sharing->way) {
	case LW_SHARING_LEARNED:
		if (lw_share_pairs_find(seen, elder->number, newcomer->number, &a, &b))
			return by_rates(a, b, ret_cost);
		return by_rule(sharing, uses, ret_cost);
	case LW_SHARING_TABLE:
		return lw_share_pairs_find(&sharing->table->pairs, elder->number,
					   newcomer->number, &a, &b) &&
		       by_rates(a, b, ret_cost);
	case LW_SHARING_HORUS:
		return by_utilisation(sharing, uses, ret_cost);
	case LW_SHARING_TRIAL:
		*ret_cost = elder->known.util;
		return fit_in(sharing->table->mem_mib, &uses[0], &uses[1]);
	case LW_SHARING_ANY:
		*ret_cost = 0;
		return fit_in(sharing->table->mem_mib, &uses[0], &uses[1]);
	case LW_SHARING_LUCID:
		return by_scores(sharing, uses, ret_cost);
	case LW_SHARING_RULE:
	default:
		return by_rule(sharing, uses, ret_cost);
	}
}
