/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway analyse: charts of what jobs are like, and of what they hold and wait for. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "lab/analyse/analyse.h"

#define CURVE_POINTS 121
#define DAY_S        86400.0

/* How many of rising VALUES are at most x, at POINTS of a logarithmic axis up to MOST. */
static void add_curve(struct lw_chart *chart, struct lw_chart_series *series,
		      const double *values, uint32_t count, double most)
{
	double step = log(fmax(most, 100)) / (CURVE_POINTS - 1);

	if (!series)
		return;
	chart->x_axis = LW_CHART_LOG;
	chart->x_min = 1;
	chart->y_max = 100;
	for (uint32_t i = 0; i < CURVE_POINTS; i++) {
		series->x[i] = exp(i * step);
		series->y[i] =
			100 *
			lw_share(lw_dist_rank(values, count, series->x[i] * 1.0000001), count);
	}
}

static void chart_runs(const struct lw_analysis *a, struct lw_charts *charts)
{
	struct lw_chart *chart = lw_ana_chart(charts, "run-times", "Run times");
	struct lw_looks looks = { 0 };

	lw_ana_axis_x(chart, "run time (seconds, logarithmic)", "run_s");
	lw_ana_axis_y(chart, "jobs that run so long or less (%)", "jobs_percent");
	add_curve(chart, lw_ana_series(chart, &looks, "all jobs", CURVE_POINTS), a->runs,
		  a->run_count, a->all.run.most);
}

static void add_hours(struct lw_chart *chart, struct lw_looks *looks, const char *name,
		      const uint32_t *hours, double all)
{
	struct lw_chart_series *series = lw_ana_series(chart, looks, name, LW_HOURS + 1);

	for (uint32_t h = 0; series && h <= LW_HOURS; h++) {
		series->x[h] = h;
		series->y[h] = 100 * lw_share(hours[h < LW_HOURS ? h : LW_HOURS - 1], all);
	}
	if (series)
		series->steps = true;
}

static void chart_hours(const struct lw_analysis *a, struct lw_charts *charts)
{
	const struct lw_arrivals *r = &a->arrivals;
	struct lw_chart *chart;
	struct lw_looks looks = { 0 };

	if (!r->has_clock)
		return;
	chart = lw_ana_chart(charts, "hours", "When jobs are submitted, by hour of the day");
	chart->x_max = LW_HOURS;
	lw_ana_axis_x(chart,
		      r->has_weekday ? "hour of the day"
				     : "hour of the day, counted from the start of the log",
		      "hour");
	lw_ana_axis_y(chart, "share of all jobs (%)", "jobs_percent");
	if (!r->has_weekday) {
		add_hours(chart, &looks, "all days", r->hour, a->all.jobs);
		return;
	}
	add_hours(chart, &looks, "Monday to Friday", r->workday_hour, a->all.jobs);
	add_hours(chart, &looks, "Saturday and Sunday", r->weekend_hour, a->all.jobs);
}

static void chart_weekdays(const struct lw_analysis *a, struct lw_charts *charts)
{
	static const char *const names[LW_WEEKDAYS] = { "Mon", "Tue", "Wed", "Thu",
							"Fri", "Sat", "Sun" };
	struct lw_looks looks = { 0 };
	struct lw_chart *chart;
	struct lw_chart_series *series;

	if (!a->arrivals.has_weekday)
		return;
	chart = lw_ana_chart(charts, "weekdays", "When jobs are submitted, by weekday");
	chart->x_axis = LW_CHART_BARS;
	lw_ana_axis_x(chart, "weekday", "weekday");
	lw_ana_axis_y(chart, "share of all jobs (%)", "jobs_percent");
	series = lw_ana_series(chart, &looks, "all jobs", LW_WEEKDAYS);
	for (uint32_t d = 0; d < LW_WEEKDAYS; d++) {
		snprintf(chart->groups[d], sizeof(chart->groups[d]), "%s", names[d]);
		if (series)
			series->y[d] = 100 * lw_share(a->arrivals.weekday[d], a->all.jobs);
	}
}

/* Bars of the share of jobs, and of what they hold. */
struct pair {
	struct lw_chart_series *jobs, *area;
};

static struct pair add_pair(struct lw_chart *chart, const struct lw_analysis *a, uint32_t n)
{
	struct lw_looks looks = { 0 };
	struct pair pair;
	char name[48];

	chart->x_axis = LW_CHART_BARS;
	lw_ana_axis_y(chart, "share (%)", "share_percent");
	snprintf(name, sizeof(name), "%s-hours", lw_joblog_unit_name(a->unit));
	pair.jobs = lw_ana_series(chart, &looks, "jobs", n);
	pair.area = lw_ana_series(chart, &looks, name, n);
	return pair;
}

static void pair_set(const struct pair *pair, uint32_t i, double jobs, double area)
{
	if (!pair->jobs || !pair->area)
		return;
	pair->jobs->y[i] = 100 * jobs;
	pair->area->y[i] = 100 * area;
}

static void chart_widths(const struct lw_analysis *a, struct lw_charts *charts)
{
	struct lw_chart *chart =
		lw_ana_chart(charts, "sizes", "Sizes of jobs, and what they hold");
	struct pair pair = add_pair(chart, a, a->width_count);
	char label[40];

	snprintf(label, sizeof(label), "%ss of a job", lw_joblog_unit_name(a->unit));
	lw_ana_axis_x(chart, label, "size");
	for (uint32_t w = 0; w < a->width_count; w++) {
		const struct lw_width *width = &a->width[w];

		if (width->low == width->high)
			snprintf(chart->groups[w], sizeof(chart->groups[w]), "%" PRIu32,
				 width->low);
		else
			snprintf(chart->groups[w], sizeof(chart->groups[w]),
				 "%" PRIu32 "–%" PRIu32, width->low, width->high);
		pair_set(&pair, w, lw_share(width->jobs, a->all.jobs),
			 lw_share(width->area_s, a->all.area_s));
	}
}

static void chart_lengths(const struct lw_analysis *a, struct lw_charts *charts)
{
	struct lw_chart *chart = lw_ana_chart(charts, "lengths", "Long jobs, and what they hold");
	struct pair pair = add_pair(chart, a, LW_LENGTHS);

	lw_ana_axis_x(chart, "run time", "length");
	for (uint32_t l = 0; l < LW_LENGTHS; l++) {
		snprintf(chart->groups[l], sizeof(chart->groups[l]), "%s",
			 lw_length_name((enum lw_length_class)l));
		pair_set(&pair, l, lw_share(a->length[l].jobs, a->all.jobs),
			 lw_share(a->length[l].area_s, a->all.area_s));
	}
}

static void chart_kinds(const struct lw_analysis *a, struct lw_charts *charts)
{
	static const char *const groups[] = { "share of jobs", "share of time held",
					      "up to an hour", "did not complete" };
	static const char *const names[] = { "deep learning", "others" };
	struct lw_looks looks = { 0 };
	struct lw_chart *chart;

	if (!a->kind[LW_JOBLOG_DEEP].jobs || !a->kind[LW_JOBLOG_OTHER].jobs)
		return;
	chart = lw_ana_chart(charts, "kinds", "Deep-learning jobs beside the others, by tag");
	chart->x_axis = LW_CHART_BARS;
	chart->y_max = 100;
	lw_ana_axis_x(chart, "the last two: of the jobs of that kind", "what");
	lw_ana_axis_y(chart, "share (%)", "share_percent");
	for (uint32_t g = 0; g < 4; g++)
		snprintf(chart->groups[g], sizeof(chart->groups[g]), "%s", groups[g]);
	for (uint32_t k = LW_JOBLOG_DEEP; k <= LW_JOBLOG_OTHER; k++) {
		const struct lw_slice *slice = &a->kind[k];
		struct lw_chart_series *series = lw_ana_series(chart, &looks, names[k], 4);

		if (!series)
			return;
		series->y[0] = 100 * lw_share(slice->jobs, a->all.jobs);
		series->y[1] = 100 * lw_share(slice->area_s, a->all.area_s);
		series->y[2] = 100 * lw_share((double)slice->by_length[LW_LENGTH_MINUTE] +
						      slice->by_length[LW_LENGTH_HOUR],
					      slice->jobs);
		series->y[3] = 100 * lw_slice_lost_share(slice);
	}
}

void lw_ana_charts_geometry(const struct lw_ana_result *result, struct lw_charts *charts)
{
	const struct lw_analysis *a = &result->analysis;

	chart_runs(a, charts);
	chart_hours(a, charts);
	chart_weekdays(a, charts);
	chart_widths(a, charts);
	chart_lengths(a, charts);
	chart_kinds(a, charts);
}

/* ---- use and waits ---- */

static void add_periods(struct lw_chart *chart, struct lw_looks *looks, const char *name,
			const struct lw_load *load, const double *values, double factor)
{
	struct lw_chart_series *series = lw_ana_series(chart, looks, name, LW_LOAD_PERIODS);

	for (uint32_t p = 0; series && p < LW_LOAD_PERIODS; p++) {
		series->x[p] = p * load->period_s / DAY_S;
		series->y[p] = factor * values[p];
	}
	if (series)
		series->steps = true;
	chart->x_max = LW_LOAD_PERIODS * load->period_s / DAY_S;
	lw_ana_axis_x(chart, "days since the first submission", "day");
}

static void chart_use(const struct lw_analysis *a, struct lw_charts *charts)
{
	struct lw_looks looks = { 0 };
	struct lw_chart *chart;

	if (a->load.has_waits) {
		chart = lw_ana_chart(charts, "use", "How much of the machine is held");
		add_periods(chart, &looks, "held", &a->load, a->load.use, 100);
	} else {
		chart = lw_ana_chart(charts, "asked",
				     "How much is asked for (when it ran is not known)");
		add_periods(chart, &looks, "submitted", &a->load, a->load.asked, 100);
	}
	lw_ana_axis_y(chart, "share of the machine (%)", "share_percent");
}

static void chart_queue(const struct lw_analysis *a, struct lw_charts *charts)
{
	struct lw_looks looks = { 0 };
	struct lw_chart *chart;

	if (!a->load.has_waits)
		return;
	chart = lw_ana_chart(charts, "queue", "How many jobs wait");
	add_periods(chart, &looks, "waiting", &a->load, a->load.queue, 1);
	lw_ana_axis_y(chart, "jobs, mean of the time", "jobs");
}

static void chart_waits(const struct lw_analysis *a, struct lw_charts *charts)
{
	struct lw_looks looks = { 0 };
	struct lw_chart *chart;

	if (!a->all.wait.count)
		return;
	chart = lw_ana_chart(charts, "waits", "Waits, by size of the job");
	lw_ana_axis_x(chart, "wait (seconds, logarithmic; below 1 s is 1 s)", "wait_s");
	lw_ana_axis_y(chart, "jobs that wait so long or less (%)", "jobs_percent");
	for (uint32_t s = 0; s < LW_SIZES; s++)
		if (a->wait_count[s])
			add_curve(chart,
				  lw_ana_series(chart, &looks,
						lw_size_name((enum lw_size_class)s),
						CURVE_POINTS),
				  a->waits[s], a->wait_count[s], a->all.wait.most);
}

static void chart_grid(const struct lw_analysis *a, struct lw_charts *charts)
{
	struct lw_looks looks = { 0 };
	struct lw_chart *chart;
	struct lw_unit unit;
	char label[80];

	if (!a->all.wait.count)
		return;
	chart = lw_ana_chart(charts, "who-waits", "Mean wait, by length and size of the job");
	chart->x_axis = LW_CHART_BARS;
	lw_ana_axis_x(chart, "run time", "length");
	for (uint32_t l = 0; l < LW_LENGTHS; l++)
		snprintf(chart->groups[l], sizeof(chart->groups[l]), "%s",
			 lw_length_name((enum lw_length_class)l));
	for (uint32_t s = 0; s < LW_SIZES; s++) {
		struct lw_chart_series *series;

		if (!a->wait_count[s])
			continue;
		series = lw_ana_series(chart, &looks, lw_size_name((enum lw_size_class)s),
				       LW_LENGTHS);
		for (uint32_t l = 0; series && l < LW_LENGTHS; l++)
			series->y[l] = a->grid_wait_s[s][l];
	}
	unit = lw_unit_for(lw_chart_largest_y(chart));
	lw_chart_scale_y(chart, unit.seconds);
	snprintf(label, sizeof(label), "mean wait (%s)", unit.name);
	lw_ana_axis_y(chart, label, "wait_mean");
}

void lw_ana_charts_use(const struct lw_ana_result *result, struct lw_charts *charts)
{
	const struct lw_analysis *a = &result->analysis;

	chart_use(a, charts);
	chart_queue(a, charts);
	chart_waits(a, charts);
	chart_grid(a, charts);
}
