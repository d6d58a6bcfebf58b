/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway analyse: what its charts have in common. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lab/analyse/analyse.h"

struct lw_chart_series *lw_ana_series(struct lw_chart *chart, struct lw_looks *looks,
				      const char *name, uint32_t n)
{
	struct lw_chart_series *series;

	if (chart->count == LW_CHART_SERIES)
		return NULL;
	/* no policy's colour, whatever it is called */
	series = lw_chart_add(chart, name, lw_looks_next(looks, ""), n);
	for (uint32_t i = 0; series && i < n; i++)
		series->y[i] = NAN;
	return series;
}

struct lw_chart *lw_ana_chart(struct lw_charts *charts, const char *key, const char *title)
{
	struct lw_chart *chart = &charts->charts[charts->count++];

	chart->key = key;
	snprintf(chart->title, sizeof(chart->title), "%s", title);
	return chart;
}

void lw_ana_axis_x(struct lw_chart *chart, const char *label, const char *key)
{
	snprintf(chart->x_label, sizeof(chart->x_label), "%s", label);
	snprintf(chart->x_key, sizeof(chart->x_key), "%s", key);
}

void lw_ana_axis_y(struct lw_chart *chart, const char *label, const char *key)
{
	snprintf(chart->y_label, sizeof(chart->y_label), "%s", label);
	snprintf(chart->y_key, sizeof(chart->y_key), "%s", key);
}

void lw_ana_charts(const struct lw_ana_result *result, enum lw_ana_section section,
		   struct lw_charts *charts)
{
	static void (*const makers[ANA_SECTIONS])(const struct lw_ana_result *,
						  struct lw_charts *) = {
		[ANA_GEOMETRY] = lw_ana_charts_geometry, [ANA_USE] = lw_ana_charts_use,
		[ANA_OUTCOMES] = lw_ana_charts_outcomes, [ANA_USERS] = lw_ana_charts_users,
		[ANA_TIME] = lw_ana_charts_time,
	};

	memset(charts, 0, sizeof(*charts));
	makers[section](result, charts);
}
