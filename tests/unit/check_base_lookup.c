/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of base/lookup: what was put in is found, and nothing else. */
#include "base/lookup.h"

#include "unit/unit.h"

#include <string.h>

#define MANY 5000u

/* Keys that agree in their low or high bits, as addresses and pairs of indices do. */
static uint64_t key_of(int pattern, uint32_t i)
{
	switch (pattern) {
	case 0:
		return i;
	case 1:
		return (uint64_t)i << 32;
	case 2:
		return UINT64_MAX - (uint64_t)i * 64;
	default:
		return lw_hash_mix(7, i);
	}
}

TEST_EACH(finds_what_was_put_in, 4)
{
	struct lw_lookup lookup = { 0 };
	uint32_t value;

	for (uint32_t i = 0; i < MANY; i++) {
		ck_assert(!lw_lookup_get(&lookup, key_of(_i, i), &value));
		ck_assert_int_eq(lw_lookup_put(&lookup, key_of(_i, i), i * 3), 0);
	}
	ck_assert_uint_eq(lookup.count, MANY);
	for (uint32_t i = 0; i < MANY; i++) {
		ck_assert(lw_lookup_get(&lookup, key_of(_i, i), &value));
		ck_assert_uint_eq(value, i * 3);
	}
	ck_assert(!lw_lookup_get(&lookup, key_of(_i, MANY + 1), &value));
	lw_lookup_fini(&lookup);
}

TEST(a_key_stands_for_its_last_value)
{
	struct lw_lookup lookup = { 0 };
	uint32_t value;

	ck_assert_int_eq(lw_lookup_put(&lookup, 0, 1), 0);
	ck_assert_int_eq(lw_lookup_put(&lookup, 0, 2), 0);
	ck_assert_uint_eq(lookup.count, 1);
	ck_assert(lw_lookup_get(&lookup, 0, &value));
	ck_assert_uint_eq(value, 2);
	lw_lookup_fini(&lookup);
	ck_assert(!lw_lookup_get(&lookup, 0, &value));
	lw_lookup_fini(&lookup);
}

/* Texts of all lengths up to three words, equal but for one byte. */
TEST_RANGE(a_hash_sees_every_byte_and_the_length, 1, 24)
{
	char a[24] = "", b[24] = "";
	size_t size = (size_t)_i;

	for (size_t at = 0; at < size; at++) {
		memset(b, 0, sizeof(b));
		b[at] = 1;
		ck_assert(lw_hash_mix_bytes(LW_HASH_BEGIN, a, size) !=
			  lw_hash_mix_bytes(LW_HASH_BEGIN, b, size));
	}
	ck_assert(lw_hash_mix_bytes(LW_HASH_BEGIN, a, size) !=
		  lw_hash_mix_bytes(LW_HASH_BEGIN, a, size - 1));
	ck_assert(lw_hash_mix_bytes(LW_HASH_BEGIN, a, size) ==
		  lw_hash_mix_bytes(LW_HASH_BEGIN, a, size));
}
