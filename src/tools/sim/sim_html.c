/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway sim: table and charts of a comparison as one page. */
#include "tools/sim/sim.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "tools/svg.h"

static const char head[] =
	"<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
	"<title>Leeway: policies compared</title>\n<style>\n"
	"body { font: 15px/1.45 sans-serif; max-width: 960px; margin: 2em auto; padding: 0 1em; "
	"color: #222; background: #fff; }\n"
	"table { border-collapse: collapse; width: 100%; }\n"
	"th, td { padding: .2em .7em; text-align: right; border-bottom: 1px solid #e4e4e4; "
	"font-variant-numeric: tabular-nums; }\n"
	"th:first-child, td:first-child { text-align: left; font-weight: normal; }\n"
	"span.sd { color: #666; font-size: 85%; }\n"
	"svg { max-width: 100%; height: auto; }\n"
	"</style>\n</head>\n<body>\n<h1>Policies compared</h1>\n";

static const char foot[] =
	"<p>Wait: start less submission. Bounded slowdown: (wait + run) / max(run, 10 s), at "
	"least 1. Widest and longest tenth: of the jobs, by processors and by run time. "
	"Violation: how much later than first promised a job started, mean over all jobs that "
	"were promised a start. Utilisation: between the first and the last submission.</p>\n"
	"</body>\n</html>\n";

static void add_value(struct lw_strbuf *sb, enum lw_figure figure, double value)
{
	char text[LW_FIGURE_TEXT];

	lw_figure_format(figure, value, text);
	lw_strbuf_add(sb, "%s", text);
}

static bool is_known(const struct lw_simcompare *compare, enum lw_figure figure)
{
	bool known = false;

	for (uint32_t i = 0; i < compare->count; i++)
		known |= !isnan(compare->runs[i].mean.value[figure]);
	return known;
}

static void add_row(const struct lw_simcompare *compare, enum lw_figure figure,
		    struct lw_strbuf *sb)
{
	lw_strbuf_add(sb, "<tr><td>%s</td>", lw_figure_title(figure));
	for (uint32_t i = 0; i < compare->count; i++) {
		const struct lw_simrun *run = &compare->runs[i];

		lw_strbuf_add(sb, "<td>");
		add_value(sb, figure, run->mean.value[figure]);
		if (run->repeat.shakes > 1) {
			lw_strbuf_add(sb, "<br><span class=\"sd\">± ");
			add_value(sb, figure, run->sd.value[figure]);
			lw_strbuf_add(sb, "</span>");
		}
		lw_strbuf_add(sb, "</td>");
	}
	lw_strbuf_add(sb, "</tr>\n");
}

static void add_table(const struct lw_simcompare *compare, struct lw_strbuf *sb)
{
	lw_strbuf_add(sb, "<table>\n<tr><th></th>");
	for (uint32_t i = 0; i < compare->count; i++) {
		lw_strbuf_add(sb, "<th style=\"color: %s\">", lw_svg_colour(i));
		lw_svg_add_text(sb, compare->runs[i].spec.label);
		lw_strbuf_add(sb, "</th>");
	}
	lw_strbuf_add(sb, "</tr>\n");
	for (int figure = 0; figure < LW_FIGURES; figure++) {
		if (is_known(compare, (enum lw_figure)figure))
			add_row(compare, (enum lw_figure)figure, sb);
	}
	lw_strbuf_add(sb, "</table>\n");
}

static void add_origin(const struct lw_simcompare *compare, struct lw_strbuf *sb)
{
	uint32_t shakes = compare->runs[0].repeat.shakes;

	lw_strbuf_add(sb, "<p>");
	lw_svg_add_text(sb, compare->trace->name);
	lw_strbuf_add(sb, ": %" PRIu32 " jobs on ", compare->trace->jobs.count);
	lw_machine_describe(&compare->trace->machine, sb);
	lw_strbuf_add(sb, ".");
	if (compare->trace->jobs.dropped_wide)
		lw_strbuf_add(sb, " %" PRIu32 " wider jobs were left out.",
			      compare->trace->jobs.dropped_wide);
	if (shakes)
		lw_strbuf_add(sb,
			      " Figures are means of %" PRIu32 " runs with %s moved by "
			      "up to %" PRIu32 " s, ± the standard deviation of one run from the "
			      "next; charts over time and width show the first of them.",
			      shakes,
			      compare->runs[0].repeat.sessions ? "users' sessions" :
								 "submissions",
			      compare->runs[0].repeat.shake_by_s);
	lw_strbuf_add(sb, "</p>\n");
}

/* What the labels stand for, and which jobs the means are of. */
static void add_words(const struct lw_simcompare *compare, struct lw_strbuf *sb)
{
	for (uint32_t i = 0; i < compare->count; i++) {
		const struct lw_simrun *run = &compare->runs[i];
		double started = run->mean.value[LW_FIGURE_JOBS];
		double never = run->mean.value[LW_FIGURE_NEVER];

		if (!(never > 0) && strcmp(run->spec.label, run->spec.settings) == 0)
			continue;
		lw_strbuf_add(sb, "<p>");
		lw_svg_add_text(sb, run->spec.label);
		lw_strbuf_add(sb, ": ");
		lw_svg_add_text(sb, run->spec.settings);
		if (never > 0)
			lw_strbuf_add(sb, "; means over the %.0f of %.0f jobs that started",
				      started, started + never);
		lw_strbuf_add(sb, "</p>\n");
	}
	if (lw_simcompare_differ(compare))
		lw_strbuf_add(sb, "<p>These means are of different jobs, by more than 1 %%: do not "
				  "compare them.</p>\n");
}

void lw_simcompare_html(const struct lw_simcompare *compare, struct lw_strbuf *sb)
{
	lw_strbuf_add(sb, "%s", head);
	add_origin(compare, sb);
	lw_simcompare_svg(compare, sb);
	add_table(compare, sb);
	add_words(compare, sb);
	lw_strbuf_add(sb, "%s", foot);
}
