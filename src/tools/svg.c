/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: line and bar charts as SVG text. */
#include "tools/svg.h"

#include "tools/output.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define TITLE_ROOM  30
#define LABEL_ROOM  46
#define Y_ROOM      64
#define RIGHT_ROOM  18
#define TICKS       5
#define LETTER_WIDTH 7.2 /* of the legend's font, about */
#define LEGEND_LINE 34
#define MARK_SIZE   3.6
#define GROUP_ROOM  0.22 /* between groups of bars, of their width */

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

/* What labels must not cover. */
#define BOXES        400
#define LABEL_HEIGHT 13.0

struct box {
	double left, top, right, bottom;
};

struct boxes {
	const struct frame *frame;
	struct box boxes[BOXES];
	uint32_t count;
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
		const char *found = strchr(special, *text);
		size_t len = lw_output_utf8(text);

		if (found)
			lw_strbuf_add(sb, "%s", names[found - special]);
		else if (len)
			lw_strbuf_add_bytes(sb, text, len);
		else
			lw_strbuf_add(sb, "?");
		text += len ? len : 1;
	}
}

void lw_svg_begin(struct lw_strbuf *sb, uint32_t width, uint32_t height, const char *title)
{
	lw_strbuf_add(sb,
		      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\" height=\"%u\" "
		      "viewBox=\"0 0 %u %u\" font-family=\"sans-serif\" font-size=\"13\" "
		      "role=\"img\">\n<title>",
		      width, height, width, height);
	lw_svg_add_text(sb, title);
	lw_strbuf_add(sb, "</title>\n<rect width=\"%u\" height=\"%u\" fill=\"#ffffff\"/>\n",
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
		return frame->left + frame->width * log(x > 1 ? x : 1) / log(frame->x_max);
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
			if (chart->x_max <= 0 && series->x && series->x[i] > x_max)
				x_max = series->x[i];
			if (series->y[i] > y_max)
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
	/* by rounding a share may be a little above the whole, and by what we were told far */
	frame->y_max = y_max > chart->y_max * 1.001
			       ? ceil(y_max / choose_step(y_max)) * choose_step(y_max)
			       : chart->y_max;
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
		{ 1, "1 s" },    { 10, "10 s" },    { 60, "1 min" },     { 600, "10 min" },
		{ 3600, "1 h" }, { 36000, "10 h" }, { 360000, "100 h" }, { 3600000, "1000 h" },
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

static void add_name_ticks(struct lw_strbuf *sb, const struct lw_svg_chart *chart,
			   const struct frame *frame)
{
	uint32_t count = chart->series_count ? chart->series[0].count : 0;

	for (uint32_t i = 0; i < count; i++) {
		lw_strbuf_add(sb, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">",
			      frame->left + frame->width * (i + 0.5) / count,
			      frame->top + frame->height + 17);
		lw_svg_add_text(sb, chart->names[i]);
		lw_strbuf_add(sb, "</text>\n");
	}
}

static void add_x_ticks(struct lw_strbuf *sb, const struct lw_svg_chart *chart,
			const struct frame *frame)
{
	switch (chart->x_axis) {
	case LW_SVG_LINEAR:
		add_linear_ticks(sb, frame);
		break;
	case LW_SVG_LOG_TIME:
		add_time_ticks(sb, frame);
		break;
	case LW_SVG_NAMES:
		add_name_ticks(sb, chart, frame);
		break;
	}
}

static void add_y_ticks(struct lw_strbuf *sb, const struct frame *frame)
{
	double step = choose_step(frame->y_max);

	for (int i = 0; i * step <= frame->y_max * 1.0001; i++) {
		double at = y_place(frame, i * step);

		lw_strbuf_add(sb,
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

	lw_strbuf_add(sb, "<text x=\"%.1f\" y=\"%.1f\" font-size=\"15\" font-weight=\"bold\">",
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

	if (!series->count || series->no_line)
		return;
	lw_strbuf_add(sb, "<path fill=\"none\" stroke=\"%s\" stroke-width=\"%.1f\" ",
		      style->colour, series->strong ? 3.0 : 1.8);
	if (*style->dash)
		lw_strbuf_add(sb, "stroke-dasharray=\"%s\" ", style->dash);
	lw_strbuf_add(sb, "d=\"");
	for (uint32_t i = 0; i < series->count; i++) {
		double x = x_place(frame, series->x[i]), y = y_place(frame, series->y[i]);

		if (isnan(y))
			continue;
		if (!i || isnan(series->y[i - 1]))
			lw_strbuf_add(sb, "M%.1f %.1f", x, y);
		else if (series->steps)
			lw_strbuf_add(sb, "H%.1fV%.1f", x, y);
		else
			lw_strbuf_add(sb, "L%.1f %.1f", x, y);
	}
	lw_strbuf_add(sb, "\"/>\n");
}

static void add_marks(struct lw_strbuf *sb, const struct lw_svg_series *series,
		      const struct frame *frame)
{
	for (uint32_t i = 0; i < series->count && (series->marks || series->no_line); i++)
		lw_strbuf_add(sb,
			      "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\" fill=\"%s\" "
			      "stroke=\"#ffffff\"/>\n",
			      x_place(frame, series->x[i]), y_place(frame, series->y[i]),
			      series->no_line ? 1.7 * MARK_SIZE : MARK_SIZE,
			      lw_svg_colour(series->style));
}

/* Is there nothing yet where BOX would be? */
static bool is_clear(const struct boxes *boxes, const struct box *box)
{
	const struct frame *frame = boxes->frame;

	if (box->left < frame->left || box->right > frame->left + frame->width + RIGHT_ROOM ||
	    box->top < frame->top || box->bottom > frame->top + frame->height)
		return false;
	for (uint32_t i = 0; i < boxes->count; i++) {
		const struct box *other = &boxes->boxes[i];

		if (box->left < other->right && other->left < box->right &&
		    box->top < other->bottom && other->top < box->bottom)
			return false;
	}
	return true;
}

static void take_place(struct boxes *boxes, const struct box *box)
{
	if (boxes->count < BOXES)
		boxes->boxes[boxes->count++] = *box;
}

/* The dots, and the lines between them bit by bit. */
static void take_places(struct boxes *boxes, const struct lw_svg_series *series)
{
	for (uint32_t i = 0; i < series->count; i++) {
		double x = x_place(boxes->frame, series->x[i]);
		double y = y_place(boxes->frame, series->y[i]), half = MARK_SIZE;
		double from_x = x, from_y = y;
		int bits;

		if (i && !series->no_line) {
			from_x = x_place(boxes->frame, series->x[i - 1]);
			from_y = y_place(boxes->frame, series->y[i - 1]);
		}
		bits = 1 + (int)fmin(fmax((x - from_x) / LABEL_HEIGHT, 0), BOXES);
		for (int b = 0; b < bits; b++) {
			double at_x = x + (from_x - x) * b / bits;
			double at_y = y + (from_y - y) * b / bits;

			take_place(boxes, &(struct box){ at_x - half, at_y - half, at_x + half,
							 at_y + half });
		}
	}
}

/* A word beside its point, where it covers nothing; left out if there is no such place. */
static void add_label(struct lw_strbuf *sb, const struct lw_svg_series *series, uint32_t i,
		      struct boxes *boxes)
{
	double x = x_place(boxes->frame, series->x[i]), y = y_place(boxes->frame, series->y[i]);
	double width = LETTER_WIDTH * (double)strlen(series->labels[i]);
	double gap = 2 * MARK_SIZE;
	const struct {
		double left, top;
	} places[] = {
		{ x + gap, y - LABEL_HEIGHT - 1 }, { x + gap, y + 1 },
		{ x + gap, y - LABEL_HEIGHT / 2 }, { x - gap - width, y - LABEL_HEIGHT - 1 },
		{ x - gap - width, y + 1 },        { x - width / 2, y - LABEL_HEIGHT - gap },
		{ x - width / 2, y + gap },
	};

	for (size_t p = 0; p < sizeof(places) / sizeof(places[0]); p++) {
		struct box box = { places[p].left, places[p].top, places[p].left + width,
				   places[p].top + LABEL_HEIGHT };

		if (!is_clear(boxes, &box))
			continue;
		take_place(boxes, &box);
		lw_strbuf_add(sb, "<text x=\"%.1f\" y=\"%.1f\" font-size=\"12\">", box.left,
			      box.bottom - 3);
		lw_svg_add_text(sb, series->labels[i]);
		lw_strbuf_add(sb, "</text>\n");
		return;
	}
}

static void add_all_labels(struct lw_strbuf *sb, const struct lw_svg_chart *chart,
			   const struct frame *frame)
{
	struct boxes boxes = { .frame = frame };

	for (uint32_t s = 0; s < chart->series_count; s++)
		take_places(&boxes, &chart->series[s]);
	for (uint32_t s = chart->series_count; s-- > 0;) {
		for (uint32_t i = 0; i < chart->series[s].count && chart->series[s].labels; i++)
			add_label(sb, &chart->series[s], i, &boxes);
	}
}

static void add_bars(struct lw_strbuf *sb, const struct lw_svg_chart *chart, uint32_t which,
		     const struct frame *frame)
{
	const struct lw_svg_series *series = &chart->series[which];
	double bottom = frame->top + frame->height;

	for (uint32_t i = 0; i < series->count; i++) {
		double group = frame->width / series->count;
		double bar = group * (1 - GROUP_ROOM) / chart->series_count;
		double top = y_place(frame, series->y[i]);

		lw_strbuf_add(sb,
			      "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" "
			      "fill=\"%s\"/>\n",
			      frame->left + group * (i + GROUP_ROOM / 2) + bar * which, top,
			      bar > 3 ? bar - 1 : bar, bottom - top,
			      lw_svg_colour(series->style));
	}
}

static void add_series(struct lw_strbuf *sb, const struct lw_svg_chart *chart, uint32_t which,
		       const struct frame *frame)
{
	if (chart->x_axis == LW_SVG_NAMES) {
		add_bars(sb, chart, which, frame);
		return;
	}
	add_curve(sb, &chart->series[which], frame);
}

void lw_svg_add_chart(struct lw_strbuf *sb, const struct lw_svg_chart *chart, uint32_t left,
		      uint32_t top, uint32_t width, uint32_t height)
{
	struct frame frame = {
		.left = left + Y_ROOM,
		.top = top + TITLE_ROOM,
		.width = (double)width - Y_ROOM - RIGHT_ROOM,
		.height = (double)height - TITLE_ROOM - LABEL_ROOM,
		.x_axis = chart->x_axis,
	};

	find_maxima(chart, &frame);
	add_x_ticks(sb, chart, &frame);
	add_y_ticks(sb, &frame);
	lw_strbuf_add(sb, "<path d=\"M%.1f %.1fV%.1fH%.1f\" fill=\"none\" stroke=\"#555555\"/>\n",
		      frame.left, frame.top, frame.top + frame.height, frame.left + frame.width);
	add_labels(sb, chart, &frame);
	for (uint32_t s = 0; s < chart->series_count; s++)
		add_series(sb, chart, s, &frame);
	if (chart->x_axis == LW_SVG_NAMES)
		return;
	for (uint32_t s = 0; s < chart->series_count; s++)
		add_marks(sb, &chart->series[s], &frame);
	add_all_labels(sb, chart, &frame);
}

static double legend_width(const struct lw_svg_series *series)
{
	return LEGEND_LINE + 30 + LETTER_WIDTH * (double)strlen(series->name);
}

/* Where entry I of a legend goes: the next place to the right, or a new row. */
static void next_place(const struct lw_svg_series *series, double width, double *x, uint32_t *row,
		       double *ret_end)
{
	double need = legend_width(series);

	if (*x > 0 && *x + need > width) {
		*x = 0;
		++*row;
	}
	*ret_end = *x + need;
}

uint32_t lw_svg_legend_rows(const struct lw_svg_series *series, uint32_t count, uint32_t width)
{
	double x = 0;
	uint32_t row = 0;

	for (uint32_t i = 0; i < count; i++)
		next_place(&series[i], width, &x, &row, &x);
	return row + 1;
}

void lw_svg_add_legend(struct lw_strbuf *sb, const struct lw_svg_series *series, uint32_t count,
		       uint32_t left, uint32_t top, uint32_t width)
{
	double x = 0, end;
	uint32_t row = 0;

	for (uint32_t i = 0; i < count; i++) {
		const struct style *style = &styles[series[i].style % LW_SVG_STYLES];
		uint32_t y;

		next_place(&series[i], width, &x, &row, &end);
		y = top + row * LW_SVG_LEGEND_ROW;
		lw_strbuf_add(sb,
			      "<path d=\"M%.1f %uh%d\" stroke=\"%s\" stroke-width=\"2.6\" "
			      "stroke-dasharray=\"%s\"/><text x=\"%.1f\" y=\"%u\">",
			      left + x, y, LEGEND_LINE, style->colour,
			      *style->dash ? style->dash : "none", left + x + LEGEND_LINE + 6,
			      y + 5);
		lw_svg_add_text(sb, series[i].name);
		lw_strbuf_add(sb, "</text>\n");
		x = end;
	}
}
