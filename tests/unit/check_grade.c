/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of planner/model/grade: nodes by weight. */
#include "planner/model/grade.h"

#include "unit/unit.h"

#define NODES 5

static const struct {
	uint64_t weights[NODES];
	uint32_t count;
	uint8_t of[NODES];
} vectors[] = {
	{ { 1, 1, 1, 1, 1 }, 0, { 0 } },
	{ { 7, 1, 7, 1, 7 }, 2, { 1, 0, 1, 0, 1 } },
	{ { 0, UINT32_MAX, 5, 5, 0 }, 3, { 0, 2, 1, 1, 0 } },
	{ { UINT64_C(1) << 33, 1, 2, UINT64_MAX, 1 }, 4, { 2, 0, 1, 3, 0 } },
	{ { 5, 4, 3, 2, 1 }, 5, { 4, 3, 2, 1, 0 } },
};

TEST_EACH(lower_weights_come_first, LW_COUNT_OF(vectors))
{
	struct lw_grades grades = { 0 };

	/* made anew, nothing of the old is left */
	ck_assert_int_eq(lw_grades_make(&grades, vectors[4].weights, NODES), 0);
	ck_assert_int_eq(lw_grades_make(&grades, vectors[_i].weights, NODES), 0);
	ck_assert_uint_eq(grades.count, vectors[_i].count);
	for (uint32_t t = 0; t < grades.count; t++) {
		for (uint32_t i = 0; i < NODES; i++) {
			ck_assert_uint_eq(grades.of[i], vectors[_i].of[i]);
			ck_assert_int_eq(lw_bitset_test(&grades.upto[t], i),
					 vectors[_i].of[i] <= t);
		}
	}
	lw_grades_fini(&grades);
}

TEST(the_heaviest_share_the_last_grade)
{
	uint64_t weights[LW_GRADES_MAX + 3];
	struct lw_grades grades = { 0 };

	for (uint32_t i = 0; i < LW_COUNT_OF(weights); i++)
		weights[i] = 100 - i;
	ck_assert_int_eq(lw_grades_make(&grades, weights, LW_COUNT_OF(weights)), 0);
	ck_assert_uint_eq(grades.count, LW_GRADES_MAX);
	for (uint32_t i = 0; i < LW_COUNT_OF(weights); i++)
		ck_assert_uint_eq(grades.of[i], i < 3 ? LW_GRADES_MAX - 1 : LW_GRADES_MAX + 2 - i);
	lw_grades_fini(&grades);
}
