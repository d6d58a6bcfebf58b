/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of the limits that jobs of a trace get. */
#include "lab/sim/tracejobs.h"

#include "unit/unit.h"

/* Two partitions in which some ask for time, one in which nobody does, and none at all. */
static struct lw_swf_job trace[] = {
	{ .partition = 1, .requested_s = 600, .run_s = 60 },
	{ .partition = 1, .requested_s = 3600, .run_s = 4000 },
	{ .partition = 1, .requested_s = -1, .run_s = 10 },
	{ .partition = 1, .requested_s = -1, .run_s = 5000 },
	{ .partition = 2, .requested_s = 7200, .run_s = 7200 },
	{ .partition = 2, .requested_s = 0, .run_s = 7300 },
	{ .partition = -1, .queue = 2, .requested_s = -1, .run_s = 7200 },
	{ .partition = 3, .requested_s = -1, .run_s = 0 },
	{ .partition = -1, .queue = -1, .requested_s = -1, .run_s = 3 },
};

struct limits {
	int64_t limit_s, asked_s;
};

static const struct {
	int64_t default_limit_s;
	struct limits limits[LW_COUNT_OF(trace)];
} vectors[] = {
	{ 0,
	  { { 600, 600 },
	    { 4000, 3600 },
	    { 3600, 3600 },
	    { 5000, 3600 },
	    { 7200, 7200 },
	    { 7300, 7200 },
	    { 7200, 7200 },
	    { 7200, 7200 },
	    { 7200, 7200 } } },
	{ 90,
	  { { 600, 600 },
	    { 4000, 3600 },
	    { 90, 90 },
	    { 5000, 90 },
	    { 7200, 7200 },
	    { 7300, 90 },
	    { 7200, 90 },
	    { 90, 90 },
	    { 90, 90 } } },
};

static void take(struct lw_tracejobs *jobs, uint32_t first, uint32_t count,
		 int64_t default_limit_s)
{
	struct lw_tracejobs_options options = { .machine = { .pool = 4 },
						.default_limit_s = default_limit_s };
	struct lw_swf swf = { .jobs = trace + first, .job_count = count };

	for (uint32_t i = 0; i < LW_COUNT_OF(trace); i++)
		trace[i].procs = 1;
	ck_assert_int_eq(lw_tracejobs_init(jobs, &swf, &options), 0);
	ck_assert_uint_eq(jobs->count, count);
}

TEST_EACH(who_asks_for_no_time_gets_that_of_its_partition, LW_COUNT_OF(vectors))
{
	struct lw_tracejobs jobs;

	take(&jobs, 0, LW_COUNT_OF(trace), vectors[_i].default_limit_s);
	ck_assert_uint_eq(jobs.limits_made, 6);
	for (uint32_t i = 0; i < jobs.count; i++) {
		ck_assert_int_eq(jobs.jobs[i].limit_s, vectors[_i].limits[i].limit_s);
		ck_assert_int_eq(lw_sim_job_asked_s(&jobs.jobs[i]),
				 vectors[_i].limits[i].asked_s);
	}
	lw_tracejobs_fini(&jobs);
}

/* Who asks for more than one in a hundred does has leave to. */
TEST(the_topmost_hundredth_does_not_count)
{
	static const int64_t expected_s[] = { 600, 500 };
	struct lw_tracejobs_options options = { .machine = { .pool = 4 } };
	struct lw_swf_job many[201];
	struct lw_tracejobs jobs;

	for (uint32_t i = 0; i < LW_COUNT_OF(many); i++)
		many[i] = (struct lw_swf_job){ .procs = 1, .requested_s = i < 198 ? 500 : 600 };
	many[200].requested_s = -1;
	/* of 199 requests one is left out, of 200 two are */
	for (uint32_t leave = 0; leave < LW_COUNT_OF(expected_s); leave++) {
		struct lw_swf swf = { .jobs = many + 1 - leave, .job_count = 200 + leave };

		ck_assert_int_eq(lw_tracejobs_init(&jobs, &swf, &options), 0);
		ck_assert_int_eq(jobs.jobs[jobs.count - 1].limit_s, expected_s[leave]);
		lw_tracejobs_fini(&jobs);
	}
}

/* Of a trace without any limit nothing better is known. */
TEST(without_any_limit_it_is_the_run_time)
{
	struct lw_tracejobs jobs;

	take(&jobs, 7, 2, 0);
	ck_assert_uint_eq(jobs.limits_made, 2);
	ck_assert_int_eq(jobs.jobs[0].limit_s, 1);
	ck_assert_int_eq(jobs.jobs[1].limit_s, 3);
	lw_tracejobs_fini(&jobs);
}
