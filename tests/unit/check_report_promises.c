/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of leeway report: promises are what Leeway's own file says. */
#include "cli/report/report.h"

#include "base/savefile.h"
#include "cli/common/tools.h"
#include "unit/scratch.h"
#include "unit/unit.h"

#include <errno.h>
#include <getopt.h>
#include <jansson.h>
#include <unistd.h>

/* Two that ran; the second was shown 1090, and started ten seconds later. */
static const char sacct[] =
	"JobIDRaw|JobID|Submit|Start|End|State|NNodes|NCPUS|AllocTRES|JobName\n"
	"11|11|1000|1000|1100|COMPLETED|1|8|cpu=8,node=1|a\n"
	"12|12|1000|1100|1200|COMPLETED|1|8|cpu=8,node=1|b\n";

static const char squeue[] = "1020\t12\tPENDING\t1\t1090\tResources\tn1\n";

static void write_run(const char *meta)
{
	scratch_write("sacct.psv", sacct);
	scratch_write("squeue.tsv", squeue);
	scratch_write("meta.json", meta);
}

/* As main() does it, but more than once in a process. */
static int run_report(int argc, char **argv)
{
	optind = 0;
	return lw_tools_report(argc, argv);
}

static void write_promises(const char *payload)
{
	struct lw_error err = { "" };

	ck_assert_msg(!lw_savefile_write(scratch_path("leeway_promises"), "promises", 2, payload,
					 strlen(payload), &err),
		      "%s", err.text);
}

FIXTURE(scratch_setup, scratch_teardown);

/* Promises are what Leeway's own file says, whatever squeue was seen to show. */
TEST(promises_are_those_of_the_file)
{
	char *argv[] = { "report", "-q", scratch_dir, "--out", scratch_dir, NULL };
	char *text;
	json_t *json, *run;

	write_run("{}");
	write_promises("totals 12 7 2 1 1 2 0 95\njob 16 1000 2000 2100 4\n");
	ck_assert_int_eq(run_report(5, argv), LW_TOOLS_OK);
	text = scratch_read(scratch_path("report.txt"));
	ck_assert_ptr_nonnull(strstr(text, "\nPromises\n"));
	free(text);
	json = json_load_file(scratch_path("report.json"), 0, NULL);
	run = json_array_get(json_object_get(json, "runs"), 0);
	ck_assert_int_eq(json_integer_value(json_object_get(run, "promised")), 12);
	ck_assert_int_eq(json_integer_value(json_object_get(run, "kept")), 7);
	ck_assert_int_eq(json_integer_value(json_object_get(run, "later_than_shown")), 2);
	ck_assert_int_eq(json_integer_value(json_object_get(run, "broken")), 1);
	ck_assert_int_eq(json_integer_value(json_object_get(run, "withdrawn")), 3);
	ck_assert_int_eq(json_integer_value(json_object_get(run, "withdrawn_cancelled")), 1);
	ck_assert_int_eq(json_integer_value(json_object_get(run, "withdrawn_held")), 2);
	ck_assert_int_eq(json_integer_value(json_object_get(run, "broken_late_s")), 95);
	ck_assert_int_eq(json_integer_value(json_object_get(run, "promises_open")), 1);
	/* what was seen in squeue is another matter */
	ck_assert_int_eq(json_integer_value(json_object_get(run, "shown")), 1);
	json_decref(json);
}

/* Of a past that an array has in common nothing is said, nor of a job that never started. */
TEST(first_planned_starts_are_those_of_the_past)
{
	char *argv[] = { "report", "-q", scratch_dir, "--out", scratch_dir, NULL };
	json_t *json, *run;

	write_run("{}");
	scratch_write(
		"sacct.psv",
		"JobIDRaw|JobID|Submit|Start|End|State|NNodes|NCPUS|AllocTRES|AdminComment\n"
		"11|11|1000|1100|1200|COMPLETED|1|8|cpu=8|leeway:past=v:1,t:1000,p:0-160\n"
		"12|12|1000|1100|1200|COMPLETED|1|8|cpu=8|x leeway:past=v:1,t:1010,p:0-70\n"
		"13|13|1000|1100|1200|COMPLETED|1|8|cpu=8|leeway:dl=none\n"
		"14|14_1|1000|1100|1200|COMPLETED|1|8|cpu=8|leeway:past=v:1,t:9,p:0-1\n"
		"15|15|1000|None|1200|CANCELLED|1|8||leeway:past=v:1,t:9,p:0-1\n");
	ck_assert_int_eq(run_report(5, argv), LW_TOOLS_OK);
	json = json_load_file(scratch_path("report.json"), 0, NULL);
	run = json_array_get(json_object_get(json, "runs"), 0);
	ck_assert_int_eq(json_integer_value(json_object_get(run, "planned_starts")), 2);
	ck_assert(json_number_value(json_object_get(run, "planned_early_mean_s")) == 30);
	ck_assert(json_number_value(json_object_get(run, "planned_late_mean_s")) == 10);
	json_decref(json);
}

/* What a report says on stderr of a replay without promise file, made by whom. */
static const struct {
	const char *meta;
	bool missed;
} without_promises[] = {
	{ "{\"sched\": \"leeway\"}", true },
	{ "{\"sched\": \"stock\"}", false },
	{ "{}", true }, /* who it was is not known */
};

TEST_EACH(an_older_replay_has_no_promises, LW_COUNT_OF(without_promises))
{
	char *argv[] = { "report", "-q", scratch_dir, NULL };
	char *text;
	int kept = dup(STDERR_FILENO);
	FILE *to;

	write_run(without_promises[_i].meta);
	to = freopen(scratch_path("err"), "w", stderr);
	ck_assert_ptr_nonnull(to);
	ck_assert_int_eq(run_report(3, argv), LW_TOOLS_OK);
	fflush(stderr);
	dup2(kept, STDERR_FILENO);
	close(kept);
	text = scratch_read(scratch_path("err"));
	ck_assert(!!strstr(text, "leeway_promises is missing") == without_promises[_i].missed);
	free(text);
}

/* Of jobs from accounting alone there are no promises to tell of, and no heading for them. */
TEST(what_no_run_tells_takes_no_place)
{
	char *argv[] = { "report", "-q", scratch_dir, "--out", scratch_dir, NULL };
	char *text;

	scratch_write("sacct.psv", sacct);
	ck_assert_int_eq(run_report(5, argv), LW_TOOLS_OK);
	text = scratch_read(scratch_path("report.txt"));
	ck_assert_ptr_nonnull(strstr(text, "\n  wait, mean "));
	ck_assert_ptr_null(strstr(text, "\nPromises\n"));
	ck_assert_ptr_null(strstr(text, "kept"));
	ck_assert_ptr_null(strstr(text, " -\n"));
	free(text);
}

/* One that is damaged is not taken for one without promises. */
TEST(a_damaged_promise_file_is_named)
{
	struct lw_error err = { "" };
	struct lw_run run;

	write_run("{}");
	scratch_write("leeway_promises", "lw-promises 2 7 00000000\ntotals ");
	ck_assert_int_eq(lw_run_load(&run, scratch_dir, &err), -EBADMSG);
	ck_assert_ptr_nonnull(strstr(err.text, "leeway_promises"));
}
