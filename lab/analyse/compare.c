/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway analyse --compare: several workloads side by side. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/chart/table.h"
#include "cli/common/tools.h"
#include "lab/analyse/analyse.h"

#define CURVE_POINTS 121

static const char *time_lost(const struct lw_analysis *a)
{
	double known_s = a->all.area_s - a->all.outcome_area_s[LW_OUTCOME_UNKNOWN];

	return lw_ana_of(known_s - a->all.outcome_area_s[LW_OUTCOME_COMPLETED], known_s);
}

static const char *const line_names[] = {
#define LW_LINE(name, word) name,
#include "lab/analyse/compare.def"
#undef LW_LINE
};

#define LINES (sizeof(line_names) / sizeof(line_names[0]))

/* Until the next few calls. */
static const char *line_word(size_t line, const struct lw_analysis *a)
{
	size_t at = 0;

#define LW_LINE(name, word)                                                                      \
	if (at++ == line)                                                                        \
		return word;
#include "lab/analyse/compare.def"
#undef LW_LINE
	return "-";
}

/* So many workloads side by side have room on paper. */
#define COLUMNS 5

/* Of the 80 of a terminal, beside what the lines are called. */
#define NAME_COLUMN 26
#define ROOM	    (80 - NAME_COLUMN)
#define WIDTH_MIN   9

/* As wide as the longest name, as far as one fits, so that none is cut but for that. */
static int column_width(const struct lw_ana_result *results, uint32_t count)
{
	size_t width = WIDTH_MIN;

	for (uint32_t i = 0; i < count; i++) {
		size_t len = strlen(lw_tools_plain(results[i].input.label));

		width = len > width ? len : width;
	}
	return width < ROOM - 1 ? (int)width : ROOM - 1;
}

static void add_lines(const struct lw_ana_result *results, uint32_t count, int width,
		      struct lw_table *table)
{
	for (uint32_t i = 0; i < count; i++)
		lw_table_add(table, results[i].input.label, NULL, width);
	lw_table_begin(table, "");
	for (size_t l = 0; l < LINES; l++) {
		lw_table_row(table, line_names[l]);
		for (uint32_t i = 0; i < count; i++)
			lw_table_cell(table, line_word(l, &results[i].analysis), NULL);
	}
	lw_table_end(table);
}

void lw_ana_compare_print(const struct lw_ana_result *results, uint32_t count, FILE *out)
{
	int width = column_width(results, count);
	uint32_t fit = ROOM / (uint32_t)(width + 1);

	for (uint32_t i = 0; i < count; i += fit) {
		struct lw_table table = { .out = out, .name_width = NAME_COLUMN };

		add_lines(&results[i], count - i < fit ? count - i : fit, width, &table);
		fputc('\n', out);
	}
	for (uint32_t q = 0; q < LW_QUESTIONS; q++) {
		fprintf(out, "%s%s\n", q ? "\n" : "", results[0].questions[q].text);
		for (uint32_t i = 0; i < count; i++)
			fprintf(out, "  %-22.*s %-9s %s\n", width > 22 ? width : 22,
				lw_tools_plain(results[i].input.label),
				lw_reply_name(results[i].questions[q].reply),
				results[i].questions[q].brief);
	}
}

json_t *lw_ana_compare_json(const struct lw_ana_result *results, uint32_t count)
{
	json_t *list = json_array();

	for (uint32_t i = 0; i < count; i++)
		json_array_append_new(list, lw_ana_json(&results[i]));
	return json_pack("{s:o}", "workloads", list);
}

/* ---- charts ---- */

typedef double (*curve_f)(const struct lw_ana_result *result, double x);

static double curve_runs(const struct lw_ana_result *result, double x)
{
	const struct lw_analysis *a = &result->analysis;

	return lw_share(lw_dist_rank(a->runs, a->run_count, x), a->run_count);
}

static double curve_waits(const struct lw_ana_result *result, double x)
{
	const struct lw_analysis *a = &result->analysis;
	double below = 0, all = 0;

	for (uint32_t s = 0; s < LW_SIZES; s++) {
		below += lw_dist_rank(a->waits[s], a->wait_count[s], x);
		all += a->wait_count[s];
	}
	return lw_share(below, all);
}

static void add_curves(struct lw_chart *chart, const struct lw_ana_result *results,
		       uint32_t count, curve_f curve, double most)
{
	struct lw_looks looks = { 0 };

	chart->x_axis = LW_CHART_LOG;
	chart->x_min = 1;
	chart->y_max = 100;
	for (uint32_t i = 0; i < count; i++) {
		struct lw_chart_series *series;

		if (isnan(curve(&results[i], 1)))
			continue;
		series = lw_ana_series(chart, &looks, results[i].input.label, CURVE_POINTS);
		for (uint32_t p = 0; series && p < CURVE_POINTS; p++) {
			series->x[p] = exp(log(fmax(most, 100)) * p / (CURVE_POINTS - 1));
			series->y[p] = 100 * curve(&results[i], series->x[p] * 1.0000001);
		}
	}
}

static double largest_time(const struct lw_ana_result *results, uint32_t count, bool of_waits)
{
	double most = 0;

	for (uint32_t i = 0; i < count; i++)
		most = fmax(most, of_waits ? results[i].analysis.all.wait.most
					   : results[i].analysis.all.run.most);
	return most;
}

static void add_hours(struct lw_chart *chart, const struct lw_ana_result *results, uint32_t count)
{
	struct lw_looks looks = { 0 };

	chart->x_max = LW_HOURS;
	for (uint32_t i = 0; i < count; i++) {
		const struct lw_arrivals *arrivals = &results[i].analysis.arrivals;
		struct lw_chart_series *series;

		if (!arrivals->has_clock)
			continue;
		series = lw_ana_series(chart, &looks, results[i].input.label, LW_HOURS);
		for (uint32_t h = 0; series && h < LW_HOURS; h++) {
			series->x[h] = h + 0.5;
			series->y[h] =
				100 * lw_share(arrivals->hour[h], results[i].analysis.all.jobs);
		}
	}
}

static void add_shares(struct lw_chart *chart, const struct lw_ana_result *results,
		       uint32_t count)
{
	static const char *const groups[] = { "jobs up to an hour", "small jobs",
					      "held by over an hour", "not complete" };
	struct lw_looks looks = { 0 };

	chart->x_axis = LW_CHART_BARS;
	chart->y_max = 100;
	for (uint32_t g = 0; g < 4; g++)
		snprintf(chart->groups[g], sizeof(chart->groups[g]), "%s", groups[g]);
	for (uint32_t i = 0; i < count; i++) {
		const struct lw_analysis *a = &results[i].analysis;
		struct lw_chart_series *series =
			lw_ana_series(chart, &looks, results[i].input.label, 4);

		if (!series)
			return;
		series->y[0] = 100 * lw_share((double)a->all.by_length[LW_LENGTH_MINUTE] +
						      a->all.by_length[LW_LENGTH_HOUR],
					      a->all.jobs);
		series->y[1] = 100 * lw_share(a->all.by_size[LW_SIZE_SMALL], a->all.jobs);
		series->y[2] = 100 * lw_share(a->length[LW_LENGTH_DAY].area_s +
						      a->length[LW_LENGTH_MORE].area_s,
					      a->all.area_s);
		series->y[3] = 100 * lw_slice_lost_share(&a->all);
	}
}

void lw_ana_compare_charts(const struct lw_ana_result *results, uint32_t count,
			   struct lw_charts *charts)
{
	struct lw_chart *chart;

	*charts = (struct lw_charts){ .count = 0 };
	chart = lw_ana_chart(charts, "run-times", "Run times");
	lw_ana_axis_x(chart, "run time (seconds, logarithmic)", "run_s");
	lw_ana_axis_y(chart, "jobs that run so long or less (%)", "jobs_percent");
	add_curves(chart, results, count, curve_runs, largest_time(results, count, false));
	if (largest_time(results, count, true) > 0) {
		chart = lw_ana_chart(charts, "waits", "Waits");
		lw_ana_axis_x(chart, "wait (seconds, logarithmic; below 1 s is 1 s)", "wait_s");
		lw_ana_axis_y(chart, "jobs that wait so long or less (%)", "jobs_percent");
		add_curves(chart, results, count, curve_waits,
			   largest_time(results, count, true));
	}
	chart = lw_ana_chart(charts, "hours", "When jobs are submitted");
	lw_ana_axis_x(chart, "hour of the day", "hour");
	lw_ana_axis_y(chart, "share of all jobs (%)", "jobs_percent");
	add_hours(chart, results, count);
	chart = lw_ana_chart(charts, "shares", "Shares");
	lw_ana_axis_x(chart, "of jobs, and of the time held", "what");
	lw_ana_axis_y(chart, "share (%)", "share_percent");
	add_shares(chart, results, count);
}

/* ---- the page ---- */

/* A table a question, a line a workload: words need width. */
static void add_answers(const struct lw_ana_result *results, uint32_t count, struct lw_strbuf *sb)
{
	for (uint32_t q = 0; q < LW_QUESTIONS; q++) {
		lw_strbuf_add(sb, "<h2>");
		lw_chart_add_text(sb, results[0].questions[q].text);
		lw_strbuf_add(sb, "</h2>\n");
		lw_page_table(sb);
		for (uint32_t i = 0; i < count; i++) {
			const struct lw_question *question = &results[i].questions[q];

			lw_strbuf_add(sb, "<tr><td>");
			lw_chart_add_text(sb, results[i].input.label);
			lw_strbuf_add(sb,
				      "</td><td>%s</td>"
				      "<td style=\"text-align: left; white-space: normal\">",
				      lw_reply_name(question->reply));
			lw_chart_add_text(sb, question->brief);
			lw_strbuf_add(sb, "</td></tr>\n");
		}
		lw_page_table_end(sb);
	}
}

void lw_ana_compare_page(const struct lw_ana_result *results, uint32_t count,
			 struct lw_strbuf *sb)
{
	struct lw_charts charts;

	lw_page_begin(sb, "Workloads side by side");
	/* as many as have room on paper */
	for (uint32_t i = 0; i < count; i += COLUMNS) {
		struct lw_table table = { .page = sb };

		add_lines(&results[i], count - i < COLUMNS ? count - i : COLUMNS, 0, &table);
	}
	lw_ana_compare_charts(results, count, &charts);
	lw_page_charts(sb, &charts);
	lw_charts_fini(&charts);
	if (count > LW_CHART_SERIES)
		lw_strbuf_add(sb, "<p>Drawn are the first %d.</p>\n", LW_CHART_SERIES);
	add_answers(results, count, sb);
	lw_page_end(sb);
}
