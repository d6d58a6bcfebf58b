/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of slurm/leasing: which jobs a plan may stop, and for which it does. */
#include "slurm/keep/leasing.h"

#include "base/quota.h"
#include "measure/machine.h"
#include "unit/last_error.h"
#include "unit/scratch.h"

#include <string.h>

#define NOW 500000

static struct lw_stops *stops;
static struct lw_stop_rules rules;
static struct lw_stop_case it;
static struct lw_leasing leasing;

static void setup(void)
{
	last_error[0] = '\0';
	scratch_setup();
	ck_assert_int_eq(lw_stops_create(scratch_path("stops"), NOW, &test_log, &stops), 0);
	memset(&leasing, 0, sizeof(leasing));
	rules = (struct lw_stop_rules){ .mode = LW_STOP_ON,
					.for_jobs = LW_STOP_FOR_SHORT,
					.gain = 10,
					.lease_s = 3600,
					.back_s = 14400,
					.per_day = 4,
					.share = 1,
					.widest = 0.25 };
	it = (struct lw_stop_case){ .job_id = 1,
				    .user = 1,
				    .nodes = 1,
				    .all_nodes = 4,
				    .name = "train",
				    .comment = "leeway:stop",
				    .start_s = NOW - 7200,
				    .kill_wait_s = 30,
				    .batch = true,
				    .requeues = true };
}

static void teardown(void)
{
	lw_leasing_fini(&leasing);
	lw_stops_destroy(stops);
	scratch_teardown();
}

FIXTURE(setup, teardown);

static void begin(void)
{
	lw_leasing_begin(&leasing, &rules, stops, 4, 30);
}

/* How many offers there are with that job. */
static uint32_t offer(void)
{
	begin();
	if (lw_leasing_wants(&leasing))
		lw_leasing_offer(&leasing, &rules, stops, &it, 3, NOW);
	return leasing.offer_count;
}

static struct lw_stop *ask(uint32_t job_id, uint32_t for_job, enum lw_stop_state state)
{
	struct lw_stop *stop;

	it.job_id = job_id;
	it.for_job = for_job;
	stop = lw_stops_ask(stops, &rules, &it, LW_STOP_BY_REQUEUE, NOW);
	ck_assert_ptr_nonnull(stop);
	stop->state = state;
	return stop;
}

static bool goes_first(uint32_t job_id)
{
	static const struct lw_stop_size size = { 2, 8 };

	return lw_leasing_goes_first(&leasing, stops, job_id, &size);
}

TEST(a_job_that_may_be_asked_is_offered)
{
	ck_assert_uint_eq(offer(), 1);
	ck_assert_uint_eq(leasing.offers[0].running, 3);
	ck_assert_int_eq(leasing.offers[0].lost_s, 30 + LW_LEASING_LOAD_S);
	/* for what would be */
	rules.mode = LW_STOP_TELL;
	ck_assert_uint_eq(offer(), 1);
}

TEST(what_it_would_lose)
{
	it.comment = "leeway:stop=10m";
	ck_assert_uint_eq(offer(), 1);
	ck_assert_int_eq(leasing.offers[0].lost_s, 600 + LW_LEASING_LOAD_S);
	it.comment = "leeway:stop";
	it.signalled = true;
	it.signal_s = 120;
	ck_assert_uint_eq(offer(), 1);
	ck_assert_int_eq(leasing.offers[0].lost_s, 120 + LW_LEASING_LOAD_S);
	rules.save_s = 20;
	ck_assert_uint_eq(offer(), 1);
	ck_assert_int_eq(leasing.offers[0].lost_s, 20 + LW_LEASING_LOAD_S);
	ck_assert_int_eq(leasing.rules.leave_s, 20);
}

static const struct {
	enum lw_stop_mode mode;
	enum lw_stop_for for_jobs;
	const char *comment;
	int64_t ran_s;
	uint32_t restarts;
} refused[] = {
	{ LW_STOP_OFF, LW_STOP_FOR_SHORT, "leeway:stop", 7200, 0 },
	{ LW_STOP_ON, LW_STOP_FOR_NONE, "leeway:stop", 7200, 0 },
	{ LW_STOP_ON, LW_STOP_FOR_SHORT, NULL, 7200, 0 },
	{ LW_STOP_ON, LW_STOP_FOR_SHORT, "leeway:stop leeway:no-stop", 7200, 0 },
	{ LW_STOP_ON, LW_STOP_FOR_SHORT, "leeway:stop", 3599, 0 },
	{ LW_STOP_ON, LW_STOP_FOR_SHORT, "leeway:stop", 14399, 1 },
};

TEST_EACH(others_are_not, LW_COUNT_OF(refused))
{
	rules.mode = refused[_i].mode;
	rules.for_jobs = refused[_i].for_jobs;
	it.comment = refused[_i].comment;
	it.start_s = NOW - refused[_i].ran_s;
	it.restarts = refused[_i].restarts;
	ck_assert_uint_eq(offer(), 0);
}

/* Slurm ends a job that waits and could not meet its deadline by its limit. */
TEST(a_job_that_could_miss_its_deadline_is_not_asked)
{
	enum lw_stop_way way;

	it.limit_s = 600;
	it.deadline_s = NOW + rules.back_s + 599;
	ck_assert_int_eq(lw_stops_judge(stops, &rules, &it, NOW, &way), LW_STOP_DUE);
	ck_assert_uint_eq(offer(), 0);
	it.deadline_s++;
	ck_assert_uint_eq(offer(), 1);
}

TEST(the_plan_is_told_for_whom_and_of_deadlines)
{
	it.deadline_s = NOW + 100000;
	ck_assert_uint_eq(offer(), 1);
	ck_assert_int_eq(leasing.offers[0].finish_by_s, NOW + 100000);
	ck_assert(leasing.rules.shorts && !leasing.rules.dues);
	rules.for_jobs = LW_STOP_FOR_DEADLINE;
	ck_assert_uint_eq(offer(), 1);
	ck_assert(!leasing.rules.shorts && leasing.rules.dues);
}

TEST(a_job_that_was_requeued_is_left_alone_for_longer)
{
	it.restarts = 1;
	it.start_s = NOW - 14400;
	ck_assert_uint_eq(offer(), 1);
}

/* What is kept for a job that moves is kept for twice that time, if it runs on. */
TEST(a_job_that_may_take_long_to_save_is_not_asked)
{
	it.signalled = true;
	it.signal_s = LW_LEASING_SIGNAL_S;
	ck_assert_uint_eq(offer(), 1);
	it.signal_s++;
	ck_assert_uint_eq(offer(), 0);
	/* it gets no signal then */
	it.comment = "leeway:stop=10m";
	ck_assert_uint_eq(offer(), 1);
}

/* Else a user could have nodes kept empty for one job after the other that runs on. */
TEST(a_user_of_jobs_with_many_names_that_run_on_is_not_asked)
{
	for (uint32_t i = 0; i < LW_LEASING_LESSONS; i++) {
		const char name[] = { (char)('a' + i), '\0' };
		const struct lw_stop_sight runs = { .seen = LW_STOP_SEEN_RUNNING, .name = name };

		ck_assert_uint_eq(offer(), 1);
		it.name = name;
		lw_stops_step(stops, ask(10 + i, 0, LW_STOP_ASKED), &runs,
			      NOW + LW_STOP_DEAF_S);
		it.job_id = 1;
		it.name = "train";
	}
	ck_assert_uint_eq(offer(), 0);
	it.user = 2;
	ck_assert_uint_eq(offer(), 1);
	it.user = 0;
	ck_assert_uint_eq(offer(), 1);
}

TEST(what_was_in_vain_is_left_alone_for_a_while)
{
	lw_leasing_in_vain(&leasing, 1, NOW - LW_LEASING_VAIN_S + 1);
	ck_assert_uint_eq(offer(), 0);
	lw_leasing_fini(&leasing);
	lw_leasing_in_vain(&leasing, 1, NOW - LW_LEASING_VAIN_S);
	ck_assert_uint_eq(offer(), 1);
	/* the oldest is forgotten */
	lw_leasing_in_vain(&leasing, 1, NOW);
	for (uint32_t i = 0; i < LW_LEASING_VAIN; i++)
		lw_leasing_in_vain(&leasing, 100 + i, NOW);
	ck_assert(!lw_leasing_is_vain(&leasing, 1, NOW));
	ck_assert(lw_leasing_is_vain(&leasing, 100 + LW_LEASING_VAIN - 1, NOW));
}

TEST(offers_are_bounded)
{
	begin();
	for (uint32_t i = 0; i < 2 * LW_LEASING_OFFERS; i++) {
		it.user = i;
		if (lw_leasing_wants(&leasing))
			lw_leasing_offer(&leasing, &rules, stops, &it, i, NOW);
	}
	ck_assert_uint_eq(leasing.offer_count, LW_LEASING_OFFERS);
}

TEST(no_user_has_more_than_half_of_the_offers)
{
	uint32_t others = 0;

	begin();
	for (uint32_t i = 0; i < 2 * LW_LEASING_OFFERS; i++)
		if (lw_leasing_wants(&leasing))
			lw_leasing_offer(&leasing, &rules, stops, &it, i, NOW);
	ck_assert_uint_eq(leasing.offer_count, LW_LEASING_OFFERS / 2);
	it.user = 2;
	for (uint32_t i = 0; i < 2 * LW_LEASING_OFFERS; i++)
		if (lw_leasing_wants(&leasing))
			others += lw_leasing_offer(&leasing, &rules, stops, &it, i, NOW);
	ck_assert_uint_eq(others, lw_quota(LW_LEASING_OFFERS));
}

static const struct {
	enum lw_stop_state state;
	uint32_t from; /* makes room ... */
	bool first;    /* ... and has left */
	bool out;
} states[] = {
	{ LW_STOP_RUNS, 0, false, false }, { LW_STOP_ASKED, 7, false, true },
	{ LW_STOP_LEAVES, 7, true, true }, { LW_STOP_YIELDS, 7, true, true },
	{ LW_STOP_WAITS, 0, false, true },
};

TEST_EACH(the_room_of_a_job_is_for_another, LW_COUNT_OF(states))
{
	ask(7, 9, states[_i].state);
	begin();
	ck_assert_uint_eq(lw_leasing_room_from(&leasing, 9), states[_i].from);
	ck_assert_uint_eq(lw_leasing_room_from(&leasing, 7), 0);
	ck_assert_int_eq(goes_first(9), states[_i].first);
	ck_assert_int_eq(goes_first(7), false);
	ck_assert_uint_eq(leasing.served_count, states[_i].out);
	ck_assert_double_eq(leasing.out, states[_i].out ? 0.25 : 0);
}

static const struct {
	struct lw_stop_size was;
	bool first;
} sizes[] = { { { 2, 8 }, true },
	      { { 3, 9 }, true },
	      { { 1, 8 }, false },
	      { { 2, 7 }, false },
	      { { 0, 0 }, true } };

/* Else its user could have room made for a small job, and have a large one go first. */
TEST_EACH(a_job_that_has_grown_does_not_go_first, LW_COUNT_OF(sizes))
{
	static const struct lw_stop_size size = { 2, 8 };
	struct lw_stop *stop = ask(7, 9, LW_STOP_YIELDS);

	stop->for_size = stop->size = sizes[_i].was;
	begin();
	ck_assert_int_eq(goes_first(9), sizes[_i].first);
	/* nor one that was stopped */
	stop->state = LW_STOP_WAITS;
	ck_assert(!lw_stop_goes_first(stop, &size, NOW + 7199));
	ck_assert_int_eq(lw_stop_goes_first(stop, &size, NOW + 7200), sizes[_i].first);
	stop->moves = true;
	ck_assert_int_eq(lw_stop_goes_first(stop, &size, NOW), sizes[_i].first);
}

/* Else a user could have it stopped, hold it, and so keep all others from making room. */
TEST(a_stopped_job_that_is_held_has_no_share)
{
	struct lw_stop_sight sight = { .seen = LW_STOP_SEEN_WAITING, .restarts = 1, .held = true };
	struct lw_stop *stop = ask(7, 0, LW_STOP_LEAVES);
	enum lw_stop_way way;

	rules.share = 0.25;
	it.job_id = 8;
	ck_assert_int_eq(lw_stops_judge(stops, &rules, &it, NOW, &way), LW_STOP_CROWDED);
	lw_stops_step(stops, stop, &sight, NOW + 60);
	begin();
	ck_assert_double_eq(leasing.out, 0);
	ck_assert_int_eq(lw_stops_judge(stops, &rules, &it, NOW, &way), LW_STOP_ASKS);
	sight.held = false;
	lw_stops_step(stops, stop, &sight, NOW + 120);
	begin();
	ck_assert_double_eq(leasing.out, 0.25);
	ck_assert_int_eq(lw_stops_judge(stops, &rules, &it, NOW, &way), LW_STOP_CROWDED);
}

TEST(of_two_that_make_room_the_one_that_has_left_counts)
{
	ask(7, 9, LW_STOP_YIELDS);
	ask(8, 9, LW_STOP_ASKED);
	begin();
	ck_assert(goes_first(9));
	lw_stops_find(stops, 7)->state = LW_STOP_ASKED;
	lw_stops_find(stops, 8)->state = LW_STOP_LEAVES;
	begin();
	ck_assert(goes_first(9));
	ck_assert_double_eq(leasing.out, 0.5);
}

TEST(where_a_job_moves_the_other_one_goes_first_from_when_it_has_left)
{
	ask(7, 9, LW_STOP_ASKED)->moves = true;
	begin();
	ck_assert(!goes_first(9));
	lw_stops_find(stops, 7)->state = LW_STOP_WAITS;
	begin();
	ck_assert(goes_first(9));
	/* it runs again first */
	lw_stops_find(stops, 7)->state = LW_STOP_RUNS;
	begin();
	ck_assert(goes_first(9));
	ck_assert_double_eq(leasing.out, 0);
	ck_assert_uint_eq(leasing.served_count, 1);
}

TEST(for_which_jobs)
{
	rules.for_jobs = LW_STOP_FOR_GANG;
	begin();
	ck_assert(leasing.on && leasing.rules.gangs && !leasing.rules.shorts);
	rules.for_jobs = LW_STOP_FOR_GANG | LW_STOP_FOR_SHORT;
	begin();
	ck_assert(leasing.on && leasing.rules.gangs && leasing.rules.shorts);
	rules.for_jobs = LW_STOP_FOR_SHORT;
	begin();
	ck_assert(leasing.on && !leasing.rules.gangs && leasing.rules.shorts);
	rules.for_jobs = LW_STOP_FOR_NONE;
	begin();
	ck_assert(!leasing.on);
	rules.grows = true;
	begin();
	ck_assert(leasing.on && leasing.rules.grows && !leasing.rules.shorts);
}

TEST(none_makes_room_for_no_job)
{
	ask(7, 0, LW_STOP_YIELDS);
	begin();
	ck_assert_uint_eq(lw_leasing_room_from(&leasing, 0), 0);
	ck_assert(!goes_first(0));
	ck_assert_uint_eq(lw_leasing_room_from(NULL, 9), 0);
}

/* ---- a plan ---- */

/* Four nodes with a job each, 1 to 4, and job 5, which is short, waits. */
static void make_moment(struct lw_snapshot *snap)
{
	const struct lw_machine machine = { .nodes = 4, .cpus_per_node = 4 };
	struct lw_waiting job = { .job_id = 5,
				  .tasks = 1,
				  .readiness = LW_READY,
				  .begin_s = LW_NO_TIME,
				  .limit_s = 60,
				  .promise_s = LW_NO_TIME,
				  .submit_s = NOW,
				  .request = { .nodes_min = 1,
					       .nodes_max = 1,
					       .cpus_per_node = 4,
					       .gpu_type = LW_GPU_ANY } };
	struct lw_error err;

	ck_assert_int_eq(lw_machine_build(&machine, snap), 0);
	snap->now_s = NOW;
	for (uint32_t i = 0; i < 4; i++) {
		const struct lw_running running = { .job_id = i + 1,
						    .start_s = NOW - 7200,
						    .end_s = NOW + 100000 + i };
		const struct lw_alloc alloc = { .node = i, .res = { .cpus = 4 } };

		ck_assert_msg(!lw_snapshot_add_running(snap, &running, &alloc, 1, &err), "%s",
			      err.text);
	}
	ck_assert_msg(!lw_snapshot_add_waiting(snap, &job, &err), "%s", err.text);
}

/* How many stops a plan of that moment orders, with an offer of job 4, and job 5 barred or not.
 */
static uint32_t plan(bool bars)
{
	struct lw_policy_params params;
	struct lw_policy *policy;
	struct lw_snapshot snap;
	struct lw_plan made;

	lw_policy_params_default(&params);
	lw_plan_init(&made);
	ck_assert_int_eq(lw_policy_create(&params, NULL, &policy), 0);
	make_moment(&snap);
	begin();
	it.job_id = 4;
	lw_leasing_offer(&leasing, &rules, stops, &it, 3, NOW);
	ck_assert_int_eq(lw_policy_cycle(policy, &snap, &made), 0);
	ck_assert_int_eq(lw_leasing_bar_none(&leasing, snap.waiting_count), 0);
	leasing.barred[0] = bars;
	ck_assert_int_eq(lw_leasing_plan(&leasing, policy, &snap), 0);
	lw_policy_destroy(policy);
	lw_plan_fini(&made);
	lw_snapshot_fini(&snap);
	return leasing.leases.count;
}

TEST(a_plan_has_a_job_make_room)
{
	ck_assert_uint_eq(plan(false), 1);
	ck_assert_uint_eq(leasing.leases.stops[0].job_id, 4);
	ck_assert_uint_eq(leasing.leases.stops[0].for_job, 5);
}

TEST(not_for_a_job_that_is_barred)
{
	ck_assert_uint_eq(plan(true), 0);
}

TEST(nor_for_one_that_is_served)
{
	ask(1, 5, LW_STOP_ASKED);
	ck_assert_uint_eq(plan(false), 0);
}

TEST(nor_for_none)
{
	rules.for_jobs = LW_STOP_FOR_NONE;
	ck_assert_uint_eq(plan(false), 0);
}
