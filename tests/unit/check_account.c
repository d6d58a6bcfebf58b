/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of what is told of a job at its end: record/comment, account, jobend. */
#include "record/account.h"
#include "record/comment.h"
#include "record/file.h"
#include "record/jobend.h"
#include "record/list.h"
#include "record/summary.h"
#include "unit/gpu_records.h"
#include "unit/scratch.h"
#include "unit/unit.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <zlib.h>

/* ---- JS1 ---- */

/* ---- accounting ---- */

static const struct {
	const char *text;
	uint32_t job_id;
	const char *name, *comment;
	bool ended;
} rows[] = {
	{ "77|77|2026-01-01T00:00:00|note\n", 77, "77", "note", true },
	{ "76|75_1|E|a\n77|75_2|Unknown|b|c\n", 77, "75_2", "b|c", false },
	{ "77|77+0|E|\n78|77+1|E|x\n", 78, "77+1", "x", true },
	{ "77|77||", 77, "77", "", false },
	{ "77|77|E|of two\nlines | here\n78|78|E|x\n", 77, "77", "of two\nlines | here", true },
	{ "77|77|E|ends so\n\n", 77, "77", "ends so\n", true },
	{ "770|770|E|x\n", 77, NULL, NULL, false },
	{ "4294967373|9|E|x\n-77|9|E|x\n+77|9|E|x\n 77|9|E|x\n", 77, NULL, NULL, false },
	{ "77\n77|\n77||E|x\n77|77|E", 77, NULL, NULL, false },
	{ "", 77, NULL, NULL, false },
};

FIXTURE(scratch_setup, scratch_teardown);

TEST_EACH(job_is_found_in_what_sacct_says, LW_COUNT_OF(rows))
{
	struct lw_account_job job = { .comment = NULL };

	if (!rows[_i].name) {
		ck_assert_int_eq(lw_account_find(rows[_i].text, rows[_i].job_id, &job), -ENOENT);
		return;
	}
	ck_assert_int_eq(lw_account_find(rows[_i].text, rows[_i].job_id, &job), 0);
	ck_assert_str_eq(job.name, rows[_i].name);
	ck_assert_str_eq(job.comment, rows[_i].comment);
	ck_assert_int_eq(job.ended, rows[_i].ended);
	free(job.comment);
}

/* Slurm's commands, as far as they are asked; sacctmgr writes down how it was called. */
static void make_commands(const char *sacct, const char *sacctmgr)
{
	char text[512];

	snprintf(text, sizeof(text), "#!/bin/sh\n%s\n", sacct);
	chmod(scratch_write("sacct", text), 0755);
	snprintf(text, sizeof(text), "#!/bin/sh\n%s\necho \"$@\" >> %s/called\n", sacctmgr,
		 scratch_dir);
	chmod(scratch_write("sacctmgr", text), 0755);
}

/* Killed without a word, the first time. */
#define HUNG_UP "[ -e \"$0.asked\" ] || { : > \"$0.asked\"; kill -PIPE $$; }\n"

static const struct {
	const char *sacct, *sacctmgr;
	int want;
	const char *told;
} answers[] = {
	{ "echo '77|75_2|E|leeway:dl=none,9,-'", "", 0, NULL },
	{ HUNG_UP "echo '77|75_2|E|leeway:dl=none,9,-'", HUNG_UP, 0, NULL },
	{ "echo '78|78|E|'", "", -ENOENT, "does not know job 77" },
	{ "echo '77|77|Unknown|'", "", -EAGAIN, "has not heard of the end of job 77" },
	{ "echo 'no slurmdbd' >&2; exit 1", "", -EIO, "sacct failed: no slurmdbd" },
	{ "echo '77|77|E|x'", "exit 3", -EIO, "sacctmgr failed: exit status 3" },
	{ "echo \"77|77|E|it's\"", "", -EINVAL, "quotation mark" },
	{ "echo '77|77|E|of two'; echo lines", "", -EINVAL, "second line" },
	{ "echo 'error: Ignoring X' >&2; echo '77|75_2|E|leeway:dl=none,9,-'",
	  "echo 'error: Ignoring X' >&2", 0, NULL },
	{ "echo oops; echo 'no slurmdbd' >&2; exit 1", "", -EIO, "sacct failed: no slurmdbd" },
	{ "echo '77|77|E|x'; exit 3", "", -EIO, "sacct failed: exit status 3" },
	{ "echo no; echo 'no slurmdbd' >&2; echo lost >&2; exit 1", "", -EIO,
	  "sacct failed: lost" },
	{ "echo '77|77|E|x'; kill -KILL $$", "", -EIO, "sacct was ended by signal 9" },
	{ "kill -TERM $$", "", -EIO, "sacct was ended by signal 15" },
	{ "head -c 70000000 /dev/zero | tr '\\0' x", "", -EFBIG, "printed more than 64 MiB" },
};

TEST_EACH(summary_goes_to_accounting_or_why_not, LW_COUNT_OF(answers))
{
	struct lw_record *record = make_record("n1", "batch", 1);
	struct lw_error err = { "" };
	char *called;

	fill(record, 80, 1);
	make_commands(answers[_i].sacct, answers[_i].sacctmgr);
	ck_assert_int_eq(lw_account_put(&(struct lw_account_how){ scratch_dir, false, true },
					&record, 1, NULL, &err),
			 answers[_i].want);
	if (answers[_i].told) {
		ck_assert_msg(strstr(err.text, answers[_i].told) != NULL, "%s", err.text);
	} else {
		called = scratch_read(scratch_path("called"));
		ck_assert_str_eq(called, "-i modify job where jobid=75_2 set AdminComment="
					 "leeway:dl=none,9,- leeway:gpu=n:1,util:80/80,"
					 "mem:1024/1024M,idle:0,half:80\n");
		free(called);
	}
	lw_record_destroy(record);
}

#define RELEASE(what) "[ \"$1\" != --version ] || { echo 'slurm-wlm " what "'; exit; }"

static const struct {
	const char *sacct, *sacctmgr;
	bool js1;
	int want;
	const char *begins; /* the new comment; "" for none, or what ERR says */
} cases[] = {
	{ "echo '77|77|E|Ticket 5'", RELEASE("22.05.8"), false, -EINVAL, "has capital letters" },
	{ "echo '77|77|E|Ticket 5'", RELEASE("24.11.5"), false, 0, "Ticket 5 leeway:gpu=" },
	{ "echo '77|77|E|Ticket 5'", "echo 'error: Ignoring 1.2' >&2\n" RELEASE("24.11.5"),
	  false, 0, "Ticket 5 leeway:gpu=" },
	{ "echo '77|77|E|Ticket 5'", RELEASE("of old"), false, -EIO, "says no release" },
	{ "echo '77|77|E|leeway:gpu=n:1,mem:1/1M hand'", "exit 3", false, -EIO, "exit status 3" },
	{ "echo '77|77|E|leeway:gpu=n:1,mem:1/1M HAND'", RELEASE("22.05.8"), false, -EINVAL, "" },
	{ "echo '77|77|E|hand'", RELEASE("22.05.8"), true, 0, "hand leeway:gpu=" },
	{ "echo '77|77|E|hand'", RELEASE("26.05.1"), true, 0, "JS1:" },
};

TEST_EACH(capitals_go_where_sacctmgr_carries_them, LW_COUNT_OF(cases))
{
	struct lw_record *record = make_record("n1", "batch", 1);
	struct lw_error err = { "" };
	char *comment = NULL;

	fill(record, 80, 1);
	make_commands(cases[_i].sacct, cases[_i].sacctmgr);
	ck_assert_int_eq(
		lw_account_put(&(struct lw_account_how){ scratch_dir, cases[_i].js1, true },
			       &record, 1, &comment, &err),
		cases[_i].want);
	ck_assert_msg(strstr(comment ? comment : err.text, cases[_i].begins) != NULL, "%s%s",
		      comment ? comment : "", err.text);
	if (comment)
		ck_assert_int_eq(strncmp(comment, cases[_i].begins, strlen(cases[_i].begins)), 0);
	free(comment);
	lw_record_destroy(record);
}

TEST(missing_command_is_named)
{
	struct lw_record *record = make_record("n1", "batch", 1);
	struct lw_error err = { "" };

	ck_assert_int_eq(lw_account_put(&(struct lw_account_how){ "/no/such", false, true },
					&record, 1, NULL, &err),
			 -EIO);
	ck_assert_msg(strstr(err.text, "/no/such/sacct") != NULL, "%s", err.text);
	lw_record_destroy(record);
}

/* ---- the end of a job ---- */

static const struct {
	const char *nodes, *node;
	bool first;
} lists[] = {
	{ "n1", "n1", true },        { "n1", "n2", false },        { "n[1-4]", "n1", true },
	{ "n[1-4]", "n2", false },   { "n[01-04]", "n01", true },  { "n[7,9],m1", "n7", true },
	{ "m1,n[7,9]", "m1", true }, { "m1,n[7,9]", "n7", false }, { "r[1-2]-n", "r1-n", true },
	{ "n1,n11", "n11", false },  { "n[1-2]", "n", false },
};

TEST_EACH(first_node_is_known, LW_COUNT_OF(lists))
{
	ck_assert_int_eq(lw_jobend_is_first(lists[_i].nodes, lists[_i].node), lists[_i].first);
}

static struct {
	unsigned errors, lines;
	char last[512];
} heard;

static void hear(void *arg, enum lw_log_level level, const char *line)
{
	(void)arg;
	heard.errors += level == LW_LOG_ERROR;
	heard.lines++;
	snprintf(heard.last, sizeof(heard.last), "%s", line);
}

static const struct lw_log test_log = { hear, NULL, LW_LOG_DEBUG };

/* What a step leaves that is killed between two savings. */
static void leave_part(const char *node, const char *step)
{
	struct lw_record *record = make_record(node, step, 1);
	struct lw_record_file *file = NULL;

	fill(record, 60, 1);
	record->head.end_s = 0;
	ck_assert_int_eq(lw_record_file_create(scratch_dir, record, &file, NULL), 0);
	lw_record_file_abandon(file);
	lw_record_destroy(record);
}

/* A step of n1 that ends by itself. */
static void end_step(const char *step)
{
	struct lw_record *record = make_record("n1", step, 1);
	struct lw_record_file *file = NULL;

	fill(record, 60, 1);
	ck_assert_int_eq(lw_record_file_create(scratch_dir, record, &file, NULL), 0);
	ck_assert_int_eq(lw_record_file_finish(file, record, NULL), 0);
	lw_record_destroy(record);
}

static void end_job(const char *node)
{
	const struct lw_watch_options options = { .dir = scratch_dir,
						  .bin = scratch_dir,
						  .summary = true };

	lw_jobend_run(&options, 77, node, "n[1-2]", &test_log);
}

static unsigned calls(void)
{
	char *called;
	unsigned lines = 0;

	if (access(scratch_path("called"), F_OK))
		return 0;
	called = scratch_read(scratch_path("called"));
	for (char *c = called; *c; c++)
		lines += *c == '\n';
	free(called);
	return lines;
}

static void setup(void)
{
	scratch_setup();
	heard.errors = heard.lines = 0;
}

FIXTURE(setup, scratch_teardown);

/* Two nodes whose steps were killed: merged, told once, by the first. */
TEST(killed_job_is_told_once)
{
	char *called;

	make_commands("echo '77|77|E|'", "");
	leave_part("n1", "batch");
	leave_part("n1", "0");
	leave_part("n2", "0");
	end_job("n2");
	ck_assert_uint_eq(calls(), 0);
	end_job("n1");
	ck_assert_uint_eq(calls(), 1);
	end_job("n1");
	ck_assert_uint_eq(calls(), 1);
	ck_assert_uint_eq(heard.errors, 0);
	called = scratch_read(scratch_path("called"));
	ck_assert_ptr_nonnull(strstr(called, "leeway:gpu=n:2,util:60/60"));
	free(called);
	ck_assert_int_eq(access(scratch_path("jobs/77/77.n1.gpu"), F_OK), 0);
	ck_assert_int_ne(access(scratch_path("77.n1.0.part"), F_OK), 0);
}

/* What was sent before more was recorded is sent again. */
TEST(what_came_later_is_told_again)
{
	make_commands("echo '77|77|E|'", "");
	leave_part("n1", "batch");
	end_job("n1");
	ck_assert_int_eq(lw_record_note_sent(scratch_dir, 77, "n1"), 0);
	ck_assert_uint_eq(calls(), 1);
	end_step("1");
	end_job("n1");
	ck_assert_uint_eq(calls(), 2);
}

/* slurmctld's message of the end, which brings the tag, is still under way. */
TEST(end_of_the_job_is_waited_for)
{
	char *called;

	leave_part("n1", "batch");
	make_commands("echo x >> \"$0.asked\"\n"
		      "case $(wc -l < \"$0.asked\") in\n"
		      "1) ;;\n"
		      "2) echo '77|77|Unknown|' ;;\n"
		      "*) echo '77|77|E|leeway:dl=none,9,-' ;;\n"
		      "esac",
		      "");
	end_job("n1");
	ck_assert_msg(heard.errors == 0, "%s", heard.last);
	ck_assert_uint_eq(calls(), 1);
	called = scratch_read(scratch_path("called"));
	ck_assert_msg(strstr(called, "=leeway:dl=none,9,- leeway:gpu=") != NULL, "%s", called);
	free(called);
}

static bool is_owed(void)
{
	struct lw_record_list list;
	const char *dir = scratch_dir;
	bool owed;

	ck_assert_int_eq(lw_record_list_read(&dir, 1, 77, &list, NULL), 0);
	ck_assert_uint_eq(list.count, 1);
	owed = lw_record_is_owed(list.records[0]);
	lw_record_list_fini(&list);
	return owed;
}

/* Nobody can mend that: it is no error, said once for all jobs, and again only after it was so. */
TEST(without_slurmdbd_what_is_lost_is_told_once)
{
	const char *sacct = "echo 'Slurm accounting storage is disabled' >&2; exit 1";

	leave_part("n1", "batch");
	make_commands(sacct, "");
	end_job("n1");
	ck_assert_uint_eq(heard.errors, 0);
	ck_assert_uint_eq(heard.lines, 1);
	ck_assert_msg(strstr(heard.last, "job 77: without slurmdbd the summary of GPU use is") &&
			      strstr(heard.last, scratch_dir),
		      "%s", heard.last);
	ck_assert(!is_owed());
	end_job("n1");
	ck_assert_uint_eq(heard.lines, 1);
	make_commands("echo '77|77|E|'", "");
	end_job("n1");
	ck_assert_uint_eq(calls(), 1);
	end_step("1");
	make_commands(sacct, "");
	end_job("n1");
	ck_assert_uint_eq(heard.lines, 2);
	ck_assert_uint_eq(heard.errors, 0);
}

TEST(failure_is_one_line_and_tried_again)
{
	leave_part("n1", "batch");
	make_commands("echo down >&2; exit 1", "");
	end_job("n1");
	ck_assert_uint_eq(heard.errors, 1);
	ck_assert_msg(strstr(heard.last,
			     "job 77: the summary was not sent: sacct failed: down") != NULL,
		      "%s", heard.last);
	ck_assert(is_owed());
	make_commands("echo '77|77|E|'", "");
	end_job("n1");
	ck_assert_uint_eq(heard.errors, 1);
	ck_assert_uint_eq(calls(), 1);
	ck_assert(!is_owed());
}

TEST(job_without_a_record_costs_nothing)
{
	end_job("n1");
	ck_assert_uint_eq(heard.errors, 0);
}

/* A step too short to open anything does not make a GPU of its own. */
TEST(unread_gpu_goes_by_its_index)
{
	struct lw_record *read = make_record("n1", "0", 2), *unread = make_record("n1", "1", 2);
	struct lw_record *more = make_record("n1", "2", 1);

	fill(read, 30, 1);
	for (uint32_t g = 0; g < 2; g++)
		snprintf(unread->head.gpu[g].id, sizeof(unread->head.gpu[g].id), "index-%u", g);
	ck_assert_int_eq(lw_record_merge(unread, read), 0);
	ck_assert_uint_eq(unread->head.gpu_count, 2);
	ck_assert_str_eq(unread->head.gpu[1].id, "GPU-n1-1");
	snprintf(more->head.gpu[0].id, sizeof(more->head.gpu[0].id), "index-1");
	more->head.gpu[0].index = 1;
	ck_assert_int_eq(lw_record_merge(unread, more), 0);
	ck_assert_uint_eq(unread->head.gpu_count, 2);
	lw_record_destroy(read);
	lw_record_destroy(unread);
	lw_record_destroy(more);
}
