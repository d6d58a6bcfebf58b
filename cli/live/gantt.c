/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway live: the next hours as a Gantt chart, and what they hold in sum. */
#include "cli/live/live.h"

#include "base/when.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/chart/chart.h"

#define STRETCHES 96
#define HOURS     (LIVE_HORIZON_S / 3600)

bool lw_live_is_planned(const struct live *live, const struct lw_live_job *job)
{
	return !job->runs && job->start_s >= 0 && job->start_s < live->now_s + LIVE_HORIZON_S;
}

/* ---- which rows ---- */

struct row {
	int64_t at_s; /* what they are in order of */
	uint32_t job;
};

static int by_time(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	if (x->at_s != y->at_s)
		return x->at_s < y->at_s ? -1 : 1;
	return x->job < y->job ? -1 : x->job > y->job;
}

/* The running jobs, by their ends, or the planned jobs, by their starts; NULL: no memory. */
static struct row *find_rows(const struct live *live, bool running, uint32_t *ret_count)
{
	struct row *rows = calloc((size_t)live->job_count + 1, sizeof(*rows));
	uint32_t count = 0;

	for (uint32_t j = 0; rows && j < live->job_count; j++) {
		const struct lw_live_job *job = &live->jobs[j];

		if (running ? !job->runs : !lw_live_is_planned(live, job))
			continue;
		rows[count].at_s = !running         ? job->start_s
				   : job->end_s < 0 ? INT64_MAX
						    : job->end_s;
		rows[count++].job = j;
	}
	if (rows)
		qsort(rows, count, sizeof(*rows), by_time);
	*ret_count = count;
	return rows;
}

/* ---- a row ---- */

/* Where a moment is, in percent of the hours. */
static double place_of(const struct live *live, int64_t at_s)
{
	double share = (double)(at_s - live->now_s) * 100 / LIVE_HORIZON_S;

	return share < 0 ? 0 : share > 100 ? 100 : share;
}

static void add_size(const struct lw_live_job *job, struct lw_strbuf *sb)
{
	if (job->gpus)
		lw_strbuf_add(sb, "%" PRIu32 " GPU%s", job->gpus, job->gpus == 1 ? "" : "s");
	else
		lw_strbuf_add(sb, "%" PRIu32 " CPU%s", job->cpus, job->cpus == 1 ? "" : "s");
	if (job->node_count > 1)
		lw_strbuf_add(sb, ", %" PRIu32 " nodes", job->node_count);
	if (job->tasks > 1)
		lw_strbuf_add(sb, ", %" PRIu32 " tasks", job->tasks);
}

static void add_who(const struct live *live, const struct lw_live_job *job, struct lw_strbuf *sb)
{
	lw_strbuf_add(sb, "<span class=\"lw-job\"><b>");
	lw_chart_add_text(sb, job->id);
	lw_strbuf_add(sb, "</b> ");
	if (live->users) {
		lw_chart_add_text(sb, job->user);
		lw_strbuf_add(sb, " <i>");
		lw_chart_add_text(sb, job->name);
		lw_strbuf_add(sb, "</i> ");
	}
	lw_strbuf_add(sb, "<small>");
	lw_chart_add_text(sb, job->partition);
	lw_strbuf_add(sb, ", ");
	add_size(job, sb);
	lw_strbuf_add(sb, "</small></span>");
}

/* A bar from now or the planned start to the limit; where there is none, to the edge. */
static void add_bar(const struct live *live, const struct lw_live_job *job, struct lw_strbuf *sb)
{
	double from = job->runs ? 0 : place_of(live, job->start_s);
	double to = job->end_s < 0 ? 100 : place_of(live, job->end_s);

	lw_strbuf_add(sb,
		      "<span class=\"lw-track\"><span class=\"lw-bar %s\" "
		      "style=\"left:%.2f%%;width:%.2f%%\"></span>",
		      job->runs ? "lw-c1" : "lw-c0 lw-planned", from, to > from ? to - from : 0);
	if (job->latest_s >= 0 && job->latest_s < live->now_s + LIVE_HORIZON_S)
		lw_strbuf_add(sb, "<span class=\"lw-latest\" style=\"left:%.2f%%\"></span>",
			      place_of(live, job->latest_s));
	lw_strbuf_add(sb, "</span>");
}

static void add_when(const struct live *live, const struct lw_live_job *job, struct lw_strbuf *sb)
{
	char clock[LW_WHEN_MAX];

	lw_strbuf_add(sb, "<span class=\"lw-when\">");
	if (!job->runs)
		lw_strbuf_add(sb, "starts %s", lw_when_tell(job->start_s, live->now_s, clock));
	else if (job->end_s >= 0)
		lw_strbuf_add(sb, "ends by %s", lw_when_tell(job->end_s, live->now_s, clock));
	else
		lw_strbuf_add(sb, "no limit");
	if (job->latest_s >= 0)
		lw_strbuf_add(sb, "<br><small>at the latest %s</small>",
			      lw_when_tell(job->latest_s, live->now_s, clock));
	lw_strbuf_add(sb, "</span>");
}

static void add_row(const struct live *live, const struct lw_live_job *job, struct lw_strbuf *sb)
{
	lw_strbuf_add(sb, "<div class=\"lw-row\">");
	add_who(live, job, sb);
	add_bar(live, job, sb);
	add_when(live, job, sb);
	lw_strbuf_add(sb, "</div>\n");
}

/* ---- the chart ---- */

/* A clock time every six hours. */
static void add_axis(const struct live *live, struct lw_strbuf *sb)
{
	lw_strbuf_add(sb, "<div class=\"lw-row lw-axis\"><span class=\"lw-job\"></span>"
			  "<span class=\"lw-track\">");
	for (int hour = 0; hour < HOURS; hour += 6) {
		char clock[LW_WHEN_MAX];

		lw_strbuf_add(
			sb, "<span style=\"left:%.2f%%\">%s</span>", hour * 100.0 / HOURS,
			lw_when_tell(live->now_s + (int64_t)hour * 3600, live->now_s, clock));
	}
	lw_strbuf_add(sb, "</span><span class=\"lw-when\"></span></div>\n");
}

static void add_group(const struct live *live, bool running, struct lw_strbuf *sb)
{
	uint32_t count = 0, most = running ? LIVE_RUNNING_ROWS : LIVE_WAITING_ROWS;
	struct row *rows = find_rows(live, running, &count);

	if (!rows) {
		sb->error = -ENOMEM;
		return;
	}
	lw_strbuf_add(sb, "<h3>%s</h3>\n",
		      running ? "Running, by the end of their limits" : "Planned starts");
	if (!count)
		lw_strbuf_add(sb, "<p>%s</p>\n",
			      running ? "No job runs."
				      : "No start is planned in the next 24 hours.");
	else
		add_axis(live, sb);
	for (uint32_t i = 0; i < count && i < most; i++)
		add_row(live, &live->jobs[rows[i].job], sb);
	if (count > most)
		lw_strbuf_add(sb, "<p>%" PRIu32 " more %s are left out.</p>\n", count - most,
			      running ? "that run longer" : "that start later");
	free(rows);
}

void lw_live_show_gantt(const struct live *live, struct lw_strbuf *sb)
{
	lw_live_heading(sb, "The next 24 hours");
	lw_strbuf_add(
		sb,
		"<div class=\"lw-gantt\">\n<p><span class=\"lw-key lw-c0 lw-planned\"></span> "
		"planned <span class=\"lw-key lw-c1\"></span> running, to the limit "
		"<span class=\"lw-key lw-latest\"></span> latest start promised. "
		"Jobs may end before their limits; then others start sooner.</p>\n");
	add_group(live, false, sb);
	add_group(live, true, sb);
	lw_strbuf_add(sb, "</div>\n");
}

/* ---- all jobs in sum ---- */

static bool has_gpus(const struct live *live)
{
	for (uint32_t i = 0; i < live->node_count; i++)
		if (live->nodes[i].gpus)
			return true;
	return false;
}

/* How much of the machine running and planned jobs hold in each stretch. */
static void sum_up(const struct live *live, bool gpus, double runs[STRETCHES],
		   double planned[STRETCHES])
{
	const double stretch_s = (double)LIVE_HORIZON_S / STRETCHES;

	for (uint32_t j = 0; j < live->job_count; j++) {
		const struct lw_live_job *job = &live->jobs[j];
		double end_s =
			job->end_s < 0 ? LIVE_HORIZON_S : (double)(job->end_s - live->now_s);
		double start_s = job->runs ? 0 : (double)(job->start_s - live->now_s);

		if (job->runs || lw_live_is_planned(live, job))
			lw_chart_spread(job->runs ? runs : planned, STRETCHES, stretch_s, start_s,
					end_s, (gpus ? job->gpus : job->cpus) / stretch_s);
	}
}

static void add_curve(struct lw_chart *chart, const char *name, struct lw_look look,
		      const double *values)
{
	struct lw_chart_series *series = lw_chart_add(chart, name, look, STRETCHES + 1);

	for (uint32_t i = 0; series && i <= STRETCHES; i++) {
		series->x[i] = i * (double)HOURS / STRETCHES;
		series->y[i] = values[i < STRETCHES ? i : STRETCHES - 1];
	}
	if (series)
		series->steps = true;
}

void lw_live_show_forecast(const struct live *live, struct lw_strbuf *sb)
{
	double runs[STRETCHES] = { 0 }, all[STRETCHES] = { 0 }, there[STRETCHES] = { 0 };
	bool gpus = has_gpus(live);
	struct lw_charts charts = { .count = 1 };
	struct lw_chart *chart = &charts.charts[0];

	sum_up(live, gpus, runs, all);
	for (uint32_t i = 0; i < live->node_count; i++)
		there[0] += gpus ? live->nodes[i].gpus : live->nodes[i].cpus;
	for (int i = 0; i < STRETCHES; i++) {
		all[i] += runs[i];
		there[i] = there[0];
	}
	*chart = (struct lw_chart){
		.key = "held", .x_key = "hours", .y_key = "held", .x_max = HOURS
	};
	snprintf(chart->title, sizeof(chart->title), "%s held, if all jobs run to their limits",
		 gpus ? "GPUs" : "CPUs");
	snprintf(chart->x_label, sizeof(chart->x_label), "hours from now");
	snprintf(chart->y_label, sizeof(chart->y_label), "%s", gpus ? "GPUs" : "CPUs");
	add_curve(chart, "by what runs", (struct lw_look){ .colour = 1 }, runs);
	add_curve(chart, "and by what is planned", (struct lw_look){ .colour = 0, .dash = 1 },
		  all);
	add_curve(chart, "there are", (struct lw_look){ .colour = 6, .dash = 2 }, there);
	if (chart->error)
		sb->error = chart->error;
	else
		lw_page_charts(sb, &charts);
	lw_charts_fini(&charts);
}
