/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway gpu --prometheus: the jobs' GPUs of this moment for node_exporter's textfiles.
 */
#include "cli/gpu/gpu.h"

#include <inttypes.h>

#include "base/prom.h"
#include "base/strbuf.h"
#include "cli/common/output.h"
#include "cli/common/tools.h"

#define MIB 1048576.0

static const struct {
	enum lw_metric metric;
	const char *name, *help;
	double factor;
} gauges[] = {
#define LW_GAUGE(metric, name, help, factor) { LW_METRIC_##metric, name, help, factor },
#include "cli/gpu/gpu_prometheus.def"
};
#define GAUGES (sizeof(gauges) / sizeof(gauges[0]))

/* A family of values must stand together: so each has its text until all jobs are seen. */
struct families {
	struct lw_strbuf gauge[GAUGES];
	struct lw_strbuf idle, energy;
};

static void add_labels(struct lw_strbuf *out, const struct lw_record *record, uint32_t gpu)
{
	const struct lw_record_head *head = &record->head;
	const char *user = lw_gpu_user_name(head);

	lw_strbuf_add(out, "{jobid=\"%" PRIu32 "\"", head->job_id);
	lw_prom_label(out, ",user", user ? user : "");
	lw_prom_label(out, ",node", head->node);
	lw_strbuf_add(out, ",gpu=\"%" PRIu32 "\"", head->gpu[gpu].index);
	lw_prom_label(out, ",uuid", head->gpu[gpu].id);
	lw_strbuf_add(out, "}");
}

/*
 * The latest value; some are read every 10 s alone, and stand that long. NULL: none is known, or
 * it was too long ago.
 */
static const struct lw_stat *find_latest(const struct lw_record *record, uint32_t gpu,
					 enum lw_metric metric)
{
	uint32_t last = record->bucket_count - 1;

	for (uint32_t i = last + 1; i-- > 0;) {
		const struct lw_stat *stat = &lw_record_at(record, i, gpu)->stat[metric];

		if (stat->count)
			return stat;
		if ((record->slot[last] - record->slot[i]) * record->bucket_s >=
		    2 * LW_RECORD_SLOW_EVERY_S)
			break;
	}
	return NULL;
}

static void add_gpu(struct families *families, const struct lw_record *record, uint32_t gpu)
{
	struct lw_gpu_summary sum;

	for (size_t i = 0; i < GAUGES; i++) {
		const struct lw_stat *stat = find_latest(record, gpu, gauges[i].metric);
		struct lw_strbuf *out = &families->gauge[i];

		if (!stat)
			continue;
		lw_strbuf_add(out, "%s", gauges[i].name);
		add_labels(out, record, gpu);
		lw_strbuf_add(out, " %.10g\n",
			      (double)stat->sum / stat->count * gauges[i].factor);
	}
	lw_summary_gpu(record, gpu, &sum);
	if (sum.has_energy) {
		lw_strbuf_add(&families->energy, "leeway_gpu_energy_joules_total");
		add_labels(&families->energy, record, gpu);
		lw_strbuf_add(&families->energy, " %" PRIu64 "\n", sum.energy_j);
	}
	if (!sum.stat[LW_METRIC_UTIL].count)
		return;
	lw_strbuf_add(&families->idle, "leeway_gpu_idle_seconds_total");
	add_labels(&families->idle, record, gpu);
	lw_strbuf_add(&families->idle, " %" PRId64 "\n", sum.idle_s);
}

static int add_job(void *arg, uint32_t job_id, struct lw_record_list *list)
{
	(void)job_id;
	for (uint32_t i = 0; i < list->count; i++)
		for (uint32_t g = 0;
		     list->records[i]->bucket_count && g < list->records[i]->head.gpu_count; g++)
			add_gpu(arg, list->records[i], g);
	return 0;
}

static void add_family(struct lw_strbuf *out, const char *name, const char *type,
		       const char *help, const struct lw_strbuf *values)
{
	if (!values->len)
		return;
	lw_prom_family(out, name, type, help);
	lw_strbuf_add_bytes(out, values->text, values->len);
	if (values->error)
		out->error = values->error;
}

int lw_gpu_prometheus(const struct lw_gpu_request *request, struct lw_error *err)
{
	const struct lw_record_search live = { request->dirs, request->dir_count, 0, true };
	struct families families = { .idle = LW_STRBUF_INIT, .energy = LW_STRBUF_INIT };
	struct lw_strbuf text = LW_STRBUF_INIT;
	int rc = lw_record_visit(&live, add_job, &families, err);

	for (size_t i = 0; i < GAUGES; i++) {
		add_family(&text, gauges[i].name, "gauge", gauges[i].help, &families.gauge[i]);
		lw_strbuf_fini(&families.gauge[i]);
	}
	add_family(&text, "leeway_gpu_idle_seconds_total", "counter",
		   "Seconds at a utilisation of 0 since the job began.", &families.idle);
	lw_strbuf_fini(&families.idle);
	add_family(&text, "leeway_gpu_energy_joules_total", "counter",
		   "Energy used since the job began.", &families.energy);
	lw_strbuf_fini(&families.energy);
	/* made beside and renamed, so that the exporter never reads a half */
	if (!rc)
		return lw_output_text(request->prometheus, &text, err);
	lw_strbuf_fini(&text);
	return rc;
}
