/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: charts as SVG text. */
#include "cli/chart/draw.h"

#include <math.h>
#include <string.h>

#include "cli/common/origin.h"
#include "cli/common/output.h"

#define BAND_OPACITY 0.16
#define GROUP_ROOM   0.22 /* between groups of bars, of their width */
#define SHEET_HEAD   40
#define SHEET_GAP    14

void lw_chart_add_text(struct lw_strbuf *sb, const char *text)
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

double lw_mark_size(const struct lw_chart_series *series)
{
	return series->no_line ? 1.7 * LW_MARK_SIZE : series->marks ? LW_MARK_SIZE : 1;
}

void lw_draw_stroke(struct lw_strbuf *sb, const struct lw_look *look)
{
	lw_strbuf_add(sb, "fill=\"none\" class=\"lw-s%u\" stroke=\"%s\" stroke-dasharray=\"%s\"",
		      look->colour, lw_look_colour(look->colour, 0), lw_look_dash(look));
}

/* Paler ones have an edge of the full colour. */
void lw_draw_fill(struct lw_strbuf *sb, const struct lw_look *look)
{
	const char *colour = lw_look_colour(look->colour, 0);

	lw_strbuf_add(sb,
		      "class=\"lw-s%u lw-f%u\" fill=\"%s\" fill-opacity=\"%g\" stroke=\"%s\" "
		      "stroke-width=\"0.8\"",
		      look->colour, look->colour, colour, lw_look_opacity(look), colour);
}

/* The style of an image of CHARTS: its colours on a dark screen. */
static void add_svg_style(const struct lw_chart *charts, uint32_t count, struct lw_strbuf *sb)
{
	bool used[LW_LOOK_COLOURS] = { false };

	for (uint32_t c = 0; c < count; c++)
		for (uint32_t s = 0; s < charts[c].count; s++)
			used[charts[c].series[s].look.colour] = true;
	/* what is printed stays light, whatever the screen is */
	lw_strbuf_add(sb, "<style>@media screen and (prefers-color-scheme: dark) {\n"
			  "svg text { fill: #e8eaed; } .lw-ground { fill: " LW_LOOK_DARK_GROUND
			  "; } .lw-grid { stroke: #30353b; } .lw-axis { stroke: #9aa0a6; }\n");
	for (uint32_t c = 0; c < LW_LOOK_COLOURS; c++)
		if (used[c])
			lw_strbuf_add(sb, ".lw-s%u { stroke: %s; } .lw-f%u { fill: %s; }\n", c,
				      lw_look_colour(c, 1), c, lw_look_colour(c, 1));
	lw_strbuf_add(sb, "}</style>\n");
}

/* Add <title>, and what the image was made with. */
static void add_svg_about(struct lw_strbuf *sb, const char *title)
{
	struct lw_strbuf origin = LW_STRBUF_INIT;

	lw_origin_describe(&origin);
	lw_strbuf_add(sb, "<title>");
	lw_chart_add_text(sb, title);
	lw_strbuf_add(sb, "</title>\n<desc>");
	lw_chart_add_text(sb, lw_strbuf_text(&origin));
	lw_strbuf_add(sb, "</desc>\n");
	lw_strbuf_fini(&origin);
}

/* Between y_sd above and below it, from point FROM to before TO. */
static void add_band(const struct lw_frame *frame, const struct lw_chart_series *series,
		     uint32_t from, uint32_t to, struct lw_strbuf *sb)
{
	const char *colour = lw_look_colour(series->look.colour, 0);

	lw_strbuf_add(
		sb, "<path class=\"lw-f%u\" fill=\"%s\" fill-opacity=\"%g\" stroke=\"none\" d=\"",
		series->look.colour, colour, BAND_OPACITY);
	for (uint32_t i = from; i < to; i++)
		lw_strbuf_add(
			sb, "%s%.1f %.1f", i == from ? "M" : "L", lw_frame_x(frame, series->x[i]),
			lw_frame_y(frame, fmin(series->y[i] + series->y_sd[i], frame->y_max)));
	for (uint32_t i = to; i-- > from;)
		lw_strbuf_add(sb, "L%.1f %.1f", lw_frame_x(frame, series->x[i]),
			      lw_frame_y(frame, fmax(series->y[i] - series->y_sd[i], 0)));
	lw_strbuf_add(sb, "Z\"/>\n");
}

static void add_bands(const struct lw_frame *frame, const struct lw_chart_series *series,
		      struct lw_strbuf *sb)
{
	uint32_t from = 0;
	bool wide = false;

	if (series->no_line || series->marks)
		return;
	for (uint32_t i = 0; i <= series->count; i++) {
		if (i < series->count && !isnan(series->y[i])) {
			wide |= series->y_sd[i] > 0;
			continue;
		}
		if (wide)
			add_band(frame, series, from, i, sb);
		from = i + 1;
		wide = false;
	}
}

static void add_curve(const struct lw_frame *frame, const struct lw_chart_series *series,
		      struct lw_strbuf *sb)
{
	if (!series->count || series->no_line)
		return;
	lw_strbuf_add(sb, "<path ");
	lw_draw_stroke(sb, &series->look);
	lw_strbuf_add(sb, " stroke-width=\"%.1f\" d=\"", series->strong ? 3.0 : 1.8);
	for (uint32_t i = 0; i < series->count; i++) {
		double x = lw_frame_x(frame, series->x[i]), y = lw_frame_y(frame, series->y[i]);

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

/* How far off a value may be: a line with ends across, of which one may lie outside. */
static void add_whisker(double x0, double y0, double x1, double y1, struct lw_strbuf *sb)
{
	bool upright = x0 == x1;

	lw_strbuf_add(sb,
		      "<path class=\"lw-axis lw-whisker\" fill=\"none\" stroke=\"#555555\" "
		      "d=\"M%.1f %.1f%s%.1f",
		      x0, y0, upright ? "V" : "H", upright ? y1 : x1);
	lw_strbuf_add(sb, upright ? "M%.1f %.1fh6M%.1f %.1fh6" : "M%.1f %.1fv6M%.1f %.1fv6",
		      upright ? x0 - 3 : x0, upright ? y0 : y0 - 3, upright ? x1 - 3 : x1,
		      upright ? y1 : y1 - 3);
	lw_strbuf_add(sb, "\"/>\n");
}

static void add_marks(const struct lw_frame *frame, const struct lw_chart_series *series,
		      struct lw_strbuf *sb)
{
	for (uint32_t i = 0; i < series->count && (series->marks || series->no_line); i++) {
		double x = series->x[i], y = series->y[i], at_x = lw_frame_x(frame, x);
		double at_y = lw_frame_y(frame, y);

		if (series->y_sd[i] > 0)
			add_whisker(at_x, lw_frame_y(frame, fmax(y - series->y_sd[i], 0)), at_x,
				    lw_frame_y(frame, y + series->y_sd[i]), sb);
		if (series->x_sd[i] > 0)
			add_whisker(lw_frame_x(frame, fmax(x - series->x_sd[i], 0)), at_y,
				    lw_frame_x(frame, x + series->x_sd[i]), at_y, sb);
		lw_strbuf_add(sb, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\" ", at_x, at_y,
			      lw_mark_size(series));
		lw_draw_fill(sb, &series->look);
		lw_strbuf_add(sb, "/>\n");
	}
}

static void add_bars(const struct lw_frame *frame, uint32_t which, struct lw_strbuf *sb)
{
	const struct lw_chart_series *series = &frame->chart->series[which];
	double bottom = frame->top + frame->height;

	for (uint32_t i = 0; i < series->count; i++) {
		double group = frame->width / series->count;
		double bar = group * (1 - GROUP_ROOM) / frame->chart->count;
		double left = frame->left + group * (i + GROUP_ROOM / 2) + bar * which;
		double width = bar > 3 ? bar - 1 : bar, y = series->y[i], sd = series->y_sd[i];

		if (isnan(y))
			continue;
		lw_strbuf_add(sb, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" ",
			      left, lw_frame_y(frame, y), width, bottom - lw_frame_y(frame, y));
		lw_draw_fill(sb, &series->look);
		lw_strbuf_add(sb, "/>\n");
		if (sd > 0)
			add_whisker(left + width / 2, lw_frame_y(frame, fmax(y - sd, 0)),
				    left + width / 2, lw_frame_y(frame, y + sd), sb);
	}
}

/* between rows, of their height */
#define ROW_ROOM 0.3
/* a stretch is to be seen, however short it is, and where the next one begins */
#define NARROWEST 1.0
#define SEAM      1.2

/* Where the bars of a series lie in a row. */
struct lane {
	double top, height;
};

static struct lane lane_of(const struct lw_frame *frame, uint32_t which, double row)
{
	double rows = frame->y_max, each = frame->height / rows;
	double bar = each * (1 - ROW_ROOM) / frame->chart->count;

	return (struct lane){ frame->top + each * (row + ROW_ROOM / 2) + bar * which, bar };
}

/* From the end of one stretch to the begin of the next in that row. */
static void add_span_gap(const struct lw_frame *frame, const struct lw_chart_series *series,
			 uint32_t i, const struct lane *lane, struct lw_strbuf *sb)
{
	double from = lw_frame_x(frame, series->x[i - 1]), to = lw_frame_x(frame, series->x[i]);

	if (series->y[i - 1] != series->y[i] || to <= from)
		return;
	lw_strbuf_add(sb,
		      "<path class=\"lw-axis\" fill=\"none\" stroke=\"#555555\" "
		      "stroke-width=\"1.6\" d=\"M%.1f %.1fH%.1f\"/>\n",
		      from, lane->top + lane->height / 2, to);
}

/* Add the stretches of time of series number WHICH, and a line where one row stands still. */
static void draw_spans(const struct lw_frame *frame, uint32_t which, struct lw_strbuf *sb)
{
	const struct lw_chart_series *series = &frame->chart->series[which];

	for (uint32_t i = 0; i + 1 < series->count; i += 2) {
		struct lane lane = lane_of(frame, which, series->y[i]);
		double from = lw_frame_x(frame, series->x[i]);
		double width = lw_frame_x(frame, series->x[i + 1]) - from - SEAM;

		if (i)
			add_span_gap(frame, series, i, &lane, sb);
		lw_strbuf_add(sb, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" ",
			      from, lane.top + 0.5, width > NARROWEST ? width : NARROWEST,
			      lane.height > 2 ? lane.height - 1 : lane.height);
		lw_draw_fill(sb, &series->look);
		lw_strbuf_add(sb, "/>\n");
	}
}

static void add_series(const struct lw_frame *frame, struct lw_strbuf *sb)
{
	const struct lw_chart *chart = frame->chart;
	bool bars = chart->x_axis == LW_CHART_BARS || chart->x_axis == LW_CHART_SPANS;

	for (uint32_t s = 0; s < chart->count && !bars; s++)
		add_bands(frame, &chart->series[s], sb);
	for (uint32_t s = 0; s < chart->count; s++) {
		if (chart->x_axis == LW_CHART_SPANS)
			draw_spans(frame, s, sb);
		else if (bars)
			add_bars(frame, s, sb);
		else
			add_curve(frame, &chart->series[s], sb);
	}
	for (uint32_t s = 0; s < chart->count && !bars; s++)
		add_marks(frame, &chart->series[s], sb);
	if (!bars)
		lw_labels_draw(frame, sb);
}

static void begin_image(struct lw_strbuf *sb, const char *class, double top, double width,
			double height)
{
	lw_strbuf_add(sb, "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"%s\" ", class);
	if (top > 0)
		lw_strbuf_add(sb, "y=\"%.0f\" ", top);
	lw_strbuf_add(sb,
		      "width=\"%.0f\" height=\"%.0f\" viewBox=\"0 0 %.0f %.0f\" "
		      "font-family=\"sans-serif\" role=\"img\"",
		      width, height, width, height);
}

/* TOP is where it stands in a larger one; 0: it stands alone. */
static double add_image(const struct lw_chart *chart, enum lw_chart_form form, double top,
			struct lw_strbuf *sb)
{
	struct lw_frame frame = lw_frame_make(chart, form);

	if (chart->error)
		sb->error = chart->error;
	begin_image(sb, form == LW_CHART_PHONE ? "lw-phone" : "lw-wide", top, frame.image_width,
		    frame.image_height);
	lw_strbuf_add(sb, " font-size=\"%g\">\n", frame.font);
	if (!(top > 0)) {
		add_svg_about(sb, chart->title);
		add_svg_style(chart, 1, sb);
		lw_strbuf_add(sb,
			      "<rect class=\"lw-ground\" width=\"%.0f\" height=\"%.0f\" "
			      "fill=\"" LW_LOOK_LIGHT_GROUND "\"/>\n",
			      frame.image_width, frame.image_height);
	}
	lw_frame_draw(&frame, sb);
	add_series(&frame, sb);
	lw_strbuf_add(sb, "</svg>\n");
	return frame.image_height;
}

void lw_chart_svg(const struct lw_chart *chart, enum lw_chart_form form, struct lw_strbuf *sb)
{
	(void)add_image(chart, form, 0, sb);
}

void lw_charts_svg(const struct lw_charts *charts, struct lw_strbuf *sb)
{
	double height = SHEET_HEAD, width = 0;

	for (uint32_t i = 0; i < charts->count; i++) {
		struct lw_frame frame = lw_frame_make(&charts->charts[i], LW_CHART_WIDE);

		height += frame.image_height + SHEET_GAP;
		width = frame.image_width;
	}
	begin_image(sb, "lw-sheet", 0, width, height);
	lw_strbuf_add(sb, " font-size=\"13\">\n");
	add_svg_about(sb, charts->title);
	add_svg_style(charts->charts, charts->count, sb);
	lw_strbuf_add(sb,
		      "<rect class=\"lw-ground\" width=\"%.0f\" height=\"%.0f\" "
		      "fill=\"" LW_LOOK_LIGHT_GROUND
		      "\"/>\n<text x=\"8\" y=\"28\" font-size=\"18\" font-weight=\"bold\">",
		      width, height);
	lw_chart_add_text(sb, charts->title);
	lw_strbuf_add(sb, "</text><text x=\"%.0f\" y=\"28\" text-anchor=\"end\">", width - 18);
	lw_chart_add_text(sb, charts->about);
	lw_strbuf_add(sb, "</text>\n");
	height = SHEET_HEAD;
	for (uint32_t i = 0; i < charts->count; i++)
		height += SHEET_GAP + add_image(&charts->charts[i], LW_CHART_WIDE, height, sb);
	lw_strbuf_add(sb, "</svg>\n");
}
