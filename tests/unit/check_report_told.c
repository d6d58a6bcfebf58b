/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of leeway report: chains and deadlines of a replay. */
#include "cli/report/report.h"
#include "unit/run_files.h"
#include "unit/scratch.h"
#include "unit/unit.h"

#include <errno.h>
#include <jansson.h>
#include <string.h>

#define COLUMNS                                                                                  \
	"JobIDRaw|JobID|User|Submit|Start|End|State|NNodes|NCPUS|AllocTRES|TimelimitRaw|JobName\n"
#define RAN    "|1|8|cpu=8|60|"
#define WAITED "|1|8||60|"

/* ID, what it waits for and how many tasks at a time, without deadline. */
#define AFTER(id, after)   "1\t" id "\t1000\t0\t1\t-\t-\t60\t" after "\t-\n"
#define AT_MOST(id, most)  "1\t" id "\t1000\t0\t1\t-\t-\t60\t-\t" most "\n"
#define DUE(id, due, rest) "1\t" id "\t1000\t0\t1\t" due "\t" rest "\t-\t-\n"

static const struct {
	const char *what, *rows, *submitted;
	uint32_t links;
	double interruption_s, zero, overlap_s, others_s; /* -1: nothing is said */
} chains[] = {
	{ "nobody waits for any", "1|1|a|1000|1100|1200|COMPLETED" RAN "x\n",
	  "1\t1\t1000\t0\t1\n", 0, -1, -1, -1, -1 },
	{ "one waits, one is in no chain",
	  "1|1|a|1000|1000|1200|COMPLETED" RAN "x\n2|2|a|1000|1250|1300|COMPLETED" RAN "x\n"
	  "3|3|a|1000|1007|1300|COMPLETED" RAN "x\n",
	  AFTER("2", "afterany:1"), 1, 50, 1, 0, 7 },
	{ "the last of several ends counts, and more than 10 minutes",
	  "1|1|a|1000|1000|1200|FAILED" RAN "x\n2|2|a|1000|1000|1100|COMPLETED" RAN "x\n"
	  "3|3|a|1000|1801|1900|COMPLETED" RAN "x\n4|4|a|1000|1940|1950|COMPLETED" RAN "x\n",
	  AFTER("3", "afternotok:1,afterok:2") AFTER("4", "afterany:3:1:2"), 2, 320.5, 0.5, 0,
	  -1 },
	{ "two at once overlap", /* as no Slurm does */
	  "1|1|a|1000|1000|1200|COMPLETED" RAN "x\n2|2|a|1000|1150|1300|COMPLETED" RAN "x\n",
	  AFTER("2", "after:1"), 1, 0, 1, 50, -1 },
	{ "what had ended before is not waited for",
	  "1|1|a|1000|1000|1010|COMPLETED" RAN "x\n2|2|a|1020|1150|1300|COMPLETED" RAN "x\n",
	  AFTER("2", "afterany:1"), 0, -1, -1, -1, -1 },
	{ "what never starts is no link",
	  "1|1|a|1000|1000|1010|FAILED" RAN "x\n2|2|a|1000|None|1300|CANCELLED" WAITED "x\n",
	  AFTER("2", "afterok:1"), 0, -1, -1, -1, -1 },
	{ "jobs of one name and user",
	  "1|1|a|1000|1000|1200|COMPLETED" RAN "x\n2|2|b|1000|1000|1900|COMPLETED" RAN "x\n"
	  "3|3|a|1000|1000|1800|COMPLETED" RAN "y\n4|4|a|1000|1210|1300|COMPLETED" RAN "x\n"
	  "5|5|a|1000|1000|1700|COMPLETED" RAN "x\n",
	  AFTER("4", "singleton"), 1, 10, 1, 0, 0 },
	{ "task by task",
	  "1|7_0|a|1000|1000|1200|COMPLETED" RAN "x\n2|7_1|a|1000|1000|1900|COMPLETED" RAN "x\n"
	  "3|8_0|a|1000|1230|1800|COMPLETED" RAN "x\n4|8_1|a|1000|1950|2000|COMPLETED" RAN "x\n",
	  AFTER("8", "aftercorr:7"), 2, 40, 1, 0, -1 },
	{ "all tasks",
	  "1|7_0|a|1000|1000|1200|COMPLETED" RAN "x\n2|7_1|a|1000|1000|1900|COMPLETED" RAN "x\n"
	  "3|8|a|1000|1930|2000|COMPLETED" RAN "x\n",
	  AFTER("8", "afterok:7"), 1, 30, 1, 0, -1 },
	{ "one task at a time",
	  "1|7_0|a|1000|1000|1200|COMPLETED" RAN "x\n2|7_1|a|1000|1210|1300|COMPLETED" RAN "x\n"
	  "3|7_2|a|1000|1330|1800|COMPLETED" RAN "x\n",
	  AT_MOST("7", "1"), 2, 20, 1, 0, -1 },
	{ "two at a time",
	  "1|7_0|a|1000|1000|1500|COMPLETED" RAN "x\n2|7_1|a|1000|1000|1300|COMPLETED" RAN "x\n"
	  "3|7_2|a|1000|1310|1800|COMPLETED" RAN "x\n4|7_3|a|1000|1504|1700|COMPLETED" RAN "x\n",
	  AT_MOST("7", "2"), 2, 7, 1, 0, -1 },
	{ "a job that is not known", "2|2|a|1000|1250|1300|COMPLETED" RAN "x\n",
	  AFTER("2", "afterany:1"), 0, -1, -1, -1, -1 },
};

static void compute(const char *rows, const char *submitted, struct lw_run *run,
		    struct lw_runstat *stat)
{
	struct lw_error err = { "" };
	char text[2048];

	snprintf(text, sizeof(text), "%s%s", COLUMNS, rows);
	scratch_write("sacct.psv", text);
	scratch_write("submitted.tsv", submitted);
	ck_assert_msg(!lw_run_load(run, scratch_dir, &err), "%s", err.text);
	ck_assert_int_eq(lw_runstat_compute(run, stat), 0);
}

FIXTURE(scratch_setup, scratch_teardown);

TEST_EACH(links_are_found, LW_COUNT_OF(chains))
{
	struct lw_runstat stat;
	struct lw_run run;

	compute(chains[_i].rows, chains[_i].submitted, &run, &stat);
	ck_assert_msg(stat.told.links == chains[_i].links, "%s: %u", chains[_i].what,
		      stat.told.links);
	ck_assert_msg(stat.told.interruption_mean_s == chains[_i].interruption_s, "%s: %g",
		      chains[_i].what, stat.told.interruption_mean_s);
	ck_assert_msg(stat.told.interruption_zero == chains[_i].zero, "%s: %g", chains[_i].what,
		      stat.told.interruption_zero);
	ck_assert_msg(stat.told.overlap_mean_s == chains[_i].overlap_s, "%s: %g", chains[_i].what,
		      stat.told.overlap_mean_s);
	ck_assert_msg(stat.told.wait_others_mean_s == chains[_i].others_s, "%s: %g",
		      chains[_i].what, stat.told.wait_others_mean_s);
	lw_run_fini(&run);
}

/* A limit of an hour; the program would run for 600 s unless something else is said. */
static const struct {
	const char *what, *rows, *submitted;
	uint32_t dues, missed;
	double lost;
} dues[] = {
	{ "in time", "1|1|a|1000|1100|1200|COMPLETED" RAN "x\n", DUE("1", "1200", "-\t600"), 1, 0,
	  0 },
	{ "a second late", "1|1|a|1000|1100|1201|COMPLETED" RAN "x\n", DUE("1", "1200", "-\t600"),
	  1, 1, 1 },
	{ "by weight", "1|1|a|1000|1100|1210|COMPLETED" RAN "x\n", DUE("1", "1200", "3\t600"), 1,
	  1, 30 },
	{ "removed on the way", "1|1|a|1000|1100|1200|DEADLINE" RAN "x\n",
	  DUE("1", "1200", "-\t600"), 1, 1, 500 },
	{ "removed before it started", "1|1|a|1000|None|1150|DEADLINE" WAITED "x\n",
	  DUE("1", "1200", "2\t600"), 1, 1, 1200 },
	{ "its limit comes first", "1|1|a|1000|None|1150|DEADLINE" WAITED "x\n",
	  DUE("1", "1200", "-\t9999"), 1, 1, 3600 },
	{ "refused", "1|1|a|1000|1100|1200|COMPLETED" RAN "x\n", DUE("refused", "1200", "-\t600"),
	  1, 1, 600 },
	{ "taken back", "1|1|a|1000|None|1150|CANCELLED by 7" WAITED "x\n",
	  DUE("1", "1200", "-\t600"), 0, 0, -1 },
	{ "runs", "1|1|a|1000|1100|Unknown|RUNNING" RAN "x\n", DUE("1", "1200", "-\t600"), 0, 0,
	  -1 },
	{ "one task of an array",
	  "1|7_0|a|1000|1100|1200|COMPLETED" RAN "x\n2|7_1|a|1000|1100|1200|DEADLINE" RAN "x\n",
	  DUE("7", "1200", "-\t100,250"), 2, 1, 150 },
};

TEST_EACH(deadlines_are_judged, LW_COUNT_OF(dues))
{
	struct lw_runstat stat;
	struct lw_run run;

	compute(dues[_i].rows, dues[_i].submitted, &run, &stat);
	ck_assert_msg(stat.told.dues == dues[_i].dues, "%s: %u", dues[_i].what, stat.told.dues);
	ck_assert_msg(stat.told.missed == dues[_i].missed, "%s: %u", dues[_i].what,
		      stat.told.missed);
	ck_assert_msg(stat.told.value_lost == dues[_i].lost, "%s: %g", dues[_i].what,
		      stat.told.value_lost);
	lw_run_fini(&run);
}

static bool said(const char *words)
{
	char *text = scratch_read(scratch_path("out"));
	bool found = strstr(text, words) != NULL;

	free(text);
	return found;
}

/* In table and JSON, and only where there is something to tell. */
TEST(figures_are_shown)
{
	char *argv[] = { "report", scratch_dir, NULL },
	     *json_argv[] = { "report", "--json", scratch_dir, NULL };
	struct lw_runstat stat;
	struct lw_run run;
	json_t *root, *o;

	compute("1|1|a|1000|1000|1200|PREEMPTED" RAN "x\n1|1|a|1000|1300|1400|COMPLETED" RAN "x\n"
		"2|2|a|1000|1450|1500|COMPLETED" RAN "x\n",
		AFTER("2", "afterany:1") DUE("1", "1200", "-\t600"), &run, &stat);
	lw_run_fini(&run);
	ck_assert_int_eq(scratch_run(lw_tools_report, 2, argv), LW_TOOLS_OK);
	ck_assert(said("interruption, mean"));
	ck_assert(said("missed, of all"));
	ck_assert_int_eq(scratch_run(lw_tools_report, 3, json_argv), LW_TOOLS_OK);
	root = json_load_file(scratch_path("out"), 0, NULL);
	o = json_array_get(json_object_get(root, "runs"), 0);
	ck_assert_double_eq(json_number_value(json_object_get(o, "interruption_mean_s")), 50);
	ck_assert_double_eq(json_number_value(json_object_get(o, "deadline_missed_share")), 1);
	ck_assert_int_eq(json_integer_value(json_object_get(o, "preemptions")), 1);
	json_decref(root);
	scratch_write("submitted.tsv", "1\t1\t1000\t0\t1\n");
	ck_assert_int_eq(scratch_run(lw_tools_report, 2, argv), LW_TOOLS_OK);
	ck_assert(!said("interruption, mean"));
	ck_assert(!said("missed, of all"));
}

#define TWO_LINKS                                                                                \
	"1|1|a|1000|1000|4600|COMPLETED" RAN "x\n2|2|a|1000|8200|11800|COMPLETED" RAN "x\n"      \
	"3|3|b|1000|1000|4600|COMPLETED" RAN "y\n"

/* From where to where each link ran, a row a chain, and a line where it stands still. */
TEST(links_are_drawn)
{
	char *argv[] = { "report", scratch_dir, "-q", "--charts", scratch_dir, NULL };
	struct lw_runstat stat;
	struct lw_run run;
	char *csv, *svg;

	compute(TWO_LINKS, AFTER("2", "afterany:1"), &run, &stat);
	scratch_write("meta.json", "{\"label\": \"stock\"}");
	lw_run_fini(&run);
	ck_assert_int_eq(scratch_run(lw_tools_report, 5, argv), LW_TOOLS_OK);
	csv = scratch_read(scratch_path("chains.csv"));
	ck_assert_str_eq(csv, "series,time_hours,chain\nstock,0,a x\nstock,1,a x\nstock,2,a x\n"
			      "stock,3,a x\n");
	svg = scratch_read(scratch_path("chains.svg"));
	ck_assert_ptr_nonnull(strstr(svg, ">a x</text>"));
	ck_assert_ptr_nonnull(strstr(svg, "stroke-width=\"1.6\""));
	free(csv);
	free(svg);
}

/* Where nobody waited for others there is no such chart. */
TEST(no_links_are_not_drawn)
{
	char *argv[] = { "report", scratch_dir, "-q", "--charts", scratch_dir, NULL };
	struct lw_runstat stat;
	struct lw_run run;

	compute(TWO_LINKS, "1\t1\t1000\t0\t1\n", &run, &stat);
	lw_run_fini(&run);
	ck_assert_int_eq(scratch_run(lw_tools_report, 5, argv), LW_TOOLS_OK);
	ck_assert_int_eq(access(scratch_path("waits.csv"), F_OK), 0);
	ck_assert_int_eq(access(scratch_path("chains.csv"), F_OK), -1);
}

/* What is no number is named with its line. */
static const char *const bad[] = {
	"1\t1\t1000\t0\t1\tsoon\t-\t60\t-\t-\n", "1\t1\t1000\t0\t1\t-\theavy\t60\t-\t-\n",
	"1\t1\t1000\t0\t1\t-\t-\t60\t-\tfew\n",  "1\tone\t1000\t0\t1\t1200\t-\t60\t-\t-\n",
	"1\t1\t1000\t0\t1\t-5\t-\t60\t-\t-\n",
};

TEST_EACH(bad_columns_are_told, LW_COUNT_OF(bad))
{
	struct lw_error err = { "" };
	struct lw_run run;

	scratch_write("sacct.psv", COLUMNS "1|1|a|1000|1100|1200|COMPLETED" RAN "x\n");
	scratch_write("submitted.tsv", bad[_i]);
	ck_assert_int_eq(lw_run_load(&run, scratch_dir, &err), -EINVAL);
	ck_assert_msg(strstr(err.text, "submitted.tsv:1:") != NULL, "%s", err.text);
}
