/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: sets of small integers, in practice of nodes. */
#include "base/bitset.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static size_t bitset_words_of(uint32_t bits)
{
	return ((size_t)bits + 63) / 64;
}

/* Clear the bits above the size in the last word. */
static void bitset_trim(struct lw_bitset *set)
{
	if (set->bits % 64)
		set->words[set->bits / 64] &= (UINT64_C(1) << (set->bits % 64)) - 1;
}

int lw_bitset_init(struct lw_bitset *set, uint32_t bits)
{
	uint64_t *words = calloc(bitset_words_of(bits) + 1, sizeof(*words));

	if (!words)
		return -ENOMEM;
	set->bits = bits;
	set->words = words;
	return 0;
}

void lw_bitset_fini(struct lw_bitset *set)
{
	free(set->words);
	set->words = NULL;
	set->bits = 0;
}

int lw_bitset_copy(struct lw_bitset *dst, const struct lw_bitset *src)
{
	int rc = lw_bitset_init(dst, src->bits);

	if (rc)
		return rc;
	if (src->bits)
		memcpy(dst->words, src->words, bitset_words_of(src->bits) * sizeof(*src->words));
	return 0;
}

void lw_bitset_clear_all(struct lw_bitset *set)
{
	if (set->bits)
		memset(set->words, 0, bitset_words_of(set->bits) * sizeof(*set->words));
}

void lw_bitset_set_all(struct lw_bitset *set)
{
	if (!set->bits)
		return;
	memset(set->words, 0xff, bitset_words_of(set->bits) * sizeof(*set->words));
	bitset_trim(set);
}

uint32_t lw_bitset_count(const struct lw_bitset *set)
{
	uint32_t count = 0;

	for (size_t i = 0; i < bitset_words_of(set->bits); i++)
		count += (uint32_t)__builtin_popcountll(set->words[i]);
	return count;
}

bool lw_bitset_equal(const struct lw_bitset *a, const struct lw_bitset *b)
{
	if (a->bits != b->bits)
		return false;
	return !a->bits ||
	       !memcmp(a->words, b->words, bitset_words_of(a->bits) * sizeof(*a->words));
}

bool lw_bitset_intersects(const struct lw_bitset *a, const struct lw_bitset *b)
{
	size_t n = bitset_words_of(a->bits < b->bits ? a->bits : b->bits);

	for (size_t i = 0; i < n; i++) {
		if (a->words[i] & b->words[i])
			return true;
	}
	return false;
}

uint32_t lw_bitset_words(const struct lw_bitset *set, uint32_t *words)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < bitset_words_of(set->bits); i++)
		if (set->words[i])
			words[count++] = i;
	return count;
}

bool lw_bitset_intersects_at(const struct lw_bitset *a, const struct lw_bitset *b,
			     const uint32_t *words, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		if (a->words[words[i]] & b->words[words[i]])
			return true;
	return false;
}

void lw_bitset_or(struct lw_bitset *dst, const struct lw_bitset *src)
{
	size_t n = bitset_words_of(dst->bits < src->bits ? dst->bits : src->bits);

	for (size_t i = 0; i < n; i++)
		dst->words[i] |= src->words[i];
	bitset_trim(dst);
}

void lw_bitset_drop(struct lw_bitset *dst, const struct lw_bitset *src)
{
	for (size_t i = 0; i < bitset_words_of(dst->bits) && i < bitset_words_of(src->bits); i++)
		dst->words[i] &= ~src->words[i];
}

void lw_bitset_and(struct lw_bitset *dst, const struct lw_bitset *src)
{
	for (size_t i = 0; i < bitset_words_of(dst->bits); i++)
		dst->words[i] &= i < bitset_words_of(src->bits) ? src->words[i] : 0;
}

uint32_t lw_bitset_next(const struct lw_bitset *set, uint32_t from)
{
	size_t i = from / 64;
	uint64_t word;

	if (from >= set->bits)
		return set->bits;
	word = set->words[i] >> (from % 64) << (from % 64);
	while (!word) {
		if (++i >= bitset_words_of(set->bits))
			return set->bits;
		word = set->words[i];
	}
	return (uint32_t)(i * 64 + (size_t)__builtin_ctzll(word));
}
