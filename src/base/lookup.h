/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: a hash table from 64-bit keys to 32-bit values. */
#ifndef LW_BASE_LOOKUP_H
#define LW_BASE_LOOKUP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct lw_lookup_slot {
	uint64_t key;
	uint32_t value;
	bool used;
};

/* Zeroed, it is empty and ready for use. A key is found in O(1), and is never removed. */
struct lw_lookup {
	struct lw_lookup_slot *slots;
	uint32_t slot_count, count;
};

/* Free all it holds; it is empty then. Safe on a zeroed one. */
void lw_lookup_fini(struct lw_lookup *lookup);
/* Set the value of KEY. -ENOMEM leaves all unchanged. */
int lw_lookup_put(struct lw_lookup *lookup, uint64_t key, uint32_t value);
/* The value of KEY; false if there is none. */
bool lw_lookup_get(const struct lw_lookup *lookup, uint64_t key, uint32_t *ret_value);

/* A key of many values: begin with LW_HASH_BEGIN and mix in one after the other. */
#define LW_HASH_BEGIN UINT64_C(0x9e3779b97f4a7c15)
uint64_t lw_hash_mix(uint64_t hash, uint64_t value);
uint64_t lw_hash_mix_bytes(uint64_t hash, const void *bytes, size_t size);

#endif
