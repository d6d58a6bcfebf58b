/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of base/bitset. */
#include "base/bitset.h"

#include "unit/unit.h"

/* sizes at and around a word's end */
static const uint32_t sizes[] = { 0, 1, 2, 63, 64, 65, 127, 128, 129, 1000 };

/* From which bit, with which members, next() finds which. */
static const struct {
	uint32_t bits;
	uint32_t members[3];
	uint32_t member_count;
	uint32_t from;
	uint32_t want;
} nexts[] = {
	{ 0, { 0 }, 0, 0, 0 },
	{ 0, { 0 }, 0, 5, 0 },
	{ 1, { 0 }, 1, 0, 0 },
	{ 1, { 0 }, 1, 1, 1 },
	{ 64, { 63 }, 1, 0, 63 },
	{ 64, { 63 }, 1, 63, 63 },
	{ 64, { 63 }, 1, 64, 64 },
	{ 65, { 64 }, 1, 0, 64 },
	{ 65, { 64 }, 1, 65, 65 },
	{ 200, { 3, 64, 199 }, 3, 0, 3 },
	{ 200, { 3, 64, 199 }, 3, 4, 64 },
	{ 200, { 3, 64, 199 }, 3, 65, 199 },
	{ 200, { 3, 64 }, 2, 65, 200 },
	{ 200, { 3 }, 1, UINT32_MAX, 200 },
	{ 1000, { 999 }, 1, 1, 999 },
};

static void make(struct lw_bitset *set, uint32_t bits, const uint32_t *members, uint32_t count)
{
	ck_assert_int_eq(lw_bitset_init(set, bits), 0);
	for (uint32_t i = 0; i < count; i++)
		lw_bitset_set(set, members[i]);
}

TEST_EACH(next_finds_the_vector, LW_COUNT_OF(nexts))
{
	struct lw_bitset set;

	make(&set, nexts[_i].bits, nexts[_i].members, nexts[_i].member_count);
	ck_assert_uint_eq(lw_bitset_next(&set, nexts[_i].from), nexts[_i].want);
	lw_bitset_fini(&set);
}

TEST_EACH(foreach_visits_what_was_set, LW_COUNT_OF(sizes))
{
	uint32_t bits = sizes[_i], i, last = 0, visited = 0, wanted = 0;
	struct lw_bitset set;

	make(&set, bits, NULL, 0);
	for (i = 0; i < bits; i += 3, wanted++)
		lw_bitset_set(&set, i);
	lw_bitset_foreach(&set, i)
	{
		ck_assert_uint_eq(i % 3, 0);
		ck_assert(visited == 0 || i > last);
		last = i;
		visited++;
	}
	ck_assert_uint_eq(i, bits);
	ck_assert_uint_eq(visited, wanted);
	ck_assert_uint_eq(lw_bitset_count(&set), wanted);
	lw_bitset_fini(&set);
}

TEST_EACH(all_is_the_size_and_no_more, LW_COUNT_OF(sizes))
{
	uint32_t bits = sizes[_i];
	struct lw_bitset set, copy;

	make(&set, bits, NULL, 0);
	lw_bitset_set_all(&set);
	ck_assert_uint_eq(lw_bitset_count(&set), bits);
	ck_assert(!lw_bitset_test(&set, bits));
	ck_assert_int_eq(lw_bitset_copy(&copy, &set), 0);
	ck_assert(lw_bitset_equal(&set, &copy));
	lw_bitset_clear_all(&set);
	ck_assert_uint_eq(lw_bitset_count(&set), 0);
	ck_assert_uint_eq(lw_bitset_count(&copy), bits);
	ck_assert(lw_bitset_equal(&set, &copy) == (bits == 0));
	lw_bitset_fini(&copy);
	lw_bitset_fini(&set);
}

TEST_EACH(bits_beyond_the_size_are_ignored, LW_COUNT_OF(sizes))
{
	uint32_t bits = sizes[_i];
	struct lw_bitset set;

	make(&set, bits, NULL, 0);
	lw_bitset_set(&set, bits);
	lw_bitset_set(&set, UINT32_MAX);
	ck_assert_uint_eq(lw_bitset_count(&set), 0);
	lw_bitset_set_all(&set);
	lw_bitset_clear(&set, bits);
	lw_bitset_clear(&set, UINT32_MAX);
	ck_assert_uint_eq(lw_bitset_count(&set), bits);
	lw_bitset_fini(&set);
}

TEST_EACH(or_and_intersects_agree_bit_by_bit, 4)
{
	struct lw_bitset a, b, both, any;
	uint32_t words[200 / 64 + 1];
	bool meet = false;

	make(&a, 200, NULL, 0);
	make(&b, 200, NULL, 0);
	for (uint32_t i = 0; i < 200; i += 2)
		lw_bitset_set(&a, i);
	for (uint32_t i = (uint32_t)_i; i < 200; i += 64)
		lw_bitset_set(&b, i);
	ck_assert_int_eq(lw_bitset_copy(&both, &a), 0);
	ck_assert_int_eq(lw_bitset_copy(&any, &a), 0);
	lw_bitset_and(&both, &b);
	lw_bitset_or(&any, &b);
	for (uint32_t i = 0; i < 200; i++) {
		bool in_a = lw_bitset_test(&a, i), in_b = lw_bitset_test(&b, i);

		ck_assert(lw_bitset_test(&both, i) == (in_a && in_b));
		ck_assert(lw_bitset_test(&any, i) == (in_a || in_b));
		meet |= in_a && in_b;
	}
	ck_assert(lw_bitset_intersects(&a, &b) == meet);
	ck_assert_uint_eq(lw_bitset_words(&b, words), 4 - (_i >= 8));
	ck_assert(lw_bitset_intersects_at(&b, &a, words, lw_bitset_words(&b, words)) == meet);
	ck_assert(meet == (_i % 2 == 0));
	lw_bitset_fini(&any);
	lw_bitset_fini(&both);
	lw_bitset_fini(&b);
	lw_bitset_fini(&a);
}

TEST(sets_of_two_sizes_keep_to_their_own)
{
	struct lw_bitset small, large;

	make(&small, 70, NULL, 0);
	make(&large, 128, NULL, 0);
	lw_bitset_set_all(&large);
	ck_assert(!lw_bitset_equal(&small, &large));
	lw_bitset_or(&small, &large);
	ck_assert_uint_eq(lw_bitset_count(&small), 70);
	lw_bitset_and(&large, &small);
	ck_assert_uint_eq(lw_bitset_count(&large), 70);
	lw_bitset_fini(&large);
	lw_bitset_fini(&small);
}

TEST(fini_is_safe_twice_and_zeroed)
{
	struct lw_bitset set = { 0, NULL }, copy;

	lw_bitset_fini(&set);
	ck_assert_uint_eq(lw_bitset_count(&set), 0);
	ck_assert_int_eq(lw_bitset_copy(&copy, &set), 0);
	ck_assert(lw_bitset_equal(&copy, &set));
	lw_bitset_fini(&copy);
	lw_bitset_fini(&copy);
	ck_assert_ptr_null(copy.words);
}
