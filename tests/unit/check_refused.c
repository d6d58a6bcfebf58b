/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of files that hold what nobody can mean: they are refused, and say where. */
#include "cli/common/tools.h"
#include "record/record.h"
#include "unit/scratch.h"
#include "unit/tool_files.h"
#include "unit/unit.h"

#include <sys/stat.h>

#define SACCT(nodes, cpus, tres) \
	"JobID|Submit|Start|End|State|NNodes|NCPUS|AllocTRES\n" \
	"1|100|110|120|COMPLETED|" nodes "|" cpus "|" tres "\n"
#define LEARNED(cpus, tres) \
	"JobID|UID|Partition|TimelimitRaw|ElapsedRaw|State|End|ReqCPUS|AllocTRES\n" \
	"1|7|p|10|60|COMPLETED|100|" cpus "|" tres "\n"

#define RECIPES "generate --model dl --jobs 5 --load 1 -q -o /dev/null --recipes %"
#define FACTORS "sim /dev/null --set figures.energy=yes --set figures.factors=%"
#define CONFIG "gpu --user 0 --sacct /dev/null --config %"
#define TYPES "types: { a100: { busy_w: 400 } }\nrecipes:\n  x:\n"

#define MACHINE "#lw-workload 1\n#machine nodes=4 cpus_per_node=8 "
#define TABLE "#lw-workload 1\n"

/* The first % of the options stands for the input. */
static const struct {
	int (*command)(int, char **);
	const char *options, *input;
	int result;
	const char *told; /* a part of it */
} refused[] = {
	{ lw_tools_sim, FACTORS, "1e308 1e308\n", LW_TOOLS_FAILED,
	  "/input:1: not \"price co2\", two numbers of 0 to 1000000 for an hour" },
	{ lw_tools_sim, FACTORS, "0.2 300\n0.2 1000001\n", LW_TOOLS_FAILED, "/input:2: not" },
	{ lw_tools_sim, FACTORS, "nan 400\n0.2 300\n", LW_TOOLS_FAILED, "/input:1: not" },
	{ lw_tools_sim, FACTORS, "inf inf\n0.2 300\n", LW_TOOLS_FAILED, "/input:1: not" },
	{ lw_tools_sim, FACTORS, "NA 400\n", LW_TOOLS_FAILED, "/input:1: not" },
	{ lw_tools_sim, FACTORS, "hour 400\n", LW_TOOLS_FAILED, "/input:1: not" },
	{ lw_tools_sim, FACTORS, "0x10 0x20\n", LW_TOOLS_FAILED, "/input:1: not" },
	{ lw_tools_sim, FACTORS, "0.2 -1\n", LW_TOOLS_FAILED, "/input:1: not" },
	{ lw_tools_sim, FACTORS, "price,co2\n 0.2, 1.2.3\n", LW_TOOLS_FAILED, "/input:2: not" },
	{ lw_tools_sim, FACTORS, "price_eur co2 (g)\n.2;300\n1000000\t0 \n", LW_TOOLS_FAILED,
	  "/dev/null: the file is empty" },
	{ lw_tools_gpu, CONFIG, "energy:\n  gpu_busy_w: 400\n  gpu_idle_w: 900\n", LW_TOOLS_FAILED,
	  "/input:3: energy.gpu_idle_w: 900 W is above energy.gpu_busy_w, 400 W" },
	{ lw_tools_gpu, CONFIG, "energy:\n  gpu_busy_w: 40\n", LW_TOOLS_FAILED,
	  "/input:2: energy.gpu_idle_w: 60 W is above energy.gpu_busy_w, 40 W" },
	{ lw_tools_gpu, CONFIG, "energy:\n\n  gpu_types: a100:400-50\n", LW_TOOLS_FAILED,
	  "/input:3: energy.gpu_types: \"a100:400-50\" is not TYPE:IDLE-BUSY" },
	{ lw_tools_gpu, CONFIG, "energy:\n  gpu_busy_w: 4\n# \xff\n", LW_TOOLS_FAILED,
	  "/input:3: not valid YAML" },
	{ lw_tools_generate, RECIPES, "types:\n  a100: { idle_w: 900, busy_w: 400 }\n",
	  LW_TOOLS_FAILED, "/input:2: types.a100: idle_w 900 is above busy_w 400\n" },
	{ lw_tools_generate, RECIPES, TYPES "    rate: { a100: 1 }\n# \xff\n", LW_TOOLS_FAILED,
	  "/input:5: not valid YAML" },
	{ lw_tools_generate, RECIPES, TYPES "    rate: { a100: 1 }\n    # \x01\n",
	  LW_TOOLS_FAILED, "/input:5: not valid YAML" },
	{ lw_tools_generate, RECIPES, TYPES "    rate: { a100: 0 }\n", LW_TOOLS_FAILED,
	  "/input:4: recipes.x.rate.a100: wants a number from 0.000001 to 1000000000, as in" },
	{ lw_tools_generate, RECIPES, TYPES "    rate: { a100: 0.0000001 }\n", LW_TOOLS_FAILED,
	  "/input:4: recipes.x.rate.a100: wants a number from 0.000001 to 1000000000, as in 12.5, "
	  "of six decimals at most" },
	{ lw_tools_generate, RECIPES, TYPES "    memory_mib: 0.0000001\n", LW_TOOLS_FAILED,
	  "/input:4: recipes.x.memory_mib: wants a number from 0 to" },
	{ lw_tools_generate, RECIPES, TYPES "    spread: { node: 2 }\n", LW_TOOLS_FAILED,
	  "/input:4: recipes.x.spread.node: wants a number from 0.000001 to 1, as in 0.5\n" },
	{ lw_tools_generate, RECIPES, TYPES "    gpus: { 2: 50 }\n", LW_TOOLS_FAILED,
	  "/input:4: recipes.x.gpus.2: wants a number from 0.000001 to 4, as in 0.5\n" },
	{ lw_tools_generate, RECIPES,
	  "types: { a: {}, b: {} }\nrecipes:\n  x:\n    rate: { b: 1 }\n", LW_TOOLS_FAILED,
	  "/input:3: recipes.x: no rate on a, which is the reference" },
	{ lw_tools_analyse, "analyse --sacct %", SACCT("1", "-16", "cpu=2"), LW_TOOLS_FAILED,
	  "/input:2: NCPUS \"-16\" is no count of 0 to 4294967294" },
	{ lw_tools_analyse, "analyse --sacct %", SACCT("1", "99999999999999999999", "cpu=2"),
	  LW_TOOLS_FAILED, "/input:2: NCPUS \"99999999999999999999\" is no count" },
	{ lw_tools_analyse, "analyse --sacct %", SACCT("-1", "2", "cpu=2"), LW_TOOLS_FAILED,
	  "/input:2: NNodes \"-1\" is no count" },
	{ lw_tools_analyse, "analyse --sacct %", SACCT("1", "2", "cpu=2,gres/gpu=-4"),
	  LW_TOOLS_FAILED, "/input:2: AllocTRES: gres/gpu \"-4\" is no count" },
	{ lw_tools_analyse, "analyse --sacct %", SACCT("1", "2", "cpu=2,gres/gpu:a100=many,node=1"),
	  LW_TOOLS_FAILED, "/input:2: AllocTRES: gres/gpu:a100 \"many\" is no count" },
	{ lw_tools_analyse, "analyse --lenient --sacct %", SACCT("1", "-16", "cpu=2"),
	  LW_TOOLS_FAILED, "1 bad lines skipped, the first is line 2: NCPUS \"-16\"" },
	{ lw_tools_workload, "workload --sacct %", SACCT("1", "-8", "cpu=2"), LW_TOOLS_FAILED,
	  "/input:2: NCPUS \"-8\" is no count" },
	{ lw_tools_workload, "workload --sacct %", SACCT("-1", "8", "cpu=2"), LW_TOOLS_FAILED,
	  "/input:2: NNodes \"-1\" is no count" },
	{ lw_tools_workload, "workload --sacct %", SACCT("1", "8", "cpu=-2"), LW_TOOLS_FAILED,
	  "/input:2: AllocTRES: cpu \"-2\" is no count" },
	{ lw_tools_history, "history import --sacct % -o /dev/null", LEARNED("99999999999", ""),
	  LW_TOOLS_FAILED, "/input:2: ReqCPUS: \"99999999999\" is not what sacct prints" },
	{ lw_tools_history, "history import --sacct % -o /dev/null", LEARNED("1", "gres/gpu=-1"),
	  LW_TOOLS_FAILED, "/input:2: AllocTRES: gres/gpu \"-1\" is no count" },
	{ lw_tools_gpu, "gpu --user 0 --sacct %", ACCOUNTING "1|COMPLETED|9|gres/gpu=x|\n",
	  LW_TOOLS_FAILED, "/input:2: AllocTRES: gres/gpu \"x\" is no count" },
	{ lw_tools_sim, "sim %", MACHINE "nodes=5\n", LW_TOOLS_FAILED,
	  "/input:2: #machine: nodes= stands there twice" },
	{ lw_tools_sim, "sim %", MACHINE "gpus_per_node=0 gpus_per_node=0\n", LW_TOOLS_FAILED,
	  "/input:2: #machine: gpus_per_node= stands there twice" },
	{ lw_tools_sim, "sim %", MACHINE "gpu_type=a gpu_type=b\n", LW_TOOLS_FAILED,
	  "/input:2: #machine: gpu_type= stands there twice" },
	{ lw_tools_sim, "sim %", TABLE "0 1 1 0 2 0 60 5 - - hpc a\n", LW_TOOLS_FAILED,
	  "/input:2: 1 field, 12 wanted: tabs part them, not blanks\n" },
	{ lw_tools_sim, "sim %", TABLE "0\t1\t1\n", LW_TOOLS_FAILED,
	  "/input:2: 3 fields, 12 wanted\n" },
	{ lw_tools_history, "history show % --user 99999999999", "", LW_TOOLS_FAILED,
	  "--user: \"99999999999\" is no user's number, which is one of 0 to 4294967294" },
	{ lw_tools_history, "history show % --user nobody-is-called-so", "", LW_TOOLS_FAILED,
	  "--user: \"nobody-is-called-so\" is no user here: give the number" },
};

START_TEST(what_nobody_means_is_refused)
{
	const char *options = refused[_i].options, *at = strchr(options, '%');
	char line[512], *told;
	int rc;

	/* a history is a file of our own: it has to be one before its users are looked at */
	if (refused[_i].command == lw_tools_history && !*refused[_i].input) {
		snprintf(line, sizeof(line), "history import --sacct %s -o %s",
			 scratch_write("sacct", HISTORY RUN("1", "60") "\n"),
			 scratch_path("input"));
		ck_assert_int_eq(scratch_call(lw_tools_history, line), LW_TOOLS_OK);
	} else {
		scratch_write("input", refused[_i].input);
	}
	snprintf(line, sizeof(line), "%.*s%s%s", (int)(at - options), options,
		 scratch_path("input"), at + 1);
	told = scratch_complaint(refused[_i].command, line, &rc);
	ck_assert_msg(strstr(told, refused[_i].told) != NULL, "%d: %s: %s", _i, options, told);
	ck_assert_msg(rc == refused[_i].result, "%d: %s: exit code %d", _i, options, rc);
	free(told);
}
END_TEST

/* Parts that no step writes any more, or that never were any. */
static const char *const looks[] = {
	"gpu --idle --dir %s",
	"gpu --prometheus /dev/null --dir %s",
};

START_TEST(records_that_are_none_are_counted)
{
	char line[256], *told;
	int rc;

	scratch_write("4711.n1.0.part", "garbage\n");
	ck_assert_int_eq(mkfifo(scratch_path("4712.n1.0.part"), 0600), 0);
	ck_assert_int_eq(mkdir(scratch_path("4713.n1.0.part"), 0700), 0);
	snprintf(line, sizeof(line), looks[_i], scratch_dir);
	told = scratch_complaint(lw_tools_gpu, line, &rc);
	ck_assert_int_eq(rc, LW_TOOLS_OK);
	ck_assert_msg(strstr(told, "left out what cannot be read: 3 records, the first is ") &&
			      strstr(told, "/4711.n1.0.part: no readable first line"),
		      "%s: %s", looks[_i], told);
	free(told);
}
END_TEST

/* A FIFO or a directory is not "too large". */
START_TEST(a_record_says_what_it_is)
{
	static const char *const whats[] = { "a FIFO, and no file", "a directory, and no file" };
	char line[256], *told;
	int rc;

	if (_i)
		ck_assert_int_eq(mkdir(scratch_path("7.n1.gpu"), 0700), 0);
	else
		ck_assert_int_eq(mkfifo(scratch_path("7.n1.gpu"), 0600), 0);
	snprintf(line, sizeof(line), "gpu 7 --dir %s", scratch_dir);
	told = scratch_complaint(lw_tools_gpu, line, &rc);
	ck_assert_msg(rc == LW_TOOLS_FAILED && strstr(told, whats[_i]), "%s", told);
	free(told);
}
END_TEST

/* Only a sound record whose job has ended is nothing to speak of. */
START_TEST(an_ended_record_is_no_fault)
{
	const struct lw_record_head head = { .job_id = 7, .node = "n1", .step = "batch",
					     .interval_s = 10, .start_s = 1 };
	struct lw_strbuf text = LW_STRBUF_INIT;
	struct lw_record *record;
	char line[256], *told;
	int rc;

	ck_assert_int_eq(lw_record_create(&head, &record), 0);
	lw_record_print(record, &text);
	scratch_write("7.n1.gpu", lw_strbuf_text(&text));
	lw_record_destroy(record);
	lw_strbuf_fini(&text);
	snprintf(line, sizeof(line), "gpu --idle --dir %s", scratch_dir);
	told = scratch_complaint(lw_tools_gpu, line, &rc);
	ck_assert_int_eq(rc, LW_TOOLS_OK);
	ck_assert_str_eq(told, "");
	free(told);
}
END_TEST

/* What is wrong in what sacct says of this cluster is said of sacct. */
START_TEST(the_cluster_is_sacct)
{
	char line[256], *told;
	int rc;

	chmod(scratch_write("sacct", _i ? "#!/bin/sh\nprintf 'JobID|Submit\\n'\n" : "#!/bin/sh\n"),
	      0755);
	snprintf(line, sizeof(line), "analyse --cluster --bin %s", scratch_dir);
	told = scratch_complaint(lw_tools_analyse, line, &rc);
	ck_assert_int_eq(rc, LW_TOOLS_FAILED);
	ck_assert_msg(strstr(told, _i ? "leeway analyse: sacct:1: no column Start"
				      : "leeway analyse: sacct:1: empty"),
		      "%s", told);
	free(told);
}
END_TEST

/* The columns that doc/admin/guide.md asks for, and the row of a job. */
#define EXPORT \
	"JobIDRaw|JobID|UID|User|Account|Partition|Submit|Start|End|TimelimitRaw|ElapsedRaw|" \
	"State|NNodes|NCPUS|ReqCPUS|AllocTRES|ReqTRES|AdminComment|JobName\n"
#define EXPORTED "1|1|7|ann|lab|main|100|110|170|10|60|COMPLETED|1|2|2|cpu=2,node=1|cpu=2|a|b|c\n"

/* %s is a file of it. */
static const struct {
	int (*command)(int, char **);
	const char *options;
} readers[] = {
	{ lw_tools_history, "history import --sacct %s -o /dev/null" },
	{ lw_tools_workload, "workload --sacct %s -o /dev/null" },
	{ lw_tools_analyse, "analyse --sacct %s" },
};

START_TEST(one_export_is_for_all)
{
	char line[256], *told;
	int rc;

	snprintf(line, sizeof(line), readers[_i].options,
		 scratch_write("jobs.psv", EXPORT EXPORTED));
	told = scratch_complaint(readers[_i].command, line, &rc);
	ck_assert_msg(rc == LW_TOOLS_OK && !strstr(told, "no column"), "%s: %s", line, told);
	free(told);
}
END_TEST

/* For people it is a time; for programs it stays a number. */
START_TEST(the_last_end_is_a_time)
{
	char line[256], *said;

	snprintf(line, sizeof(line), "history import --sacct %s -o %s",
		 scratch_write("jobs", HISTORY "1|7|p|10|60|COMPLETED|1700000000|1|\n"),
		 scratch_path("history"));
	ck_assert_int_eq(scratch_call(lw_tools_history, line), LW_TOOLS_OK);
	setenv("TZ", "UTC", 1);
	snprintf(line, sizeof(line), "history show %s%s", scratch_path("history"),
		 _i ? " --json" : "");
	ck_assert_int_eq(scratch_call(lw_tools_history, line), LW_TOOLS_OK);
	unsetenv("TZ");
	said = scratch_read(scratch_path("out"));
	ck_assert_msg(strstr(said, _i ? "\"last_end_s\": 1700000000" : " 2023-11-14 22:13\n"), "%s",
		      said);
	free(said);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("refused");
	TCase *tcase = tcase_create("all");

	tcase_add_checked_fixture(tcase, scratch_setup, scratch_teardown);
	tcase_add_loop_test(tcase, what_nobody_means_is_refused, 0, (int)LW_COUNT_OF(refused));
	tcase_add_loop_test(tcase, records_that_are_none_are_counted, 0, (int)LW_COUNT_OF(looks));
	tcase_add_loop_test(tcase, a_record_says_what_it_is, 0, 2);
	tcase_add_test(tcase, an_ended_record_is_no_fault);
	tcase_add_loop_test(tcase, the_cluster_is_sacct, 0, 2);
	tcase_add_loop_test(tcase, one_export_is_for_all, 0, (int)LW_COUNT_OF(readers));
	tcase_add_loop_test(tcase, the_last_end_is_a_time, 0, 2);
	suite_add_tcase(suite, tcase);
	return unit_run(suite);
}
