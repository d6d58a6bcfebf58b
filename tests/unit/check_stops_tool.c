/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of leeway stops: what the file tells, and an order. */
#include "base/savefile.h"
#include "base/stop.h"
#include "cli/common/origin.h"
#include "cli/common/tools.h"
#include "unit/fake_slurm.h"
#include "unit/unit.h"

#include <jansson.h>
#include <unistd.h>

/* 2025-11-26 12:59 UTC */
#define NOW "1764161940"

static void setup(void)
{
	const struct lw_stop stop = { .job_id = 7,
				      .user = 4000001,
				      .state = LW_STOP_YIELDS,
				      .way = LW_STOP_BY_SIGNAL,
				      .for_job = 9,
				      .asked_s = 1764160200,
				      .due_s = 1764165720,
				      .since_s = 1764160200,
				      .stops = 2 };
	const struct lw_stop_kind kind = {
		.user = 4000002, .why = LW_STOP_ENDS, .at_s = 1764160200, .name = "a b"
	};
	struct lw_strbuf text = LW_STRBUF_INIT;
	struct lw_error err;

	fake_setup();
	lw_stop_print(&stop, &text);
	lw_stop_kind_print(&kind, &text);
	ck_assert_int_eq(lw_savefile_write(scratch_path("leeway_stops"), LW_STOP_FILE_KIND,
					   LW_STOP_FILE_VERSION, lw_strbuf_text(&text), text.len,
					   &err),
			 0);
	lw_strbuf_fini(&text);
}

/* What it prints, or, where WANTED is no success, its complaint. */
static char *said(const char *line, int wanted)
{
	int rc;
	char *told = scratch_complaint(lw_tools_stops, line, &rc);

	ck_assert_msg(rc == wanted, "%s: %d: %s", line, rc, told);
	if (wanted)
		return told;
	free(told);
	return scratch_read(scratch_path("out"));
}

/* The same of the file that was written. */
static char *listed(const char *options)
{
	char line[4400];

	snprintf(line, sizeof(line), "stops --state %s %s--now " NOW, scratch_dir, options);
	return said(line, 0);
}

FIXTURE(setup, fake_teardown);

TEST(the_file_is_told)
{
	char *out = listed("");

	ck_assert_ptr_nonnull(strstr(out, "\n7          4000001      yields  signal   9          "
					  "12:30            14:02            -                "
					  "2\n"));
	ck_assert_ptr_nonnull(strstr(out, "\n4000002      a b                  12-03T12:30      "
					  "a job of that name was asked, and ended instead\n"));
	free(out);
}

TEST(and_in_json)
{
	char *out = listed("--json ");
	json_t *root = json_loads(out, 0, NULL);
	const json_t *stop = json_array_get(json_object_get(root, "stops"), 0);
	const json_t *kind = json_array_get(json_object_get(root, "not_asked"), 0);

	ck_assert_str_eq(json_string_value(json_object_get(root, "schema")), "leeway.stops");
	ck_assert_str_eq(json_string_value(json_object_get(stop, "state")), "yields");
	ck_assert_str_eq(json_string_value(json_object_get(stop, "for")), "9");
	ck_assert(json_is_null(json_object_get(stop, "back_s")));
	ck_assert_str_eq(json_string_value(json_object_get(kind, "why")), "ends");
	json_decref(root);
	free(out);
}

/* A file of TEXT, of which the checksum is right. */
static void set_file(const char *text, size_t size)
{
	struct lw_error err;

	ck_assert_int_eq(lw_savefile_write(scratch_path("leeway_stops"), LW_STOP_FILE_KIND,
					   LW_STOP_FILE_VERSION, text, size, &err),
			 0);
}

#define JOB_7  "job 7 1 1 0 0 1 0 1764160200 0 1764165720 1764160900 1764160200 1 0 0 0 0\n"
#define JOB_8  "job 8 1 1 0 0 1 0 1763901000 0 1763901600 1763901700 1763901000 1 0 0 0 0\n"
#define JOB_9  "job 9 1 1 4 0 1 0 1763901000 0 1763901600 0 1763901000 1 1 0 0 0\n"
#define JOB_10 "job 10 1 1 4 0 1 0 1764160200 0 1764165720 0 1764160200 1 0 9 0 0 1\n"
#define JOB_11 "job 11 1 1 0 0 1 0 1764160200 0 1764165720 1764160900 1764160200 1 0 9 0 0 1\n"
#define KIND_1 "kind 1 1 0 1764160200 new\n"
#define KIND_2 "kind 1 2 0 1763556000 old\n"

static const struct {
	const char *text;
	size_t size;
	const char *told;
} damages[] = {
#define DAMAGE(text, told) { text, sizeof(text) - 1, told }
	DAMAGE(JOB_7 "job x\n" JOB_8, "leeway_stops:3: a line is wrong: job x; slurmctld "),
	DAMAGE(JOB_7 "jobs\n", "leeway_stops:3: a line is wrong"),
	DAMAGE(JOB_8 JOB_7, "leeway_stops:3: not in order"),
	DAMAGE(JOB_7 JOB_7, "leeway_stops:3: not in order"),
	DAMAGE(KIND_1 JOB_7, "leeway_stops:3: not in order"),
	DAMAGE(KIND_1 KIND_1, "leeway_stops:3: not in order"),
	DAMAGE(JOB_7 "\0" JOB_8, "a NUL byte in it"),
};

TEST_EACH(damage_is_told_with_its_line, LW_COUNT_OF(damages))
{
	char line[4400], *told;

	set_file(damages[_i].text, damages[_i].size);
	snprintf(line, sizeof(line), "stops --state %s", scratch_dir);
	told = said(line, LW_TOOLS_FAILED);
	ck_assert_msg(strstr(told, damages[_i].told) != NULL, "%s", told);
	free(told);
}

TEST(more_lines_than_there_may_be_are_damage)
{
	struct lw_strbuf text = LW_STRBUF_INIT;
	char line[4400], *told;

	for (uint32_t i = 1; i <= LW_STOP_FILE_LINES + 1; i++)
		lw_strbuf_add(&text, "kind 1 %u 0 1764160200 x\n", i);
	set_file(lw_strbuf_text(&text), text.len);
	lw_strbuf_fini(&text);
	snprintf(line, sizeof(line), "stops --state %s", scratch_dir);
	told = said(line, LW_TOOLS_FAILED);
	ck_assert_msg(strstr(told, "leeway_stops:4098: a kind too many") != NULL, "%s", told);
	free(told);
}

/* slurmctld drops it only when it writes the file next. */
TEST(what_is_over_is_not_told)
{
	char *out;

	set_file(JOB_7 JOB_8 JOB_9 KIND_1 KIND_2, sizeof(JOB_7 JOB_8 JOB_9 KIND_1 KIND_2) - 1);
	out = listed("");
	ck_assert_ptr_nonnull(strstr(out, "\n7 "));
	ck_assert_ptr_null(strstr(out, "\n8 "));
	/* of a job that is not back, the stops of another day do not count */
	ck_assert_ptr_nonnull(strstr(out, " -                0, late\n"));
	ck_assert_ptr_nonnull(strstr(out, " new "));
	ck_assert_ptr_null(strstr(out, " old "));
	free(out);
	out = listed("--json ");
	ck_assert_ptr_null(strstr(out, "\"8\""));
	ck_assert_ptr_nonnull(strstr(out, "\"stops_today\": 0"));
	free(out);
}

TEST(a_job_on_its_way_to_another_node_moves)
{
	char *out;

	set_file(JOB_7 JOB_10 JOB_11, sizeof(JOB_7 JOB_10 JOB_11) - 1);
	out = listed("");
	ck_assert_ptr_nonnull(strstr(out, " -                1, moves\n"));
	/* one that runs again has moved */
	ck_assert_ptr_null(strstr(strstr(out, ", moves") + 1, ", moves"));
	free(out);
	out = listed("--json ");
	ck_assert_ptr_nonnull(strstr(out, "\"moves\": true"));
	ck_assert_ptr_null(strstr(strstr(out, "\"moves\": true") + 1, "\"moves\": true"));
	free(out);
}

TEST(columns_stay_beside_long_and_foreign_names)
{
	static const char text[] = "kind 1 1 0 1764160200 caf\303\251\n"
				   "kind 1 2 0 1764160200 a-name-of-thirty-nine-characters-in-all\n"
				   "kind 1 3 0 1764160200 b\n";
	char *out, *at;
	long place = -1;

	set_file(text, sizeof(text) - 1);
	out = listed("");
	for (at = out; (at = strstr(at, "12-03T12:30")); at++) {
		char *line = at;

		while (line[-1] != '\n')
			line--;
		/* two bytes are one column */
		if (strstr(line, "caf\303\251") == strstr(line, "caf") && strstr(line, "caf") &&
		    strstr(line, "caf") < at)
			line++;
		ck_assert(place < 0 || place == at - line);
		place = at - line;
	}
	ck_assert_int_gt(place, 0);
	free(out);
}

TEST(the_file_is_an_input_and_is_kept)
{
	char line[9000], *told, *out = listed("--json ");
	json_t *root = json_loads(out, 0, NULL);

	ck_assert_uint_eq(json_array_size(json_object_get(json_object_get(root, "made_with"),
							  "inputs")),
			  1);
	json_decref(root);
	free(out);
	snprintf(line, sizeof(line), "stops --state %s --json=%s", scratch_dir,
		 scratch_path("leeway_stops"));
	lw_origin_begin(0, NULL);
	told = said(line, LW_TOOLS_FAILED);
	ck_assert_msg(strstr(told, "one of the inputs") != NULL, "%s", told);
	free(told);
}

TEST(without_its_folder_the_list_is_not_empty)
{
	char *told = said("stops --state /nonexistent", LW_TOOLS_FAILED);

	ck_assert_msg(strstr(told, "/nonexistent: no such folder") != NULL, "%s", told);
	free(told);
}

TEST(before_the_first_order_it_is)
{
	char *out;

	ck_assert_int_eq(unlink(scratch_path("leeway_stops")), 0);
	out = listed("");
	ck_assert_ptr_nonnull(strstr(out, "none\n"));
	free(out);
}

/* squeue tells STATE and COMMENT, each where it alone is asked for; $d/changed has the update. */
static void set_job(const char *state, const char *comment)
{
	scratch_write("state", state);
	scratch_write("comment", comment);
	fake_command("squeue", "case \"$*\" in\n"
			       "*' -O State:') cat $d/state; echo;;\n"
			       "*' -O admin_comment:') cat $d/comment; echo;;\n"
			       "*) exit 1;;\nesac");
	/* the name is its user's, and so is what else it may look like */
	fake_command("scontrol",
		     "if [ \"$1\" = show ]; then\n"
		     "printf 'JobId=7 JobName=x JobState=RUNNING\\n   AdminComment=evil\\n'\n"
		     "printf '   JobState=%s Reason=None\\n   AdminComment=%s\\n' "
		     "\"$(cat $d/state)\" \"$(cat $d/comment)\"\n"
		     "else echo \"$*\" >$d/changed; fi");
}

static const struct {
	const char *comment, *line, *changed;
} orders[] = {
	{ "leeway:dl=v:1 mine", "stops --ask 7",
	  "update JobId=7 AdminComment=leeway:dl=v:1 mine leeway:stop-now\n" },
	{ "(null)", "stops --ask 7_3 --for 9",
	  "update JobId=7_3 AdminComment=leeway:stop-now=9\n" },
	/* an order that was not heeded yet */
	{ "leeway:stop-now=4 mine", "stops --ask 7",
	  "update JobId=7 AdminComment=leeway:stop-now mine\n" },
	/* a number as Slurm has it, and blanks as they are */
	{ " a  b ", "stops --ask 007 --for 8",
	  "update JobId=7 AdminComment= a  b leeway:stop-now=8\n" },
};

TEST_EACH(an_order_is_put_beside_what_is_there, LW_COUNT_OF(orders))
{
	char *changed;

	set_job("RUNNING", orders[_i].comment);
	free(said(orders[_i].line, 0));
	changed = scratch_read(scratch_path("changed"));
	ck_assert_str_eq(changed, orders[_i].changed);
	free(changed);
}

static const struct {
	const char *state, *comment, *told;
} refusals[] = {
	{ "PENDING", "(null)", "job 7 does not run" },
	{ "", "(null)", "job 7 does not run" },
	{ "RUNNING\nRUNNING", "(null)", "7 is an array, or more than one job" },
	{ "RUNNING", "site: project 7\nsecond line", "more than one line" },
};

static void check_refused(const char *reason)
{
	char *told = said("stops --ask 7", LW_TOOLS_FAILED);

	ck_assert_msg(strstr(told, reason) != NULL, "%s", told);
	ck_assert_int_ne(access(scratch_path("changed"), F_OK), 0);
	free(told);
}

TEST_EACH(else_no_order_is_given, LW_COUNT_OF(refusals))
{
	set_job(refusals[_i].state, refusals[_i].comment);
	check_refused(refusals[_i].told);
}

TEST(nor_beside_a_comment_that_would_be_cut)
{
	char comment[17001];

	memset(comment, 'x', sizeof(comment));
	comment[sizeof(comment) - 1] = '\0';
	set_job("RUNNING", comment);
	check_refused("over 16384 bytes");
}

TEST(beside_the_longest_it_is_given_whole)
{
	char comment[16385], *changed;

	memset(comment, 'x', sizeof(comment));
	comment[sizeof(comment) - 1] = '\0';
	set_job("RUNNING", comment);
	free(said("stops --ask 7", 0));
	changed = scratch_read(scratch_path("changed"));
	ck_assert_ptr_nonnull(strstr(changed, comment));
	ck_assert_ptr_nonnull(strstr(changed, "x leeway:stop-now\n"));
	free(changed);
}

static const struct {
	const char *line, *told;
} misuses[] = {
	{ "stops 7", "nothing to name" },   { "stops --ask 7,8", "no job id" },
	{ "stops --ask 7_", "no job id" },  { "stops --ask x", "no job id" },
	{ "stops --for 7", "needs --ask" }, { "stops --ask 7 --json", "--ask prints no JSON" },
	{ "stops --ask 7 --state x", "--ask reads no file" },
	{ "stops --ask 0", "no job id" },
	{ "stops --ask 99999999999999999999999", "no job id" },
	{ "stops --ask 4294967295", "no job id" },
	{ "stops --ask 7 --for 7", "cannot wait for itself" },
};

TEST_EACH(misuse_is_told, LW_COUNT_OF(misuses))
{
	char *told = said(misuses[_i].line, LW_TOOLS_USAGE);

	ck_assert_msg(strstr(told, misuses[_i].told) != NULL, "%s", told);
	free(told);
}
