/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of leeway sim: a trace in, figures, schedules and drawings out. */
#include "tools/sim/sim.h"
#include "tools/sim/sim_json.h"

#include "tools/tools.h"
#include "unit/scratch.h"
#include "unit/unit.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <time.h>

/* number submit wait run procs cpu mem reqprocs reqtime reqmem status user group app queue
 * partition preceding think */
#define LINE(number, submit, run, procs, request, user, group)                                   \
	number " " submit " -1 " run " " procs " -1 -1 " procs " " request " -1 1 " user         \
	       " " group " -1 -1 -1 -1 -1\n"

/* The second vector of check_engine.c, and one job that is too wide, one without a run. */
static const char trace_text[] = "; MaxProcs: 4\n" LINE("11", "0", "10", "3", "9", "1", "7")
	LINE("12", "1", "5", "4", "5", "2", "7") LINE("13", "2", "5", "1", "8", "1", "8")
		LINE("14", "3", "20", "1", "-1", "-1", "8")
			LINE("15", "4", "20", "5", "20", "1", "8")
				LINE("16", "4", "-1", "1", "20", "1", "8");

static const struct lw_simtrace_options plain = { .allow_dropped = true };

static void open_trace(struct lw_simtrace *trace, const struct lw_simtrace_options *options)
{
	struct lw_error err = { "" };
	const char *path = scratch_write("t.swf", trace_text);

	ck_assert_msg(!lw_simtrace_open(trace, path, options, &err), "%s", err.text);
}

static void run_spec(struct lw_simrun *run, const struct lw_simtrace *trace, const char *text,
		     uint32_t shakes, uint64_t seed)
{
	struct lw_simrepeat repeat = { .shakes = shakes, .shake_by_s = LW_SHAKE_S, .seed = seed };
	struct lw_simspec spec;
	struct lw_error err = { "" };

	ck_assert_msg(!lw_simspec_parse(text, &spec, &err), "%s", err.text);
	ck_assert_msg(!lw_simrun_do(run, trace, &spec, &repeat, &err), "%s", err.text);
}

START_TEST(test_jobs)
{
	struct lw_simtrace trace;

	open_trace(&trace, &plain);
	ck_assert_str_eq(trace.name, "t.swf");
	ck_assert_uint_eq(trace.jobs.count, 4);
	ck_assert_uint_eq(trace.jobs.dropped_wide, 1);
	ck_assert_uint_eq(trace.jobs.dropped_unknown, 1);
	ck_assert_uint_eq(lw_machine_procs(&trace.machine), 4);
	ck_assert_uint_eq(trace.jobs.jobs[0].user, 1);
	ck_assert_uint_eq(trace.jobs.jobs[3].user, LW_HISTORY_NOBODY);
	/* nothing requested: as long as anybody may run, and here it ran for just that */
	ck_assert_int_eq(trace.jobs.jobs[3].limit_s, 20);
	ck_assert_uint_eq(trace.jobs.limits_made, 1);
	ck_assert_int_eq(trace.jobs.jobs[2].limit_s, 8);
	ck_assert_int_eq(lw_sim_job_asked_s(&trace.jobs.jobs[3]), 20);
	/* it ran beyond its request, so that no job is cut short, but that is what was asked */
	ck_assert_int_eq(trace.jobs.jobs[0].limit_s, 10);
	ck_assert_int_eq(lw_sim_job_asked_s(&trace.jobs.jobs[0]), 9);
	lw_simtrace_close(&trace);
}
END_TEST

START_TEST(test_some_jobs)
{
	struct lw_simtrace_options options = { .jobs = { .machine = { .nodes = 5,
								      .cpus_per_node = 1 },
							 .group_as_user = true,
							 .first_job = 3,
							 .last_job = 5 } };
	struct lw_simtrace trace;

	open_trace(&trace, &options);
	ck_assert_uint_eq(trace.jobs.count, 3);
	ck_assert_uint_eq(trace.jobs.dropped_wide, 0);
	ck_assert_uint_eq(trace.jobs.jobs[0].id, 3);
	ck_assert_uint_eq(trace.jobs.jobs[0].user, 8);
	ck_assert_uint_eq(trace.jobs.jobs[2].request.nodes_min, 5);
	lw_simtrace_close(&trace);
}
END_TEST

/* Waits 0, 9, 0, 12; runs 10, 5, 5, 20. Submissions from 0 to 3: three processors work from
 * 0 to 3 and one from 2 to 3. */
START_TEST(test_figures)
{
	struct lw_simtrace trace;
	struct lw_simrun run;

	open_trace(&trace, &plain);
	run_spec(&run, &trace, "easy", 0, 1);
	ck_assert_double_eq(run.mean.value[LW_FIGURE_JOBS], 4);
	ck_assert_double_eq_tol(run.mean.value[LW_FIGURE_WAIT], 21 / 4.0, 1e-12);
	ck_assert_double_eq_tol(run.mean.value[LW_FIGURE_BSLD], (1 + 1.4 + 1 + 1.6) / 4, 1e-12);
	ck_assert_double_eq(run.mean.value[LW_FIGURE_WAIT_MAX], 12);
	ck_assert_double_eq(run.mean.value[LW_FIGURE_WAIT_WIDE], 9);
	ck_assert_double_eq(run.mean.value[LW_FIGURE_WAIT_LONG], 12);
	ck_assert_double_eq_tol(run.mean.value[LW_FIGURE_UTILISATION], 10 / 12.0, 1e-12);
	ck_assert_double_eq(run.mean.value[LW_FIGURE_PROMISED], 2);
	ck_assert_double_eq(run.mean.value[LW_FIGURE_BROKEN], 0);
	lw_simrun_fini(&run);
	lw_simtrace_close(&trace);
}
END_TEST

START_TEST(test_schedule)
{
	struct lw_simtrace trace;
	struct lw_simrun run;
	FILE *out = fopen(scratch_path("s"), "w");
	char *text;

	open_trace(&trace, &plain);
	run_spec(&run, &trace, "easy", 0, 1);
	lw_simrun_print_schedule(&run, &trace, out);
	fclose(out);
	text = scratch_read(scratch_path("s"));
	ck_assert_str_eq(text, "11 0 10\n12 10 15\n13 2 7\n14 15 35\n");
	free(text);
	lw_simrun_fini(&run);
	lw_simtrace_close(&trace);
}
END_TEST

START_TEST(test_sums)
{
	static const double waits[] = { 2, 4, 4, 4, 5, 5, 7, 9 };
	struct lw_figures_sum sum = { 0 };
	struct lw_figures figures = { { 0 } };

	ck_assert_double_eq(lw_figures_sd(&sum).value[LW_FIGURE_WAIT], 0);
	for (size_t i = 0; i < LW_COUNT_OF(waits); i++) {
		figures.value[LW_FIGURE_WAIT] = waits[i];
		lw_figures_add(&sum, &figures);
	}
	ck_assert_double_eq_tol(lw_figures_mean(&sum).value[LW_FIGURE_WAIT], 5, 1e-12);
	ck_assert_double_eq_tol(lw_figures_sd(&sum).value[LW_FIGURE_WAIT], sqrt(32 / 7.0), 1e-12);
}
END_TEST

/* JSON without what only the clock knows. */
static char *timeless_json(struct lw_simrun *run, const struct lw_simtrace *trace)
{
	json_t *json;
	char *text;

	run->mean.value[LW_FIGURE_WALL] = run->mean.value[LW_FIGURE_SPEED] = 0;
	run->sd.value[LW_FIGURE_WALL] = run->sd.value[LW_FIGURE_SPEED] = 0;
	json = lw_simrun_json(run, trace);
	text = json_dumps(json, JSON_INDENT(2) | JSON_REAL_PRECISION(10));
	ck_assert_ptr_nonnull(text);
	json_decref(json);
	return text;
}

/* KTH's jobs in small: enough for queues, reservations and broken promises. */
static const char *busy_trace(void)
{
	FILE *out = fopen(scratch_path("busy.swf"), "w");
	uint32_t state = 12345;

	fputs("; MaxProcs: 16\n", out);
	for (int i = 0; i < 600; i++) {
		int limit, run, procs;

		state = state * 1664525 + 1013904223;
		limit = 600 * (1 + (int)(state >> 28));
		run = (int)((state >> 8) % (uint32_t)limit);
		procs = 1 << (state >> 12) % 5;
		fprintf(out, "%d %d -1 %d %d -1 -1 %d %d -1 1 %d 1 -1 -1 -1 -1 -1\n", i + 1,
			i * 1100, run, procs, procs, limit, (int)(state >> 20) % 7);
	}
	fclose(out);
	return scratch_path("busy.swf");
}

static const char *const policies[] = {
	"fcfs",
	"easy",
	"relaxed",
	"adaptive",
	"leeway",
	"conservative",
	"clairvoyant",
	"published",
	"leeway:runtime=last2",
	"easy:runtime=last2",
	"easy:order=f1",
	"relaxed:runtime=predicted",
};

START_TEST(test_determinism)
{
	struct lw_error err = { "" };
	struct lw_simtrace trace;
	struct lw_simrun run;
	char *once, *twice, *other;

	ck_assert_int_eq(lw_simtrace_open(&trace, busy_trace(), &plain, &err), 0);
	run_spec(&run, &trace, policies[_i], 3, 5);
	once = timeless_json(&run, &trace);
	lw_simrun_fini(&run);
	run_spec(&run, &trace, policies[_i], 3, 5);
	twice = timeless_json(&run, &trace);
	lw_simrun_fini(&run);
	run_spec(&run, &trace, policies[_i], 3, 105);
	ck_assert_double_gt(run.sd.value[LW_FIGURE_WAIT], 0);
	ck_assert_double_gt(run.mean.value[LW_FIGURE_WAIT], 0);
	other = timeless_json(&run, &trace);
	lw_simrun_fini(&run);
	ck_assert_str_eq(once, twice);
	ck_assert_str_ne(once, other);
	free(once);
	free(twice);
	free(other);
	lw_simtrace_close(&trace);
}
END_TEST

/* No processor is given to two jobs at once, no job starts before it is submitted. */
START_TEST(test_feasible)
{
	struct lw_error err = { "" };
	struct lw_simtrace trace;
	struct lw_simrun run;

	ck_assert_int_eq(lw_simtrace_open(&trace, busy_trace(), &plain, &err), 0);
	run_spec(&run, &trace, policies[_i], 0, 1);
	for (uint32_t i = 0; i < trace.jobs.count; i++) {
		uint32_t used = 0;

		ck_assert_int_ge(run.jobs[i].start_s, run.jobs[i].submit_s);
		for (uint32_t k = 0; k < trace.jobs.count; k++) {
			const struct lw_sim_job *job = &run.jobs[k];

			if (job->start_s <= run.jobs[i].start_s &&
			    job->start_s + job->run_s > run.jobs[i].start_s)
				used += lw_machine_width(&trace.machine, &job->request);
		}
		ck_assert_uint_le(used, 16);
	}
	lw_simrun_fini(&run);
	lw_simtrace_close(&trace);
}
END_TEST

START_TEST(test_spec)
{
	struct lw_simspec spec;
	struct lw_error err = { "" };

	ck_assert_int_eq(lw_simspec_parse("slack=relaxed:relax=0.02:runtime=last2", &spec, &err),
			 0);
	ck_assert_str_eq(spec.label, "slack");
	ck_assert_int_eq(spec.policy.kind, LW_POLICY_RELAXED);
	ck_assert_double_eq(spec.policy.relax, 0.02);
	ck_assert_int_eq(spec.runtime, LW_PREDICT_LAST2);
	ck_assert_int_eq(lw_simspec_parse("leeway", &spec, &err), 0);
	ck_assert_str_eq(spec.label, "leeway");
	ck_assert_int_eq(spec.runtime, LW_PREDICT_HISTORY);
	ck_assert_int_eq(lw_simspec_parse("a=leeway:slack=0.3:slack-cap=10m", &spec, &err), 0);
	ck_assert_double_eq(spec.policy.leeway.slack, 0.3);
	ck_assert_int_eq(spec.policy.leeway.slack_cap_s, 600);
	ck_assert_int_eq(lw_simspec_parse("clairvoyant", &spec, &err), 0);
	ck_assert_int_eq(spec.policy.kind, LW_POLICY_EASY);
	ck_assert_int_eq(spec.runtime, LW_PREDICT_EXACT);
	ck_assert_int_eq(spec.policy.backfill_order, LW_BACKFILL_SHORTEST);
	ck_assert_int_eq(lw_simspec_parse("published-adaptive", &spec, &err), 0);
	ck_assert_int_eq(spec.policy.kind, LW_POLICY_ADAPTIVE);
	ck_assert(spec.policy.time_only && spec.one_event);
	ck_assert_int_eq(lw_simspec_parse("easy:order=wfp3", &spec, &err), 0);
	ck_assert_int_eq(spec.policy.order, LW_ORDER_WFP3);
}
END_TEST

static const struct {
	const char *text, *says;
} bad_traces[] = {
	{ "; MaxProcs: 4\n" LINE("1", "0", "ten", "3", "10", "1", "7"),
	  ":2: field 4 (run time)" },
	{ "; MaxProcs: 4\n1 2 3\n", ":2: field 4 (run time): missing" },
	{ "; MaxProcs: 4\n" LINE("1", "5", "1", "3", "10", "1", "7")
		  LINE("2", "4", "1", "3", "10", "1", "7"),
	  ":3: field 2 (submit time)" },
	{ LINE("1", "0", "10", "3", "10", "1", "7"), "MaxProcs" },
	{ "; MaxProcs: 4\n", "no job" },
	{ "; MaxProcs: 4\n" LINE("1", "0", "10", "5", "10", "1", "7"), "no job" },
};

START_TEST(test_bad_trace)
{
	const char *path = scratch_write("bad.swf", bad_traces[_i].text);
	struct lw_simtrace trace;
	struct lw_error err = { "" };

	ck_assert_int_eq(lw_simtrace_open(&trace, path, &plain, &err), -EINVAL);
	ck_assert_ptr_eq(strstr(err.text, path), err.text);
	ck_assert_msg(strstr(err.text, bad_traces[_i].says), "%s", err.text);
}
END_TEST

START_TEST(test_lenient)
{
	const char *path = scratch_write(
		"bad.swf", "; MaxProcs: 4\n1 2 3\n" LINE("2", "5", "1", "3", "10", "1", "7"));
	struct lw_simtrace_options options = { .lenient = true };
	struct lw_simtrace trace;
	struct lw_error err = { "" };

	ck_assert_int_eq(lw_simtrace_open(&trace, path, &options, &err), 0);
	ck_assert_uint_eq(trace.jobs.count, 1);
	ck_assert_uint_eq(trace.swf.skipped, 1);
	lw_simtrace_close(&trace);
}
END_TEST

START_TEST(test_json)
{
	static const char *const keys[] = {
		"jobs",
		"wait_mean_s",
		"bsld_mean",
		"utilisation",
		"promised",
		"kept",
		"later_than_shown",
		"broken",
		"withdrawn",
		"wait_p99_s",
		"wait_max_s",
		"wait_wide_mean_s",
		"wait_long_mean_s",
		"wall_s",
		"jobs_per_s",
		"violation_mean_s",
		"violation_max_s",
		"dropped_wide",
	};
	char line[512];
	json_t *root;

	snprintf(line, sizeof(line),
		 "sim %s --allow-dropped --policy easy --shakes 2 --shake-by 1h --plan-delay 3s "
		 "--json -",
		 scratch_write("t.swf", trace_text));
	ck_assert_int_eq(scratch_call(lw_tools_sim, line), LW_TOOLS_OK);
	root = json_load_file(scratch_path("out"), 0, NULL);
	ck_assert_ptr_nonnull(root);
	for (size_t i = 0; i < LW_COUNT_OF(keys); i++)
		ck_assert_msg(json_is_number(json_object_get(root, keys[i])), "no %s", keys[i]);
	ck_assert(json_is_number(json_object_get(json_object_get(root, "sd"), "wait_mean_s")));
	ck_assert_int_eq(json_integer_value(json_object_get(root, "dropped_wide")), 1);
	ck_assert_int_eq(json_integer_value(json_object_get(root, "shake_by_s")), 3600);
	ck_assert_int_eq(json_integer_value(json_object_get(root, "plan_delay_s")), 3);
	/* nobody starts sooner than that */
	ck_assert(json_real_value(json_object_get(root, "wait_mean_s")) >= 3);
	json_decref(root);
}
END_TEST

START_TEST(test_print)
{
	char line[512], *text;

	snprintf(line, sizeof(line),
		 "sim %s --allow-dropped --policy easy --print jobs,wait_mean_s,promised,jobs:sd",
		 scratch_write("t.swf", trace_text));
	ck_assert_int_eq(scratch_call(lw_tools_sim, line), LW_TOOLS_OK);
	text = scratch_read(scratch_path("out"));
	ck_assert_str_eq(text, "4\t5.25\t2\t0\n");
	free(text);
}
END_TEST

static const struct {
	const char *options;
	int result;
} calls[] = {
	{ "--policy easy -q", LW_TOOLS_OK },
	{ "--help", LW_TOOLS_OK },
	{ "--policy best", LW_TOOLS_USAGE },
	{ "--jobs 3:1", LW_TOOLS_USAGE },
	{ "--jobs 9:12", LW_TOOLS_FAILED },
	{ "--user-field name", LW_TOOLS_USAGE },
	{ "--gpus-per-node 4", LW_TOOLS_USAGE },
	{ "--completing 5s", LW_TOOLS_USAGE },
	{ "--completing 5s --nodes 4 -q", LW_TOOLS_OK },
	{ "--plan-delay soon", LW_TOOLS_USAGE },
	{ "--shake-by 1h", LW_TOOLS_USAGE },
	{ "--shake-sessions", LW_TOOLS_USAGE },
	{ "--shakes 2 --shake-sessions -q", LW_TOOLS_OK },
	{ "--shakes 2 --shake-by 0s", LW_TOOLS_USAGE },
	{ "--shakes 2 --shake-by 367d", LW_TOOLS_USAGE },
	{ "--html x", LW_TOOLS_USAGE },
	{ "--compare --policy easy", LW_TOOLS_USAGE },
	{ "--compare --policies easy,best", LW_TOOLS_USAGE },
	{ "--compare --policies a,b,c,d,e,f,g", LW_TOOLS_USAGE },
	{ "--racks 2", LW_TOOLS_USAGE },
	{ "--nodes 4 --blocks", LW_TOOLS_USAGE },
	{ "--nodes 4 --racks 2 --blocks -q", LW_TOOLS_OK },
	{ "--print wait", LW_TOOLS_USAGE },
	{ "--compare --print wait", LW_TOOLS_USAGE },
	{ "--json=/nonexistent/x", LW_TOOLS_FAILED },
	{ "other.swf", LW_TOOLS_USAGE },
};

START_TEST(test_call)
{
	char line[512];

	snprintf(line, sizeof(line), "sim %s --allow-dropped %s",
		 scratch_write("t.swf", trace_text), calls[_i].options);
	ck_assert_int_eq(scratch_call(lw_tools_sim, line), calls[_i].result);
}
END_TEST

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
	ck_assert_uint_eq(count(text, "<svg "), 5); /* the sheet, and a chart each on it */
	ck_assert_uint_eq(count(text, "<"), 2 * count(text, "</") + count(text, "/>"));
	ck_assert_uint_eq(count(text, "nan"), 0);
	ck_assert_uint_eq(count(text, "inf"), 0);
}

START_TEST(test_compare)
{
	char line[600], *text;
	json_t *root;

	snprintf(line, sizeof(line),
		 "sim %s --compare --policies <a>=easy,b=relaxed,leeway --shakes 2 "
		 "--json=%s --svg %s",
		 busy_trace(), scratch_path("j"), scratch_path("v"));
	ck_assert_int_eq(scratch_call(lw_tools_sim, line), LW_TOOLS_OK);
	root = json_load_file(scratch_path("j"), 0, NULL);
	ck_assert_uint_eq(json_array_size(json_object_get(root, "runs")), 3);
	ck_assert_uint_eq(json_array_size(json_object_get(root, "frontier")), 10);
	json_decref(root);
	text = scratch_read(scratch_path("v"));
	ck_assert_uint_ge(count(text, "&lt;a&gt;"), 1);
	ck_assert_uint_eq(count(text, "(the curve: "), 1);
	check_drawing(text);
	free(text);
	text = scratch_read(scratch_path("out"));
	ck_assert_uint_eq(count(text, "relaxed:relax=0.5"), 1);
	free(text);
}
END_TEST

/* A line each for the policies and the ten constant factors, the label first. */
START_TEST(test_compare_print)
{
	const char *first = "a=easy:backfill-order=shortest";
	double wait_s, violation_s;
	char line[600], *text;

	snprintf(line, sizeof(line),
		 "sim %s --compare --policies %s,leeway --print wait_mean_s,violation_mean_s",
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
END_TEST

/* The table, and the same figures in a file. */
START_TEST(test_evaluate)
{
	char line[600], *text;
	json_t *root;

	snprintf(line, sizeof(line), "history evaluate %s --json=%s", busy_trace(),
		 scratch_path("j"));
	ck_assert_int_eq(scratch_call(lw_tools_history, line), LW_TOOLS_OK);
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
END_TEST

START_TEST(test_bench)
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
END_TEST

int main(void)
{
	Suite *suite = suite_create("sim");
	TCase *tcase = tcase_create("sim");

	tcase_add_checked_fixture(tcase, scratch_setup, scratch_teardown);
	tcase_set_timeout(tcase, 120);
	tcase_add_test(tcase, test_jobs);
	tcase_add_test(tcase, test_some_jobs);
	tcase_add_test(tcase, test_figures);
	tcase_add_test(tcase, test_schedule);
	tcase_add_test(tcase, test_sums);
	tcase_add_loop_test(tcase, test_determinism, 0, (int)LW_COUNT_OF(policies));
	tcase_add_loop_test(tcase, test_feasible, 0, (int)LW_COUNT_OF(policies));
	tcase_add_test(tcase, test_spec);
	tcase_add_loop_test(tcase, test_bad_trace, 0, (int)LW_COUNT_OF(bad_traces));
	tcase_add_test(tcase, test_lenient);
	tcase_add_test(tcase, test_json);
	tcase_add_test(tcase, test_print);
	tcase_add_loop_test(tcase, test_call, 0, (int)LW_COUNT_OF(calls));
	tcase_add_test(tcase, test_compare);
	tcase_add_test(tcase, test_compare_print);
	tcase_add_test(tcase, test_evaluate);
	tcase_add_test(tcase, test_bench);
	suite_add_tcase(suite, tcase);
	return unit_run(suite);
}
