/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the curves of one chart, with room for their points. */
#ifndef LW_TOOLS_CURVES_H
#define LW_TOOLS_CURVES_H

#include "tools/svg.h"

#define LW_CURVES_MAX 7

/* Zeroed there is none. */
struct lw_curves {
	struct lw_svg_series series[LW_CURVES_MAX];
	double *points[LW_CURVES_MAX];
	uint32_t count;
};

/*
 * Add one with room for N points: all x, then all y; it goes with the curves. NULL leaves it
 * empty, which is drawn as nothing.
 */
double *lw_curves_add(struct lw_curves *curves, const char *name, uint32_t style, uint32_t n);
void lw_curves_fini(struct lw_curves *curves);

/* The chart of them all, as wide as the image. */
void lw_curves_draw(const struct lw_curves *curves, struct lw_svg_chart *chart,
		    struct lw_strbuf *sb, uint32_t top, uint32_t width, uint32_t height);

/* Add VALUE x seconds of [FROM, TO) to those of COUNT stretches of time that it lies over. */
void lw_curves_spread(double *stretches, uint32_t count, double stretch_s, double from_s,
		      double to_s, double value);

#endif
