/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway gpu JOBID: what a job made of its GPUs over time, drawn. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/chart/chart.h"
#include "cli/common/output.h"
#include "cli/gpu/gpu.h"

#define GPUS_DRAWN LW_LOOK_OTHERS
#define GIB_MIB    1024.0

_Static_assert(GPUS_DRAWN <= LW_CHART_SERIES, "too few series");

/* What is drawn of a job, and when it was. */
struct drawing {
	const struct lw_record_list *list;
	int64_t start_s, end_s;
	struct lw_unit unit; /* of the axis of time */
};

static void add_point(struct lw_chart_series *series, double x, double y)
{
	series->x[series->count] = x;
	series->y[series->count++] = y;
}

/* Where nothing is known there is no line. */
static void add_points(const struct drawing *drawing, struct lw_chart_series *series,
		       const struct lw_record *record, uint32_t gpu, enum lw_metric metric,
		       double divisor)
{
	double end = 0, y, unit_s = drawing->unit.seconds;
	double apart_s = record->bucket_s > LW_RECORD_SLOW_EVERY_S ? record->bucket_s
								   : LW_RECORD_SLOW_EVERY_S;

	series->count = 0;
	for (uint32_t i = 0; i < record->bucket_count; i++) {
		const struct lw_stat *stat = &lw_record_at(record, i, gpu)->stat[metric];
		double begin = (double)(record->slot[i] * record->bucket_s - drawing->start_s);

		/* the first one may begin before the job, and a clock set back makes others */
		if (!stat->count || begin + record->bucket_s <= 0)
			continue;
		/* one empty bucket may be a reading that came late; some are read every 10 s */
		if (series->count && begin > end + apart_s)
			add_point(series, end / unit_s, NAN);
		end = begin + record->bucket_s;
		y = (double)stat->sum / stat->count / divisor;
		add_point(series, begin > 0 ? begin / unit_s : 0, y);
		add_point(series, end / unit_s, y);
	}
}

/* The first GPUs, as many as can be told apart. */
static void add_gpus(const struct drawing *drawing, struct lw_chart *chart, enum lw_metric metric,
		     double divisor)
{
	struct lw_looks looks = { 0 };

	for (uint32_t r = 0; r < drawing->list->count; r++) {
		const struct lw_record *record = drawing->list->records[r];

		for (uint32_t g = 0; g < record->head.gpu_count; g++) {
			char name[LW_NODE_NAME_MAX + 24];
			struct lw_chart_series *series;

			if (chart->count == GPUS_DRAWN)
				return;
			snprintf(name, sizeof(name), "%s GPU %" PRIu32, record->head.node,
				 record->head.gpu[g].index);
			/* a node may be called as a policy */
			series = lw_chart_add(chart, name, lw_looks_next(&looks, ""),
					      record->bucket_count * 3);
			if (!series)
				return;
			add_points(drawing, series, record, g, metric, divisor);
		}
	}
}

static bool has_points(const struct lw_chart *chart)
{
	for (uint32_t i = 0; i < chart->count; i++)
		if (chart->series[i].count)
			return true;
	return false;
}

static struct drawing chart_measure(const struct lw_record_list *list)
{
	struct drawing drawing = { .list = list, .start_s = INT64_MAX };

	for (uint32_t r = 0; r < list->count; r++) {
		int64_t end = lw_gpu_end_s(list->records[r]);

		drawing.end_s = end > drawing.end_s ? end : drawing.end_s;
		if (list->records[r]->head.start_s < drawing.start_s)
			drawing.start_s = list->records[r]->head.start_s;
	}
	drawing.unit = lw_unit_for((double)(drawing.end_s - drawing.start_s));
	return drawing;
}

static void say_left_out(const struct lw_record_list *list)
{
	uint32_t count = 0;

	for (uint32_t r = 0; r < list->count; r++)
		count += list->records[r]->head.gpu_count;
	if (count > GPUS_DRAWN)
		fprintf(stderr,
			"leeway gpu: drawn are the first %d GPUs; %" PRIu32 " are left out\n",
			GPUS_DRAWN, count - GPUS_DRAWN);
}

/* What may be drawn; what few devices tell only where one does. */
static const struct wanted {
	enum lw_metric metric;
	const char *key, *title, *label, *y_key;
	double divisor, y_max;
	bool if_known;
} wanted[] = {
	{ LW_METRIC_UTIL, "utilisation", "Utilisation", "per cent", "utilisation_percent", 1, 100,
	  false },
	{ LW_METRIC_SM, "multiprocessors", "Multiprocessors busy", "per cent",
	  "multiprocessors_percent", 1, 100, true },
	{ LW_METRIC_TENSOR, "tensor", "Tensor cores, of what they can do", "per cent",
	  "tensor_percent", 1, 100, true },
	{ LW_METRIC_MEMBW, "bandwidth", "Memory bandwidth, of what there is", "per cent",
	  "bandwidth_percent", 1, 100, true },
	{ LW_METRIC_MEM, "memory", "Memory in use", "GiB", "memory_gib", GIB_MIB, 0, false },
	{ LW_METRIC_POWER, "power", "Power", "W", "power_w", 1, 0, false },
};
#define WANTED (sizeof(wanted) / sizeof(wanted[0]))

_Static_assert(WANTED <= LW_CHARTS_MAX, "too few charts");

static void make_chart(struct lw_chart *chart, const struct drawing *drawing, uint32_t job_id,
		       const struct wanted *what)
{
	chart->key = what->key;
	chart->y_max = what->y_max;
	chart->x_max =
		fmax((double)(drawing->end_s - drawing->start_s), 1) / drawing->unit.seconds;
	add_gpus(drawing, chart, what->metric, what->divisor);
	snprintf(chart->title, sizeof(chart->title), "GPUs of job %" PRIu32 ": %s%s", job_id,
		 what->title, has_points(chart) ? "" : ": not known");
	snprintf(chart->x_label, sizeof(chart->x_label), "time since the job's begin (%s)",
		 drawing->unit.name);
	snprintf(chart->x_key, sizeof(chart->x_key), "time_%s", drawing->unit.name);
	snprintf(chart->y_label, sizeof(chart->y_label), "%s", what->label);
	snprintf(chart->y_key, sizeof(chart->y_key), "%s", what->y_key);
}

static void make_charts(const struct drawing *drawing, uint32_t job_id, struct lw_charts *charts)
{
	struct lw_summary sum;

	memset(charts, 0, sizeof(*charts));
	lw_summary_make(drawing->list->records, drawing->list->count, &sum);
	snprintf(charts->title, sizeof(charts->title), "GPUs of job %" PRIu32, job_id);
	for (size_t i = 0; i < WANTED; i++)
		if (!wanted[i].if_known || sum.stat[wanted[i].metric].count)
			make_chart(&charts->charts[charts->count++], drawing, job_id, &wanted[i]);
}

static int write_svg(const struct lw_charts *charts, const char *path, struct lw_error *err)
{
	struct lw_strbuf sb = LW_STRBUF_INIT;

	lw_charts_svg(charts, &sb);
	return lw_output_text(path, &sb, err);
}

static int write_html(const struct lw_charts *charts, const char *path, struct lw_error *err)
{
	struct lw_strbuf sb = LW_STRBUF_INIT;

	lw_page_begin(&sb, charts->title);
	lw_page_charts(&sb, charts);
	lw_page_end(&sb);
	return lw_output_text(path, &sb, err);
}

int lw_gpu_write_charts(const struct lw_gpu_request *request, uint32_t job_id,
			const struct lw_record_list *list, struct lw_error *err)
{
	struct drawing drawing = chart_measure(list);
	struct lw_charts charts;
	int rc = 0;

	make_charts(&drawing, job_id, &charts);
	if (request->svg)
		rc = write_svg(&charts, request->svg, err);
	if (!rc && request->html)
		rc = write_html(&charts, request->html, err);
	if (!rc && request->charts)
		rc = lw_charts_write(&charts, request->charts, err);
	say_left_out(list);
	lw_charts_fini(&charts);
	return rc;
}
