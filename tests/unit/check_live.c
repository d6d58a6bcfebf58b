/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of leeway live: what the page of a cluster tells. */
#include "base/promise.h"
#include "base/savefile.h"
#include "base/suspect.h"
#include "record/file.h"
#include "unit/live_cluster.h"

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
	"at the latest 2099-01-02T03:04",
	"<td>Priority</td><td>7</td>",
	"<th>half by</th><th>9 of 10 by</th>",
	"<td>13_[1-7%2]</td><td>bo</td>",
	"<p>Of 2 that wait nothing is told:",
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

FIXTURE(setup, fake_teardown);

TEST_EACH(the_page_tells_of_the_cluster, LW_COUNT_OF(told))
{
	char *page = page_of("");

	has(page, told[_i]);
	free(page);
}

TEST(what_does_not_belong_there_is_not)
{
	static const char *const not_told[] = { "alert(1)</script>", "<i>why", "0.1 ms", "gone",
						"<td>State" };
	char *page = page_of("");

	for (size_t i = 0; i < LW_COUNT_OF(not_told); i++)
		lacks(page, not_told[i]);
	free(page);
}

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

TEST_EACH(private_data_is_kept, LW_COUNT_OF(privacies))
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

/* ---- nodes ---- */

/* PrivateData hides the names of nodes, or not; a file with a mistake tells nothing. */
static const struct {
	const char *private_data, *text;
	bool told;
} suspects[] = {
	{ "none", "node n7 12 9000 11 2000\nnode n8 12 9000 0 0\n", true },
	{ "nodes", "node n7 12 9000 11 2000\nnode n8 12 9000 0 0\n", false },
	{ "none", "node n8 12 9000 0 0\n", false },
	{ "none", "node n7 12 9000 11 2000\nnode\n", false },
};

TEST_EACH(nodes_that_failed_are_told, LW_COUNT_OF(suspects))
{
	const char *text = suspects[_i].text;
	char *page;

	write_config(suspects[_i].private_data);
	ck_assert_int_eq(lw_savefile_write(scratch_path(LW_SUSPECTS_FILE), LW_SUSPECTS_KIND,
					   LW_SUSPECTS_VERSION, text, strlen(text), NULL),
			 0);
	page = page_of("");
	if (suspects[_i].told)
		has(page, "Failed under two jobs within a day: n7.");
	else
		lacks(page, "Failed under two jobs");
	free(page);
}

/* ---- promises ---- */

TEST(promises_come_from_the_file_or_from_jobs)
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

static void write_promised(long planned_s, const char *word)
{
	char text[500];

	snprintf(text, sizeof(text),
		 "12|bo|PENDING|p1|1|8|cpu=8,node=1|gres:gpu:a100:4|N/A|%ld|N/A|1:00:00||n1|"
		 "Priority|named|leeway:why=v:1,at:%ld,l:%ld,s:%ld%s\n",
		 planned_s, NOW, NOW + 3600, planned_s, word);
	scratch_write("queue", text);
}

/* As leeway why: a minute later is a start in time, and the planner may know that it fails. */
TEST(a_promise_that_fails_is_what_the_statement_says)
{
	char *page;

	write_promised(NOW + 3630, "");
	page = page_of("");
	has(page, "<th>planned now</th>");
	ck_assert_ptr_null(strstr(page, "will be late"));
	free(page);
	write_promised(NOW + 1800, ",z:n");
	page = page_of("");
	has(page, "<td>will be late</td>");
	free(page);
}

/* ---- times ---- */

TEST(times_are_the_clusters)
{
	char wanted[64], *page;
	time_t planned = NOW + 1800 + 19800;

	setenv("TZ", "UTC", 1);
	tzset();
	strftime(wanted, sizeof(wanted), "%H:%M", gmtime(&planned));
	write_promised(NOW + 1800, ",tz:330");
	page = page_of("");
	has(page, " +0530");
	has(page, wanted);
	free(page);
}

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

TEST(idle_gpus_are_told_where_records_are)
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

/* ---- many of them ---- */

TEST(a_large_cluster_is_a_page_still)
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
