/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: line charts as SVG text. */
#ifndef LW_TOOLS_SVG_H
#define LW_TOOLS_SVG_H

#include "base/strbuf.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct lw_svg_series {
	const char *name;
	const double *x; /* rising */
	const double *y; /* NaN: a line ends here, and begins anew */
	uint32_t count;
	bool steps;     /* hold y until the next x */
	bool marks;     /* a dot at each point */
	bool no_line;   /* and nothing between them */
	bool strong;    /* a thicker line */
	uint32_t style; /* which colour and dash */
	/* NULL, or a word beside each point that has room for it; later series go first */
	const char *const *labels;
};

enum lw_svg_axis {
	LW_SVG_LINEAR,
	LW_SVG_LOG_TIME, /* seconds, from 1 s: values below stand at 1 s */
	LW_SVG_NAMES,    /* groups of bars, a bar a series; no x */
};

struct lw_svg_chart {
	const char *title;
	const char *x_label; /* with the unit */
	const char *y_label;
	enum lw_svg_axis x_axis;
	double x_max; /* 0: the largest value */
	double y_max; /* 0: the largest value, rounded up */
	const struct lw_svg_series *series;
	uint32_t series_count;
	const char *const *names; /* of the groups of bars; as many as the series have y */
};

/* Colours and dashes are kept apart by people of all kinds of colour vision. */
#define LW_SVG_STYLES 6
const char *lw_svg_colour(uint32_t style);

/* Add TEXT with the five special characters of XML and HTML replaced. */
void lw_svg_add_text(struct lw_strbuf *sb, const char *text);

void lw_svg_begin(struct lw_strbuf *sb, uint32_t width, uint32_t height, const char *title);
void lw_svg_end(struct lw_strbuf *sb);
/* One chart with axes and title in the rectangle given, in pixels. */
void lw_svg_add_chart(struct lw_strbuf *sb, const struct lw_svg_chart *chart, uint32_t left,
		      uint32_t top, uint32_t width, uint32_t height);
/* Names with their line styles, in as many rows as WIDTH pixels need. */
#define LW_SVG_LEGEND_ROW 20
void lw_svg_add_legend(struct lw_strbuf *sb, const struct lw_svg_series *series, uint32_t count,
		       uint32_t left, uint32_t top, uint32_t width);
/* How many rows that is. */
uint32_t lw_svg_legend_rows(const struct lw_svg_series *series, uint32_t count, uint32_t width);

#endif
