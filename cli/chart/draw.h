/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what the parts that draw a chart share. */
#ifndef LW_CLI_CHART_DRAW_H
#define LW_CLI_CHART_DRAW_H

#include "cli/chart/chart.h"

/* Where the curves go, what lies at its corners, and the image around it. */
struct lw_frame {
	const struct lw_chart *chart;
	double image_width, image_height;
	double font; /* its size */
	double left, top, width, height;
	double x_max, x_step, y_max, y_step;
	bool staggered; /* the names of groups stand in two rows */
};

#define LW_FRAME_RIGHT 18 /* room beside it */
#define LW_MARK_SIZE   3.6

double lw_frame_x(const struct lw_frame *frame, double x);
double lw_frame_y(const struct lw_frame *frame, double y);
struct lw_frame lw_frame_make(const struct lw_chart *chart, enum lw_chart_form form);

/* Add what stands around the curves: title, legend, axes. */
void lw_frame_draw(const struct lw_frame *frame, struct lw_strbuf *sb);
/* Add the words beside dots, apart from each other and from the curves. */
void lw_labels_draw(const struct lw_frame *frame, struct lw_strbuf *sb);

/* The size of a dot of SERIES. */
double lw_mark_size(const struct lw_chart_series *series);
/* Add the attributes that colour a line, or fill something, as LOOK has it. */
void lw_draw_stroke(struct lw_strbuf *sb, const struct lw_look *look);
void lw_draw_fill(struct lw_strbuf *sb, const struct lw_look *look);

#endif
