/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: words beside the dots of a chart, apart from each other and from the curves. */
#include "cli/chart/draw.h"

#include <math.h>
#include <string.h>

#include "cli/chart/letters.h"

#define BOXES  2000
#define HEIGHT 14.0
/* between a dot and its name, and what is not near to it */
#define GAP   10.0
#define APART 3
/* how far from its dot a word may go, in steps of its height */
#define RINGS 16

struct box {
	double left, top, right, bottom;
	bool word; /* which no line to another may cross, either */
};

/* What words must not cover. */
struct boxes {
	const struct lw_frame *frame;
	struct box boxes[BOXES];
	uint32_t count;
};

static void take_place(struct boxes *boxes, struct box box)
{
	if (boxes->count < BOXES)
		boxes->boxes[boxes->count++] = box;
}

/* Is there nothing yet where BOX would be? */
static bool is_clear(const struct boxes *boxes, const struct box *box)
{
	const struct lw_frame *frame = boxes->frame;

	if (box->left < frame->left + 2 ||
	    box->right > frame->left + frame->width + LW_FRAME_RIGHT || box->top < frame->top ||
	    box->bottom > frame->top + frame->height)
		return false;
	for (uint32_t i = 0; i < boxes->count; i++) {
		const struct box *other = &boxes->boxes[i];

		if (box->left < other->right && other->left < box->right &&
		    box->top < other->bottom && other->top < box->bottom)
			return false;
	}
	return true;
}

/* A line, bit by bit, HALF to each side. */
static void take_line(struct boxes *boxes, double x, double y, double to_x, double to_y,
		      double half)
{
	int bits = 1 + (int)fmin(hypot(to_x - x, to_y - y) / 6, BOXES);

	for (int b = 0; b <= bits; b++) {
		double at_x = x + (to_x - x) * b / bits, at_y = y + (to_y - y) * b / bits;

		take_place(boxes, (struct box){ at_x - half, at_y - half, at_x + half,
						at_y + half, false });
	}
}

/* The dots, how far off they may be, and the lines between them. */
static void take_places(struct boxes *boxes, const struct lw_chart_series *series)
{
	const struct lw_frame *frame = boxes->frame;
	double half = lw_mark_size(series), last_x = 0, last_y = 0;

	for (uint32_t i = 0; i < series->count; i++) {
		double x = lw_frame_x(frame, series->x[i]), y = lw_frame_y(frame, series->y[i]);

		/* what stands close to a dot is read as its name */
		take_place(boxes, (struct box){ x - half - APART, y - half - APART,
						x + half + APART, y + half + APART, false });
		take_line(boxes, lw_frame_x(frame, fmax(series->x[i] - series->x_sd[i], 0)), y,
			  lw_frame_x(frame, series->x[i] + series->x_sd[i]), y, 2);
		take_line(boxes, x, lw_frame_y(frame, fmax(series->y[i] - series->y_sd[i], 0)), x,
			  lw_frame_y(frame, series->y[i] + series->y_sd[i]), 2);
		if (i && !series->no_line)
			take_line(boxes, last_x, last_y, x, y, 1);
		last_x = x;
		last_y = y;
	}
}

/*
 * A place around a dot, in one of SIDES directions: the word's near end, or its middle, lies
 * there. To the right, above or below, comes first, as people write.
 */
#define SIDES 16
static struct box place_of(double x, double y, double width, int ring, int side)
{
	static const int order[SIDES] = { 15, 1, 0, 14, 2, 9, 7, 8, 10, 6, 13, 3, 11, 5, 12, 4 };
	double angle = order[side] * 2 * acos(-1) / SIDES, far = GAP + ring * HEIGHT;
	double at_x = x + far * cos(angle), middle = y + far * 1.2 * sin(angle), left;

	left = cos(angle) > 0.2 ? at_x : cos(angle) < -0.2 ? at_x - width : at_x - width / 2;
	return (struct box){ left, middle - HEIGHT / 2, left + width, middle + HEIGHT / 2, true };
}

/* The point of a word that is nearest to its dot. */
static void find_end(double x, double y, const struct box *box, double *ret_x, double *ret_y)
{
	*ret_x = fmin(fmax(x, box->left), box->right);
	*ret_y = box->top > y ? box->top : box->bottom < y ? box->bottom : y;
}

/* Would the line from a dot to its word go through another word? */
static bool crosses_word(const struct boxes *boxes, double x, double y, const struct box *box)
{
	double to_x, to_y;

	find_end(x, y, box, &to_x, &to_y);
	for (uint32_t i = 0; i < boxes->count; i++) {
		const struct box *other = &boxes->boxes[i];

		for (int bit = 0; other->word && bit <= 32; bit++) {
			double at_x = x + (to_x - x) * bit / 32, at_y = y + (to_y - y) * bit / 32;

			if (at_x > other->left && at_x < other->right && at_y > other->top &&
			    at_y < other->bottom)
				return true;
		}
	}
	return false;
}

/* Lines through words are bad, and words that are missing are worse. */
static bool find_place(const struct boxes *boxes, double x, double y, double width,
		       struct box *ret_box, int *ret_ring)
{
	for (int i = 0; i < 2 * RINGS * SIDES; i++) {
		int ring = i / SIDES % RINGS;
		bool may_cross = ring == 0 || i >= RINGS * SIDES;

		*ret_box = place_of(x, y, width, ring, i % SIDES);
		*ret_ring = ring;
		if (is_clear(boxes, ret_box) &&
		    (may_cross || !crosses_word(boxes, x, y, ret_box)))
			return true;
	}
	return false;
}

static void add_leader(struct boxes *boxes, double x, double y, const struct box *box,
		       struct lw_strbuf *sb)
{
	double to_x, to_y;

	find_end(x, y, box, &to_x, &to_y);
	take_line(boxes, x, y, to_x, to_y, 0.5);
	lw_strbuf_add(sb,
		      "<path class=\"lw-axis\" d=\"M%.1f %.1fL%.1f %.1f\" fill=\"none\" "
		      "stroke=\"#555555\" stroke-width=\"0.6\"/>",
		      x, y, to_x, to_y);
}

/* What has no place near its dot is left out: the legend and the CSV have it. */
static void add_label(struct boxes *boxes, const struct lw_chart_series *series, uint32_t i,
		      const char *text, struct lw_strbuf *sb)
{
	double x = lw_frame_x(boxes->frame, series->x[i]);
	double y = lw_frame_y(boxes->frame, series->y[i]);
	double size = boxes->frame->font - 1;
	double width = lw_letters_width(text, LW_LETTERS_PLAIN * size);
	struct box box;
	int ring;

	if (!find_place(boxes, x, y, width, &box, &ring))
		return;
	take_place(boxes, box);
	if (ring)
		add_leader(boxes, x, y, &box, sb);
	lw_strbuf_add(sb, "<text x=\"%.1f\" y=\"%.1f\" font-size=\"%g\">", box.left,
		      box.bottom - 3, size);
	lw_chart_add_text(sb, text);
	lw_strbuf_add(sb, "</text>\n");
}

void lw_labels_draw(const struct lw_frame *frame, struct lw_strbuf *sb)
{
	const struct lw_chart *chart = frame->chart;
	struct boxes boxes = { .frame = frame };

	for (uint32_t s = 0; s < chart->count; s++)
		if (chart->series[s].named || chart->series[s].marks)
			take_places(&boxes, &chart->series[s]);
	for (uint32_t s = chart->count; s-- > 0;) {
		const struct lw_chart_series *series = &chart->series[s];

		for (uint32_t i = 0; i < series->count; i++) {
			const char *label = series->named ? series->name : series->labels[i];

			if (label && *label)
				add_label(&boxes, series, i, label, sb);
		}
	}
}
