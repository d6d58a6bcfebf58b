/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of slurm/stops: what fuzzed stops (property_stops.c) found wrong. */
#include "slurm/keep/stops.h"

#include "unit/last_error.h"
#include "unit/scratch.h"

#include <stdint.h>

#define NOW 500000

static struct lw_stops *stops;
static struct lw_stop_case it;
static enum lw_stop_way way;
static int64_t run_start_s; /* of job 7, as it is seen */
static const struct lw_stop_rules rules = {
	.mode = LW_STOP_ON, .lease_s = 3600, .back_s = 14400, .per_day = 2, .share = 0.3
};

static void setup(void)
{
	last_error[0] = '\0';
	run_start_s = 0;
	scratch_setup();
	ck_assert_int_eq(lw_stops_create(scratch_path("stops"), NOW, &test_log, &stops), 0);
	it = (struct lw_stop_case){ .job_id = 7,
				    .user = 1,
				    .nodes = 1,
				    .all_nodes = 10,
				    .name = "train",
				    .comment = "leeway:stop",
				    .start_s = NOW - 3600,
				    .batch = true,
				    .requeues = true };
}

static void teardown(void)
{
	lw_stops_destroy(stops);
	scratch_teardown();
}

static enum lw_stop_answer judge(void)
{
	return lw_stops_judge(stops, &rules, &it, NOW, &way);
}

static void ask(void)
{
	ck_assert_int_eq(judge(), LW_STOP_ASKS);
	ck_assert_ptr_nonnull(lw_stops_ask(stops, &rules, &it, way, NOW));
}

/* Job 7 is seen so at AT_S. */
static enum lw_stop_event see(enum lw_stop_seen seen, uint32_t restarts, int64_t at_s)
{
	const struct lw_stop_sight sight = { seen, restarts, "train", run_start_s, false, false };

	return lw_stops_step(stops, lw_stops_find(stops, 7), &sight, at_s);
}

FIXTURE(setup, teardown);

static const struct {
	enum lw_stop_seen seen;
	int64_t start_s;
	bool late;
} between[] = {
	{ LW_STOP_SEEN_RUNNING, 14400, false }, { LW_STOP_SEEN_RUNNING, 14401, true },
	{ LW_STOP_SEEN_ENDED, 14401, true },    { LW_STOP_SEEN_GONE, 14401, true },
	{ LW_STOP_SEEN_GONE, 14400, false },
};

TEST_EACH(a_late_return_between_two_looks_is_told, LW_COUNT_OF(between))
{
	ask();
	ck_assert_int_eq(see(LW_STOP_SEEN_LEAVING, 1, NOW + 5), LW_STOP_NOTHING);
	run_start_s = NOW + between[_i].start_s;
	see(between[_i].seen, 1, NOW + 14500);
	ck_assert(!lw_stop_is_out(lw_stops_find(stops, 7)));
	ck_assert_int_eq(lw_stops_find(stops, 7)->late, between[_i].late);
}

/* A job that Slurm requeues does not end: slurmctld died before it had saved the requeue. */
TEST(a_forgotten_requeue_is_made_up_for_once)
{
	ask();
	ck_assert_int_eq(way, LW_STOP_BY_REQUEUE);
	ck_assert_int_eq(see(LW_STOP_SEEN_ENDED, 0, NOW + 5), LW_STOP_IS_LOST);
	ck_assert(lw_stop_is_out(lw_stops_find(stops, 7)));
	ck_assert_int_eq(see(LW_STOP_SEEN_ENDED, 0, NOW + 6), LW_STOP_HAS_ENDED);
}

TEST(it_does_not_wait_for_itself)
{
	it.for_job = it.job_id;
	ask();
	ck_assert_uint_eq(lw_stops_find(stops, it.job_id)->for_job, 0);
}

TEST(a_job_that_ran_on_is_not_told_to_begin_anew)
{
	it.expect_s = 7200;
	ask();
	ck_assert_int_eq(see(LW_STOP_SEEN_RUNNING, 0, NOW + 600), LW_STOP_IS_DEAF);
	/* later it lost a node, and had saved nothing */
	run_start_s = NOW + 700;
	ck_assert_int_eq(see(LW_STOP_SEEN_RUNNING, 1, NOW + 8000), LW_STOP_NOTHING);
}

/* Only one job alone may be more than the share: of two for one job the first would go in vain.
 */
TEST(two_jobs_together_have_a_share_of_the_nodes)
{
	it.nodes = 4;
	ck_assert_int_eq(judge(), LW_STOP_ASKS);
	it.nodes = 2;
	it.beside = 2;
	ck_assert_int_eq(judge(), LW_STOP_CROWDED);
	it.nodes = 1;
	ck_assert_int_eq(judge(), LW_STOP_ASKS);
}
