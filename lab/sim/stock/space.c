/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the table of planned nodes of a model of Slurm's backfill. */
#include "lab/sim/stock/space.h"

#include "base/grow.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

/* A new slot, at the end of the array and on no list; its set has any members. */
static int space_new(struct lw_stock_space *space)
{
	uint32_t old = space->room;

	if (lw_grow((void **)&space->slots, &space->room, space->count + 1,
		    sizeof(*space->slots)))
		return -ENOMEM;
	if (space->room > old)
		memset(space->slots + old, 0, (space->room - old) * sizeof(*space->slots));
	if (!space->slots[space->count].avail.words &&
	    lw_bitset_init(&space->slots[space->count].avail, space->nodes))
		return -ENOMEM;
	space->count++;
	return 0;
}

void lw_stock_space_fini(struct lw_stock_space *space)
{
	for (uint32_t i = 0; i < space->room; i++)
		lw_bitset_fini(&space->slots[i].avail);
	free(space->slots);
	memset(space, 0, sizeof(*space));
}

int lw_stock_space_begin(struct lw_stock_space *space, uint32_t nodes, int64_t begin_s,
			 int64_t end_s, int64_t resolution_s)
{
	if (space->nodes != nodes)
		lw_stock_space_fini(space);
	space->nodes = nodes;
	space->resolution_s = resolution_s;
	space->count = 0;
	if (space_new(space))
		return -ENOMEM;
	space->slots[0].begin_s = begin_s;
	space->slots[0].end_s = end_s;
	space->slots[0].next = 0;
	lw_bitset_set_all(&space->slots[0].avail);
	return 0;
}

/* Slot J ends at AT_S, and a new one behind it has the rest. */
static int space_split(struct lw_stock_space *space, uint32_t j, int64_t at_s)
{
	struct lw_stock_slot *old, *new;
	uint32_t i = space->count;

	if (space_new(space))
		return -ENOMEM;
	old = &space->slots[j];
	new = &space->slots[i];
	new->begin_s = at_s;
	new->end_s = old->end_s;
	new->next = old->next;
	memcpy(new->avail.words, old->avail.words,
	       (space->nodes + 63) / 64 * sizeof(*new->avail.words));
	old->end_s = at_s;
	old->next = i;
	return 0;
}

/* Two slots that have come to be alike become one; Slurm looks for one such pair. */
static void space_merge(struct lw_stock_space *space, uint32_t before, uint32_t after)
{
	struct lw_stock_slot *slots = space->slots;

	for (uint32_t i = before, j; i != after && (j = slots[i].next); i = j) {
		if (!lw_bitset_equal(&slots[i].avail, &slots[j].avail))
			continue;
		slots[i].end_s = slots[j].end_s;
		slots[i].next = slots[j].next;
		return;
	}
}

int lw_stock_space_add(struct lw_stock_space *space, int64_t start_s, int64_t end_s,
		       const struct lw_bitset *taken)
{
	uint32_t j = 0, before = 0, after = NONE;

	if (start_s < space->slots[0].begin_s)
		start_s = space->slots[0].begin_s;
	if (end_s < start_s + space->resolution_s)
		end_s = start_s + space->resolution_s;
	while (space->slots[j].end_s < start_s) {
		before = j;
		j = space->slots[j].next;
		if (!j)
			return 0;
	}
	if (space->slots[j].end_s > start_s && space_split(space, j, start_s))
		return -ENOMEM;
	while ((j = space->slots[j].next)) {
		if (end_s < space->slots[j].end_s && space_split(space, j, end_s))
			return -ENOMEM;
		lw_bitset_drop(&space->slots[j].avail, taken);
		if (end_s == space->slots[j].end_s) {
			after = space->slots[j].next ? space->slots[j].next : NONE;
			break;
		}
	}
	space_merge(space, before, after);
	return 0;
}

static bool space_has(const struct lw_bitset *all, const struct lw_bitset *some)
{
	for (uint32_t w = 0; w < (some->bits + 63) / 64; w++)
		if (some->words[w] & ~all->words[w])
			return false;
	return true;
}

bool lw_stock_space_overlaps(const struct lw_stock_space *space, const struct lw_bitset *nodes,
			     int64_t start_s, int64_t end_s)
{
	uint32_t j = 0;

	do {
		const struct lw_stock_slot *slot = &space->slots[j];

		if (slot->end_s > start_s && slot->begin_s < end_s &&
		    !space_has(&slot->avail, nodes))
			return true;
		j = slot->next;
	} while (j);
	return false;
}

/* Has the slot behind J a node that J, as far as AVAIL goes, has not? */
static bool space_gains(const struct lw_stock_space *space, uint32_t j,
			const struct lw_bitset *avail, const struct lw_bitset *all)
{
	const struct lw_bitset *here = &space->slots[j].avail;
	const struct lw_bitset *next = &space->slots[space->slots[j].next].avail;

	for (uint32_t w = 0; w < (space->nodes + 63) / 64; w++)
		if (all->words[w] & next->words[w] & ~(avail->words[w] & here->words[w]))
			return true;
	return false;
}

int64_t lw_stock_space_reduce(const struct lw_stock_space *space, int64_t start_s, int64_t end_s,
			      struct lw_bitset *avail, struct lw_bitset *all)
{
	int64_t later_s = 0;
	uint32_t j = 0;

	memcpy(all->words, avail->words, (space->nodes + 63) / 64 * sizeof(*all->words));
	do {
		const struct lw_stock_slot *slot = &space->slots[j];

		if (slot->end_s > start_s && slot->next && !later_s &&
		    space_gains(space, j, avail, all))
			later_s = slot->end_s;
		if (slot->end_s > start_s && slot->begin_s > end_s) {
			if (!later_s && slot->next && space->slots[slot->next].next)
				later_s = space->slots[slot->next].end_s;
			break;
		}
		if (slot->end_s > start_s)
			lw_bitset_and(avail, &slot->avail);
		j = slot->next;
	} while (j);
	return later_s;
}
