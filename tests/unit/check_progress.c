/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of leeway progress: the word in a Comment, when it is sent, what it tells.
 */
#include "base/pace.h"
#include "cli/common/tools.h"
#include "unit/fake_slurm.h"
#include "unit/unit.h"
#include "unit/why_rows.h"

#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- the word ---- */

TEST(what_is_written_is_read)
{
	const struct lw_pace progress = { 1200, 5000, 200, 1764162000, 1764160000 };
	char word[LW_PACE_WORD_MAX], comment[256];
	struct lw_pace read;

	lw_pace_word(&progress, word);
	ck_assert_str_eq(word,
			 "leeway:progress=1200/5000,at:1764162000,from:200,since:1764160000");
	snprintf(comment, sizeof(comment), "leeway:stop %s mine", word);
	ck_assert(lw_pace_read(comment, &read));
	ck_assert_mem_eq(&read, &progress, sizeof(read));
}

static const struct {
	const char *comment;
	bool read;
	uint64_t step, of;
} words[] = {
	{ NULL, false, 0, 0 },
	{ "", false, 0, 0 },
	{ "leeway:stop", false, 0, 0 },
	{ "leeway:progress=7", true, 7, 0 },
	{ "a leeway:progress=7/9 b", true, 7, 9 },
	{ "leeway:progress=1000000000000000/1000000000000000", true, 1000000000000000,
	  1000000000000000 },
	{ "leeway:progress=", false, 0, 0 },
	{ "leeway:progress=-7", false, 0, 0 },
	{ "leeway:progress=7/", false, 0, 0 },
	{ "leeway:progress=7/x", false, 0, 0 },
	{ "leeway:progress=7/9x", false, 0, 0 },
	{ "leeway:progress=7/9,at:", false, 0, 0 },
	{ "leeway:progress=7/9,from:1,at:2", false, 0, 0 },
	{ "leeway:progress=1000000000000001", false, 0, 0 },
	{ "leeway:progress=99999999999999999999999", false, 0, 0 },
	{ "leeway:progress=7/9,at:9999999999999", false, 0, 0 },
};

TEST_EACH(words_are_read_with_care, LW_COUNT_OF(words))
{
	struct lw_pace progress = { 0 };

	ck_assert_int_eq(lw_pace_read(words[_i].comment, &progress), words[_i].read);
	ck_assert_uint_eq(progress.step, words[_i].step);
	ck_assert_uint_eq(progress.of, words[_i].of);
}

/* A job that started at 1000; step, of, from, at and since, what time it is, and its end. */
static const struct {
	struct lw_pace said;
	int64_t now_s, end_s; /* 0: not known */
} ends[] = {
	{ { 500, 1000, 0, 2000, 1000 }, 2000, 3000 },
	{ { 500, 1000, 400, 1100, 1000 }, 1200, 1600 },
	{ { 500, 1000, 0, 2000, 1000 }, 2999, 3000 },
	/* it should have ended by now; it has done all; it went back; it never moved */
	{ { 500, 1000, 0, 2000, 1000 }, 3000, 0 },
	{ { 1000, 1000, 0, 2000, 1000 }, 2000, 0 },
	{ { 500, 400, 0, 2000, 1000 }, 2000, 0 },
	{ { 500, 1000, 600, 2000, 1000 }, 2000, 0 },
	{ { 500, 1000, 500, 2000, 1000 }, 2000, 0 },
	{ { 500, 0, 0, 2000, 1000 }, 2000, 0 },
	/* of an earlier run; of a time to come; of a moment; of clocks that differ a little */
	{ { 500, 1000, 0, 2000, 900 }, 2000, 0 },
	{ { 500, 1000, 0, 2000, 1000 }, 1900, 0 },
	{ { 500, 1000, 0, 1059, 1000 }, 1060, 0 },
	{ { 500, 1000, 0, 2000, 950 }, 1950, 3050 },
	/* too old, unless it covers as much */
	{ { 100, 1000, 0, 2000, 1000 }, 5601, 0 },
	{ { 100, 1000, 0, 2000, 1000 }, 5600, 11000 },
	{ { 100, 1000, 0, 9000, 1000 }, 17000, 81000 },
	{ { 100, 1000, 0, 9000, 1000 }, 17001, 0 },
	/* no number is too large */
	{ { 1, LW_PACE_STEP_MAX, 0, 2000, 1000 }, 2000, 2000 + 1000000000 },
	{ { LW_PACE_STEP_MAX, LW_PACE_STEP_MAX, 0, 2000, 1000 }, 1999, 2000 },
	{ { 500, 1000, 0, 0, 0 }, 2000, 0 },
};

TEST_EACH(the_end_is_by_its_rate, LW_COUNT_OF(ends))
{
	int64_t end_s = 0;
	bool known = lw_pace_end(&ends[_i].said, 1000, ends[_i].now_s, &end_s);

	ck_assert_int_eq(known, ends[_i].end_s != 0);
	ck_assert_int_eq(end_s, ends[_i].end_s);
}

/* ---- the command ---- */

static const char *const variables[] = { "SLURM_JOB_ID",        "SLURM_ARRAY_JOB_ID",
					 "SLURM_ARRAY_TASK_ID", "SLURM_RESTART_COUNT",
					 "SLURM_PROCID",        "RANK" };

/* squeue tells what the job's Comment was set to last. */
static void setup(void)
{
	fake_setup();
	for (size_t i = 0; i < LW_COUNT_OF(variables); i++)
		unsetenv(variables[i]);
	setenv("TMPDIR", scratch_dir, 1);
	setenv("SLURM_JOB_ID", "7", 1);
	scratch_write("comment", "leeway:stop mine");
	fake_command("squeue", "printf '1764180000 '; cat $d/comment");
	fake_command("scontrol", "printf '%s\\n' \"${3#Comment=}\" >$d/comment");
}

static void teardown(void)
{
	unsetenv("TMPDIR");
	for (size_t i = 0; i < LW_COUNT_OF(variables); i++)
		unsetenv(variables[i]);
	fake_teardown();
}

/* Its exit code is WANTED; returns its complaint. */
static char *says(const char *line, int wanted)
{
	int rc;
	char *told = scratch_complaint(lw_tools_progress, line, &rc);

	ck_assert_msg(rc == wanted, "%s: %d: %s", line, rc, told);
	return told;
}

static void comment_is(const char *wanted)
{
	char *comment = scratch_read(scratch_path("comment"));

	ck_assert_str_eq(comment, wanted);
	free(comment);
}

/* How often slurmctld was asked to change a job, and which job last. */
static int changes_of(const char *job)
{
	char *asked = access(scratch_path("scontrol.asked"), F_OK)
			      ? NULL
			      : scratch_read(scratch_path("scontrol.asked"));
	int count = 0;

	for (char *at = asked; at && *at; at++)
		count += *at == '\n';
	if (asked)
		ck_assert_ptr_nonnull(strstr(asked, job));
	free(asked);
	return count;
}

FIXTURE(setup, teardown);

TEST(the_word_is_put_beside_what_is_there)
{
	free(says("progress 10 100 --now 1764160000", 0));
	comment_is("leeway:stop mine "
		   "leeway:progress=10/100,at:1764160000,from:10,since:1764160000\n");
	free(says("progress 30 100 --now 1764160300", 0));
	comment_is("leeway:stop mine "
		   "leeway:progress=30/100,at:1764160300,from:10,since:1764160000\n");
	ck_assert_int_eq(changes_of("update JobId=7 "), 2);
}

TEST(slurmctld_is_told_seldom)
{
	free(says("progress 10 100 --now 1764160000", 0));
	for (int i = 1; i < 300; i += 20) {
		char line[64];

		snprintf(line, sizeof(line), "progress %d 100 --now %d", 10 + i / 20,
			 1764160000 + i);
		free(says(line, 0));
	}
	ck_assert_int_eq(changes_of("update JobId=7 "), 1);
	/* nor when it did not answer */
	fake_command("scontrol", "exit 1");
	free(says("progress 40 100 --now 1764160300", 1));
	free(says("progress 41 100 --now 1764160301", 0));
	free(says("progress 42 100 --every 10 --now 1764160310", 1));
}

TEST(a_run_is_measured_from_its_own_first_step)
{
	free(says("progress 10 100 --now 1764160000", 0));
	setenv("SLURM_RESTART_COUNT", "1", 1);
	free(says("progress 60 100 --now 1764160010", 0));
	comment_is("leeway:stop mine "
		   "leeway:progress=60/100,at:1764160010,from:60,since:1764160010\n");
	/* it went back to a save */
	free(says("progress 50 100 --now 1764160310", 0));
	comment_is("leeway:stop mine "
		   "leeway:progress=50/100,at:1764160310,from:50,since:1764160310\n");
}

TEST(of_an_array_one_task_is_changed)
{
	setenv("SLURM_ARRAY_JOB_ID", "5", 1);
	setenv("SLURM_ARRAY_TASK_ID", "3", 1);
	free(says("progress 1", 0));
	ck_assert_int_eq(changes_of("update JobId=5_3 Comment=leeway:stop mine "), 1);
}

TEST_EACH(only_the_first_task_speaks, 2)
{
	setenv(_i ? "RANK" : "SLURM_PROCID", "1", 1);
	free(says("progress 1", 0));
	ck_assert_int_eq(changes_of(""), 0);
	setenv(_i ? "RANK" : "SLURM_PROCID", "0", 1);
	free(says("progress 1", 0));
	ck_assert_int_eq(changes_of(""), 1);
}

TEST(a_file_that_was_put_there_is_not_used)
{
	char name[64], *told;

	snprintf(name, sizeof(name), "leeway-progress-7-%u", (unsigned)geteuid());
	scratch_write("other", "untouched");
	ck_assert_int_eq(symlink("other", scratch_path(name)), 0);
	told = says("progress 1", 1);
	ck_assert_ptr_nonnull(strstr(told, name));
	free(told);
	ck_assert_int_eq(unlink(scratch_path(name)), 0);
	ck_assert_int_eq(mkfifo(scratch_path(name), 0600), 0);
	free(says("progress 1", 1));
	ck_assert_int_eq(unlink(scratch_path(name)), 0);
	ck_assert_int_eq(changes_of(""), 0);
	/* rubbish of its own is as if nothing was said */
	scratch_write(name, " 0 99999999999999999999 0 0\n");
	free(says("progress 1", 0));
	ck_assert_int_eq(changes_of(""), 1);
}

static const struct {
	const char *line, *told;
} misuses[] = {
	{ "progress", "give STEP" },         { "progress 1 2 3", "give STEP" },
	{ "progress x", "no whole number" }, { "progress 1.5", "no whole number" },
	{ "progress 1 0", "above 0" },       { "progress 3 2", "beyond OF" },
	{ "progress 1 --every 5", "every" },
};

TEST_EACH(misuse_is_told, LW_COUNT_OF(misuses))
{
	char *told = says(misuses[_i].line, LW_TOOLS_USAGE);

	ck_assert_msg(strstr(told, misuses[_i].told) != NULL, "%s", told);
	free(told);
}

TEST(outside_of_a_job_there_is_nothing_to_say)
{
	char *told;

	unsetenv("SLURM_JOB_ID");
	told = says("progress 1", LW_TOOLS_USAGE);
	ck_assert_ptr_nonnull(strstr(told, "SLURM_JOB_ID is not set"));
	free(told);
}

/* ---- what leeway why and leeway when make of it ---- */

/* It started at 12:01, and was at step 100 at 12:10. */
#define RUNS ROW("7", "RUNNING", "None", "1764158460", "N/A", "", "(null)", "")
#define MARK "leeway:progress=300/1100,at:1764161400,from:100,since:1764159000"

static const struct {
	const char *told, *wanted; /* by squeue -o "%e %k" */
} reports[] = {
	{ "1764180000 " MARK, "progress  300 of 1100, 12:50; at that rate done 15:30\n" },
	{ "1764165600 mine " MARK,
	  "progress  300 of 1100, 12:50; at that rate done 15:30, but its time limit ends it "
	  "14:00\n" },
	{ "N/A leeway:progress=300", "progress  300\n" },
	{ "N/A " MARK "x", "" },
	{ "N/A (null)", "" },
	{ "N/A a\nleeway:progress=300", "" },
};

TEST_EACH(a_running_job_says_how_far_it_is, LW_COUNT_OF(reports))
{
	const char *wanted = reports[_i].wanted;
	char *out;

	scratch_write("queue", RUNS);
	scratch_write("told", reports[_i].told);
	fake_command("squeue", "case $* in *%k*) cat $d/told; echo; exit ;; esac\n" SHOW_QUEUE);
	out = said(lw_tools_why, "why 7 --now " NOW, 0);
	ck_assert_msg(strstr(out, *wanted ? wanted : "RUNNING\n") != NULL, "%s", out);
	ck_assert_int_eq(strstr(out, "progress") != NULL, *wanted != '\0');
	free(out);
	out = said(lw_tools_when, "when 7 --now " NOW, 0);
	ck_assert_int_eq(strstr(out, "RUNNING: 300") != NULL, *wanted != '\0');
	free(out);
	out = said(lw_tools_why, "why 7 --json --now " NOW, 0);
	ck_assert_int_eq(strstr(out, "\"progress_step\": 300") != NULL, *wanted != '\0');
	ck_assert_int_eq(strstr(out, "\"progress_done_s\": 1764171000") != NULL, _i < 2);
	free(out);
}
