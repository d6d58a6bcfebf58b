/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of base/search: the first that is not before, at any length. */
#include "base/search.h"
#include "unit/unit.h"

#define MOST 70

/* By halves, as one after the other would find it, among 0 1 1 2 2 2 ... and none beyond COUNT. */
TEST_EACH(finds_the_first_that_is_not_before, MOST + 1)
{
	uint32_t count = (uint32_t)_i, values[MOST], at, expected;

	for (uint32_t i = 0, value = 0, next = 1; i < MOST; values[i++] = value)
		if (i == next)
			next += 1 + ++value;
	for (uint32_t wanted = 0; wanted < MOST; wanted++) {
		for (expected = 0; expected < count && values[expected] < wanted;)
			expected++;
		LW_SEARCH(at, count, values[at] < wanted);
		ck_assert_uint_eq(at, expected);
	}
}
