/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway gpu JOBID --svg: what a job made of its GPUs over time. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/gpu/gpu.h"
#include "tools/output.h"
#include "tools/svg.h"

#define WIDTH        900
#define CHART_HEIGHT 250
#define HEAD         44
#define GPUS_DRAWN   LW_SVG_STYLES
#define GIB_MIB      1024.0

/* One line of a chart with its points. */
struct curve {
	double *x, *y;
	uint32_t count;
	char name[LW_NODE_NAME_MAX + 24];
};

struct drawing {
	const struct lw_record_list *list;
	int64_t start_s;
	double unit_s; /* of the axis of time */
	const char *unit_name;
	double length; /* in that unit */
	struct curve curve[GPUS_DRAWN];
	struct lw_svg_series series[GPUS_DRAWN];
	uint32_t count, left_out;
};

static void add_point(struct curve *curve, double x, double y)
{
	curve->x[curve->count] = x;
	curve->y[curve->count++] = y;
}

/* Where nothing is known there is no line. */
static int add_points(struct drawing *drawing, struct curve *curve,
		      const struct lw_record *record, uint32_t gpu, enum lw_metric metric,
		      double divisor)
{
	double apart_s = record->bucket_s > LW_RECORD_SLOW_EVERY_S ? record->bucket_s
								   : LW_RECORD_SLOW_EVERY_S;
	double end = 0, y;

	curve->count = 0;
	curve->x = calloc(record->bucket_count * 3 + 1, sizeof(*curve->x));
	curve->y = calloc(record->bucket_count * 3 + 1, sizeof(*curve->y));
	if (!curve->x || !curve->y)
		return -ENOMEM;
	for (uint32_t i = 0; i < record->bucket_count; i++) {
		const struct lw_stat *stat = &lw_record_at(record, i, gpu)->stat[metric];
		double begin = (double)(record->slot[i] * record->bucket_s - drawing->start_s);

		/* the first one may begin before the job, and a clock set back makes others */
		if (!stat->count || begin + record->bucket_s <= 0)
			continue;
		/* one empty bucket may be a reading that came late, and some are read every 10 s
		 */
		if (curve->count && begin > end + apart_s)
			add_point(curve, end / drawing->unit_s, NAN);
		end = begin + record->bucket_s;
		y = (double)stat->sum / stat->count / divisor;
		add_point(curve, begin > 0 ? begin / drawing->unit_s : 0, y);
		add_point(curve, end / drawing->unit_s, y);
	}
	return 0;
}

static void forget_curves(struct drawing *drawing)
{
	for (uint32_t i = 0; i < drawing->count; i++) {
		free(drawing->curve[i].x);
		free(drawing->curve[i].y);
	}
	memset(drawing->curve, 0, sizeof(drawing->curve));
	drawing->count = drawing->left_out = 0;
}

/* The first GPUs, as many as can be told apart; how many there are more is said. */
static int make_curves(struct drawing *drawing, enum lw_metric metric, double divisor)
{
	int rc = 0;

	forget_curves(drawing);
	for (uint32_t r = 0; r < drawing->list->count; r++) {
		const struct lw_record *record = drawing->list->records[r];

		for (uint32_t g = 0; !rc && g < record->head.gpu_count; g++) {
			struct curve *curve = &drawing->curve[drawing->count];

			if (drawing->count == GPUS_DRAWN) {
				drawing->left_out++;
				continue;
			}
			snprintf(curve->name, sizeof(curve->name), "%s GPU %" PRIu32,
				 record->head.node, record->head.gpu[g].index);
			rc = add_points(drawing, curve, record, g, metric, divisor);
			drawing->series[drawing->count] = (struct lw_svg_series){
				.name = curve->name,
				.x = curve->x,
				.y = curve->y,
				.count = curve->count,
				.style = drawing->count,
			};
			drawing->count++;
		}
	}
	return rc;
}

static bool has_points(const struct drawing *drawing)
{
	for (uint32_t i = 0; i < drawing->count; i++)
		if (drawing->curve[i].count)
			return true;
	return false;
}

static void measure(struct drawing *drawing)
{
	int64_t end_s = 0;

	drawing->start_s = INT64_MAX;
	for (uint32_t r = 0; r < drawing->list->count; r++) {
		const struct lw_record *record = drawing->list->records[r];
		int64_t end = tools_gpu_end_s(record);

		end_s = end > end_s ? end : end_s;
		if (record->head.start_s < drawing->start_s)
			drawing->start_s = record->head.start_s;
	}
	drawing->unit_s = end_s - drawing->start_s > 4 * 3600 ? 3600 : 60;
	drawing->unit_name = drawing->unit_s > 60 ? "time since the job's begin, hours"
						  : "time since the job's begin, minutes";
	drawing->length = (double)(end_s - drawing->start_s) / drawing->unit_s;
	if (drawing->length <= 0)
		drawing->length = 1;
}

/* What may be drawn; what few devices tell only where one does. */
static const struct {
	enum lw_metric metric;
	const char *title, *label;
	double divisor, y_max;
	bool if_known;
} charts[] = {
	{ LW_METRIC_UTIL, "Utilisation", "%", 1, 100, false },
	{ LW_METRIC_SM, "Multiprocessors busy", "%", 1, 100, true },
	{ LW_METRIC_TENSOR, "Tensor cores, of what they can do", "%", 1, 100, true },
	{ LW_METRIC_MEMBW, "Memory bandwidth, of what there is", "%", 1, 100, true },
	{ LW_METRIC_MEM, "Memory in use", "GiB", GIB_MIB, 0, false },
	{ LW_METRIC_POWER, "Power", "W", 1, 0, false },
};
#define CHARTS (sizeof(charts) / sizeof(charts[0]))

static bool is_drawn(const struct lw_record_list *list, size_t chart)
{
	struct lw_summary sum;

	lw_summary_make(list->records, list->count, &sum);
	return !charts[chart].if_known || sum.stat[charts[chart].metric].count;
}

static uint32_t count_charts(const struct lw_record_list *list)
{
	uint32_t count = 0;

	for (size_t i = 0; i < CHARTS; i++)
		count += is_drawn(list, i);
	return count;
}

static int draw(struct drawing *drawing, uint32_t job_id, struct lw_strbuf *sb)
{
	uint32_t top = HEAD;
	char title[96];

	snprintf(title, sizeof(title), "GPUs of job %" PRIu32, job_id);
	lw_svg_begin(sb, WIDTH, HEAD + count_charts(drawing->list) * CHART_HEIGHT + 6, title);
	for (size_t i = 0; i < CHARTS; i++) {
		struct lw_svg_chart chart = {
			.title = charts[i].title,
			.x_label = drawing->unit_name,
			.y_label = charts[i].label,
			.x_max = drawing->length,
			.y_max = charts[i].y_max,
			.series = drawing->series,
		};
		char first[192], unknown[64];

		if (!is_drawn(drawing->list, i))
			continue;
		if (make_curves(drawing, charts[i].metric, charts[i].divisor))
			return -ENOMEM;
		if (!has_points(drawing)) {
			snprintf(unknown, sizeof(unknown), "%s: not known", charts[i].title);
			chart.title = unknown;
		}
		snprintf(first, sizeof(first), "%s: %s", title, chart.title);
		chart.title = i ? chart.title : first;
		chart.series_count = drawing->count;
		lw_svg_add_chart(sb, &chart, 0, top, WIDTH, CHART_HEIGHT);
		top += CHART_HEIGHT;
	}
	lw_svg_add_legend(sb, drawing->series, drawing->count, 64, 20, WIDTH - 80);
	if (drawing->left_out)
		fprintf(stderr,
			"leeway gpu: drawn are the first %d GPUs; %" PRIu32 " are left out\n",
			GPUS_DRAWN, drawing->left_out);
	lw_svg_end(sb);
	return sb->error;
}

int tools_gpu_write_svg(const char *path, uint32_t job_id, const struct lw_record_list *list,
			struct lw_error *err)
{
	struct drawing drawing = { .list = list };
	struct lw_strbuf sb = LW_STRBUF_INIT;
	int rc;

	measure(&drawing);
	rc = draw(&drawing, job_id, &sb);
	forget_curves(&drawing);
	if (rc) {
		lw_strbuf_fini(&sb);
		return lw_error_set(err, rc, "out of memory");
	}
	return lw_output_text(path, &sb, err);
}
