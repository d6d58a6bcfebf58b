/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of leeway sim: its commands, comparisons and benchmarks. */
#include "cli/common/tools.h"
#include "lab/cli_sim/sim_json.h"
#include "lab/history/evaluate.h"
#include "unit/scratch.h"
#include "unit/sim_traces.h"
#include "unit/unit.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
	const char *options;
	int result;
} calls[] = {
	{ "--set sched.policy=easy -q", LW_TOOLS_OK },
	{ "--help", LW_TOOLS_OK },
	{ "--set sched.policy=best", LW_TOOLS_USAGE },
	{ "--jobs 3:1", LW_TOOLS_USAGE },
	{ "--jobs 9:12", LW_TOOLS_FAILED },
	{ "--set jobs.user_field=name", LW_TOOLS_USAGE },
	{ "--gpus-per-node 4", LW_TOOLS_USAGE },
	{ "--set cluster.completing=5s", LW_TOOLS_USAGE },
	{ "--set cluster.completing=5s --nodes 4 -q", LW_TOOLS_OK },
	{ "--set cluster.plan_delay=soon", LW_TOOLS_USAGE },
	{ "--set shake.by=1h", LW_TOOLS_USAGE },
	{ "--set shake.sessions=yes", LW_TOOLS_USAGE },
	{ "--set shake.runs=2 --set shake.sessions=yes -q", LW_TOOLS_OK },
	{ "--set shake.runs=2 --set shake.by=0s", LW_TOOLS_USAGE },
	{ "--set shake.runs=2 --set shake.by=367d", LW_TOOLS_USAGE },
	{ "--html x", LW_TOOLS_USAGE },
	{ "--compare --set sched.policy=easy", LW_TOOLS_USAGE },
	{ "--compare --run easy --run best", LW_TOOLS_USAGE },
	{ "--compare --run a --run b --run c --run d --run e --run f --run g", LW_TOOLS_USAGE },
	{ "--racks 2", LW_TOOLS_USAGE },
	{ "--nodes 4 --set cluster.blocks=yes", LW_TOOLS_USAGE },
	{ "--nodes 4 --racks 2 --set cluster.blocks=yes -q", LW_TOOLS_OK },
	{ "--print wait", LW_TOOLS_USAGE },
	{ "--compare --print wait", LW_TOOLS_USAGE },
	{ "--json=/nonexistent/x", LW_TOOLS_FAILED },
	{ "other.swf", LW_TOOLS_USAGE },
};

FIXTURE(scratch_setup, scratch_teardown);

TEST_EACH(test_call, LW_COUNT_OF(calls))
{
	char line[512];

	snprintf(line, sizeof(line), "sim %s --allow-dropped %s",
		 scratch_write("t.swf", trace_text), calls[_i].options);
	ck_assert_int_eq(scratch_call(lw_tools_sim, line), calls[_i].result);
}

static uint32_t count(const char *text, const char *what)
{
	uint32_t found = 0;

	for (size_t i = 0; text[i]; i++)
		found += strncmp(text + i, what, strlen(what)) == 0;
	return found;
}

/* Every element that is opened is closed, and no number is missing. */
static void check_drawing(const char *text)
{
	ck_assert_uint_eq(count(text, "<svg "), 7); /* the sheet, and a chart each on it */
	ck_assert_uint_eq(count(text, "<"), 2 * count(text, "</") + count(text, "/>"));
	ck_assert_uint_eq(count(text, "nan"), 0);
	ck_assert_uint_eq(count(text, "inf"), 0);
}

/* The waits of the first run are those that the others are compared with. */
static void check_beside_base(const json_t *root)
{
	const json_t *runs = json_object_get(root, "runs");

	for (size_t i = 0; i < json_array_size(runs); i++) {
		const json_t *run = json_array_get(runs, i);

		ck_assert_int_eq(json_is_null(json_object_get(run, "longer_share")), !i);
		ck_assert_int_eq(json_is_null(json_object_get(run, "longer_max_s")), !i);
		ck_assert(json_is_number(json_object_get(run, "over_1_day")));
	}
}

TEST(test_compare)
{
	char line[600], *text;
	json_t *root;

	snprintf(line, sizeof(line),
		 "sim %s --compare --run <a>:sched.policy=easy --run b:sched.policy=relaxed "
		 "--run leeway --set shake.runs=2 "
		 "--json=%s --svg %s",
		 busy_trace(), scratch_path("j"), scratch_path("v"));
	ck_assert_int_eq(scratch_call(lw_tools_sim, line), LW_TOOLS_OK);
	root = json_load_file(scratch_path("j"), 0, NULL);
	ck_assert_uint_eq(json_array_size(json_object_get(root, "runs")), 3);
	ck_assert_uint_eq(json_array_size(json_object_get(root, "frontier")), 10);
	check_beside_base(root);
	json_decref(root);
	text = scratch_read(scratch_path("v"));
	ck_assert_uint_ge(count(text, "&lt;a&gt;"), 1);
	ck_assert_uint_eq(count(text, "(the curve: "), 1);
	check_drawing(text);
	free(text);
	text = scratch_read(scratch_path("out"));
	/* in the table of all, and in that of what becomes longer */
	ck_assert_uint_eq(count(text, "relaxed:relax=0.5"), 2);
	free(text);
}

/* A line each for the policies and the ten constant factors, the label first. */
TEST(test_compare_print)
{
	const char *first = "a:sched.policy=easy,planner.backfill_order=shortest";
	double wait_s, violation_s;
	char line[600], *text;

	snprintf(line, sizeof(line),
		 "sim %s --compare --run %s --run leeway --print wait_mean_s,violation_mean_s",
		 busy_trace(), first);
	ck_assert_int_eq(scratch_call(lw_tools_sim, line), LW_TOOLS_OK);
	text = scratch_read(scratch_path("out"));
	ck_assert_uint_eq(count(text, "\n"), 12);
	ck_assert_uint_eq(count(text, "\t"), 24);
	ck_assert_int_eq(sscanf(text, "a\t%lf\t%lf\nleeway\t", &wait_s, &violation_s), 2);
	ck_assert_double_gt(wait_s, 0);
	ck_assert_double_eq(violation_s, 0);
	ck_assert_uint_eq(count(text, "\nrelaxed:relax=0.5\t"), 1);
	free(text);
}

/* The table, and the same figures in a file. */
TEST(test_evaluate)
{
	char line[600], *text;
	json_t *root;

	snprintf(line, sizeof(line), "history evaluate %s --json=%s", busy_trace(),
		 scratch_path("j"));
	ck_assert_int_eq(scratch_call(lw_lab_history, line), LW_TOOLS_OK);
	root = json_load_file(scratch_path("j"), 0, NULL);
	ck_assert_uint_eq(json_array_size(json_object_get(root, "elapsed")), 5);
	json_decref(root);
	text = scratch_read(scratch_path("out"));
	ck_assert_uint_eq(count(text, "elapsed"), 1);
	free(text);
	snprintf(line, sizeof(line), "history show %s -o x", busy_trace());
	ck_assert_int_eq(scratch_call(lw_tools_history, line), LW_TOOLS_USAGE);
	snprintf(line, sizeof(line), "history evaluate %s --user 1", busy_trace());
	ck_assert_int_eq(scratch_call(lw_tools_history, line), LW_TOOLS_USAGE);
	snprintf(line, sizeof(line), "history import --swf %s -o -", busy_trace());
	ck_assert_int_eq(scratch_call(lw_tools_history, line), LW_TOOLS_USAGE);
}

TEST(test_bench)
{
	json_t *root, *one;

	ck_assert_int_eq(
		scratch_call(lw_tools_bench, "bench --nodes 40 --pending 200 --running 60 --json"),
		LW_TOOLS_OK);
	root = json_load_file(scratch_path("out"), 0, NULL);
	ck_assert_ptr_nonnull(root);
	one = json_array_get(json_object_get(root, "sizes"), 0);
	/* every waiting job is decided */
	ck_assert_int_ge(json_integer_value(json_object_get(one, "decisions")), 200);
	ck_assert_int_gt(json_integer_value(json_object_get(one, "started")), 0);
	ck_assert_int_eq(json_integer_value(json_object_get(one, "reserved")), 1);
	ck_assert_double_gt(json_real_value(json_object_get(one, "plan_min_s")), 0);
	json_decref(root);
	ck_assert_int_eq(scratch_call(lw_tools_bench, "bench --nodes 4 --running 33"),
			 LW_TOOLS_USAGE);
	ck_assert_int_eq(
		scratch_call(lw_tools_bench, "bench --nodes 4 --pending 3 --running 32 -q"),
		LW_TOOLS_OK);
}

/* Of two jobs one is cancelled before it can start. */
TEST(nobody_takes_a_job_back)
{
	char line[512], *text;

	snprintf(
		line, sizeof(line),
		"sim %s --set jobs.cancels=no --set sched.policy=easy --print jobs,never_started",
		scratch_write("w", "#lw-workload 1\n#machine nodes=1 cpus_per_node=1\n"
				   "0\t1\t1\t0\t1\t0\t600\t600\t-\t-\thpc\ta\n"
				   "1\t1\t1\t0\t1\t0\t600\t600\t5\t-\thpc\tb\n"));
	ck_assert_int_eq(scratch_call(lw_tools_sim, line), LW_TOOLS_OK);
	text = scratch_read(scratch_path("out"));
	ck_assert_str_eq(text, "2\t0\n");
	free(text);
}
