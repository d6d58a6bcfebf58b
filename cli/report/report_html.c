/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway report: table and charts as one page. */
#include "cli/report/report.h"

#include <inttypes.h>

static void add_alarm(const struct lw_report *report,
		      void (*say)(const struct lw_report *, struct lw_strbuf *),
		      struct lw_strbuf *sb)
{
	struct lw_strbuf sentence = LW_STRBUF_INIT;

	say(report, &sentence);
	lw_strbuf_add(sb, "<p class=\"alarm\">");
	lw_chart_add_text(sb, lw_strbuf_text(&sentence));
	lw_strbuf_add(sb, "</p>\n");
	lw_strbuf_fini(&sentence);
}

static void add_alarms(const struct lw_report *report, struct lw_strbuf *sb)
{
	if (report->too_late)
		add_alarm(report, lw_report_say_late, sb);
	if (lw_report_differ(report))
		add_alarm(report, lw_report_say_differ, sb);
	for (uint32_t i = 0; i < report->count; i++) {
		if (!report->stats[i].lost)
			continue;
		lw_strbuf_add(sb, "<p class=\"alarm\">");
		lw_chart_add_text(sb, report->runs[i].label);
		lw_strbuf_add(sb, ": %" PRIu32 " jobs lost</p>\n", report->stats[i].lost);
	}
}

static void add_origin(const struct lw_report *report, struct lw_strbuf *sb)
{
	struct lw_look looks[LW_REPORT_RUNS_MAX];

	lw_report_looks(report, looks);
	lw_strbuf_add(sb, "<ul>\n");
	for (uint32_t i = 0; i < report->count; i++) {
		const struct lw_run *run = &report->runs[i];

		lw_strbuf_add(sb, "<li>");
		lw_page_coloured(sb, "b", &looks[i]);
		lw_chart_add_text(sb, run->label);
		lw_strbuf_add(sb, "</b>: Slurm ");
		lw_chart_add_text(sb, run->slurm_version ? run->slurm_version
						       : "(release unknown)");
		lw_strbuf_add(sb,
			      ", %" PRId64 " nodes of %" PRId64 " GPUs and %" PRId64
			      " CPUs",
			      run->nodes, run->gpus_per_node, run->cpus_per_node);
		if (run->workload) {
			lw_strbuf_add(sb, ", workload ");
			lw_chart_add_text(sb, run->workload);
		}
		if (run->factor > 0)
			lw_strbuf_add(sb, ", clock %g times as fast", run->factor);
		lw_strbuf_add(sb, "</li>\n");
	}
	lw_strbuf_add(sb, "</ul>\n");
}

void lw_report_html(const struct lw_report *report, const struct lw_charts *charts,
		    struct lw_strbuf *sb)
{
	const struct lw_report_units units = { lw_report_unit(report),
					       lw_report_span_unit(report) };
	struct lw_table table = { .page = sb };

	lw_page_begin(sb, charts->title);
	add_alarms(report, sb);
	add_origin(report, sb);
	lw_page_charts(sb, charts);
	lw_report_table(report, &units, &table);
	lw_page_end(sb);
}
