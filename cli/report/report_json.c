/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway report: the figures as JSON. */
#include "cli/report/report.h"

#include "cli/common/output.h"
#include "cli/report/report_energy.h"
#include "cli/report/report_shared.h"
#include "measure/figures.h"

static json_t *real_or_null(double value)
{
	return value < 0 ? json_null() : json_real(value);
}

static json_t *integer_or_null(int64_t value)
{
	return value < 0 ? json_null() : json_integer(value);
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

static void set_metrics(json_t *o, const struct lw_run *run,
			const struct lw_runstat *stat)
{
	const struct lw_metrics *m = &stat->metrics;

	json_object_set_new(o, "wait_mean_s", real_or_null(m->wait_mean_s));
	json_object_set_new(o, "wait_median_s", integer_or_null(m->wait_median_s));
	json_object_set_new(o, "wait_p99_s", integer_or_null(m->wait_p99_s));
	json_object_set_new(o, "wait_max_s", integer_or_null(m->wait_max_s));
	json_object_set_new(o, "wait_wide_mean_s", real_or_null(m->wait_wide_mean_s));
	json_object_set_new(o, "wait_long_mean_s", real_or_null(m->wait_long_mean_s));
	json_object_set_new(o, "bsld_mean", real_or_null(m->bsld_mean));
	json_object_set_new(o, "utilisation",
			    real_or_null(stat->by_gpus ? stat->gpu_use_arrivals
						       : stat->cpu_use_arrivals));
	json_object_set_new(o, "gpu_utilisation", real_or_null(stat->gpu_use_arrivals));
	json_object_set_new(o, "gpu_utilisation_all", real_or_null(stat->gpu_use_all));
	json_object_set_new(o, "cpu_utilisation", real_or_null(stat->cpu_use_arrivals));
	json_object_set_new(o, "cpu_utilisation_all", real_or_null(stat->cpu_use_all));
	if (!run->has_samples)
		return;
	json_object_set_new(o, "shown", json_integer(m->shown));
	json_object_set_new(o, "shown_later", json_integer(m->later));
	json_object_set_new(o, "violation_mean_s", json_real(m->violation_mean_s));
	json_object_set_new(o, "violation_max_s", json_integer(m->violation_max_s));
}

/* By the keys that leeway sim has for them, and what it has none for. */
static void set_promises(json_t *o, const struct lw_run *run)
{
	const struct lw_promise_totals *totals = &run->promises;
	const struct {
		const char *key;
		uint64_t count;
	} counts[] = {
		{ lw_figure_key(LW_FIGURE_PROMISED), totals->made },
		{ lw_figure_key(LW_FIGURE_KEPT), totals->kept },
		{ lw_figure_key(LW_FIGURE_LATER), totals->later },
		{ lw_figure_key(LW_FIGURE_BROKEN), totals->broken },
		{ lw_figure_key(LW_FIGURE_WITHDRAWN), lw_promise_withdrawn(totals) },
		{ "withdrawn_cancelled", totals->cancelled },
		{ "withdrawn_held", totals->held },
		{ "withdrawn_lost", totals->lost },
		{ "broken_late_s", (uint64_t)totals->late_s },
		{ "promises_open", run->open_promises },
	};

	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++)
		json_object_set_new(o, counts[i].key,
				    run->has_promises
					    ? json_integer((json_int_t)counts[i].count)
					    : json_null());
}

/* By the keys that leeway sim has for them. */
static void set_places(json_t *o, const struct lw_runstat *stat)
{
	struct lw_figures figures;
	static const enum lw_figure wanted[] = {
		LW_FIGURE_ONE_DOMAIN,
		LW_FIGURE_DOMAINS,
		LW_FIGURE_NODES,
		LW_FIGURE_FRAGMENTED,
	};

	if (!stat->has_places)
		return;
	lw_figures_locality(&figures, &stat->places);
	for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++)
		json_object_set_new(o, lw_figure_key(wanted[i]),
				    lw_output_real(figures.value[wanted[i]]));
}

/* By the keys that leeway sim has for them. */
static void set_fairness(json_t *o, const struct lw_runstat *stat)
{
	struct lw_figures figures;

	lw_figures_fairness(&figures, &stat->fairness);
	for (int i = LW_FIGURE_RHO; i <= LW_FIGURE_JAIN_ACCOUNTS; i++)
		json_object_set_new(o, lw_figure_key((enum lw_figure)i),
				    lw_output_real(figures.value[i]));
}

/* By the keys that leeway sim has for them; null where there were no links, or no deadlines. */
static void set_told(json_t *o, const struct lw_run *run, const struct lw_told *told)
{
	const struct {
		enum lw_figure figure;
		double value;
	} figures[] = {
		{ LW_FIGURE_INTERRUPTION, told->interruption_mean_s },
		{ LW_FIGURE_INTERRUPTION_ZERO, told->interruption_zero },
		{ LW_FIGURE_OVERLAP, told->overlap_mean_s },
		{ LW_FIGURE_WAIT_OTHERS, told->wait_others_mean_s },
		{ LW_FIGURE_WAIT_OTHERS_P99, told->wait_others_p99_s },
		{ LW_FIGURE_WAIT_OTHERS_WIDE, told->wait_others_wide_mean_s },
		{ LW_FIGURE_DEADLINE_MISSED, told->missed_share },
		{ LW_FIGURE_DEADLINE_LOST, told->value_lost },
		{ LW_FIGURE_JCT_BEST_EFFORT, told->jct_best_effort_s },
	};

	json_object_set_new(o, "links", json_integer(told->links));
	json_object_set_new(o, "deadlines", json_integer(told->dues));
	for (size_t i = 0; i < sizeof(figures) / sizeof(figures[0]); i++)
		json_object_set_new(o, lw_figure_key(figures[i].figure),
				    real_or_null(figures[i].value));
	json_object_set_new(o, lw_figure_key(LW_FIGURE_PREEMPTIONS),
			    json_integer(run->preempted));
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

static void set_lateness(json_t *o, const struct lw_run *run)
{
	json_object_set_new(o, "lateness_mean_s", real_or_null(run->late_mean_s));
	json_object_set_new(o, "lateness_max_s", integer_or_null(run->late_max_s));
	json_object_set_new(o, "lateness_share", real_or_null(lw_report_late_share(run)));
	json_object_set_new(o, "arrivals_s", integer_or_null(run->arrivals_s));
}

static json_t *make_run(const struct lw_run *run, const struct lw_runstat *stat, double cpu_w)
{
	json_t *o = json_object();

	set_meta(o, run);
	json_object_set_new(o, "submitted", integer_or_null(run->submitted));
	json_object_set_new(o, "jobs", json_integer(stat->started));
	json_object_set_new(o, "finished", json_integer(stat->finished));
	json_object_set_new(o, "running", json_integer(stat->running));
	json_object_set_new(o, "waiting", json_integer(stat->waiting));
	json_object_set_new(o, "never_ran", json_integer(stat->never_ran));
	json_object_set_new(o, "refused", json_integer(run->refused));
	json_object_set_new(o, "requeues", json_integer(run->requeues));
	json_object_set_new(o, "lost", json_integer(stat->lost));
	set_lateness(o, run);
	set_metrics(o, run, stat);
	set_promises(o, run);
	set_told(o, run, &stat->told);
	set_places(o, stat);
	set_fairness(o, stat);
	json_object_set_new(o, "started_by",
			    json_pack("{s:i, s:i, s:i, s:i}", "submit",
				      (int)stat->starters[LW_RUN_BY_SUBMIT], "main",
				      (int)stat->starters[LW_RUN_BY_MAIN], "backfill",
				      (int)stat->starters[LW_RUN_BY_BACKFILL], "unknown",
				      (int)stat->starters[LW_RUN_BY_NOBODY]));
	json_object_set_new(o, "sdiag_backfilled",
			    integer_or_null(run->sdiag_backfilled));
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
