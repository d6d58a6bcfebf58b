/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway report: charts of use, queue and waits over time. */
#include "tools/report/report.h"

#include <stdlib.h>

#include "tools/curves.h"

#define WIDTH        960
#define HEAD         64
#define CHART_HEIGHT 290
#define CHARTS       3
/* points of a curve over time; more cannot be seen at this width */
#define BUCKETS 240

/* Shown on the time axis: from each run's first submission to the last end of any. */
struct span {
	int64_t length_s;
	double unit_s;
	const char *label;
};

static struct span find_span(const struct lw_report *report)
{
	struct span span = { 1, 60, "cluster time since the first submission (minutes)" };

	for (uint32_t i = 0; i < report->count; i++) {
		const struct lw_runstat *stat = &report->stats[i];
		int64_t end_s = stat->last_end_s > stat->last_submit_s
					? stat->last_end_s
					: stat->last_submit_s;

		if (end_s - stat->first_submit_s > span.length_s)
			span.length_s = end_s - stat->first_submit_s;
	}
	if (span.length_s > 2 * 3600) {
		span.unit_s = 3600;
		span.label = "cluster time since the first submission (hours)";
	}
	return span;
}

_Static_assert(LW_REPORT_RUNS_MAX <= LW_CURVES_MAX, "too few curves");

/* The curve of a run. */
static double *add_curve(struct lw_curves *curves, const struct lw_report *report, uint32_t run,
			 uint32_t n)
{
	double *points = lw_curves_add(curves, report->runs[run].label, run, n);

	curves->series[run].steps = true;
	return points;
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

static void find_interval(const struct lw_run_job *job, const struct span *span,
			  int64_t zero_s, bool waiting, double *ret_from_s,
			  double *ret_to_s)
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

/* Means over short stretches of time; DIVISOR turns them into the unit of the axis. */
static void make_time_curve(struct lw_curves *curves, const struct lw_report *report,
			    uint32_t run, const struct span *span, bool waiting, weigh_f weigh,
			    double divisor)
{
	const struct lw_runstat *stat = &report->stats[run];
	double *points = add_curve(curves, report, run, BUCKETS);
	double bucket_s = (double)span->length_s / BUCKETS, from_s, to_s;

	if (!points)
		return;
	for (uint32_t i = 0; i < report->runs[run].job_count; i++) {
		const struct lw_run_job *job = &report->runs[run].jobs[i];

		find_interval(job, span, stat->first_submit_s, waiting, &from_s, &to_s);
		lw_curves_spread(points + BUCKETS, BUCKETS, bucket_s, from_s, to_s,
				 weigh(job, stat->by_gpus));
	}
	for (int b = 0; b < BUCKETS; b++) {
		points[b] = b * bucket_s / span->unit_s;
		points[BUCKETS + b] /= bucket_s * divisor;
	}
}

static int compare_doubles(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static void make_wait_curve(struct lw_curves *curves, const struct lw_report *report,
			    uint32_t run)
{
	const struct lw_run *r = &report->runs[run];
	uint32_t started = report->stats[run].started, n = 0;
	double *points = add_curve(curves, report, run, started);

	if (!points || !started)
		return;
	for (uint32_t i = 0; i < r->job_count; i++)
		if (r->jobs[i].start_s != LW_RUN_NONE)
			points[n++] = (double)(r->jobs[i].start_s - r->jobs[i].submit_s);
	qsort(points, n, sizeof(*points), compare_doubles);
	for (uint32_t i = 0; i < n; i++)
		points[started + i] = 100.0 * (i + 1) / n;
}

static bool counts_gpus(const struct lw_report *report)
{
	for (uint32_t i = 0; i < report->count; i++)
		if (report->stats[i].by_gpus)
			return true;
	return false;
}

static void add_use(const struct lw_report *report, const struct span *span,
		    struct lw_strbuf *sb)
{
	bool gpus = counts_gpus(report), known = true;
	struct lw_curves curves = { 0 };
	struct lw_svg_chart chart = { .x_label = span->label,
				      .x_max = (double)span->length_s / span->unit_s };

	for (uint32_t i = 0; i < report->count; i++)
		known = known && report->runs[i].nodes > 0;
	for (uint32_t i = 0; i < report->count; i++) {
		const struct lw_run *run = &report->runs[i];
		double all = (double)(run->nodes *
				      (gpus ? run->gpus_per_node : run->cpus_per_node));

		make_time_curve(&curves, report, i, span, false, weigh_machine,
				known && all > 0 ? all / 100 : 1);
	}
	chart.title = gpus ? "GPUs in use" : "CPUs in use";
	chart.y_label = known ? "share of the machine (%)" : gpus ? "GPUs" : "CPUs";
	chart.y_max = known ? 100 : 0;
	lw_curves_draw(&curves, &chart, sb, HEAD, WIDTH, CHART_HEIGHT);
	lw_svg_add_legend(sb, curves.series, curves.count, 64, 50, 10 * WIDTH);
	lw_curves_fini(&curves);
}

static void add_queue(const struct lw_report *report, const struct span *span,
		      struct lw_strbuf *sb)
{
	struct lw_curves curves = { 0 };
	struct lw_svg_chart chart = { .title = "Jobs waiting",
				      .x_label = span->label,
				      .y_label = "jobs in the queue",
				      .x_max = (double)span->length_s / span->unit_s };

	for (uint32_t i = 0; i < report->count; i++)
		make_time_curve(&curves, report, i, span, true, weigh_one, 1);
	lw_curves_draw(&curves, &chart, sb, HEAD + CHART_HEIGHT, WIDTH, CHART_HEIGHT);
	lw_curves_fini(&curves);
}

static void add_waits(const struct lw_report *report, struct lw_strbuf *sb)
{
	struct lw_curves curves = { 0 };
	struct lw_svg_chart chart = {
		.title = "Jobs that started within a wait of ...",
		.x_label = "wait (logarithmic; shorter than 1 s counts as 1 s)",
		.y_label = "jobs started (%)",
		.x_axis = LW_SVG_LOG_TIME,
		.y_max = 100
	};

	for (uint32_t i = 0; i < report->count; i++)
		make_wait_curve(&curves, report, i);
	lw_curves_draw(&curves, &chart, sb, HEAD + 2 * CHART_HEIGHT, WIDTH, CHART_HEIGHT);
	lw_curves_fini(&curves);
}

void lw_report_svg(const struct lw_report *report, struct lw_strbuf *sb)
{
	struct span span = find_span(report);
	const char *workload = report->runs[0].workload;

	lw_svg_begin(sb, WIDTH, HEAD + CHARTS * CHART_HEIGHT + 6, "Replays compared");
	lw_strbuf_add(
		sb,
		"<text x=\"64\" y=\"28\" font-size=\"18\" font-weight=\"bold\">Replays "
		"compared</text>");
	if (workload) {
		lw_strbuf_add(sb,
			      "<text x=\"%d\" y=\"28\" text-anchor=\"end\">workload: ",
			      WIDTH - 18);
		lw_svg_add_text(sb, workload);
		lw_strbuf_add(sb, "</text>\n");
	}
	add_use(report, &span, sb);
	add_queue(report, &span, sb);
	add_waits(report, sb);
	lw_svg_end(sb);
}
