/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway live: the page as a whole, and a page that is old. */
#include "cli/live/live.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/number.h"
#include "cli/chart/chart.h"

/*
 * What stands between them is set anew when Slurm does not answer; behind the first stands of
 * when the rest of the page is. No text of others has a "<".
 */
#define STATE_BEGIN "<!--lw-state "
#define STATE_END   "<!--/lw-state-->"

static const char style[] =
	"<style>\n"
	"h3 { font-size: 1em; margin: 1em 0 .3em; }\n"
	".lw-row { display: grid; grid-template-columns: 17em 1fr 9.5em; gap: 0 .7em; "
	"align-items: center; padding: .12em 0; border-bottom: 1px solid #e4e4e4; "
	"break-inside: avoid; }\n"
	".lw-job { line-height: 1.2; }\n"
	".lw-job small { display: block; opacity: .75; }\n"
	".lw-when { text-align: right; white-space: nowrap; line-height: 1.2; "
	"font-variant-numeric: tabular-nums; }\n"
	".lw-track { position: relative; height: 1.3em; background: repeating-linear-gradient("
	"90deg, #d0d0d0 0 1px, transparent 1px 25%); }\n"
	".lw-track span { position: absolute; top: 0; }\n"
	".lw-axis { border: 0; }\n"
	".lw-axis .lw-track { font-size: 80%; background: none; white-space: nowrap; }\n"
	".lw-bar { height: 1.3em; min-width: 2px; background: currentcolor; opacity: .75; }\n"
	/* told apart without colour, too */
	".lw-planned { background: repeating-linear-gradient(135deg, currentcolor 0 4px, "
	"transparent 4px 7px); border: 1px solid currentcolor; box-sizing: border-box; }\n"
	".lw-latest { width: 3px; height: 1.3em; background: currentcolor; }\n"
	".lw-key { display: inline-block; width: 1.6em; height: .8em; vertical-align: baseline; }\n"
	".lw-key.lw-c1 { background: currentcolor; opacity: .75; }\n"
	".lw-key.lw-latest { width: 3px; margin: 0 .4em; }\n"
	".lw-map { display: flex; flex-wrap: wrap; margin: .6em 0; }\n"
	".lw-node { display: inline-block; width: 11px; height: 11px; margin: 1px; "
	"border: 1px solid #0072B2; box-sizing: border-box; }\n"
	".lw-q1 { background: #0072B240; }\n.lw-q2 { background: #0072B270; }\n"
	".lw-q3 { background: #0072B2A0; }\n.lw-q4 { background: #0072B2; }\n"
	".lw-off { border-color: #B3332B; background: linear-gradient(135deg, transparent 45%, "
	"#B3332B 45% 55%, transparent 55%); }\n"
	"td small { opacity: .75; }\n"
	".lw-bar, .lw-key, .lw-node, .lw-latest, .lw-track { -webkit-print-color-adjust: exact; "
	"print-color-adjust: exact; }\n"
	"@media screen and (prefers-color-scheme: dark) {\n"
	".lw-row { border-color: #30353b; }\n"
	".lw-track { background: repeating-linear-gradient(90deg, #444b52 0 1px, transparent 1px "
	"25%); }\n"
	".lw-node { border-color: #5AB0E8; }\n"
	".lw-q1 { background: #5AB0E840; }\n.lw-q2 { background: #5AB0E870; }\n"
	".lw-q3 { background: #5AB0E8A0; }\n.lw-q4 { background: #5AB0E8; }\n"
	".lw-off { border-color: #FF7A70; background: linear-gradient(135deg, transparent 45%, "
	"#FF7A70 45% 55%, transparent 55%); }\n"
	"}\n"
	"@media screen and (max-width: 760px) {\n"
	".lw-row { grid-template-columns: 1fr auto; padding: .35em 0; }\n"
	".lw-track { grid-column: 1 / 3; grid-row: 2; }\n"
	".lw-axis .lw-track { grid-row: 1; }\n"
	"}\n"
	"@media print {\n"
	".lw-row { grid-template-columns: 15em 1fr 9.5em; font-size: 9pt; }\n"
	"}\n"
	"</style>\n";

void lw_live_heading(struct lw_strbuf *sb, const char *text)
{
	lw_strbuf_add(sb, "<h2>");
	lw_chart_add_text(sb, text);
	lw_strbuf_add(sb, "</h2>\n");
}

void lw_live_cell(struct lw_strbuf *sb, const char *tag, const char *text)
{
	lw_strbuf_add(sb, "<%s>", tag);
	lw_chart_add_text(sb, text);
	lw_strbuf_add(sb, "</%s>", tag);
}

static void add_moment(int64_t at_s, struct lw_strbuf *sb)
{
	time_t at = (time_t)at_s;
	char text[48] = "?";
	struct tm tm;

	if (localtime_r(&at, &tm))
		strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S %z", &tm);
	lw_chart_add_text(sb, text);
}

/* The page says itself when nothing writes it any more, by the reader's clock. */
static void add_watch(int64_t now_s, int64_t every_s, struct lw_strbuf *sb)
{
	lw_strbuf_add(
		sb,
		"<p class=\"alarm\" id=\"lw-old\" hidden>Old: nothing has written this page "
		"since, by your clock.</p>\n<script>\nif (Date.now() / 1000 > %" PRId64 ")\n"
		"\tdocument.getElementById(\"lw-old\").hidden = false;\n</script>\n",
		now_s + 3 * every_s + 60);
}

static void begin_page(const char *cluster, int64_t every_s, struct lw_strbuf *sb)
{
	struct lw_strbuf title = LW_STRBUF_INIT, head = LW_STRBUF_INIT;

	lw_strbuf_add(&title, "Cluster %s", cluster);
	lw_strbuf_add(&head, "<meta http-equiv=\"refresh\" content=\"%" PRId64 "\">\n%s", every_s,
		      style);
	lw_page_begin_with(sb, lw_strbuf_text(&title), lw_strbuf_text(&head));
	if (title.error || head.error)
		sb->error = -ENOMEM;
	lw_strbuf_fini(&title);
	lw_strbuf_fini(&head);
}

/* ---- what stands first ---- */

struct sums {
	uint64_t running, waiting, planned, promised, cpus, cpus_used, gpus, gpus_used;
	uint32_t usable;
};

static struct sums sum_of(const struct live *live)
{
	struct sums sums = { 0 };

	for (uint32_t j = 0; j < live->job_count; j++) {
		const struct lw_live_job *job = &live->jobs[j];

		*(job->runs ? &sums.running : &sums.waiting) += job->tasks;
		sums.planned += lw_live_is_planned(live, job);
		sums.promised += job->latest_s >= 0;
	}
	for (uint32_t i = 0; i < live->node_count; i++) {
		const struct lw_live_node *node = &live->nodes[i];

		sums.usable += node->usable;
		sums.cpus += node->cpus;
		sums.cpus_used += node->cpus_used;
		sums.gpus += node->gpus;
		sums.gpus_used += node->gpus_used;
	}
	return sums;
}

static void add_summary(const struct live *live, struct lw_strbuf *sb)
{
	struct sums sums = sum_of(live);

	lw_strbuf_add(
		sb,
		"<p><b>%" PRIu64 "</b> running, <b>%" PRIu64 "</b> waiting, of them <b>%" PRIu64
		"</b> with a start planned in the next 24 hours and <b>%" PRIu64
		"</b> with a promised one. <b>%" PRIu32 "</b> of %" PRIu32 " nodes take jobs. ",
		sums.running, sums.waiting, sums.planned, sums.promised, sums.usable,
		live->node_count);
	lw_strbuf_add(sb, "<b>%" PRIu64 "</b> of %" PRIu64 " CPUs are held", sums.cpus_used,
		      sums.cpus);
	if (sums.gpus)
		lw_strbuf_add(sb, ", and <b>%" PRIu64 "</b> of %" PRIu64 " GPUs", sums.gpus_used,
			      sums.gpus);
	lw_strbuf_add(sb, ".</p>\n");
	if (!live->users)
		lw_strbuf_add(sb, "<p>Names of users and jobs are not shown.</p>\n");
}

/* ---- metrics ---- */

/* Cycle times are in microseconds there. */
static void add_value(const struct lw_live_metric *metric, struct lw_strbuf *sb)
{
	long long us = 0;
	size_t len = strlen(metric->name);
	char end;

	if (len >= 5 && *metric->part && strcmp(metric->name + len - 5, "cycle") == 0 &&
	    !strstr(metric->name, "depth") && sscanf(metric->value, "%lld%c", &us, &end) == 1)
		lw_strbuf_add(sb, "<td>%.1f ms</td>", (double)us / 1000);
	else
		lw_live_cell(sb, "td", metric->value);
}

static void show_metrics(const struct live *live, struct lw_strbuf *sb)
{
	const char *part = "";

	lw_live_heading(sb, "The scheduler");
	if (live->no_metrics) {
		lw_strbuf_add(sb, "<p>Not known: ");
		lw_chart_add_text(sb, live->no_metrics);
		lw_strbuf_add(sb, "</p>\n");
		return;
	}
	lw_page_table(sb);
	for (uint32_t i = 0; i < live->metric_count; i++) {
		const struct lw_live_metric *metric = &live->metrics[i];

		if (strcmp(metric->part, part) != 0) {
			part = metric->part;
			lw_strbuf_add(sb, "<tr class=\"part\">");
			lw_live_cell(sb, "th", part);
			lw_strbuf_add(sb, "<th></th></tr>\n");
		}
		lw_strbuf_add(sb, "<tr>");
		lw_live_cell(sb, "td", metric->name);
		add_value(metric, sb);
		lw_strbuf_add(sb, "</tr>\n");
	}
	lw_page_table_end(sb);
}

void lw_live_page(const struct live *live, struct lw_strbuf *sb)
{
	begin_page(live->cluster, live->every_s, sb);
	lw_strbuf_add(sb, STATE_BEGIN "%" PRId64 "-->\n<p>As of ", live->now_s);
	add_moment(live->now_s, sb);
	lw_strbuf_add(sb, ".</p>\n");
	add_watch(live->now_s, live->every_s, sb);
	lw_strbuf_add(sb, STATE_END "\n");
	add_summary(live, sb);
	lw_live_show_forecast(live, sb);
	lw_live_show_gantt(live, sb);
	lw_live_show_likely(live, sb);
	lw_live_show_reasons(live, sb);
	lw_live_show_promises(live, sb);
	lw_live_show_idle(live, sb);
	lw_live_show_nodes(live, sb);
	show_metrics(live, sb);
	lw_page_end(sb);
}

/* ---- an old page ---- */

static void add_alarm(int64_t made_s, const struct lw_live_fault *fault, struct lw_strbuf *sb)
{
	lw_strbuf_add(sb, STATE_BEGIN "%" PRId64 "-->\n<p class=\"alarm\">", made_s);
	if (made_s > 0) {
		lw_strbuf_add(sb, "Old: what stands here is of ");
		add_moment(made_s, sb);
		lw_strbuf_add(sb, ". ");
	}
	lw_strbuf_add(sb, "Slurm did not answer at ");
	add_moment(fault->now_s, sb);
	lw_strbuf_add(sb, ": ");
	lw_chart_add_text(sb, fault->why);
	lw_strbuf_add(sb, "</p>\n");
	add_watch(fault->now_s, fault->every_s, sb);
	lw_strbuf_add(sb, STATE_END);
}

int lw_live_page_old(const char *page, const struct lw_live_fault *fault, struct lw_strbuf *sb)
{
	const char *from = strstr(page, STATE_BEGIN), *to = strstr(page, STATE_END);
	const char *number = from ? from + strlen(STATE_BEGIN) : "";
	int64_t made_s;

	if (!from || !to || to < from ||
	    !lw_number_take_signed(&number, 0, INT64_MAX / 2, &made_s))
		return -EINVAL;
	lw_strbuf_add_bytes(sb, page, (size_t)(from - page));
	add_alarm(made_s, fault, sb);
	lw_strbuf_add(sb, "%s", to + strlen(STATE_END));
	return sb->error;
}

void lw_live_page_empty(int64_t every_s, struct lw_strbuf *sb)
{
	begin_page("not known", every_s, sb);
	lw_strbuf_add(sb, STATE_BEGIN "0-->" STATE_END "<p>There is nothing to show yet.</p>\n");
	lw_page_end(sb);
}
