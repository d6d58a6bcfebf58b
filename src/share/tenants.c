/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: which jobs are on which GPU, and beside which jobs another may go there. */
#include "share/tenants.h"

#include "base/grow.h"

#include <stdlib.h>
#include <string.h>

#define ALONE 1000u

int lw_share_tenants_add(struct lw_share_tenants *tenants, const struct lw_share_tenant *tenant)
{
	int rc = lw_grow((void **)&tenants->items, &tenants->room, tenants->count + 1,
			 sizeof(*tenants->items));

	if (rc)
		return rc;
	tenants->items[tenants->count++] = *tenant;
	tenants->sorted = false;
	return 0;
}

void lw_share_tenants_remove(struct lw_share_tenants *tenants, uint32_t job_id)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < tenants->count; i++)
		if (tenants->items[i].job_id != job_id)
			tenants->items[kept++] = tenants->items[i];
	tenants->count = kept;
}

void lw_share_tenants_fini(struct lw_share_tenants *tenants)
{
	free(tenants->items);
	memset(tenants, 0, sizeof(*tenants));
}

static int tenants_by_gpu(const void *a, const void *b)
{
	const struct lw_share_tenant *x = a, *y = b;

	if (x->node != y->node)
		return x->node < y->node ? -1 : 1;
	if (x->gpu != y->gpu)
		return x->gpu < y->gpu ? -1 : 1;
	return x->job_id < y->job_id ? -1 : x->job_id > y->job_id;
}

/* The first that is not before GPU of NODE. */
static uint32_t tenants_find_first(const struct lw_share_tenants *tenants, uint32_t node,
				   uint32_t gpu)
{
	const struct lw_share_tenant key = { .node = node, .gpu = gpu };
	uint32_t low = 0, high = tenants->count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (tenants_by_gpu(&tenants->items[middle], &key) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

const struct lw_share_tenant *lw_share_tenants_on(struct lw_share_tenants *tenants, uint32_t node,
						  uint32_t gpu, uint32_t *ret_count)
{
	uint32_t first, end;

	*ret_count = 0;
	if (!tenants->count)
		return NULL;
	if (!tenants->sorted)
		qsort(tenants->items, tenants->count, sizeof(*tenants->items), tenants_by_gpu);
	tenants->sorted = true;
	first = end = tenants_find_first(tenants, node, gpu);
	while (end < tenants->count && tenants->items[end].node == node &&
	       tenants->items[end].gpu == gpu)
		end++;
	*ret_count = end - first;
	return &tenants->items[first];
}

/* What all of them use, the newcomer last. False: there are more than a GPU ever has. */
static bool tenants_list_uses(const struct lw_share_tenant *there, uint32_t count,
			      const struct lw_share_use *last, struct lw_share_use *uses)
{
	if (count >= LW_SHARE_TENANTS_MAX)
		return false;
	for (uint32_t i = 0; i < count; i++)
		uses[i] = there[i].use;
	uses[count] = *last;
	return true;
}

/* Is there room for it beside each of them, whatever they use? */
static bool tenants_is_let_in(const struct lw_share_house *house,
			      const struct lw_share_tenant *there, uint32_t count,
			      const struct lw_share_newcomer *newcomer)
{
	uint64_t parts = newcomer->parts;

	for (uint32_t i = 0; i < count; i++) {
		if (there[i].whole || !there[i].known || there[i].guest ||
		    (house->rule.mode == LW_SHARE_MPS && there[i].user != newcomer->user))
			return false;
		parts += there[i].parts;
	}
	return parts <= house->parts;
}

/* What both are known to need at most, where it is known; the node watches it in any case. */
static bool tenants_has_memory(const struct lw_share_house *house, const struct lw_share_use *a,
			       const struct lw_share_use *b)
{
	return !a->has_mem || !b->has_mem ||
	       ((uint64_t)a->mem_mib + b->mem_mib) * 1000 <=
		       (uint64_t)house->mem_mib * house->rule.mem_max;
}

static bool tenants_offers_guest(const struct lw_share_house *house,
				 const struct lw_share_tenant *there, uint32_t count,
				 const struct lw_share_newcomer *guest)
{
	return house->rule.mode == LW_SHARE_SLICE && count == 1 && there->idle && !there->guest &&
	       there->parts + guest->parts <= house->parts && guest->end_s <= there->end_s &&
	       tenants_has_memory(house, &there->use, &guest->use);
}

bool lw_share_offers(const struct lw_share_house *house, const struct lw_share_tenant *there,
		     uint32_t count, const struct lw_share_newcomer *newcomer,
		     struct lw_share_offer *ret_offer)
{
	struct lw_share_use uses[LW_SHARE_TENANTS_MAX];

	*ret_offer = (struct lw_share_offer){ .empty = !count, .stretch = ALONE };
	if (newcomer->guest)
		return tenants_offers_guest(house, there, count, newcomer);
	if (!tenants_is_let_in(house, there, count, newcomer))
		return false;
	if (!count)
		return true;
	if (!tenants_list_uses(there, count, &newcomer->use, uses) ||
	    lw_share_fits(&house->rule, uses, count + 1, house->mem_mib, NULL) != LW_SHARE_FITS)
		return false;
	ret_offer->stretch = lw_share_slowdown(house->rule.mode, uses, count + 1, count);
	for (uint32_t i = 0; i <= count; i++)
		ret_offer->cost +=
			lw_share_slowdown(house->rule.mode, uses, count + 1, i) - ALONE;
	return true;
}

int64_t lw_share_opens_s(const struct lw_share_house *house, const struct lw_share_tenant *there,
			 uint32_t count, const struct lw_share_newcomer *newcomer, int64_t now_s)
{
	struct lw_share_tenant left[LW_SHARE_TENANTS_MAX + 1] = { { 0 } };
	struct lw_share_offer offer;
	int64_t opens_s = now_s;

	if (count > LW_SHARE_TENANTS_MAX) {
		/* more than ours are: when the last has gone */
		for (uint32_t i = 0; i < count; i++)
			opens_s = there[i].end_s > opens_s ? there[i].end_s : opens_s;
		return opens_s;
	}
	if (count)
		memcpy(left, there, count * sizeof(*left));
	while (!lw_share_offers(house, left, count, newcomer, &offer) && count) {
		uint32_t first = 0;

		for (uint32_t i = 1; i < count; i++)
			first = left[i].end_s < left[first].end_s ? i : first;
		opens_s = left[first].end_s > opens_s ? left[first].end_s : opens_s;
		left[first] = left[--count];
	}
	return opens_s;
}

uint32_t lw_share_stretch(const struct lw_share_house *house, const struct lw_share_tenant *there,
			  uint32_t count, uint32_t who)
{
	struct lw_share_use uses[LW_SHARE_TENANTS_MAX];

	if (count > LW_SHARE_TENANTS_MAX)
		return ALONE;
	for (uint32_t i = 0; i < count; i++) {
		/* a guest is there while its owner is not, and goes */
		if (!there[i].known || there[i].guest)
			return ALONE;
		uses[i] = there[i].use;
	}
	return lw_share_slowdown(house->rule.mode, uses, count, who);
}

bool lw_share_better(const struct lw_share_house *house, const struct lw_share_offer *a,
		     const struct lw_share_offer *b)
{
	if (a->empty != b->empty)
		return a->empty != house->always;
	return a->cost < b->cost;
}
