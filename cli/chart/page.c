/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: charts and tables as a page that needs no other file, and as files of their own. */
#include "cli/chart/chart.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/common/origin.h"
#include "cli/common/output.h"

static const char head[] =
	"<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
	"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
	"<meta name=\"color-scheme\" content=\"light dark\">\n<title>Leeway: ";

static const char style[] =
	"</title>\n<style>\n"
	"body { font: 15px/1.45 sans-serif; max-width: 960px; margin: 1.5em auto; "
	"padding: 0 1em; color: #222; background: #fff; overflow-wrap: anywhere; }\n"
	"h1 { font-size: 1.5em; }\n"
	"figure { margin: 1em 0; }\n"
	"svg { max-width: 100%; height: auto; }\n"
	"svg.lw-phone { display: none; }\n"
	".lw-scroll { overflow-x: auto; }\n"
	"table { border-collapse: collapse; min-width: 100%; overflow-wrap: normal; }\n"
	"th, td { padding: .2em .7em; text-align: right; border-bottom: 1px solid #e4e4e4; "
	"font-variant-numeric: tabular-nums; }\n"
	"td { white-space: nowrap; }\n"
	"th:first-child, td:first-child { position: sticky; left: 0; background: #fff; "
	"text-align: left; font-weight: normal; white-space: normal; min-width: 10em; }\n"
	"thead th:first-child { font-weight: bold; }\n"
	"tr.part th { font-weight: bold; padding-top: 1.1em; }\n"
	"span.sd { color: #666; font-size: 85%; }\n"
	"p.alarm { border: 2px solid #B3332B; padding: .5em 1em; font-weight: bold; }\n"
	"footer { margin-top: 2em; border-top: 1px solid #e4e4e4; font-size: 85%; }\n"
	"footer pre { white-space: pre-wrap; }\n"
	"@media screen and (prefers-color-scheme: dark) {\n"
	"body, th:first-child, td:first-child { color: #e8eaed; background: " LW_LOOK_DARK_GROUND
	"; }\n"
	"th, td, footer { border-color: #30353b; }\n"
	"span.sd { color: #9aa0a6; }\n"
	"p.alarm { border-color: #FF7A70; }\n"
	"}\n"
	/* long labels: where there is width for several columns, break them rather than scroll */
	"@media screen and (min-width: 761px) {\n"
	"th { overflow-wrap: anywhere; min-width: 6em; }\n"
	"}\n"
	"@media screen and (max-width: 760px) {\n"
	"svg.lw-wide { display: none; }\n"
	"svg.lw-phone { display: block; width: 100%; max-width: 520px; margin: 0 auto; }\n"
	"body { padding: 0 .6em; }\n"
	"table { font-size: 90%; }\n"
	"th, td { padding: .2em .35em; }\n"
	"th:first-child, td:first-child { min-width: 5em; max-width: 9em; }\n"
	/* a shade at the right edge tells that there are more columns */
	".lw-scroll { background: linear-gradient(to left, #fff 25%, #fff0) right / 2.5em 100% "
	"no-repeat local, linear-gradient(to left, #0004, #0000) right / .8em 100% no-repeat "
	"scroll; }\n"
	"}\n"
	"@media screen and (max-width: 760px) and (prefers-color-scheme: dark) {\n"
	".lw-scroll { background: linear-gradient(to left, " LW_LOOK_DARK_GROUND
	" 25%, transparent) right / 2.5em 100% no-repeat local, "
	"linear-gradient(to left, #fff4, #fff0) right / .8em 100% no-repeat scroll; }\n"
	"}\n"
	"@media print {\n"
	"@page { margin: 14mm; }\n"
	"body { margin: 0; padding: 0; max-width: none; font-size: 10pt; }\n"
	"figure, tr, p, footer { break-inside: avoid; }\n"
	"figure { margin: .3em 0; }\n"
	"svg.lw-wide { width: 100%; max-height: 60mm; }\n"
	"h1 { margin: 0 0 .3em; }\n"
	"h1, h2 { break-after: avoid; }\n"
	"thead { display: table-header-group; }\n"
	".lw-scroll { overflow: visible; }\n"
	/* what is wider than the paper makes all of it smaller */
	"table { table-layout: fixed; width: 100%; line-height: 1.25; }\n"
	"th, td { overflow-wrap: anywhere; padding: .15em .5em; white-space: normal; }\n"
	"th { font-size: 85%; }\n"
	/* what sticks hides lines on paper */
	"th:first-child, td:first-child { position: static; background: none; }\n"
	"th:first-child { width: 30%; }\n"
	"footer { font-size: 8pt; margin-top: 1em; }\n"
	"}\n";

void lw_page_begin(struct lw_strbuf *sb, const char *title)
{
	lw_page_begin_with(sb, title, "");
}

void lw_page_begin_with(struct lw_strbuf *sb, const char *title, const char *more_head)
{
	lw_strbuf_add(sb, "%s", head);
	lw_chart_add_text(sb, title);
	lw_strbuf_add(sb, "%s", style);
	for (uint32_t c = 0; c < LW_LOOK_COLOURS; c++)
		lw_strbuf_add(sb, ".lw-c%u { color: %s; }\n", c, lw_look_colour(c, 0));
	lw_strbuf_add(sb, "@media screen and (prefers-color-scheme: dark) {\n");
	for (uint32_t c = 0; c < LW_LOOK_COLOURS; c++)
		lw_strbuf_add(sb, ".lw-c%u { color: %s; }\n", c, lw_look_colour(c, 1));
	lw_strbuf_add(sb, "}\n</style>\n%s</head>\n<body>\n<h1>", more_head);
	lw_chart_add_text(sb, title);
	lw_strbuf_add(sb, "</h1>\n");
}

void lw_page_charts(struct lw_strbuf *sb, const struct lw_charts *charts)
{
	for (uint32_t i = 0; i < charts->count; i++) {
		lw_strbuf_add(sb, "<figure>\n");
		lw_chart_svg(&charts->charts[i], LW_CHART_WIDE, sb);
		lw_chart_svg(&charts->charts[i], LW_CHART_PHONE, sb);
		lw_strbuf_add(sb, "</figure>\n");
	}
}

void lw_page_end(struct lw_strbuf *sb)
{
	struct lw_strbuf origin = LW_STRBUF_INIT;

	lw_origin_describe(&origin);
	lw_strbuf_add(sb, "<footer>\n<p>Made with</p>\n<pre>");
	lw_chart_add_text(sb, lw_strbuf_text(&origin));
	lw_strbuf_add(sb, "</pre>\n</footer>\n</body>\n</html>\n");
	lw_strbuf_fini(&origin);
}

void lw_page_table(struct lw_strbuf *sb)
{
	lw_strbuf_add(sb, "<div class=\"lw-scroll\">\n<table>\n");
}

void lw_page_table_end(struct lw_strbuf *sb)
{
	lw_strbuf_add(sb, "</table>\n</div>\n");
}

void lw_page_coloured(struct lw_strbuf *sb, const char *tag, const struct lw_look *look)
{
	lw_strbuf_add(sb, "<%s class=\"lw-c%u\">", tag, look->colour);
}

static int write_one(const struct lw_chart *chart, const char *dir, const char *kind,
		     struct lw_error *err)
{
	struct lw_strbuf sb = LW_STRBUF_INIT;
	char path[PATH_MAX];

	if (snprintf(path, sizeof(path), "%s/%s.%s", dir, chart->key, kind) >= PATH_MAX)
		return lw_error_set(err, -ENAMETOOLONG, "%s: path too long", dir);
	if (strcmp(kind, "csv") == 0)
		lw_chart_csv(chart, &sb);
	else
		lw_chart_svg(chart, LW_CHART_WIDE, &sb);
	return lw_output_text(path, &sb, err);
}

int lw_charts_write(const struct lw_charts *charts, const char *dir, struct lw_error *err)
{
	int rc = lw_output_folder(dir, err);

	for (uint32_t i = 0; !rc && i < charts->count; i++) {
		rc = write_one(&charts->charts[i], dir, "svg", err);
		if (!rc)
			rc = write_one(&charts->charts[i], dir, "csv", err);
	}
	return rc;
}
