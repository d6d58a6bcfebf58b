/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway report: table and charts as one page. */
#include "tools/report/report.h"

#include <inttypes.h>

#include "tools/svg.h"

static const char head[] =
	"<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
	"<title>Leeway: replays compared</title>\n<style>\n"
	"body { font: 15px/1.45 sans-serif; max-width: 960px; margin: 2em auto; padding: 0 1em; "
	"color: #222; background: #fff; }\n"
	"table { border-collapse: collapse; width: 100%; }\n"
	"th, td { padding: .2em .8em; text-align: right; border-bottom: 1px solid #e4e4e4; "
	"font-variant-numeric: tabular-nums; }\n"
	"th:first-child, td:first-child { text-align: left; font-weight: normal; }\n"
	"tr.part th { text-align: left; font-weight: bold; padding-top: 1.1em; }\n"
	"p.alarm { border: 2px solid #D55E00; padding: .5em 1em; font-weight: bold; }\n"
	"svg { max-width: 100%; height: auto; }\n"
	"</style>\n</head>\n<body>\n<h1>Replays compared</h1>\n";

struct page {
	const struct lw_report *report;
	struct lw_strbuf *sb;
};

static void add_cell(struct lw_strbuf *sb, const char *tag, const char *text)
{
	lw_strbuf_add(sb, "<%s>", tag);
	lw_svg_add_text(sb, text);
	lw_strbuf_add(sb, "</%s>", tag);
}

static void add_row(void *arg, const struct lw_report_row *row)
{
	const struct page *page = arg;
	struct lw_strbuf *sb = page->sb;
	uint32_t columns = page->report->count + 1 + lw_report_has_ratios(page->report);

	if (row->is_heading) {
		lw_strbuf_add(sb, "<tr class=\"part\"><th colspan=\"%" PRIu32 "\">",
			      columns);
		lw_svg_add_text(sb, row->name);
		lw_strbuf_add(sb, "</th></tr>\n");
		return;
	}
	lw_strbuf_add(sb, "<tr>");
	add_cell(sb, "td", row->name);
	for (uint32_t i = 0; i < page->report->count; i++)
		add_cell(sb, "td", row->cells[i]);
	if (lw_report_has_ratios(page->report))
		add_cell(sb, "td", row->ratio);
	lw_strbuf_add(sb, "</tr>\n");
}

static void add_alarm(const struct lw_report *report,
		      void (*say)(const struct lw_report *, struct lw_strbuf *),
		      struct lw_strbuf *sb)
{
	struct lw_strbuf sentence = LW_STRBUF_INIT;

	say(report, &sentence);
	lw_strbuf_add(sb, "<p class=\"alarm\">");
	lw_svg_add_text(sb, lw_strbuf_text(&sentence));
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
		lw_svg_add_text(sb, report->runs[i].label);
		lw_strbuf_add(sb, ": %" PRIu32 " jobs lost</p>\n", report->stats[i].lost);
	}
}

static void add_origin(const struct lw_report *report, struct lw_strbuf *sb)
{
	lw_strbuf_add(sb, "<ul>\n");
	for (uint32_t i = 0; i < report->count; i++) {
		const struct lw_run *run = &report->runs[i];

		lw_strbuf_add(sb, "<li><b style=\"color: %s\">", lw_svg_colour(i));
		lw_svg_add_text(sb, run->label);
		lw_strbuf_add(sb, "</b>: Slurm ");
		lw_svg_add_text(sb, run->slurm_version ? run->slurm_version
						       : "(release unknown)");
		lw_strbuf_add(sb,
			      ", %" PRId64 " nodes of %" PRId64 " GPUs and %" PRId64
			      " CPUs",
			      run->nodes, run->gpus_per_node, run->cpus_per_node);
		if (run->workload) {
			lw_strbuf_add(sb, ", workload ");
			lw_svg_add_text(sb, run->workload);
		}
		if (run->factor > 0)
			lw_strbuf_add(sb, ", clock %g times as fast", run->factor);
		lw_strbuf_add(sb, "</li>\n");
	}
	lw_strbuf_add(sb, "</ul>\n");
}

void lw_report_html(const struct lw_report *report, struct lw_strbuf *sb)
{
	struct page page = { report, sb };

	lw_strbuf_add(sb, "%s", head);
	add_alarms(report, sb);
	add_origin(report, sb);
	lw_report_svg(report, sb);
	lw_strbuf_add(sb, "<table>\n<tr><th></th>");
	for (uint32_t i = 0; i < report->count; i++)
		add_cell(sb, "th", report->runs[i].label);
	if (lw_report_has_ratios(report))
		add_cell(sb, "th", "ratio");
	lw_strbuf_add(sb, "</tr>\n");
	lw_report_rows(report, add_row, &page);
	lw_strbuf_add(sb, "</table>\n</body>\n</html>\n");
}
