/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway sim: table and charts of a comparison as one page. */
#include "lab/cli_sim/sim.h"

#include <inttypes.h>
#include <string.h>

#include "cli/chart/table.h"

static const char foot[] =
	"<p>Wait: start less submission. Bounded slowdown: (wait + run) / max(run, 10 s), at "
	"least 1. Widest and longest tenth: of the jobs, by processors and by run time. "
	"Violation: how much later than first promised a job started, mean over all jobs that "
	"were promised a start. Utilisation: between the first and the last submission.</p>\n";

/* UNIT: of all times. */
static void format_value(enum lw_figure figure, double value, const struct lw_unit *unit,
			 char text[LW_TABLE_CELL])
{
	if (lw_figure_kind(figure) == LW_FIGURE_SECONDS)
		lw_unit_print(value / unit->seconds, text);
	else
		lw_figure_format(figure, value, text);
}

static void add_row(const struct lw_simcompare *compare, const struct lw_unit *unit,
		    enum lw_figure figure, struct lw_table *table)
{
	bool timed = lw_figure_kind(figure) == LW_FIGURE_SECONDS;
	char name[64], mean[LW_TABLE_CELL], sd[LW_TABLE_CELL];

	snprintf(name, sizeof(name), timed ? "%s (%s)" : "%s", lw_figure_title(figure),
		 unit->name);
	lw_table_row(table, name);
	for (uint32_t i = 0; i < compare->count; i++) {
		const struct lw_simrun *run = &compare->runs[i];

		format_value(figure, run->mean.value[figure], unit, mean);
		format_value(figure, run->sd.value[figure], unit, sd);
		lw_table_cell(table, mean, run->repeat.shakes > 1 ? sd : NULL);
	}
}

static void add_table(const struct lw_simcompare *compare, const struct lw_unit *unit,
		      struct lw_strbuf *sb)
{
	struct lw_look looks[LW_SIM_RUNS_MAX + 1];
	struct lw_table table = { .page = sb };

	lw_simcompare_looks(compare, looks);
	for (uint32_t i = 0; i < compare->count; i++)
		lw_table_add(&table, compare->runs[i].spec.label, &looks[i], 0);
	lw_table_begin(&table, "");
	for (int figure = 0; figure < LW_FIGURES; figure++)
		if (lw_simcompare_knows(compare, (enum lw_figure)figure))
			add_row(compare, unit, (enum lw_figure)figure, &table);
	lw_table_end(&table);
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
	lw_page_begin(sb, charts->title);
	add_origin(compare, sb);
	add_warning(compare, sb);
	lw_page_charts(sb, charts);
	add_table(compare, unit, sb);
	add_words(compare, sb);
	lw_strbuf_add(sb, "%s", foot);
	lw_page_end(sb);
}
