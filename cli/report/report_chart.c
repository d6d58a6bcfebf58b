/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway report: charts of use, queue and waits over time. */
#include "cli/report/report.h"

#include <stdio.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/chart/fairness.h"
#include "measure/doubles.h"

/* points of a curve over time; more cannot be seen at this width */
#define BUCKETS 240

_Static_assert(LW_REPORT_RUNS_MAX <= LW_CHART_SERIES, "too few series");

/* Shown on the time axis: from each run's first submission to the last end of any. */
struct span {
	int64_t length_s;
	struct lw_unit unit;
};

static struct span find_span(const struct lw_report *report)
{
	struct span span = { .length_s = 1 };

	for (uint32_t i = 0; i < report->count; i++) {
		const struct lw_runstat *stat = &report->stats[i];
		int64_t end_s = stat->last_end_s > stat->last_submit_s ? stat->last_end_s
								       : stat->last_submit_s;

		if (end_s - stat->first_submit_s > span.length_s)
			span.length_s = end_s - stat->first_submit_s;
	}
	span.unit = lw_unit_for((double)span.length_s);
	return span;
}

void lw_report_looks(const struct lw_report *report, struct lw_look looks[LW_REPORT_RUNS_MAX])
{
	struct lw_looks taken = { 0 };

	for (uint32_t i = 0; i < report->count; i++)
		looks[i] = lw_looks_next(&taken, report->runs[i].label);
}

/* The curve of a run. */
static struct lw_chart_series *add_curve(struct lw_chart *chart, const struct lw_report *report,
					 uint32_t run, uint32_t n)
{
	struct lw_look looks[LW_REPORT_RUNS_MAX];
	struct lw_chart_series *series;

	lw_report_looks(report, looks);
	series = lw_chart_add(chart, report->runs[run].label, looks[run], n);
	if (series)
		series->steps = true;
	return series;
}

static void set_time_axis(struct lw_chart *chart, const struct span *span)
{
	snprintf(chart->x_label, sizeof(chart->x_label),
		 "cluster time since the first submission (%s)", span->unit.name);
	snprintf(chart->x_key, sizeof(chart->x_key), "time_%s", span->unit.name);
	chart->x_max = (double)span->length_s / span->unit.seconds;
}

/* What a job adds to the curve while it runs, or while it waits. */
typedef double (*weigh_f)(const struct lw_run_job *job, bool by_gpus);

static double weigh_machine(const struct lw_run_job *job, bool by_gpus)
{
	return by_gpus ? (double)job->gpus : (double)job->cpus;
}

static double weigh_one(const struct lw_run_job *job, bool by_gpus)
{
	(void)by_gpus;
	return job->tasks;
}

static void find_interval(const struct lw_run_job *job, const struct span *span, int64_t zero_s,
			  bool waiting, double *ret_from_s, double *ret_to_s)
{
	int64_t open_end_s = zero_s + span->length_s, from_s, to_s;

	if (waiting) {
		from_s = job->submit_s;
		to_s = job->start_s != LW_RUN_NONE ? job->start_s : job->end_s;
	} else {
		from_s = job->start_s;
		to_s = job->end_s;
	}
	if (from_s == LW_RUN_NONE)
		from_s = to_s = open_end_s;
	if (to_s == LW_RUN_NONE)
		to_s = open_end_s;
	*ret_from_s = (double)(from_s - zero_s);
	*ret_to_s = (double)(to_s - zero_s);
}

/* What a curve over time is of; DIVISOR turns it into the unit of the axis. */
struct measure {
	bool waiting;
	weigh_f weigh;
	double divisor;
};

/* Means over short stretches of time. */
static void make_time_curve(struct lw_chart *chart, const struct lw_report *report, uint32_t run,
			    const struct span *span, const struct measure *measure)
{
	const struct lw_runstat *stat = &report->stats[run];
	struct lw_chart_series *series = add_curve(chart, report, run, BUCKETS);
	double bucket_s = (double)span->length_s / BUCKETS, from_s, to_s;

	if (!series)
		return;
	for (uint32_t i = 0; i < report->runs[run].job_count; i++) {
		const struct lw_run_job *job = &report->runs[run].jobs[i];

		find_interval(job, span, stat->first_submit_s, measure->waiting, &from_s, &to_s);
		lw_chart_spread(series->y, BUCKETS, bucket_s, from_s, to_s,
				measure->weigh(job, stat->by_gpus));
	}
	for (int b = 0; b < BUCKETS; b++) {
		series->x[b] = b * bucket_s / span->unit.seconds;
		series->y[b] /= bucket_s * measure->divisor;
	}
}

static void make_wait_curve(struct lw_chart *chart, const struct lw_report *report, uint32_t run,
			    const struct lw_unit *unit)
{
	const struct lw_run *r = &report->runs[run];
	uint32_t started = report->stats[run].started, n = 0;
	struct lw_chart_series *series = add_curve(chart, report, run, started);

	if (!series || !started)
		return;
	for (uint32_t i = 0; i < r->job_count; i++)
		if (r->jobs[i].start_s != LW_RUN_NONE)
			series->x[n++] = (double)(r->jobs[i].start_s - r->jobs[i].submit_s) /
					 unit->seconds;
	qsort(series->x, n, sizeof(*series->x), lw_doubles_compare);
	for (uint32_t i = 0; i < n; i++)
		series->y[i] = 100.0 * (i + 1) / n;
}

static bool counts_gpus(const struct lw_report *report)
{
	for (uint32_t i = 0; i < report->count; i++)
		if (report->stats[i].by_gpus)
			return true;
	return false;
}

static void make_use(struct lw_chart *chart, const struct lw_report *report,
		     const struct span *span)
{
	bool gpus = counts_gpus(report), known = true;

	for (uint32_t i = 0; i < report->count; i++)
		known = known && report->runs[i].nodes > 0;
	for (uint32_t i = 0; i < report->count; i++) {
		const struct lw_run *run = &report->runs[i];
		double all =
			(double)(run->nodes * (gpus ? run->gpus_per_node : run->cpus_per_node));
		const struct measure use = { false, weigh_machine,
					     known && all > 0 ? all / 100 : 1 };

		make_time_curve(chart, report, i, span, &use);
	}
	chart->key = "use";
	snprintf(chart->title, sizeof(chart->title), "%s in use", gpus ? "GPUs" : "CPUs");
	snprintf(chart->y_label, sizeof(chart->y_label), "%s",
		 known  ? "share of the machine (%)"
		 : gpus ? "GPUs"
			: "CPUs");
	snprintf(chart->y_key, sizeof(chart->y_key), "%s",
		 known  ? "share_percent"
		 : gpus ? "gpus"
			: "cpus");
	set_time_axis(chart, span);
	chart->y_max = known ? 100 : 0;
}

static void make_queue(struct lw_chart *chart, const struct lw_report *report,
		       const struct span *span)
{
	static const struct measure queue = { true, weigh_one, 1 };

	chart->key = "queue";
	snprintf(chart->title, sizeof(chart->title), "Jobs waiting");
	snprintf(chart->y_label, sizeof(chart->y_label), "jobs in the queue");
	snprintf(chart->y_key, sizeof(chart->y_key), "jobs_waiting");
	set_time_axis(chart, span);
	for (uint32_t i = 0; i < report->count; i++)
		make_time_curve(chart, report, i, span, &queue);
}

struct lw_unit lw_report_unit(const struct lw_report *report)
{
	double largest_s = 0;

	for (uint32_t i = 0; i < report->count; i++)
		if (report->stats[i].metrics.wait_mean_s > largest_s)
			largest_s = report->stats[i].metrics.wait_mean_s;
	return lw_unit_for(largest_s);
}

static void make_waits(struct lw_chart *chart, const struct lw_report *report)
{
	struct lw_unit unit = lw_report_unit(report);

	chart->key = "waits";
	chart->x_axis = LW_CHART_LOG;
	chart->x_min = 1 / unit.seconds;
	chart->y_max = 100;
	snprintf(chart->title, sizeof(chart->title),
		 "Jobs that had waited no longer when they started");
	snprintf(chart->x_label, sizeof(chart->x_label),
		 "wait (%s, logarithmic; shorter than 1 s counts as 1 s)", unit.name);
	snprintf(chart->x_key, sizeof(chart->x_key), "wait_%s", unit.name);
	snprintf(chart->y_label, sizeof(chart->y_label), "jobs started (%%)");
	snprintf(chart->y_key, sizeof(chart->y_key), "jobs_percent");
	for (uint32_t i = 0; i < report->count; i++)
		make_wait_curve(chart, report, i, &unit);
}

/* The place of each run: how fair it was, and how unfair to the jobs worst off. */
static void make_fairness(struct lw_chart *chart, const struct lw_report *report)
{
	lw_chart_fairness_axes(chart);
	for (uint32_t i = 0; i < report->count; i++) {
		const struct lw_fares *fares = &report->stats[i].fairness.jobs;
		struct lw_chart_series *series = add_curve(chart, report, i, 1);

		if (!series)
			return;
		series->no_line = series->named = true;
		series->count = isnan(fares->mean) ? 0 : 1;
		series->x[0] = 100 * fares->fair;
		series->y[0] = fares->mean;
	}
}

void lw_report_charts(const struct lw_report *report, struct lw_charts *charts)
{
	struct span span = find_span(report);

	memset(charts, 0, sizeof(*charts));
	snprintf(charts->title, sizeof(charts->title), "Replays compared");
	if (report->runs[0].workload)
		snprintf(charts->about, sizeof(charts->about), "workload: %.180s",
			 report->runs[0].workload);
	make_use(&charts->charts[charts->count++], report, &span);
	make_queue(&charts->charts[charts->count++], report, &span);
	make_waits(&charts->charts[charts->count++], report);
	make_fairness(&charts->charts[charts->count++], report);
	if (lw_report_chart_chains(report, &charts->charts[charts->count]))
		charts->count++;
}

struct lw_unit lw_report_span_unit(const struct lw_report *report)
{
	return find_span(report).unit;
}
