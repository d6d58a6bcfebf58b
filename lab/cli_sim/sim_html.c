/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway sim: table and charts of a comparison as one page. */
#include "lab/cli_sim/sim.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static const char foot[] =
	"<p>Wait: start less submission. Bounded slowdown: (wait + run) / max(run, 10 s), at "
	"least 1. Widest and longest tenth: of the jobs, by processors and by run time. "
	"Violation: how much later than first promised a job started, mean over all jobs that "
	"were promised a start. Utilisation: between the first and the last submission.</p>\n";

struct page {
	const struct lw_simcompare *compare;
	const struct lw_unit *unit; /* of all times */
	struct lw_strbuf *sb;
};

static void add_value(const struct page *page, enum lw_figure figure, double value)
{
	char text[LW_FIGURE_TEXT > LW_UNIT_TEXT ? LW_FIGURE_TEXT : LW_UNIT_TEXT];

	if (lw_figure_kind(figure) == LW_FIGURE_SECONDS)
		lw_unit_print(value / page->unit->seconds, text);
	else
		lw_figure_format(figure, value, text);
	lw_chart_add_text(page->sb, text);
}

static bool is_known(const struct lw_simcompare *compare, enum lw_figure figure)
{
	bool known = false;

	for (uint32_t i = 0; i < compare->count; i++)
		known |= !isnan(compare->runs[i].mean.value[figure]);
	return known;
}

static void add_row(const struct page *page, enum lw_figure figure)
{
	struct lw_strbuf *sb = page->sb;

	lw_strbuf_add(sb, "<tr><td>%s", lw_figure_title(figure));
	if (lw_figure_kind(figure) == LW_FIGURE_SECONDS)
		lw_strbuf_add(sb, " (%s)", page->unit->name);
	lw_strbuf_add(sb, "</td>");
	for (uint32_t i = 0; i < page->compare->count; i++) {
		const struct lw_simrun *run = &page->compare->runs[i];

		lw_strbuf_add(sb, "<td>");
		add_value(page, figure, run->mean.value[figure]);
		if (run->repeat.shakes > 1) {
			lw_strbuf_add(sb, "<br><span class=\"sd\">± ");
			add_value(page, figure, run->sd.value[figure]);
			lw_strbuf_add(sb, "</span>");
		}
		lw_strbuf_add(sb, "</td>");
	}
	lw_strbuf_add(sb, "</tr>\n");
}

static void add_table(const struct page *page)
{
	const struct lw_simcompare *compare = page->compare;
	struct lw_look looks[LW_SIM_RUNS_MAX + 1];
	struct lw_strbuf *sb = page->sb;

	lw_simcompare_looks(compare, looks);
	lw_page_table(sb);
	lw_strbuf_add(sb, "<thead><tr><th></th>");
	for (uint32_t i = 0; i < compare->count; i++) {
		lw_page_coloured(sb, "th", &looks[i]);
		lw_chart_add_text(sb, compare->runs[i].spec.label);
		lw_strbuf_add(sb, "</th>");
	}
	lw_strbuf_add(sb, "</tr></thead>\n");
	for (int figure = 0; figure < LW_FIGURES; figure++) {
		if (is_known(compare, (enum lw_figure)figure))
			add_row(page, (enum lw_figure)figure);
	}
	lw_page_table_end(sb);
}

static void add_origin(const struct lw_simcompare *compare, struct lw_strbuf *sb)
{
	uint32_t shakes = compare->runs[0].repeat.shakes;

	lw_strbuf_add(sb, "<p>");
	lw_chart_add_text(sb, compare->trace->name);
	lw_strbuf_add(sb, ": %" PRIu32 " jobs on ", compare->trace->jobs.count);
	lw_machine_describe(&compare->trace->machine, sb);
	lw_strbuf_add(sb, ".");
	if (compare->trace->jobs.dropped_wide)
		lw_strbuf_add(sb, " %" PRIu32 " wider jobs were left out.",
			      compare->trace->jobs.dropped_wide);
	if (shakes)
		lw_strbuf_add(sb,
			      " Figures are means of %" PRIu32 " runs with %s moved by "
			      "up to %" PRIu32 " s, ± the standard deviation (sd) of one run from "
			      "the next: bands and bars in the charts.",
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
		lw_chart_add_text(sb, run->spec.label);
		lw_strbuf_add(sb, ": ");
		lw_chart_add_text(sb, run->spec.settings);
		if (never > 0)
			lw_strbuf_add(sb, "; means over the %.0f of %.0f jobs that started",
				      started, started + never);
		lw_strbuf_add(sb, "</p>\n");
	}
}

/* Before all that would be compared. */
static void add_warning(const struct lw_simcompare *compare, struct lw_strbuf *sb)
{
	if (lw_simcompare_differ(compare))
		lw_strbuf_add(sb, "<p><strong>These means are of different jobs, by more than "
				  "1 %%: do not compare them.</strong> With jobs.cancels=no all "
				  "jobs run.</p>\n");
}

void lw_simcompare_html(const struct lw_simcompare *compare, const struct lw_charts *charts,
			const struct lw_unit *unit, struct lw_strbuf *sb)
{
	const struct page page = { compare, unit, sb };

	lw_page_begin(sb, charts->title);
	add_origin(compare, sb);
	add_warning(compare, sb);
	lw_page_charts(sb, charts);
	add_table(&page);
	add_words(compare, sb);
	lw_strbuf_add(sb, "%s", foot);
	lw_page_end(sb);
}
