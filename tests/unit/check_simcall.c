/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of the command leeway sim: what it reads, refuses, writes and draws. */
#include "cli/common/tools.h"
#include "lab/cli_sim/sim.h"
#include "measure/figures.h"
#include "unit/scratch.h"
#include "unit/simspec.h"
#include "unit/unit.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>

#define SWF(number, submit, run, procs) \
	number " " submit " -1 " run " " procs " -1 -1 " procs " 100 -1 1 1 1 -1 -1 -1 -1 -1\n"
static const char trace_text[] =
	"; MaxProcs: 2\n" SWF("1", "0", "50", "2") SWF("2", "10", "50", "1")
		SWF("3", "20", "5", "2");

#define WORK(submit, limit, run) submit "\t1\t1\t0\t1\t0\t" limit "\t" run "\t-\t-\thpc\tjob\n"
static const char work_text[] = "#lw-workload 1\n" WORK("0", "600", "50") WORK("10", "600", "50");

/* TEXT in a pipe: "/dev/fd/N" is its end to read from. */
static const char *piped(const char *text)
{
	static char path[32];
	int ends[2];

	ck_assert_int_eq(pipe(ends), 0);
	ck_assert_int_eq(write(ends[1], text, strlen(text)), (ssize_t)strlen(text));
	close(ends[1]);
	snprintf(path, sizeof(path), "/dev/fd/%d", ends[0]);
	return path;
}

/* longer than a label may be */
#define LONG                                                                                      \
	"sched.policy=relaxed planner.backfill_order=shortest sched.order=sjf sim.runtime=exact " \
	"sim.placement=leeway sched.relax=0.25 select.gang_wait=0s"

static const struct {
	const char *text, *says;
} bad_specs[] = {
	{ "best", "no policy \"best\"" },
	{ "x: sched.policy=best", "sched.policy: \"best\" is none of fcfs, easy" },
	{ ":sched.policy=easy", "the name is empty" },
	{ "x", "no policy \"x\"; give NAME: KEY=VALUE" },
	{ "relaxed: relax", "not KEY=VALUE" },
	{ "sched.policy=relaxed,sched.relax=", "sched.relax: " },
	{ "relaxed: sched.relax=-1", "sched.relax: " },
	{ "relaxed: sched.relax=9", "sched.relax: 9 is above 2.0" },
	{ "relaxed: sched.relax_cap=soon", "sched.relax_cap: \"soon\" is no duration" },
	{ "easy: sched.relax=0.5",
	  "sched.relax counts under sched.policy relaxed and adaptive only" },
	{ "easy: sched.relax_cap=1h", "sched.relax_cap counts under" },
	{ "clairvoyant: sched.slack=1", "sched.slack counts under sched.policy leeway only" },
	{ "leeway: sched.relax=0.3", "sched.relax counts under" },
	{ "published: sched.slack=0.3", "sched.slack counts under" },
	{ "easy: planner.hold=no", "planner.hold counts under sched.policy leeway only" },
	{ "leeway: planner.backfill_order=shortest", "planner.backfill_order counts under" },
	{ "fcfs: select.gang_wait=5m", "select.gang_wait no job waits" },
	{ "leeway: sched.slack=9", "sched.slack: 9 is above 2.0" },
	{ "easy: sim.runtime=guess", "sim.runtime: \"guess\" is none of policy, user, exact" },
	{ "easy: sched.chain=maybe", "sched.chain: \"maybe\" is none of yes, no, start-rule" },
	{ "easy: sched.chain_share=1.5", "sched.chain_share: 1.5 is above 1.0" },
	{ "easy: sched.order=fifo", "sched.order: \"fifo\" is none of given, fcfs" },
	{ "easy: planner.backfill_order=best", "planner.backfill_order: \"best\" is none" },
	{ "leeway: planner.hold=maybe", "planner.hold: \"maybe\" is neither yes nor no" },
	{ "easy: colour=red", "there is no setting \"colour\"; --set list shows all" },
	{ "easy: sched.patince=1", "did you mean sched.patience; --set list" },
	{ "easy: patience=1", "did you mean sched.patience; --set list" },
	{ "easy: sched.interval=30s", "sched.interval: a simulation does not go by it" },
	{ "easy: shake.seed=3", "shake.seed is of all runs: give --set shake.seed=3" },
	{ "n1234567890123456789012345678901234567890123456789012345678901234567890123456789: "
	  "sched.policy=easy",
	  "79 bytes at most" },
	{ "a: " LONG LONG LONG LONG, "too long" },
};

FIXTURE(scratch_setup, scratch_teardown);

TEST_EACH(test_bad_spec, LW_COUNT_OF(bad_specs))
{
	struct lw_simspec spec;
	struct lw_error err = { "" };

	ck_assert_int_eq(parse_run(bad_specs[_i].text, &spec, &err), -EINVAL);
	ck_assert_msg(strstr(err.text, bad_specs[_i].says), "\"%s\"", err.text);
}

TEST(a_label_makes_room_for_options)
{
	struct lw_simspec spec;
	struct lw_error err = { "" };

	ck_assert_msg(!parse_run("all: " LONG, &spec, &err), "%s", err.text);
	ck_assert_str_eq(spec.label, "all");
	ck_assert_int_eq(spec.policy.order, LW_ORDER_SJF);
	ck_assert(spec.policy.relax == 0.25);
}

/* The default of --compare has no labels that name other settings. */
TEST(the_standard_is_its_settings)
{
	struct lw_error err = { "" };
	struct lw_simspecs specs = { .count = 0 };
	struct lw_simbase base = { .set_count = 0 };

	lw_simsettings_default(&base.settings);
	ck_assert_int_eq(lw_simspecs_add_standard(&specs, &base, &err), 0);
	for (uint32_t i = 0; i < specs.count; i++)
		ck_assert_str_eq(specs.specs[i].label, specs.specs[i].settings);
}

static const struct {
	double started[2];
	bool differ;
} starts[] = { { { 1000, 1000 }, false }, { { 1000, 1010 }, false }, { { 1000, 1011 }, true },
	       { { 1011, 1000 }, true },  { { 0, 0 }, false },	      { { 0, 5 }, true } };

TEST_EACH(other_jobs_do_not_compare, LW_COUNT_OF(starts))
{
	static struct lw_simrun runs[2];
	struct lw_simcompare compare = { .runs = runs, .count = 2 };

	for (int i = 0; i < 2; i++)
		compare.runs[i].mean.value[LW_FIGURE_JOBS] = starts[_i].started[i];
	ck_assert_int_eq(lw_simcompare_differ(&compare), starts[_i].differ);
}

/* Of two jobs one is cancelled before it can start: what is told is of the other. */
TEST(means_say_of_how_many)
{
	char line[512], *text;

	snprintf(line, sizeof(line), "sim %s --set sched.policy=easy",
		 scratch_write("w", "#lw-workload 1\n#machine nodes=1 cpus_per_node=1\n"
				    "0\t1\t1\t0\t1\t0\t600\t600\t-\t-\thpc\ta\n"
				    "1\t1\t1\t0\t1\t0\t600\t600\t5\t-\thpc\tb\n"));
	ck_assert_int_eq(scratch_call(lw_tools_sim, line), LW_TOOLS_OK);
	text = scratch_read(scratch_path("out"));
	ck_assert_msg(strstr(text, "over the 1 of 2 jobs that started") != NULL, "%s", text);
	free(text);
	*strstr(line, "--set sched.policy=easy") = '\0';
	snprintf(line + strlen(line), 100, "--run easy --run mine:sched.policy=fcfs");
	ck_assert_int_eq(scratch_call(lw_tools_sim, line), LW_TOOLS_OK);
	text = scratch_read(scratch_path("out"));
	ck_assert_ptr_nonnull(strstr(text, "mine: means over the 1 of 2 jobs that started"));
	ck_assert_ptr_nonnull(strstr(text, "\nmine: fcfs\n"));
	free(text);
}

static const struct {
	const char *text, *options, *jobs;
} inputs[] = {
	{ trace_text, "", "3\n" },
	{ work_text, "--nodes 1", "2\n" },
};

/* leeway sim <(zcat ...) */
TEST_EACH(a_pipe_is_read_once, LW_COUNT_OF(inputs))
{
	char line[256], *text;

	snprintf(line, sizeof(line),
		 "sim %s --print jobs --set sched.policy=easy --set jobs.user_field=user %s",
		 piped(inputs[_i].text), inputs[_i].options);
	if (!*inputs[_i].options)
		line[strlen(line) - 1] = '\0';
	ck_assert_int_eq(scratch_call(lw_tools_sim, line), LW_TOOLS_OK);
	text = scratch_read(scratch_path("out"));
	ck_assert_str_eq(text, inputs[_i].jobs);
	free(text);
}

TEST(standard_input_may_be_a_workload)
{
	int saved = dup(STDIN_FILENO), in = open(piped(work_text), O_RDONLY), rc;
	char *text;

	ck_assert_int_ge(saved, 0);
	ck_assert_int_ge(dup2(in, STDIN_FILENO), 0);
	rc = scratch_call(lw_tools_sim, "sim - --nodes 1 --print jobs");
	dup2(saved, STDIN_FILENO);
	close(saved);
	close(in);
	ck_assert_int_eq(rc, LW_TOOLS_OK);
	text = scratch_read(scratch_path("out"));
	ck_assert_str_eq(text, "2\n");
	free(text);
}

/* Nothing runs before all that was asked for is understood: then a table would be printed. */
static const struct {
	const char *options;
	int result;
} slips[] = {
	{ "--compare --run easy --run best", LW_TOOLS_USAGE },
	{ "--compare --print jobs,wait", LW_TOOLS_USAGE },
	{ "--compare --run easy --run leeway --run easy", LW_TOOLS_USAGE },
	{ "--compare --run a:sched.policy=easy --run a:sched.policy=leeway", LW_TOOLS_USAGE },
	{ "--compare --run :sched.policy=easy", LW_TOOLS_USAGE },
	{ "--compare --set sched.policy=easy", LW_TOOLS_USAGE },
	{ "--run easy --run leeway --set sched.relax=0.5", LW_TOOLS_USAGE },
	{ "--print jobs,wait", LW_TOOLS_USAGE },
	{ "--set sched.policy=easy --set sched.relax=0.5", LW_TOOLS_USAGE },
	{ "--set sched.relax=0.3", LW_TOOLS_USAGE },
	{ "--set sched.policy=easy --json=/no/such/folder/x", LW_TOOLS_FAILED },
	{ "--set sched.policy=easy --schedule /dev", LW_TOOLS_FAILED },
	{ "--compare --html /no/such/folder/x", LW_TOOLS_FAILED },
	{ "--compare --svg /proc/version/x", LW_TOOLS_FAILED },
};

TEST_EACH(a_slip_is_told_before_anything_runs, LW_COUNT_OF(slips))
{
	char line[512], *text;

	snprintf(line, sizeof(line), "sim %s %s", scratch_write("t.swf", trace_text),
		 slips[_i].options);
	ck_assert_int_eq(scratch_call(lw_tools_sim, line), slips[_i].result);
	text = scratch_read(scratch_path("out"));
	ck_assert_str_eq(text ? text : "", "");
	free(text);
}

/* No character that XML does not allow, nor a byte of the name that is no UTF-8. */
static void check_page(const char *name)
{
	char *text = scratch_read(scratch_path(name));

	for (size_t i = 0; text[i]; i++)
		ck_assert_msg((unsigned char)text[i] >= ' ' || text[i] == '\n', "%s: byte %d", name,
			      text[i]);
	ck_assert_ptr_nonnull(strstr(text, "caf?&lt;b&gt;?.swf"));
	ck_assert_ptr_null(strchr(text, '\xe9'));
	ck_assert_ptr_null(strstr(text, "the curve: ")); /* there is no such curve */
	free(text);
}

TEST(a_strange_name_spoils_nothing)
{
	char line[768];
	json_t *root, *run;

	snprintf(line, sizeof(line),
		 "sim %s --compare --set figures.frontier=no --run caf\xe9:sched.policy=easy "
		 "--html %s --svg %s "
		 "--json=%s",
		 scratch_write("caf\xe9<b>\x01.swf", trace_text), scratch_path("page"),
		 scratch_path("drawing"), scratch_path("figures"));
	ck_assert_int_eq(scratch_call(lw_tools_sim, line), LW_TOOLS_OK);
	check_page("page");
	check_page("drawing");
	root = json_load_file(scratch_path("figures"), 0, NULL);
	ck_assert_ptr_nonnull(root);
	ck_assert_str_eq(json_string_value(json_object_get(root, "trace")), "caf?<b>?.swf");
	run = json_array_get(json_object_get(root, "runs"), 0);
	ck_assert_str_eq(json_string_value(json_object_get(run, "label")), "caf?");
	json_decref(root);
}

/* How high the last curve of the drawing gets, and where the top of its chart is. */
static void find_top(const char *svg, double *ret_curve, double *ret_chart)
{
	const char *curve = NULL, *axis = NULL;
	double x, y;
	int taken;

	for (const char *p = svg; (p = strstr(p, " d=\"M")); p++) {
		if (strncmp(p - 18, "stroke-width=\"1.8\"", 18) == 0)
			curve = p;
		if (sscanf(p, " d=\"M%lf %lfV%lfH", &x, &y, &x) == 3)
			axis = p;
	}
	ck_assert(curve && axis);
	sscanf(axis, " d=\"M%lf %lf", &x, ret_chart);
	*ret_curve = 1e9;
	for (curve += 5; sscanf(curve, "%lf %lf%n", &x, &y, &taken) == 2; curve += taken + 1)
		*ret_curve = y < *ret_curve ? y : *ret_curve;
}

/* One node, and three jobs that would run for an hour if they were not cut at ten minutes. */
TEST(no_more_than_all_is_in_use)
{
	char line[512], *svg;
	double curve, chart;

	snprintf(line, sizeof(line),
		 "sim %s --nodes 1 --cpus-per-node 1 --compare --set figures.frontier=no --run "
		 "easy -q "
		 "--svg %s",
		 scratch_write("w", "#lw-workload 1\n" WORK("0", "600", "3600") WORK(
					    "10", "600", "3600") WORK("3000", "600", "3600")),
		 scratch_path("drawing"));
	ck_assert_int_eq(scratch_call(lw_tools_sim, line), LW_TOOLS_OK);
	svg = scratch_read(scratch_path("drawing"));
	find_top(svg, &curve, &chart);
	ck_assert_double_ge(curve, chart - 0.05);
	ck_assert_double_le(curve, chart + 0.05);
	ck_assert_ptr_nonnull(strstr(svg, ">minutes since the start of the trace<"));
	free(svg);
}

/* Of a trace of GPUs, on nodes of which it was not said that they have any. */
TEST(a_workload_of_gpus_needs_some)
{
	char line[256];

	snprintf(line, sizeof(line), "workload %s --processor gpu -q -o %s",
		 scratch_write("t.swf", trace_text), scratch_path("w"));
	ck_assert_int_eq(scratch_call(lw_tools_workload, line), LW_TOOLS_USAGE);
	strcat(line, " --gpus-per-node 2");
	ck_assert_int_eq(scratch_call(lw_tools_workload, line), LW_TOOLS_OK);
}

/* One of three simulations had none: the mean is of the others. */
TEST(nothing_is_not_counted)
{
	static const double shares[] = { 0.5, NAN, 1 };
	struct lw_figures figures = { { 0 } };
	struct lw_figures_sum sum = { 0 };

	figures.value[LW_FIGURE_DOMAINS] = NAN;
	for (size_t i = 0; i < LW_COUNT_OF(shares); i++) {
		figures.value[LW_FIGURE_ONE_DOMAIN] = shares[i];
		lw_figures_add(&sum, &figures);
	}
	ck_assert_double_eq(lw_figures_mean(&sum).value[LW_FIGURE_ONE_DOMAIN], 0.75);
	ck_assert_double_eq_tol(lw_figures_sd(&sum).value[LW_FIGURE_ONE_DOMAIN], sqrt(0.125),
				1e-12);
	ck_assert_double_nan(lw_figures_mean(&sum).value[LW_FIGURE_DOMAINS]);
	ck_assert_double_nan(lw_figures_sd(&sum).value[LW_FIGURE_DOMAINS]);
}

/* A pool has no gangs and no islands, and one job no time between submissions. */
static const char *const untold[] = { "gangs_in_one_domain", "domains_over_least",
				      "domains_a_gang",	     "jobs_in_one_island",
				      "nodes_over_least",    "gpu_fragmentation",
				      "gpu_unusable",	     "utilisation",
				      "relax_cap_s",	     "relax",
				      "slack",		     "slack_cap_s" };

TEST(what_is_not_known_is_null)
{
	char line[512], *text;
	json_t *root;

	snprintf(line, sizeof(line),
		 "sim %s --jobs 1:1 --set sched.policy=easy --set shake.runs=2 --json=%s",
		 scratch_write("t.swf", trace_text), scratch_path("j"));
	ck_assert_int_eq(scratch_call(lw_tools_sim, line), LW_TOOLS_OK);
	root = json_load_file(scratch_path("j"), 0, NULL);
	ck_assert_ptr_nonnull(root);
	for (size_t i = 0; i < LW_COUNT_OF(untold); i++)
		ck_assert_msg(json_is_null(json_object_get(root, untold[i])), "%s", untold[i]);
	ck_assert(json_is_null(json_object_get(json_object_get(root, "sd"), "utilisation")));
	json_decref(root);
	text = scratch_read(scratch_path("out"));
	ck_assert_ptr_null(strstr(text, "utilisation"));
	ck_assert_ptr_null(strstr(text, "nan"));
	free(text);
	snprintf(line, sizeof(line),
		 "sim %s --jobs 1:1 --set sched.policy=easy --print jobs,utilisation",
		 scratch_write("t.swf", trace_text));
	ck_assert_int_eq(scratch_call(lw_tools_sim, line), LW_TOOLS_OK);
	text = scratch_read(scratch_path("out"));
	ck_assert_str_eq(text, "1\t-\n");
	free(text);
}

/* Cancelled before the first plan: there is no wait, and no slowdown. */
TEST(nothing_started_is_no_wait)
{
	char line[512], *text;

	snprintf(line, sizeof(line),
		 "sim %s --nodes 1 --set cluster.plan_delay=9s --print "
		 "jobs,never_started,wait_mean_s,"
		 "wait_max_s,bsld_mean",
		 scratch_write("w.lw", "#lw-workload 1\n"
				       "0\t0\t1\t0\t1\t0\t60\t5\t1\t-\thpc\ta\n"));
	ck_assert_int_eq(scratch_call(lw_tools_sim, line), LW_TOOLS_OK);
	text = scratch_read(scratch_path("out"));
	ck_assert_str_eq(text, "0\t1\t-\t-\t-\n");
	free(text);
	snprintf(line, sizeof(line),
		 "sim --compare %s --nodes 1 --set cluster.plan_delay=9s --html %s",
		 scratch_path("w.lw"), scratch_path("h"));
	ck_assert_int_eq(scratch_call(lw_tools_sim, line), LW_TOOLS_OK);
	text = scratch_read(scratch_path("h"));
	ck_assert_ptr_null(strstr(text, "nan"));
	free(text);
}

TEST(what_is_not_known_is_in_no_comparison)
{
	char line[512], *text;

	snprintf(line, sizeof(line), "sim --compare %s --jobs 1:1 --html %s",
		 scratch_write("t.swf", trace_text), scratch_path("h"));
	ck_assert_int_eq(scratch_call(lw_tools_sim, line), LW_TOOLS_OK);
	text = scratch_read(scratch_path("h"));
	ck_assert_ptr_null(strstr(text, "gangs in one domain"));
	ck_assert_ptr_null(strstr(text, "nan"));
	free(text);
	text = scratch_read(scratch_path("out"));
	ck_assert_ptr_null(strstr(text, "nan"));
	free(text);
}

/* Enough to run it again. */
TEST(the_json_says_what_it_was_made_with)
{
	char line[512];
	json_t *root, *machine;
	int hold, blocks, min_s, wait_s, racks, island, mem, cap_s;
	const char *placement;
	double slack, share;

	snprintf(line, sizeof(line),
		 "sim %s --nodes 4 --gpus-per-node 4 --gpus-per-island 2 --mem-per-node 1000 "
		 "--racks 2 --set cluster.blocks=yes --set planner.hold=no --set "
		 "sim.placement=stock --set select.gang_wait=5m --set sched.slack=0.25 "
		 "--set sched.slack_cap=10m --set sched.chain_share=0.5 --set sched.chain_min=6h "
		 "--json -",
		 scratch_write("t.swf", trace_text));
	ck_assert_int_eq(scratch_call(lw_tools_sim, line), LW_TOOLS_OK);
	root = json_load_file(scratch_path("out"), 0, NULL);
	ck_assert_int_eq(json_unpack(root, "{s:b, s:s, s:i, s:f, s:i, s:n, s:n, s:o}", "hold",
				     &hold, "placement", &placement, "gang_wait_s", &wait_s,
				     "slack", &slack, "slack_cap_s", &cap_s, "relax",
				     "relax_cap_s", "machine", &machine),
			 0);
	ck_assert_int_eq(
		json_unpack(root, "{s:f, s:i}", "chain_share", &share, "chain_min_s", &min_s), 0);
	ck_assert(slack == 0.25 && cap_s == 600 && share == 0.5 && min_s == 6 * 3600);
	ck_assert_int_eq(json_unpack(machine, "{s:i, s:b, s:i, s:i}", "racks", &racks, "blocks",
				     &blocks, "gpus_per_island", &island, "mem_mib_per_node", &mem),
			 0);
	ck_assert(!hold && blocks && wait_s == 300 && racks == 2 && island == 2 && mem == 1000);
	ck_assert_str_eq(placement, "stock");
	json_decref(root);
}

/* ---- stock ---- */

static int call_stock(const char *machine, const char *settings)
{
	char line[512];

	snprintf(line, sizeof(line), "sim %s %s --set sched.policy=stock %s --print wait_mean_s",
		 scratch_write("t.swf", trace_text), machine, settings);
	return scratch_call(lw_tools_sim, line);
}

TEST(stock_schedules_nodes_and_no_pool)
{
	ck_assert_int_eq(call_stock("--nodes 2 --cpus-per-node 1", "-q"), LW_TOOLS_OK);
	ck_assert_int_eq(call_stock("-q", "-q"), LW_TOOLS_USAGE);
}

TEST(stock_goes_by_slurm_conf)
{
	char setting[300];

	snprintf(setting, sizeof(setting), "--set sim.conf=%s",
		 scratch_write("slurm.conf", "SchedulerParameters=bf_interval=10\n"));
	ck_assert_int_eq(call_stock("--nodes 2 --cpus-per-node 1", setting), LW_TOOLS_OK);
	ck_assert_int_ne(call_stock("--nodes 2", "--set sim.conf=/nowhere/at/all"), LW_TOOLS_OK);
	/* and no other policy does */
	ck_assert_int_eq(call_stock("--nodes 2", "--set sched.policy=easy --set sim.conf=/x"),
			 LW_TOOLS_USAGE);
}
