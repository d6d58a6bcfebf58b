/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway analyse: charts of how jobs end, and of what users do. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "lab/analyse/analyse.h"

#define RUNNING 10 /* jobs, of which a share still says something */

/* ---- how jobs end ---- */

/* Bars of how the jobs of each of COUNT slices ended, of those of a known outcome. */
static void add_outcomes(struct lw_chart *chart, const struct lw_analysis *a,
			 const struct lw_slice *slices, uint32_t count)
{
	struct lw_looks looks = { 0 };

	chart->x_axis = LW_CHART_BARS;
	chart->y_max = 100;
	lw_ana_axis_y(chart, "share of jobs (%)", "jobs_percent");
	for (uint32_t o = 0; o < LW_OUTCOME_UNKNOWN; o++) {
		struct lw_chart_series *series;

		if (!a->all.outcome[o])
			continue;
		series = lw_ana_series(chart, &looks, lw_outcome_name((enum lw_outcome)o), count);
		for (uint32_t i = 0; series && i < count; i++)
			series->y[i] =
				100 * lw_share(slices[i].outcome[o], lw_slice_known(&slices[i]));
	}
}

/* A group for each outcome that there is. Their number; which they are. */
static uint32_t name_endings(struct lw_chart *chart, const struct lw_analysis *a,
			     uint32_t ret_which[LW_OUTCOMES])
{
	uint32_t count = 0;

	for (uint32_t o = 0; o < LW_OUTCOME_UNKNOWN; o++) {
		if (!a->all.outcome[o])
			continue;
		snprintf(chart->groups[count], sizeof(chart->groups[count]), "%s",
			 lw_outcome_name((enum lw_outcome)o));
		ret_which[count++] = o;
	}
	return count;
}

static void chart_endings(const struct lw_analysis *a, struct lw_charts *charts)
{
	struct lw_chart *chart =
		lw_ana_chart(charts, "endings", "How jobs end, and what they held");
	struct lw_looks looks = { 0 };
	struct lw_chart_series *jobs, *area;
	double known_s = a->all.area_s - a->all.outcome_area_s[LW_OUTCOME_UNKNOWN];
	uint32_t which[LW_OUTCOMES], count;
	char name[48];

	chart->x_axis = LW_CHART_BARS;
	lw_ana_axis_x(chart, "outcome", "outcome");
	lw_ana_axis_y(chart, "share (%)", "share_percent");
	snprintf(name, sizeof(name), "%s-hours", lw_joblog_unit_name(a->unit));
	count = name_endings(chart, a, which);
	jobs = lw_ana_series(chart, &looks, "jobs", count);
	area = lw_ana_series(chart, &looks, name, count);
	for (uint32_t i = 0; jobs && area && i < count; i++) {
		jobs->y[i] = 100 * lw_share(a->all.outcome[which[i]], lw_slice_known(&a->all));
		area->y[i] = 100 * lw_share(a->all.outcome_area_s[which[i]], known_s);
	}
}

/* The classes that have a job, of COUNT, with their names as groups. */
static void add_classes(struct lw_chart *chart, const struct lw_analysis *a,
			const struct lw_slice *slices, uint32_t count,
			const char *(*name)(uint32_t class))
{
	struct lw_slice kept[LW_LENGTHS];
	uint32_t kept_count = 0;

	for (uint32_t i = 0; i < count; i++) {
		if (!slices[i].jobs)
			continue;
		snprintf(chart->groups[kept_count], sizeof(chart->groups[kept_count]), "%s",
			 name(i));
		kept[kept_count++] = slices[i];
	}
	add_outcomes(chart, a, kept, kept_count);
}

static const char *size_name(uint32_t class)
{
	return lw_size_name((enum lw_size_class) class);
}

static const char *length_name(uint32_t class)
{
	return lw_length_name((enum lw_length_class) class);
}

static void chart_ends_by_size(const struct lw_analysis *a, struct lw_charts *charts)
{
	struct lw_chart *chart = lw_ana_chart(charts, "endings-by-size", "How jobs end, by size");

	add_classes(chart, a, a->size, LW_SIZES, size_name);
	lw_ana_axis_x(chart, "size", "size");
}

static void chart_ends_by_length(const struct lw_analysis *a, struct lw_charts *charts)
{
	struct lw_chart *chart =
		lw_ana_chart(charts, "endings-by-length", "How jobs end, by run time");

	add_classes(chart, a, a->length, LW_LENGTHS, length_name);
	lw_ana_axis_x(chart, "run time", "length");
}

static void chart_runs_by_end(const struct lw_analysis *a, struct lw_charts *charts)
{
	struct lw_chart *chart =
		lw_ana_chart(charts, "run-by-ending", "Run times, by how jobs end");
	struct lw_looks looks = { 0 };
	struct lw_chart_series *median, *mean;
	uint32_t which[LW_OUTCOMES], count = name_endings(chart, a, which);
	struct lw_unit unit;
	char label[80];

	chart->x_axis = LW_CHART_BARS;
	lw_ana_axis_x(chart, "outcome", "outcome");
	median = lw_ana_series(chart, &looks, "median", count);
	mean = lw_ana_series(chart, &looks, "mean", count);
	for (uint32_t i = 0; median && mean && i < count; i++) {
		median->y[i] = a->outcome[which[i]].run.median;
		mean->y[i] = a->outcome[which[i]].run.mean;
	}
	unit = lw_unit_for(lw_chart_largest_y(chart));
	lw_chart_scale_y(chart, unit.seconds);
	snprintf(label, sizeof(label), "run time (%s)", unit.name);
	lw_ana_axis_y(chart, label, "run");
}

void lw_ana_charts_outcomes(const struct lw_ana_result *result, struct lw_charts *charts)
{
	const struct lw_analysis *a = &result->analysis;

	if (!lw_slice_known(&a->all))
		return;
	chart_endings(a, charts);
	chart_ends_by_size(a, charts);
	chart_ends_by_length(a, charts);
	chart_runs_by_end(a, charts);
}

/* ---- users ---- */

static void add_groups(struct lw_chart *chart, struct lw_looks *looks, const char *name,
		       const double *shares)
{
	struct lw_chart_series *series = lw_ana_series(chart, looks, name, LW_REPEAT_GROUPS);

	for (uint32_t g = 0; series && g < LW_REPEAT_GROUPS; g++) {
		series->x[g] = g + 1;
		series->y[g] = 100 * shares[g];
		series->marks = true;
	}
}

static void chart_repeat(const struct lw_analysis *a, struct lw_charts *charts)
{
	struct lw_looks looks = { 0 };
	struct lw_chart *chart;

	if (!a->repeat.users)
		return;
	chart = lw_ana_chart(charts, "repetition", "Jobs that are alike to others of their user");
	chart->y_max = 100;
	chart->x_max = LW_REPEAT_GROUPS;
	lw_ana_axis_x(chart, "so many of the user's largest groups", "groups");
	lw_ana_axis_y(chart, "jobs in them (%)", "jobs_percent");
	if (a->limits.jobs)
		add_groups(chart, &looks, "size and limit", a->repeat.request);
	add_groups(chart, &looks, "size and run time", a->repeat.top);
	add_groups(chart, &looks, "the same, mean over users", a->repeat.mean);
}

/* A group for each class of queues that a job saw. Their number; which they are. */
static uint32_t name_queues(struct lw_chart *chart, const struct lw_behaviour *b,
			    uint32_t ret_which[LW_QUEUES])
{
	uint32_t count = 0;

	for (uint32_t q = 0; q < LW_QUEUES; q++) {
		uint32_t from = q ? b->upto[q - 1] + 1 : 0;
		char *name = chart->groups[count];

		if (!b->queue[q].jobs)
			continue;
		if (from < b->upto[q])
			snprintf(name, sizeof(chart->groups[count]), "%" PRIu32 "–%" PRIu32, from,
				 b->upto[q]);
		else
			snprintf(name, sizeof(chart->groups[count]), "%" PRIu32, b->upto[q]);
		ret_which[count++] = q;
	}
	return count;
}

static void chart_behaviour(const struct lw_analysis *a, bool by_size, struct lw_charts *charts)
{
	const struct lw_behaviour *b = &a->behaviour;
	uint32_t which[LW_QUEUES], count;
	struct lw_looks looks = { 0 };
	struct lw_chart *chart;

	if (!b->known)
		return;
	chart = lw_ana_chart(charts, by_size ? "queue-and-size" : "queue-and-length",
			     by_size ? "How large jobs are, by how many wait when they are sent"
				     : "How long jobs run, by how many wait when they are sent");
	chart->x_axis = LW_CHART_BARS;
	chart->y_max = 100;
	lw_ana_axis_x(chart, "jobs waiting when it is submitted", "waiting");
	lw_ana_axis_y(chart, "share of jobs (%)", "jobs_percent");
	count = name_queues(chart, b, which);
	for (uint32_t c = 0; c < (by_size ? LW_SIZES : (uint32_t)LW_LENGTHS); c++) {
		const char *name = by_size ? size_name(c) : length_name(c);
		struct lw_chart_series *series;

		if (!(by_size ? a->size[c].jobs : a->length[c].jobs))
			continue;
		series = lw_ana_series(chart, &looks, name, count);
		for (uint32_t i = 0; series && i < count; i++) {
			const struct lw_slice *slice = &b->queue[which[i]];

			series->y[i] =
				100 * lw_share(by_size ? slice->by_size[c] : slice->by_length[c],
					       slice->jobs);
		}
	}
}

static void chart_limits(const struct lw_analysis *a, struct lw_charts *charts)
{
	struct lw_looks looks = { 0 };
	struct lw_chart_series *series;
	struct lw_chart *chart;

	if (!a->limits.jobs)
		return;
	chart = lw_ana_chart(charts, "limits", "How much of their time limit jobs use");
	chart->x_axis = LW_CHART_BARS;
	lw_ana_axis_x(chart, "run time by limit", "used");
	lw_ana_axis_y(chart, "share of jobs (%)", "jobs_percent");
	series = lw_ana_series(chart, &looks, "jobs with a limit", LW_LIMIT_PARTS);
	for (uint32_t p = 0; p < LW_LIMIT_PARTS; p++) {
		snprintf(chart->groups[p], sizeof(chart->groups[p]), "%s", lw_limit_part_name(p));
		if (series)
			series->y[p] = 100 * lw_share(a->limits.part[p], a->limits.jobs);
	}
}

static void chart_gpus(const struct lw_analysis *a, struct lw_charts *charts)
{
	struct lw_looks looks = { 0 };
	struct lw_chart_series *series;
	struct lw_chart *chart;

	if (!a->gpu.recorded)
		return;
	chart = lw_ana_chart(charts, "gpu-use", "What is made of the GPUs");
	chart->x_axis = LW_CHART_BARS;
	lw_ana_axis_x(chart, "mean utilisation of the job's GPUs", "utilisation");
	lw_ana_axis_y(chart, "share of the time held (%)", "share_percent");
	series = lw_ana_series(chart, &looks, "jobs with a record", LW_GPU_PARTS);
	for (uint32_t p = 0; p < LW_GPU_PARTS; p++) {
		snprintf(chart->groups[p], sizeof(chart->groups[p]), "%s", lw_gpu_part_name(p));
		if (series)
			series->y[p] = 100 * a->gpu.part_area[p];
	}
}

void lw_ana_charts_users(const struct lw_ana_result *result, struct lw_charts *charts)
{
	const struct lw_analysis *a = &result->analysis;

	chart_repeat(a, charts);
	chart_behaviour(a, true, charts);
	chart_behaviour(a, false, charts);
	chart_limits(a, charts);
	chart_gpus(a, charts);
}

/* ---- what elapsed time tells ---- */

/* After so many of the times enough still run to tell. */
static uint32_t count_times(const struct lw_elapsed *elapsed)
{
	uint32_t count = 0;

	while (count < LW_ELAPSED_TIMES && elapsed->times[count].running >= RUNNING)
		count++;
	return count;
}

static void chart_left(const struct lw_analysis *a, struct lw_charts *charts)
{
	struct lw_chart *chart =
		lw_ana_chart(charts, "left", "How long jobs that still run go on");
	struct lw_chart_series *series;
	struct lw_looks looks = { 0 };
	struct lw_unit unit;
	char label[80];

	chart->x_axis = LW_CHART_LOG;
	chart->x_min = 1;
	lw_ana_axis_x(chart, "it has run for (seconds, logarithmic; at its start: 1)",
		      "elapsed_s");
	series = lw_ana_series(chart, &looks, "median", count_times(&a->elapsed));
	for (uint32_t t = 0; series && t < series->count; t++) {
		series->x[t] = fmax((double)a->elapsed.times[t].after_s, 1);
		series->y[t] = a->elapsed.times[t].left_median_s;
		series->marks = true;
	}
	unit = lw_unit_for(lw_chart_largest_y(chart));
	lw_chart_scale_y(chart, unit.seconds);
	snprintf(label, sizeof(label), "time left (%s)", unit.name);
	lw_ana_axis_y(chart, label, "left_median");
}

static void chart_fate(const struct lw_analysis *a, struct lw_charts *charts)
{
	struct lw_looks looks = { 0 };
	struct lw_chart *chart;

	if (!lw_slice_known(&a->all))
		return;
	chart = lw_ana_chart(charts, "fate", "How jobs that still run will end");
	chart->x_axis = LW_CHART_LOG;
	chart->x_min = 1;
	chart->y_max = 100;
	lw_ana_axis_x(chart, "it has run for (seconds, logarithmic; at its start: 1)",
		      "elapsed_s");
	lw_ana_axis_y(chart, "share of those jobs (%)", "jobs_percent");
	for (uint32_t o = 0; o < LW_OUTCOME_UNKNOWN; o++) {
		struct lw_chart_series *series;

		if (!a->all.outcome[o])
			continue;
		series = lw_ana_series(chart, &looks, lw_outcome_name((enum lw_outcome)o),
				       count_times(&a->elapsed));
		for (uint32_t t = 0; series && t < series->count; t++) {
			series->x[t] = fmax((double)a->elapsed.times[t].after_s, 1);
			series->y[t] = 100 * a->elapsed.times[t].outcome[o];
			series->marks = true;
		}
	}
}

static void chart_guesses(const struct lw_analysis *a, struct lw_charts *charts)
{
	static const char *const names[] = { "not knowing how long it has run", "knowing it" };
	struct lw_looks looks = { 0 };
	struct lw_chart *chart;

	if (!a->elapsed.looks[0].jobs)
		return;
	chart = lw_ana_chart(charts, "guesses", "Guesses of run times that are too short");
	chart->x_axis = LW_CHART_BARS;
	chart->y_max = 100;
	lw_ana_axis_x(chart, "the job has run for", "elapsed");
	lw_ana_axis_y(chart, "share of guesses (%)", "too_short_percent");
	for (uint32_t l = 0; l < LW_ELAPSED_LOOKS; l++)
		snprintf(chart->groups[l], sizeof(chart->groups[l]), "%s",
			 lw_ana_seconds(a->elapsed.looks[l].after_s));
	for (uint32_t n = 0; n < 2; n++) {
		struct lw_chart_series *series =
			lw_ana_series(chart, &looks, names[n], LW_ELAPSED_LOOKS);

		for (uint32_t l = 0; series && l < LW_ELAPSED_LOOKS; l++)
			series->y[l] = 100 * (n ? a->elapsed.looks[l].below
						: a->elapsed.looks[l].below_blind);
	}
}

void lw_ana_charts_time(const struct lw_ana_result *result, struct lw_charts *charts)
{
	const struct lw_analysis *a = &result->analysis;

	chart_left(a, charts);
	chart_fate(a, charts);
	chart_guesses(a, charts);
}
