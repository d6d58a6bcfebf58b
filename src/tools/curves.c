/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the curves of one chart, with room for their points. */
#include "tools/curves.h"

#include <math.h>
#include <stdlib.h>

double *lw_curves_add(struct lw_curves *curves, const char *name, uint32_t style, uint32_t n)
{
	double *points = calloc(2 * (size_t)n + 1, sizeof(*points));

	curves->points[curves->count] = points;
	curves->series[curves->count++] = (struct lw_svg_series){
		.name = name,
		.x = points,
		.y = points ? points + n : NULL,
		.count = points ? n : 0,
		.style = style,
	};
	return points;
}

void lw_curves_fini(struct lw_curves *curves)
{
	for (uint32_t i = 0; i < curves->count; i++)
		free(curves->points[i]);
	curves->count = 0;
}

void lw_curves_draw(const struct lw_curves *curves, struct lw_svg_chart *chart,
		    struct lw_strbuf *sb, uint32_t top, uint32_t width, uint32_t height)
{
	chart->series = curves->series;
	chart->series_count = curves->count;
	lw_svg_add_chart(sb, chart, 0, top, width, height);
}

void lw_curves_spread(double *stretches, uint32_t count, double stretch_s, double from_s,
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
