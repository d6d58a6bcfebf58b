/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of src/share: who is on a GPU, and beside whom a job may go there. */
#include "share/tenants.h"

#include "unit/unit.h"

#include <stdlib.h>
#include <string.h>

#define GIB 1024u

static struct lw_share_tenants tenants;

static struct lw_share_use use_of(uint32_t util, uint32_t sm, uint32_t mem_mib)
{
	return (struct lw_share_use){ true, true, true, util, sm, mem_mib };
}

static struct lw_share_house house_of(enum lw_share_mode mode, bool always)
{
	return (struct lw_share_house){
		lw_share_rule_default(mode), 80 * GIB, 10, always,
	};
}

static struct lw_share_tenant tenant(uint32_t gpu, uint32_t job_id, uint32_t util, int64_t end_s)
{
	return (struct lw_share_tenant){ .gpu = gpu,
					 .job_id = job_id,
					 .user = 1,
					 .parts = 4,
					 .known = true,
					 .use = use_of(util, util, GIB),
					 .end_s = end_s };
}

static struct lw_share_newcomer newcomer(uint32_t util)
{
	return (struct lw_share_newcomer){ .user = 1, .parts = 4, .use = use_of(util, util, GIB) };
}

static void setup(void)
{
	memset(&tenants, 0, sizeof(tenants));
}

static void teardown(void)
{
	lw_share_tenants_fini(&tenants);
}

static void move_in(uint32_t node, uint32_t gpu, uint32_t job_id)
{
	struct lw_share_tenant one = tenant(gpu, job_id, 100, 10);

	one.node = node;
	ck_assert_int_eq(lw_share_tenants_add(&tenants, &one), 0);
}

static uint32_t on(uint32_t node, uint32_t gpu, uint32_t *ret_first)
{
	uint32_t count;
	const struct lw_share_tenant *there = lw_share_tenants_on(&tenants, node, gpu, &count);

	*ret_first = count ? there->job_id : 0;
	return count;
}

FIXTURE(setup, teardown);

TEST(each_gpu_has_its_own)
{
	uint32_t first;

	ck_assert_uint_eq(on(0, 0, &first), 0);
	move_in(1, 0, 7);
	move_in(0, 1, 9);
	move_in(0, 1, 8);
	move_in(0, 0, 7);
	ck_assert_uint_eq(on(0, 1, &first), 2);
	ck_assert_uint_eq(first, 8);
	ck_assert_uint_eq(on(1, 0, &first), 1);
	ck_assert_uint_eq(on(1, 1, &first), 0);
	lw_share_tenants_remove(&tenants, 7);
	ck_assert_uint_eq(on(0, 0, &first), 0);
	ck_assert_uint_eq(on(1, 0, &first), 0);
	ck_assert_uint_eq(on(0, 1, &first), 2);
	move_in(0, 0, 3);
	ck_assert_uint_eq(on(0, 0, &first), 1);
	ck_assert_uint_eq(first, 3);
}

/* Is who uses UTIL of the time let in beside THERE[COUNT]? */
static bool let_in(const struct lw_share_tenant *there, uint32_t count, uint32_t util)
{
	const struct lw_share_house house = house_of(LW_SHARE_SLICE, false);
	const struct lw_share_newcomer new = newcomer(util);
	struct lw_share_offer offer;

	return lw_share_offers(&house, there, count, &new, &offer);
}

TEST(only_by_the_rule)
{
	struct lw_share_tenant there[] = { tenant(0, 1, 500, 10), tenant(0, 2, 100, 20) };

	ck_assert(let_in(there, 0, 1000));
	ck_assert(let_in(there, 1, 500));
	ck_assert(!let_in(there, 1, 501));
	/* a third never, though it would fit */
	there[0].parts = there[1].parts = 1;
	ck_assert(!let_in(there, 2, 10));
	there[0].parts = 7;
	ck_assert(!let_in(there, 1, 10));
	there[0] = tenant(0, 1, 100, 10);
	there[0].known = false;
	ck_assert(!let_in(there, 1, 10));
	there[0] = tenant(0, 1, 100, 10);
	there[0].whole = true;
	ck_assert(!let_in(there, 1, 10));
	there[0] = tenant(0, 1, 100, 10);
	there[0].use.mem_mib = 72 * GIB;
	ck_assert(!let_in(there, 1, 10));
}

TEST(mps_serves_one_user)
{
	const struct lw_share_house mps = house_of(LW_SHARE_MPS, false);
	struct lw_share_tenant there = tenant(0, 1, 100, 10);
	struct lw_share_newcomer new = newcomer(100);
	struct lw_share_offer offer;

	ck_assert(lw_share_offers(&mps, &there, 1, &new, &offer));
	new.user = 2;
	ck_assert(!lw_share_offers(&mps, &there, 1, &new, &offer));
	ck_assert(lw_share_offers(&mps, &there, 0, &new, &offer));
	ck_assert(let_in(&there, 1, 100));
}

TEST(the_lowest_cost_is_best)
{
	const struct lw_share_house full = house_of(LW_SHARE_SLICE, false);
	const struct lw_share_house always = house_of(LW_SHARE_SLICE, true);
	const struct lw_share_tenant light = tenant(0, 1, 100, 10), half = tenant(0, 2, 500, 10);
	const struct lw_share_newcomer new = newcomer(400);
	struct lw_share_offer alone, beside_light, beside_half;

	ck_assert(lw_share_offers(&full, NULL, 0, &new, &alone));
	ck_assert(lw_share_offers(&full, &light, 1, &new, &beside_light));
	ck_assert(lw_share_offers(&full, &half, 1, &new, &beside_half));
	ck_assert_uint_eq(alone.cost, 0);
	ck_assert_uint_eq(alone.stretch, 1000);
	/* 1.5 times the product of 0.4 and 0.1, and of 0.4 and 0.5; for each of both */
	ck_assert_uint_eq(beside_light.stretch, 1060);
	ck_assert_uint_eq(beside_light.cost, 120);
	ck_assert_uint_eq(beside_half.cost, 600);
	ck_assert(lw_share_better(&full, &beside_light, &beside_half));
	ck_assert(!lw_share_better(&full, &beside_half, &beside_light));
	ck_assert(lw_share_better(&full, &alone, &beside_light));
	ck_assert(lw_share_better(&always, &beside_half, &alone));
	ck_assert(!lw_share_better(&always, &alone, &beside_light));
}

TEST(a_gpu_opens_when_enough_have_gone)
{
	const struct lw_share_house house = house_of(LW_SHARE_SLICE, false);
	const struct lw_share_newcomer new = newcomer(600);
	struct lw_share_tenant there[] = { tenant(0, 1, 500, 30), tenant(0, 2, 300, 20),
					   tenant(0, 3, 100, 50) };

	ck_assert_int_eq(lw_share_opens_s(&house, there, 0, &new, 5), 5);
	ck_assert_int_eq(lw_share_opens_s(&house, &there[2], 1, &new, 5), 5);
	ck_assert_int_eq(lw_share_opens_s(&house, there, 1, &new, 5), 30);
	ck_assert_int_eq(lw_share_opens_s(&house, there, 3, &new, 5), 30);
	there[2].known = false;
	ck_assert_int_eq(lw_share_opens_s(&house, there, 3, &new, 5), 50);
	/* one that is past its end */
	ck_assert_int_eq(lw_share_opens_s(&house, there, 1, &new, 40), 40);
}

TEST(more_than_ours_may_be_there)
{
	const struct lw_share_house house = house_of(LW_SHARE_SLICE, false);
	const struct lw_share_newcomer new = newcomer(10);
	struct lw_share_tenant many[LW_SHARE_TENANTS_MAX + 2];
	struct lw_share_offer offer;

	for (uint32_t i = 0; i < LW_SHARE_TENANTS_MAX + 2; i++) {
		many[i] = tenant(0, i, 1, 10 + i);
		many[i].parts = 0;
	}
	ck_assert(!lw_share_offers(&house, many, LW_SHARE_TENANTS_MAX + 2, &new, &offer));
	ck_assert_int_eq(lw_share_opens_s(&house, many, LW_SHARE_TENANTS_MAX + 2, &new, 0),
			 10 + LW_SHARE_TENANTS_MAX + 1);
	ck_assert_uint_eq(lw_share_stretch(&house, many, LW_SHARE_TENANTS_MAX + 2, 0), 1000);
	ck_assert_uint_eq(lw_share_stretch(&house, many, 1, 0), 1000);
}

/* Is a guest of another user, until END_S, let in beside THERE[COUNT]? */
static bool guest_let_in(enum lw_share_mode mode, const struct lw_share_tenant *there,
			 uint32_t count, int64_t end_s)
{
	const struct lw_share_house house = house_of(mode, false);
	const struct lw_share_newcomer guest = {
		.user = 2, .parts = 1, .guest = true, .end_s = end_s
	};
	struct lw_share_offer offer;

	return lw_share_offers(&house, there, count, &guest, &offer);
}

TEST(a_guest_goes_where_an_owner_lends)
{
	struct lw_share_tenant there[2] = { tenant(0, 1, 0, 100), tenant(0, 2, 0, 100) };

	there[0].parts = 9;
	there[0].idle = true;
	ck_assert(guest_let_in(LW_SHARE_SLICE, there, 1, 100));
	/* nobody waits for its end */
	ck_assert(!guest_let_in(LW_SHARE_SLICE, there, 1, 101));
	ck_assert(!guest_let_in(LW_SHARE_MPS, there, 1, 100));
	/* not on a GPU that nobody has, nor beside a second */
	ck_assert(!guest_let_in(LW_SHARE_SLICE, there, 0, 100));
	ck_assert(!guest_let_in(LW_SHARE_SLICE, there, 2, 100));
	there[0].use = (struct lw_share_use){ .has_util = false };
	ck_assert(guest_let_in(LW_SHARE_SLICE, there, 1, 100));
	there[0].parts = 10;
	ck_assert(!guest_let_in(LW_SHARE_SLICE, there, 1, 100));
	there[0].parts = 9;
	/* who works, or did not opt in */
	there[0].idle = false;
	ck_assert(!guest_let_in(LW_SHARE_SLICE, there, 1, 100));
	there[0].known = false;
	ck_assert(!guest_let_in(LW_SHARE_SLICE, there, 1, 100));
	/* a guest is no owner */
	there[0] = tenant(0, 1, 0, 100);
	there[0].idle = there[0].guest = true;
	ck_assert(!guest_let_in(LW_SHARE_SLICE, there, 1, 100));
}

TEST(a_guest_leaves_memory)
{
	const struct lw_share_house house = house_of(LW_SHARE_SLICE, false);
	struct lw_share_newcomer guest = { .user = 2, .parts = 1, .guest = true };
	struct lw_share_tenant there = tenant(0, 1, 0, 100);
	struct lw_share_offer offer;

	there.idle = true;
	there.use.mem_mib = 71 * GIB;
	guest.use = use_of(900, 900, GIB);
	ck_assert(lw_share_offers(&house, &there, 1, &guest, &offer));
	guest.use.mem_mib = GIB + 1;
	ck_assert(!lw_share_offers(&house, &there, 1, &guest, &offer));
}

/* Whose owner has gone: it goes, too, and nobody comes before. */
TEST(nobody_comes_beside_a_guest)
{
	struct lw_share_tenant there[2] = { tenant(0, 1, 100, 10), tenant(0, 2, 100, 10) };
	const struct lw_share_house house = house_of(LW_SHARE_SLICE, false);

	there[0].parts = 1;
	ck_assert(let_in(there, 1, 100));
	there[0].guest = true;
	ck_assert(!let_in(there, 1, 100));
	/* and nobody is planned to take longer for one */
	ck_assert_uint_eq(lw_share_stretch(&house, there, 2, 1), 1000);
}

TEST(run_times_are_stretched)
{
	const struct lw_share_house house = house_of(LW_SHARE_SLICE, false);
	struct lw_share_tenant there[] = { tenant(0, 1, 500, 10), tenant(0, 2, 400, 10) };

	ck_assert_uint_eq(lw_share_stretch(&house, there, 2, 0), 1300);
	there[1].known = false;
	ck_assert_uint_eq(lw_share_stretch(&house, there, 2, 0), 1000);
}
