/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of the commands as a script calls them: what is printed, and what is told. */
#include "cli/common/tools.h"
#include "record/access.h"
#include "record/record.h"
#include "unit/scratch.h"
#include "unit/tool_files.h"
#include "unit/unit.h"

#include <jansson.h>
#include <limits.h>
#include <sys/stat.h>

FIXTURE(scratch_setup, scratch_teardown);

/* Names with bytes of control, in tables: what goes to a terminal is plain. */
TEST(tables_are_plain)
{
	static const char rows[] = "JobIDRaw|JobID|Submit|Start|End|State|NNodes|NCPUS|AllocTRES\n"
				   "1|1|10|20|30|\x1b[31mDONE|1|1|cpu=1,node=1\n";
	char line[256], *said;

	scratch_write("sacct.psv", rows);
	scratch_write("meta.json", "{\"label\": \"a\\u001b[2Jb\", \"nodes\": 1}");
	scratch_write("squeue.tsv", "");
	scratch_write("sdiag.txt", "");
	snprintf(line, sizeof(line), "report %s", scratch_dir);
	ck_assert_int_eq(scratch_call(lw_tools_report, line), LW_TOOLS_OK);
	said = scratch_read(scratch_path("out"));
	ck_assert_ptr_nonnull(strstr(said, "a?[2Jb"));
	ck_assert_ptr_nonnull(strstr(said, "?[31mDONE"));
	ck_assert_ptr_null(strchr(said, '\x1b'));
	free(said);
	scratch_write("users", ACCOUNTING "7\x1b[2J|DONE\x07|9|gres/gpu=1|\n");
	snprintf(line, sizeof(line), "gpu --user 0 --sacct %s", scratch_path("users"));
	ck_assert_int_eq(scratch_call(lw_tools_gpu, line), LW_TOOLS_OK);
	said = scratch_read(scratch_path("out"));
	ck_assert_ptr_nonnull(strstr(said, "7?[2J"));
	ck_assert_ptr_null(strpbrk(said, "\x1b\x07"));
	free(said);
	scratch_write("trace\x1b[2J", trace_text);
	snprintf(line, sizeof(line), "sim --compare --run fcfs %s", scratch_path("trace\x1b[2J"));
	ck_assert_int_eq(scratch_call(lw_tools_sim, line), LW_TOOLS_OK);
	said = scratch_read(scratch_path("out"));
	ck_assert_ptr_nonnull(strstr(said, "trace?[2J"));
	ck_assert_ptr_null(strchr(said, '\x1b'));
	free(said);
}

/* A history from standard input, and one written through a link. */
TEST(a_history_is_as_other_files)
{
	char line[256];
	struct stat st;
	int saved = dup(STDIN_FILENO), in;

	scratch_write("sacct", HISTORY RUN("1", "60") "\n");
	scratch_write("real", "old");
	ck_assert_int_eq(symlink("real", scratch_path("link")), 0);
	snprintf(line, sizeof(line), "history import --sacct %s -o %s", scratch_path("sacct"),
		 scratch_path("link"));
	ck_assert_int_eq(scratch_call(lw_tools_history, line), LW_TOOLS_OK);
	ck_assert(!lstat(scratch_path("link"), &st) && S_ISLNK(st.st_mode));
	in = open(scratch_path("real"), O_RDONLY);
	ck_assert_int_ge(in, 0);
	dup2(in, STDIN_FILENO);
	rewind(stdin);
	ck_assert_int_eq(scratch_call(lw_tools_history, "history show -"), LW_TOOLS_OK);
	dup2(saved, STDIN_FILENO);
	close(saved);
	close(in);
}

/* Lists that are too long are told so, and a word that is, is not told whole. */
TEST(check_tells_what_can_be_read)
{
	struct lw_strbuf conf = LW_STRBUF_INIT;
	char line[256], *said;

	lw_strbuf_add(&conf, "ClusterName=c\nNodeName=n[1-2000000]\n%0*d\n", 1000000, 0);
	ck_assert_int_eq(mkdir(scratch_path("conf"), 0700), 0);
	scratch_write("conf/slurm.conf", lw_strbuf_text(&conf));
	lw_strbuf_fini(&conf);
	snprintf(line, sizeof(line), "check --conf %s", scratch_path("conf"));
	scratch_call(lw_tools_check, line);
	said = scratch_read(scratch_path("out"));
	ck_assert_ptr_nonnull(strstr(said, "names more than 1000000 nodes"));
	ck_assert_uint_lt(strlen(said), 20000);
	free(said);
	/* a device has no end */
	ck_assert_int_eq(unlink(scratch_path("conf/slurm.conf")), 0);
	ck_assert_int_eq(symlink("/dev/zero", scratch_path("conf/slurm.conf")), 0);
	scratch_call(lw_tools_check, line);
	said = scratch_read(scratch_path("out"));
	ck_assert_ptr_nonnull(strstr(said, "is no file"));
	free(said);
}

/* No error would say that all is well. */
TEST_EACH(a_name_that_is_too_long_is_told, 2)
{
	static char conf[PATH_MAX];
	char *argv[] = { "check", "--conf", conf, NULL };

	memset(conf, 'a', sizeof(conf) - 1);
	conf[0] = _i ? 'a' : '/';
	ck_assert_int_eq(scratch_run(lw_tools_check, 3, argv), LW_TOOLS_FAILED);
}

/* A record that a step has open, and that is none. */
static const char *const readers[] = {
	"gpu --idle --dir %s",
	"gpu --prometheus /dev/null --dir %s",
	"gpu publish --owed --dir %s",
	"gpu publish 7 --dir %s --bin %s",
};

/* A record that can be read, of another step, and what sacct would say of the job. */
static void write_job(void)
{
	const struct lw_record_head head = { .job_id = 7, .node = "n1", .step = "batch",
					     .interval_s = 10, .start_s = 1 };
	struct lw_strbuf text = LW_STRBUF_INIT;
	struct lw_record *record;

	ck_assert_int_eq(lw_record_create(&head, &record), 0);
	lw_record_print(record, &text);
	scratch_write("7.n1.gpu", lw_strbuf_text(&text));
	chmod(scratch_write("sacct", "#!/bin/sh\necho '7|7|E|hand'\n"), 0755);
	lw_record_destroy(record);
	lw_strbuf_fini(&text);
}

TEST_EACH(what_cannot_be_read_is_told, LW_COUNT_OF(readers))
{
	int part = open(scratch_write("7.n1.0.part", "nonsense\n"), O_RDWR);
	char line[256], *told;
	int rc;

	write_job();
	ck_assert_int_eq(lw_access_lock(part), 0);
	snprintf(line, sizeof(line), readers[_i], scratch_dir, scratch_dir);
	told = scratch_complaint(lw_tools_gpu, line, &rc);
	ck_assert_int_eq(rc, LW_TOOLS_OK);
	ck_assert_msg(strstr(told, "left out what cannot be read: ") &&
			      strstr(told, "7.n1.0.part: no readable first line"),
		      "%s: %s", readers[_i], told);
	free(told);
	close(part);
}

/* An administrator's words have what lines they like; a row that was cut short is none. */
TEST_EACH(a_comment_may_have_many_lines, 3)
{
	static const struct {
		const char *rows;
		int result;
	} sacct[] = {
		{ HISTORY RUN("1", "10") "of many\n2026\nlines | so\n" RUN("2_[3]", "10") "\n",
		  LW_TOOLS_OK },
		{ HISTORY RUN("1", "10") "\n2|7|p|10\n", LW_TOOLS_FAILED },
		{ HISTORY "of two\n" RUN("1", "10") "\n", LW_TOOLS_FAILED },
	};
	char line[256], *told;
	int rc;

	snprintf(line, sizeof(line), "history import --sacct %s -o %s",
		 scratch_write("sacct", sacct[_i].rows), scratch_path("history"));
	told = scratch_complaint(lw_tools_history, line, &rc);
	ck_assert_msg(rc == sacct[_i].result, "%s", told);
	ck_assert(rc || strstr(told, ": 2 jobs learned"));
	free(told);
}

/* What sacct prints of a job without a limit of its own is no mistake; what is one, is counted. */
TEST(a_job_may_have_no_limit)
{
	char line[256], *told;
	int rc;

	snprintf(line, sizeof(line), "history import --lenient --sacct %s -o %s",
		 scratch_write("sacct",
			       HISTORY RUN("1", "10") "\n" RUN("2", "") "\n" RUN("3", "UNLIMITED")
			       "\n" RUN("4", "Partition_Limit") "\n" RUN("5", "10x") "\n"),
		 scratch_path("history"));
	told = scratch_complaint(lw_tools_history, line, &rc);
	ck_assert_msg(!rc && strstr(told, ": 1 jobs learned, 3 without a run or a limit, 1 bad"),
		      "%s", told);
	free(told);
}

/* By the name of its list: what has such bytes is told all the same, with marks in their place. */
static const struct {
	int (*command)(int, char **);
	const char *options, *input, *list;
	int result;
} not_utf8[] = {
	{ lw_tools_check, "check --conf % --json", "no file\xe9", "findings", 2 },
	{ lw_tools_gpu, "gpu --user 0 --json --sacct %",
	  ACCOUNTING "1\xe9|FAILED\xe9|9|gres/gpu=1|\n", "jobs", LW_TOOLS_OK },
};

TEST_EACH(bytes_that_are_no_utf8_are_told, LW_COUNT_OF(not_utf8))
{
	const char *options = not_utf8[_i].options, *at = strchr(options, '%');
	char line[512];
	json_t *root;

	snprintf(line, sizeof(line), "%.*s%s%s", (int)(at - options), options,
		 scratch_write("dir\xe9", not_utf8[_i].input), at + 1);
	ck_assert_int_eq(scratch_call(not_utf8[_i].command, line), not_utf8[_i].result);
	root = json_load_file(scratch_path("out"), 0, NULL);
	ck_assert_uint_ge(json_array_size(json_object_get(root, not_utf8[_i].list)), 1);
	json_decref(root);
}

/* Parts that no step writes any more, or that never were any. */
static const char *const looks[] = {
	"gpu --idle --dir %s",
	"gpu --prometheus /dev/null --dir %s",
};

TEST_EACH(records_that_are_none_are_counted, LW_COUNT_OF(looks))
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

/* A FIFO or a directory is not "too large". */
TEST_EACH(a_record_says_what_it_is, 2)
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

/* Only a sound record whose job has ended is nothing to speak of. */
TEST(an_ended_record_is_no_fault)
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

/* What is wrong in what sacct says of this cluster is said of sacct. */
TEST_EACH(the_cluster_is_sacct, 2)
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

/* The columns that doc/admin/guide.md asks for, and the row of a job. */
#define EXPORT \
	"JobIDRaw|JobID|UID|User|Account|Partition|Submit|Start|End|TimelimitRaw|ElapsedRaw|" \
	"State|NNodes|NCPUS|ReqCPUS|AllocTRES|ReqTRES|AdminComment|JobName\n"
#define EXPORTED "1|1|7|ann|lab|main|100|110|170|10|60|COMPLETED|1|2|2|cpu=2,node=1|cpu=2|a|b|c\n"

/* %s is a file of it. */
static const struct {
	int (*command)(int, char **);
	const char *options;
} exports[] = {
	{ lw_tools_history, "history import --sacct %s -o /dev/null" },
	{ lw_tools_workload, "workload --sacct %s -o /dev/null" },
	{ lw_tools_analyse, "analyse --sacct %s" },
};

/* The least that analyse and workload need does for history: users by name, no ElapsedRaw. */
#define LEAST_HEAD                                                                               \
	"JobID|User|Partition|Submit|Start|End|TimelimitRaw|State|NNodes|NCPUS|AllocTRES\n"
#define LEAST "1|root|main|100|110|170|10|COMPLETED|1|2|cpu=2,node=1\n"
#define OF_A_STRANGER "2|no-such-user|main|100|110|170|10|COMPLETED|1|2|cpu=2,node=1\n"

TEST_EACH(users_may_have_names, LW_COUNT_OF(exports))
{
	char line[256], *told;
	int rc;

	snprintf(line, sizeof(line), exports[_i].options,
		 scratch_write("jobs.psv", LEAST_HEAD LEAST OF_A_STRANGER));
	told = scratch_complaint(exports[_i].command, line, &rc);
	ck_assert_msg(rc == LW_TOOLS_OK, "%s: %s", line, told);
	if (!_i)
		ck_assert_msg(strstr(told, "1 jobs of users with no account on this machine are "
					   "left out: print column UID") &&
				      strstr(told, "1 jobs learned"),
			      "%s", told);
	free(told);
}

TEST_EACH(one_export_is_for_all, LW_COUNT_OF(exports))
{
	char line[256], *told;
	int rc;

	snprintf(line, sizeof(line), exports[_i].options,
		 scratch_write("jobs.psv", EXPORT EXPORTED));
	told = scratch_complaint(exports[_i].command, line, &rc);
	ck_assert_msg(rc == LW_TOOLS_OK && !strstr(told, "no column"), "%s: %s", line, told);
	free(told);
}

/* For people it is a time; for programs it stays a number. */
TEST_EACH(the_last_end_is_a_time, 2)
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
