/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: line charts as SVG text. */
#include "tools/svg.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define TITLE_ROOM  30
#define LABEL_ROOM  46
#define Y_ROOM      64
#define RIGHT_ROOM  18
#define TICKS       5
#define CHAR_WIDTH  7.2 /* of the legend's font, about */
#define LEGEND_LINE 34

/*
 * The colours of Okabe and Ito, Color universal design, 2008, in an order that also
 * differs in brightness; the dashes tell the lines apart without any colour.
 */
static const struct style {
	const char *colour;
	const char *dash;
} styles[LW_SVG_STYLES] = {
	{ "#0072B2", "" },        { "#D55E00", "7 3" },  { "#009E73", "2 2" },
	{ "#CC79A7", "9 3 2 3" }, { "#56B4E9", "12 4" }, { "#000000", "1 3" },
};

/* Where the curves go, and what lies at its corners. */
struct frame {
	double left, top, width, height;
	double x_max, y_max;
	enum lw_svg_axis x_axis;
};

const char *lw_svg_colour(uint32_t style)
{
	return styles[style % LW_SVG_STYLES].colour;
}

void lw_svg_add_text(struct lw_strbuf *sb, const char *text)
{
	static const char special[] = "&<>\"'";
	static const char *const names[] = { "&amp;", "&lt;", "&gt;", "&quot;", "&#39;" };

	while (*text) {
		size_t plain = strcspn(text, special);

		lw_strbuf_add_bytes(sb, text, plain);
		text += plain;
		if (*text)
			lw_strbuf_add(sb, "%s",
				      names[strchr(special, *text++) - special]);
	}
}

void lw_svg_begin(struct lw_strbuf *sb, uint32_t width, uint32_t height,
		  const char *title)
{
	lw_strbuf_add(
		sb,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\" height=\"%u\" "
		"viewBox=\"0 0 %u %u\" font-family=\"sans-serif\" font-size=\"13\" "
		"role=\"img\">\n<title>",
		width, height, width, height);
	lw_svg_add_text(sb, title);
	lw_strbuf_add(sb,
		      "</title>\n<rect width=\"%u\" height=\"%u\" fill=\"#ffffff\"/>\n",
		      width, height);
}

void lw_svg_end(struct lw_strbuf *sb)
{
	lw_strbuf_add(sb, "</svg>\n");
}

/* 1, 2 or 5 times a power of ten, so that about TICKS of them reach MAX. */
static double choose_step(double max)
{
	double raw = max / TICKS, power = pow(10, floor(log10(raw))), lead = raw / power;

	return power * (lead <= 1 ? 1 : lead <= 2 ? 2 : lead <= 5 ? 5 : 10);
}

static double x_place(const struct frame *frame, double x)
{
	if (frame->x_axis == LW_SVG_LOG_TIME)
		return frame->left +
		       frame->width * log(x > 1 ? x : 1) / log(frame->x_max);
	return frame->left + frame->width * x / frame->x_max;
}

static double y_place(const struct frame *frame, double y)
{
	return frame->top + frame->height * (1 - y / frame->y_max);
}

static void find_maxima(const struct lw_svg_chart *chart, struct frame *frame)
{
	double x_max = chart->x_max, y_max = chart->y_max;

	for (uint32_t s = 0; s < chart->series_count; s++) {
		const struct lw_svg_series *series = &chart->series[s];

		for (uint32_t i = 0; i < series->count; i++) {
			if (chart->x_max <= 0 && series->x[i] > x_max)
				x_max = series->x[i];
			if (chart->y_max <= 0 && series->y[i] > y_max)
				y_max = series->y[i];
		}
	}
	if (x_max <= 0)
		x_max = 1;
	/* a logarithmic axis needs some room between its ends */
	if (chart->x_axis == LW_SVG_LOG_TIME && x_max < 60)
		x_max = 60;
	if (y_max <= 0)
		y_max = 1;
	frame->x_max = x_max;
	frame->y_max = chart->y_max > 0
			       ? y_max
			       : ceil(y_max / choose_step(y_max)) * choose_step(y_max);
}

static void add_x_tick(struct lw_strbuf *sb, const struct frame *frame, double x,
		       const char *label)
{
	double at = x_place(frame, x), bottom = frame->top + frame->height;

	lw_strbuf_add(sb,
		      "<path d=\"M%.1f %.1fV%.1f\" stroke=\"#e4e4e4\"/>"
		      "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%s</text>\n",
		      at, frame->top, bottom, at, bottom + 17, label);
}

static void add_time_ticks(struct lw_strbuf *sb, const struct frame *frame)
{
	static const struct {
		double at_s;
		const char *label;
	} ticks[] = {
		{ 1, "1 s" },        { 10, "10 s" },        { 60, "1 min" },
		{ 600, "10 min" },   { 3600, "1 h" },       { 36000, "10 h" },
		{ 360000, "100 h" }, { 3600000, "1000 h" },
	};

	for (size_t i = 0; i < sizeof(ticks) / sizeof(ticks[0]); i++)
		if (ticks[i].at_s <= frame->x_max)
			add_x_tick(sb, frame, ticks[i].at_s, ticks[i].label);
}

static void add_linear_ticks(struct lw_strbuf *sb, const struct frame *frame)
{
	double step = choose_step(frame->x_max);
	char label[32];

	for (int i = 0; i * step <= frame->x_max * 1.0001; i++) {
		snprintf(label, sizeof(label), "%g", i * step);
		add_x_tick(sb, frame, i * step, label);
	}
}

static void add_y_ticks(struct lw_strbuf *sb, const struct frame *frame)
{
	double step = choose_step(frame->y_max);

	for (int i = 0; i * step <= frame->y_max * 1.0001; i++) {
		double at = y_place(frame, i * step);

		lw_strbuf_add(
			sb,
			"<path d=\"M%.1f %.1fH%.1f\" stroke=\"#e4e4e4\"/>"
			"<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">%g</text>\n",
			frame->left, at, frame->left + frame->width, frame->left - 8,
			at + 4.5, i * step);
	}
}

static void add_labels(struct lw_strbuf *sb, const struct lw_svg_chart *chart,
		       const struct frame *frame)
{
	double middle = frame->top + frame->height / 2;

	lw_strbuf_add(
		sb, "<text x=\"%.1f\" y=\"%.1f\" font-size=\"15\" font-weight=\"bold\">",
		frame->left, frame->top - 11);
	lw_svg_add_text(sb, chart->title);
	lw_strbuf_add(sb, "</text>\n<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">",
		      frame->left + frame->width / 2, frame->top + frame->height + 37);
	lw_svg_add_text(sb, chart->x_label);
	lw_strbuf_add(sb,
		      "</text>\n<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\" "
		      "transform=\"rotate(-90 %.1f %.1f)\">",
		      frame->left - 48, middle, frame->left - 48, middle);
	lw_svg_add_text(sb, chart->y_label);
	lw_strbuf_add(sb, "</text>\n");
}

static void add_curve(struct lw_strbuf *sb, const struct lw_svg_series *series,
		      const struct frame *frame)
{
	const struct style *style = &styles[series->style % LW_SVG_STYLES];

	if (!series->count)
		return;
	lw_strbuf_add(sb, "<path fill=\"none\" stroke=\"%s\" stroke-width=\"1.8\" ",
		      style->colour);
	if (*style->dash)
		lw_strbuf_add(sb, "stroke-dasharray=\"%s\" ", style->dash);
	lw_strbuf_add(sb, "d=\"M%.1f %.1f", x_place(frame, series->x[0]),
		      y_place(frame, series->y[0]));
	for (uint32_t i = 1; i < series->count; i++) {
		double x = x_place(frame, series->x[i]), y = y_place(frame, series->y[i]);

		if (series->steps)
			lw_strbuf_add(sb, "H%.1fV%.1f", x, y);
		else
			lw_strbuf_add(sb, "L%.1f %.1f", x, y);
	}
	lw_strbuf_add(sb, "\"/>\n");
}

void lw_svg_add_chart(struct lw_strbuf *sb, const struct lw_svg_chart *chart,
		      uint32_t left, uint32_t top, uint32_t width, uint32_t height)
{
	struct frame frame = {
		.left = left + Y_ROOM,
		.top = top + TITLE_ROOM,
		.width = (double)width - Y_ROOM - RIGHT_ROOM,
		.height = (double)height - TITLE_ROOM - LABEL_ROOM,
		.x_axis = chart->x_axis,
	};

	find_maxima(chart, &frame);
	if (chart->x_axis == LW_SVG_LOG_TIME)
		add_time_ticks(sb, &frame);
	else
		add_linear_ticks(sb, &frame);
	add_y_ticks(sb, &frame);
	lw_strbuf_add(
		sb,
		"<path d=\"M%.1f %.1fV%.1fH%.1f\" fill=\"none\" stroke=\"#555555\"/>\n",
		frame.left, frame.top, frame.top + frame.height,
		frame.left + frame.width);
	add_labels(sb, chart, &frame);
	for (uint32_t s = 0; s < chart->series_count; s++)
		add_curve(sb, &chart->series[s], &frame);
}

void lw_svg_add_legend(struct lw_strbuf *sb, const struct lw_svg_series *series,
		       uint32_t count, uint32_t left, uint32_t top)
{
	double x = left;

	for (uint32_t i = 0; i < count; i++) {
		const struct style *style = &styles[series[i].style % LW_SVG_STYLES];

		lw_strbuf_add(
			sb,
			"<path d=\"M%.1f %uh%d\" stroke=\"%s\" stroke-width=\"2.6\" "
			"stroke-dasharray=\"%s\"/><text x=\"%.1f\" y=\"%u\">",
			x, top, LEGEND_LINE, style->colour,
			*style->dash ? style->dash : "none", x + LEGEND_LINE + 6,
			top + 5);
		lw_svg_add_text(sb, series[i].name);
		lw_strbuf_add(sb, "</text>\n");
		x += LEGEND_LINE + 30 + CHAR_WIDTH * (double)strlen(series[i].name);
	}
}
