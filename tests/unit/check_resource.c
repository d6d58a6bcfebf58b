/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of planner/model/resource. */
#include "planner/model/resource.h"

#include "unit/res.h"
#include "unit/unit.h"

#define MANY UINT32_MAX

/* a, b, a + b, a - b, min(a, b), and whether a is within b */
static const struct {
	struct lw_res a, b, sum, difference, least;
	bool within;
} sums[] = {
	{ RES(0, 0, 0),
	  RES(0, 0, 0),
	  RES(0, 0, 0),
	  RES(0, 0, 0),
	  RES(0, 0, 0),
	  true },
	{ RES(4, 10, 1, 2),
	  RES(2, 3, 1, 0),
	  RES(6, 13, 2, 2),
	  RES(2, 7, 0, 2),
	  RES(2, 3, 1, 0),
	  false },
	/* more is taken than there is: 0, never a wrap */
	{ RES(2, 3, 0, 1),
	  RES(4, 10, 2, 1),
	  RES(6, 13, 2, 2),
	  RES(0, 0, 0, 0),
	  RES(2, 3, 0, 1),
	  true },
	{ RES(MANY, MANY, UINT16_MAX),
	  RES(1, 2, 3),
	  RES(MANY, MANY, UINT16_MAX),
	  RES(MANY - 1, MANY - 2, UINT16_MAX - 3),
	  RES(1, 2, 3),
	  false },
	/* one amount alone decides */
	{ RES(1, 1, [7] = 2),
	  RES(9, 9, [7] = 1),
	  RES(10, 10, [7] = 3),
	  RES(0, 0, [7] = 1),
	  RES(1, 1, [7] = 1),
	  false },
	{ { .parts = 6 },
	  { .parts = 4 },
	  { .parts = 10 },
	  { .parts = 2 },
	  { .parts = 4 },
	  false },
	{ { .capped = { 6, 2 } },
	  { .capped = { 4, 3 } },
	  { .capped = { 10, 5 } },
	  { .capped = { 2, 0 } },
	  { .capped = { 4, 2 } },
	  false },
	{ { .capped = { 0, 4 } },
	  { .capped = { 0, UINT16_MAX } },
	  { .capped = { 0, UINT16_MAX } },
	  { 0 },
	  { .capped = { 0, 4 } },
	  true },
	{ { .parts = 4 },
	  { .parts = MANY },
	  { .parts = MANY },
	  { 0 },
	  { .parts = 4 },
	  true },
	{ RES(1, 9, 0),
	  RES(9, 1, 0),
	  RES(10, 10, 0),
	  RES(0, 8, 0),
	  RES(1, 1, 0),
	  false },
};

TEST_EACH(arithmetic_is_by_amount_and_saturates, LW_COUNT_OF(sums))
{
	struct lw_res res = sums[_i].a;

	lw_res_add(&res, &sums[_i].b);
	ck_assert(lw_res_equal(&res, &sums[_i].sum));
	res = sums[_i].a;
	lw_res_sub(&res, &sums[_i].b);
	ck_assert(lw_res_equal(&res, &sums[_i].difference));
	res = sums[_i].a;
	lw_res_min(&res, &sums[_i].b);
	ck_assert(lw_res_equal(&res, &sums[_i].least));
	ck_assert(lw_res_within(&sums[_i].a, &sums[_i].b) == sums[_i].within);
}

TEST(equal_looks_at_every_amount)
{
	struct lw_res a = RES(1, 2, 3, 4, 5, 6, 7, 8, 9, 10), b = a;

	ck_assert(lw_res_equal(&a, &b));
	b.cpus++;
	ck_assert(!lw_res_equal(&a, &b));
	b = a;
	b.mem_mib--;
	ck_assert(!lw_res_equal(&a, &b));
	b = a;
	b.parts++;
	ck_assert(!lw_res_equal(&a, &b));
	b = a;
	b.gpu_parts++; /* is no amount */
	ck_assert(lw_res_equal(&a, &b));
	for (int type = 0; type < LW_GPU_TYPES_MAX; type++) {
		b = a;
		b.gpus[type]++;
		ck_assert(!lw_res_equal(&a, &b));
		ck_assert(lw_res_within(&a, &b));
		ck_assert(!lw_res_within(&b, &a));
	}
	ck_assert_uint_eq(lw_res_gpus(&a), 3 + 4 + 5 + 6 + 7 + 8 + 9 + 10);
}
