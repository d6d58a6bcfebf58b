/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the figures of a simulation, by name, and their mean over several. */
#include "measure/figures.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure/fairness.h"
#include "measure/metrics.h"

static const struct row {
	const char *key;
	const char *title;
	enum lw_figure_kind kind;
} rows[LW_FIGURES] = {
#define LW_FIGURE(symbol, key, title, kind, value) \
	[LW_FIGURE_##symbol] = { key, title, LW_FIGURE_##kind },
#include "measure/figures.def"
#undef LW_FIGURE
};

const char *lw_figure_key(enum lw_figure figure)
{
	return rows[figure].key;
}

const char *lw_figure_title(enum lw_figure figure)
{
	return rows[figure].title;
}

enum lw_figure_kind lw_figure_kind(enum lw_figure figure)
{
	return rows[figure].kind;
}

void lw_figure_format(enum lw_figure figure, double value, char buf[LW_FIGURE_TEXT])
{
	if (isnan(value)) {
		snprintf(buf, LW_FIGURE_TEXT, "-");
		return;
	}
	switch (lw_figure_kind(figure)) {
	case LW_FIGURE_COUNT:
		snprintf(buf, LW_FIGURE_TEXT, "%.0f", value);
		break;
	case LW_FIGURE_SECONDS:
		snprintf(buf, LW_FIGURE_TEXT, "%.0f s", value);
		break;
	case LW_FIGURE_REAL:
		snprintf(buf, LW_FIGURE_TEXT, "%.2f", value);
		break;
	case LW_FIGURE_SHARE:
		snprintf(buf, LW_FIGURE_TEXT, "%.2f %%", 100 * value);
		break;
	}
}

int lw_figure_parse(const char *key)
{
	for (int i = 0; i < LW_FIGURES; i++) {
		if (strcmp(key, rows[i].key) == 0)
			return i;
	}
	return -EINVAL;
}

static double ratio(double part, double whole)
{
	return whole > 0 ? part / whole : NAN;
}

static double if_any(bool any, double value)
{
	return any ? value : NAN;
}

static struct lw_metrics_job metrics_job(const struct lw_sim_job *job,
					 const struct lw_machine *machine)
{
	uint32_t width = lw_machine_width(machine, &job->request);

	return (struct lw_metrics_job){
		.id = job->id,
		.submit_s = lw_sim_job_since_s(job),
		/* a preempted job counts as if it had run in one piece at the end */
		.start_s = job->start_s - job->spent_s,
		.end_s = lw_sim_job_end_s(job),
		.shown_s = job->promise_s == LW_NO_TIME ? LW_METRICS_NONE : job->promise_s,
		.width = width,
		.cpus = width,
	};
}

/* A GPU that several had together counts once. */
static double use_of(const struct lw_sim_job *jobs, uint32_t count,
		     const struct lw_machine *machine)
{
	int64_t from_s = count ? jobs[0].submit_s : 0, to_s = count ? jobs[count - 1].submit_s : 0;
	double cpu_s = 0;

	if (to_s <= from_s)
		return NAN;
	for (uint32_t i = 0; i < count; i++) {
		struct lw_metrics_job one = metrics_job(&jobs[i], machine);
		double one_s, gpu_s;

		if (jobs[i].start_s == LW_NO_TIME)
			continue;
		one.start_s = lw_sim_job_holds_since_s(&jobs[i]);
		lw_metrics_used(&one, 1, from_s, to_s, &one_s, &gpu_s);
		cpu_s += one_s;
	}
	return cpu_s / ((double)(to_s - from_s) * lw_machine_procs(machine));
}

/*
 * A job that has not started in the end was cancelled, or its promise is still open. Here no job
 * is held, and no node is lost.
 */
struct lw_promise_totals lw_figures_promises(const struct lw_sim_job *jobs, uint32_t count)
{
	struct lw_promise_totals totals = { 0 };

	for (uint32_t i = 0; i < count; i++) {
		const struct lw_sim_job *job = &jobs[i];
		int64_t start_s = job->stops ? job->first_start_s : job->start_s;
		int64_t latest_s = job->latest_s == LW_NO_TIME ? job->promise_s : job->latest_s;

		if (job->promise_s == LW_NO_TIME)
			continue;
		totals.made++;
		if (job->start_s != LW_NO_TIME)
			lw_promise_count(&totals,
					 lw_promise_judge(job->promise_s, latest_s, start_s),
					 lw_promise_late_s(latest_s, start_s));
		else if (job->cancel_after_s)
			lw_promise_count(&totals, LW_PROMISE_CANCELLED, 0);
	}
	return totals;
}

/* What became of chains. */
struct links {
	uint32_t count, zero;
	double interruption_s, overlap_s;
};

/* A job that has started: one that waited for others, and was not thought about, is a link. */
static void count_link(struct links *links, const struct lw_sim_job *job)
{
	int64_t gap_s = job->start_s - lw_sim_job_since_s(job);

	if (!lw_sim_job_waits(job) || job->think_s || job->awaited_s == LW_NO_TIME)
		return;
	links->count++;
	links->zero += gap_s <= LW_FIGURE_ZERO_S;
	if (gap_s > 0)
		links->interruption_s += (double)gap_s;
	if (job->awaited_s > job->start_s)
		links->overlap_s += (double)(job->awaited_s - job->start_s);
}

static struct links find_links(const struct lw_sim_job *jobs, uint32_t count)
{
	struct links links = { 0 };

	for (uint32_t i = 0; i < count; i++)
		if (jobs[i].start_s != LW_NO_TIME)
			count_link(&links, &jobs[i]);
	return links;
}

/* The metrics of jobs in no chain, by these of JOBS that have STARTED. -ENOMEM. */
static int find_others(const struct lw_sim_job *jobs, uint32_t count,
		       const struct lw_metrics_job *started, struct lw_metrics *ret_others)
{
	struct lw_metrics_job *others = calloc((size_t)count + 1, sizeof(*others));
	uint32_t n = 0;
	int rc = others ? 0 : -ENOMEM;

	for (uint32_t i = 0; !rc && i < count; i++) {
		if (jobs[i].start_s == LW_NO_TIME)
			continue;
		if (!lw_sim_job_waits(&jobs[i]) && !jobs[i].leads)
			others[n++] = *started;
		started++;
	}
	if (!rc)
		rc = lw_metrics_compute(others, n, ret_others);
	free(others);
	return rc;
}

/* What became of deadlines. */
struct dues {
	uint32_t count, missed, accepted, accepted_missed, best_effort;
	double lost, jct_s, stops;
};

static void count_due(struct dues *dues, const struct lw_sim_job *job)
{
	int64_t late_s = lw_sim_job_end_s(job) - job->finish_by_s;

	dues->count++;
	dues->accepted += job->accepted;
	if (late_s <= 0)
		return;
	dues->missed++;
	dues->accepted_missed += job->accepted;
	dues->lost += (double)late_s * (job->weight ? job->weight : 1);
}

/* Jobs cancelled in time are not known. */
static struct dues find_dues(const struct lw_sim_job *jobs, uint32_t count)
{
	struct dues dues = { 0 };

	for (uint32_t i = 0; i < count; i++) {
		const struct lw_sim_job *job = &jobs[i];

		dues.stops += job->stops;
		if (job->start_s == LW_NO_TIME) {
			dues.count += job->finish_by_s && !job->cancel_after_s;
			dues.missed += job->finish_by_s && !job->cancel_after_s;
		} else if (job->finish_by_s) {
			count_due(&dues, job);
		} else {
			dues.best_effort++;
			dues.jct_s += (double)(lw_sim_job_end_s(job) - lw_sim_job_since_s(job));
		}
	}
	return dues;
}

/* What the expressions of figures.def see. */
struct found {
	uint32_t count;
	double use;
	struct lw_metrics metrics, others; /* OTHERS: only where there are chains */
	struct lw_promise_totals promises;
	struct lw_fairness fares;
	struct links links;
	struct dues dues;
	struct lw_figures_slow slow;
	struct lw_figures_stops stops;
};

/* -ENOMEM. */
static int find_all(const struct lw_sim_job *jobs, uint32_t count,
		    const struct lw_machine *machine, struct found *found)
{
	struct lw_metrics_job *started = calloc((size_t)count + 1, sizeof(*started));
	uint32_t n = 0;
	int rc = started ? 0 : -ENOMEM;

	*found = (struct found){ .count = count };
	for (uint32_t i = 0; !rc && i < count; i++) {
		if (jobs[i].start_s != LW_NO_TIME)
			started[n++] = metrics_job(&jobs[i], machine);
	}
	found->links = find_links(jobs, count);
	if (!rc)
		rc = lw_metrics_compute(started, n, &found->metrics);
	if (!rc && found->links.count)
		rc = find_others(jobs, count, started, &found->others);
	free(started);
	if (!rc)
		rc = lw_fairness_of(jobs, count, machine, &found->fares);
	if (!rc)
		rc = lw_figures_slow_of(jobs, count, &found->slow);
	found->promises = lw_figures_promises(jobs, count);
	found->dues = find_dues(jobs, count);
	lw_figures_stops_of(jobs, count, machine, &found->stops);
	found->use = use_of(jobs, count, machine);
	return rc;
}

static void figures_fill(struct lw_figures *figures, const struct found *found,
			 const struct lw_figures_watched *watched)
{
	static const struct lw_sharing_found no_sharing;
	static const struct lw_locality nowhere;
	static const struct lw_energy no_energy;
	static const struct lw_harm no_harm;
	const struct lw_metrics *m = &found->metrics, *others = &found->others;
	const struct lw_sharing_found *together = watched->shared ? watched->shared : &no_sharing;
	const struct lw_locality *places = watched->locality ? watched->locality : &nowhere;
	const struct lw_energy *energy = watched->energy ? watched->energy : &no_energy;
	const struct lw_harm *harm = watched->harm ? watched->harm : &no_harm;
	const struct lw_promise_totals *promises = &found->promises;
	const struct lw_figures_slow *slow = &found->slow;
	const struct lw_fairness *fares = &found->fares;
	const struct links *links = &found->links;
	const struct dues *dues = &found->dues;
	const struct lw_figures_stops *stops = &found->stops;
	const bool shares = watched->shared && found->count;
	const double none = m->jobs ? 0 : NAN; /* no job, no wait */

#define LW_FIGURE(symbol, key, title, kind, worth) figures->value[LW_FIGURE_##symbol] = worth;
#include "measure/figures.def"
#undef LW_FIGURE
}

int lw_figures_of(const struct lw_sim_job *jobs, uint32_t count, const struct lw_machine *machine,
		  const struct lw_figures_watched *watched, struct lw_figures *ret_figures)
{
	const struct lw_figures_watched nothing = { 0 };
	struct found found;
	int rc = find_all(jobs, count, machine, &found);

	if (!rc)
		figures_fill(ret_figures, &found, watched ? watched : &nothing);
	return rc;
}

void lw_figures_add(struct lw_figures_sum *sum, const struct lw_figures *figures)
{
	sum->all++;
	for (int i = 0; i < LW_FIGURES; i++) {
		double away = figures->value[i] - sum->mean[i];

		if (isnan(away))
			continue;
		sum->count[i]++;
		sum->mean[i] += away / sum->count[i];
		sum->square[i] += away * (figures->value[i] - sum->mean[i]);
	}
}

static bool is_unknown(const struct lw_figures_sum *sum, int figure)
{
	return sum->all && !sum->count[figure];
}

struct lw_figures lw_figures_mean(const struct lw_figures_sum *sum)
{
	struct lw_figures mean;

	for (int i = 0; i < LW_FIGURES; i++)
		mean.value[i] = is_unknown(sum, i) ? NAN : sum->mean[i];
	return mean;
}

struct lw_figures lw_figures_sd(const struct lw_figures_sum *sum)
{
	struct lw_figures sd = { { 0 } };

	for (int i = 0; i < LW_FIGURES; i++) {
		if (is_unknown(sum, i))
			sd.value[i] = NAN;
		else if (sum->count[i] > 1)
			sd.value[i] = sqrt(sum->square[i] / (sum->count[i] - 1));
	}
	return sd;
}
