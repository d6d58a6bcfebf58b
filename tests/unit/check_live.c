/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of leeway report --live: the page of a cluster that scripts make up. */
#include "base/io.h"
#include "base/promise.h"
#include "base/savefile.h"
#include "tools/chart/chart.h"
#include "tools/tools.h"
#include "record/file.h"
#include "unit/fake_slurm.h"
#include "unit/unit.h"

#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>

#define NOW   ((long)time(NULL))
#define PAGES "live/index.html"

static void write_config(const char *private_data)
{
	char text[400];

	snprintf(text, sizeof(text),
		 "Configuration data as of now\nClusterName             = c<1>\n"
		 "PrivateData             = %s\nSLURM_VERSION           = 24.11.5\n"
		 "StateSaveLocation       = %s\n",
		 private_data, scratch_dir);
	scratch_write("config", text);
}

/* One that runs on four nodes, a promised one, one that is planned, and one that is not. */
static void write_queue(void)
{
	char text[4000];

	snprintf(text, sizeof(text),
		 "11|anna|RUNNING|p1|4|32|cpu=32,node=4,gres/gpu=16|N/A|N/A|%ld|%ld|4:00:00|"
		 "n[1-4]|(null)|None|<script>alert(1)</script>|x|(null)\n"
		 "12|bo|PENDING|p1|1|8|cpu=8,node=1|gres:gpu:a100:4|N/A|%ld|N/A|1:00:00||n1|"
		 "planned 14:02 on n1 after job 11|named|leeway:latest-start=2099-01-02T03:04:05\n"
		 "13_[1-7%%2]|bo|PENDING|p2|2|2|cpu=2,node=2|N/A|N/A|%ld|N/A|UNLIMITED||n[1-2]|"
		 "Priority|second\n line|(null)\n"
		 "14|eve|PENDING|p2|1|2|cpu=2,node=1|N/A|N/A|N/A|N/A|10:00||(null)|"
		 "Dependency|later|(null)\n"
		 "15|eve|CANCELLED|p2|1|2|cpu=2|N/A|N/A|9|9|10:00||(null)|None|gone|(null)\n",
		 NOW - 3600, NOW + 3 * 3600, NOW + 6 * 3600, NOW + 12 * 3600);
	scratch_write("queue", text);
}

/* Four are full, one has a GPU to spare, one no CPU for its GPU, and one is down. */
static void write_nodes(void)
{
	struct lw_strbuf text = LW_STRBUF_INIT;

	for (int i = 1; i <= 7; i++)
		lw_strbuf_add(&text,
			      "NodeName=n%d Arch=x86_64 CPUAlloc=%d CPUEfctv=16 CPUTot=16 "
			      "Gres=gpu:a100:4(S:0,1),license:9 GresUsed=gpu:a100:%d(IDX:0,2-3) "
			      "OS=Linux 6.1 #1 SMP State=%s ThreadsPerCore=1 Partitions=p1 "
			      "Comment=State=no Reason=<i>why</i> [root@now]\n",
			      i, i == 6 ? 16 : 8, i <= 4 ? 4 : i == 7 ? 0 : 3,
			      i <= 4 ? "ALLOCATED" : i == 7 ? "DOWN*" : "MIXED");
	scratch_write("nodes", lw_strbuf_text(&text));
	lw_strbuf_fini(&text);
}

static void write_sdiag(void)
{
	scratch_write("stats", "Server thread count:  3\nJobs submitted: 812\n\n"
			       "Main schedule statistics (microseconds):\n\tLast cycle:   1234\n"
			       "Backfilling stats\n\tLast cycle: 41234\n"
			       "\tLast cycle when: Thu Nov 26 22:00:00 2026 (1764194400)\n"
			       "\tLast depth cycle: 77\n"
			       "Remote Procedure Call statistics by user\n\tLast cycle: 99\n");
}

static void write_commands(void)
{
	fake_command("squeue", "[ \"$SLURM_TIME_FORMAT\" = %s ] && [ -z \"$SQUEUE_USERS\" ] &&\n"
			       "exec cat $d/queue");
	fake_command("scontrol", "case $* in *config*) exec cat $d/config ;;\n"
				 "*' -o '*node*) exec cat $d/nodes ;; esac\nexit 9");
	fake_command("sdiag", "exec cat $d/stats");
}

static void setup(void)
{
	fake_setup();
	write_config("none");
	write_queue();
	write_nodes();
	write_sdiag();
	write_commands();
	setenv("SQUEUE_USERS", "other", 1);
}

/* What OPTIONS come to; what is said on standard error goes to *RET_SAID, if it is asked for. */
static int live(const char *options, char **ret_said)
{
	char line[400], *said;
	int rc;

	snprintf(line, sizeof(line), "report --live %s/live --once%s", scratch_dir, options);
	said = fake_call(lw_tools_report, line, &rc);
	if (ret_said)
		*ret_said = said;
	else
		free(said);
	return rc;
}

/* The page of OPTIONS, to be freed. */
static char *page_of(const char *options)
{
	ck_assert_int_eq(live(options, NULL), LW_TOOLS_OK);
	return scratch_read(scratch_path(PAGES));
}

static void has(const char *page, const char *text)
{
	ck_assert_msg(strstr(page, text) != NULL, "no \"%s\"", text);
}

static void lacks(const char *page, const char *text)
{
	ck_assert_msg(strstr(page, text) == NULL, "\"%s\" is there", text);
}

/* ---- what is on it ---- */

static const char *const told[] = {
	"Cluster c&lt;1&gt;",
	"<b>1</b> running, <b>9</b> waiting, of them <b>2</b> with a start planned",
	"<b>1</b> with a promised one",
	"<b>6</b> of 7 nodes take jobs",
	"<b>22</b> of 28 GPUs",
	/* a bar of three of 24 hours, one of the hour after the sixth, and one without an end */
	"lw-bar lw-c1\" style=\"left:0.00%;width:12.5",
	"lw-planned\" style=\"left:25.00%;width:4.17%",
	"lw-planned\" style=\"left:50.00%;width:50.00%",
	"<b>13_[1-7%2]</b> bo <i>second  line</i>",
	"p1, 16 GPUs, 4 nodes",
	"p1, 4 GPUs<",
	"p2, 2 CPUs, 2 nodes, 7 tasks",
	"at the latest 02 Jan 03:04",
	"<td>Priority</td><td>7</td>",
	"<td>planned, with nodes and time</td><td>1</td>",
	"&lt;script&gt;alert(1)&lt;/script&gt;|x",
	/* type, nodes, GPUs, held, free, without a CPU, on a node that is down */
	"<td>a100</td><td>7</td><td>28</td><td>22</td><td>1</td><td>1</td><td>4</td>",
	"<td>n1 … n4 (4)</td><td>ALLOCATED</td><td>8 of 16</td><td>4 of 4 a100</td>"
	"<td>11 anna</td>",
	"title=\"n7: DOWN*, 8 of 16 CPUs, 0 of 4 GPUs\"",
	"<td>Last cycle</td><td>1.2 ms</td>",
	"<td>Last cycle</td><td>41.2 ms</td>",
	"<td>Last depth cycle</td><td>77</td>",
	"<td>Jobs submitted</td><td>812</td>",
	"<meta http-equiv=\"refresh\" content=\"60\">",
	"GPUs held, if all jobs run to their limits",
};

START_TEST(the_page_tells_of_the_cluster)
{
	char *page = page_of("");

	has(page, told[_i]);
	free(page);
}
END_TEST

START_TEST(what_does_not_belong_there_is_not)
{
	static const char *const not_told[] = { "alert(1)</script>", "<i>why", "0.1 ms", "gone",
						"<td>State" };
	char *page = page_of("");

	for (size_t i = 0; i < LW_COUNT_OF(not_told); i++)
		lacks(page, not_told[i]);
	free(page);
}
END_TEST

/* ---- names ---- */

static const struct {
	const char *private_data, *options;
	bool users, nodes;
} privacies[] = {
	{ "none", "", true, true },
	{ "accounts,usage", "", true, true },
	{ "jobs", "", false, true },
	{ "accounts,jobs", "", false, true },
	{ "users", "", false, true },
	{ "nodes", "", true, false },
	{ "all", "", false, false },
	{ "none", " --no-users", false, true },
	{ "nodes", " --no-users", false, false },
	{ "jobs,nodes", " --users", true, true },
};

START_TEST(private_data_is_kept)
{
	static const char *const names[] = { "anna", "second", "alert", "named" };
	char *page;

	write_config(privacies[_i].private_data);
	page = page_of(privacies[_i].options);
	for (size_t i = 0; i < LW_COUNT_OF(names); i++)
		ck_assert_msg((strstr(page, names[i]) != NULL) == privacies[_i].users, "%s",
			      names[i]);
	ck_assert_int_eq(strstr(page, ">n1 … n4") != NULL, privacies[_i].nodes);
	ck_assert_int_eq(strstr(page, "\"n7: ") != NULL, privacies[_i].nodes);
	has(page, "<b>11</b>");
	free(page);
}
END_TEST

/* ---- promises ---- */

START_TEST(promises_come_from_the_file_or_from_jobs)
{
	struct lw_promise_totals totals = { .made = 9, .kept = 7, .later = 2, .broken = 1 };
	struct lw_promise promise = { .job_id = 12,
				      .made_s = NOW - 60,
				      .start_s = NOW + 60,
				      .latest_s = NOW + 3600 };
	struct lw_strbuf text = LW_STRBUF_INIT;
	char *page = page_of("");

	has(page, "<p>1 jobs carry a promised start. How promises were kept is not known here: ");
	free(page);
	lw_promise_print_totals(&totals, &text);
	lw_promise_print(&promise, &text);
	ck_assert_int_eq(lw_savefile_write(scratch_path("leeway_promises"), LW_PROMISE_FILE_KIND,
					   LW_PROMISE_FILE_VERSION, text.text, text.len, NULL),
			 0);
	lw_strbuf_fini(&text);
	page = page_of("");
	has(page, "Made: 9. Kept: 7, of them later than first shown: 2. Broken: 1. "
		  "Withdrawn: 0. Open: 1.");
	/* it is planned for six hours from now, and was promised one */
	has(page, "<td>will be late</td>");
	free(page);
}
END_TEST

/* ---- idle GPUs ---- */

/* A record of two GPUs over an hour up to now, the second of which does nothing. */
static struct lw_record *make_idle(void)
{
	struct lw_record_head head = { .job_id = 11,
				       .interval_s = 10,
				       .start_s = NOW - 3600,
				       .gpu_count = 2 };
	struct lw_gpu_sample samples[LW_RECORD_GPUS_MAX] = { { 0 } };
	struct lw_record *record = NULL;

	snprintf(head.node, sizeof(head.node), "n1");
	snprintf(head.step, sizeof(head.step), "batch");
	for (int g = 0; g < 2; g++) {
		head.gpu[g] = (struct lw_gpu){ .index = g, .mem_total_mib = 40960 };
		snprintf(head.gpu[g].id, sizeof(head.gpu[g].id), "GPU-%d", g);
	}
	ck_assert_int_eq(lw_record_create(&head, &record), 0);
	for (int g = 0; g < 2; g++)
		samples[g].has = 1u << LW_METRIC_UTIL | 1u << LW_METRIC_PROC;
	samples[0].value[LW_METRIC_UTIL] = 90;
	for (int i = 0; i < 360; i++)
		ck_assert_int_eq(lw_record_add(record, head.start_s + i * 10, samples), 0);
	return record;
}

START_TEST(idle_gpus_are_told_where_records_are)
{
	struct lw_record_file *file = NULL;
	struct lw_record *record = make_idle();
	char options[200], *page = page_of("");

	lacks(page, "leave idle");
	free(page);
	snprintf(options, sizeof(options), " --records %s", scratch_dir);
	page = page_of(options);
	has(page, "leave idle</h2>\n<p>None is known.</p>");
	free(page);
	ck_assert_int_eq(lw_record_file_create(scratch_dir, record, &file, NULL), 0);
	page = page_of(options);
	has(page, "<tr><td>11 anna</td><td>1 of 2</td><td>1h00m</td></tr>");
	free(page);
	strcat(options, " --no-users");
	page = page_of(options);
	has(page, "<tr><td>11</td><td>1 of 2</td>");
	free(page);
	lw_record_file_abandon(file);
	lw_record_destroy(record);
	page = page_of(" --records /nowhere");
	has(page, "<p>Not all is known: /nowhere");
	free(page);
}
END_TEST

/* ---- errors ---- */

START_TEST(an_error_keeps_the_last_page)
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
END_TEST

START_TEST(without_a_page_an_error_makes_one)
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
END_TEST

START_TEST(sdiag_may_be_refused)
{
	char *page;

	fake_command("sdiag", "echo 'Access denied' >&2\nexit 1");
	page = page_of("");
	has(page, "<p>Not known: sdiag failed: Access denied</p>");
	free(page);
}
END_TEST

START_TEST(a_cluster_may_be_empty)
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
END_TEST

static const char *const misuses[] = {
	"report --once",
	"report --every 1m %",
	"report --no-users %",
	"report --records / %",
	"report --live % %",
	"report --live % --html -",
	"report --live % --every 9s",
	"report --live % --every 2h",
	"report --live % --users --no-users",
};

START_TEST(what_cannot_be_is_refused)
{
	char *said;
	int rc;

	said = fake_call(lw_tools_report, misuses[_i], &rc);
	ck_assert_int_eq(rc, LW_TOOLS_USAGE);
	free(said);
}
END_TEST

/* ---- many of them ---- */

START_TEST(a_large_cluster_is_a_page_still)
{
	struct lw_strbuf text = LW_STRBUF_INIT;
	char *page;

	for (int i = 0; i < 10000; i++)
		lw_strbuf_add(&text,
			      "%d|u%d|%s|p|1|2|cpu=2|N/A|N/A|%ld|%ld|1:00:00|%s%d|(null)|r%d|n%d|"
			      "(null)\n",
			      i + 1, i % 99, i < 1000 ? "RUNNING" : "PENDING",
			      i < 2000 ? NOW + 60 + i : 0, NOW + 3600 + i, i < 1000 ? "n" : "",
			      i, i % 40, i);
	scratch_write("queue", lw_strbuf_text(&text));
	lw_strbuf_fini(&text);
	for (int i = 0; i < 3000; i++)
		lw_strbuf_add(&text, "NodeName=n%d CPUAlloc=2 CPUTot=2 Gres=(null) State=MIXED \n",
			      i);
	scratch_write("nodes", lw_strbuf_text(&text));
	lw_strbuf_fini(&text);
	page = page_of("");
	has(page, "<p>960 more that start later are left out.</p>");
	has(page, "<p>976 more that run longer are left out.</p>");
	has(page, "<td>28 other reasons</td>");
	has(page, "<p>952 more nodes are left out.</p>");
	has(page, "more nodes are left out of the table.</p>");
	ck_assert_uint_lt(strlen(page), 400000);
	free(page);
}
END_TEST

/* ---- again and again ---- */

START_TEST(sigterm_ends_it)
{
	char line[300], byte = 0, *page;
	int fd, status = -1;
	pid_t child;

	/* sdiag is asked last: its second question tells that the first page is written */
	ck_assert_int_eq(mkfifo(scratch_path("asked"), 0600), 0);
	fake_command("sdiag", "[ -e $d/" PAGES " ] && echo >$d/asked && exec cat $d/asked");
	snprintf(line, sizeof(line), "report --live %s/live --every 10s", scratch_dir);
	ck_assert_int_eq(live("", NULL), LW_TOOLS_OK);
	child = fork();
	if (child == 0)
		_exit(scratch_call(lw_tools_report, line));
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
END_TEST

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

START_TEST(a_browser_shows_it)
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
END_TEST

int main(void)
{
	Suite *suite = suite_create("live");
	TCase *tcase = tcase_create("live");

	tcase_add_checked_fixture(tcase, setup, fake_teardown);
	tcase_set_timeout(tcase, 120);
	tcase_add_loop_test(tcase, the_page_tells_of_the_cluster, 0, LW_COUNT_OF(told));
	tcase_add_test(tcase, what_does_not_belong_there_is_not);
	tcase_add_loop_test(tcase, private_data_is_kept, 0, LW_COUNT_OF(privacies));
	tcase_add_test(tcase, promises_come_from_the_file_or_from_jobs);
	tcase_add_test(tcase, idle_gpus_are_told_where_records_are);
	tcase_add_loop_test(tcase, an_error_keeps_the_last_page, 0, 2);
	tcase_add_test(tcase, without_a_page_an_error_makes_one);
	tcase_add_test(tcase, sdiag_may_be_refused);
	tcase_add_test(tcase, a_cluster_may_be_empty);
	tcase_add_loop_test(tcase, what_cannot_be_is_refused, 0, LW_COUNT_OF(misuses));
	tcase_add_test(tcase, a_large_cluster_is_a_page_still);
	tcase_add_test(tcase, sigterm_ends_it);
	tcase_add_test(tcase, a_browser_shows_it);
	suite_add_tcase(suite, tcase);
	return unit_run(suite);
}
