/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the chart of finish-time fairness, which simulations and runs have alike. */
#ifndef LW_CLI_CHART_FAIRNESS_H
#define LW_CLI_CHART_FAIRNESS_H

#include "cli/chart/chart.h"

#include <stdio.h>

/* What its axes say; a policy or run is one point. */
static inline void lw_chart_fairness_axes(struct lw_chart *chart)
{
	chart->key = "fairness";
	chart->x_max = 100;
	snprintf(chart->title, sizeof(chart->title), "Finish-time fairness, less is better");
	snprintf(chart->x_label, sizeof(chart->x_label),
		 "jobs that lost nothing against an equal share of the machine (%%)");
	snprintf(chart->x_key, sizeof(chart->x_key), "fair_percent");
	snprintf(chart->y_label, sizeof(chart->y_label), "mean over jobs");
	snprintf(chart->y_key, sizeof(chart->y_key), "rho_mean");
}

#endif
