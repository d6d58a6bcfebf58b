/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway sim: charts of several policies on one trace. */
#include "lab/cli_sim/sim.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/chart/fairness.h"

/* all policies, and the frontier */
_Static_assert(LW_SIM_RUNS_MAX < LW_CHART_SERIES, "too few series");

/* What all charts of a page have in common. */
struct page {
	const struct lw_simcompare *compare;
	struct lw_simgrid grid;
	struct lw_look looks[LW_SIM_RUNS_MAX + 1]; /* of the policies, and of the frontier */
	struct lw_unit time;                       /* since the start of the trace */
};

void lw_simcompare_looks(const struct lw_simcompare *compare,
			 struct lw_look looks[LW_SIM_RUNS_MAX + 1])
{
	struct lw_looks taken = { 0 };

	for (uint32_t i = 0; i < compare->count; i++)
		looks[i] = lw_looks_next(&taken, compare->runs[i].spec.settings);
	looks[compare->count] = lw_looks_next(&taken, "relaxed");
}

/* The series of one of the policies: ours is drawn thicker. */
static struct lw_chart_series *add_run(struct lw_chart *chart, const struct page *page,
				       uint32_t which, uint32_t n)
{
	const struct lw_simspec *spec = &page->compare->runs[which].spec;
	struct lw_chart_series *series = lw_chart_add(chart, spec->label, page->looks[which], n);

	if (series)
		series->strong = lw_policy_has(spec->policy.kind, LW_DEADLINES);
	return series;
}

/* What is known of POINTS; where there is nothing, a bar is missing, and a line goes on. */
static void take_points(struct lw_chart_series *series, const struct lw_simpoint *points,
			uint32_t n, const struct page *page, bool over_time)
{
	uint32_t known = 0;

	for (uint32_t i = 0; i < n; i++) {
		if (!points[i].count && over_time)
			continue;
		if (over_time)
			series->x[known] = lw_simgrid_time_s(&page->grid, i) / page->time.seconds;
		series->y[known] = points[i].count ? points[i].mean : NAN;
		series->y_sd[known++] = lw_simpoint_sd(&points[i]);
	}
	series->count = known;
}

static void set_time_axis(struct lw_chart *chart, const struct page *page)
{
	snprintf(chart->x_label, sizeof(chart->x_label), "%s since the start of the trace",
		 page->time.name);
	snprintf(chart->x_key, sizeof(chart->x_key), "time_%s", page->time.name);
	chart->x_max = page->grid.span_s / page->time.seconds;
}

static void make_waits(struct lw_chart *chart, const struct page *page)
{
	chart->key = "waits";
	snprintf(chart->title, sizeof(chart->title),
		 "Mean wait of the jobs submitted at that time");
	set_time_axis(chart, page);
	for (uint32_t i = 0; i < page->compare->count; i++) {
		struct lw_chart_series *series = add_run(chart, page, i, LW_SIM_PERIODS);

		if (series)
			take_points(series, page->compare->runs[i].curves.wait, LW_SIM_PERIODS,
				    page, true);
	}
}

static void name_class(const struct lw_simclass *class, char *name, size_t size)
{
	if (class->low == class->high)
		snprintf(name, size, "%" PRIu32, class->low);
	else
		snprintf(name, size, "%" PRIu32 "–%" PRIu32, class->low, class->high);
}

static void make_classes(struct lw_chart *chart, const struct page *page)
{
	uint32_t count = page->grid.class_count;

	chart->key = "widths";
	chart->x_axis = LW_CHART_BARS;
	snprintf(chart->title, sizeof(chart->title), "Mean wait by width of the job");
	snprintf(chart->x_label, sizeof(chart->x_label), "processors that the job holds");
	snprintf(chart->x_key, sizeof(chart->x_key), "processors");
	for (uint32_t c = 0; c < count; c++)
		name_class(&page->grid.classes[c], chart->groups[c], sizeof(chart->groups[c]));
	for (uint32_t i = 0; i < page->compare->count; i++) {
		struct lw_chart_series *series = add_run(chart, page, i, count);

		if (series)
			take_points(series, page->compare->runs[i].curves.class_wait, count, page,
				    false);
	}
}

/* The factor alone, as "0.1": what stands beside a point of the curve. */
static const char *factor_of(const struct lw_simrun *run)
{
	const char *equals = strrchr(run->spec.label, '=');

	return equals ? equals + 1 : "";
}

/* The next point: where a policy lies. */
static void take_run(struct lw_chart_series *series, const struct lw_simrun *run,
		     const char *label)
{
	const double *mean = run->mean.value, *sd = run->sd.value;
	uint32_t i = series->count;

	if (isnan(mean[LW_FIGURE_WAIT]))
		return;
	series->x[i] = mean[LW_FIGURE_VIOLATION];
	series->y[i] = mean[LW_FIGURE_WAIT];
	series->x_sd[i] = sd[LW_FIGURE_VIOLATION];
	series->y_sd[i] = sd[LW_FIGURE_WAIT];
	series->labels[i] = label;
	series->count++;
}

static void add_frontier(struct lw_chart *chart, const struct page *page)
{
	const struct lw_simcompare *compare = page->compare;
	struct lw_chart_series *series =
		lw_chart_add(chart, "relaxed by constant factors", page->looks[compare->count],
			     compare->frontier_count);

	if (!series)
		return;
	series->count = 0;
	series->marks = true;
	for (uint32_t i = 0; i < compare->frontier_count; i++)
		take_run(series, &compare->frontier[i], factor_of(&compare->frontier[i]));
}

static void make_frontier(struct lw_chart *chart, const struct page *page)
{
	const struct lw_simcompare *compare = page->compare;

	chart->key = "promises";
	chart->x_axis = LW_CHART_LOG;
	snprintf(chart->title, sizeof(chart->title), "Wait against starts later than shown%s",
		 compare->frontier_count ? " (the curve: relaxed by the factors shown)" : "");
	if (compare->frontier_count)
		add_frontier(chart, page);
	for (uint32_t i = 0; i < compare->count; i++) {
		struct lw_chart_series *series = add_run(chart, page, i, 1);

		if (!series)
			return;
		series->count = 0;
		series->no_line = series->named = true;
		take_run(series, &compare->runs[i], NULL);
	}
}

static void make_use(struct lw_chart *chart, const struct page *page)
{
	chart->key = "use";
	chart->y_max = 100;
	snprintf(chart->title, sizeof(chart->title), "Processors in use");
	snprintf(chart->y_label, sizeof(chart->y_label), "share of the machine (%%)");
	snprintf(chart->y_key, sizeof(chart->y_key), "share_percent");
	set_time_axis(chart, page);
	for (uint32_t i = 0; i < page->compare->count; i++) {
		struct lw_chart_series *series = add_run(chart, page, i, LW_SIM_PERIODS);

		if (series)
			take_points(series, page->compare->runs[i].curves.use, LW_SIM_PERIODS,
				    page, true);
	}
}

/* The place of each policy: how fair it is, and how unfair to the jobs worst off. */
static void make_fairness(struct lw_chart *chart, const struct page *page)
{
	lw_chart_fairness_axes(chart);
	for (uint32_t i = 0; i < page->compare->count; i++) {
		const struct lw_simrun *run = &page->compare->runs[i];
		struct lw_chart_series *series = add_run(chart, page, i, 1);

		if (!series)
			return;
		series->no_line = series->named = true;
		series->count = isnan(run->mean.value[LW_FIGURE_RHO]) ? 0 : 1;
		series->x[0] = 100 * run->mean.value[LW_FIGURE_RHO_FAIR];
		series->y[0] = run->mean.value[LW_FIGURE_RHO];
		series->x_sd[0] = 100 * run->sd.value[LW_FIGURE_RHO_FAIR];
		series->y_sd[0] = run->sd.value[LW_FIGURE_RHO];
	}
}

/* Of each policy, how many jobs wait longer than under the base, and by how much. */
static void make_harm(struct lw_chart *chart, const struct page *page)
{
	const struct lw_simcompare *compare = page->compare;

	chart->key = "harm";
	chart->x_axis = LW_CHART_LOG;
	chart->x_min = lw_harm_point_s(0) / 3600;
	snprintf(chart->title, sizeof(chart->title), "Jobs that wait longer than under %.80s",
		 compare->runs[0].spec.label);
	snprintf(chart->x_label, sizeof(chart->x_label),
		 "by at least so many hours (logarithmic)");
	snprintf(chart->x_key, sizeof(chart->x_key), "longer_by_hours");
	snprintf(chart->y_label, sizeof(chart->y_label), "jobs (%%)");
	snprintf(chart->y_key, sizeof(chart->y_key), "jobs_percent");
	for (uint32_t i = 1; i < compare->count; i++) {
		const struct lw_harm *harm = &compare->runs[i].harm;
		struct lw_chart_series *series;

		if (!harm->jobs)
			continue;
		series = add_run(chart, page, i, LW_HARM_POINTS);
		for (uint32_t p = 0; series && p < LW_HARM_POINTS; p++) {
			series->x[p] = lw_harm_point_s(p) / 3600;
			series->y[p] = 100.0 * harm->longer_by[p] / harm->jobs;
		}
	}
}

/* Where each policy lies: what it drew, and how long jobs waited for that. */
static void make_energy(struct lw_chart *chart, const struct page *page)
{
	chart->key = "energy";
	snprintf(chart->title, sizeof(chart->title), "Energy and wait");
	snprintf(chart->x_label, sizeof(chart->x_label),
		 "energy from the first submission to the last end (kWh)");
	snprintf(chart->x_key, sizeof(chart->x_key), "energy_kwh");
	for (uint32_t i = 0; i < page->compare->count; i++) {
		const struct lw_simrun *run = &page->compare->runs[i];
		struct lw_chart_series *series = add_run(chart, page, i, 1);

		if (!series)
			return;
		series->no_line = series->named = true;
		series->count = isnan(run->mean.value[LW_FIGURE_WAIT]) ? 0 : 1;
		series->x[0] = run->mean.value[LW_FIGURE_ENERGY];
		series->y[0] = run->mean.value[LW_FIGURE_WAIT];
		series->x_sd[0] = run->sd.value[LW_FIGURE_ENERGY];
		series->y_sd[0] = run->sd.value[LW_FIGURE_WAIT];
		chart->x_max = fmax(chart->x_max, 1.1 * series->x[0]);
	}
}

/* The axis of violations: seconds as they were measured become UNIT. */
static void scale_x(struct lw_chart *chart, const struct lw_unit *unit)
{
	double largest_s = 60;

	for (uint32_t s = 0; s < chart->count; s++) {
		for (uint32_t i = 0; i < chart->series[s].count; i++) {
			largest_s =
				fmax(largest_s, chart->series[s].x[i] + chart->series[s].x_sd[i]);
			chart->series[s].x[i] /= unit->seconds;
			chart->series[s].x_sd[i] /= unit->seconds;
		}
	}
	chart->x_min = 1 / unit->seconds;
	chart->x_max = 2 * largest_s / unit->seconds;
	snprintf(chart->x_label, sizeof(chart->x_label),
		 "mean violation of the start first shown (%s, logarithmic; below 1 s is 1 s)",
		 unit->name);
	snprintf(chart->x_key, sizeof(chart->x_key), "violation_mean_%s", unit->name);
}

/* All waits of a page are told in one unit. */
static struct lw_unit scale_waits(struct lw_charts *charts)
{
	struct lw_unit unit;
	double largest_s = 0;

	for (uint32_t c = 0; c < charts->count; c++)
		if (!charts->charts[c].y_label[0])
			largest_s = fmax(largest_s, lw_chart_largest_y(&charts->charts[c]));
	unit = lw_unit_for(largest_s);
	for (uint32_t c = 0; c < charts->count; c++) {
		struct lw_chart *chart = &charts->charts[c];

		if (chart->y_label[0])
			continue;
		lw_chart_scale_y(chart, unit.seconds);
		snprintf(chart->y_label, sizeof(chart->y_label), "mean wait (%s)", unit.name);
		snprintf(chart->y_key, sizeof(chart->y_key), "wait_mean_%s", unit.name);
		if (chart->x_axis == LW_CHART_LOG)
			scale_x(chart, &unit);
	}
	return unit;
}

/* What error bars and bands are. */
static void say_spread(struct lw_chart *chart, uint32_t shakes)
{
	size_t used = strlen(chart->y_label);

	if (lw_chart_has_spread(chart))
		snprintf(chart->y_label + used, sizeof(chart->y_label) - used,
			 " ± the sd of %" PRIu32 " shakes", shakes);
}

struct lw_unit lw_simcompare_charts(const struct lw_simcompare *compare, struct lw_charts *charts)
{
	static void (*const makers[])(struct lw_chart *, const struct page *) = {
		make_waits, make_classes, make_frontier, make_use, make_fairness
	};
	struct page page = { .compare = compare };
	struct lw_unit unit;

	memset(charts, 0, sizeof(*charts));
	lw_simgrid_init(&page.grid, compare->trace->jobs.jobs, compare->trace->jobs.count,
			&compare->trace->machine);
	page.time = lw_unit_for(page.grid.span_s);
	lw_simcompare_looks(compare, page.looks);
	snprintf(charts->title, sizeof(charts->title), "Policies compared");
	snprintf(charts->about, sizeof(charts->about),
		 "%.120s, %" PRIu32 " jobs, %" PRIu32 " processors", compare->trace->name,
		 compare->trace->jobs.count, lw_machine_procs(&compare->trace->machine));
	for (size_t i = 0; i < sizeof(makers) / sizeof(makers[0]); i++)
		makers[i](&charts->charts[charts->count++], &page);
	if (lw_simcompare_knows(compare, LW_FIGURE_LONGER))
		make_harm(&charts->charts[charts->count++], &page);
	if (compare->count && !isnan(compare->runs[0].mean.value[LW_FIGURE_ENERGY]))
		make_energy(&charts->charts[charts->count++], &page);
	unit = scale_waits(charts);
	for (uint32_t c = 0; c < charts->count; c++)
		say_spread(&charts->charts[c], compare->runs[0].repeat.shakes);
	return unit;
}
