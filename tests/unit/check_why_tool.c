/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of leeway why, leeway when and leeway promises, by what squeue tells. */
#include "base/promise_ended.h"
#include "base/savefile.h"
#include "cli/common/tools.h"
#include "unit/fake_slurm.h"
#include "unit/unit.h"
#include "unit/why_rows.h"

#include <jansson.h>

static const struct {
	const char *row, *wanted; /* as why_says() takes it */
} words[] = {
	{ WAITS("Resources", WORD ",r:would-delay,b:12,h:7781"),
	  "why       there is room now, but it would delay a job that room is "
	  "kept for (job 7781); 12 jobs are before it|planned   no start yet|"
	  "likely    not known: similar jobs tell too little|"
	  "as        of 12:59" },
	{ ROW("7", "PENDING", "planned 14:02, at the latest 14:47, on g[3-6] after job 70",
	      "1764165720", "N/A", "g[3-6]", "(null)", WORD ",r:reserved,e:70,l:1764168420"),
	  "first to wait on its nodes: room is kept for it; the end of job 70 makes the room|"
	  "planned   14:02 on g[3-6]; promised at the latest 14:47" },
	{ WAITS("Resources", WORD ",r:reserved,e:70,j:71"), "; job 71 was asked to stop and m" },
	{ WAITS("Resources", WORD ",r:faster-gpus,f:a100:15060,o:v100:24060,b:1"),
	  "why       there is room now, but on GPUs that it waits for it ends sooner: done 17:10 "
	  "on a100, 19:40 on v100; 1 job is before it|"
	  "do        to start now all the same, ask for v100 by name" },
	{ WAITS("Resources", WORD ",r:faster-gpus,f:l40:15060,o:a100:14940"),
	  "there is room now, but GPUs that it waits for take less energy: done 17:10 on l40, "
	  "17:08 on a100|do        to start now all the same, ask for a100 by name" },
	{ WAITS("Resources", WORD ",r:faster-gpus"), "ends sooner, or as soon on less energy\n" },
	{ WAITS("Resources", WORD ",r:never-fits"), "do        ask for less a node" },
	{ WAITS("Resources", WORD ",r:faster-gpus,f:a100:15060,o:k80:24060,m:1,b:1"),
	  "why       there is room now, but on GPUs that it waits for it ends sooner: done 17:10 "
	  "on a100, k80 has too little memory by earlier runs; 1 job is before it\nplanned" },
	{ WAITS("Priority", WORD ",p:600-1830-5430,k:91-1240"),
	  "likely    by 13:30 as often as not, by 14:30 nine times of ten|"
	  "nine of ten held 91 % of 1240 times in 30 days" },
	{ WAITS("Priority", WORD ",p:7230-90000-259230"),
	  "likely    not predictable: between 2h00m and 3d00h from now" },
	{ WAITS("Priority", WORD ",p:0-10-20"),
	  "likely    not known: it waits longer than nine of ten such jobs" },
	{ WAITS("Priority", WORD ",l:1764165600,p:60-1830-99999"), "by 14:00 nine times of ten" },
	{ WAITS("Resources", WORD ",t:7200,g:2,x:1"),
	  "sooner    with --time=2:00:00 it would start now|"
	  "scontrol update JobId=7 TimeLimit=2:00:00|with 2 GPUs where it asks for more|"
	  "without --exclusive it would start now" },
	{ WAITS("Resources", WORD ",q:gpu2"), "sooner    in partition gpu2 it would start now|"
					      "scontrol update JobId=7 Partition=gpu2" },
	{ ROW("7", "PENDING", "Priority", "N/A", "1764180000", "", "(null)", WORD ",d:a"),
	  "deadline  accepted: by 18:00" },
	{ ROW("7", "PENDING", "Priority", "N/A", "1764180000", "", "(null)", WORD ",d:r"),
	  "deadline  18:00 at risk" },
	/* nor is there a place without a time */
	{ ROW("7", "PENDING", "Resources", "N/A", "N/A", "g3", "(null)", WORD),
	  "why       not enough is free on its nodes now|planned   no start yet\nlikely" },
	/* Slurm's own reasons, for which it has no word or an old one */
	{ WAITS("QOSMaxGRESPerUser", ""),
	  "the limit QOSMaxGRESPerUser is reached: GPUs or other GRES of one user under its QOS|"
	  "do        it may start when jobs under that limit end" },
	{ WAITS("AssocGrpCpuLimit", WORD ",r:would-delay"),
	  "the limit AssocGrpCpuLimit is reached: CPUs of all together under its account" },
	{ ROW("7", "PENDING", "Dependency", "N/A", "N/A", "", "afterok:6(unfulfilled)", ""),
	  "it waits for other jobs: afterok:6(unfulfilled)" },
	{ WAITS("JobHeldUser", WORD ",p:600-1830-5430,t:7200"),
	  "why       it is held|do        scontrol release it|!likely|!sooner" },
	{ WAITS("DependencyNeverSatisfied", WORD ",p:600-1830-5430"), "never start|!likely" },
	/* half an hour old: left behind */
	{ WAITS("Priority", "leeway:why=v:1,at:1764160199,r:would-delay,p:600-3830-5430,t:7200"),
	  "why       others have their turn first|as        of 12:29: too long ago|!likely|"
	  "!sooner" },
	{ WAITS("Priority", "leeway:why=v:1,at:1764161400,p:60-540-5430"),
	  "likely    half of such jobs had started by 12:59; by 14:20 nine of ten" },
	/* of a time to come: as if there were none, and what it promises is nothing */
	{ WAITS("Priority",
		"leeway:why=v:1,at:1764162301,r:would-delay,l:1764165600,p:60-540-5430"),
	  "why       others have their turn first|planned   no start yet\n|!likely|!as  " },
	{ WAITS("Priority", "leeway:why=v:1,at:1764162300,r:would-delay,l:1764165600"),
	  "it would delay a job that room is kept for|promised at the latest 14:00\n" },
	{ WAITS("Priority", WORD ",l:1764161999"),
	  "promised at the latest 12:59, which has passed" },
	{ WAITS("Priority", WORD ",l:1764162000"), "promised at the latest 13:00\n" },
	/* the plan in Slurm's reason alone */
	{ ROW("7", "PENDING", "planned 14:02, at the latest 14:47, on g3", "1764165720", "N/A",
	      "g3", "(null)", "(null)"),
	  "why       planned 14:02, at the latest 14:47, on g3|planned   14:02 on g3\n|"
	  "!not promised" },
	/* changes are told for a quarter of an hour */
	{ WAITS("Resources", "leeway:why=v:1,at:1764161100,r:would-delay,t:7200"), "sooner" },
	{ WAITS("Resources", "leeway:why=v:1,at:1764161099,r:would-delay,t:7200"),
	  "it would delay a job that room is kept for|!sooner" },
	{ WAITS("JobHeldUser", ""), "why       it is held|do        scontrol release it" },
	{ WAITS("ReqNodeNotAvail, UnavailableNodes:n1", ""),
	  "nodes that it asks for are reserved" },
	{ WAITS("Something new", ""), "why       Something new" },
	/* without Leeway, and of another day */
	{ ROW("7", "PENDING", "Resources", "1764338400", "N/A", "n1", "(null)", "(null)"),
	  "not enough is free on its nodes now|planned   11-28T14:00 on n1; not promised" },
	{ ROW("7", "RUNNING", "None", "1764158500", "N/A", "", "(null)", WORD),
	  "why       it does not wait: RUNNING" },
};

FIXTURE(fake_setup, fake_teardown);

TEST_EACH(why_says_it_in_words, LW_COUNT_OF(words))
{
	why_says(words[_i].row, words[_i].wanted);
}

static json_t *member(json_t *o, const char *name)
{
	json_t *found = json_object_get(o, name);

	ck_assert_msg(found != NULL, "%s", name);
	return found;
}

TEST(why_has_json)
{
	json_t *root, *likely, *hint;
	char *out;

	setup_queue(ROW("7", "PENDING", "Resources", "1764165720", "N/A", "g3", "(null)",
			WORD ",r:would-delay,b:12,h:7781,l:1764168420,f:a100:60,o:v100:90,"
			     "p:60-600-1200,k:91-5,t:3600"));
	out = said(lw_tools_why, "why 7 --json --now " NOW, 0);
	root = json_loads(out, 0, NULL);
	ck_assert_str_eq(json_string_value(member(root, "schema")), "leeway.why");
	ck_assert_str_eq(json_string_value(member(root, "plan_reason")), "would-delay");
	ck_assert_int_eq(json_integer_value(member(root, "would_delay")), 7781);
	ck_assert_int_eq(json_integer_value(member(root, "latest_start_s")), 1764168420);
	ck_assert_str_eq(json_string_value(member(member(root, "waits_for_type"), "type")),
			 "a100");
	ck_assert_int_eq(json_integer_value(member(member(root, "other_type"), "done_s")),
			 1764162060);
	likely = member(root, "likely");
	ck_assert_int_eq(json_integer_value(member(likely, "p90_start_s")), 1764163170);
	ck_assert(json_is_false(member(likely, "too_wide")));
	hint = json_array_get(member(root, "would_start_now"), 0);
	ck_assert_str_eq(json_string_value(member(hint, "change")), "time");
	ck_assert_str_eq(json_string_value(member(hint, "command")),
			 "scontrol update JobId=7 TimeLimit=1:00:00");
	ck_assert(json_is_false(member(root, "other_type_too_small")));
	json_decref(root);
	free(out);
}

/* What scontrol and squeue tell of reservations and licences, and what is made of it. */
#define ASKS(reason, resv, licences)                                                             \
	"7|u1|PENDING|" reason "|gpu|N/A|1764158400|N/A|(null)|(null)|" resv "|" licences        \
	"|train|\n"
#define RESERVATION(name, from, to, flags)                                                       \
	"ReservationName=" name " StartTime=" from " EndTime=" to " Duration=1:00:00 Nodes=n1 "  \
	"NodeCnt=1 Features=(null) Flags=" flags " TRES=cpu=4\n"
#define MATLAB "LicenseName=matlab Total=4 Used=4 Free=0 Remote=no\n"

static const struct {
	const char *row, *told, *holders, *wanted; /* wanted: "" if nothing is said */
} untils[] = {
	{ ASKS("Reservation", "exam", "(null)"),
	  RESERVATION("other", "1764162600", "1764163000", "MAINT")
		  RESERVATION("exam", "1764165600", "1764169200", "SPEC_NODES"),
	  "", "until     14:00, when the reservation exam begins\n" },
	{ ASKS("Reservation", "exam", "(null)"),
	  RESERVATION("exam", "1764158400", "1764169200", ""), "",
	  "until     15:00, when the reservation exam ends\n" },
	{ ASKS("ReqNodeNotAvail, Reserved for maintenance", "(null)", "(null)"),
	  RESERVATION("exam", "1764158400", "1764169200", "SPEC_NODES")
		  RESERVATION("repair", "1764165600", "1764172800", "MAINT,SPEC_NODES"),
	  "", "until     16:00, when the reservation repair ends\n" },
	{ ASKS("ReqNodeNotAvail, Reserved for maintenance", "(null)", "(null)"),
	  RESERVATION("one", "1764158400", "1764169200", "MAINT")
		  RESERVATION("two", "1764165600", "1764172800", "MAINT"),
	  "", "" },
	{ ASKS("ReqNodeNotAvail, UnavailableNodes:n1", "(null)", "(null)"),
	  RESERVATION("repair", "1764158400", "1764172800", "MAINT"), "", "" },
	{ ASKS("Licenses", "(null)", "ansys,matlab:2"),
	  "LicenseName=ansys Total=4 Used=1 Free=3 Remote=no\n" MATLAB,
	  "matlab:2|1764172800|12    \nansys:4|1764163000|11\nmatlab|1764165600|13_4\n"
	  "matlab|1764169200|14\n",
	  "until     15:00, or before: when job 14 ends, which has the licence matlab\n" },
	{ ASKS("Licenses", "(null)", "matlab"), MATLAB, "", "" },
	{ ASKS("Licenses", "(null)", "matlab2"), MATLAB, "matlab|1764165600|13\n", "" },
	{ ASKS("Licenses", "(null)", "matlab"), "", "matlab|1764165600|13\n", "" },
};

TEST_EACH(until_when_is_told, LW_COUNT_OF(untils))
{
	char *out;

	scratch_write("told", untils[_i].told);
	scratch_write("holders", untils[_i].holders);
	scratch_write("queue", untils[_i].row);
	fake_command("scontrol", "cat $d/told");
	fake_command("squeue", "case $* in *RUNNING*) cat $d/holders; exit ;; esac\n" SHOW_QUEUE);
	out = said(lw_tools_why, "why 7 --now " NOW, 0);
	if (*untils[_i].wanted)
		ck_assert_msg(strstr(out, untils[_i].wanted) != NULL, "no \"%s\" in:\n%s",
			      untils[_i].wanted, out);
	else
		ck_assert_msg(strstr(out, "until ") == NULL, "%s", out);
	free(out);
}

TEST(when_has_a_table)
{
	char *out, *asked;

	setup_queue(ROW("7", "PENDING", "Resources", "1764165720", "N/A", "g3", "(null)",
			WORD ",l:1764168420,p:60-1830-5430") ROW("8_[1-9]", "PENDING", "Priority",
								 "N/A", "N/A", "", "(null)", ""));
	out = said(lw_tools_when, "when --now " NOW, 0);
	ck_assert_ptr_nonnull(strstr(out,
				     "7              train        14:02            14:47      "
				     "      13:30, 14:30\n"));
	ck_assert_ptr_nonnull(strstr(out, "8_[1-9]        train        -                -"));
	free(out);
	out = said(lw_tools_when, "when 7 8_3 --now " NOW, 0);
	free(out);
	out = said(lw_tools_when, "when --user u2 --now " NOW, 0);
	free(out);
	/* as the table calls an array */
	free(said(lw_tools_when, "when 8_[1-9] 9_[1,3-5%2] --now " NOW, 0));
	free(said(lw_tools_why, "why 8_[1-9] --now " NOW, 0));
	asked = scratch_read(scratch_path("squeue.asked"));
	ck_assert_ptr_nonnull(strstr(asked, "-t all -j "));
	ck_assert_ptr_nonnull(strstr(asked, " -j 7,8_3 -O "));
	ck_assert_ptr_nonnull(strstr(asked, " -u u2 -O "));
	ck_assert_ptr_nonnull(strstr(asked, " -j 8,9 -O "));
	ck_assert_ptr_nonnull(strstr(asked, " -j 8 -O "));
	free(asked);
}

TEST(nobody_waits)
{
	char *out;

	setup_queue("");
	out = said(lw_tools_when, "when --all", 0);
	ck_assert_str_eq(out, "no job waits\n");
	free(out);
	out = said(lw_tools_why, "why 7", LW_TOOLS_FAILED);
	ck_assert_ptr_nonnull(strstr(out, "there is no job 7 that you may see"));
	free(out);
	out = said(lw_tools_why, "why 9", LW_TOOLS_FAILED);
	ck_assert_ptr_nonnull(strstr(out, "there is no job 9 that you may see"));
	ck_assert_ptr_null(strstr(out, "slurm_load_jobs"));
	free(out);
}

/* squeue has forgotten it, accounting has not. */
TEST(a_job_that_has_ended_is_told_of)
{
	char *out;

	setup_queue("");
	fake_command("sacct",
		     "echo 'JobID|State|Submit|Start|End|Reason'\n"
		     "echo '9|PENDING|1764158400|Unknown|Unknown|None'\n"
		     "echo '9|COMPLETED|1764158400|1764159000|1764161400|QOSMaxJobsPerUserLimit'");
	out = said(lw_tools_why, "why 9 --now " NOW, 0);
	/* one that has not ended is hidden by squeue */
	ck_assert_str_eq(out, "job 9, submitted 12:00\n"
			      "why       it does not wait: COMPLETED\n"
			      "started   12:10, after 10m00s\nended     12:50\n"
			      "waited    for QOSMaxJobsPerUserLimit\n");
	free(out);
}

static const struct {
	int (*command)(int, char **);
	const char *line;
} askers[] = {
	{ lw_tools_when, "when" },
	{ lw_tools_when, "when 7" },
	{ lw_tools_why, "why 7" },
	{ lw_tools_promises, "promises" },
};

static const char *const garbage[] = {
	"this is no squeue\n",
	"a|b|c|d|e|f|g|h|i|j|k|l|m|n\n",
	"7|u1|PENDING\n8|u1|PENDING\n",
};

/* Of what is no job nobody says that no job waits. */
TEST_EACH(what_squeue_prints_is_jobs, (LW_COUNT_OF(askers) * LW_COUNT_OF(garbage)))
{
	int each = (int)LW_COUNT_OF(garbage);
	char *told;

	fake_command("scontrol", "echo; echo 'StateSaveLocation = /no/such/dir'");
	setup_queue(garbage[_i % each]);
	told = said(askers[_i / each].command, askers[_i / each].line, LW_TOOLS_FAILED);
	ck_assert_msg(strstr(told, "nothing that squeue printed can be read") != NULL, "%s: %s",
		      askers[_i / each].line, told);
	free(told);
}

TEST(rows_that_are_none_are_counted)
{
	char *told, *out;
	int rc;

	setup_queue(WAITS("Priority", "") "9|u1|PENDING\nx|u1|\n10|\n");
	told = scratch_complaint(lw_tools_when, "when --now " NOW, &rc);
	ck_assert_int_eq(rc, 0);
	ck_assert_str_eq(told, "leeway when: 2 of 3 rows of squeue cannot be read and are left "
			       "out\n");
	free(told);
	out = scratch_read(scratch_path("out"));
	ck_assert_ptr_nonnull(strstr(out, "\n7  "));
	free(out);
}

TEST(a_job_that_is_named_twice_is_told_once)
{
	char *out, *first;

	setup_queue(WAITS("Priority", "") WAITS("Priority", ""));
	out = said(lw_tools_when, "when 7 7 --now " NOW, 0);
	first = strstr(out, "\n7  ");
	ck_assert_ptr_nonnull(first);
	ck_assert_ptr_null(strstr(first + 1, "\n7  "));
	free(out);
}

/* Of an array with many tasks that run there is one paragraph a record that waits. */
TEST(tasks_that_run_are_counted)
{
	static const char run[] = "RUNNING", end[] = "COMPLETING";
	struct lw_strbuf queue = LW_STRBUF_INIT;
	char *out;

	for (int i = 0; i < 40; i++)
		lw_strbuf_add(&queue,
			      ROW("7_%d", "%s", "None", "1764158500", "N/A", "", "(null)", ""), i,
			      i < 38 ? run : end);
	lw_strbuf_add(&queue, "%s",
		      ROW("7_[40-99]", "PENDING", "Priority", "N/A", "N/A", "", "(null)", WORD));
	setup_queue(lw_strbuf_text(&queue));
	out = said(lw_tools_why, "why 7", 0);
	ck_assert_ptr_nonnull(strstr(out, "job 7_[40-99]"));
	ck_assert_ptr_nonnull(
		strstr(out, "state     38 tasks RUNNING\nstate     2 tasks COMPLETING\n"));
	ck_assert_ptr_null(strstr(out, "job 7_1"));
	free(out);
	out = said(lw_tools_why, "why 7 --json", 0);
	ck_assert_ptr_nonnull(strstr(out, "7_[40-99]"));
	free(out);
	lw_strbuf_fini(&queue);
}

/* It ends when nothing waits any more, and so at once here. */
TEST(watching_ends_with_the_wait)
{
	char *out;

	setup_queue(ROW("7", "RUNNING", "None", "1764158500", "N/A", "", "(null)", ""));
	out = said(lw_tools_why, "why 7 --watch", 0);
	ck_assert_ptr_nonnull(strstr(out, "it does not wait: RUNNING"));
	free(out);
}

static const struct {
	int (*command)(int, char **);
	const char *line, *told;
} misuses[] = {
	{ lw_tools_why, "why", "job" },
	{ lw_tools_why, "why 7 8", "8" },
	{ lw_tools_why, "why x", "no job id" },
	{ lw_tools_why, "why 7,8", "no job id" },
	{ lw_tools_why, "why 7_", "no job id" },
	{ lw_tools_why, "why 7_[1-9", "no job id" },
	{ lw_tools_why, "why 7_[x]", "no job id" },
	{ lw_tools_why, "why 7 --watch=5", "10" },
	{ lw_tools_when, "when 7 --all", "without a job" },
	{ lw_tools_when, "when --all --user u1", "not both" },
	{ lw_tools_when, "when --json --watch", "not both" },
	{ lw_tools_why, "why 7 --watch=60 --json", "not both" },
	{ lw_tools_promises, "promises 7", "nothing to name" },
	{ lw_tools_promises, "promises --ended 201", "200" },
};

TEST_EACH(misuse_is_told, LW_COUNT_OF(misuses))
{
	char *told = said(misuses[_i].command, misuses[_i].line, LW_TOOLS_USAGE);

	ck_assert_msg(strstr(told, misuses[_i].told) != NULL, "%s: %s", misuses[_i].line, told);
	free(told);
}

/* ---- promises ---- */

static void write_promises(void)
{
	struct lw_promise_totals totals = {
		.made = 5, .kept = 2, .later = 1, .broken = 1, .cancelled = 1, .late_s = 300
	};
	const struct lw_promise open = { 77, 1764150000, 1764165720, 1764168420, 4, 0, 0 };
	const struct lw_promise_ended broken = {
		{ 70, 1764100000, 1764150000, 1764151000, 4, 0, 0 }, LW_PROMISE_BROKEN, 1764151300
	};
	struct lw_strbuf text = LW_STRBUF_INIT, list = LW_STRBUF_INIT;
	static struct lw_promise_ring ring;
	struct lw_error err;

	lw_promise_print_totals(&totals, &text);
	lw_promise_print(&open, &text);
	ck_assert(!lw_savefile_write(scratch_path("leeway_promises"), LW_PROMISE_FILE_KIND,
				     LW_PROMISE_FILE_VERSION, lw_strbuf_text(&text), text.len,
				     &err));
	memset(&ring, 0, sizeof(ring));
	for (uint32_t i = 0; i < LW_PROMISE_ENDED_MAX + 5; i++)
		lw_promise_ring_add(&ring, &broken);
	/* of its end, only this file was written yet */
	lw_promise_ring_add(&ring,
			    &(struct lw_promise_ended){ open, LW_PROMISE_KEPT, 1764165000 });
	lw_promise_ring_print(&ring, &list);
	ck_assert(!lw_savefile_write(scratch_path("leeway_promises_ended"), LW_PROMISE_ENDED_KIND,
				     LW_PROMISE_ENDED_VERSION, lw_strbuf_text(&list), list.len,
				     &err));
	lw_strbuf_fini(&text);
	lw_strbuf_fini(&list);
}

TEST(promises_are_read_from_the_files)
{
	char script[4400], *out;
	json_t *root;

	write_promises();
	snprintf(script, sizeof(script),
		 "echo 'Configuration data'; echo 'StateSaveLocation       = %s'", scratch_dir);
	fake_command("scontrol", script);
	out = said(lw_tools_promises, "promises --ended 1 --now " NOW, 0);
	ck_assert_ptr_nonnull(strstr(out, "77         14:02            14:47\n"));
	ck_assert_ptr_nonnull(strstr(out, "10:01            broken\n"));
	ck_assert_ptr_nonnull(strstr(
		out, "made 5: kept 2 (1 later than shown), broken 1, withdrawn 1, open 1\n"));
	free(out);
	out = said(lw_tools_promises, "promises --json --ended 200 --now " NOW, 0);
	root = json_loads(out, 0, NULL);
	ck_assert_uint_eq(json_array_size(member(root, "ended")), LW_PROMISE_ENDED_MAX - 1);
	ck_assert_str_eq(
		json_string_value(member(json_array_get(member(root, "ended"), 0), "end")),
		"broken");
	json_decref(root);
	free(out);
}

/* The files stay when stock plans, and squeue then tells nothing of their promises. */
TEST(promises_that_are_no_longer_kept_are_told)
{
	char script[4400], *out;

	write_promises();
	snprintf(script, sizeof(script), "echo; echo 'StateSaveLocation = %s'", scratch_dir);
	fake_command("scontrol", script);
	setup_queue(ROW("77", "PENDING", "Resources", "1764165720", "N/A", "g3", "(null)", ""));
	out = said(lw_tools_promises, "promises --now " NOW, 0);
	ck_assert_ptr_nonnull(strstr(out, "77         14:02            14:47, no longer kept\n"));
	free(out);
	setup_queue(ROW("77", "PENDING", "Resources", "1764165720", "N/A", "g3", "(null)",
			WORD ",r:reserved,l:1764168420"));
	out = said(lw_tools_promises, "promises --now " NOW, 0);
	ck_assert_ptr_nonnull(strstr(out, "77         14:02            14:47\n"));
	free(out);
}

TEST(without_the_files_squeue_tells_the_open_ones)
{
	char *out;

	fake_command("scontrol", "echo; echo 'StateSaveLocation = /no/such/dir'");
	setup_queue(ROW("7", "PENDING", "planned 14:02, at the latest 14:47, on g3", "1764165720",
			"N/A", "g3", "(null)", "leeway:latest-start=2025-11-26T14:47:00")
			    ROW("8", "PENDING", "Priority", "N/A", "N/A", "", "(null)", "")
		    /* left behind: stock plans now */
		    ROW("9", "PENDING", "Resources", "1764165720", "N/A", "g3", "(null)",
			"leeway:latest-start=2025-11-26T14:47:00"));
	out = said(lw_tools_promises, "promises --now " NOW, 0);
	ck_assert_ptr_nonnull(strstr(out, "7          14:02            14:47\n"));
	ck_assert_ptr_null(strstr(out, "\n8 "));
	ck_assert_ptr_null(strstr(out, "\n9 "));
	ck_assert_ptr_nonnull(strstr(out, "the controller has the others"));
	free(out);
}

TEST(a_damaged_file_is_told)
{
	char line[4400], *told;

	scratch_write("leeway_promises", "nothing of ours");
	snprintf(line, sizeof(line), "promises --state %s", scratch_dir);
	told = said(lw_tools_promises, line, LW_TOOLS_FAILED);
	ck_assert_ptr_nonnull(strstr(told, "leeway_promises"));
	free(told);
}
