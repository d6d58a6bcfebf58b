/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of slurm/moving: what is kept for jobs that go elsewhere, and how long. */
#include "slurm/keep/moving.h"

#include "measure/machine.h"
#include "unit/unit.h"

#include <errno.h>
#include <string.h>

#define NOW 500000

static struct lw_moving moving;
static struct lw_snapshot snap;

/* Two jobs go from nodes 0 and 1 to nodes 2 and 3, so that job 9 has the first two. */
static const struct lw_alloc places[] = {
	{ .node = 2, .res = { .cpus = 2 } },
	{ .node = 3, .res = { .cpus = 1 } },
	{ .node = 0, .res = { .cpus = 3 } },
};
static const struct lw_lease_stop first = {
	.job_id = 1,
	.for_job = 9,
	.moves = true,
	.first_place = 0,
	.place_count = 1,
	.from = { .node = 0, .res = { .cpus = 1 } },
};
static const struct lw_lease_stop second = {
	.job_id = 2,
	.for_job = 9,
	.moves = true,
	.first_place = 1,
	.place_count = 2,
	.from = { .node = 1, .res = { .cpus = 4 } },
};

static void setup(void)
{
	const struct lw_machine machine = { .nodes = 4, .cpus_per_node = 4 };

	memset(&moving, 0, sizeof(moving));
	ck_assert_int_eq(lw_machine_build(&machine, &snap), 0);
	snap.now_s = NOW;
	ck_assert_int_eq(lw_moving_add(&moving, &first, places, 600, NOW + 60), 0);
	ck_assert_int_eq(lw_moving_add(&moving, &second, places, 600, NOW + 60), 0);
}

static void teardown(void)
{
	lw_moving_fini(&moving);
	lw_snapshot_fini(&snap);
}

FIXTURE(setup, teardown);

/* CPUs that are held of each node, as one number of four digits. */
static uint32_t held(void)
{
	uint32_t digits = 0;

	lw_snapshot_next(&snap, NOW);
	ck_assert_int_eq(lw_moving_hold(&moving, &snap), 0);
	for (uint32_t i = 0; i < 4; i++)
		digits = digits * 10 + snap.used[i].cpus;
	return digits;
}

TEST(nothing_is_kept_for_no_job)
{
	lw_moving_clear(&moving);
	ck_assert_uint_eq(held(), 0);
	ck_assert_ptr_null(lw_moving_find(&moving, 1));
	ck_assert_uint_eq(lw_moving_to(&moving, &snap, 1), LW_NO_NODE);
}

TEST(until_they_leave_their_places_and_what_is_free_of_the_room_are_kept)
{
	ck_assert_uint_eq(held(), 3021);
	ck_assert_int_eq(snap.running[0].end_s, NOW + 600);
	ck_assert_uint_eq(snap.running[0].job_id, 0);
}

TEST(what_the_first_one_leaves_is_kept_until_the_last_one_has_left)
{
	lw_moving_find(&moving, 1)->where = LW_MOVING_GONE;
	ck_assert_uint_eq(held(), 4021);
	lw_moving_find(&moving, 1)->where = LW_MOVING_OPEN;
	ck_assert_uint_eq(held(), 4001);
	lw_moving_find(&moving, 1)->where = LW_MOVING_BACK;
	ck_assert_uint_eq(held(), 4001);
	lw_moving_find(&moving, 2)->where = LW_MOVING_GONE;
	ck_assert_uint_eq(held(), 1);
	lw_moving_find(&moving, 2)->where = LW_MOVING_OPEN;
	ck_assert_uint_eq(held(), 0);
}

TEST(a_job_in_the_queue_goes_to_its_place)
{
	ck_assert_uint_eq(lw_moving_to(&moving, &snap, 1), LW_NO_NODE);
	lw_moving_find(&moving, 1)->where = LW_MOVING_OPEN;
	ck_assert_uint_eq(lw_moving_to(&moving, &snap, 1), 2);
	ck_assert_uint_eq(lw_moving_to(&moving, &snap, 9), LW_NO_NODE);
}

TEST(a_place_that_was_taken_is_no_longer_kept)
{
	const struct lw_running other = { .job_id = 5, .start_s = NOW, .end_s = NOW + 60 };
	const struct lw_alloc alloc = { .node = 2, .res = { .cpus = 3 } };
	struct lw_error err;

	ck_assert_int_eq(lw_snapshot_add_running(&snap, &other, &alloc, 1, &err), 0);
	ck_assert_int_eq(lw_moving_hold(&moving, &snap), 0);
	ck_assert_uint_eq(snap.used[2].cpus, 3);
	lw_moving_find(&moving, 1)->where = LW_MOVING_OPEN;
	ck_assert_uint_eq(lw_moving_to(&moving, &snap, 1), LW_NO_NODE);
}

TEST(the_other_one_waits_no_longer)
{
	lw_moving_served(&moving, 9);
	ck_assert_uint_eq(held(), 21);
	ck_assert_uint_eq(lw_moving_find(&moving, 1)->for_job, 0);
}

TEST(one_is_done_with)
{
	lw_moving_drop(&moving, 0);
	ck_assert_uint_eq(held(), 3001);
	lw_moving_drop(&moving, 0);
	ck_assert_uint_eq(moving.room_count, 0);
	ck_assert_uint_eq(held(), 0);
}

TEST(they_are_bounded)
{
	struct lw_lease_stop more = first;

	/* once each */
	ck_assert_int_eq(lw_moving_add(&moving, &more, places, 600, NOW), 0);
	ck_assert_uint_eq(moving.count, 2);
	for (more.job_id = 10; moving.count < LW_MOVING_MAX; more.job_id++)
		ck_assert_int_eq(lw_moving_add(&moving, &more, places, 600, NOW), 0);
	ck_assert_int_eq(lw_moving_add(&moving, &more, places, 600, NOW), -ENOSPC);
	lw_moving_clear(&moving);
	more.place_count = 0;
	ck_assert_int_eq(lw_moving_add(&moving, &more, places, 600, NOW), -ENOSPC);
}

/* ---- the gate ---- */

/* May that job take CPUS of NODE, beside a plan that starts no job? */
static bool gate_lets(const struct lw_leases *leases, uint32_t job_id, uint32_t node,
		      uint32_t cpus)
{
	const struct lw_gate_start start = { .job_id = job_id, .tier = 9, .end_s = NOW + 5 };
	const struct lw_res res = { .cpus = cpus };
	struct lw_gate gate = { .made_s = 0 };
	struct lw_plan plan;
	bool lets;

	lw_plan_init(&plan);
	ck_assert_int_eq(lw_gate_reset(&gate, snap.node_count), 0);
	gate.made_s = NOW;
	ck_assert_int_eq(lw_moving_gate(&moving, leases, &snap, &plan, &gate), 0);
	lets = !lw_gate_breaks(&gate, &start, node, &res);
	lw_gate_fini(&gate);
	lw_plan_fini(&plan);
	return lets;
}

TEST(the_gate_keeps_what_is_kept)
{
	ck_assert_uint_eq(held(), 3021);
	ck_assert(gate_lets(NULL, 5, 2, 2));
	ck_assert(!gate_lets(NULL, 5, 2, 3));
	ck_assert(gate_lets(NULL, 1, 2, 4));
	ck_assert(!gate_lets(NULL, 1, 3, 4));
	ck_assert(gate_lets(NULL, 9, 0, 4));
	ck_assert(gate_lets(NULL, 5, 1, 4));
}

TEST(and_what_is_about_to_be)
{
	struct lw_lease_stop stops[] = { first, second };
	struct lw_alloc kept[3];
	const struct lw_leases leases = {
		.stops = stops, .count = 2, .places = kept, .place_count = 3
	};

	memcpy(kept, places, sizeof(kept));
	lw_moving_clear(&moving);
	ck_assert_uint_eq(held(), 0);
	ck_assert(gate_lets(NULL, 5, 2, 4));
	ck_assert(gate_lets(&leases, 5, 2, 2));
	ck_assert(!gate_lets(&leases, 5, 2, 3));
	ck_assert(gate_lets(&leases, 1, 2, 4));
	ck_assert(!gate_lets(&leases, 5, 0, 2));
	ck_assert(gate_lets(&leases, 9, 0, 4));
}

/* ---- one order of each user at a time ---- */

TEST(a_user_has_places_kept_once_in_a_time)
{
	ck_assert(!lw_moving_rests(&moving, 7, NOW, 600));
	lw_moving_note(&moving, 7, NOW);
	/* the jobs of one order */
	ck_assert(!lw_moving_rests(&moving, 7, NOW, 600));
	ck_assert(lw_moving_rests(&moving, 7, NOW + 1, 600));
	ck_assert(lw_moving_rests(&moving, 7, NOW + 599, 600));
	ck_assert(!lw_moving_rests(&moving, 7, NOW + 600, 600));
	ck_assert(!lw_moving_rests(&moving, 0, NOW + 1, 600));
	/* that nodes have other numbers is no new beginning */
	lw_moving_clear(&moving);
	ck_assert(lw_moving_rests(&moving, 7, NOW + 1, 600));
	lw_moving_note(&moving, 7, NOW + 300);
	ck_assert(lw_moving_rests(&moving, 7, NOW + 899, 600));
}

TEST(of_too_many_users_the_oldest_is_forgotten)
{
	for (uint32_t user = 0; user < LW_MOVING_USERS; user++)
		lw_moving_note(&moving, user, NOW + user);
	lw_moving_note(&moving, 0, NOW + 400);
	lw_moving_note(&moving, 999, NOW + 500);
	ck_assert(lw_moving_rests(&moving, 0, NOW + 600, 600));
	ck_assert(!lw_moving_rests(&moving, 1, NOW + 600, 600));
	ck_assert(lw_moving_rests(&moving, 2, NOW + 600, 600));
	ck_assert(lw_moving_rests(&moving, 999, NOW + 600, 600));
}
