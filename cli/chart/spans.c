/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: a chart of stretches of time: bars in rows, one row a group. */
#include "cli/chart/draw.h"

/* between rows, of their height */
#define ROW_ROOM 0.3
/* a stretch is to be seen, however short it is, and where the next one begins */
#define NARROWEST 1.0
#define SEAM      1.2

/* Where the bars of a series lie in a row. */
struct band {
	double top, height;
};

static struct band band_of(const struct lw_frame *frame, uint32_t which, double row)
{
	double rows = frame->y_max, each = frame->height / rows;
	double bar = each * (1 - ROW_ROOM) / frame->chart->count;

	return (struct band){ frame->top + each * (row + ROW_ROOM / 2) + bar * which, bar };
}

/* From the end of one stretch to the begin of the next in that row. */
static void add_gap(const struct lw_frame *frame, const struct lw_chart_series *series,
		    uint32_t i, const struct band *band, struct lw_strbuf *sb)
{
	double from = lw_frame_x(frame, series->x[i - 1]), to = lw_frame_x(frame, series->x[i]);

	if (series->y[i - 1] != series->y[i] || to <= from)
		return;
	lw_strbuf_add(sb,
		      "<path class=\"lw-axis\" fill=\"none\" stroke=\"#555555\" "
		      "stroke-width=\"1.6\" d=\"M%.1f %.1fH%.1f\"/>\n",
		      from, band->top + band->height / 2, to);
}

void lw_spans_draw(const struct lw_frame *frame, uint32_t which, struct lw_strbuf *sb)
{
	const struct lw_chart_series *series = &frame->chart->series[which];

	for (uint32_t i = 0; i + 1 < series->count; i += 2) {
		struct band band = band_of(frame, which, series->y[i]);
		double from = lw_frame_x(frame, series->x[i]);
		double width = lw_frame_x(frame, series->x[i + 1]) - from - SEAM;

		if (i)
			add_gap(frame, series, i, &band, sb);
		lw_strbuf_add(sb, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" ",
			      from, band.top + 0.5, width > NARROWEST ? width : NARROWEST,
			      band.height > 2 ? band.height - 1 : band.height);
		lw_draw_fill(sb, &series->look);
		lw_strbuf_add(sb, "/>\n");
	}
}
