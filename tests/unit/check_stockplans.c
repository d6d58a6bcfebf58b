/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of slurm/read/stockplans: room that stock's backfill has planned. */
#include "slurm/read/stockplans.h"

#include "base/promise.h"
#include "planner/text/text.h"
#include "slurm/query/request.h"
#include "unit/slurm_stub_sets.h"
#include "unit/unit.h"

#define NODES 8
#define NOW   100000

/* ---- slurmctld's, in a few lines ---- */

int node_record_count = NODES;
list_t *job_list, *part_list;

static part_record_t ours = { .name = "ours" }, shared = { .name = "shared" },
		     apart = { .name = "apart" };
static const struct lw_canary canary = { .partitions = "ours" };
static struct stub_list jobs, parts;
static job_record_t records[40];
static job_details_t details;
static struct lw_stockplans plans;
static struct lw_snapshot snap;

int64_t lw_job_limit_s(const job_record_t *job, const part_record_t *part)
{
	ck_assert_ptr_eq(part, job->part_ptr);
	return job->time_limit * INT64_C(60);
}

static bitstr_t *bits_of(uint32_t from, uint32_t to)
{
	bitstr_t *bits = bit_alloc(NODES);

	for (uint32_t i = from; i <= to; i++)
		bit_set(bits, i);
	return bits;
}

static void setup(void)
{
	jobs = parts = (struct stub_list){ 0 };
	memset(records, 0, sizeof(records));
	ours.node_bitmap = bits_of(0, 3);
	shared.node_bitmap = bits_of(2, 5);
	apart.node_bitmap = bits_of(6, 7);
	shared.priority_tier = ours.priority_tier = apart.priority_tier = 1;
	stub_list_add(&parts, &ours);
	stub_list_add(&parts, &shared);
	stub_list_add(&parts, &apart);
	job_list = stub_list_of(&jobs);
	part_list = stub_list_of(&parts);
}

static void teardown(void)
{
	lw_stockplans_fini(&plans);
	lw_snapshot_fini(&snap);
	bit_free(ours.node_bitmap);
	bit_free(shared.node_bitmap);
	bit_free(apart.node_bitmap);
}

/* A job of stock's with ten minutes that is to start a minute from now on node 3. */
static job_record_t *add(uint32_t id)
{
	job_record_t *job = &records[jobs.count];

	lw_slurm_job_id(job) = id;
	job->job_state = JOB_PENDING;
	job->details = &details;
	job->priority = 1000;
	job->part_ptr = &shared;
	job->time_limit = 10;
	job->start_time = NOW + 60;
	job->sched_nodes = "n3";
	stub_list_add(&jobs, job);
	return job;
}

/* The first windows of SNAP are reservations'. */
static void read_at(int64_t now_s, uint32_t reservations, const struct lw_canary *canary_now)
{
	struct lw_bitset nodes;
	struct lw_error err;

	lw_snapshot_fini(&snap);
	ck_assert_int_eq(lw_snapshot_parse(&snap, "stub",
					   "lw-snapshot 1\nnow 0\nnode 0-7 n[0-7] cpus=8\n",
					   &err),
			 0);
	snap.now_s = now_s;
	lw_bitset_init(&nodes, NODES);
	for (uint32_t i = 0; i < reservations; i++)
		ck_assert_int_eq(lw_snapshot_add_resv_window(&snap, &nodes, 0, 1, &err), 0);
	lw_bitset_fini(&nodes);
	ck_assert_int_eq(lw_stockplans_read(&plans, canary_now, &snap, &err), 0);
	ck_assert_uint_eq(snap.resv_window_count, reservations + plans.count);
	ck_assert_uint_eq(plans.first, reservations);
}

/* Window INDEX closes the nodes FIRST and LAST, and no other, in this time. */
static void window_is(uint32_t index, uint32_t first, uint32_t last, int64_t from_s,
		      int64_t until_s)
{
	const struct lw_resv_window *window = &snap.resv_windows[index];

	ck_assert_uint_lt(index, snap.resv_window_count);
	ck_assert_int_eq(window->from_s, from_s);
	ck_assert_int_eq(window->until_s, until_s);
	for (uint32_t i = 0; i < NODES; i++)
		ck_assert_int_eq(lw_bitset_test(&window->nodes, i), i == first || i == last);
}

FIXTURE(setup, teardown);

TEST(a_planned_start_closes_its_nodes_for_the_limit)
{
	add(7)->sched_nodes = "n2,n5";
	read_at(NOW, 1, &canary);
	ck_assert_uint_eq(plans.count, 1);
	window_is(1, 2, 5, NOW + 60, NOW + 660);
}

TEST(a_start_that_has_passed_is_now)
{
	add(7)->start_time = NOW - 30;
	add(8)->time_limit = 0;
	read_at(NOW, 0, &canary);
	window_is(0, 3, 3, NOW, NOW + 600);
	window_is(1, 3, 3, NOW + 60, NOW + 61);
}

/* Each is of one job, and nothing is closed in its place. */
static void make_it_run(job_record_t *job)
{
	job->job_state = JOB_RUNNING;
}

static void hold_it(job_record_t *job)
{
	job->priority = 0;
}

static void strip_it(job_record_t *job)
{
	job->details = NULL;
}

static void lose_its_partition(job_record_t *job)
{
	job->part_ptr = NULL;
}

static void make_it_ours(job_record_t *job)
{
	job->part_ptr = &ours;
}

static void put_it_apart(job_record_t *job)
{
	job->part_ptr = &apart;
}

static void forget_its_start(job_record_t *job)
{
	job->start_time = 0;
}

static void forget_its_nodes(job_record_t *job)
{
	job->sched_nodes = NULL;
}

static void (*const others[])(job_record_t *job) = {
	make_it_run,  hold_it,      strip_it,         lose_its_partition,
	make_it_ours, put_it_apart, forget_its_start, forget_its_nodes,
};

TEST_EACH(other_jobs_close_nothing, LW_COUNT_OF(others))
{
	others[_i](add(7));
	add(8);
	read_at(NOW, 0, &canary);
	ck_assert_uint_eq(plans.count, 1);
	ck_assert_uint_eq(plans.items[0].job_id, 8);
}

TEST(without_a_canary_nothing_is_closed)
{
	const struct lw_canary all = { 0 };

	add(7);
	read_at(NOW, 0, &canary);
	ck_assert_uint_eq(plans.count, 1);
	read_at(NOW, 0, &all);
	ck_assert_uint_eq(plans.count, 0);
}

/* By QOS, jobs of Leeway's may be in any partition. */
TEST(a_canary_of_a_qos_has_all_nodes)
{
	const struct lw_canary by_qos = { .qos = "fast" };

	put_it_apart(add(7));
	read_at(NOW, 0, &by_qos);
	ck_assert_uint_eq(plans.count, 1);
}

/* Stock forgets all starts when its cycle begins. */
TEST(what_stock_had_lately_holds)
{
	job_record_t *job = add(7);
	char nodes[] = "n2";

	job->sched_nodes = nodes;
	read_at(NOW, 0, &canary);
	nodes[1] = '5'; /* the text was Slurm's */
	job->start_time = 0;
	job->sched_nodes = NULL;
	read_at(NOW + 40, 0, &canary);
	window_is(0, 2, 2, NOW + 60, NOW + 660);
	read_at(NOW + LW_STOCKPLANS_KEEP_S, 0, &canary);
	window_is(0, 2, 2, NOW + LW_STOCKPLANS_KEEP_S, NOW + LW_STOCKPLANS_KEEP_S + 600);
	read_at(NOW + LW_STOCKPLANS_KEEP_S + 1, 0, &canary);
	ck_assert_uint_eq(plans.count, 0);
}

TEST(a_new_start_goes_before_the_last_one)
{
	job_record_t *job = add(7);

	read_at(NOW, 0, &canary);
	job->start_time = NOW + 500;
	job->sched_nodes = "n4";
	read_at(NOW + 10, 0, &canary);
	ck_assert_uint_eq(plans.count, 1);
	window_is(0, 4, 4, NOW + 500, NOW + 1100);
}

/* Stock plans it for now in each cycle, as a het job that fits at no time: others need not wait. */
TEST(what_does_not_start_when_it_is_due_holds_for_a_while)
{
	job_record_t *job = add(7);

	job->start_time = NOW;
	read_at(NOW, 0, &canary);
	job->start_time = NOW + 290;
	read_at(NOW + LW_STOCKPLANS_KEEP_S, 0, &canary);
	window_is(0, 3, 3, NOW + LW_STOCKPLANS_KEEP_S, NOW + LW_STOCKPLANS_KEEP_S + 600);
	read_at(NOW + LW_STOCKPLANS_KEEP_S + 1, 0, &canary);
	ck_assert_uint_eq(plans.count, 0);
	/* and is still the same start */
	job->start_time = NOW + 320;
	read_at(NOW + 330, 0, &canary);
	ck_assert_uint_eq(plans.count, 0);
	job->start_time = 0;
	read_at(NOW + 340, 0, &canary);
	ck_assert_uint_eq(plans.count, 0);
	/* a later start is another one */
	job->start_time = NOW + 900;
	read_at(NOW + 350, 0, &canary);
	window_is(0, 3, 3, NOW + 900, NOW + 1500);
	job->start_time = NOW + 360;
	read_at(NOW + 360, 0, &canary);
	window_is(0, 3, 3, NOW + 360, NOW + 960);
}

/* Slurm's list has no order that counts. */
TEST(the_first_of_the_queue_count)
{
	for (uint32_t i = 0; i < LW_STOCKPLANS_MAX + 8; i++) {
		job_record_t *job = add(100 + i * 7 % 32);

		if (lw_slurm_job_id(job) == 131)
			job->priority = 2000;
	}
	shared.priority_tier = 0;
	read_at(NOW, 0, &canary);
	ck_assert_uint_eq(plans.count, LW_STOCKPLANS_MAX);
	ck_assert_uint_eq(plans.items[0].job_id, 131);
	for (uint32_t i = 1; i < plans.count; i++)
		ck_assert_uint_eq(plans.items[i].job_id, 99 + i);
}

TEST(a_tier_goes_before_a_priority)
{
	part_record_t high = shared;

	add(7)->priority = 9000;
	high.priority_tier = 5;
	add(8)->part_ptr = &high;
	read_at(NOW, 0, &canary);
	ck_assert_uint_eq(plans.items[0].job_id, 8);
	ck_assert_uint_eq(plans.items[1].job_id, 7);
}

/* Reservations go first, and nodes that users keep from each other have eight. */
TEST(there_is_room_for_the_others)
{
	for (uint32_t i = 0; i < 10; i++)
		add(1 + i);
	read_at(NOW, LW_RESV_WINDOWS_MAX - 8 - 3, &canary);
	ck_assert_uint_eq(plans.count, 3);
	ck_assert_uint_eq(plans.items[2].job_id, 3);
	read_at(NOW, LW_RESV_WINDOWS_MAX - 8, &canary);
	ck_assert_uint_eq(plans.count, 0);
	read_at(NOW, LW_RESV_WINDOWS_MAX, &canary);
	ck_assert_uint_eq(plans.count, 0);
}

/* A job of Leeway's behind the first of two, and what it may not use. */
static uint64_t closed_to(uint32_t priority, uint32_t id, const struct lw_promise *promise)
{
	job_record_t job = { .priority = 1 };
	job_queue_rec_t record = { .job_ptr = &job, .part_ptr = &ours, .priority = priority };

	lw_slurm_job_id(&job) = id;
	return lw_stockplans_for(&plans, &record, promise);
}

TEST(later_jobs_keep_off)
{
	add(7)->priority = 3000;
	add(8)->priority = 2000;
	read_at(NOW, 2, &canary);
	ck_assert_uint_eq(closed_to(4000, 9, NULL), 0);
	ck_assert_uint_eq(closed_to(2500, 9, NULL), 1 << 2);
	ck_assert_uint_eq(closed_to(1000, 9, NULL), 3 << 2);
	/* of one priority the number counts */
	ck_assert_uint_eq(closed_to(2000, 9, NULL), 3 << 2);
	ck_assert_uint_eq(closed_to(2000, 3, NULL), 1 << 2);
	ours.priority_tier = 2;
	ck_assert_uint_eq(closed_to(1000, 9, NULL), 0);
}

TEST(what_was_promised_before_goes_first)
{
	const int64_t end_s = NOW + 660 - LW_PROMISE_GRACE_S;
	struct lw_promise promise = { .job_id = 9, .latest_s = end_s };

	add(7);
	read_at(NOW, 0, &canary);
	ck_assert_uint_eq(closed_to(500, 9, &promise), 1);
	promise.latest_s = end_s - 1;
	ck_assert_uint_eq(closed_to(500, 9, &promise), 0);
}
