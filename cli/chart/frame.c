/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what stands around the curves of a chart: title, legend, axes. */
#include "cli/chart/draw.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/chart/letters.h"

#define EDGE       8
#define TITLE_LINE 20
#define LEGEND_ROW 19
#define SWATCH     34 /* of a legend: as long as two dashes */
#define LABEL_LINE 17
#define TICK_ROW   16
#define BOTTOM     8

static const struct {
	double width, plot_height, font;
} forms[] = {
	[LW_CHART_WIDE] = { 960, 236, 13 },
	[LW_CHART_PHONE] = { 360, 200, 12 },
};

static double letter_of(const struct lw_frame *frame)
{
	return LW_LETTERS_PLAIN * frame->font;
}

static double bold_of(const struct lw_frame *frame)
{
	return LW_LETTERS_BOLD * (frame->font + 2);
}

static double room_of(const struct lw_frame *frame)
{
	return frame->image_width - 2 * EDGE;
}

/* 1, 2 or 5 times a power of ten, so that about TICKS of them reach MAX. */
static double choose_step(double max, double ticks)
{
	double raw = max / ticks, power = pow(10, floor(log10(raw))), lead = raw / power;

	return power * (lead <= 1 ? 1 : lead <= 2 ? 2 : lead <= 5 ? 5 : 10);
}

double lw_frame_x(const struct lw_frame *frame, double x)
{
	double least = frame->chart->x_min;

	if (frame->chart->x_axis == LW_CHART_LOG)
		return frame->left + frame->width * log((x > least ? x : least) / least) /
					     log(frame->x_max / least);
	return frame->left + frame->width * x / frame->x_max;
}

double lw_frame_y(const struct lw_frame *frame, double y)
{
	return frame->top + frame->height * (1 - y / frame->y_max);
}

static void find_maxima(struct lw_frame *frame)
{
	const struct lw_chart *chart = frame->chart;
	double x_max = chart->x_max, y_max = chart->y_max;

	for (uint32_t s = 0; s < chart->count; s++) {
		const struct lw_chart_series *series = &chart->series[s];

		for (uint32_t i = 0; i < series->count; i++) {
			if (chart->x_max <= 0)
				x_max = fmax(x_max, series->x[i] + series->x_sd[i]);
			/* what another run may be is no more than all */
			y_max = fmax(y_max,
				     series->y[i] + (chart->y_max > 0 ? 0 : series->y_sd[i]));
		}
	}
	/* a logarithmic axis needs some room between its ends */
	if (chart->x_axis == LW_CHART_LOG)
		x_max = fmax(x_max, 100 * chart->x_min);
	frame->x_max = x_max > 0 ? x_max : 1;
	if (y_max <= 0)
		y_max = 1;
	frame->y_step = choose_step(y_max, 5);
	/* by rounding a share may be a little above the whole, and by what we were told far */
	frame->y_max = y_max > chart->y_max * 1.001 ? ceil(y_max / frame->y_step) * frame->y_step
						    : chart->y_max;
	frame->y_step = choose_step(frame->y_max, 5);
	frame->x_step = choose_step(frame->x_max, floor(frame->image_width / 90));
}

/* The legend: where each entry goes, and what of its name has room. */
struct entry {
	char name[LW_CHART_NAME];
	double x;
	uint32_t row;
};

static uint32_t lay_legend(const struct lw_frame *frame, struct entry entries[LW_CHART_SERIES])
{
	double x = 0, room = room_of(frame), letter = letter_of(frame);
	uint32_t row = 0;

	for (uint32_t s = 0; s < frame->chart->count; s++) {
		struct entry *entry = &entries[s];
		double need;

		lw_letters_fit(frame->chart->series[s].name, letter, room - SWATCH - 6,
			       sizeof(entry->name), entry->name);
		need = SWATCH + 6 + lw_letters_width(entry->name, letter);
		if (x > 0 && x + need > room) {
			x = 0;
			row++;
		}
		entry->x = x;
		entry->row = row;
		x += need + 20;
	}
	return frame->chart->count ? row + 1 : 0;
}

static bool has_rows(const struct lw_frame *frame)
{
	return frame->chart->x_axis == LW_CHART_SPANS;
}

/* The widest number, or name, on the axis at the left. */
static double y_room(const struct lw_frame *frame)
{
	double widest = 0;
	char label[32];

	for (int i = 0; has_rows(frame) && i < frame->y_max; i++)
		widest =
			fmax(widest, lw_letters_width(frame->chart->groups[i], letter_of(frame)));
	for (int i = 0; !has_rows(frame) && i * frame->y_step <= frame->y_max * 1.0001; i++) {
		snprintf(label, sizeof(label), "%g", i * frame->y_step);
		widest = fmax(widest, lw_letters_width(label, letter_of(frame)));
	}
	return widest + 12;
}

static bool must_stagger(const struct lw_frame *frame)
{
	const struct lw_chart *chart = frame->chart;
	uint32_t count = chart->count ? chart->series[0].count : 0;

	for (uint32_t i = 0; chart->x_axis == LW_CHART_BARS && i < count; i++)
		if (lw_letters_width(chart->groups[i], letter_of(frame)) + 4 >
		    frame->width / count)
			return true;
	return false;
}

struct lw_frame lw_frame_make(const struct lw_chart *chart, enum lw_chart_form form)
{
	struct lw_frame frame = { .chart = chart,
				  .image_width = forms[form].width,
				  .font = forms[form].font,
				  .height = forms[form].plot_height };
	struct entry entries[LW_CHART_SERIES];

	find_maxima(&frame);
	frame.left = EDGE + y_room(&frame);
	frame.width = frame.image_width - frame.left - LW_FRAME_RIGHT;
	frame.staggered = must_stagger(&frame);
	frame.top =
		EDGE +
		TITLE_LINE * lw_letters_lines(chart->title, bold_of(&frame), room_of(&frame)) +
		LEGEND_ROW * lay_legend(&frame, entries) +
		LABEL_LINE *
			lw_letters_lines(chart->y_label, letter_of(&frame), room_of(&frame)) +
		8;
	frame.image_height =
		frame.top + frame.height + TICK_ROW * (frame.staggered ? 2 : 1) + 4 +
		LABEL_LINE * lw_letters_lines(chart->x_label, letter_of(&frame), frame.width) +
		BOTTOM;
	return frame;
}

/* A text of several lines. */
struct caption {
	const char *text, *attributes;
	double x, y; /* the foot of the first line */
	double letter, line_height, room;
};

/* Add as many lines as it needs; where the next would be. */
static double add_caption(const struct caption *caption, struct lw_strbuf *sb)
{
	const char *text = caption->text;
	double y = caption->y;
	char line[256];

	for (; *text; y += caption->line_height) {
		size_t len = lw_letters_line(text, caption->letter, caption->room);

		snprintf(line, sizeof(line), "%.*s", (int)len, text);
		lw_strbuf_add(sb, "<text x=\"%.1f\" y=\"%.1f\"%s>", caption->x, y,
			      caption->attributes);
		lw_chart_add_text(sb, line);
		lw_strbuf_add(sb, "</text>\n");
		text = lw_letters_rest(text, len);
	}
	return y;
}

static void add_swatch(const struct lw_frame *frame, const struct lw_chart_series *series,
		       double x, double y, struct lw_strbuf *sb)
{
	if (frame->chart->x_axis == LW_CHART_BARS || has_rows(frame)) {
		lw_strbuf_add(sb, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%d\" height=\"10\" ", x,
			      y - 5, SWATCH);
		lw_draw_fill(sb, &series->look);
		lw_strbuf_add(sb, "/>");
		return;
	}
	if (!series->no_line) {
		lw_strbuf_add(sb, "<path d=\"M%.1f %.1fh%d\" stroke-width=\"%.1f\" ", x, y,
			      SWATCH, series->strong ? 3.0 : 2.2);
		lw_draw_stroke(sb, &series->look);
		lw_strbuf_add(sb, "/>");
	}
	if (series->marks || series->no_line) {
		lw_strbuf_add(sb, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\" ", x + SWATCH / 2.0,
			      y, series->no_line ? 5 : LW_MARK_SIZE);
		lw_draw_fill(sb, &series->look);
		lw_strbuf_add(sb, "/>");
	}
}

static double add_legend(const struct lw_frame *frame, double y, struct lw_strbuf *sb)
{
	struct entry entries[LW_CHART_SERIES];
	uint32_t rows = lay_legend(frame, entries);

	for (uint32_t s = 0; s < frame->chart->count; s++) {
		double at = y + entries[s].row * LEGEND_ROW;

		add_swatch(frame, &frame->chart->series[s], EDGE + entries[s].x, at - 4.5, sb);
		lw_strbuf_add(sb, "<text x=\"%.1f\" y=\"%.1f\">",
			      EDGE + entries[s].x + SWATCH + 6, at);
		lw_chart_add_text(sb, entries[s].name);
		lw_strbuf_add(sb, "</text>\n");
	}
	return y + rows * LEGEND_ROW;
}

static void add_x_tick(const struct lw_frame *frame, double x, const char *label,
		       struct lw_strbuf *sb)
{
	double at = lw_frame_x(frame, x), bottom = frame->top + frame->height;

	lw_strbuf_add(sb,
		      "<path class=\"lw-grid\" d=\"M%.1f %.1fV%.1f\" stroke=\"#e4e4e4\"/>"
		      "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%s</text>\n",
		      at, frame->top, bottom, at, bottom + TICK_ROW, label);
}

static void add_linear_ticks(const struct lw_frame *frame, struct lw_strbuf *sb)
{
	char label[32];

	for (int i = 0; i * frame->x_step <= frame->x_max * 1.0001; i++) {
		snprintf(label, sizeof(label), "%g", i * frame->x_step);
		add_x_tick(frame, i * frame->x_step, label, sb);
	}
}

/* Powers of ten, or every second or third of them where there is no room for all. */
static void add_log_ticks(const struct lw_frame *frame, struct lw_strbuf *sb)
{
	int first = (int)ceil(log10(frame->chart->x_min) - 1e-9);
	int last = (int)floor(log10(frame->x_max) + 1e-9);
	int step = 1 + (int)((last - first) * 7 * letter_of(frame) / frame->width);
	char label[32];

	for (int power = first; power <= last; power += step) {
		snprintf(label, sizeof(label), "%g", pow(10, power));
		add_x_tick(frame, pow(10, power), label, sb);
	}
}

static void add_group_names(const struct lw_frame *frame, struct lw_strbuf *sb)
{
	uint32_t count = frame->chart->count ? frame->chart->series[0].count : 0;

	for (uint32_t i = 0; i < count; i++) {
		lw_strbuf_add(sb, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">",
			      frame->left + frame->width * (i + 0.5) / count,
			      frame->top + frame->height +
				      TICK_ROW * (frame->staggered && i % 2 ? 2 : 1));
		lw_chart_add_text(sb, frame->chart->groups[i]);
		lw_strbuf_add(sb, "</text>\n");
	}
}

static void add_y_ticks(const struct lw_frame *frame, struct lw_strbuf *sb)
{
	for (int i = 0; i * frame->y_step <= frame->y_max * 1.0001; i++) {
		double at = lw_frame_y(frame, i * frame->y_step);

		lw_strbuf_add(sb,
			      "<path class=\"lw-grid\" d=\"M%.1f %.1fH%.1f\" stroke=\"#e4e4e4\"/>"
			      "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">%g</text>\n",
			      frame->left, at, frame->left + frame->width, frame->left - 7,
			      at + 4.5, i * frame->y_step);
	}
}

/* Each in the middle of its row. */
static void add_row_names(const struct lw_frame *frame, struct lw_strbuf *sb)
{
	for (int i = 0; i < frame->y_max; i++) {
		lw_strbuf_add(sb, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">",
			      frame->left - 7,
			      frame->top + frame->height * (i + 0.5) / frame->y_max + 4.5);
		lw_chart_add_text(sb, frame->chart->groups[i]);
		lw_strbuf_add(sb, "</text>\n");
	}
}

static void add_axes(const struct lw_frame *frame, struct lw_strbuf *sb)
{
	switch (frame->chart->x_axis) {
	case LW_CHART_LINEAR:
	case LW_CHART_SPANS:
		add_linear_ticks(frame, sb);
		break;
	case LW_CHART_LOG:
		add_log_ticks(frame, sb);
		break;
	case LW_CHART_BARS:
		add_group_names(frame, sb);
		break;
	}
	if (has_rows(frame))
		add_row_names(frame, sb);
	else
		add_y_ticks(frame, sb);
	lw_strbuf_add(sb,
		      "<path class=\"lw-axis\" d=\"M%.1f %.1fV%.1fH%.1f\" fill=\"none\" "
		      "stroke=\"#555555\"/>\n",
		      frame->left, frame->top, frame->top + frame->height,
		      frame->left + frame->width);
}

void lw_frame_draw(const struct lw_frame *frame, struct lw_strbuf *sb)
{
	const struct lw_chart *chart = frame->chart;
	double letter = letter_of(frame), y;
	char bold[64];
	struct caption title = { .text = chart->title,
				 .attributes = bold,
				 .x = EDGE,
				 .y = EDGE + 14,
				 .letter = bold_of(frame),
				 .line_height = TITLE_LINE,
				 .room = room_of(frame) };
	struct caption label = { .text = chart->y_label,
				 .attributes = "",
				 .x = EDGE,
				 .letter = letter,
				 .line_height = LABEL_LINE,
				 .room = room_of(frame) };

	snprintf(bold, sizeof(bold), " font-size=\"%g\" font-weight=\"bold\"", frame->font + 2);
	y = add_caption(&title, sb);
	label.y = add_legend(frame, y, sb);
	add_caption(&label, sb);
	add_axes(frame, sb);
	label.text = chart->x_label;
	label.attributes = " text-anchor=\"middle\"";
	label.x = frame->left + frame->width / 2;
	label.y = frame->image_height - BOTTOM + 4 -
		  LABEL_LINE * (lw_letters_lines(chart->x_label, letter, frame->width) - 1.0) - 4;
	label.room = frame->width;
	add_caption(&label, sb);
}
