/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of leeway sim: a trace in, figures, schedules and drawings out. */
#include "cli/common/tools.h"
#include "lab/cli_sim/sim.h"
#include "lab/cli_sim/sim_json.h"
#include "unit/scratch.h"
#include "unit/sim_traces.h"
#include "unit/simspec.h"
#include "unit/unit.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <time.h>

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

	ck_assert_msg(!parse_run(text, &spec, &err), "%s", err.text);
	ck_assert_msg(!lw_simrun_do(run, trace, &spec, &repeat, &err), "%s", err.text);
}

FIXTURE(scratch_setup, scratch_teardown);

TEST(test_jobs)
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

TEST(test_some_jobs)
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

/* Waits 0, 9, 0, 12; runs 10, 5, 5, 20. Submissions from 0 to 3: three processors work from
 * 0 to 3 and one from 2 to 3. */
TEST(test_figures)
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

TEST(test_schedule)
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

TEST(test_sums)
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

static const char *const policies[] = {
	"fcfs",
	"easy",
	"relaxed",
	"adaptive",
	"leeway",
	"conservative",
	"clairvoyant",
	"published",
	"sched.policy=published-rl,sched.order=sjf",
	"sched.policy=published-rl-fcfs,sched.order=f1",
	"sched.policy=published-rl-order,sched.order=saf",
	"sched.policy=leeway,sim.runtime=last2",
	"sched.policy=easy,sim.runtime=last2",
	"sched.policy=easy,sched.order=f1",
	"sched.policy=relaxed,sim.runtime=predicted",
};

TEST_EACH(test_determinism, LW_COUNT_OF(policies))
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

/* No processor is given to two jobs at once, no job starts before it is submitted. */
TEST_EACH(test_feasible, LW_COUNT_OF(policies))
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

TEST(test_spec)
{
	struct lw_simspec spec;
	struct lw_error err = { "" };

	ck_assert_int_eq(
		parse_run("slack:sched.policy=relaxed,sched.relax=0.02,sim.runtime=last2", &spec,
			  &err),
		0);
	ck_assert_str_eq(spec.label, "slack");
	ck_assert_int_eq(spec.policy.kind, LW_POLICY_RELAXED);
	ck_assert_double_eq(spec.policy.relax, 0.02);
	ck_assert_int_eq(spec.runtime, LW_PREDICT_LAST2);
	ck_assert_int_eq(parse_run("leeway", &spec, &err), 0);
	ck_assert_str_eq(spec.label, "leeway");
	ck_assert_int_eq(spec.runtime, LW_PREDICT_HISTORY);
	ck_assert_int_eq(parse_run("a: sched.policy=leeway sched.slack=0.3,sched.slack_cap=10m",
				   &spec, &err),
			 0);
	ck_assert_double_eq(spec.policy.slack, 0.3);
	ck_assert_int_eq(spec.policy.slack_cap_s, 600);
	ck_assert_int_eq(parse_run("clairvoyant", &spec, &err), 0);
	ck_assert_int_eq(spec.policy.kind, LW_POLICY_EASY);
	ck_assert_int_eq(spec.runtime, LW_PREDICT_EXACT);
	ck_assert_int_eq(spec.policy.backfill_order, LW_BACKFILL_SHORTEST);
	ck_assert_int_eq(parse_run("published-adaptive", &spec, &err), 0);
	ck_assert_int_eq(spec.policy.kind, LW_POLICY_ADAPTIVE);
	ck_assert(spec.ends_before && spec.one_event);
	ck_assert_int_eq(parse_run("sched.policy=easy,sched.order=wfp3", &spec, &err), 0);
	ck_assert_int_eq(spec.policy.order, LW_ORDER_WFP3);
}

/* Of accounts 7 and 8, which are groups. */
static const struct {
	const char *shares;
	int rc;
	uint32_t first, second;
} account_shares[] = {
	{ "7=3", 0, 3, 0 },
	{ "8=1000000,7=2", 0, 2, 1000000 },
	{ "7=0", -EINVAL, 0, 0 },
	{ "7=1000001", -EINVAL, 0, 0 },
	{ "7", -EINVAL, 0, 0 },
	{ "7=1,", -EINVAL, 0, 0 },
	{ "7=1;8=2", -EINVAL, 0, 0 },
	{ "9=1", -EDOM, 0, 0 },
	{ "8=2,9=1", -EDOM, 0, 0 },
	{ "7=", -EINVAL, 0, 0 },
	{ "7:3", -EINVAL, 0, 0 },
	{ "7=1,8=2,7=3", -EINVAL, 0, 0 },
	{ "7=1,007=1", -EINVAL, 0, 0 },
	{ "-7=1", -EINVAL, 0, 0 },
};

TEST_EACH(test_account_shares, LW_COUNT_OF(account_shares))
{
	struct lw_simtrace_options options = plain;
	const char *path = scratch_write("t.swf", trace_text);
	struct lw_simtrace trace;
	struct lw_error err;

	options.account_shares = account_shares[_i].shares;
	ck_assert_int_eq(lw_simtrace_open(&trace, path, &options, &err), account_shares[_i].rc);
	if (account_shares[_i].rc)
		return;
	ck_assert_uint_eq(trace.jobs.jobs[0].account_share, account_shares[_i].first);
	ck_assert_uint_eq(trace.jobs.jobs[2].account_share, account_shares[_i].second);
	lw_simtrace_close(&trace);
}

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

TEST_EACH(test_bad_trace, LW_COUNT_OF(bad_traces))
{
	const char *path = scratch_write("bad.swf", bad_traces[_i].text);
	struct lw_simtrace trace;
	struct lw_error err = { "" };

	ck_assert_int_eq(lw_simtrace_open(&trace, path, &plain, &err), -EINVAL);
	ck_assert_ptr_eq(strstr(err.text, path), err.text);
	ck_assert_msg(strstr(err.text, bad_traces[_i].says), "%s", err.text);
}

TEST(test_lenient)
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

TEST(test_json)
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
		 "sim %s --allow-dropped --set sched.policy=easy --set shake.runs=2 --set "
		 "shake.by=1h --set cluster.plan_delay=3s "
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

TEST(test_print)
{
	char line[512], *text;

	snprintf(line, sizeof(line),
		 "sim %s --allow-dropped --set sched.policy=easy --print "
		 "jobs,wait_mean_s,promised,jobs:sd",
		 scratch_write("t.swf", trace_text));
	ck_assert_int_eq(scratch_call(lw_tools_sim, line), LW_TOOLS_OK);
	text = scratch_read(scratch_path("out"));
	ck_assert_str_eq(text, "4\t5.25\t2\t-\n");
	free(text);
}
