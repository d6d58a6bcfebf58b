/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of leeway report: files of a replay in, figures and drawings out. */
#include "cli/common/tools.h"
#include "cli/report/report.h"
#include "unit/run_files.h"
#include "unit/scratch.h"
#include "unit/unit.h"

#include <errno.h>
#include <getopt.h>
#include <jansson.h>
#include <limits.h>
#include <sys/stat.h>

static void load(struct lw_run *run)
{
	struct lw_error err = { "" };

	ck_assert_msg(!lw_run_load(run, scratch_dir, &err), "%s", err.text);
}

FIXTURE(scratch_setup, scratch_teardown);

TEST(test_load)
{
	struct lw_run run;

	write_run(sacct);
	load(&run);
	ck_assert_str_eq(run.label, "stock");
	ck_assert_uint_eq(run.job_count, 5);
	ck_assert_int_eq(run.submitted, 8);
	ck_assert_int_eq(run.sdiag_started, 42);
	ck_assert_int_eq(run.sdiag_backfilled, 7);
	ck_assert_int_eq(run.sdiag_main_mean_us, 1500);
	ck_assert_int_eq(run.sdiag_backfill_mean_us, 2500);
	ck_assert_int_eq(run.jobs[0].gpus, 2);
	ck_assert_int_eq(run.jobs[0].cpus, 8);
	ck_assert_int_eq(run.jobs[0].starter, LW_RUN_BY_SUBMIT);
	ck_assert_int_eq(run.jobs[1].starter, LW_RUN_BY_MAIN);
	ck_assert_int_eq(run.jobs[1].shown_s,
			 1090); /* the first, though a better one came */
	ck_assert_str_eq(run.jobs[2].state, "CANCELLED");
	ck_assert_int_eq(run.jobs[2].start_s, LW_RUN_NONE);
	ck_assert_int_eq(run.jobs[3].shown_s,
			 1250); /* not while it waited for another job */
	ck_assert_int_eq(run.jobs[3].end_s, LW_RUN_NONE);
	ck_assert_uint_eq(run.jobs[4].tasks, 4);
	lw_run_fini(&run);
}

TEST(test_figures)
{
	struct lw_runstat stat;
	struct lw_run run;

	write_run(sacct);
	load(&run);
	ck_assert_int_eq(lw_runstat_compute(&run, &stat), 0);
	ck_assert_uint_eq(stat.started, 3);
	ck_assert_uint_eq(stat.finished, 2);
	ck_assert_uint_eq(stat.running, 1);
	ck_assert_uint_eq(stat.waiting, 4);
	ck_assert_uint_eq(stat.never_ran, 1);
	ck_assert_uint_eq(stat.lost, 0); /* 3 + 4 + 1 of 8 */
	ck_assert_uint_eq(stat.metrics.shown, 2);
	ck_assert_uint_eq(stat.metrics.later, 0); /* 10 s are within the grace */
	ck_assert_int_eq(stat.metrics.violation_max_s, 10);
	ck_assert_double_eq_tol(stat.metrics.violation_mean_s, 5, 1e-9);
	ck_assert_double_eq_tol(stat.metrics.wait_mean_s, (0 + 100 + 180) / 3.0, 1e-9);
	/* 2 of 8 GPUs in all of 1000 to 1030 */
	ck_assert_double_eq_tol(stat.gpu_use_arrivals, 0.25, 1e-9);
	ck_assert_double_eq_tol(stat.gpu_use_all, 0.25, 1e-9);
	ck_assert_double_eq_tol(stat.cpu_use_arrivals, 0.25, 1e-9);
	ck_assert_uint_eq(stat.classes[2].jobs, 3); /* 2 to 4 GPUs */
	ck_assert_uint_eq(stat.state_count, 5);
	ck_assert_str_eq(stat.states[0].name, "CANCELLED");
	lw_run_fini(&run);
}

/* Who has parts of a GPU waits for a GPU. */
TEST(test_parts_are_a_gpu)
{
	struct lw_runstat stat;
	struct lw_run run;
	char rows[2048];

	snprintf(rows, sizeof(rows),
		 "%s16|16|1030|1200|1300|COMPLETED|1|8|cpu=8,gres/shard=9|SchedMain||f\n"
		 "17|17|1030|1200|1300|COMPLETED|1|8|cpu=8|SchedMain|"
		 "leeway:share=shard:9,was:gres/gpu:1|g\n"
		 "18|18|1030|1200|1300|COMPLETED|1|8|cpu=8|SchedMain||h\n",
		 sacct);
	write_run(rows);
	load(&run);
	ck_assert_int_eq(lw_runstat_compute(&run, &stat), 0);
	ck_assert_uint_eq(stat.classes[0].jobs, 1);
	ck_assert_uint_eq(stat.classes[1].jobs, 2);
	ck_assert_uint_eq(stat.classes[2].jobs, 3);
	lw_run_fini(&run);
}

/* A job that sacct does not know is lost; one that was refused is not; a requeue hides
 * none. */
static const struct {
	const char *more_rows;
	const char *submitted; /* submitted.tsv */
	uint32_t lost, requeues;
} losses[] = {
	{ "", "", 2, 0 },
	{ "", "1\trefused\t1000\t0\t1\n2\t11\t1000\t0\t1\n", 1, 0 },
	{ "", "1\trefused\t1000\t0\t2\n", 0, 0 },
	{ "16|16|1030|1200|1300|COMPLETED|1|8|" TRES "|SchedMain||f\n", "", 1, 0 },
	{ "12|12|900|910|1000|REQUEUED|1|8|" TRES "|SchedMain||b\n", "", 2, 1 },
};

TEST_EACH(test_lost, LW_COUNT_OF(losses))
{
	char rows[4096], *argv[] = { "report", "-q", scratch_dir, NULL };
	struct lw_runstat stat;
	struct lw_run run;

	snprintf(rows, sizeof(rows), "%s%s", sacct, losses[_i].more_rows);
	write_run(rows);
	scratch_write("meta.json", "{\"tasks\": 10}");
	scratch_write("submitted.tsv", losses[_i].submitted);
	load(&run);
	ck_assert_int_eq(lw_runstat_compute(&run, &stat), 0);
	ck_assert_uint_eq(stat.lost, losses[_i].lost);
	ck_assert_uint_eq(run.requeues, losses[_i].requeues);
	ck_assert_str_eq(lw_run_find(&run, "12")->state, "TIMEOUT");
	lw_run_fini(&run);
	ck_assert_int_eq(run_report(3, argv),
			 losses[_i].lost ? LW_TOOLS_FAILED : LW_TOOLS_OK);
}

/* Only sacct.psv must be there. */
TEST(test_missing)
{
	char *argv[] = { "report", "-q", scratch_dir, NULL };
	struct lw_error err = { "" };
	struct lw_run run;

	ck_assert_int_eq(lw_run_load(&run, scratch_dir, &err), -ENOENT);
	ck_assert_ptr_nonnull(strstr(err.text, "sacct.psv"));
	ck_assert_int_eq(run_report(3, argv), LW_TOOLS_FAILED);
	scratch_write("sacct.psv", sacct);
	load(&run);
	ck_assert(!run.has_samples);
	ck_assert_ptr_nonnull(strstr(scratch_dir, run.label));
	lw_run_fini(&run);
	ck_assert_int_eq(run_report(3, argv), LW_TOOLS_OK);
}

/* Each names what was given, and what to do. */
TEST(what_is_no_replay_is_told)
{
	static const struct {
		const char *text; /* of sacct.psv */
		const char *name; /* below the folder; given in its place */
		const char *why, *remedy;
	} wrong[] = {
		{ NULL, "none", "none: No such file", "name the folder of a replay" },
		{ "x", "sacct.psv", "sacct.psv: no folder", "name the one of a replay" },
		{ NULL, "", "sacct.psv: not there", "sacct -a -X -P" },
		{ "", "", "sacct.psv:1: empty", "sacct -a -X -P" },
		{ "\001\002", "", "sacct.psv", "sacct" },
		{ "a|b\n1|2\n", "", "sacct.psv:1: no header line", "sacct --parsable2" },
	};

	for (size_t i = 0; i < LW_COUNT_OF(wrong); i++) {
		struct lw_error err = { "" };
		struct lw_run run;

		remove(scratch_path("sacct.psv"));
		if (wrong[i].text)
			scratch_write("sacct.psv", wrong[i].text);
		ck_assert_msg(lw_run_load(&run, scratch_path(wrong[i].name), &err) < 0, "%zu", i);
		ck_assert_msg(strstr(err.text, wrong[i].why) && strstr(err.text, wrong[i].remedy),
			      "%zu: %s", i, err.text);
	}
}

/* What meta.json would have said is not 0. A table would make the JSON none. */
TEST(what_is_not_known_is_null)
{
	static const char *const keys[] = { "nodes", "gpus_per_node", "cpus_per_node",
					    "clock_factor" };
	char *argv[] = { "report", "--json", "-", scratch_dir, NULL };
	json_t *root, *run;

	scratch_write("sacct.psv", sacct);
	ck_assert_int_eq(scratch_run(lw_tools_report, 4, argv), LW_TOOLS_OK);
	root = json_load_file(scratch_path("out"), 0, NULL);
	ck_assert_ptr_nonnull(root);
	run = json_array_get(json_object_get(root, "runs"), 0);
	for (size_t i = 0; i < LW_COUNT_OF(keys); i++)
		ck_assert_msg(json_is_null(json_object_get(run, keys[i])), "%s", keys[i]);
	json_decref(root);
}

/* Of no jobs there is no wait, and of none that ended no slowdown. */
TEST_EACH(what_no_job_tells_is_null, 2)
{
	static const char *const waits[] = { "wait_mean_s", "wait_median_s", "wait_p99_s",
					     "wait_max_s", "wait_wide_mean_s" };
	static const char *const runs[] = { "wait_long_mean_s", "bsld_mean" };
	char *argv[] = { "report", "--json", "-", scratch_dir, NULL };
	json_t *root, *run, *size;

	scratch_write("sacct.psv", _i ? HEAD "1|1|5|9|Unknown|RUNNING|1|8|" TRES "|||a\n"
				      : HEAD "1|1|5|Unknown|Unknown|PENDING|1|8||||a\n");
	ck_assert_int_eq(scratch_run(lw_tools_report, 4, argv), LW_TOOLS_OK);
	root = json_load_file(scratch_path("out"), 0, NULL);
	run = json_array_get(json_object_get(root, "runs"), 0);
	for (size_t i = 0; i < LW_COUNT_OF(waits); i++)
		ck_assert_msg(json_is_null(json_object_get(run, waits[i])) == !_i, "%s", waits[i]);
	for (size_t i = 0; i < LW_COUNT_OF(runs); i++)
		ck_assert_msg(json_is_null(json_object_get(run, runs[i])), "%s", runs[i]);
	size = json_array_get(json_object_get(run, "sizes"), 0);
	ck_assert(!_i || json_is_null(json_object_get(size, "bsld_mean")));
	json_decref(root);
}

static const struct {
	const char *file;
	const char *text;
	const char *says;
} bad[] = {
	{ "sacct.psv", "", "sacct.psv:1: empty" },
	{ "submitted.tsv", "1\t11\t5\t0\t1\n2\trefused\t6\t0\t99999999999\n",
	  "submitted.tsv:2: times or tasks are no numbers, or too large" },
	{ "submitted.tsv", "# none\n\ngarbage\n", "submitted.tsv:3: too few fields" },
	{ "squeue.tsv", "#time\n\ngarbage\n", "squeue.tsv:3: 1 fields, 6 wanted" },
	{ "submitted.tsv", "2\trefused\t6\t0\t-5\n",
	  "submitted.tsv:1: times or tasks are no numbers" },
	{ "submitted.tsv", "1\trefused\t6\t0\t4294967295\n2\trefused\t6\n",
	  "submitted.tsv:2: times or tasks are no numbers, or too large" },
	{ "sdiag.txt", "Jobs started: 99999999999\n", "sdiag.txt:1: no number, or one that" },
	{ "sdiag.txt", "x\nJobs started: -5\n", "sdiag.txt:2: no number, or one that" },
	{ "squeue.tsv", "1005\t12\tP\t1\t99999999999999999999\tPriority\tx\n",
	  "squeue.tsv:1: start time: \"99999999999999999999\" is not a whole number" },
	{ "sacct.psv", HEAD "1|1|2026-02-30T00:00:00|1|2|COMPLETED|1|8|" TRES "||a|b\n",
	  "sacct.psv:2: Submit \"2026-02-30T00:00:00\" is no time" },
	{ "sacct.psv", "JobID|Submit\n", "sacct.psv:1: no column Start" },
	{ "sacct.psv", HEAD "11|11|1000\n", "sacct.psv:2: 3 fields, 12 wanted" },
	{ "sacct.psv", HEAD "1|1|2024-01-01Tnoon|1|2|COMPLETED|1|8|" TRES "||a|b\n",
	  "sacct.psv:2: Submit \"2024" },
	{ "sacct.psv", HEAD "1|1|None|1|2|COMPLETED|1|8|" TRES "||a|b\n",
	  "sacct.psv:2: job 1 has no Submit" },
	{ "sacct.psv", HEAD "1|1|5|9|8|COMPLETED|1|8|" TRES "||a|b\n",
	  "sacct.psv:2: job 1 ends before" },
	{ "meta.json", "{\"label\": ", "meta.json:1: " },
	{ "meta.json", "[]", "meta.json: not a JSON object" },
	{ "meta.json", "{\"gpus_per_node\": 65536}", "meta.json: gpus_per_node is no" },
	{ "meta.json", "{\"nodes\": 1e308}", "no whole number of 0 to 1000000" },
	{ "meta.json", "{\"tasks\": -1}", "meta.json: tasks is no whole number" },
	{ "meta.json", "{\"cpus_per_node\": 1.5}",
	  "meta.json: cpus_per_node is no whole number" },
	{ "squeue.tsv", "1010\t12\tPENDING\n", "squeue.tsv:1: 3 fields" },
	{ "squeue.tsv", "1010\t12\tPENDING\t1\t10x\tResources\t-\n", "squeue.tsv:1: start time" },
};

TEST_EACH(test_bad, LW_COUNT_OF(bad))
{
	struct lw_error err = { "" };
	struct lw_run run;

	write_run(sacct);
	scratch_write(bad[_i].file, bad[_i].text);
	ck_assert_int_eq(lw_run_load(&run, scratch_dir, &err), -EINVAL);
	ck_assert_msg(strstr(err.text, bad[_i].says) != NULL, "\"%s\" wants \"%s\"",
		      err.text, bad[_i].says);
}

/* What squeue calls a job, and which one it is. */
static const struct {
	const char *id;
	const char *name; /* NULL: none */
} ids[] = {
	{ "31", "plain" },        { "40_2", "task" }, { "42", "task" },
	{ "40_[2-9%3]", "task" }, { "32", NULL },     { "40_[3-9]", NULL },
};

TEST_EACH(test_find, LW_COUNT_OF(ids))
{
	struct lw_run_job *job;
	struct lw_run run;

	scratch_write("sacct.psv", HEAD "31|31|5|6|7|COMPLETED|1|8|" TRES "|||plain\n"
					"42|40_2|5|6|7|COMPLETED|1|8|" TRES "|||task\n");
	load(&run);
	job = lw_run_find(&run, ids[_i].id);
	if (ids[_i].name)
		ck_assert_str_eq(job->name, ids[_i].name);
	else
		ck_assert_ptr_null(job);
	lw_run_fini(&run);
}

static uint32_t count(const char *text, const char *what)
{
	uint32_t n = 0;

	for (const char *p = text; (p = strstr(p, what)); p++)
		n++;
	return n;
}

/* Jobs of two GPUs on a machine that is said to have one. */
TEST(a_curve_stays_in_its_frame)
{
	char *argv[] = { "report", "--svg", "-", scratch_dir, NULL };
	char *svg;

	write_run(sacct);
	scratch_write("meta.json", "{\"nodes\": 1, \"gpus_per_node\": 1}");
	ck_assert_int_eq(scratch_run(lw_tools_report, 4, argv), LW_TOOLS_OK);
	svg = scratch_read(scratch_path("out"));
	ck_assert_ptr_nonnull(strstr(svg, ">200</text>"));
	free(svg);
}

/* Everything into one folder: the JSON is JSON, the drawing complete, text escaped. */
TEST(test_out)
{
	char *argv[] = { "report", "-q",        scratch_dir, scratch_dir,
			 "--out",  scratch_dir, NULL };
	char *svg, *html;
	json_t *json, *run;

	write_run(sacct);
	ck_assert_int_eq(run_report(6, argv), LW_TOOLS_OK);
	json = json_load_file(scratch_path("report.json"), 0, NULL);
	ck_assert_ptr_nonnull(json);
	ck_assert_uint_eq(json_array_size(json_object_get(json, "runs")), 2);
	run = json_array_get(json_object_get(json, "runs"), 1);
	ck_assert_int_eq(json_integer_value(json_object_get(run, "shown")), 2);
	ck_assert_int_eq(json_integer_value(json_object_get(run, "jobs")), 3);
	ck_assert(json_real_value(json_object_get(run, "rho_mean")) > 0);
	ck_assert_ptr_nonnull(json_object_get(run, "rho_account_jain"));
	json_decref(json);
	svg = scratch_read(scratch_path("report.svg"));
	ck_assert_uint_eq(count(svg, "<svg "), 5); /* the sheet, and a chart each on it */
	ck_assert_uint_eq(count(svg, "</svg>"), 5);
	ck_assert_uint_eq(count(svg, "stroke-width=\"1.8\""), 6); /* 3 charts x 2 runs */
	ck_assert_uint_eq(count(svg, "nan"), 0);
	ck_assert_uint_eq(count(svg, "inf"), 0);
	ck_assert_uint_eq(count(svg, "<w>"), 0);
	ck_assert_uint_eq(count(svg, "&lt;w&gt;.tsv"), 1);
	html = scratch_read(scratch_path("report.html"));
	ck_assert_uint_eq(count(html, "src="), 0);
	free(svg);
	free(html);
}

/* The folder is made, if only it is missing. */
TEST(the_folder_is_made)
{
	char out[PATH_MAX], deep[PATH_MAX];
	char *argv[] = { "report", "-q", scratch_dir, "--out", out, NULL };

	write_run(sacct);
	snprintf(out, sizeof(out), "%s/new", scratch_dir);
	ck_assert_int_eq(run_report(5, argv), LW_TOOLS_OK);
	ck_assert_int_eq(access(scratch_path("new/report.html"), R_OK), 0);
	ck_assert_int_eq(run_report(5, argv), LW_TOOLS_OK);
	snprintf(deep, sizeof(deep), "%s/none/new", scratch_dir);
	argv[4] = deep;
	ck_assert_int_eq(run_report(5, argv), LW_TOOLS_FAILED);
}

/* No job at all: a report that says so, and drawings without curves. */
TEST(test_empty)
{
	char *argv[] = { "report", "-q", scratch_dir, "--out", scratch_dir, NULL };
	char *svg, *table;

	write_run(HEAD);
	scratch_write("meta.json", "{\"tasks\": 0, \"nodes\": 2, \"gpus_per_node\": 4}");
	ck_assert_int_eq(run_report(5, argv), LW_TOOLS_OK);
	svg = scratch_read(scratch_path("report.svg"));
	ck_assert_uint_eq(count(svg, "nan"), 0);
	ck_assert_uint_eq(count(svg, "inf"), 0);
	table = scratch_read(scratch_path("report.txt"));
	ck_assert_ptr_nonnull(strstr(table, "no job at all"));
	free(svg);
	free(table);
}

/* The table of a run with FIRST as its meta.json, and of one with JOBS and WORKLOAD, called two. */
static char *table_of_two(const char *first, const char *jobs, const char *workload)
{
	char other[PATH_MAX], second[100];
	char *argv[] = { "report", "-q", scratch_dir, other, "--out", scratch_dir, NULL };

	snprintf(other, sizeof(other), "%s/other", scratch_dir);
	ck_assert(!mkdir(other, 0700) || errno == EEXIST);
	write_run(sacct);
	scratch_write("meta.json", first);
	scratch_write("other/sacct.psv", jobs);
	snprintf(second, sizeof(second), "{\"label\": \"two\", \"sha256\": \"%s\"}", workload);
	scratch_write("other/meta.json", second);
	ck_assert_int_eq(run_report(6, argv), LW_TOOLS_OK);
	return scratch_read(scratch_path("report.txt"));
}

/* Two runs of different workloads are shown, and the reader is told. */
TEST(test_other_workload)
{
	char *table = table_of_two("{\"label\": \"one\", \"workload_sha256\": \"aa\"}", sacct,
				   "bb");

	ck_assert_ptr_nonnull(strstr(table, "two: another workload than one"));
	free(table);
}

/* A mean hides which jobs pay for it: those that waited longer than in the first run are told. */
TEST(which_jobs_waited_longer_is_told)
{
	static const char later[] =
		HEAD "11|11|1000|1000|1100|COMPLETED|1|8|" TRES "|SchedSubmit,StartReceived||a\n"
		     "12|12|1000|2000|2100|TIMEOUT|1|8|" TRES "|SchedMain||b\n"
		     "14|14|1020|1200|Unknown|RUNNING|1|8|" TRES "|SchedBackfill||another\n";
	static const char one[] = "{\"label\": \"one\", \"sha256\": \"aa\"}";
	char *table = table_of_two(one, later, "aa");

	ck_assert_ptr_nonnull(strstr(table, "one by one"));
	ck_assert_ptr_nonnull(strstr(table, "waited over 10 minutes longer"));
	ck_assert_ptr_nonnull(strstr(table, "the most that one waited longer"));
	ck_assert_ptr_nonnull(strstr(table, "15m"));
	free(table);
	table = table_of_two(one, later, "bb");
	ck_assert_ptr_null(strstr(table, "one by one"));
	free(table);
}

/* A label that says nothing is none, and two of one are told apart. */
TEST(labels_differ)
{
	char other[PATH_MAX];
	char *argv[] = { "report", "-q", scratch_dir, other, other, "--out", scratch_dir, NULL };
	char *table;

	snprintf(other, sizeof(other), "%s/other", scratch_dir);
	ck_assert_int_eq(mkdir(other, 0700), 0);
	write_run(sacct);
	scratch_write("meta.json", "{\"label\": \"other\"}");
	scratch_write("other/sacct.psv", sacct);
	scratch_write("other/meta.json", "{\"label\": \"\"}");
	ck_assert_int_eq(run_report(7, argv), LW_TOOLS_OK);
	table = scratch_read(scratch_path("report.txt"));
	ck_assert_ptr_nonnull(strstr(table, "          other      other (2)      other (3)\n"));
	free(table);
}

TEST(test_usage)
{
	char *none[] = { "report", NULL },
	     *bad_option[] = { "report", "--no-such", NULL };

	ck_assert_int_eq(run_report(1, none), LW_TOOLS_USAGE);
	ck_assert_int_eq(run_report(2, bad_option), LW_TOOLS_USAGE);
}
