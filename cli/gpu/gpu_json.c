/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway gpu JOBID --json: all that is recorded of a job. */
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>

#include "cli/common/json.h"
#include "cli/common/output.h"
#include "cli/gpu/gpu.h"
#include "cli/gpu/gpu_shared.h"

static json_t *make_stat(const struct lw_stat *stat)
{
	if (!stat->count)
		return json_null();
	return json_pack("{s:f, s:I, s:I}", "mean", (double)stat->sum / stat->count, "max",
			 (json_int_t)stat->max, "readings", (json_int_t)stat->count);
}

/* One entry a bucket: its begin, readings, how many of them idle, and the means. */
static json_t *make_series(const struct lw_record *record, uint32_t gpu)
{
	json_t *series = json_array();

	for (uint32_t i = 0; i < record->bucket_count; i++) {
		const struct lw_gpu_bucket *bucket = lw_record_at(record, i, gpu);
		json_t *entry;

		if (!bucket->samples)
			continue;
		entry = json_pack("{s:I, s:I, s:I}", "time_s",
				  (json_int_t)(record->slot[i] * record->bucket_s), "readings",
				  (json_int_t)bucket->samples, "idle", (json_int_t)bucket->idle);
		for (int m = 0; m < LW_METRIC_COUNT; m++)
			if (bucket->stat[m].count)
				json_object_set_new(entry, lw_metric_name((enum lw_metric)m),
						    json_real((double)bucket->stat[m].sum /
							      bucket->stat[m].count));
		json_array_append_new(series, entry);
	}
	return series;
}

static json_t *if_told(int64_t value, bool told)
{
	return told ? json_integer((json_int_t)value) : json_null();
}

static json_t *make_gpu(const struct lw_record *record, uint32_t gpu)
{
	const struct lw_gpu *about = &record->head.gpu[gpu];
	struct lw_gpu_summary sum;
	json_t *o;

	lw_summary_gpu(record, gpu, &sum);
	o = json_pack("{s:I, s:o, s:o, s:I, s:o, s:o, s:s}", "index", (json_int_t)about->index,
		      "id", lw_output_string(about->id), "memory_total_mib",
		      if_told(about->mem_total_mib, about->mem_total_mib > 0), "readings",
		      (json_int_t)sum.samples, "idle_s",
		      if_told(sum.idle_s, sum.samples && !sum.unsupported), "empty_s",
		      if_told(sum.empty_s, sum.stat[LW_METRIC_PROC].count > 0), "verdict",
		      lw_gpu_verdict_name(lw_gpu_judge(record, gpu)));
	json_object_set_new(o, "energy_j", if_told((int64_t)sum.energy_j, sum.has_energy));
	json_object_set_new(o, "energy_counted_s",
			    if_told(about->energy.covered_s, sum.has_energy));
	for (int m = 0; m < LW_METRIC_COUNT; m++)
		json_object_set_new(o, lw_metric_name((enum lw_metric)m),
				    make_stat(&sum.stat[m]));
	json_object_set_new(o, "series", make_series(record, gpu));
	return o;
}

static json_t *make_node(const struct lw_record *record)
{
	json_t *gpus = json_array(), *o;

	for (uint32_t g = 0; g < record->head.gpu_count; g++)
		json_array_append_new(gpus, make_gpu(record, g));
	o = json_pack("{s:o, s:I, s:o, s:I, s:I, s:I, s:b, s:o}", "node",
		      lw_output_string(record->head.node), "start_s",
		      (json_int_t)record->head.start_s, "end_s",
		      record->head.end_s ? json_integer((json_int_t)record->head.end_s)
					 : json_null(),
		      "interval_s", (json_int_t)record->head.interval_s, "bucket_s",
		      (json_int_t)record->bucket_s, "damaged_lines", (json_int_t)record->damaged,
		      "sent", (int)lw_record_is_sent(record), "gpus", gpus);
	lw_gpu_set_company(o, record);
	return o;
}

int lw_gpu_print_json(const char *path, uint32_t job_id, const struct lw_record_list *list,
		      const struct lw_progress *progress, struct lw_error *err)
{
	const char *user = lw_gpu_user_name(&list->records[0]->head);
	char word[LW_SUMMARY_TEXT_MAX], name[16];
	json_t *nodes = json_array(), *o;
	struct lw_summary summary;

	lw_summary_make(list->records, list->count, &summary);
	lw_summary_encode(&summary, word, sizeof(word));
	for (uint32_t i = 0; i < list->count; i++)
		json_array_append_new(nodes, make_node(list->records[i]));
	snprintf(name, sizeof(name), "%" PRIu32, job_id);
	o = json_pack("{s:s, s:o, s:b, s:s, s:o, s:I, s:o}", "job", name, "user",
		      user ? lw_output_string(user) : json_null(), "running", (int)list->live,
		      "summary", word, "energy_j",
		      if_told((int64_t)summary.energy_j, summary.energy_gpus > 0), "energy_gpus",
		      (json_int_t)summary.energy_gpus, "nodes", nodes);
	lw_progress_set(o, progress);
	return lw_output_json(path, lw_json_named("leeway.gpu.job", o), err);
}
