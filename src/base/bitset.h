/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: sets of small integers, in practice of nodes. */
#ifndef LW_BASE_BITSET_H
#define LW_BASE_BITSET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct lw_bitset {
	uint32_t bits;   /* members are 0 .. bits - 1 */
	uint64_t *words; /* bits above the size are always 0 */
};

/* Make an empty set of BITS possible members. -ENOMEM. */
int lw_bitset_init(struct lw_bitset *set, uint32_t bits);
/* Free what init made; safe on a zeroed or already finished set. */
void lw_bitset_fini(struct lw_bitset *set);
/* Make DST (not initialised before) a copy of SRC. -ENOMEM. */
int lw_bitset_copy(struct lw_bitset *dst, const struct lw_bitset *src);

void lw_bitset_clear_all(struct lw_bitset *set);
void lw_bitset_set_all(struct lw_bitset *set);
uint32_t lw_bitset_count(const struct lw_bitset *set);
bool lw_bitset_equal(const struct lw_bitset *a, const struct lw_bitset *b);
bool lw_bitset_intersects(const struct lw_bitset *a, const struct lw_bitset *b);
/*
 * The numbers of the words of SET with members, in order, to WORDS[bits / 64 + 1]; returns how
 * many.
 */
uint32_t lw_bitset_words(const struct lw_bitset *set, uint32_t *words);
/* lw_bitset_intersects() of sets of one size, if A has members only in these WORDS. */
bool lw_bitset_intersects_at(const struct lw_bitset *a, const struct lw_bitset *b,
			     const uint32_t *words, uint32_t count);
/* Add to DST every member of SRC that is below its size. */
void lw_bitset_or(struct lw_bitset *dst, const struct lw_bitset *src);
/* Remove every member of SRC from DST. */
void lw_bitset_drop(struct lw_bitset *dst, const struct lw_bitset *src);
/* Keep in DST only members of SRC. */
void lw_bitset_and(struct lw_bitset *dst, const struct lw_bitset *src);
/* The smallest member >= FROM, or set->bits when there is none. */
uint32_t lw_bitset_next(const struct lw_bitset *set, uint32_t from);

static inline void lw_bitset_set(struct lw_bitset *set, uint32_t bit)
{
	if (bit < set->bits)
		set->words[bit / 64] |= UINT64_C(1) << (bit % 64);
}

static inline void lw_bitset_clear(struct lw_bitset *set, uint32_t bit)
{
	if (bit < set->bits)
		set->words[bit / 64] &= ~(UINT64_C(1) << (bit % 64));
}

static inline bool lw_bitset_test(const struct lw_bitset *set, uint32_t bit)
{
	return bit < set->bits && (set->words[bit / 64] >> (bit % 64) & 1);
}

#define lw_bitset_foreach(set, i)                                                                \
	for ((i) = lw_bitset_next(set, 0); (i) < (set)->bits; (i) = lw_bitset_next(set, (i) + 1))

#endif
