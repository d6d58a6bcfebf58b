/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: a hash table from 64-bit keys to 32-bit values. */

/*
 * Open addressing, at most half full. The mixing step is the finalizer of splitmix64
 * (Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014).
 */
#include "base/lookup.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_SLOTS 64u

uint64_t lw_hash_mix(uint64_t hash, uint64_t value)
{
	hash = (hash ^ value) + LW_HASH_BEGIN;
	hash = (hash ^ (hash >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	hash = (hash ^ (hash >> 27)) * UINT64_C(0x94d049bb133111eb);
	return hash ^ (hash >> 31);
}

uint64_t lw_hash_mix_bytes(uint64_t hash, const void *bytes, size_t size)
{
	const unsigned char *rest = bytes;
	uint64_t word;

	for (; size >= sizeof(word); rest += sizeof(word), size -= sizeof(word)) {
		memcpy(&word, rest, sizeof(word));
		hash = lw_hash_mix(hash, word);
	}
	word = size;
	for (; size; size--)
		word = word << 8 | *rest++;
	return lw_hash_mix(hash, word);
}

void lw_lookup_fini(struct lw_lookup *lookup)
{
	free(lookup->slots);
	memset(lookup, 0, sizeof(*lookup));
}

/* The slot of KEY, or the empty one where it belongs. */
static struct lw_lookup_slot *lookup_slot_of(const struct lw_lookup *lookup, uint64_t key)
{
	uint32_t mask = lookup->slot_count - 1;
	uint32_t i = (uint32_t)lw_hash_mix(LW_HASH_BEGIN, key) & mask;

	while (lookup->slots[i].used && lookup->slots[i].key != key)
		i = (i + 1) & mask;
	return &lookup->slots[i];
}

static int lookup_grow(struct lw_lookup *lookup)
{
	struct lw_lookup bigger = { .count = lookup->count };

	if (lookup->slot_count > UINT32_MAX / 2)
		return -ENOMEM;
	bigger.slot_count = lookup->slot_count ? lookup->slot_count * 2 : FIRST_SLOTS;
	bigger.slots = calloc(bigger.slot_count, sizeof(*bigger.slots));
	if (!bigger.slots)
		return -ENOMEM;
	for (uint32_t i = 0; i < lookup->slot_count; i++) {
		if (lookup->slots[i].used)
			*lookup_slot_of(&bigger, lookup->slots[i].key) = lookup->slots[i];
	}
	free(lookup->slots);
	*lookup = bigger;
	return 0;
}

int lw_lookup_put(struct lw_lookup *lookup, uint64_t key, uint32_t value)
{
	struct lw_lookup_slot *slot;

	if (lookup->count >= lookup->slot_count / 2 && lookup_grow(lookup))
		return -ENOMEM;
	slot = lookup_slot_of(lookup, key);
	lookup->count += !slot->used;
	*slot = (struct lw_lookup_slot){ .key = key, .value = value, .used = true };
	return 0;
}

bool lw_lookup_get(const struct lw_lookup *lookup, uint64_t key, uint32_t *ret_value)
{
	const struct lw_lookup_slot *slot;

	if (!lookup->count)
		return false;
	slot = lookup_slot_of(lookup, key);
	if (!slot->used)
		return false;
	*ret_value = slot->value;
	return true;
}
