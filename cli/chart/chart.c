/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: charts: their data, and that as CSV. */
#include "cli/chart/chart.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/chart/letters.h"

struct lw_chart_series *lw_chart_add(struct lw_chart *chart, const char *name,
				     struct lw_look look, uint32_t n)
{
	double *points = calloc(4 * (size_t)n + 1, sizeof(*points));
	const char **labels = calloc((size_t)n + 1, sizeof(*labels));
	struct lw_chart_series *series = &chart->series[chart->count];

	if (!points || !labels) {
		free(points);
		free(labels);
		chart->error = -ENOMEM;
		return NULL;
	}
	*series = (struct lw_chart_series){ .look = look,
					    .count = n,
					    .x = points,
					    .y = points + n,
					    .x_sd = points + 2 * (size_t)n,
					    .y_sd = points + 3 * (size_t)n,
					    .labels = labels };
	lw_letters_cut(name, sizeof(series->name), series->name);
	chart->count++;
	return series;
}

void lw_chart_fini(struct lw_chart *chart)
{
	for (uint32_t s = 0; s < chart->count; s++) {
		free(chart->series[s].x);
		free(chart->series[s].labels);
	}
	chart->count = 0;
}

void lw_charts_fini(struct lw_charts *charts)
{
	for (uint32_t i = 0; i < charts->count; i++)
		lw_chart_fini(&charts->charts[i]);
	charts->count = 0;
}

bool lw_chart_has_spread(const struct lw_chart *chart)
{
	for (uint32_t s = 0; s < chart->count; s++)
		for (uint32_t i = 0; i < chart->series[s].count; i++)
			if (chart->series[s].x_sd[i] > 0 || chart->series[s].y_sd[i] > 0)
				return true;
	return false;
}

double lw_chart_largest_y(const struct lw_chart *chart)
{
	double largest = 0;

	for (uint32_t s = 0; s < chart->count; s++)
		for (uint32_t i = 0; i < chart->series[s].count; i++)
			largest = fmax(largest, chart->series[s].y[i]);
	return largest;
}

void lw_chart_scale_y(struct lw_chart *chart, double divisor)
{
	for (uint32_t s = 0; s < chart->count; s++) {
		for (uint32_t i = 0; i < chart->series[s].count; i++) {
			chart->series[s].y[i] /= divisor;
			chart->series[s].y_sd[i] /= divisor;
		}
	}
}

void lw_chart_spread(double *stretches, uint32_t count, double stretch_s, double from_s,
		     double to_s, double value)
{
	double first = from_s > 0 ? floor(from_s / stretch_s) : 0;

	/* all is behind them, perhaps further off than a number of theirs goes; nor is NaN one */
	if (!(first < count))
		return;
	for (uint32_t i = (uint32_t)first; i < count && i * stretch_s < to_s; i++) {
		double start = i * stretch_s, end = start + stretch_s;

		if (from_s > start)
			start = from_s;
		if (to_s < end)
			end = to_s;
		if (end > start)
			stretches[i] += value * (end - start);
	}
}

/* ---- CSV ---- */

void lw_chart_add_field(struct lw_strbuf *sb, const char *text)
{
	bool quoted = strpbrk(text, ",\"\r\n") != NULL;

	if (quoted)
		lw_strbuf_add(sb, "\"");
	for (; *text; text++)
		lw_strbuf_add(sb, *text == '"' ? "\"\"" : "%c", *text);
	if (quoted)
		lw_strbuf_add(sb, "\"");
}

static bool has_x_spread(const struct lw_chart *chart)
{
	for (uint32_t s = 0; s < chart->count; s++)
		for (uint32_t i = 0; i < chart->series[s].count; i++)
			if (chart->series[s].x_sd[i] > 0)
				return true;
	return false;
}

static bool has_labels(const struct lw_chart *chart)
{
	for (uint32_t s = 0; s < chart->count; s++)
		if (chart->series[s].count && chart->series[s].labels[0])
			return true;
	return false;
}

static void add_number(struct lw_strbuf *sb, double value)
{
	lw_strbuf_add(sb, ",");
	if (!isnan(value))
		lw_strbuf_add(sb, "%.10g", value);
}

static void add_point(struct lw_strbuf *sb, const struct lw_chart *chart,
		      const struct lw_chart_series *series, uint32_t i)
{
	bool bars = chart->x_axis == LW_CHART_BARS;

	lw_chart_add_field(sb, series->name);
	if (bars) {
		lw_strbuf_add(sb, ",");
		lw_chart_add_field(sb, chart->groups[i]);
	} else {
		add_number(sb, series->x[i]);
	}
	if (chart->x_axis == LW_CHART_SPANS) {
		lw_strbuf_add(sb, ",");
		lw_chart_add_field(sb, chart->groups[(int)series->y[i]]);
	} else {
		add_number(sb, series->y[i]);
	}
	if (has_x_spread(chart))
		add_number(sb, series->x_sd[i]);
	if (lw_chart_has_spread(chart))
		add_number(sb, series->y_sd[i]);
	if (has_labels(chart)) {
		lw_strbuf_add(sb, ",");
		lw_chart_add_field(sb, series->labels[i] ? series->labels[i] : "");
	}
	lw_strbuf_add(sb, "\n");
}

void lw_chart_csv(const struct lw_chart *chart, struct lw_strbuf *sb)
{
	if (chart->error)
		sb->error = chart->error;
	lw_strbuf_add(sb, "series,%s,%s", chart->x_key, chart->y_key);
	if (has_x_spread(chart))
		lw_strbuf_add(sb, ",%s_sd", chart->x_key);
	if (lw_chart_has_spread(chart))
		lw_strbuf_add(sb, ",%s_sd", chart->y_key);
	lw_strbuf_add(sb, "%s\n", has_labels(chart) ? ",label" : "");
	for (uint32_t s = 0; s < chart->count; s++)
		for (uint32_t i = 0; i < chart->series[s].count; i++)
			add_point(sb, chart, &chart->series[s], i);
}

struct lw_unit lw_unit_for(double largest_s)
{
	if (largest_s < 300)
		return (struct lw_unit){ 1, "seconds" };
	if (largest_s < 2 * 3600)
		return (struct lw_unit){ 60, "minutes" };
	if (largest_s < 4 * 86400)
		return (struct lw_unit){ 3600, "hours" };
	return (struct lw_unit){ 86400, "days" };
}

void lw_unit_print(double value, char buf[LW_UNIT_TEXT])
{
	double size = fabs(value);
	int digits = size >= 99.95 ? 0 : size >= 9.995 ? 1 : size >= 0.9995 ? 2 : 3;

	if (isnan(value))
		snprintf(buf, LW_UNIT_TEXT, "-");
	else if (value == 0)
		snprintf(buf, LW_UNIT_TEXT, "0");
	else if (size < 0.001)
		snprintf(buf, LW_UNIT_TEXT, "< 0.001");
	else
		snprintf(buf, LW_UNIT_TEXT, "%.*f", digits, value);
}
