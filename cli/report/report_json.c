/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway report: the figures as JSON. */
#include "cli/report/report.h"

#include <math.h>
#include <string.h>

#include "cli/common/output.h"
#include "cli/report/report_energy.h"
#include "cli/report/report_shared.h"

static json_t *real_or_null(double value)
{
	return value < 0 ? json_null() : json_real(value);
}

static json_t *make_states(const struct lw_runstat *stat)
{
	json_t *states = json_object();

	for (uint32_t i = 0; i < stat->state_count; i++)
		json_object_set_new(states, stat->states[i].name,
				    json_integer(stat->states[i].jobs));
	return states;
}

static json_t *make_classes(const struct lw_runstat *stat)
{
	json_t *classes = json_array();

	for (int c = 0; c < LW_RUNSTAT_CLASSES; c++) {
		const struct lw_runstat_class *class = &stat->classes[c];

		if (class->jobs)
			json_array_append_new(
				classes, json_pack("{s:s, s:i, s:f, s:o}", "size",
						   class->name, "jobs", (int)class->jobs,
						   "wait_mean_s", class->wait_mean_s,
						   "bsld_mean",
						   real_or_null(class->bsld_mean)));
	}
	return classes;
}

static bool is_whole(enum lw_report_form form)
{
	return form == LW_REPORT_COUNT || form == LW_REPORT_WHOLE_TIME;
}

/* "key", or "object/key". */
static void set_value(json_t *o, const struct lw_report_figure *figure, double value)
{
	const char *key = figure->key, *slash = strchr(key, '/');
	char parent[32];

	if (slash) {
		snprintf(parent, sizeof(parent), "%.*s", (int)(slash - key), key);
		if (!json_object_get(o, parent))
			json_object_set_new(o, parent, json_object());
		o = json_object_get(o, parent);
		key = slash + 1;
	}
	json_object_set_new(o, key,
			    value >= 0 && is_whole(figure->form) ? json_integer((json_int_t)value)
								 : real_or_null(value));
}

static void set_figures(json_t *o, const struct lw_run *run, const struct lw_runstat *stat)
{
	double values[LW_REPORT_FIGURES];

	lw_report_values(run, stat, values);
	for (uint32_t i = 0; i < LW_REPORT_FIGURES; i++)
		if (*lw_report_figures[i].key && !isnan(values[i]))
			set_value(o, &lw_report_figures[i], values[i]);
}

static void set_meta(json_t *o, const struct lw_run *run)
{
	const struct {
		const char *key;
		const char *text;
	} texts[] = {
		{ "slurm_version", run->slurm_version },
		{ "workload", run->workload },
		{ "sha256", run->sha256 },
		{ "started_at", run->started },
	};
	const struct {
		const char *key;
		int64_t count;
	} counts[] = {
		{ "nodes", run->nodes },
		{ "gpus_per_node", run->gpus_per_node },
		{ "cpus_per_node", run->cpus_per_node },
	};

	json_object_set_new(o, "label", lw_output_string(run->label));
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		if (texts[i].text)
			json_object_set_new(o, texts[i].key, lw_output_string(texts[i].text));
	json_object_set_new(o, "clock_factor",
			    run->factor > 0 ? json_real(run->factor) : json_null());
	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++)
		json_object_set_new(o, counts[i].key,
				    run->nodes ? json_integer(counts[i].count) : json_null());
}

static json_t *make_run(const struct lw_run *run, const struct lw_runstat *stat, double cpu_w)
{
	json_t *o = json_object();

	set_meta(o, run);
	set_figures(o, run, stat);
	json_object_set_new(o, "sizes", make_classes(stat));
	json_object_set_new(o, "states", make_states(stat));
	json_object_set_new(o, "energy", lw_report_energy_json(run, cpu_w));
	json_object_set_new(o, "shared", lw_report_shared_json(run));
	return o;
}

json_t *lw_report_json(const struct lw_report *report)
{
	json_t *root = json_object(), *runs = json_array();

	for (uint32_t i = 0; i < report->count; i++)
		json_array_append_new(
			runs, make_run(&report->runs[i], &report->stats[i], report->cpu_w));
	json_object_set_new(root, "too_late", json_boolean(report->too_late));
	json_object_set_new(root, "comparable", json_boolean(!lw_report_differ(report)));
	json_object_set_new(root, "runs", runs);
	return root;
}
