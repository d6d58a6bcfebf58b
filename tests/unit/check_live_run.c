/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of leeway live: how pages follow each other, and are shown. */
#include "cli/chart/chart.h"
#include "unit/live_cluster.h"

#include <signal.h>
#include <sys/wait.h>

/* ---- errors ---- */

FIXTURE(setup, fake_teardown);

TEST_EACH(an_error_keeps_the_last_page, 2)
{
	static const char *const commands[] = { "squeue", "scontrol" };
	char *page = page_of(""), *made, *said, *old;

	made = strndup(strstr(page, "<!--lw-state "), 27);
	free(page);
	fake_command(commands[_i], "echo 'Unable to contact <slurmctld>' >&2\nexit 1");
	for (int round = 0; round < 2; round++) {
		ck_assert_int_eq(live("", &said), LW_TOOLS_FAILED);
		has(said, "Unable to contact <slurmctld>");
		old = scratch_read(scratch_path(PAGES));
		has(old, "<p class=\"alarm\">Old: what stands here is of ");
		has(old, "Unable to contact &lt;slurmctld&gt;");
		/* however often, it stays what it was */
		has(old, made);
		has(old, "<b>13_[1-7%2]</b>");
		ck_assert_ptr_eq(strstr(strstr(old, "Unable") + 1, "Unable"), NULL);
		free(old);
		free(said);
	}
	free(made);
	write_commands();
	page = page_of("");
	lacks(page, "Unable");
	free(page);
}

TEST(without_a_page_an_error_makes_one)
{
	char *page;

	fake_command("squeue", "exit 1");
	ck_assert_int_eq(live("", NULL), LW_TOOLS_FAILED);
	page = scratch_read(scratch_path(PAGES));
	has(page, "Slurm did not answer at ");
	has(page, "There is nothing to show yet");
	lacks(page, "Old: what");
	free(page);
	/* what is no page of ours is not kept */
	scratch_write(PAGES, "<!--lw-state x-->mine<!--/lw-state-->");
	ck_assert_int_eq(live("", NULL), LW_TOOLS_FAILED);
	page = scratch_read(scratch_path(PAGES));
	lacks(page, "mine");
	free(page);
}

TEST(sdiag_may_be_refused)
{
	char *page;

	fake_command("sdiag", "echo 'Access denied' >&2\nexit 1");
	page = page_of("");
	has(page, "<p>Not known: sdiag failed: Access denied</p>");
	free(page);
}

TEST(a_cluster_may_be_empty)
{
	char *page;

	scratch_write("queue", "");
	scratch_write("nodes", "No nodes in the system\n");
	page = page_of("");
	has(page, "No job runs.");
	has(page, "No job waits.");
	has(page, "Slurm shows no node.");
	free(page);
}

/* What Slurm's commands print that is no answer: no page tells of an empty cluster by it. */
static const struct {
	const char *command, *told;
} garbage[] = {
	{ "squeue", "nothing that squeue printed can be read as jobs" },
	{ "nodes", "nothing that scontrol printed can be read as nodes" },
	{ "config", "nothing that scontrol printed can be read as the configuration" },
};

static const char *const texts[] = { "this is none\n", "a|b|c\n12|\n|||||||||||||||||\n",
				     "\x01\x02\xff=\n" };

TEST_EACH(garbage_keeps_the_last_page, LW_COUNT_OF(garbage))
{
	const char *command = garbage[_i].command;
	char *page = page_of(""), *said;

	free(page);
	for (size_t i = 0; i < LW_COUNT_OF(texts); i++) {
		scratch_write(strcmp(command, "squeue") ? command : "queue", texts[i]);
		ck_assert_int_eq(live("", &said), LW_TOOLS_FAILED);
		has(said, garbage[_i].told);
		page = scratch_read(scratch_path(PAGES));
		has(page, "<p class=\"alarm\">Old: what stands here is of ");
		has(page, garbage[_i].told);
		has(page, "<b>13_[1-7%2]</b>");
		free(page);
		free(said);
	}
}

TEST(rows_that_are_none_are_counted)
{
	char *queue = scratch_read(scratch_path("queue")), *said, *page;
	struct lw_strbuf more = LW_STRBUF_INIT;

	lw_strbuf_add(&more, "this is none\n%s17|bo\n", queue);
	scratch_write("queue", lw_strbuf_text(&more));
	ck_assert_int_eq(live("", &said), LW_TOOLS_OK);
	has(said, "leeway live: 2 of 7 rows of squeue cannot be read and are left out\n");
	page = scratch_read(scratch_path(PAGES));
	has(page, "<b>13_[1-7%2]</b>");
	lw_strbuf_fini(&more);
	free(queue);
	free(page);
	free(said);
}

/* The end of a row of squeue behind "17|bo|", and what is said of it; NULL: nothing. */
static const struct {
	const char *row, *told;
} odds[] = {
	{ "RUNNING|p1|99999999999|8|cpu=8|N/A|N/A|9|N/A|1:00:00|n1|(null)|None|x|",
	  "NumNodes \"99999999999\" is no count of 0 to 4294967294, as sacct prints it; "
	  "4294967295 is taken for it\n" },
	{ "RUNNING|p1|1|9999999999999999|cpu=8|N/A|N/A|9|N/A|1:00:00|n1|(null)|None|x|",
	  "NumCPUs \"9999999999999999\" is no count of 0 to 4294967294, as sacct prints it; "
	  "4294967295 is taken for it\n" },
	{ "RUNNING|p1|1|1|cpu=8,gres/gpu=99999999999|N/A|N/A|9|N/A|1:00:00|n1|(null)|None|x|",
	  "tres-alloc: gres/gpu \"99999999999\" is no count of 0 to 4294967294, as sacct "
	  "prints it; 4294967295 is taken for it\n" },
	{ "PENDING|p1|2|1|cpu=8|gres:gpu:9999999|N/A|9|N/A|1:00:00||(null)|None|x|",
	  "the GPUs of N/A, gres:gpu:9999999 are more than anything can have; 2000000 is taken "
	  "for it\n" },
	{ "RUNNING|p1|1|1|cpu=8|N/A|N/A|9999999999999|9999999999999|1:00:00|n1|(null)|None|x|",
	  "; nothing is taken for it; and 1 more that cannot be\n" },
	{ "PENDING|p1|1|1|cpu=8|N/A|N/A|9|N/A|99999999999999-00:00:00||(null)|None|x|",
	  "; nothing is taken for it\n" },
	{ "PENDING|p1|1|1|cpu=8|N/A|N/A|N/A|N/A|UNLIMITED||(null)|None|x|", NULL },
};

TEST_EACH(what_cannot_be_is_told, LW_COUNT_OF(odds))
{
	char *queue = scratch_read(scratch_path("queue")), *said;
	struct lw_strbuf more = LW_STRBUF_INIT;

	lw_strbuf_add(&more, "%s17|bo|%s\n", queue, odds[_i].row);
	scratch_write("queue", lw_strbuf_text(&more));
	ck_assert_int_eq(live("", &said), LW_TOOLS_OK);
	if (odds[_i].told) {
		has(said, "leeway live: squeue: job 17: ");
		has(said, odds[_i].told);
	} else {
		ck_assert_str_eq(said, "");
	}
	lw_strbuf_fini(&more);
	free(queue);
	free(said);
}

TEST(sdiag_may_print_garbage)
{
	char *page;

	scratch_write("stats", "this is no sdiag\n\x01\n");
	page = page_of("");
	has(page, "nothing that sdiag printed can be read");
	free(page);
}

/* ---- again and again ---- */

TEST(sigterm_ends_it)
{
	char line[300], byte = 0, *page;
	int fd, status = -1;
	pid_t child;

	/* sdiag is asked last: its second question tells that the first page is written */
	ck_assert_int_eq(mkfifo(scratch_path("asked"), 0600), 0);
	fake_command("sdiag", "[ -e $d/" PAGES " ] && echo >$d/asked && exec cat $d/asked");
	snprintf(line, sizeof(line), "live %s/live --every 10s", scratch_dir);
	ck_assert_int_eq(live("", NULL), LW_TOOLS_OK);
	child = fork();
	if (child == 0)
		_exit(scratch_call(lw_tools_live, line));
	fd = open(scratch_path("asked"), O_RDONLY);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(read(fd, &byte, 1), 1);
	ck_assert_int_eq(kill(child, SIGTERM), 0);
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	/* whoever still reads there is let go */
	close(fd);
	fd = open(scratch_path("asked"), O_WRONLY | O_NONBLOCK);
	close(fd);
	page = scratch_read(scratch_path(PAGES));
	has(page, "</html>");
	free(page);
}

/* ---- in a browser ---- */

/* A page that has the page in a frame as wide as a phone, and tells whether it fits there. */
static void write_frame(const char *page)
{
	struct lw_strbuf text = LW_STRBUF_INIT;

	lw_strbuf_add(&text, "<!DOCTYPE html><iframe id=f width=390 height=2000 style=\"border:0\" "
			     "srcdoc=\"");
	lw_chart_add_text(&text, page);
	lw_strbuf_add(&text,
		      "\"></iframe><script>onload = () => { const d = document.getElementById"
		      "(\"f\").contentDocument; const e = d.documentElement; document.title = "
		      "\"fits \" + (e.scrollWidth <= e.clientWidth) + \" rows \" + "
		      "[...d.querySelectorAll(\".lw-bar\")].filter(b => b.offsetWidth > 1).length "
		      "+ \" bold \" + d.querySelectorAll(\"td i, span script\").length + "
		      "\" old \" + !d.getElementById(\"lw-old\").hidden; }</script>");
	scratch_write("frame.html", lw_strbuf_text(&text));
	lw_strbuf_fini(&text);
}

TEST(a_browser_shows_it)
{
	char command[700], *page, *dom;

	if (system("command -v chromium >/dev/null") != 0)
		return; /* skipped: there is none */
	page = page_of("");
	write_frame(page);
	free(page);
	snprintf(command, sizeof(command),
		 "HOME=%s timeout 100 chromium --headless --no-sandbox --disable-gpu "
		 "--user-data-dir=%s/chromium --virtual-time-budget=2000 --dump-dom "
		 "file://%s/frame.html >%s/dom 2>/dev/null",
		 scratch_dir, scratch_dir, scratch_dir, scratch_dir);
	if (system(command) != 0)
		return; /* skipped: it does not run here */
	dom = scratch_read(scratch_path("dom"));
	has(dom, "<title>fits true rows 3 bold 0 old false</title>");
	free(dom);
}
