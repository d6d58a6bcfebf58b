/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway sim: charts of several policies on one trace. */
#include "tools/sim/sim.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/curves.h"

#define WIDTH        960
#define HEAD         68
#define CHART_HEIGHT 310
#define LEFT         64
#define DAY_S        86400.0
/* points of a curve over time; with more of them noise hides the curves */
#define PERIODS 40
/* groups of bars; more than their names have room for are put together */
#define CLASSES   8
#define WIDTH_BIT 32

/* all policies, and the frontier */
_Static_assert(LW_SIM_RUNS_MAX < LW_CURVES_MAX, "too few curves");

/* The curve of one of the policies: ours is drawn thicker. */
static double *add_run(struct lw_curves *curves, const struct lw_simcompare *compare,
		       uint32_t which, uint32_t n)
{
	const struct lw_simspec *spec = &compare->runs[which].spec;
	double *points = lw_curves_add(curves, spec->label, which, n);

	curves->series[curves->count - 1].strong = spec->policy.kind == LW_POLICY_LEEWAY;
	return points;
}

/* The unit that waits are told in on an axis. */
struct unit {
	double seconds;
	const char *name;
};

static struct unit unit_for(double largest_s)
{
	if (largest_s < 300)
		return (struct unit){ 1, "seconds" };
	if (largest_s < 2 * 3600)
		return (struct unit){ 60, "minutes" };
	if (largest_s < 4 * DAY_S)
		return (struct unit){ 3600, "hours" };
	return (struct unit){ DAY_S, "days" };
}

/* Divide the y of all curves by a unit that suits them. */
static struct unit scale_waits(struct lw_curves *curves)
{
	struct unit unit;
	double largest_s = 0;

	for (uint32_t c = 0; c < curves->count; c++) {
		for (uint32_t i = 0; i < curves->series[c].count; i++)
			if (curves->series[c].y[i] > largest_s)
				largest_s = curves->series[c].y[i];
	}
	unit = unit_for(largest_s);
	for (uint32_t c = 0; c < curves->count; c++) {
		uint32_t n = curves->series[c].count;

		for (uint32_t i = 0; i < n; i++)
			curves->points[c][n + i] /= unit.seconds;
	}
	return unit;
}

static void draw(const struct lw_curves *curves, struct lw_svg_chart *chart, uint32_t top,
		 struct lw_strbuf *sb)
{
	lw_curves_draw(curves, chart, sb, top, WIDTH, CHART_HEIGHT);
}

static double span_of(const struct lw_simcompare *compare)
{
	const struct lw_sim_job *jobs = compare->trace->jobs.jobs;
	uint32_t count = compare->trace->jobs.count;
	int64_t span_s = jobs[count - 1].submit_s - jobs[0].submit_s;

	return span_s > 0 ? (double)span_s : 1;
}

/* Which period of the log the second is in. */
static int period_of(const struct lw_simcompare *compare, int64_t at_s)
{
	double since_s = (double)(at_s - compare->trace->jobs.jobs[0].submit_s);
	int period = (int)(since_s / span_of(compare) * PERIODS);

	return period < 0 ? 0 : period >= PERIODS ? PERIODS - 1 : period;
}

static void set_times(const struct lw_simcompare *compare, double *points)
{
	double span_s = span_of(compare), unit_s = unit_for(span_s).seconds;

	for (int p = 0; p < PERIODS; p++)
		points[p] = (p + 0.5) / PERIODS * span_s / unit_s;
}

/* A chart over the time of the log, whose axis is named in LABEL. */
static void set_time_axis(const struct lw_simcompare *compare, struct lw_svg_chart *chart,
			  char label[48])
{
	double span_s = span_of(compare);
	struct unit unit = unit_for(span_s);

	snprintf(label, 48, "%s since the start of the trace", unit.name);
	chart->x_label = label;
	chart->x_max = span_s / unit.seconds;
}

static void make_wait_curve(struct lw_curves *curves, const struct lw_simcompare *compare,
			    uint32_t which)
{
	const struct lw_simrun *run = &compare->runs[which];
	double *points = add_run(curves, compare, which, PERIODS);
	uint32_t jobs[PERIODS] = { 0 };

	if (!points)
		return;
	set_times(compare, points);
	for (uint32_t i = 0; i < compare->trace->jobs.count; i++) {
		const struct lw_sim_job *job = &run->jobs[i];
		int period = period_of(compare, job->submit_s);

		if (job->start_s == LW_NO_TIME)
			continue;
		points[PERIODS + period] += (double)(job->start_s - job->submit_s);
		jobs[period]++;
	}
	for (int p = 0; p < PERIODS; p++)
		points[PERIODS + p] /= jobs[p] ? jobs[p] : 1;
}

static void add_waits(const struct lw_simcompare *compare, uint32_t top, struct lw_strbuf *sb)
{
	struct lw_curves curves = { 0 };
	struct lw_svg_chart chart = { .title = "Mean wait of the jobs submitted at that time" };
	char label[40], time_label[48];

	for (uint32_t i = 0; i < compare->count; i++)
		make_wait_curve(&curves, compare, i);
	snprintf(label, sizeof(label), "mean wait (%s)", scale_waits(&curves).name);
	chart.y_label = label;
	set_time_axis(compare, &chart, time_label);
	draw(&curves, &chart, top, sb);
	lw_curves_fini(&curves);
}

/* Jobs of about one width: from LOW to HIGH processors. */
struct class
{
	uint32_t low, high, jobs;
	char name[48];
};

static uint32_t width_of(const struct lw_simcompare *compare, const struct lw_sim_job *job)
{
	return lw_machine_width(&compare->trace->machine, &job->request);
}

/* Class 0 is width 1, class n is 2^(n-1)+1 .. 2^n. */
static uint32_t doubling_of(uint32_t width)
{
	uint32_t n = 0;

	while (n < WIDTH_BIT - 1 && (UINT32_C(1) << n) < width)
		n++;
	return n;
}

static void count_jobs(const struct lw_simcompare *compare, struct class classes[WIDTH_BIT])
{
	for (uint32_t i = 0; i < compare->trace->jobs.count; i++) {
		uint32_t width = width_of(compare, &compare->trace->jobs.jobs[i]);
		struct class *class = &classes[doubling_of(width)];

		if (!class->jobs || width < class->low)
			class->low = width;
		if (width > class->high)
			class->high = width;
		class->jobs++;
	}
}

/* Put the two neighbours with the fewest jobs together. */
static void join_two(struct class *classes, uint32_t count)
{
	uint32_t best = 0;

	for (uint32_t i = 1; i + 1 < count; i++) {
		if (classes[i].jobs + classes[i + 1].jobs <
		    classes[best].jobs + classes[best + 1].jobs)
			best = i;
	}
	classes[best].high = classes[best + 1].high;
	classes[best].jobs += classes[best + 1].jobs;
	memmove(&classes[best + 1], &classes[best + 2], (count - best - 2) * sizeof(*classes));
}

static uint32_t make_classes(const struct lw_simcompare *compare, struct class classes[WIDTH_BIT])
{
	uint32_t count = 0;

	memset(classes, 0, WIDTH_BIT * sizeof(*classes));
	count_jobs(compare, classes);
	for (uint32_t i = 0; i < WIDTH_BIT; i++) {
		if (classes[i].jobs)
			classes[count++] = classes[i];
	}
	while (count > CLASSES)
		join_two(classes, count--);
	for (uint32_t i = 0; i < count; i++) {
		struct class *class = &classes[i];

		if (class->low == class->high)
			snprintf(class->name, sizeof(class->name), "%" PRIu32, class->low);
		else
			snprintf(class->name, sizeof(class->name), "%" PRIu32 "–%" PRIu32,
				 class->low, class->high);
	}
	return count;
}

static void make_class_curve(struct lw_curves *curves, const struct lw_simcompare *compare,
			     uint32_t which, const struct class *classes, uint32_t count)
{
	const struct lw_simrun *run = &compare->runs[which];
	double *points = add_run(curves, compare, which, count);

	for (uint32_t i = 0; points && i < compare->trace->jobs.count; i++) {
		const struct lw_sim_job *job = &run->jobs[i];
		uint32_t c = 0;

		while (c + 1 < count && width_of(compare, job) > classes[c].high)
			c++;
		if (job->start_s != LW_NO_TIME)
			points[count + c] +=
				(double)(job->start_s - job->submit_s) / classes[c].jobs;
	}
}

static void add_classes(const struct lw_simcompare *compare, uint32_t top, struct lw_strbuf *sb)
{
	struct lw_curves curves = { 0 };
	struct class classes[WIDTH_BIT];
	const char *names[WIDTH_BIT];
	uint32_t count = make_classes(compare, classes);
	struct lw_svg_chart chart = { .title = "Mean wait by width of the job",
				      .x_label = "processors that the job holds",
				      .x_axis = LW_SVG_NAMES,
				      .names = names };
	char label[40];

	for (uint32_t i = 0; i < count; i++)
		names[i] = classes[i].name;
	for (uint32_t i = 0; i < compare->count; i++)
		make_class_curve(&curves, compare, i, classes, count);
	snprintf(label, sizeof(label), "mean wait (%s)", scale_waits(&curves).name);
	chart.y_label = label;
	draw(&curves, &chart, top, sb);
	lw_curves_fini(&curves);
}

/* The factor alone, as "0.1": what stands beside a point of the curve. */
static const char *factor_of(const struct lw_simrun *run)
{
	const char *equals = strrchr(run->spec.label, '=');

	return equals ? equals + 1 : "";
}

static void make_frontier(struct lw_curves *curves, const struct lw_simcompare *compare,
			  const char **labels)
{
	uint32_t n = compare->frontier_count, known = 0;
	double *points = lw_curves_add(curves, "relaxed by constant factors", 5, n);
	struct lw_svg_series *series = &curves->series[curves->count - 1];

	for (uint32_t i = 0; points && i < n; i++) {
		const double *value = compare->frontier[i].mean.value;

		if (isnan(value[LW_FIGURE_WAIT]))
			continue;
		points[known] = value[LW_FIGURE_VIOLATION];
		points[n + known] = value[LW_FIGURE_WAIT];
		labels[known++] = factor_of(&compare->frontier[i]);
	}
	series->count = known;
	series->labels = labels;
	series->marks = true;
}

static void make_point(struct lw_curves *curves, const struct lw_simcompare *compare,
		       uint32_t which)
{
	const struct lw_simrun *run = &compare->runs[which];
	double *points = add_run(curves, compare, which, 1);

	if (!points)
		return;
	points[0] = run->mean.value[LW_FIGURE_VIOLATION];
	points[1] = run->mean.value[LW_FIGURE_WAIT];
	curves->series[curves->count - 1].count = !isnan(points[1]);
	curves->series[curves->count - 1].no_line = true;
	curves->series[curves->count - 1].labels = &curves->series[curves->count - 1].name;
}

static double largest_x(const struct lw_curves *curves)
{
	double largest = 60;

	for (uint32_t c = 0; c < curves->count; c++) {
		for (uint32_t i = 0; i < curves->series[c].count; i++)
			if (curves->series[c].x[i] > largest)
				largest = curves->series[c].x[i];
	}
	return largest;
}

static void add_frontier(const struct lw_simcompare *compare, uint32_t top, struct lw_strbuf *sb)
{
	struct lw_curves curves = { 0 };
	const char **labels = calloc(compare->frontier_count + 1, sizeof(*labels));
	struct lw_svg_chart chart = {
		.title = compare->frontier_count ? "Wait against broken promises (dotted: relaxed "
						   "by the factors shown)"
						 : "Wait against broken promises",
		.x_label = "mean violation of a promise (logarithmic; below 1 s counts as 1 s)",
		.x_axis = LW_SVG_LOG_TIME,
	};
	char label[40];

	if (labels && compare->frontier_count)
		make_frontier(&curves, compare, labels);
	for (uint32_t i = 0; i < compare->count; i++)
		make_point(&curves, compare, i);
	snprintf(label, sizeof(label), "mean wait (%s)", scale_waits(&curves).name);
	chart.y_label = label;
	chart.x_max = 2 * largest_x(&curves);
	draw(&curves, &chart, top, sb);
	lw_curves_fini(&curves);
	free(labels);
}

static void make_use_curve(struct lw_curves *curves, const struct lw_simcompare *compare,
			   uint32_t which)
{
	const struct lw_simrun *run = &compare->runs[which];
	double *points = add_run(curves, compare, which, PERIODS);
	double period_s = span_of(compare) / PERIODS;
	int64_t zero_s = compare->trace->jobs.jobs[0].submit_s;

	if (!points)
		return;
	set_times(compare, points);
	for (uint32_t i = 0; i < compare->trace->jobs.count; i++) {
		const struct lw_sim_job *job = &run->jobs[i];

		if (job->start_s == LW_NO_TIME)
			continue;
		lw_curves_spread(points + PERIODS, PERIODS, period_s,
				 (double)(job->start_s - zero_s),
				 (double)(lw_sim_job_end_s(job) - zero_s),
				 width_of(compare, job));
	}
	for (int p = 0; p < PERIODS; p++)
		points[PERIODS + p] *=
			100 / period_s / lw_machine_procs(&compare->trace->machine);
}

static void add_use(const struct lw_simcompare *compare, uint32_t top, struct lw_strbuf *sb)
{
	struct lw_curves curves = { 0 };
	struct lw_svg_chart chart = { .title = "Processors in use",
				      .y_label = "share of the machine (%)",
				      .y_max = 100 };
	char time_label[48];

	set_time_axis(compare, &chart, time_label);
	for (uint32_t i = 0; i < compare->count; i++)
		make_use_curve(&curves, compare, i);
	draw(&curves, &chart, top, sb);
	lw_curves_fini(&curves);
}

static void add_head(const struct lw_simcompare *compare, struct lw_strbuf *sb)
{
	lw_strbuf_add(sb,
		      "<text x=\"%d\" y=\"28\" font-size=\"18\" font-weight=\"bold\">"
		      "Policies compared</text>"
		      "<text x=\"%d\" y=\"28\" text-anchor=\"end\">",
		      LEFT, WIDTH - 18);
	lw_svg_add_text(sb, compare->trace->name);
	lw_strbuf_add(sb, ", %" PRIu32 " jobs, %" PRIu32 " processors</text>\n",
		      compare->trace->jobs.count, lw_machine_procs(&compare->trace->machine));
}

void lw_simcompare_svg(const struct lw_simcompare *compare, struct lw_strbuf *sb)
{
	static void (*const charts[])(const struct lw_simcompare *, uint32_t,
				      struct lw_strbuf *) = { add_waits, add_classes,
							      add_frontier, add_use };
	struct lw_svg_series legend[LW_SIM_RUNS_MAX] = { { 0 } };
	uint32_t count = sizeof(charts) / sizeof(charts[0]), top;

	for (uint32_t i = 0; i < compare->count; i++) {
		legend[i].name = compare->runs[i].spec.label;
		legend[i].style = i;
	}
	top = HEAD + LW_SVG_LEGEND_ROW * lw_svg_legend_rows(legend, compare->count, WIDTH - LEFT);
	lw_svg_begin(sb, WIDTH, top + count * CHART_HEIGHT + 6, "Policies compared");
	add_head(compare, sb);
	lw_svg_add_legend(sb, legend, compare->count, LEFT, 54, WIDTH - LEFT);
	for (uint32_t i = 0; i < count; i++)
		charts[i](compare, top + i * CHART_HEIGHT, sb);
	lw_svg_end(sb);
}
