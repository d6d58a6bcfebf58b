/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: may jobs have a GPU together, and what does it cost them? */
#include "share/rule.h"

#include <errno.h>
#include <string.h>

#define WHOLE 1000u

/*
 * A program waits while the other one is on the GPU, whenever it wants to be there itself: a part
 * of its time that grows with the product of both shares. By these factors 27 of the 30 rates
 * of the lab page come out within 10 points.
 */
#define SLICE_FACTOR 1500u
#define MPS_FACTOR   1100u
/* Turns cost a twelfth: of two programs each gets 46 % of what it has alone. */
#define TURN_COST    12u

static const char *const mode_names[LW_SHARE_MODES] = { "off", "slice", "mps" };

struct lw_share_rule lw_share_rule_default(enum lw_share_mode mode)
{
	return (struct lw_share_rule){
		.mode = mode,
		.util_max = WHOLE,
		.sm_below = 900,
		.mem_max = 900,
		.tenants_max = 2,
	};
}

/* The share that counts, or false: it is not known. */
static bool rule_share_of(enum lw_share_mode mode, const struct lw_share_use *use,
			  uint32_t *ret_share)
{
	*ret_share = mode == LW_SHARE_MPS ? use->sm : use->util;
	return mode == LW_SHARE_MPS ? use->has_sm : use->has_util;
}

static enum lw_share_verdict rule_fits_memory(const struct lw_share_rule *rule,
					      const struct lw_share_use *uses, uint32_t count,
					      uint32_t mem_mib)
{
	uint64_t peaks = 0;

	for (uint32_t i = 0; i < count; i++) {
		if (!uses[i].has_mem)
			return LW_SHARE_UNKNOWN;
		peaks += uses[i].mem_mib;
	}
	if (!mem_mib)
		return LW_SHARE_UNKNOWN;
	return peaks * WHOLE <= (uint64_t)mem_mib * rule->mem_max ? LW_SHARE_FITS
								   : LW_SHARE_TOO_LITTLE_MEMORY;
}

enum lw_share_verdict lw_share_fits(const struct lw_share_rule *rule,
				    const struct lw_share_use *uses, uint32_t count,
				    uint32_t mem_mib, uint32_t *ret_sum)
{
	bool mps = rule->mode == LW_SHARE_MPS;
	uint64_t sum = 0;
	uint32_t share;

	if (rule->mode == LW_SHARE_OFF)
		return LW_SHARE_IS_OFF;
	if (count > rule->tenants_max)
		return LW_SHARE_TOO_MANY;
	for (uint32_t i = 0; i < count; i++) {
		if (!rule_share_of(rule->mode, &uses[i], &share))
			return LW_SHARE_UNKNOWN;
		sum += share;
	}
	if (ret_sum)
		*ret_sum = sum < UINT32_MAX ? (uint32_t)sum : UINT32_MAX;
	if (mps ? sum >= rule->sm_below : sum > rule->util_max)
		return LW_SHARE_TOO_BUSY;
	return rule_fits_memory(rule, uses, count, mem_mib);
}

uint32_t lw_share_slowdown(enum lw_share_mode mode, const struct lw_share_use *uses,
			   uint32_t count, uint32_t who)
{
	uint64_t factor = mode == LW_SHARE_MPS ? MPS_FACTOR : SLICE_FACTOR;
	uint64_t slow = WHOLE, most = (uint64_t)WHOLE * count * TURN_COST / (TURN_COST - 1);
	uint32_t own, other;

	if (mode == LW_SHARE_OFF || count < 2)
		return WHOLE;
	if (!rule_share_of(mode, &uses[who], &own) || own > WHOLE)
		own = WHOLE;
	for (uint32_t i = 0; i < count; i++) {
		if (i == who)
			continue;
		if (!rule_share_of(mode, &uses[i], &other) || other > WHOLE)
			other = WHOLE;
		slow += factor * own * other / (WHOLE * WHOLE);
	}
	return (uint32_t)(slow < most ? slow : most);
}

int lw_share_mode_parse(const char *name)
{
	for (int mode = 0; mode < LW_SHARE_MODES; mode++)
		if (strcmp(name, mode_names[mode]) == 0)
			return mode;
	return -EINVAL;
}
